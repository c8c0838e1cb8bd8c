//! Reads a line of text as panes.

use super::error::{ViewLineError, ViewLineProblem};
use super::{MODE, NAME, VERSION, is_join};
use crate::data::selection::MAX_SELECTED;
use crate::input::mode::{Mode, PaneView};
use crate::input::saved_field::Named;
use crate::persist::saved::{MAX_PANES, PaneLayout, SavedPane, ValueRange};
use stats_analysis::distribution::ValueScale;

/// Returns the characters of a text with their columns, as they were before a chat program changed
/// them.
pub(super) fn original_characters(text: &str) -> Vec<(usize, char)> {
    let numbered = (1..).zip(text.chars());
    numbered
        .filter_map(|(column, character)| Some((column, original_character(character)?)))
        .collect()
}

/// Reads a line, beginning with its version.
pub(super) struct Reader<'a> {
    rest: &'a [(usize, char)],
    /// The column after the last character.
    end: usize,
}

impl<'a> Reader<'a> {
    /// Finds the line among the original characters of a text. Returns `None` if there is none.
    pub(super) fn new(characters: &'a [(usize, char)], text: &str) -> Option<Self> {
        Some(Self {
            rest: &characters[start(characters)?..],
            end: text.chars().count() + 1,
        })
    }

    pub(super) fn layout(mut self) -> Result<PaneLayout, ViewLineError> {
        self.version()?;
        let (mode, mut panes) = (self.mode()?, Vec::new());
        loop {
            let (column, next) = (self.column(), self.next()?);
            match next {
                ';' => {
                    return Ok(PaneLayout {
                        panes,
                        mode,
                        ..PaneLayout::default()
                    });
                }
                '|' if panes.len() == MAX_PANES => {
                    return Err(ViewLineProblem::TooManyPanes.at(column));
                }
                '|' => panes.push(self.pane()?),
                found => {
                    let expected = r#""|" before each pane, or ";" at the end"#;
                    return Err(ViewLineProblem::Unexpected { found, expected }.at(column));
                }
            }
        }
    }

    fn version(&mut self) -> Result<(), ViewLineError> {
        let (column, mut version) = (self.column(), 0_u64);
        while let Some(digit) = self.peek().and_then(|next| next.to_digit(10)) {
            version = version.saturating_mul(10).saturating_add(digit.into());
            self.next()?;
        }
        match version {
            VERSION => Ok(()),
            0 => Err(ViewLineProblem::NotAView.at(column)),
            _ => Err(ViewLineProblem::Newer.at(column)),
        }
    }

    /// Reads the mode, if there is one.
    fn mode(&mut self) -> Result<Option<Mode>, ViewLineError> {
        let is_mode = |rest: &[(usize, char)]| {
            let mut letters = rest.iter().map(|(_, letter)| letter.to_ascii_lowercase());
            MODE.chars().all(|wanted| letters.next() == Some(wanted))
        };
        if !is_mode(self.rest) {
            return Ok(None);
        }
        self.rest = &self.rest[MODE.len()..];
        let column = self.column();
        let mut name = self.word()?;
        match Mode::from_name(&name) {
            Some(mode) => Ok(Some(mode)),
            None if self.rest.is_empty() => Err(self.error(ViewLineProblem::CutShort)),
            None => {
                // The word becomes part of a message.
                name.truncate(40);
                Err(ViewLineProblem::UnknownMode(name).at(column))
            }
        }
    }

    /// Reads letters, digits and hyphens, in lower case.
    fn word(&mut self) -> Result<String, ViewLineError> {
        let mut word = String::new();
        while let Some(letter) = self
            .peek()
            .filter(|&letter| letter.is_ascii_alphanumeric() || letter == '-')
        {
            word.push(letter.to_ascii_lowercase());
            self.next()?;
        }
        Ok(word)
    }

    fn pane(&mut self) -> Result<SavedPane, ViewLineError> {
        let mut pane = SavedPane::default();
        let mut is_first = true;
        loop {
            self.option(&mut pane, is_first)?;
            is_first = false;
            let (column, next) = (self.column(), self.next()?);
            match next {
                ',' => {}
                '=' => break,
                found => {
                    let expected = r#"", " before each option, or "=" before the paths"#;
                    return Err(ViewLineProblem::Unexpected { found, expected }.at(column));
                }
            }
        }
        if self.peek().is_some_and(ends_pane) {
            return Ok(pane);
        }
        loop {
            if pane.paths.len() == MAX_SELECTED {
                return Err(self.error(ViewLineProblem::TooManyPaths));
            }
            pane.paths.push(self.path()?);
            if self.peek().is_some_and(ends_pane) {
                return Ok(pane);
            }
            self.next()?;
        }
    }

