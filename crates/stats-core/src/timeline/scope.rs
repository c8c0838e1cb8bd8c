//! One scope within a frame.

use crate::SeriesId;

/// A scope within a frame of a [`Timeline`](super::Timeline). Times are nanoseconds since the frame
/// began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    pub(super) begin_ns: i64,
    pub(super) end_ns: i64,
    pub(super) series: u32,
    pub(super) lane: u16,
    pub(super) depth: u8,
    pub(super) flags: u8,
}

pub(super) const IS_WAIT: u8 = 1;
pub(super) const IS_OPEN: u8 = 2;
/// Set if a scope around it is known although the times of the two do not show it.
pub(super) const IS_INSIDE: u8 = 4;

impl Scope {
    /// Returns the timer.
    #[must_use]
    pub const fn series(&self) -> SeriesId {
        SeriesId::new(self.series)
    }

    /// Returns when it began. Negative if it began in an earlier frame.
    #[must_use]
    pub const fn begin_ns(&self) -> i64 {
        self.begin_ns
    }

    /// Returns when it ended, or the end of the frame if it was [open](Self::is_open) then. Never
    /// less than its begin, and never after the end of the frame.
    #[must_use]
    pub const fn end_ns(&self) -> i64 {
        self.end_ns
    }

    /// Returns how long it took, including earlier frames, up to [`end_ns`](Self::end_ns).
    #[must_use]
    pub const fn duration_ns(&self) -> i64 {
        self.end_ns.saturating_sub(self.begin_ns)
    }

    /// Returns the number of scopes around it in its lane; 255 if there are more.
    #[must_use]
    pub const fn depth(&self) -> u8 {
        self.depth
    }

    /// Returns whether its timer measures waiting; see [`Timer::wait`](crate::Timer::wait).
    #[must_use]
    pub const fn is_wait(&self) -> bool {
        self.flags & IS_WAIT != 0
    }

    /// Returns whether it had not ended at the end of the frame. It then is a scope of the next
    /// frame, too.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.flags & IS_OPEN != 0
    }

    /// The order of the scopes of a frame: by lane, then by begin, outer ones first.
    pub(super) fn key(&self) -> (u16, i64, u8) {
        (self.lane, self.begin_ns, self.depth)
    }
}
