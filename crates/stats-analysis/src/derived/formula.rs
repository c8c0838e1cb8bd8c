//! A formula over the values of series, and its text.

use std::fmt;
use std::str::FromStr;

use stats_core::Unit;

use super::formula_error::FormulaError;
use super::parse::parse;

/// The greatest number of frames of a moving mean.
pub const MAX_WINDOW: usize = 600;

/// A formula over the values of series in a frame, such as
/// `renderer/triangles / renderer/draw-calls`.
///
/// - A word is the path of a series. A path with spaces, parentheses, commas or quotes, or one that
///   looks like a number, stands in quotes: `'frame time'` or `"frame time"`. A quote inside is
///   preceded by a backslash, and so is a backslash.
/// - `+`, `-`, `*` and `/` with spaces around them compute; `*` and `/` come first, and parentheses
///   group. Without spaces, a `/` belongs to a path.
/// - A number, such as `1000` or `0.5`, is itself.
/// - `rate(x)` is `x` per second of the frame: divided by its duration.
/// - `mean(x, 60)` is the mean of `x` over the last 60 frames, 1 to [`MAX_WINDOW`].
///
/// The result is not known if a value that it needs is not known, if it is not finite, as after a
/// division by zero, or if a mean does not have all of its frames yet. A text has up to
/// 1,000 bytes and 16 series, and parentheses are nested up to 32 deep.
///
/// ```
/// use stats_analysis::derived::Formula;
///
/// let formula: Formula = "mean(ai/cost / ai/agents, 60)".parse()?;
/// assert_eq!(formula.inputs(), ["ai/cost", "ai/agents"]);
/// assert_eq!(formula.to_string(), "mean(ai/cost / ai/agents, 60)");
/// assert!("ai/cost /".parse::<Formula>().is_err());
/// # Ok::<(), stats_analysis::derived::FormulaError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    pub(super) root: Node,
    pub(super) inputs: Vec<String>,
}

/// A part of a formula.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    /// A series, by its index among the inputs.
    Series(usize),
    Number(f64),
    Binary(Operator, Box<Self>, Box<Self>),
    Rate(Box<Self>),
    Mean(Box<Self>, usize),
}

/// An operator between two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl Operator {
    pub(super) const ALL: [(&'static str, Self); 4] = [
        ("+", Self::Add),
        ("-", Self::Subtract),
        ("*", Self::Multiply),
        ("/", Self::Divide),
    ];

    pub(super) fn of(word: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(name, _)| *name == word);
        found.map(|(_, operator)| *operator)
    }

    fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(_, operator)| *operator == self);
        found.map_or("", |(name, _)| name)
    }

    /// Returns whether it comes before `+` and `-`.
    pub(super) fn is_factor(self) -> bool {
        matches!(self, Self::Multiply | Self::Divide)
    }

    pub(super) fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => a / b,
        }
    }

    /// Returns the unit of the result; `None` if values of these units do not fit together.
    fn unit(self, a: Unit, b: Unit) -> Option<Unit> {
        Some(match self {
            Self::Add | Self::Subtract if b == Unit::Count => a,
            Self::Add | Self::Subtract if a == Unit::Count || a == b => b,
            Self::Add | Self::Subtract => return None,
            Self::Multiply if b == Unit::Count => a,
            Self::Multiply if a == Unit::Count => b,
            Self::Multiply => Unit::Count,
            Self::Divide if a == b => Unit::Count,
            Self::Divide if b == Unit::Count => a,
            Self::Divide => per(a, b.symbol()),
        })
    }
}

/// Returns the unit of values per `symbol`; of plain numbers if there is no room for another unit.
fn per(unit: Unit, symbol: &str) -> Unit {
    Unit::from_symbol(&format!("{}/{symbol}", unit.symbol())).unwrap_or_default()
}

impl Formula {
    /// Returns the paths of the series that it needs, each once, in the order of the text.
    #[must_use]
    pub fn inputs(&self) -> &[String] {
        &self.inputs
    }

    /// Returns the unit of the result. `units` are those of [`inputs`](Self::inputs), of which
    /// missing ones count as plain numbers. A sum has the unit of its parts, and a plain number takes
    /// that of the other part. A quotient of equal units is a plain number, and so is a product of two
    /// units; `B` by `ms` is `B/ms`. Takes a lock if it is a new unit.
    ///
    /// # Errors
    ///
    /// [`FormulaError::Units`] if parts of two units are added or subtracted.
    pub fn unit(&self, units: &[Unit]) -> Result<Unit, FormulaError> {
        self.unit_of(&self.root, units)
    }

    fn unit_of(&self, node: &Node, units: &[Unit]) -> Result<Unit, FormulaError> {
        Ok(match node {
            Node::Series(at) => units.get(*at).copied().unwrap_or_default(),
            Node::Number(_) => Unit::Count,
            Node::Binary(operator, a, b) => {
                let of = (self.unit_of(a, units)?, self.unit_of(b, units)?);
                let unit = operator.unit(of.0, of.1);
                return unit.ok_or_else(|| FormulaError::Units {
                    parts: [a, b].map(|part| Part(self, part).to_string()),
                    units: [of.0, of.1],
                });
            }
            Node::Rate(x) => per(self.unit_of(x, units)?, "s"),
            Node::Mean(x, _) => self.unit_of(x, units)?,
        })
    }
}

impl FromStr for Formula {
    type Err = FormulaError;

    fn from_str(text: &str) -> Result<Self, FormulaError> {
        parse(text)
    }
}

impl fmt::Display for Formula {
    /// Writes the shortest text that is read as the same formula.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(&self.root, f)
    }
}

/// A part of a formula, as text.
struct Part<'a>(&'a Formula, &'a Node);

impl fmt::Display for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(self.1, f)
    }
}

impl Formula {
    fn write(&self, node: &Node, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match node {
            Node::Series(at) => write_path(&self.inputs[*at], f),
            Node::Number(number) => write!(f, "{number}"),
            Node::Rate(x) => {
                f.write_str("rate(")?;
                self.write(x, f)?;
                f.write_str(")")
            }
            Node::Mean(x, frames) => {
                f.write_str("mean(")?;
                self.write(x, f)?;
                write!(f, ", {frames})")
            }
            Node::Binary(operator, a, b) => {
                let is_factor = operator.is_factor();
                let is_sum = |node: &Node| matches!(node, Node::Binary(of, ..) if !of.is_factor());
                let is_binary = |node: &Node| matches!(node, Node::Binary(..));
                self.grouped(a, is_factor && is_sum(a), f)?;
                write!(f, " {} ", operator.name())?;
                // Operators of one rank are applied from left to right.
                let is_grouped = if is_factor { is_binary(b) } else { is_sum(b) };
                self.grouped(b, is_grouped, f)
            }
        }
    }

    fn grouped(&self, node: &Node, is_grouped: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !is_grouped {
            return self.write(node, f);
        }
        f.write_str("(")?;
        self.write(node, f)?;
        f.write_str(")")
    }
}

/// Writes a path, in quotes if it is no word.
fn write_path(path: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let is_word = !path.is_empty()
        && !path.contains(|c: char| c.is_whitespace() || "(),'\"\\".contains(c))
        && Operator::of(path).is_none()
        && path.parse::<f64>().is_err();
    if is_word {
        return f.write_str(path);
    }
    let escaped = path.replace('\\', "\\\\").replace('\'', "\\'");
    write!(f, "'{escaped}'")
}
