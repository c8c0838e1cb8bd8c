//! A layout's panes as one line of text, to share in a chat.
//!
//! ```text
//! stats-view 1 eyJwYW5lcyI6W3sicGF0aHMiOlsiYSJdfV19
//!            │ └ the layout as JSON without its defaults, in URL-safe base64
//!            └ version
//! ```
//!
//! Serde reads and writes the layout, so the line contains each new option of a pane. Its letters
//! survive chat programs, and the text around them is ignored.

use std::{error, fmt};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::Value;

use super::saved::{PaneLayout, SavedPane};
use stats_ui::text::one_line;

const NAME: &str = "stats-view";
/// The version of the lines that this code writes. It increases with each new field.
const VERSION: u32 = 1;
/// The maximum length of a text that is read, in bytes.
const MAX_BYTES: usize = 1 << 20;

impl PaneLayout {
    /// Returns the layout as one line of printable ASCII, such as `stats-view 1 eyJhY3RpdmUiOjF9`.
    #[must_use]
    pub fn to_line(&self) -> String {
        let mut layout = value(&self.clone().clamped());
        if let Some(Value::Array(panes)) = layout.get_mut("panes") {
            let default = value(&SavedPane::default());
            panes
                .iter_mut()
                .for_each(|pane| remove_defaults(pane, &default));
        }
        remove_defaults(&mut layout, &value(&Self::default()));
        let text = BASE64_URL_SAFE_NO_PAD.encode(layout.to_string());
        format!("{NAME} {VERSION} {text}")
    }

    /// Reads a line that [`to_line`](Self::to_line) wrote. Other text before it, and after it
    /// behind a space, is ignored. The text may have up to 1 MiB.
    ///
    /// # Errors
    ///
    /// If the text contains no such line, or the line is damaged; see [`ViewLineError`].
    pub fn from_line(text: &str) -> Result<Self, ViewLineError> {
        if text.len() > MAX_BYTES {
            return Err(ViewLineError::TooLong);
        }
        let rest = text.match_indices(NAME).find_map(|(at, name)| {
            let rest = text[at + name.len()..].trim_start();
            rest.starts_with(|next: char| next.is_ascii_digit())
                .then_some(rest)
        });
        let mut words = rest.ok_or(ViewLineError::NotAView)?.split_whitespace();
        let version = words.next().and_then(|version| version.parse::<u32>().ok());
        match version {
            Some(1..=VERSION) => {}
            Some(0) | None => return Err(ViewLineError::NotAView),
            Some(_) => return Err(ViewLineError::Newer),
        }
        let word = words.next().unwrap_or_default();
        let is_code = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
        let code = word.split(|letter| !is_code(letter)).next();
        let json = BASE64_URL_SAFE_NO_PAD.decode(code.unwrap_or_default());
        let json = json.map_err(|_| ViewLineError::CutShort)?;
        let json = String::from_utf8(json).map_err(|_| ViewLineError::CutShort)?;
        match serde_json::from_str::<Self>(&json) {
            Ok(layout) => Ok(layout.clamped()),
            Err(error) if error.is_data() => Err(ViewLineError::Damaged(
                one_line(&error.to_string(), 200).into(),
            )),
            Err(_) => Err(ViewLineError::CutShort),
        }
    }
}

/// Returns a part of a layout as JSON. Its types have no maps with keys other than text, so serde
/// does not fail. It is written as in a saved state, so that the compiler translates that code once.
fn value(part: &impl serde::Serialize) -> Value {
    let text = serde_json::to_string_pretty(part).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Removes the fields of an object that are equal to those of `default`, at every level.
fn remove_defaults(value: &mut Value, default: &Value) {
    let Value::Object(fields) = value else { return };
    fields.retain(|name, value| {
        let default = default.get(name).unwrap_or(&Value::Null);
        let is_default = value == default;
        remove_defaults(value, default);
        !is_default
    });
}

/// The error if a line is not a layout. Its text says how to fix that.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ViewLineError {
    /// The text does not contain `stats-view` and a version.
    NotAView,
    /// A newer version wrote the line.
    Newer,
    /// The line is incomplete, or a character of it was replaced.
    CutShort,
    /// A part of the layout is not what the overlay writes.
    Damaged(String),
    /// The text is longer than 1 MiB.
    TooLong,
}

