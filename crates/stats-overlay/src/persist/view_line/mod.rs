//! A layout's panes as one line of text, to share in a chat.
//!
//! ```text
//! stats-view 1 | graph = frame%20time + renderer/draw-calls | table, own, log = net/packets ;
//!            │   │       │            └ next path            │ └ options of the next pane
//!            │   │       └ path                              └ next pane                   └ end
//!            │   └ a view, then `shared` or `own`, `log`, `stacked`
//!            └ version
//! ```
//!
//! The version may be followed by the mode in which to show the panes: `stats-view 1 mode=watch |`.
//!
//! The views are `graph`, `table`, `distribution`, `statistics` and `hitches`. The options of a
//! distribution are `log` or `linear` for its values, `log-counts` and `per-frame`.
//!
//! Letters and digits are written unchanged, and so are `/`, `-`, `.` and `_` between two of them.
//! Every other byte of a path is written as `%` and two hexadecimal digits. White space, quotation
//! marks, and characters that mark quoted mail or formatting are ignored, even within a word, so a
//! line reads the same after a chat program wraps it, quotes it or formats it as code. Text before
//! `stats-view` and after `;` is ignored, too.

pub(crate) mod error;
mod reader;

use self::error::{ViewLineError, ViewLineProblem};
use self::reader::{Reader, original_characters};
use super::saved::{MAX_PANES, PaneLayout, SavedPane, ValueRange};
use crate::data::selection::MAX_SELECTED;
use crate::input::mode::PaneView;
use crate::input::saved_field::Named;
use stats_analysis::distribution::ValueScale;

const NAME: &str = "stats-view";
const VERSION: u64 = 1;
/// The maximum length of a text that is read, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// The text before the name of a mode.
const MODE: &str = "mode=";

impl PaneLayout {
    /// Returns the panes as one line of printable ASCII: series, views, ranges, logarithmic axes
    /// and stacking, and for distributions their own axes. For example:
    ///
    /// `stats-view 1 | graph = frame%20time + renderer/draw-calls | table, own = net/packets ;`
    ///
    /// Panes beyond [`MAX_PANES`], paths beyond [`MAX_SELECTED`] and empty paths are left out.
    #[must_use]
    pub fn to_line(&self) -> String {
        let mut line = format!("{NAME} {VERSION} ");
        if let Some(mode) = self.mode {
            line.push_str(MODE);
            line.push_str(mode.name());
            line.push(' ');
        }
        for pane in self.panes.iter().take(MAX_PANES) {
            line.push_str("| ");
            line.push_str(&options(pane));
            line.push_str(" = ");
            let paths = pane
                .paths
                .iter()
                .filter(|path| !path.is_empty())
                .take(MAX_SELECTED);
            for (at, path) in paths.enumerate() {
                line.push_str(if at == 0 { "" } else { "+ " });
                escape(path, &mut line);
                line.push(' ');
            }
        }
        line.push(';');
        line
    }

    /// Reads a line that [`to_line`](Self::to_line) wrote, even if a chat program quoted or wrapped
    /// it. Options that the line does not contain have their defaults. The text may have up to 1
    /// MiB.
    ///
    /// # Errors
    ///
    /// If the text contains no such line, or the line is damaged; see [`ViewLineProblem`].
    pub fn from_line(text: &str) -> Result<Self, ViewLineError> {
        if text.len() > MAX_BYTES {
            return Err(ViewLineProblem::TooLong.at(1));
        }
        let characters = original_characters(text);
        let reader = Reader::new(&characters, text);
        reader.ok_or(ViewLineProblem::NotAView.at(1))?.layout()
    }
}

fn options(pane: &SavedPane) -> String {
    let view = pane.view.name();
    let range = match pane.range {
        ValueRange::Auto => "",
        ValueRange::Shared => ", shared",
        ValueRange::Own => ", own",
    };
    let is_distribution = pane.view == PaneView::Distribution;
    let log = match pane.value_scale {
        ValueScale::Log if is_distribution => ", log",
        ValueScale::Linear if is_distribution => ", linear",
        _ if pane.log && !is_distribution => ", log",
        _ => "",
    };
    let stacked = if pane.stacked { ", stacked" } else { "" };
    let log_counts = if pane.log_counts && is_distribution {
        ", log-counts"
    } else {
        ""
    };
    let per_frame = if pane.per_frame && is_distribution {
        ", per-frame"
    } else {
        ""
    };
    format!("{view}{range}{log}{stacked}{log_counts}{per_frame}")
}

