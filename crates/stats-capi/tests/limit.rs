//! More series than the core has room for. In a process of its own, because series are never
//! removed.
#![cfg(feature = "enabled")]
#![expect(unsafe_code, reason = "the functions take pointers of C programs")]

use std::ffi::{CStr, CString};

use stats_capi::functions::*;
use stats_capi::{StatsSeries, StatsStatus};
use stats_core::limits::{MAX_HISTOGRAMS, MAX_SERIES};

type Register =
    unsafe extern "C" fn(path: *const std::ffi::c_char, series: *mut StatsSeries) -> StatsStatus;

/// Returns the status, and the number or 0.
fn register(register: Register, path: &CStr) -> (StatsStatus, StatsSeries) {
    let mut series = 0;
    // SAFETY: both pointers are valid.
    let status = unsafe { register(path.as_ptr(), &raw mut series) };
    (status, series)
}

#[test]
fn a_series_that_the_core_has_no_room_for_is_an_error() {
    let path = |name, at| CString::new(format!("{name}/{at}")).expect("it has no NUL");
    for at in 0..MAX_HISTOGRAMS {
        let (status, series) = register(stats_histogram, &path("histogram", at));
        assert_eq!((status, series), (StatsStatus::Ok, at as u32 + 1));
    }
    let refused = (StatsStatus::LimitReached, 0);
    for _ in 0..2 {
        assert_eq!(register(stats_histogram, c"histogram/one-more"), refused);
    }
    let (status, counter) = register(stats_counter, c"counter");
    assert_eq!(status, StatsStatus::Ok, "there is room for other kinds");
    // A timer takes the room of four series.
    let fits = (0..MAX_SERIES / 4)
        .take_while(|at| register(stats_timer, &path("timer", *at)).0 == StatsStatus::Ok);
    assert!(fits.count() < MAX_SERIES / 4);
    assert_eq!(register(stats_timer, c"timer/one-more"), refused);
    assert_eq!(
        register(stats_counter, c"counter"),
        (StatsStatus::Ok, counter)
    );
    assert_eq!(stats_add(counter, 1.0), StatsStatus::Ok);
    // A path of another kind has a number, which counts nothing.
    assert_eq!(register(stats_gauge, c"counter").0, StatsStatus::Ok);
}
