//! Why a text is no formula.

use std::{error, fmt};

use stats_core::Unit;

use super::formula::MAX_WINDOW;
use super::parse::{MAX_BYTES, MAX_DEPTH, MAX_INPUTS};

/// Why a text is no [`Formula`](super::Formula). Its text says where, and what to write.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormulaError {
    /// A path, a number or a function is missing at this byte of the text.
    Missing {
        /// The position in bytes.
        at: usize,
    },
    /// Something follows a complete part without an operator.
    Unexpected {
        /// The position in bytes.
        at: usize,
        /// What is there.
        found: String,
    },
    /// A function has another name.
    NoFunction {
        /// The name.
        name: String,
    },
    /// A parenthesis or a quote is not closed.
    Open {
        /// The position of the opening one, in bytes.
        at: usize,
        /// The missing character.
        close: char,
    },
    /// A moving mean is not over a number of frames that is allowed.
    Window,
    /// The text is too long, nested too deeply, or has too many series.
    TooLarge,
    /// Parts of two units are added or subtracted.
    Units {
        /// Both parts, as text.
        parts: [String; 2],
        /// Their units.
        units: [Unit; 2],
    },
}

impl fmt::Display for FormulaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { at } => write!(
                f,
                "a series is missing at byte {at}; write a path, a number, or for instance \
                 \"renderer/triangles / renderer/draw-calls\""
            ),
            Self::Unexpected { at, found } => write!(
                f,
                "{found:?} at byte {at} follows a series without an operator; write +, -, * or / \
                 between them with spaces around it, and a path with spaces in quotes"
            ),
            Self::NoFunction { name } => write!(
                f,
                "{name:?} is not a function; write rate(x) or mean(x, 60), and a path with a \
                 parenthesis in quotes"
            ),
            Self::Open { at, close } => {
                write!(f, "what opens at byte {at} is not closed; add a {close}")
            }
            Self::Window => write!(
                f,
                "a moving mean needs its frames, from 1 to {MAX_WINDOW}: write mean(x, 60)"
            ),
            Self::TooLarge => write!(
                f,
                "the formula is too long: write at most {MAX_BYTES} bytes, {MAX_INPUTS} series, and \
                 {MAX_DEPTH} parentheses inside each other, and define parts as series of their own"
            ),
            Self::Units {
                parts: [a, b],
                units,
            } => {
                let [of_a, of_b] = units.map(Unit::symbol);
                write!(
                    f,
                    "{a} is in {of_a} and {b} is in {of_b}, so they cannot be added or subtracted; \
                     write series of one unit, or divide each by a series of its unit"
                )
            }
        }
    }
}

impl error::Error for FormulaError {}
