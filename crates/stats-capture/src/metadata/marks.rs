//! Marks: labels that the program gave its frames.

use serde::{Deserialize, Serialize};
use stats_core::{Mark, MarkEvent};

/// The maximum number of marks of a run. Further ones are dropped.
const MAX_MARKS: usize = 1 << 20;

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
    /// The positions of open spans.
    open: Vec<usize>,
}

impl Marks {
    /// Applies an event of a frame. As in a [`Recorder`](stats_core::Recorder), beginning an open
    /// span and ending a closed one change nothing.
    pub(crate) fn apply(&mut self, name: &str, event: MarkEvent, frame: u64) {
        let open = self.open.iter().position(|&at| self.list[at].name == name);
        match (event, open) {
            (MarkEvent::Point, _) => self.push(name, MarkKind::Point, frame, Some(frame + 1)),
            (MarkEvent::Begin, None) => self.push(name, MarkKind::Span, frame, None),
            (MarkEvent::End, Some(found)) => {
                let at = self.open.swap_remove(found);
                self.list[at].end = Some(frame + 1);
            }
            (MarkEvent::Begin, Some(_)) | (MarkEvent::End, None) => {}
        }
    }

    fn push(&mut self, name: &str, kind: MarkKind, begin: u64, end: Option<u64>) {
        if self.list.len() < MAX_MARKS {
            if end.is_none() {
                self.open.push(self.list.len());
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
