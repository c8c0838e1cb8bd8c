//! What one reader of a late series knows: values of those of frames that wait for more, and those
//! of known frames.

use super::table::Wanted;
use crate::limits::{LATE_FRAMES, PEEK_FRAMES};
use crate::live::counter::clamp;
use crate::live::ring::{Ring, position};

/// Frames that may still get values when a frame ends: the one that ends, and those that it is not
/// too late for.
const PENDING: usize = LATE_FRAMES as usize + 1;

/// Who reads a column. Each has its own, since each counts from the moment at which it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// A history.
    Watch,
    /// A row on screen.
    Peek,
    /// A question about all series.
    Survey,
}

/// How many uses there are.
pub(super) const USES: usize = 3;

#[derive(Debug)]
pub(super) struct Column {
    /// The series, which may be the calls of a timer.
    pub(super) slot: u32,
    pub(super) purpose: Use,
    /// The slot that values are delivered for.
    pub(super) fed: u32,
    /// Whether each value counts as one, being a call.
    pub(super) is_calls: bool,
    pub(super) wanted: Wanted,
    /// Stamps from before this number are not its own.
    pub(super) since: u64,
    /// The frame in which somebody last asked for it.
    pub(super) asked: u64,
    /// The first frame that is not known yet.
    pub(super) known_end: u64,
    /// The value of the newest known frame.
    pub(super) value: Option<f64>,
    /// The newest known frame that got anything.
    pub(super) changed: Option<u64>,
    /// Which of the reader's sets of lanes it waits for.
    pub(super) lanes: usize,
    /// The oldest stamp that it waits for, where that is another than for its set of lanes: while
    /// it is young.
    pub(super) waits_for: Option<u64>,
    /// Of a watch.
    pub(super) ring: Option<Ring>,
    /// By frame, modulo its length; 0 where no value came.
    pub(super) pending: [f64; PENDING],
}

impl Column {
    /// Takes a value of a stamp; `false` where it is too late for its frame, which is `None` where
    /// that is long gone.
    #[inline]
    pub(super) fn take(&mut self, stamp: u64, frame: Option<u64>, value: f64) -> bool {
        if stamp < self.since {
            return true;
        }
        let Some(frame) = frame.filter(|&frame| frame >= self.known_end) else {
            return false;
        };
        self.pending[position(frame, PENDING)] += if self.is_calls { 1.0 } else { value };
        true
    }

    /// Makes the frames before `end` known, in a recorder that holds `history` frames.
    pub(super) fn know_until(&mut self, end: u64, history: usize) {
        for frame in self.known_end..end {
            let pending = &mut self.pending[position(frame, PENDING)];
            // Each value is finite, their sum may not be.
            let value = clamp(std::mem::take(pending));
            if let Some(ring) = &mut self.ring {
                ring.put(position(frame, history), value);
            }
            if value != 0.0 {
                self.changed = Some(frame);
            }
            self.value = Some(value);
        }
        self.known_end = self.known_end.max(end);
    }

    /// Whether anybody still wants it when frame `frame` has ended.
    pub(super) fn is_used(&self, frame: u64) -> bool {
        let patience = if self.purpose == Use::Peek {
            PEEK_FRAMES
        } else {
            0
        };
        frame.saturating_sub(self.asked) <= patience
    }
}
