//! Determines the recorder's frame to which a puffin frame belongs.

use std::sync::{Mutex, MutexGuard, PoisonError};

use stats_core::{Counter, DeferredSource, FrameStamp};

use crate::options::NewFrame;

pub(crate) static AFTER_GAP: Counter = Counter::new("puffin/after-gap")
    .describe("puffin frames that followed a frame without scopes, which puffin does not report; they are recorded in the frame in which they ended");

/// Issues the stamps of puffin frames. It is notified of calls of puffin's `new_frame` that end a
/// frame with scopes, and of all calls of the source's own.
pub(crate) struct Stamps {
    source: DeferredSource,
    new_frame: NewFrame,
    /// The beginning of the current puffin frame; `None` until it is known.
    begun: Mutex<Option<Begun>>,
}

/// The beginning of a puffin frame.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Begun {
    /// The index of the puffin frame; `None` until a frame with scopes was reported.
    index: Option<u64>,
    stamp: FrameStamp,
}

impl Stamps {
    pub(crate) fn new(source: DeferredSource, new_frame: NewFrame) -> Self {
        Self {
            source,
            new_frame,
            begun: Mutex::new(None),
        }
    }

    /// Returns the stamp of the puffin frame that ends now, or `None` for the first frame, whose
    /// beginning is unknown.
    ///
    /// A frame after a frame without scopes, which puffin does not report, gets a stamp of its end.
    pub(super) fn of_ended(&self, index: u64) -> Option<FrameStamp> {
        let now = self.source.issue();
        if self.new_frame == NewFrame::EndsFrame {
            return Some(now);
        }
        let begun = self.lock().replace(Begun {
            index: Some(index.wrapping_add(1)),
            stamp: now,
        })?;
        if begun.index.is_none_or(|known| known == index) {
            return Some(begun.stamp);
        }
        self.note_empty(begun.stamp);
        AFTER_GAP.add(1);
        // A second stamp of this moment: a stamp can be delivered only once, and `now` is the stamp
        // of the next puffin frame.
        Some(self.source.issue())
    }

    /// Delivers the stamp of a frame without scopes, in which every scope took no time.
    fn note_empty(&self, stamp: FrameStamp) {
        self.source.deliver(stamp, &[]);
    }

    /// Gives up the stamp of a frame with scopes that is not read, so that its values are unknown.
    pub(super) fn give_up(&self, stamp: FrameStamp) {
        self.source.give_up(stamp);
    }

    /// Returns the known beginning of the current puffin frame, for [`called`](Self::called).
    pub(crate) fn begun(&self) -> Option<Begun> {
        *self.lock()
    }

    /// Records that `new_frame` was called. `before` is the beginning that was known before the
    /// call: if it is unchanged, the call ended a frame without scopes, and the next frame begins
    /// here.
    pub(crate) fn called(&self, before: Option<Begun>) {
        let mut begun = self.lock();
        if *begun != before || self.new_frame == NewFrame::EndsFrame {
            return;
        }
        if let Some(known) = *begun {
            self.note_empty(known.stamp);
        }
        let index = begun.and_then(|known| known.index);
        *begun = Some(Begun {
            index: index.map(|index| index.wrapping_add(1)),
            stamp: self.source.issue(),
        });
    }

    fn lock(&self) -> MutexGuard<'_, Option<Begun>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
