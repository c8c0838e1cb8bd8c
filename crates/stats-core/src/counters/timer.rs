//! Timers: milliseconds, calls and self time of a frame.

use std::time::Duration;

use super::builder::metadata;
use super::number::EXACT;
use crate::backend::{Handle, OpenScope, Place, Static};
use crate::{Number, SeriesId, SeriesKind};

/// Time of the calls that ended during a frame, in milliseconds, and their number.
///
/// The calls are a second series, [`calls_id`](Timer::calls_id), and the self time is a third,
/// [`self_id`](Timer::self_id). Scopes on several threads add up, and so do nested ones. A scope
/// counts with all of its time in the frame in which it ends, also if it began in an earlier one.
/// So a frame may have more milliseconds than it lasted.
///
/// # Self time
///
/// The self time of a scope is its time without the time of the scopes, of any timer, that began
/// and ended inside it on the same thread. The self times of all scopes of a thread therefore add
/// up to the time during which any of them was open. No moment counts twice, even if a timer's
/// scopes are nested in each other.
///
/// - A scope has no self time if it ends on a different thread from the one it began on, if it ends
///   after the scope around it, or if it is nested more than 63 deep. That time stays with the
///   scope around it.
/// - A scope that is forgotten (with [`mem::forget`](std::mem::forget)) counts as open. If a thread
///   ends a frame with at least 32 open scopes, and later has more than 63, each further scope takes
///   the place of one of the 32, which then has no self time; see
///   [`Problem::OpenScope`](crate::Problem::OpenScope). On a thread that ends no frame,
///   scopes inside 63 forgotten ones have no self time.
/// - Time added by [`record`](Timer::record) and [`record_ms`](Timer::record_ms) counts as self
///   time of the timer, and is not subtracted from a scope around it.
/// - [`SeriesInfo`](crate::SeriesInfo) contains the timer around the newest scope, and its thread.
///
/// # Cost
///
/// A scope reads the processor's cycle counter twice, if it ticks at a constant rate. Elsewhere,
/// and during the first 20 ms of timing, it reads the system's monotonic clock.
///
/// The two readings are most of the cost, which therefore depends on the machine: 22 to 60 ns on
/// those measured so far, on which a reading takes 9 to 22 ns. Some hypervisors make it slow.
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
///
/// A timer keeps sums. With [`calls`](Timer::calls), it keeps the distribution of its single calls as
/// well: the slowest 1 % of them, and the longest call of each frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Timer<P = Static> {
    place: P,
}

/// A [`Timer`] with a path made at run time: `Copy`, usable from any thread, valid forever.
pub type TimerHandle = Timer<Handle>;

/// Returns the timer for a path, registering it if it is new; see [`counter()`](crate::counter()).
#[must_use]
pub fn timer(path: &str) -> TimerHandle {
    Timer {
        place: Handle::new(path, SeriesKind::Timer),
    }
}

impl Timer {
    /// Creates a timer for a `static`; see [`Counter::new`](crate::Counter::new). Its unit is
    /// always the millisecond.
    #[must_use]
    pub const fn new(path: &'static str) -> Self {
        Self {
            place: Static::new(path, SeriesKind::Timer),
        }
    }

    /// Declares that the timer measures waiting: for the GPU, a display, a worker or a lock. Its
    /// time is not work, so readers do not take it for the cause of a long frame.
    #[must_use]
    pub const fn wait(self) -> Self {
        Self {
            place: self.place.wait(),
        }
    }

    /// Keeps the distribution of single calls, in two more series below the path of the timer:
    ///
    /// - `single`, a histogram of the milliseconds of each call, to four digits: over the run, its
    ///   percentiles are those of the calls.
    /// - `longest`, a gauge: the milliseconds of the longest call that ended in the frame on any
    ///   thread, exactly; 0 in a frame without a call. If a recorder ends a frame while others end
    ///   more than 60, the longest call of its frame before may appear in it again.
    ///
    /// It holds for each timer of that path that is looked up later. The clock is not read again: a
    /// call takes about 25 ns longer. The memory is that of a [`Histogram`](crate::Histogram) with
    /// [four digits](crate::Precision::FourDigits), and 1 KiB for each thread. For a timer of a
    /// [`DeferredSource`](crate::DeferredSource) it has no effect.
    ///
    /// ```
    /// use stats_core::{Timer, find, snapshot};
    ///
    /// static PATHS: Timer = Timer::new("ai/pathfinding").calls();
    ///
    /// PATHS.record_ms(1);
    /// PATHS.record_ms(3);
    /// # if stats_core::ENABLED {
    /// let calls = find("ai/pathfinding/single").and_then(snapshot).expect("it is a histogram");
    /// assert_eq!((calls.count(), calls.max()), (2, Some(3.0)));
    /// # }
    /// ```
    #[must_use]
    pub const fn calls(self) -> Self {
        Self {
            place: self.place.calls(),
        }
    }

