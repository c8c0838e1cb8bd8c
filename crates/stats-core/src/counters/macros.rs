//! Macros that create a `static` at the call site, and paths for them.

/// Returns a path, put together while the program is compiled: `path!()` is the path of the module,
/// such as `game/ai/paths`, and `path!(PREFIX / "name")` has a constant in front. It costs nothing at
/// run time.
///
/// With it, a file or a type says its path once. All macros of this crate that take a path take
/// `PREFIX / "name"`, too. The prefix is a `const` of type `&str`, by its name or its path; the name
/// is a literal.
///
/// ```
/// use stats_core::{Counter, Unit, count, path, sample, timer};
///
/// const PATHS: &str = path!(); // or "ai/paths"
/// static SEARCHES: Counter = Counter::new(path!(PATHS / "searches"));
///
/// struct Grid;
///
/// impl Grid {
///     const STATS: &str = path!(PATHS / "grid");
/// }
///
/// fn find_path() {
///     let _scope = timer!(PATHS / "find").scope();
///     SEARCHES.increment();
///     count!(Grid::STATS / "cells", 12);
///     sample!(PATHS / "length", 3.5, Unit::Meters);
/// }
/// # find_path();
/// # if stats_core::ENABLED {
/// assert!(stats_core::find(&format!("{PATHS}/grid/cells")).is_some());
/// # }
/// ```
#[macro_export]
macro_rules! path {
    () => {{
        const __STATS_MODULE: &str = ::core::module_path!();
        const __STATS_PATH: [u8; $crate::__module_len(__STATS_MODULE)] =
            $crate::__module(__STATS_MODULE);
        const __STATS_TEXT: &str = $crate::__text(&__STATS_PATH);
        __STATS_TEXT
    }};
    ($($prefix:ident)::+ / $name:literal) => {{
        const __STATS_PATH: [u8; $($prefix)::+.len() + 1 + $name.len()] =
            $crate::__joined($($prefix)::+, $name);
        const __STATS_TEXT: &str = $crate::__text(&__STATS_PATH);
        __STATS_TEXT
    }};
}

/// Returns a static [`Counter`](crate::Counter) of this call site:
/// `counter!("ai/searches").increment()`.
///
/// The path is a constant. The slot is looked up once and cached, so a call costs as much as one of
/// a named `static`. For paths made at run time, see [`counter()`](crate::counter()).
#[macro_export]
macro_rules! counter {
    ($($prefix:ident)::+ / $name:literal) => {
        $crate::counter!($crate::path!($($prefix)::+ / $name))
    };
    ($path:expr) => {{
        static SITE: $crate::Counter = $crate::Counter::new($path);
        &SITE
    }};
}

/// Returns a static [`UpDownCounter`](crate::UpDownCounter) of this call site; see [`counter!`].
#[macro_export]
macro_rules! up_down_counter {
    ($($prefix:ident)::+ / $name:literal) => {
        $crate::up_down_counter!($crate::path!($($prefix)::+ / $name))
    };
    ($path:expr) => {{
        static SITE: $crate::UpDownCounter = $crate::UpDownCounter::new($path);
        &SITE
    }};
}

/// Returns a static [`Gauge`](crate::Gauge) of this call site; see [`counter!`].
#[macro_export]
macro_rules! gauge {
    ($($prefix:ident)::+ / $name:literal) => {
        $crate::gauge!($crate::path!($($prefix)::+ / $name))
    };
    ($path:expr) => {{
        static SITE: $crate::Gauge = $crate::Gauge::new($path);
        &SITE
    }};
}

/// Returns a static [`Timer`](crate::Timer) of this call site; see [`counter!`]. For example:
/// `let _scope = timer!("ai/think").scope();`
#[macro_export]
macro_rules! timer {
    ($($prefix:ident)::+ / $name:literal) => {
        $crate::timer!($crate::path!($($prefix)::+ / $name))
    };
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
    ($($prefix:ident)::+ / $name:literal $(, $n:expr)?) => {
        $crate::count!($crate::path!($($prefix)::+ / $name) $(, $n)?)
    };
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
    ($($prefix:ident)::+ / $name:literal $(, $unit:expr)?) => {
        $crate::histogram!($crate::path!($($prefix)::+ / $name) $(, $unit)?)
    };
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
    ($($prefix:ident)::+ / $name:literal, $sample:expr $(, $unit:expr)? $(,)?) => {
        $crate::sample!($crate::path!($($prefix)::+ / $name), $sample $(, $unit)?)
    };
    ($path:expr, $sample:expr $(, $unit:expr)? $(,)?) => {
        if $crate::ENABLED {
            $crate::histogram!($path $(, $unit)?).record($sample);
        }
    };
}
