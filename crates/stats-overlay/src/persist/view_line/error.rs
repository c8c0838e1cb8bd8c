//! The error if a line of text is not a layout: the character, the problem, and the fix.

use std::{error, fmt};

use super::{NAME, VERSION};
use crate::data::selection::MAX_SELECTED;
use crate::input::mode::{Mode, PaneView};
use crate::input::saved_field::Named;
use crate::persist::saved::MAX_PANES;

/// The error if a line is not a layout. Its text says how to fix that.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ViewLineError {
    /// The position of the character in the text, starting at 1.
    pub column: usize,
    /// The problem at that character.
    pub problem: ViewLineProblem,
}

/// The problem of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ViewLineProblem {
    /// The line does not contain `stats-view` and a version.
    NotAView,
    /// A newer version wrote the line.
    Newer,
    /// The line ends before its `;`.
    CutShort,
    /// The text is longer than 1 MiB.
    TooLong,
    /// The line has more than [`MAX_PANES`] panes.
    TooManyPanes,
    /// A pane has more than [`MAX_SELECTED`] paths.
    TooManyPaths,
    /// A pane does not begin with the name of a view, or has an unknown option.
    UnknownWord(String),
    /// `mode=` is not followed by the name of a mode.
    UnknownMode(String),
    /// There is nothing between two `+`.
    EmptyPath,
    /// A character is in the wrong place.
    Unexpected {
        /// The character.
        found: char,
        /// What belongs in its place.
        expected: &'static str,
    },
    /// A character of a path must be written as `%` and two digits per byte.
    Stray(char),
    /// `%` is not followed by two hexadecimal digits, or the bytes are not UTF-8.
    BadEscape,
}

impl ViewLineProblem {
    /// Returns the error for this problem at a position in the text.
    pub(super) fn at(self, column: usize) -> ViewLineError {
        ViewLineError {
            column,
            problem: self,
        }
    }
}

/// Writes the same sentence as [`Display`](fmt::Display), because a `main` that returns an error
/// prints it in this form.
impl fmt::Debug for ViewLineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for ViewLineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Character {}: {}", self.column, self.problem)
    }
}

impl fmt::Display for ViewLineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAView => write!(
                f,
                "this is not a view. Copy the whole line, from \"{NAME} {VERSION}\" to \";\"."
            ),
            Self::Newer => f.write_str(
                "a newer version wrote this view. Update this program, or ask for the names.",
            ),
            Self::CutShort => {
                f.write_str("the view ends too early. Copy the whole line, up to \";\".")
            }
            Self::TooLong => f.write_str("there is more than 1 MiB of text. Copy only one line."),
            Self::TooManyPanes => write!(
                f,
                "there are more than {MAX_PANES} panes. Remove everything from this \"|\" to \";\"."
            ),
            Self::TooManyPaths => write!(
                f,
                "a pane has more than {MAX_SELECTED} paths. \
                 Remove everything from here to the next \"|\"."
            ),
            Self::UnknownWord(word) => write!(
                f,
                "\"{word}\" is unknown. A pane begins with {}; shared, own, log and stacked may \
                 follow, and for a distribution linear, log-counts and per-frame.",
                PaneView::choice("")
            ),
            Self::UnknownMode(word) => {
                write!(f, "\"{word}\" is not a mode. Write {}.", Mode::choice(""))
            }
            Self::EmptyPath => f.write_str("a path is missing. Remove the \"+\"."),
            Self::Unexpected { found, expected } => {
                let found = found.escape_default();
                write!(f, "\"{found}\" is in the wrong place. Write {expected}.")
            }
            Self::Stray(character) => {
                let escaped = character.escape_default();
                write!(f, "\"{escaped}\" cannot stand in a path. Write it as ")?;
                let mut bytes = [0; 4];
                let mut bytes = character.encode_utf8(&mut bytes).bytes();
                bytes.try_for_each(|byte| write!(f, "%{byte:02X}"))?;
                f.write_str(".")
            }
            Self::BadEscape => f.write_str(
                "\"%\" must be followed by the two digits of a byte of UTF-8, such as %20. \
                 Copy the line again.",
            ),
        }
    }
}

impl error::Error for ViewLineError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_word_names_every_view() {
        let column = 16;
        let problem = ViewLineProblem::UnknownWord("pie".to_owned());
        let text = ViewLineError { column, problem }.to_string();
        assert!(
            text.starts_with(
                "Character 16: \"pie\" is unknown. \
                 A pane begins with graph or table or distribution or statistics or hitches; "
            ),
            "{text}"
        );
    }
}
