//! Lines of a program's log, as marks of the frames in which they were written.

use std::fmt::{self, Write};

use crate::backend;
use crate::limits::MAX_LOG_LINE;

/// The severity of a [`LogLine`], from the most severe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LogLevel {
    /// `error`
    Error,
    /// `warn`
    Warn,
    /// `info`
    Info,
    /// `debug`
    Debug,
    /// `trace`
    Trace,
}

impl LogLevel {
    const ALL: [Self; 5] = [
        Self::Error,
        Self::Warn,
        Self::Info,
        Self::Debug,
        Self::Trace,
    ];

    /// Returns the name: `error`, `warn`, `info`, `debug` or `trace`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
            Self::Trace => "trace",
        }
    }
}

/// A line of a log, read from the name of a [`Mark`](crate::Mark).
///
/// A line is a point with a name of its own, such as `log warn game::net: retrying`. So it needs no
/// field in a capture, and every view of marks shows it. [`keep`](Self::keep) writes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogLine<'a> {
    /// The severity.
    pub level: LogLevel,
    /// The part of the program that wrote it, such as `game::net`; empty if it is not known.
    pub target: &'a str,
    /// The text; empty if it was removed.
    pub text: &'a str,
}

impl<'a> LogLine<'a> {
    /// Keeps a line: every [`Recorder`](crate::Recorder) marks the frame that it ends next with it,
    /// and so do captures. Any thread may call it.
    ///
    /// Line breaks become spaces. Text after [`MAX_LOG_LINE`] bytes, target included, is cut.
    /// [`MAX_LOG_LINES`](crate::limits::MAX_LOG_LINES) lines wait for the end of a frame, and
    /// [`MAX_FRAME_LOG_LINES`](crate::limits::MAX_FRAME_LOG_LINES) of them mark one frame. Its last
    /// line then tells how many were left out. The lines of a [freeze](crate::Freeze) do not count:
    /// the newest 32 of them always mark the frame.
    ///
    /// The call never waits for another thread, and allocates only once in a process: 66 KiB with
    /// the first line. It formats the text, which is most of the cost.
    ///
    /// ```
    /// use stats_core::{LogLevel, LogLine, Recorder};
    ///
    /// let mut recorder = Recorder::new();
    /// LogLine::keep(LogLevel::Warn, "game::net", format_args!("retrying in {} s", 2));
    /// recorder.end_frame();
    /// # if stats_core::ENABLED {
    /// let mark = &recorder.marks()[0];
    /// assert_eq!((mark.name.as_str(), mark.frames.start), ("log warn game::net: retrying in 2 s", 0));
    /// assert_eq!(LogLine::of_mark(&mark.name).map(|line| line.text), Some("retrying in 2 s"));
    /// # }
    /// ```
    pub fn keep(level: LogLevel, target: &str, text: fmt::Arguments<'_>) {
        if crate::ENABLED {
            backend::keep_log_line(LineText::of(level, target, text).as_str());
        }
    }

    /// Returns the line that a mark with this name is; `None` if it is none.
    #[must_use]
    pub fn of_mark(name: &'a str) -> Option<Self> {
        let rest = name.strip_prefix("log ")?;
        let end = rest.find([' ', ':']).unwrap_or(rest.len());
        let (level, rest) = rest.split_at(end);
        let level = LogLevel::ALL.into_iter().find(|one| one.name() == level)?;
        let (target, text) = rest.split_once(": ").unwrap_or((rest, ""));
        let target = target.strip_prefix(' ').unwrap_or(target);
        Some(Self {
            level,
            target,
            text,
        })
    }

    /// Returns the name of the mark of a line without its target and its text.
    #[must_use]
    pub fn redacted(&self) -> String {
        format!("log {}", self.level.name())
    }
}

impl fmt::Display for LogLine<'_> {
    /// Writes `warn game::net: retrying`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.level.name())?;
        if !self.target.is_empty() {
            write!(f, " {}", self.target)?;
        }
        if !self.text.is_empty() {
            write!(f, ": {}", self.text)?;
        }
        Ok(())
    }
}

/// The name of the mark of a line, built without allocating.
pub(crate) struct LineText {
    bytes: [u8; MAX_LOG_LINE],
    len: usize,
}

impl LineText {
    pub(crate) fn of(level: LogLevel, target: &str, text: fmt::Arguments<'_>) -> Self {
        let mut line = Self {
            bytes: [0; MAX_LOG_LINE],
            len: 0,
        };
        let gap = if target.is_empty() { "" } else { " " };
        // Fails as soon as it is full, so that the rest is not formatted.
        let _ = write!(line, "log {}{gap}{target}: {text}", level.name());
        line
    }

    pub(crate) fn as_str(&self) -> &str {
        // Whole characters only, so it never fails.
        std::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}

impl Write for LineText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = MAX_LOG_LINE - self.len;
        let kept = &text[..text.floor_char_boundary(room)];
        let end = self.len + kept.len();
        for (to, byte) in self.bytes[self.len..end].iter_mut().zip(kept.bytes()) {
            *to = if matches!(byte, b'\n' | b'\r') {
                b' '
            } else {
                byte
            };
        }
        self.len = end;
        if kept.len() < text.len() {
            return Err(fmt::Error);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_was_written() {
        for level in LogLevel::ALL {
            for target in ["", "game", "game::net", "a b"] {
                for text in ["x", "retry: 2 s", "", "für Ω"] {
                    let line = LineText::of(level, target, format_args!("{text}"));
                    let expected = LogLine {
                        level,
                        target,
                        text,
                    };
                    assert_eq!(LogLine::of_mark(line.as_str()), Some(expected));
                    assert_eq!(
                        LogLine::of_mark(&format!("log {expected}")),
                        Some(expected),
                        "{expected:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn other_marks_are_no_lines() {
        for name in [
            "",
            "log",
            "log ",
            "log warning",
            "log Warn x: y",
            "logging",
            "loading",
            " log warn",
            "login error",
            "moment 1: log warn x: y",
        ] {
            assert_eq!(LogLine::of_mark(name), None, "{name}");
        }
    }

    #[test]
    fn a_redacted_line_has_neither_text_nor_target() {
        let line = LogLine::of_mark("log warn game::net: ada logged in").unwrap();
        let left = line.redacted();
        let left = LogLine::of_mark(&left).unwrap();
        assert_eq!(
            (left.level, left.target, left.text),
            (LogLevel::Warn, "", "")
        );
    }

    #[test]
    fn a_long_line_is_cut_between_characters() {
        for before in 0..8 {
            let text = "x".repeat(before) + &"Ω\n".repeat(MAX_LOG_LINE);
            let line = LineText::of(LogLevel::Info, "game", format_args!("{text}"));
            assert!((MAX_LOG_LINE - 1..=MAX_LOG_LINE).contains(&line.as_str().len()));
            assert!(line.as_str().starts_with("log info game: "));
            assert!(!line.as_str().contains('\n'));
        }
    }
}
