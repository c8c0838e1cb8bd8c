//! Marks: labels that the program gave its frames.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use stats_core::{FROZEN, LogLine, Mark, MarkEvent, STOOD_STILL};

/// The maximum number of marks of a run. Further ones are dropped.
const MAX_MARKS: usize = 1 << 20;
/// The maximum number of these that are lines of the log, which leave room for others. Without those
/// about frames that did not end, which are few.
const MAX_LOG_LINES: usize = 1 << 16;

/// A point or a span: an entry of the document `stats.marks` of a capture, in the order in which
/// they begin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct MarkRecord {
    /// The name.
    pub name: String,
    /// Whether it is a point or a span.
    pub kind: MarkKind,
    /// The first frame.
    pub begin: u64,
    /// The frame after the last one; `None` for a span that was open when the run ended.
    pub end: Option<u64>,
}

/// Whether a mark is a point or a span.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum MarkKind {
    /// Something happened in one frame.
    Point,
    /// Something went on for one or more frames.
    #[default]
    #[serde(other)]
    Span,
}

/// The marks of a run, built from its events as they arrive.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    list: Vec<MarkRecord>,
    /// The positions of open spans, by name.
    open: HashMap<String, usize>,
    /// The number of lines of the log.
    lines: usize,
}

impl Marks {
    /// Applies an event of a frame. As in a [`Recorder`](stats_core::Recorder), beginning an open
    /// span and ending a closed one change nothing.
    pub(crate) fn apply(&mut self, name: &str, event: MarkEvent, frame: u64) {
        let end = Some(frame.saturating_add(1));
        match event {
            MarkEvent::Point => {
                let line = LogLine::of_mark(name);
                let is_line = line.is_some_and(|of| ![FROZEN, STOOD_STILL].contains(&of.target));
                if !is_line || self.lines < MAX_LOG_LINES {
                    self.lines += usize::from(is_line);
                    self.push(name, MarkKind::Point, frame, end);
                }
            }
            MarkEvent::Begin if self.open.contains_key(name) => {}
            MarkEvent::Begin => self.push(name, MarkKind::Span, frame, None),
            MarkEvent::End => {
                if let Some(at) = self.open.remove(name) {
                    self.list[at].end = end;
                }
            }
        }
    }

    fn push(&mut self, name: &str, kind: MarkKind, begin: u64, end: Option<u64>) {
        if self.list.len() < MAX_MARKS {
            if end.is_none() {
                self.open.insert(name.to_owned(), self.list.len());
            }
            self.list.push(MarkRecord {
                name: name.to_owned(),
                kind,
                begin,
                end,
            });
        }
    }

    /// Moves all marks this number of frames earlier.
    pub(crate) fn move_back(&mut self, frames: u64) {
        for mark in &mut self.list {
            mark.begin = mark.begin.saturating_sub(frames);
            mark.end = mark.end.map(|end| end.saturating_sub(frames));
        }
    }

    pub(crate) fn as_slice(&self) -> &[MarkRecord] {
        &self.list
    }
}

impl MarkRecord {
    /// Converts the record to the core's type.
    pub(crate) fn to_core(&self) -> Mark {
        let end = self.end.unwrap_or(u64::MAX).max(self.begin);
        Mark::new(
            self.name.as_str(),
            self.begin..end,
            self.kind == MarkKind::Point,
        )
    }
}

#[cfg(test)]
mod tests {
    use stats_core::MarkEvent;

    use super::{MAX_LOG_LINES, Marks};

    /// A search through all open spans at each event would take minutes.
    #[test]
    fn many_spans_can_be_open_at_once() {
        let mut marks = Marks::default();
        let names: Vec<String> = (0..200_000).map(|number| number.to_string()).collect();
        for event in [MarkEvent::Begin, MarkEvent::Begin, MarkEvent::End] {
            (0..)
                .zip(&names)
                .for_each(|(frame, name)| marks.apply(name, event, frame));
        }
        assert_eq!(marks.as_slice().len(), names.len());
        for (frame, mark) in (0..).zip(marks.as_slice()) {
            assert_eq!((mark.begin, mark.end), (frame, Some(frame + 1)));
        }
        marks.apply("last", MarkEvent::Point, u64::MAX);
        assert_eq!(marks.as_slice().last().unwrap().end, Some(u64::MAX));
    }

    #[test]
    fn a_log_leaves_room_for_other_marks() {
        let mut marks = Marks::default();
        for frame in 0..MAX_LOG_LINES as u64 + 10 {
            marks.apply("log warn game: again", MarkEvent::Point, frame);
        }
        let others = [
            "moment 1",
            "log warn stats::stopped: the whole program stood still for 9.0 s",
            "log error stats::frozen: no frame for 2.0 s",
        ];
        for name in others {
            marks.apply(name, MarkEvent::Point, 5);
        }
        let kept = marks.as_slice()[MAX_LOG_LINES..].iter();
        assert_eq!(kept.map(|mark| &*mark.name).collect::<Vec<_>>(), others);
    }
}
