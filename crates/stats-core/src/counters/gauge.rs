//! Gauges: the last value that was set.

use super::builder::metadata;
use crate::backend::{Handle, Place, Static};
use crate::{Number, SeriesKind};

/// A value that the program sets. A frame's value is the last one set before the frame ended; it
/// persists until another is set.
///
/// It reads 0 until it is set for the first time. All threads share one cell, and setting is a
/// plain store to it. Threads that set one gauge at the same time contend for its cache line, and
/// the last store wins.
///
/// ```
/// use stats_core::{Gauge, Unit};
///
/// static CAMERA_X: Gauge = Gauge::new("camera/x").unit(Unit::Meters);
///
/// CAMERA_X.set(-3.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gauge<P = Static> {
    place: P,
}

/// A [`Gauge`] with a path made at run time: `Copy`, usable from any thread, valid forever.
pub type GaugeHandle = Gauge<Handle>;

/// Returns the gauge for a path, registering it if it is new; see [`counter()`](crate::counter()).
#[must_use]
pub fn gauge(path: &str) -> GaugeHandle {
    Gauge {
        place: Handle::new(path, SeriesKind::Gauge),
    }
}

impl Gauge {
    /// Creates a gauge for a `static`; see [`Counter::new`](crate::Counter::new).
    #[must_use]
    pub const fn new(path: &'static str) -> Self {
        Self {
            place: Static::new(path, SeriesKind::Gauge),
        }
    }
}

metadata!(Gauge: unit);

impl<P: Place> Gauge<P> {
    /// Sets the value. A value that is not finite is refused and counted in
    /// `stats/refused-samples`; the previous value stays. Any other value is set, also an integer
    /// that wrapped around: the next call replaces it.
    #[inline(always)]
    #[track_caller]
    pub fn set(&self, value: impl Number) {
        self.place.set(value);
    }

    /// Adds to the value, which is 0 until it is set. A negative number subtracts. Refuses the same
    /// values as [`Counter::add`](crate::Counter::add).
    ///
    /// Any number of threads may add at the same time, and none of their numbers is lost. All
    /// threads share one cell, so an add takes several times as long as that of an
    /// [`UpDownCounter`](crate::UpDownCounter), which is better for a level that is never set.
    #[inline(always)]
    #[track_caller]
    pub fn add(&self, n: impl Number) {
        self.place.add_shared(n);
    }
}
