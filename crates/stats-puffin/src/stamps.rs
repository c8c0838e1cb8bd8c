//! Which frame of the recorders a puffin frame belongs to.

use std::sync::{Mutex, MutexGuard, PoisonError};

use stats_core::{Counter, DeferredSource, FrameStamp};

use crate::options::NewFrame;

pub(crate) static AFTER_GAP: Counter = Counter::new("puffin/after-gap")
    .describe("Frames of puffin after some without a scope, of which it tells nobody: they stand in the frame that they ended in");

/// Stamps for puffin frames, from the calls of `new_frame` that are known: those that end a frame
/// with scopes, and the source's own.
pub(crate) struct Stamps {
    late: DeferredSource,
    new_frame: NewFrame,
    /// Of the puffin frame under way.
    begun: Mutex<Option<Begun>>,
}

/// The beginning of a puffin frame.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Begun {
    index: u64,
    stamp: FrameStamp,
}

impl Stamps {
    pub(crate) fn new(late: DeferredSource, new_frame: NewFrame) -> Self {
        Self {
            late,
            new_frame,
            begun: Mutex::new(None),
        }
    }

    /// The stamp for the puffin frame that ends now; `None` for the first one, of which nobody
    /// knows where it began.
    ///
    /// Of one whose beginning was missed, since puffin tells of no frame without scopes, the end is
    /// known: it stands there.
    pub(crate) fn of_ended(&self, index: u64) -> Option<FrameStamp> {
        let now = self.late.issue();
        if self.new_frame == NewFrame::EndsFrame {
            return Some(now);
        }
        let begun = self.lock().replace(Begun {
            index: index.wrapping_add(1),
            stamp: now,
        })?;
        if begun.index == index {
            return Some(begun.stamp);
        }
        self.late.give_up(begun.stamp);
        AFTER_GAP.add(1);
        // One of its own: a stamp is delivered once, and the other is that of the next puffin
        // frame.
        Some(self.late.issue())
    }

    /// Gives a stamp back whose frame is not read.
    pub(crate) fn give_up(&self, stamp: FrameStamp) {
        self.late.give_up(stamp);
    }

    /// The beginning that is known, to be handed to [`called`](Self::called).
    pub(crate) fn begun(&self) -> Option<Begun> {
        *self.lock()
    }

    /// After a call of `new_frame` that is known to have taken place: where it ended a frame
    /// without scopes, the next one begins here.
    pub(crate) fn called(&self, before: Option<Begun>) {
        let mut begun = self.lock();
        if let Some(known) = begun.as_mut().filter(|known| Some(**known) == before) {
            self.late.give_up(known.stamp);
            *known = Begun {
                index: known.index.wrapping_add(1),
                stamp: self.late.issue(),
            };
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Begun>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
