//! Macros: a static of the call site itself.

/// The static [`Counter`](crate::Counter) of this call site: `counter!("ai/searches").increment()`.
///
/// The path is a constant; the slot is looked up once and cached, so a call costs what a named static costs. For paths made at
/// run time see [`counter()`](crate::counter()).
#[macro_export]
macro_rules! counter {
    ($path:expr) => {{
        static SITE: $crate::Counter = $crate::Counter::new($path);
        &SITE
    }};
}

/// The static [`UpDownCounter`](crate::UpDownCounter) of this call site; see [`counter!`].
#[macro_export]
macro_rules! up_down_counter {
    ($path:expr) => {{
        static SITE: $crate::UpDownCounter = $crate::UpDownCounter::new($path);
        &SITE
    }};
}

/// The static [`Gauge`](crate::Gauge) of this call site; see [`counter!`].
#[macro_export]
macro_rules! gauge {
    ($path:expr) => {{
        static SITE: $crate::Gauge = $crate::Gauge::new($path);
        &SITE
    }};
}

/// The static [`Timer`](crate::Timer) of this call site; see [`counter!`]. `let _scope = timer!("ai/think").scope();`
#[macro_export]
macro_rules! timer {
    ($path:expr) => {{
        static SITE: $crate::Timer = $crate::Timer::new($path);
        &SITE
    }};
}

/// Adds to a counter in one line: `count!("renderer/primitives", mesh.len())`, or 1 with `count!("net/packets")`.
///
/// Without the feature `enabled` the number is not even evaluated.
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
