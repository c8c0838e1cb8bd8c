//! The implementation of `DeferredSource` and its series.

use std::panic::Location;
use std::sync::Arc;

use super::lane::Lane;
use super::order::lock;
use super::table::{self, Wanted};
use super::{drop_values, mailbox};
use crate::live::counter::{SINK, Spot};
use crate::live::place::{Handle, Place, sealed};
use crate::live::refusals::refuse_at;
use crate::live::sync::{AtomicU32, Mutex, Ordering};
use crate::{SeriesKind, Unit};

/// The number of a stamp, from [`next_number`](super::next_number).
pub(crate) type StampNumber = u64;

/// A source. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct LateSource {
    owner: Arc<Owner>,
}

/// Gives up all stamps and closes the lane when the last clone is dropped, even if readers still share
/// the lane.
#[derive(Debug, Default)]
struct Owner {
    lane: Arc<Lane>,
    /// The series of the source, whose frames are unknown when a stamp is given up.
    series: Mutex<Vec<(u32, Wanted)>>,
}

impl Owner {
    /// Posts to the mailboxes first and then completes the stamp, as a delivery does. Returns `false`
    /// if another thread delivers the stamp, or if it is not outstanding.
    fn give_up(&self, stamp: StampNumber) -> bool {
        let is_mine = self.lane.claim(stamp);
        if is_mine {
            let series = lock(&self.series);
            let wanted = series.iter().filter(|(_, wanted)| is_wanted(wanted));
            if wanted.clone().next().is_some() {
                mailbox::post(stamp, wanted.map(|(slot, _)| (*slot, f64::NAN)));
            }
            self.lane.complete(stamp);
        }
        is_mine
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        while let Some(stamp) = self.lane.oldest() {
            if !self.give_up(stamp) {
                // Its delivery panicked.
                self.lane.complete(stamp);
            }
        }
        self.lane.close();
    }
}

/// A series with deferred values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LatePlace {
    handle: Handle,
    is_timer: bool,
    wanted: Wanted,
}

/// The number of readers of a series that could not be registered: always 0.
static NEVER: AtomicU32 = AtomicU32::new(0);

impl LateSource {
    pub(crate) fn series(&self, path: &str, kind: SeriesKind) -> LatePlace {
        let handle = Handle::late(path, kind);
        let slot = handle.spot().slot();
        let wanted = if slot == SINK {
            &NEVER
        } else {
            let (wanted, is_new) = table::join(slot, &self.owner.lane);
            if is_new {
                lock(&self.owner.series).push((slot, wanted));
            }
            wanted
        };
        LatePlace {
            handle,
            is_timer: kind == SeriesKind::Timer,
            wanted,
        }
    }

    pub(crate) fn issue(&self) -> StampNumber {
        while let Some(oldest) = self.owner.lane.displaced()
            && self.owner.give_up(oldest)
        {}
        self.owner.lane.issue()
    }

    /// Posts to the mailboxes first and then completes the stamp: see the module documentation of
    /// `late`.
    #[track_caller]
    pub(crate) fn deliver(
        &self,
        stamp: StampNumber,
        values: impl Iterator<Item = (LatePlace, f64)> + Clone,
    ) {
        if !self.owner.lane.claim(stamp) {
            return drop_values(values.count());
        }
        let mut is_wanted = false;
        for (place, value) in values.clone() {
            is_wanted |= place.is_wanted();
            if !value.is_finite() {
                refuse_at(place.spot(), Location::caller());
            }
        }
        if is_wanted {
            let wanted = values.filter(|(place, value)| place.is_wanted() && value.is_finite());
            mailbox::post(
                stamp,
                wanted.map(|(place, value)| (place.handle.spot().slot(), value)),
            );
        }
        self.owner.lane.complete(stamp);
    }

    pub(crate) fn give_up(&self, stamp: StampNumber) {
        self.owner.give_up(stamp);
    }
}

impl LatePlace {
    fn is_wanted(&self) -> bool {
        is_wanted(self.wanted)
    }

    pub(crate) fn unit(self, unit: Unit) -> Self {
        // The unit of a timer is always the millisecond.
        if self.is_timer {
            self
        } else {
            Self {
                handle: self.handle.unit(unit),
                ..self
            }
        }
    }

    pub(crate) fn budget(self, budget: f64) -> Self {
        Self {
            handle: self.handle.budget(budget),
            ..self
        }
    }

    pub(crate) fn describe(self, description: &str) -> Self {
        Self {
            handle: self.handle.describe(description),
            ..self
        }
    }
}

/// Returns whether any reader wants the values of a series.
fn is_wanted(wanted: &AtomicU32) -> bool {
    // Relaxed: a reader that began before the stamp was issued is seen, thanks to `next_number`.
    wanted.load(Ordering::Relaxed) > 0
}

impl sealed::Sealed for LatePlace {}

impl Place for LatePlace {
    fn spot(&self) -> Spot {
        self.handle.spot()
    }

    fn register(&self) -> Spot {
        self.handle.spot()
    }
}

#[cfg(test)]
mod tests {
    use super::{LateSource, Place};
    use crate::live::place::Handle;
    use crate::{Recorder, SeriesId, SeriesKind};

    #[test]
    fn a_series_that_is_listed_but_not_joined_is_read_and_its_frames_are_unknown() {
        let path = "test/late/listed";
        let kind = SeriesKind::Timer;
        // The first half of `LateSource::series`, as another thread may see it.
        let slot = Handle::late(path, kind).spot().slot();
        let mut recorder = Recorder::new();
        let watches = [slot, slot + 1].map(|slot| recorder.watch(SeriesId::new(slot)));
        let source = LateSource::default();
        let stamp = source.issue();
        recorder.end_frame();
        for watch in &watches {
            assert_eq!(recorder.history(watch, 8).last(), None);
        }
        let timer = source.series(path, kind);
        assert_eq!(timer.spot().slot(), slot);
        source.deliver(stamp, [(timer, 2.5)].into_iter());
        recorder.end_frame();
        let values = watches.map(|watch| recorder.history(&watch, 8).at(0));
        assert_eq!(values, [Some(2.5), Some(1.0)]);
    }
}