    /// Returns the path, so that other profilers can name the same block. Empty without the feature
    /// `enabled`.
    #[must_use]
    pub const fn path(&self) -> &'static str {
        self.place.path()
    }
}

impl TimerHandle {
    /// Declares that the timer measures waiting; see [`Timer::wait`](Timer::wait).
    pub fn wait(self) -> Self {
        Self {
            place: self.place.wait(),
        }
    }

    /// Keeps the distribution of single calls; see [`Timer::calls`](Timer::calls). Use the returned
    /// handle.
    #[must_use = "the calls of the returned handle are kept"]
    pub fn calls(self) -> Self {
        Self {
            place: self.place.calls(),
        }
    }
}

metadata!(Timer:);

impl<P: Place> Timer<P> {
    /// Times until the returned guard is dropped. The call belongs to the frame and the thread of
    /// the drop.
    #[inline(always)]
    #[must_use = "timing ends when the scope is dropped: bind it with `let _scope = …`"]
    pub fn scope(&self) -> TimerScope {
        TimerScope {
            open: OpenScope::begin(&self.place),
        }
    }

    /// Times one call of `work`, even if it panics.
    #[inline(always)]
    pub fn time<R>(&self, work: impl FnOnce() -> R) -> R {
        let _scope = self.scope();
        work()
    }

    /// Adds one call that took `duration`. Refused from 2⁵³ ns on, which are 104 days: a duration
    /// is an integer of nanoseconds, and [`Counter::add`](crate::Counter::add) refuses such
    /// integers.
    #[inline(always)]
    #[track_caller]
    pub fn record(&self, duration: Duration) {
        const TOO_LONG: Duration = Duration::from_nanos(EXACT);
        let ms = (duration < TOO_LONG).then_some(duration.as_secs_f64() * 1e3);
        self.place.add_call(ms);
    }

    /// Adds one call that took `ms` milliseconds. Refuses the same values as
    /// [`Counter::add`](crate::Counter::add). A negative number subtracts time.
    #[inline(always)]
    #[track_caller]
    pub fn record_ms(&self, ms: impl Number) {
        self.place.add_call(ms.to_summand());
    }

    /// Adds one call that a scope of another timer measured. Use it for a second series of the same
    /// scopes under other names. Refused if a number is not finite.
    #[inline(always)]
    #[track_caller]
    pub fn record_scope(&self, time: ScopeTime) {
        self.place.add_scope(time);
    }

    /// Returns the id of the series that counts the calls.
    #[must_use]
    pub fn calls_id(&self) -> SeriesId {
        self.place.calls_id()
    }

    /// Returns the id of the series of the [self time](#self-time).
    #[must_use]
    pub fn self_id(&self) -> SeriesId {
        self.place.self_id()
    }
}

/// A running [`Timer::scope`].
#[derive(Debug)]
pub struct TimerScope {
    open: OpenScope,
}

impl TimerScope {
    /// Ends the scope, as dropping it does, and returns the time that it added to its timer.
    #[inline(always)]
    pub fn end(self) -> ScopeTime {
        self.open.end()
    }

    /// Returns whether the thread that began the scope has ended a frame since then; `false` on
    /// other threads, and for a scope inside 63 others.
    // Hidden: for `stats-tracing`, which has a stack of its own whose entries spans may keep.
    #[doc(hidden)]
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.open.is_stale()
    }
}

/// How long a scope took. Zero without the feature `enabled`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScopeTime {
    /// The milliseconds from its start to its end.
    pub ms: f64,
    /// The milliseconds without the time of the scopes inside it; see [self time](Timer#self-time).
    pub self_ms: f64,
}
