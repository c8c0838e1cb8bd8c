//! A list of derived series.

use std::{error, fmt};

use super::formula::Formula;
use super::formula_error::FormulaError;

/// The greatest number of derived series.
pub const MAX_DERIVED: usize = 64;

/// Derived series: paths and their formulas. Each formula may use those defined before or after it,
/// but no circle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Definitions {
    /// The definitions, each after the ones that its formula uses.
    ordered: Vec<(String, Formula)>,
}

/// Why a series cannot be defined. Its text says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DefinitionError {
    /// The formula cannot be read.
    Formula {
        /// The path of the derived series.
        path: String,
        /// Why.
        error: FormulaError,
    },
    /// The path has an empty segment, or is that of the frame time.
    Path {
        /// The path.
        path: String,
    },
    /// Another derived series has the path.
    Twice {
        /// The path.
        path: String,
    },
    /// Series need each other, in this order, the first again after the last.
    Circle {
        /// Their paths.
        paths: Vec<String>,
    },
    /// There are [`MAX_DERIVED`] already.
    TooMany {
        /// The path of the first that is too many.
        path: String,
    },
    /// The program has no room for another series.
    Full {
        /// The path.
        path: String,
    },
    /// The path belongs to another series.
    Taken {
        /// The path.
        path: String,
    },
    /// A series of the formula does not exist.
    Missing {
        /// The path of the derived series.
        path: String,
        /// The path of the missing series.
        input: String,
    },
    /// The source cannot compute new series, as a file cannot.
    Fixed {
        /// The path of the derived series.
        path: String,
    },
}

impl DefinitionError {
    /// Returns the path of the series that is wrong; of a circle, that of the first.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::Formula { path, .. }
            | Self::Path { path }
            | Self::Twice { path }
            | Self::TooMany { path }
            | Self::Full { path }
            | Self::Taken { path }
            | Self::Missing { path, .. }
            | Self::Fixed { path } => Some(path),
            Self::Circle { paths } => paths.first().map(String::as_str),
        }
    }
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Formula { path, error } => write!(f, "the series {path:?}: {error}"),
            Self::Path { path } => write!(
                f,
                "{path:?} cannot be the path of a derived series; write segments with a / between \
                 them, such as \"renderer/triangles per call\""
            ),
            Self::Twice { path } => {
                write!(
                    f,
                    "the series {path:?} is defined twice; choose another path"
                )
            }
            Self::Circle { paths } => {
                write!(f, "the series ")?;
                for path in paths {
                    write!(f, "{path:?} needs ")?;
                }
                let first = paths.first().map_or("", String::as_str);
                write!(f, "{first:?}; define one of them without the others")
            }
            Self::Full { path } => write!(
                f,
                "there is no room for the series {path:?}; register fewer series"
            ),
            Self::Taken { path } => write!(
                f,
                "{path:?} is the path of another series; choose another path"
            ),
            Self::Missing { path, input } => write!(
                f,
                "the series {path:?}: there is no series {input:?}; write a path that the tree shows, \
                 and spaces around the / of a quotient"
            ),
            Self::Fixed { path } => write!(
                f,
                "the series {path:?} cannot be added here; write it into the section [series] of \
                 stats.toml"
            ),
            Self::TooMany { .. } => {
                write!(f, "more than {MAX_DERIVED} series are defined; remove some")
            }
        }
    }
}

impl error::Error for DefinitionError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Formula { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl Definitions {
    /// Checks definitions, given as paths and formulas.
    ///
    /// # Errors
    ///
    /// [`DefinitionError`] if a formula or a path is wrong, if a path is defined twice, if series
    /// need each other, or if there are more than [`MAX_DERIVED`].
    pub fn new<'a>(
        all: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, DefinitionError> {
        let mut given: Vec<(String, Formula)> = Vec::new();
        for (path, text) in all {
            let path = path.to_owned();
            if path == stats_core::FRAME_TIME || path.split('/').any(|part| part.trim().is_empty())
            {
                return Err(DefinitionError::Path { path });
            }
            if given.iter().any(|(known, _)| *known == path) {
                return Err(DefinitionError::Twice { path });
            }
            if given.len() == MAX_DERIVED {
                return Err(DefinitionError::TooMany { path });
            }
            match text.parse() {
                Ok(formula) => given.push((path, formula)),
                Err(error) => return Err(DefinitionError::Formula { path, error }),
            }
        }
        Self::ordered(given)
    }

    fn ordered(mut given: Vec<(String, Formula)>) -> Result<Self, DefinitionError> {
        let mut ordered: Vec<(String, Formula)> = Vec::with_capacity(given.len());
        while !given.is_empty() {
            let is_given = |path: &String| given.iter().any(|(of, _)| of == path);
            let is_ready = |(_, formula): &(String, Formula)| !formula.inputs.iter().any(is_given);
            match given.iter().position(is_ready) {
                Some(at) => ordered.push(given.remove(at)),
                None => {
                    let paths = circle(&given);
                    return Err(DefinitionError::Circle { paths });
                }
            }
        }
        Ok(Self { ordered })
    }

    /// Returns the paths and the formulas, each after those that it uses.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Formula)> {
        self.ordered.iter().map(|(path, of)| (path.as_str(), of))
    }

    /// Returns whether nothing is defined.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ordered.is_empty()
    }
}

/// Returns series of `given` that need each other in a circle.
fn circle(given: &[(String, Formula)]) -> Vec<String> {
    let (mut at, mut walked) = (0, Vec::new());
    while !walked.contains(&at) {
        walked.push(at);
        let inputs = &given[at].1.inputs;
        let needed = given.iter().position(|(path, _)| inputs.contains(path));
        // Each of them needs another one, or it would be ready.
        at = needed.unwrap_or(at);
    }
    let begin = walked.iter().position(|of| *of == at).unwrap_or(0);
    let paths = walked[begin..].iter().map(|of| given[*of].0.clone());
    paths.collect()
}
