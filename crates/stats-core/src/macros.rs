//! Macros that create a `static` at the call site.

/// Returns a static [`Counter`](crate::Counter) of this call site:
/// `counter!("ai/searches").increment()`.
///
/// The path is a constant. The slot is looked up once and cached, so a call costs as much as one of
/// a named `static`. For paths made at run time, see [`counter()`](crate::counter()).
#[macro_export]
macro_rules! counter {
    ($path:expr) => {{
        static SITE: $crate::Counter = $crate::Counter::new($path);
        &SITE
    }};
}

/// Returns a static [`UpDownCounter`](crate::UpDownCounter) of this call site; see [`counter!`].
#[macro_export]
macro_rules! up_down_counter {
    ($path:expr) => {{
        static SITE: $crate::UpDownCounter = $crate::UpDownCounter::new($path);
        &SITE
    }};
}

/// Returns a static [`Gauge`](crate::Gauge) of this call site; see [`counter!`].
#[macro_export]
macro_rules! gauge {
    ($path:expr) => {{
        static SITE: $crate::Gauge = $crate::Gauge::new($path);
        &SITE
    }};
}

/// Returns a static [`Timer`](crate::Timer) of this call site; see [`counter!`]. For example:
/// `let _scope = timer!("ai/think").scope();`
#[macro_export]
macro_rules! timer {
    ($path:expr) => {{
        static SITE: $crate::Timer = $crate::Timer::new($path);
        &SITE
    }};
}

/// Adds to a counter in one line: `count!("renderer/primitives", mesh.len())`, or 1 with
/// `count!("net/packets")`.
///
/// Without the feature `enabled`, the number is type-checked but not evaluated.
#[macro_export]
macro_rules! count {
    ($path:expr) => {
        $crate::count!($path, 1)
    };
    ($path:expr, $n:expr) => {
        if $crate::ENABLED {
            $crate::counter!($path).add($n);
        }
    };
}

/// Returns a static [`Histogram`](crate::Histogram) of this call site; see [`counter!`].
#[macro_export]
macro_rules! histogram {
    ($path:expr) => {{
        static SITE: $crate::Histogram = $crate::Histogram::new($path);
        &SITE
    }};
    ($path:expr, $unit:expr) => {{
        static SITE: $crate::Histogram = $crate::Histogram::new($path).unit($unit);
        &SITE
    }};
}

/// Records a sample into a histogram in one line: `sample!("net/packet-size", bytes)`, or with a
/// unit `sample!("io/pack", ms, Unit::Milliseconds)`.
///
/// Without the feature `enabled`, the number is type-checked but not evaluated.
///
/// ```
/// use stats_core::{Unit, histogram, sample};
///
/// for ms in [5.5, 8.2, 823.2] {
///     sample!("io/pack", ms, Unit::Milliseconds);
/// }
/// # if stats_core::ENABLED {
/// assert_eq!(histogram("io/pack").snapshot().count(), 3);
/// # }
/// ```
#[macro_export]
macro_rules! sample {
    ($path:expr, $sample:expr $(, $unit:expr)? $(,)?) => {
        if $crate::ENABLED {
            $crate::histogram!($path $(, $unit)?).record($sample);
        }
    };
}
