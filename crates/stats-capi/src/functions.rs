//! The functions of the C interface.
//!
//! All may be called from any thread. A string must be null or NUL-terminated, and a pointer to a
//! result must be null or writable. Null is an error, and so is every other invalid argument that
//! can be detected.

use std::ffi::c_char;
use std::sync::{Mutex, PoisonError};

use stats_core::{Recorder, Unit};

use crate::api::{API, StatsApi};
use crate::series::{self, Handle, Kind};
use crate::text::text;
use crate::{StatsSeries, StatsStatus, marks, scopes, take_marks};

/// Registers or finds a counter: the sum of the numbers added in a frame.
///
/// # Safety
///
/// `path` must be null or a NUL-terminated string. `series` must be null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stats_counter(
    path: *const c_char,
    series: *mut StatsSeries,
) -> StatsStatus {
    // SAFETY: the caller's obligations are the same.
    unsafe { register(Kind::Counter, path, series) }
}

/// Registers or finds a level, which goes up and down and persists across frames.
///
/// # Safety
///
/// `path` must be null or a NUL-terminated string. `series` must be null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stats_up_down_counter(
    path: *const c_char,
    series: *mut StatsSeries,
) -> StatsStatus {
    // SAFETY: the caller's obligations are the same.
    unsafe { register(Kind::UpDownCounter, path, series) }
}

/// Registers or finds a gauge: the last value that was set.
///
/// # Safety
///
/// `path` must be null or a NUL-terminated string. `series` must be null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stats_gauge(path: *const c_char, series: *mut StatsSeries) -> StatsStatus {
    // SAFETY: the caller's obligations are the same.
    unsafe { register(Kind::Gauge, path, series) }
}

/// Registers or finds a timer: the milliseconds and calls of a frame.
///
/// # Safety
///
/// `path` must be null or a NUL-terminated string. `series` must be null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stats_timer(path: *const c_char, series: *mut StatsSeries) -> StatsStatus {
    // SAFETY: the caller's obligations are the same.
    unsafe { register(Kind::Timer, path, series) }
}

/// Registers or finds a histogram: the distribution of samples.
///
/// # Safety
///
/// `path` must be null or a NUL-terminated string. `series` must be null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stats_histogram(
    path: *const c_char,
    series: *mut StatsSeries,
) -> StatsStatus {
    // SAFETY: the caller's obligations are the same.
    unsafe { register(Kind::Histogram, path, series) }
}

/// # Safety
///
/// `path` must be null or a NUL-terminated string. `series` must be null or writable.
unsafe fn register(kind: Kind, path: *const c_char, series: *mut StatsSeries) -> StatsStatus {
    if series.is_null() {
        return StatsStatus::NullPointer;
    }
    // SAFETY: guaranteed by the caller.
    let path = match unsafe { text(path) } {
        Ok(path) => path,
        Err(status) => return status,
    };
    if !stats_core::ENABLED {
        return StatsStatus::Ok;
    }
    match series::register(kind, path) {
        Ok(number) => {
            // SAFETY: it is not null, and the caller guarantees that it can be written.
            unsafe { series.write(number) };
            StatsStatus::Ok
        }
        Err(status) => status,
    }
}

/// Runs `work` on a series.
fn with(series: StatsSeries, work: impl FnOnce(Handle) -> Result<(), StatsStatus>) -> StatsStatus {
    if !stats_core::ENABLED {
        return StatsStatus::Ok;
    }
    StatsStatus::of(series::find(series).and_then(work))
}

/// Runs `work` on a series with a number, which the core refuses and reports if it is not finite.
#[inline]
fn with_number(
    series: StatsSeries,
    number: f64,
    work: impl FnOnce(Handle) -> Result<(), StatsStatus>,
) -> StatsStatus {
    with(series, |series| {
        work(series)?;
        if number.is_finite() {
            Ok(())
        } else {
            Err(StatsStatus::InvalidValue)
        }
    })
}

/// Sets the unit by its symbol: `B`, `ms`, `%`, or any other. Timers refuse it, because they are in
/// milliseconds. A unit that is already set is kept.
///
/// # Safety
///
/// The string must be null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stats_set_unit(series: StatsSeries, symbol: *const c_char) -> StatsStatus {
    // SAFETY: guaranteed by the caller.
    let symbol = unsafe { text(symbol) };
    let unit = || Unit::from_symbol(symbol?).ok_or(StatsStatus::LimitReached);
    with(series, |series| series.set_unit(unit()?))
}

/// Sets a one-sentence description. A description that is already set is kept.
///
/// # Safety
///
/// The string must be null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stats_describe(
    series: StatsSeries,
    description: *const c_char,
) -> StatsStatus {
    // SAFETY: guaranteed by the caller.
    let description = unsafe { text(description) };
    with(series, |series| {
        description.map(|text| series.describe(text))
    })
}

/// Sets the value above which a frame is over budget. A budget that is already set is kept.
#[unsafe(no_mangle)]
pub extern "C" fn stats_set_budget(series: StatsSeries, budget: f64) -> StatsStatus {
    with_number(series, budget, |series| {
        if budget.is_finite() {
            series.set_budget(budget);
        }
        Ok(())
    })
}

