//! Timers: milliseconds and calls of a frame.

use std::time::Duration;

use crate::backend::{Handle, Place, Static, Stopwatch};
use crate::builder::metadata;
use crate::{Number, SeriesId, SeriesKind};

/// Time spent during a frame, in milliseconds, and how many times it was taken.
///
/// Its calls are a second series, [`calls_id`](Timer::calls_id). A scope reads the processor's
/// cycle counter twice, where that ticks at a constant rate, and the system's monotonic clock
/// elsewhere and for the first 20 ms of timing. Scopes on several threads add up, and so do nested
/// ones: a frame can hold more milliseconds than it lasted.
///
/// ```
/// static PATHS: stats_core::Timer = stats_core::Timer::new("ai/pathfinding").budget(2.0);
///
/// fn find_path() {
///     let _scope = PATHS.scope();
///     // … timed until here
/// }
/// # find_path();
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Timer<P = Static> {
    place: P,
}

/// A [`Timer`] by a path made at run time: `Copy`, from any thread, valid for ever.
pub type TimerHandle = Timer<Handle>;

/// The timer of a path, registered if need be; see [`counter()`](crate::counter()).
#[must_use]
pub fn timer(path: &str) -> TimerHandle {
    Timer {
        place: Handle::new(path, SeriesKind::Timer),
    }
}

impl Timer {
    /// A timer for a `static`; see [`Counter::new`](crate::Counter::new). Its unit is always the
    /// millisecond.
    #[must_use]
    pub const fn new(path: &'static str) -> Self {
        Self {
            place: Static::new(path, SeriesKind::Timer),
        }
    }
}

metadata!(Timer:);

impl<P: Place> Timer<P> {
    /// Times until the returned guard is dropped, which is also when frame and thread are decided.
    #[inline(always)]
    #[must_use = "the time ends when the scope is dropped: bind it, `let _scope = …`"]
    pub fn scope(&self) -> TimerScope {
        TimerScope {
            handle: self.place.handle(),
            stopwatch: Stopwatch::start(),
        }
    }

    /// Times one call of `work`, also when it panics.
    #[inline(always)]
    pub fn time<R>(&self, work: impl FnOnce() -> R) -> R {
        let _scope = self.scope();
        work()
    }

    /// Adds one call that took `duration`.
    #[inline(always)]
    pub fn record(&self, duration: Duration) {
        self.place.add_call(duration.as_secs_f64() * 1e3);
    }

    /// Adds one call that took so many milliseconds; refused where that is not finite. A negative
    /// number takes time back.
    #[inline(always)]
    pub fn record_ms(&self, ms: impl Number) {
        self.place.add_call(ms.to_f64());
    }

    /// The id of the series that counts the calls.
    #[must_use]
    pub fn calls_id(&self) -> SeriesId {
        self.place.calls_id()
    }
}

/// A running [`Timer::scope`].
#[derive(Debug)]
pub struct TimerScope {
    handle: Handle,
    stopwatch: Stopwatch,
}

impl Drop for TimerScope {
    #[inline(always)]
    fn drop(&mut self) {
        self.handle.add_call(self.stopwatch.elapsed_ms());
    }
}
