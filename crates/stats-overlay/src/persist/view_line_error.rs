//! Why a line of text is no layout, and where in it the reason stands.

use std::{error, fmt};

use crate::data::selection::MAX_SELECTED;
use crate::persist::saved::MAX_PANES;
use crate::persist::view_line::{NAME, VERSION};

/// Why a line is no layout, and where. Its text says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ViewLineError {
    /// The character of the text, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: ViewLineProblem,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ViewLineProblem {
    /// `stats-view` and a number are not in it.
    NotAView,
    /// It was written by a newer version.
    Newer,
    /// It ends before its `;`.
    CutShort,
    /// It is longer than 1 MiB.
    TooLong,
    /// It has more than [`MAX_PANES`] panes.
    TooManyPanes,
    /// A pane has more than [`MAX_SELECTED`] paths.
    TooManyPaths,
    /// A pane does not begin with `graph` or `table`, or has an option that does not exist.
    UnknownWord(String),
    /// Nothing stands between two `+`.
    EmptyPath,
    /// A character that has to be written as `%` and two digits, or one at the wrong place.
    Stray(char),
    /// `%` without two hexadecimal digits, or bytes that are not UTF-8.
    BadEscape,
}

impl fmt::Display for ViewLineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Character {}: ", self.column)?;
        match &self.problem {
            ViewLineProblem::NotAView => write!(f, "this is no view. Copy the whole line, from \"{NAME} {VERSION}\" to \";\"."),
            ViewLineProblem::Newer => {
                f.write_str("this view was shared by a newer version. Update this program, or ask for the names.")
            }
            ViewLineProblem::CutShort => f.write_str("the view ends too early. Copy the whole line, up to \";\"."),
            ViewLineProblem::TooLong => f.write_str("more than 1 MiB of text. Copy one line alone."),
            ViewLineProblem::TooManyPanes => write!(f, "more than {MAX_PANES} panes. Remove all from this \"|\" to \";\"."),
            ViewLineProblem::TooManyPaths => {
                write!(f, "more than {MAX_SELECTED} paths in a pane. Remove all from here to the next \"|\".")
            }
            ViewLineProblem::UnknownWord(word) => {
                write!(
                    f,
                    "\"{word}\" has no meaning here. A pane begins with graph or table; shared, own, log and stacked may follow."
                )
            }
            ViewLineProblem::EmptyPath => f.write_str("a path is missing. Remove the \"+\"."),
            ViewLineProblem::Stray(character) => {
                write!(f, "\"{}\" is at the wrong place; in a path it is written as ", character.escape_default())?;
                character.encode_utf8(&mut [0; 4]).bytes().try_for_each(|byte| write!(f, "%{byte:02X}"))?;
                f.write_str(".")
            }
            ViewLineProblem::BadEscape => {
                f.write_str("\"%\" is followed by the two digits of a byte of UTF-8, such as %20. Copy the line again.")
            }
        }
    }
}

impl error::Error for ViewLineError {}
