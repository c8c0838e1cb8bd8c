//! Marks: what a program says of its frames, such as that it was loading.

use std::ops::Range;

use crate::FrameSlice;
use crate::limits::MAX_MARK_NAME;

/// The name of marks without one, as of series.
const UNNAMED: &str = "unnamed";

/// What a mark does to the frame under way; see [`Recorder::mark`](crate::Recorder::mark).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarkEvent {
    /// Something happened in this frame.
    Point,
    /// A span begins with this frame. Where one of that name is open already, nothing.
    Begin,
    /// The open span of that name ends with this frame, which is its last. Where none is open,
    /// nothing.
    End,
}

/// What a program said of some of its frames: a point, or a span.
///
/// Marks are no values: nothing is left out of any view or report because of one, unless somebody
/// asks for that, for instance by [`FrameSlice::without_marked`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mark {
    /// What it was called: at least one and at most [`MAX_MARK_NAME`] characters.
    pub name: String,
    /// The frames that it is about: one of a point. Of a span that is still open, all that are to
    /// come.
    pub frames: Range<u64>,
    /// Whether it is a point, however long a span may be.
    pub is_point: bool,
}

impl Mark {
    /// A mark of frames; `is_point` where it is of one moment. For implementors of
    /// [`Source`](crate::Source).
    ///
    /// The name is cut behind [`MAX_MARK_NAME`] characters, and `unnamed` where it is empty.
    #[must_use]
    pub fn new(name: impl Into<String>, frames: Range<u64>, is_point: bool) -> Self {
        let mut name = name.into();
        name.truncate(kept_len(&name));
        if name.is_empty() {
            name.push_str(UNNAMED);
        }
        Self {
            name,
            frames,
            is_point,
        }
    }

    /// Whether it is a span that was not ended yet.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.frames.end == u64::MAX
    }
}

/// What is kept of a name.
pub(crate) fn kept_name(name: &str) -> &str {
    if name.is_empty() {
        UNNAMED
    } else {
        &name[..kept_len(name)]
    }
}

fn kept_len(name: &str) -> usize {
    name.char_indices()
        .nth(MAX_MARK_NAME)
        .map_or(name.len(), |(end, _)| end)
}

impl FrameSlice<'_> {
    /// The values, with NaN for each frame that a mark by one of these names is about: to leave
    /// those frames out by choice.
    ///
    /// The value of frame `first_frame() + n` is at position `n`.
    /// [`percentiles`](crate::percentiles) and [`frame_metrics`](crate::frame_metrics) skip what is
    /// not a number, and a run of spikes ends there. Points count as well as spans, and a span that
    /// is still open up to the end of the window. Without a name nothing is left out.
    ///
    /// Takes time for the frames and, for each name, for the marks. They may come in any order, and
    /// take longest to read where they overlap and do not stand in that of
    /// [`Source::marks`](crate::Source::marks).
    ///
    /// ```
    /// use stats_core::percentiles::average_fps;
    /// use stats_core::{Mark, FrameSlice};
    ///
    /// let frames_ms = FrameSlice::new(100, &[10.0, 900.0, 10.0], &[]);
    /// let marks = [Mark::new("loading", 101..102, false)];
    /// assert_eq!(average_fps(&frames_ms.without_marked(&marks, &["loading"])), Some(100.0));
    /// ```
    #[must_use]
    pub fn without_marked(&self, marks: &[Mark], names: &[&str]) -> Vec<f64> {
        let mut values: Vec<f64> = self.iter().collect();
        let names: Vec<&str> = names.iter().copied().map(kept_name).collect();
        let held = self.frames();
        // What is left out already, so that spans which overlap are filled once: marks come in the
        // order in which they begin.
        let mut filled = 0..0;
        for mark in marks
            .iter()
            .filter(|mark| names.contains(&mark.name.as_str()))
        {
            let start = (mark.frames.start.clamp(held.start, held.end) - held.start) as usize;
            let end = (mark.frames.end.clamp(held.start, held.end) - held.start) as usize;
            let from = if start >= filled.start {
                start.max(filled.end)
            } else {
                start
            };
            if from < end {
                values[from..end].fill(f64::NAN);
                filled = if start <= filled.end && start >= filled.start {
                    filled.start..end
                } else {
                    start..end
                };
            }
        }
        values
    }
}
