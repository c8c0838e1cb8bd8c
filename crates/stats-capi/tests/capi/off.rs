//! Without the feature `enabled` all functions do nothing.
#![expect(unsafe_code, reason = "the functions take pointers of C programs")]

use stats_capi::StatsStatus;
use stats_capi::functions::*;
use stats_capi::memory::*;

#[test]
fn without_the_feature_there_is_no_series_and_no_error() {
    let mut series = 0;
    // SAFETY: both pointers are valid.
    let status = unsafe { stats_counter(c"a".as_ptr(), &raw mut series) };
    assert_eq!((status, series), (StatsStatus::Ok, 0));
    assert_eq!(stats_add(series, 1.0), StatsStatus::Ok);
    assert_eq!(stats_scope_begin(series), StatsStatus::Ok);
    assert_eq!(stats_end_frame(), StatsStatus::Ok);
    let mut group = 0;
    // SAFETY: the pointers are valid, and the block is not used after it is freed.
    unsafe {
        let status = stats_group(c"a".as_ptr(), 1, &raw mut group);
        assert_eq!((status, group), (StatsStatus::Ok, 0));
        let begun = stats_memory_begin(group, c"a".as_ptr(), std::ptr::null());
        assert_eq!(begun, StatsStatus::Ok);
        let block = stats_reallocate(stats_allocate(4), 1 << 20);
        assert!(!block.is_null(), "the library still allocates");
        block.cast::<u8>().add((1 << 20) - 1).write(1);
        stats_free(block);
    }
    assert_eq!(stats_group_check(group, usize::MAX), StatsStatus::Ok);
    assert_eq!(stats_memory_end(), StatsStatus::Ok);
    let mut listed = 0;
    stats_core::for_each_series(|_| listed += 1);
    assert_eq!(listed, 0);
}