    fn option(&mut self, pane: &mut SavedPane, is_first: bool) -> Result<(), ViewLineError> {
        let column = self.column();
        let mut word = self.word()?;
        let is_distribution = pane.view == PaneView::Distribution;
        match (word.as_str(), is_first) {
            (name, true) if let Some(view) = PaneView::from_name(name) => pane.view = view,
            ("shared", false) => pane.range = ValueRange::Shared,
            ("own", false) => pane.range = ValueRange::Own,
            ("log", false) if is_distribution => pane.value_scale = ValueScale::Log,
            ("linear", false) if is_distribution => pane.value_scale = ValueScale::Linear,
            ("log-counts", false) if is_distribution => pane.log_counts = true,
            ("per-frame", false) if is_distribution => pane.per_frame = true,
            ("log", false) => pane.log = true,
            ("stacked", false) => pane.stacked = true,
            _ if self.rest.is_empty() => return Err(self.error(ViewLineProblem::CutShort)),
            _ => {
                // The word becomes part of a message.
                word.truncate(40);
                return Err(ViewLineProblem::UnknownWord(word).at(column));
            }
        }
        Ok(())
    }

    /// Reads a path, up to the `+` before the next path or the end of the pane.
    fn path(&mut self) -> Result<String, ViewLineError> {
        let (first, mut path) = (self.column(), Vec::new());
        loop {
            let column = self.column();
            match self.peek() {
                None => return Err(self.error(ViewLineProblem::CutShort)),
                Some('+' | '|' | ';') => break,
                Some('%') => path.push(self.escaped()?),
                Some(plain)
                    if plain.is_ascii_alphanumeric()
                        || (plain.is_ascii() && is_join(plain as u8)) =>
                {
                    path.push(plain as u8);
                    self.next()?;
                }
                Some(stray) => return Err(ViewLineProblem::Stray(stray).at(column)),
            }
        }
        if path.is_empty() {
            return Err(ViewLineProblem::EmptyPath.at(first));
        }
        String::from_utf8(path).map_err(|_| ViewLineProblem::BadEscape.at(first))
    }

    fn escaped(&mut self) -> Result<u8, ViewLineError> {
        let column = self.column();
        self.next()?;
        let mut byte = 0;
        for _ in 0..2 {
            let digit = self.next()?.to_digit(16);
            let digit = digit.ok_or(ViewLineProblem::BadEscape.at(column))?;
            byte = byte << 4 | digit as u8;
        }
        Ok(byte)
    }

    fn peek(&self) -> Option<char> {
        self.rest.first().map(|&(_, character)| character)
    }

    fn next(&mut self) -> Result<char, ViewLineError> {
        let [(_, next), rest @ ..] = self.rest else {
            return Err(self.error(ViewLineProblem::CutShort));
        };
        self.rest = rest;
        Ok(*next)
    }

    fn column(&self) -> usize {
        self.rest.first().map_or(self.end, |&(column, _)| column)
    }

    fn error(&self, problem: ViewLineProblem) -> ViewLineError {
        problem.at(self.column())
    }
}

fn ends_pane(next: char) -> bool {
    matches!(next, '|' | ';')
}

/// Undoes what a chat program may have done: returns the character that it may have replaced by
/// this one, or `None` if it may have inserted this one.
fn original_character(character: char) -> Option<char> {
    match character {
        '"' | '\'' | '`' | '<' | '>' | '*' | '«' | '»' | '‹' | '›' | '\u{2018}'..='\u{201f}' => {
            None
        }
        // The soft hyphen, direction marks, joiners and the byte-order mark.
        '\u{ad}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}' => None,
        '\u{2010}' | '\u{2011}' => Some('-'),
        other if other.is_whitespace() || other.is_control() => None,
        other => Some(other),
    }
}

/// Returns the index of the version, which follows the name.
fn start(characters: &[(usize, char)]) -> Option<usize> {
    let length = NAME.len();
    let named = |window: &[(usize, char)]| {
        let name = window
            .iter()
            .zip(NAME.chars())
            .all(|((_, character), wanted)| character.eq_ignore_ascii_case(&wanted));
        name && window[length].1.is_ascii_digit()
    };
    characters
        .windows(length + 1)
        .position(named)
        .map(|at| at + length)
}
