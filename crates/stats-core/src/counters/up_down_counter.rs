//! Levels that go up and down.

use super::builder::metadata;
use crate::backend::{Handle, Place, Static};
use crate::{LocalCounter, Number, SeriesKind};

/// A level that goes up and down and persists from frame to frame: enemies alive, bytes in use.
///
/// A frame's value is the level at its end. It costs as much as a [`Counter`](crate::Counter). One
/// thread may subtract what another one added.
///
/// # While other threads change it
///
/// A level is the sum of what each thread added and subtracted, and a reader sees one thread after
/// the other. If the level changed since the last frame, it is read until two readings in a row are
/// equal: then nothing crossed from one thread to another in between. It is read five times at most. If
/// no two readings are equal, the value of the frame lies between the lowest and the highest of them, as
/// near as possible to that of the last frame. It may then be wrong by the changes that other threads made during a single reading, which takes
/// about a nanosecond for each thread. Once they pause, the level is exact.
///
/// ```
/// static ENEMIES: stats_core::UpDownCounter = stats_core::UpDownCounter::new("game/enemies");
///
/// ENEMIES.add(12);
/// ENEMIES.decrement();
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UpDownCounter<P = Static> {
    place: P,
}

/// An [`UpDownCounter`] with a path made at run time: `Copy`, usable from any thread, valid
/// forever.
pub type UpDownCounterHandle = UpDownCounter<Handle>;

/// Returns the up-down counter for a path, registering it if it is new; see
/// [`counter()`](crate::counter()).
#[must_use]
pub fn up_down_counter(path: &str) -> UpDownCounterHandle {
    UpDownCounter {
        place: Handle::new(path, SeriesKind::UpDownCounter),
    }
}

impl UpDownCounter {
    /// Creates an up-down counter for a `static`; see [`Counter::new`](crate::Counter::new).
    #[must_use]
    pub const fn new(path: &'static str) -> Self {
        Self {
            place: Static::new(path, SeriesKind::UpDownCounter),
        }
    }
}

metadata!(UpDownCounter: unit);

impl<P: Place> UpDownCounter<P> {
    /// Moves the level by `n`: down if `n` is negative. Refuses the same values as
    /// [`Counter::add`](crate::Counter::add).
    #[inline(always)]
    #[track_caller]
    pub fn add(&self, n: impl Number) {
        self.place.add(n);
    }

    /// Moves the level down by `n`.
    #[inline(always)]
    #[track_caller]
    pub fn sub(&self, n: impl Number) {
        self.place.sub(n);
    }

    /// Moves the level up by 1.
    #[inline(always)]
    pub fn increment(&self) {
        self.place.add(1_u32);
    }

    /// Moves the level down by 1.
    #[inline(always)]
    pub fn decrement(&self) {
        self.place.add(-1_i32);
    }

    /// Returns a handle to this thread's cell for inner loops: `c += n` compiles to one addition to
    /// memory.
    #[must_use]
    pub fn local(&self) -> LocalCounter {
        LocalCounter::new(self.place.hold())
    }
}
