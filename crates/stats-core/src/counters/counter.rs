//! Counters: the sum of a frame.

use super::builder::metadata;
use crate::backend::{Handle, Place, Static};
use crate::{LocalCounter, Number, SeriesKind};

/// Counts how often something happened during a frame, or how much. A frame's value is the sum of
/// all numbers added, or 0.
///
/// Lives in a `static`; for paths made at run time, see [`counter()`](crate::counter()). Adding is
/// wait-free from any number of threads, because each thread has its own cell, and takes one to
/// three times as long as a plain `*p += n`. The first add of each thread to each block of 1024
/// series allocates 8 KiB.
///
/// ```
/// use stats_core::{Counter, Recorder};
///
/// static DRAW_CALLS: Counter = Counter::new("renderer/draw-calls").budget(2_000.0);
///
/// let mut recorder = Recorder::new();
/// let watch = recorder.watch(DRAW_CALLS.id());
/// DRAW_CALLS.add(782);
/// DRAW_CALLS.increment();
/// recorder.end_frame();
/// # if stats_core::ENABLED {
/// assert_eq!(recorder.history(&watch, 600).last(), Some(783.0));
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counter<P = Static> {
    place: P,
}

/// A [`Counter`] with a path made at run time: `Copy`, usable from any thread, valid forever.
pub type CounterHandle = Counter<Handle>;

/// Returns the counter for a path, registering it if it is new. Hashes the path and takes a lock:
/// call it once and keep the handle.
///
/// Empty segments of the path are left out. A path that belongs to another kind of series is
/// reported: see [`Problem`](crate::Problem).
#[must_use]
pub fn counter(path: &str) -> CounterHandle {
    Counter {
        place: Handle::new(path, SeriesKind::Counter),
    }
}

impl Counter {
    /// Creates a counter for a `static`. The path consists of non-empty segments separated by `/`;
    /// the counter is registered on first use.
    #[must_use]
    pub const fn new(path: &'static str) -> Self {
        Self {
            place: Static::new(path, SeriesKind::Counter),
        }
    }
}

metadata!(Counter: unit);

impl<P: Place> Counter<P> {
    /// Adds to the current frame. Exact for integers while the total of the program stays within
    /// ±2⁵³. A total that reaches it is reported as a
    /// [problem](crate::Problem::InexactTotal), because smaller values may be lost from then on.
    ///
    /// Refuses, counts in `stats/refused-samples` and reports with the line of the call:
    ///
    /// - An integer of 64 bits or more whose magnitude is 2⁵³ or more. No program counts that much,
    ///   but `a - b` of unsigned integers is that large if it wraps around, and would hide all
    ///   later values of the series. A wrapped narrower integer, or one that was converted to a
    ///   float, cannot be told from a value.
    /// - A float that is not finite, or that would take the thread's total beyond `f64::MAX`. If
    ///   only the sum over several threads exceeds it, the total reads `f64::MAX`.
    #[inline(always)]
    #[track_caller]
    pub fn add(&self, n: impl Number) {
        self.place.add(n);
    }

    /// Adds 1.
    #[inline(always)]
    pub fn increment(&self) {
        self.place.add(1_u32);
    }

    /// Returns a handle to this thread's cell for inner loops: `c += n` compiles to one addition to
    /// memory.
    #[must_use]
    pub fn local(&self) -> LocalCounter {
        LocalCounter::new(self.place.hold())
    }
}