/// Returns a number that is added to a total; NaN, which the core refuses and reports, if its
/// magnitude is 2⁵³ or more.
///
/// The core accepts such floats, and refuses such integers. But C converts an integer to the type
/// of the parameter without a sign of it.
fn summand(n: f64) -> f64 {
    const EXACT: f64 = (1_u64 << 53) as f64;
    if n.abs() < EXACT { n } else { f64::NAN }
}

/// Adds to a counter, a level or a gauge. A magnitude of 2⁵³ or more is an invalid value: the
/// difference of unsigned integers is that large if it wraps around, and would hide all later
/// values.
#[unsafe(no_mangle)]
pub extern "C" fn stats_add(series: StatsSeries, n: f64) -> StatsStatus {
    let n = summand(n);
    with_number(series, n, |series| {
        match series {
            Handle::Counter(counter) => counter.add(n),
            Handle::UpDownCounter(level) => level.add(n),
            Handle::Gauge(gauge) => gauge.add(n),
            Handle::Timer(_) | Handle::Histogram(_) => return Err(StatsStatus::WrongKind),
        }
        Ok(())
    })
}

/// Sets a gauge.
#[unsafe(no_mangle)]
pub extern "C" fn stats_set(series: StatsSeries, value: f64) -> StatsStatus {
    with_number(series, value, |series| {
        let Handle::Gauge(gauge) = series else {
            return Err(StatsStatus::WrongKind);
        };
        gauge.set(value);
        Ok(())
    })
}

/// Adds a sample to a histogram, or a call of `value` milliseconds to a timer. A magnitude of 2⁵³
/// or more is an invalid value, as in `stats_add`.
#[unsafe(no_mangle)]
pub extern "C" fn stats_record(series: StatsSeries, value: f64) -> StatsStatus {
    let value = summand(value);
    with_number(series, value, |series| {
        match series {
            Handle::Histogram(histogram) => histogram.record(value),
            Handle::Timer(timer) => timer.record_ms(value),
            _ => return Err(StatsStatus::WrongKind),
        }
        Ok(())
    })
}

/// Begins a scope of a timer on this thread. Scopes may be nested.
#[unsafe(no_mangle)]
pub extern "C" fn stats_scope_begin(timer: StatsSeries) -> StatsStatus {
    with(timer, |series| match series {
        Handle::Timer(handle) => scopes::begin(timer, handle),
        _ => Err(StatsStatus::WrongKind),
    })
}

/// Ends the newest scope of a timer on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn stats_scope_end(timer: StatsSeries) -> StatsStatus {
    with(timer, |series| match series {
        Handle::Timer(_) => scopes::end(timer),
        _ => Err(StatsStatus::WrongKind),
    })
}

/// Marks the current frame. `event` is a `StatsMarkEvent`: a point, or the start or end of a span.
///
/// # Safety
///
/// The string must be null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stats_mark(name: *const c_char, event: u32) -> StatsStatus {
    // SAFETY: guaranteed by the caller.
    let name = unsafe { text(name) };
    if !stats_core::ENABLED {
        return StatsStatus::Ok;
    }
    StatsStatus::of(name.and_then(|name| marks::add(name, event)))
}

/// The recorder of a C program.
static RECORDER: Mutex<Option<Recorder>> = Mutex::new(None);

/// Ends a frame of the program's recorder. For programs without a recorder in Rust; a plugin has
/// that of its host. With the feature `allocator`, it publishes the series of memory before:
/// `memory/groups/lua/total` is an up-down counter.
#[unsafe(no_mangle)]
pub extern "C" fn stats_end_frame() -> StatsStatus {
    let mut recorder = RECORDER.lock().unwrap_or_else(PoisonError::into_inner);
    let recorder = recorder.get_or_insert_with(Recorder::new);
    take_marks(|name, event| recorder.mark(name, event));
    #[cfg(feature = "allocator")]
    stats_memory::publish();
    recorder.end_frame();
    StatsStatus::Ok
}

/// Reads the value of a series in the newest frame that `stats_end_frame` ended. The first call for
/// a series returns `STATS_STATUS_NO_VALUE` until another frame ends, except for levels and gauges.
/// A series that is not read for 120 frames is forgotten, and the next call then counts as the
/// first.
///
/// # Safety
///
/// `value` must be null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stats_value(series: StatsSeries, value: *mut f64) -> StatsStatus {
    if value.is_null() {
        return StatsStatus::NullPointer;
    }
    with(series, |series| {
        let mut recorder = RECORDER.lock().unwrap_or_else(PoisonError::into_inner);
        let recorder = recorder.get_or_insert_with(Recorder::new);
        let newest = recorder.peek(series.id()).ok_or(StatsStatus::NoValue)?;
        // SAFETY: it is not null, and the caller guarantees that it can be written.
        unsafe { value.write(newest) };
        Ok(())
    })
}

/// Returns the meaning of a `StatsStatus`, and what to do, in English. Never null. Valid forever;
/// do not free it.
#[unsafe(no_mangle)]
pub extern "C" fn stats_status_text(status: u32) -> *const c_char {
    StatsStatus::text(status).as_ptr()
}

/// Returns the functions of this library as a table, for plugins. Never null.
#[unsafe(no_mangle)]
pub extern "C" fn stats_api() -> *const StatsApi {
    &raw const API
}