fn escape(path: &str, line: &mut String) {
    let bytes = path.as_bytes();
    let plain = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(u8::is_ascii_alphanumeric)
    };
    for (at, &byte) in bytes.iter().enumerate() {
        // Chat programs treat two such characters in a row, or one at the edge of a word, as
        // formatting.
        let joins = is_join(byte) && plain(at.checked_sub(1)) && plain(at.checked_add(1));
        if plain(Some(at)) || joins {
            line.push(byte.into());
        } else {
            line.push('%');
            line.extend(
                [byte >> 4, byte & 15]
                    .map(|digit| char::from(b"0123456789ABCDEF"[usize::from(digit)])),
            );
        }
    }
}

fn is_join(byte: u8) -> bool {
    matches!(byte, b'/' | b'-' | b'.' | b'_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::mode::Mode;

    fn pane(view: PaneView, paths: &[&str]) -> SavedPane {
        SavedPane {
            view,
            paths: paths.iter().map(|&path| path.to_owned()).collect(),
            ..SavedPane::default()
        }
    }

    fn layout() -> PaneLayout {
        let first = pane(PaneView::Graph, &["frame time", "renderer/draw-calls"]);
        let second = SavedPane {
            range: ValueRange::Own,
            log: true,
            ..pane(PaneView::Table, &["net/packets", "a--b/_x_/ü"])
        };
        let third = SavedPane {
            range: ValueRange::Shared,
            stacked: true,
            ..pane(PaneView::Graph, &[])
        };
        PaneLayout {
            panes: vec![first, second, third],
            ..PaneLayout::default()
        }
    }

    const LINE: &str = "stats-view 1 | graph = frame%20time + renderer/draw-calls \
        | table, own, log = net/packets + a%2D%2Db%2F%5Fx%5F%2F%C3%BC | graph, shared, stacked = ;";

    #[test]
    fn a_layout_is_one_line_and_back() {
        assert_eq!(layout().to_line(), LINE);
        assert_eq!(PaneLayout::from_line(LINE), Ok(layout()));
        let empty = PaneLayout {
            panes: Vec::new(),
            ..PaneLayout::default()
        };
        assert_eq!(empty.to_line(), "stats-view 1 ;");
        assert_eq!(PaneLayout::from_line("stats-view 1;"), Ok(empty));
    }

    #[test]
    fn the_axes_of_a_distribution_are_options() {
        let of = |value_scale, log_counts, per_frame| {
            let pane = SavedPane {
                value_scale,
                log_counts,
                per_frame,
                ..pane(PaneView::Distribution, &["a"])
            };
            PaneLayout {
                panes: vec![pane],
                ..PaneLayout::default()
            }
        };
        for (words, layout) in [
            ("", of(ValueScale::Auto, false, false)),
            (", log, per-frame", of(ValueScale::Log, false, true)),
            (", linear, log-counts", of(ValueScale::Linear, true, false)),
        ] {
            let line = format!("stats-view 1 | distribution{words} = a ;");
            assert_eq!(layout.to_line(), line);
            assert_eq!(PaneLayout::from_line(&line), Ok(layout.clone()));
            assert_eq!(
                PaneLayout::from_line(&line.replace('-', "\u{2011}\n")),
                Ok(layout)
            );
        }
    }

    #[test]
    fn a_line_may_have_a_mode() {
        let watched = PaneLayout {
            mode: Some(Mode::Watch),
            ..layout()
        };
        let line = LINE.replacen("1 |", "1 mode=watch |", 1);
        assert_eq!(watched.to_line(), line);
        for text in [&line, &line.replacen("mode=watch", "\n> Mode = wat\nch", 1)] {
            assert_eq!(PaneLayout::from_line(text), Ok(watched.clone()), "{text}");
        }
        assert_eq!(PaneLayout::from_line(LINE).unwrap().mode, None);
        let error = PaneLayout::from_line("stats-view 1 mode=wide ;").unwrap_err();
        assert_eq!(
            error.to_string(),
            "Character 19: \"wide\" is not a mode. Write hidden or hud or watch or full."
        );
        let problem = PaneLayout::from_line("stats-view 1 mode=wa")
            .unwrap_err()
            .problem;
        assert_eq!(problem, ViewLineProblem::CutShort);
    }

    #[test]
    fn a_line_reads_the_same_after_chat_programs_changed_it() {
        let wrapped: String = LINE
            .chars()
            .enumerate()
            .flat_map(|(at, c)| [(at % 7 == 6).then_some('\n'), Some(c)])
            .flatten()
            .collect();
        let quoted = LINE.split(' ').collect::<Vec<_>>().join("\r\n> ");
        let texts = [
            format!("  {LINE}\n"),
            format!("```\n{LINE}\n```"),
            format!("\u{feff}\u{201c}{LINE}\u{201d}"),
            format!("Ada: look at this `{LINE}` — odd, no?"),
            format!("my stats-view: {}", LINE.replace(' ', "\u{a0}")),
            LINE.replacen("stats-view", "Stats\u{2011}View", 1),
            LINE.replace("/", "/\u{200b}"),
            wrapped,
            quoted,
        ];
        for text in texts {
            assert_eq!(PaneLayout::from_line(&text), Ok(layout()), "{text:?}");
        }
    }

    #[test]
    fn an_error_has_the_problem_and_its_column() {
        let stray = ViewLineProblem::Stray;
        let missing = |found, sign| ViewLineProblem::Unexpected {
            found,
            expected: match sign {
                "|" => r#""|" before each pane, or ";" at the end"#,
                _ => r#"", " before each option, or "=" before the paths"#,
            },
        };
        for (text, column, problem) in [
            ("", 1, ViewLineProblem::NotAView),
            ("stats-view", 1, ViewLineProblem::NotAView),
            ("stats-view 0 ;", 12, ViewLineProblem::NotAView),
            ("stats-view 2 | holograms ;", 12, ViewLineProblem::Newer),
            (
                "stats-view 99999999999999999999 ;",
                12,
                ViewLineProblem::Newer,
            ),
            ("stats-view 1", 13, ViewLineProblem::CutShort),
            ("stats-view 1 | gra", 19, ViewLineProblem::CutShort),
            ("stats-view 1 | graph = a/b", 27, ViewLineProblem::CutShort),
            ("stats-view 1 | graph = a%2", 27, ViewLineProblem::CutShort),
            (
                "stats-view 1 | pie = a ;",
                16,
                ViewLineProblem::UnknownWord("pie".to_owned()),
            ),
            (
                "stats-view 1 | graph, table = a ;",
                23,
                ViewLineProblem::UnknownWord("table".to_owned()),
            ),
            (
                "stats-view 1 | graph, per-frame = a ;",
                23,
                ViewLineProblem::UnknownWord("per-frame".to_owned()),
            ),
            (
                "stats-view 1 | graph = a + + b ;",
                28,
                ViewLineProblem::EmptyPath,
            ),
            ("stats-view 1 | graph = a:b ;", 25, stray(':')),
            ("stats-view 1 | graph = ü ;", 24, stray('ü')),
            ("stats-view 1 graph = a ;", 14, missing('g', "|")),
            ("stats-view 1 | graph + a ;", 22, missing('+', "=")),
            (
                "stats-view 1 | graph = %zz ;",
                24,
                ViewLineProblem::BadEscape,
            ),
            (
                "stats-view 1 | graph = a%FF ;",
                24,
                ViewLineProblem::BadEscape,
            ),
        ] {
            assert_eq!(
                PaneLayout::from_line(text),
                Err(ViewLineError { column, problem }),
                "{text}"
            );
        }
        for (text, expected) in [
            (
                "stats-view 1 | graph = ü ;",
                r#"Character 24: "\u{fc}" cannot stand in a path. Write it as %C3%BC."#,
            ),
            (
                "stats-view 1 graph = a ;",
                r#"Character 14: "g" is in the wrong place. Write "|" before each pane, or ";" at the end."#,
            ),
        ] {
            let error = PaneLayout::from_line(text).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn panes_and_paths_beyond_the_limits_are_refused_and_never_written() {
        let many = |panes: usize, paths: usize| {
            let paths: Vec<String> = (0..paths).map(|number| format!("many/{number}")).collect();
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            PaneLayout {
                panes: vec![pane(PaneView::Graph, &paths); panes],
                ..PaneLayout::default()
            }
        };
        let full = many(MAX_PANES, MAX_SELECTED);
        assert_eq!(PaneLayout::from_line(&full.to_line()), Ok(full.clone()));
        assert_eq!(
            many(MAX_PANES + 1, MAX_SELECTED + 1).to_line(),
            full.to_line()
        );
        let problem = |line: &str| PaneLayout::from_line(line).unwrap_err().problem;
        let line = full.to_line();
        assert_eq!(
            problem(&line.replace(';', "| graph = ;")),
            ViewLineProblem::TooManyPanes
        );
        assert_eq!(
            problem(&line.replacen("= ", "= one/more + ", 1)),
            ViewLineProblem::TooManyPaths
        );
        assert_eq!(
            problem(&" ".repeat(MAX_BYTES + 1)),
            ViewLineProblem::TooLong
        );
    }
}
