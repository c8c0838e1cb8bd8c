//! One reader's values of a series, in complete frames and in frames that may still receive values.

use std::ops::Range;

use super::table::Wanted;
use crate::limits::{LATE_FRAMES, PEEK_FRAMES};
use crate::live::counter::clamp;
use crate::live::ring::{Ring, position};

/// The number of frames that may still get values when a frame ends: that frame, and those for
/// which it is not too late.
const PENDING: usize = LATE_FRAMES as usize + 1;

/// The purpose for which a column is read. Each has its own column, because each counts from the
/// moment at which it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A history.
    Watch,
    /// A row that is merely visible.
    Peek,
    /// A survey of all series.
    Survey,
}

pub(super) const PURPOSES: usize = 3;

#[derive(Debug)]
pub(super) struct LateColumn {
    /// The series, which may be the calls of a timer.
    pub(super) slot: u32,
    pub(super) purpose: Purpose,
    /// The slot for which values are delivered.
    pub(super) source_slot: u32,
    /// Whether the series counts calls, so that each value counts as 1.
    pub(super) is_calls: bool,
    pub(super) wanted: Wanted,
    /// Stamps before this number do not count.
    pub(super) since: u64,
    /// The frame in which the column was last used.
    pub(super) asked: u64,
    /// The first incomplete frame.
    pub(super) known_end: u64,
    /// The value of the newest complete frame; `None` if that is not known.
    pub(super) value: Option<f64>,
    /// The newest complete frame that got any values.
    pub(super) changed: Option<u64>,
    /// The position of its lanes among the reader's sets.
    pub(super) lanes: usize,
    /// The oldest stamp that the column waits for, while the column is new and this stamp differs
    /// from the one that its set of lanes waits for.
    pub(super) waits_for: Option<u64>,
    /// For a survey, the frames before the newest complete one that were completed by the last
    /// frame's end, with their values other than 0; oldest first.
    pub(super) passed: Vec<(u64, f64)>,
    /// The history; `None` unless the purpose is a watch.
    pub(super) ring: Option<Ring>,
    /// The value of each pending frame, by its number modulo the length: 0 without values, and NaN if
    /// a part of it will never be known.
    pub(super) pending: [f64; PENDING],
}

impl LateColumn {
    /// Takes a value of a stamp. Returns `false` if it is too late for its frame; `frame` is `None`
    /// if the frame is too old to be known.
    #[inline]
    pub(super) fn take(&mut self, stamp: u64, frame: Option<u64>, value: f64) -> bool {
        if stamp < self.since {
            return true;
        }
        let Some(frame) = frame.filter(|&frame| frame >= self.known_end) else {
            return false;
        };
        let is_call = self.is_calls && !value.is_nan();
        self.pending[position(frame, PENDING)] += if is_call { 1.0 } else { value };
        true
    }

    /// Makes the values of pending frames unknown.
    pub(super) fn forget(&mut self, frames: Range<u64>) {
        for frame in frames.start.max(self.known_end)..frames.end {
            self.pending[position(frame, PENDING)] = f64::NAN;
        }
    }

    /// Completes the frames before `end`, in a recorder that keeps `history` frames.
    pub(super) fn know_until(&mut self, end: u64, history: usize) {
        self.passed.clear();
        for frame in self.known_end..end {
            let pending = &mut self.pending[position(frame, PENDING)];
            // Each value is finite, but their sum may not be.
            let value = clamp(std::mem::take(pending));
            if let Some(ring) = &mut self.ring {
                ring.put(position(frame, history), value);
            }
            if value != 0.0 && !value.is_nan() {
                self.changed = Some(frame);
                if self.purpose == Purpose::Survey && frame + 1 < end {
                    self.passed.push((frame, value));
                }
            }
            self.value = Some(value).filter(|value| !value.is_nan());
        }
        self.known_end = self.known_end.max(end);
    }

    /// Returns whether the column is still wanted after frame `frame` has ended.
    pub(super) fn is_used(&self, frame: u64) -> bool {
        let patience = if self.purpose == Purpose::Peek {
            PEEK_FRAMES
        } else {
            0
        };
        frame.saturating_sub(self.asked) <= patience
    }
}
