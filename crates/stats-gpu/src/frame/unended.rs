//! Detects a program that forgets to end its frames.
//!
//! If no frame is ended, the passes of all frames look like one endless frame, in which the first
//! name repeats about once per real frame. The repetitions of that name are therefore counted;
//! beyond a limit, the frames count as lost.

use super::names::NameId;
use crate::readback::MAX_QUERIES;

/// The number of times that the first name may repeat before any frame was ended.
const LIMIT_BEFORE_FIRST_END: u32 = 120;

/// The number of times that the name may repeat after a frame was ended: all passes that a frame
/// can time may have the same name.
const LIMIT: u32 = MAX_QUERIES / 2;

/// Counts how often the first pass or scope of the current frame repeats.
#[derive(Debug, Default)]
pub(crate) struct Unended {
    first: Option<NameId>,
    /// The number of uses of the first name, including the first.
    uses: u32,
    has_ended: bool,
    /// Frames found to be lost and not yet taken by [`take_lost`](Self::take_lost).
    lost: u32,
}

impl Unended {
    /// Records the start of a pass or scope.
    pub(super) fn begin(&mut self, name: NameId) {
        if *self.first.get_or_insert(name) != name {
            return;
        }
        self.uses = self.uses.saturating_add(1);
        if self.is_certain() {
            // On passing the limit, all uses so far count as lost frames.
            self.lost += if self.uses == self.limit() + 1 {
                self.uses
            } else {
                1
            };
        }
    }

    /// Returns whether the first name has repeated too often for one frame.
    pub(crate) fn is_certain(&self) -> bool {
        self.uses > self.limit()
    }

    /// Returns the number of frames that were found to be lost since the last call.
    pub(crate) fn take_lost(&mut self) -> u32 {
        std::mem::take(&mut self.lost)
    }

    /// Records the end of the frame.
    pub(crate) fn end(&mut self) {
        *self = Self {
            has_ended: true,
            ..Self::default()
        };
    }

    fn limit(&self) -> u32 {
        if self.has_ended {
            LIMIT
        } else {
            LIMIT_BEFORE_FIRST_END
        }
    }
}
