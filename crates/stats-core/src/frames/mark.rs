//! Marks: labels that a program gives its frames, such as "loading".

use std::ops::Range;

use crate::FrameSlice;
use crate::limits::MAX_MARK_NAME;

/// The name of unnamed marks, and of series without any non-empty segment.
pub(crate) const UNNAMED: &str = "unnamed";

/// What happens to a mark in the current frame; see [`Recorder::mark`](crate::Recorder::mark).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarkEvent {
    /// Something happened in this frame.
    Point,
    /// A span begins with this frame. Ignored if a span of this name is already open.
    Begin,
    /// The open span of this name ends, and this frame is its last. Ignored if no span of this name
    /// is open.
    End,
}

/// A label on some frames of a program: a point, or a span.
///
/// Marks are not values. No view or report leaves marked frames out unless the user asks for it,
/// for instance with [`FrameSlice::without_marked`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mark {
    /// The name: at least one and at most [`MAX_MARK_NAME`] characters.
    pub name: String,
    /// The marked frames. A point has one frame. An open span has all frames from its first frame
    /// on.
    pub frames: Range<u64>,
    /// Whether the mark is a point. A span may also be one frame long.
    pub is_point: bool,
}

impl Mark {
    /// Creates a mark, which is a point if `is_point` is set. For implementors of
    /// [`Source`](crate::Source).
    ///
    /// The name is cut after [`MAX_MARK_NAME`] characters, and an empty name becomes `unnamed`.
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

    /// Returns whether it is a span that has not ended.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.frames.end == u64::MAX
    }
}

/// Returns the part of a name that is kept.
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
    /// Returns the values, with NaN for each frame that a mark with one of these names covers.
    /// Statistics then leave these frames out.
    ///
    /// The value of frame `first_frame() + n` is at position `n`.
    /// [`percentiles`](crate::percentiles) and [`frame_metrics`](crate::frame_metrics) skip NaN,
    /// and a run of frames over budget ends there. Both points and spans count, and an open span
    /// reaches to the end of the slice. If there are no names, no frame is left out.
    ///
    /// The cost is linear in the number of frames and, for each name, in the number of marks. Marks
    /// may come in any order; the cost is highest if they overlap and are not in the order of
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
        // The range that is already NaN, so that overlapping spans are filled once. Marks usually
        // come in the order in which they begin.
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
