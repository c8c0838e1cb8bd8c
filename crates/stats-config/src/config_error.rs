//! Errors in `stats.toml`, with the line and the fix.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;
use stats_analysis::derived::DefinitionError;
use stats_core::Problem;
use toml::Spanned;

use crate::nearest;

/// An error in `stats.toml`. The message names the file and the line, and says how to fix it.
#[non_exhaustive]
pub enum ConfigError {
    /// The file cannot be read.
    Open {
        /// The file.
        file: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The content is wrong.
    Content {
        /// The file.
        file: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The mistake, and how to correct it.
        what: String,
    },
    /// A budget without a unit judges series of several units: a
    /// [`Problem::BudgetOfSeveralUnits`].
    Budgets(Problem),
}

/// How toml's message about a value of the wrong type ends, and an example of the right type.
const EXAMPLES: [(&str, &str); 7] = [
    (
        "expected a budget",
        "a number or a text, such as 16.7 or \"2 ms\"",
    ),
    ("expected u64", "a whole number, 0 or more, such as 300"),
    ("expected f64", "a number, such as 16.7"),
    ("expected a sequence", "a list, such as [\"loading*\"]"),
    (
        "expected a string",
        "a text in quotes, such as \"loading*\"",
    ),
    ("expected a map", "a table, such as { frame = 16.7 }"),
    (
        "expected struct Scenario",
        "a table, such as { warm_up_seconds = 5 }",
    ),
];

impl ConfigError {
    pub(crate) fn parse(file: &Path, text: &str, error: &toml::de::Error) -> Self {
        let at = error.span().map_or(0, |span| span.start);
        Self::at(at, file, text, with_fix(error.message()))
    }

    /// Names the line of the formula of a series, in the text of a file that was read.
    pub(crate) fn series(file: &Path, text: &str, error: &DefinitionError) -> Self {
        #[derive(Deserialize)]
        struct Places {
            series: BTreeMap<String, Spanned<IgnoredAny>>,
        }
        let places: Option<Places> = toml::from_str(text).ok();
        let place = |path| places.as_ref()?.series.get(path);
        let at = error.path().and_then(place);
        let at = at.map_or(0, |place| place.span().start);
        Self::at(at, file, text, error.to_string())
    }

    /// An error at a byte of a text.
    fn at(at: usize, file: &Path, text: &str, what: String) -> Self {
        let before = &text.as_bytes()[..at.min(text.len())];
        Self::Content {
            file: file.to_owned(),
            line: 1 + before.iter().filter(|byte| **byte == b'\n').count(),
            what,
        }
    }
}

/// Adds a fix to a message of the toml crate: the nearest known name to an unknown one, or an
/// example of the right type. Messages quote the unknown name first, then all known names.
fn with_fix(message: &str) -> String {
    let message = message.trim_end();
    let mut names = message.split('`').skip(1).step_by(2);
    let unknown = message
        .strip_prefix("unknown field")
        .and_then(|_| names.next());
    if let Some(known) = unknown.and_then(|unknown| nearest(unknown, names)) {
        return format!("{message}; did you mean `{known}`?");
    }
    let example = |expected: &&(&str, &str)| message.ends_with(expected.0);
    match EXAMPLES.iter().find(example) {
        Some((_, example)) => format!("{message}; write {example}"),
        None => message.to_owned(),
    }
}

/// Writes the same sentence as [`Display`](fmt::Display), because a `main` that returns an error
/// prints it in this form.
impl fmt::Debug for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open { file, source } if source.kind() == io::ErrorKind::InvalidData => write!(
                f,
                "{} is not text in UTF-8; save it as UTF-8",
                file.display()
            ),
            Self::Open { file, source } => write!(
                f,
                "{} cannot be read ({source}); check the path and the permissions",
                file.display()
            ),
            Self::Content { file, line, what } => {
                write!(f, "{}, line {line}: {what}", file.display())
            }
            Self::Budgets(problem) => write!(f, "stats.toml: {problem}"),
        }
    }
}

impl Error for ConfigError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Open { source, .. } => Some(source),
            Self::Content { .. } | Self::Budgets(_) => None,
        }
    }
}
