//! Without the feature `enabled` all functions do nothing.
#![expect(unsafe_code, reason = "the functions take pointers of C programs")]

use stats_capi::StatsStatus;
use stats_capi::functions::*;

#[test]
fn without_the_feature_there_is_no_series_and_no_error() {
    let mut series = 0;
    // SAFETY: both pointers are valid.
    let status = unsafe { stats_counter(c"a".as_ptr(), &raw mut series) };
    assert_eq!((status, series), (StatsStatus::Ok, 0));
    assert_eq!(stats_add(series, 1.0), StatsStatus::Ok);
    assert_eq!(stats_scope_begin(series), StatsStatus::Ok);
    assert_eq!(stats_end_frame(), StatsStatus::Ok);
    let mut listed = 0;
    stats_core::for_each_series(|_| listed += 1);
    assert_eq!(listed, 0);
}
