//! The unit of data that goes to the writer thread.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Instant;

use stats_core::{MarkEvent, SeriesInfo};

use crate::CaptureError;

/// The maximum number of frames in a block: half a second at 256 frames per second.
pub(crate) const MAX_FRAMES: usize = 128;

/// The maximum number of values for which a block reserves memory, 2 MiB, unless a single row has
/// more.
const MAX_VALUES: usize = 1 << 18;

/// The rows of some frames, and all news since the previous block. Blocks are reused, and keep
/// their memory.
#[derive(Debug, Default)]
pub(crate) struct Block {
    /// Series that are new, or whose description changed.
    pub(crate) series: Vec<SeriesInfo<'static>>,
    pub(crate) frames: Vec<FrameRow>,
    /// The rows, each with one value for each series number; NaN for a missing value.
    pub(crate) values: Vec<f64>,
    /// Values of these or earlier frames that became known later.
    pub(crate) late: Vec<LateValue>,
    /// The frame before which all values are known.
    pub(crate) known_end: u64,
    pub(crate) notes: Notes,
    /// The total time that recording has taken on the game thread so far.
    pub(crate) cost_ns: u64,
    /// The number of frames dropped so far.
    pub(crate) dropped: u64,
    /// Whether a panic sent it, without `series`, `late`, `known_end`, `cost_ns` and `dropped`.
    pub(crate) is_cut: bool,
    /// Whether it is none of those in circulation, and has notes only.
    pub(crate) is_extra: bool,
}

/// The clock of a frame, and the position of its row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameRow {
    pub(crate) frame: u64,
    /// When the frame ended, on the clock of the spans.
    pub(crate) ended: Instant,
    pub(crate) start_ns: i64,
    pub(crate) duration_ns: i64,
    /// The end of its values in [`Block::values`].
    pub(crate) values_end: usize,
}

/// A value that became known after its frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LateValue {
    pub(crate) slot: u32,
    pub(crate) frame: u64,
    pub(crate) value: f64,
}

/// Everything that the program reports in addition to values.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    marks: Vec<NotedMark>,
    /// The names of the marks, concatenated.
    names: String,
    others: Vec<Note>,
}

#[derive(Clone, Debug)]
struct NotedMark {
    frame: u64,
    event: MarkEvent,
    name: Range<usize>,
}

/// A rare fact or request.
#[derive(Debug)]
pub(crate) enum Note {
    Gpu {
        name: String,
        driver: String,
    },
    RefreshHz(f64),
    /// The thread that ends the frames.
    FrameThread(String),
    Label(String, String),
    Picture(Picture),
    /// The program panicked: this is the name of the last mark, and this is dropped when the file is
    /// complete.
    Panic(String, Sender<()>),
    /// The current frame does not end: the names of its marks, and what tells that this is taken.
    Freeze(Vec<String>, Arc<()>),
    /// Saves the frames in memory, and sends the result.
    Save(PathBuf, Sender<Result<PathBuf, CaptureError>>),
}

/// A picture of a frame.
#[derive(Debug)]
pub(crate) struct Picture {
    pub(crate) frame: u64,
    pub(crate) duration_ms: f64,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Red, green, blue and opacity of each pixel, by rows from the top.
    pub(crate) rgba: Vec<u8>,
}

impl Block {
    /// Makes room for rows of this length.
    pub(crate) fn reserve(&mut self, stride: usize, deferred: usize) {
        let values = (MAX_FRAMES * stride).min(MAX_VALUES.max(stride));
        // Exact: otherwise, a few more series would double the memory of all blocks.
        self.values
            .reserve_exact(values.saturating_sub(self.values.len()));
        self.frames
            .reserve(MAX_FRAMES.saturating_sub(self.frames.len()));
        // Each series has one late value per frame, plus those of the frames that had to wait.
        let late = (MAX_FRAMES + 64) * deferred;
        self.late
            .reserve_exact(late.saturating_sub(self.late.len()));
    }

    /// Returns whether there is room for one more row.
    pub(crate) fn has_room(&self, stride: usize) -> bool {
        self.frames.len() < MAX_FRAMES
            && (self.frames.is_empty() || self.values.len() + stride <= self.values.capacity())
    }

    /// Empties the block for its next use.
    pub(crate) fn clear(&mut self) {
        self.series.clear();
        self.frames.clear();
        self.values.clear();
        self.late.clear();
        self.notes.clear();
        self.is_cut = false;
        self.is_extra = false;
    }
}

impl Notes {
    /// Moves all notes of `others` to the end.
    pub(crate) fn append(&mut self, others: &mut Self) {
        for (frame, name, event) in others.marks() {
            self.mark(frame, name, event);
        }
        self.others.append(&mut others.others);
        others.clear();
    }

    /// Adds a mark to a frame.
    pub(crate) fn mark(&mut self, frame: u64, name: &str, event: MarkEvent) {
        let begin = self.names.len();
        self.names.push_str(name);
        self.marks.push(NotedMark {
            frame,
            event,
            name: begin..self.names.len(),
        });
    }

    /// Returns the marks: frame, name and event of each.
    pub(crate) fn marks(&self) -> impl Iterator<Item = (u64, &str, MarkEvent)> {
        self.marks.iter().map(|mark| {
            let name = self.names.get(mark.name.clone()).unwrap_or_default();
            (mark.frame, name, mark.event)
        })
    }

    pub(crate) fn push(&mut self, note: Note) {
        self.others.push(note);
    }

    /// Removes and returns all notes except the marks.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = Note> {
        self.others.drain(..)
    }

    fn clear(&mut self) {
        self.marks.clear();
        self.names.clear();
        self.others.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, MAX_FRAMES, MAX_VALUES};

    #[test]
    fn a_block_reserves_no_more_memory_than_its_rows_need() {
        let mut block = Block::default();
        for stride in 1..4_000 {
            block.reserve(stride, 10);
            assert!(block.has_room(stride));
            let needed = (MAX_FRAMES * stride).min(MAX_VALUES.max(stride));
            assert_eq!(block.values.capacity(), needed);
        }
        block.reserve(2 * MAX_VALUES, 10);
        assert!(
            block.has_room(2 * MAX_VALUES),
            "a single row always has room"
        );
    }
}