impl fmt::Display for ViewLineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAView => write!(
                f,
                "This is not a view. Copy the whole line, which begins with \"{NAME} {VERSION}\"."
            ),
            Self::Newer => f.write_str(
                "A newer version wrote this view. Update this program, or ask for the names.",
            ),
            Self::CutShort => {
                f.write_str("The view is incomplete. Copy the whole line, up to its last letter.")
            }
            Self::Damaged(problem) => {
                write!(f, "The view is damaged: {problem}. Copy the line again.")
            }
            Self::TooLong => f.write_str("There is more than 1 MiB of text. Copy only one line."),
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

impl error::Error for ViewLineError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::choices::ValueRange;
    use crate::input::mode::Mode;
    use crate::input::pane_view::PaneView;

    fn layout() -> PaneLayout {
        let mut second = SavedPane::new(["net/packets", "a--b/_x_/ü \"q\""]);
        second.view = PaneView::Table;
        second.graph.range = ValueRange::Own;
        second.graph.log = true;
        PaneLayout {
            mode: Some(Mode::Watch),
            panes: vec![SavedPane::new(["frame time"]), second],
            ..PaneLayout::default()
        }
    }

    #[test]
    fn a_layout_is_one_line_and_back() {
        let empty = PaneLayout {
            panes: Vec::new(),
            ..PaneLayout::default()
        };
        for layout in [layout(), empty, PaneLayout::default()] {
            let line = layout.to_line();
            assert!(
                line.bytes()
                    .all(|byte| byte == b' ' || byte.is_ascii_graphic())
            );
            assert_eq!(PaneLayout::from_line(&line), Ok(layout), "{line}");
        }
        let mut weight = layout();
        weight.panes[0].weight = f32::NAN;
        let read = PaneLayout::from_line(&weight.to_line()).unwrap();
        assert_eq!(read.panes[0].weight, 0.05, "as in a file");
    }

    #[test]
    fn a_line_contains_only_what_differs_from_the_defaults() {
        let line = PaneLayout {
            panes: vec![SavedPane::new(["a"])],
            ..PaneLayout::default()
        }
        .to_line();
        assert_eq!(line, "stats-view 1 eyJwYW5lcyI6W3sicGF0aHMiOlsiYSJdfV19");
    }

    #[test]
    fn the_text_around_a_line_is_ignored() {
        let line = layout().to_line();
        for text in [
            format!("  {line}\n"),
            format!("```\n{line}\n```"),
            format!("\u{feff}\u{201c}{line}\u{201d}"),
            format!("Ada: look at this `{line}` \u{2014} odd, no?"),
            format!("my stats-view: {line}"),
            line.replacen(' ', "\u{a0}", 2),
            line.replacen(' ', "\r\n", 2),
        ] {
            assert_eq!(PaneLayout::from_line(&text), Ok(layout()), "{text:?}");
        }
    }

    #[test]
    fn an_error_says_what_is_wrong() {
        let of = |json: &str| format!("{NAME} 1 {}", BASE64_URL_SAFE_NO_PAD.encode(json));
        let line = layout().to_line();
        for (text, expected) in [
            ("", ViewLineError::NotAView),
            ("stats-view", ViewLineError::NotAView),
            ("stats-view eyJ9", ViewLineError::NotAView),
            ("stats-view 0 eyJ9", ViewLineError::NotAView),
            ("stats-view 2 holograms", ViewLineError::Newer),
            ("stats-view 1", ViewLineError::CutShort),
            (&line[..line.len() - 1], ViewLineError::CutShort),
            (&line[..line.len() - 30], ViewLineError::CutShort),
            (&line.replacen(" 1 ", " 1 ?", 1), ViewLineError::CutShort),
            (&" ".repeat(MAX_BYTES + 1), ViewLineError::TooLong),
        ] {
            assert_eq!(PaneLayout::from_line(text), Err(expected), "{text}");
        }
        let error = PaneLayout::from_line(&of(r#"{"panes":[{"view":"pie"}]}"#)).unwrap_err();
        assert!(
            error.to_string().contains("\"pie\", expected \"graph\""),
            "{error}"
        );
    }
}
