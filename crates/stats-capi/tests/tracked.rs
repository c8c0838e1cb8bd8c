//! Memory of C libraries, as the tracking allocator of a program in Rust counts it.
#![cfg(not(feature = "allocator"))]
#![expect(unsafe_code, reason = "the functions take pointers of C programs")]

use std::alloc::System;
use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use stats_capi::memory::*;
use stats_capi::{MAX_MEMORY_SCOPES, StatsGroup, StatsStatus};
use stats_memory::{Records, TrackingAllocator};

#[global_allocator]
static ALLOCATOR: TrackingAllocator<System, Records> = TrackingAllocator::new(System);

fn group(name: &CStr, budget_bytes: u64) -> StatsGroup {
    let mut group = 0;
    // SAFETY: both pointers are valid.
    let status = unsafe { stats_group(name.as_ptr(), budget_bytes, &raw mut group) };
    assert_eq!(status, StatsStatus::Ok);
    group
}

fn begin(group: StatsGroup, scope: Option<&CStr>, name: Option<&CStr>) -> StatsStatus {
    let [scope, name] = [scope, name].map(|text| text.map_or(null(), CStr::as_ptr));
    // SAFETY: the pointers are null or those of strings.
    unsafe { stats_memory_begin(group, scope, name) }
}

fn reallocate(block: *mut c_void, bytes: usize) -> *mut c_void {
    // SAFETY: the tests pass null or their own block.
    unsafe { stats_reallocate(block, bytes) }
}

fn free(block: *mut c_void) {
    // SAFETY: the tests pass null or their own block.
    unsafe { stats_free(block) }
}

/// Returns the live bytes and allocations of a group.
fn live(name: &str) -> (u64, u64) {
    stats_memory::publish();
    let mut live = (0, 0);
    stats_memory::for_each_group(|group| {
        if group.group == name {
            live = (group.bytes, group.allocations);
        }
    });
    live
}

#[test]
fn blocks_are_aligned_and_keep_their_bytes() {
    let mut block = null_mut();
    for (step, bytes) in [0, 1, 15, 16, 17, 4096, 100_000, 40, 0]
        .into_iter()
        .enumerate()
    {
        let before = [0, 1, 15, 16, 17, 4096, 100_000, 40][step.saturating_sub(1)].min(bytes);
        block = reallocate(block, bytes);
        assert!(
            !block.is_null() && block.addr().is_multiple_of(16),
            "{bytes}"
        );
        // SAFETY: the block has this many bytes, and its first bytes were written.
        unsafe {
            let kept =
                std::slice::from_raw_parts(block.cast::<u8>(), if step == 0 { 0 } else { before });
            assert!(
                kept.iter().enumerate().all(|(at, byte)| *byte == at as u8),
                "{bytes}"
            );
            (0..bytes).for_each(|at| block.cast::<u8>().add(at).write(at as u8));
        }
    }
    assert!(reallocate(block, usize::MAX - 8).is_null(), "too large");
    free(block);
    free(null_mut());
    assert!(stats_allocate(usize::MAX).is_null());
}

#[test]
fn blocks_count_toward_the_group_the_scope_and_the_name() {
    let scripts = group(c"tracked/scripts", 1000);
    assert_eq!(group(c"tracked/scripts", 0), scripts, "the same group");
    let other = group(c"tracked/other", 0);
    assert_eq!(
        begin(scripts, Some(c"spawn"), Some(c"table")),
        StatsStatus::Ok
    );
    let block = stats_allocate(100);
    assert_eq!(begin(other, None, None), StatsStatus::Ok);
    let of_other = stats_allocate(10);
    let block = reallocate(block, 200);
    assert_eq!(
        live("tracked/scripts"),
        (216, 1),
        "it keeps its group, with 16 bytes for its size"
    );
    assert_eq!(live("tracked/other"), (26, 1));
    assert_eq!(stats_group_check(scripts, 784), StatsStatus::Ok);
    assert_eq!(stats_group_check(scripts, 785), StatsStatus::OverBudget);
    assert_eq!(
        stats_group_check(other, 1 << 40),
        StatsStatus::Ok,
        "no budget"
    );
    // A budget that comes later applies.
    assert_eq!(group(c"tracked/other", 30), other);
    assert_eq!(stats_group_check(other, 5), StatsStatus::OverBudget);
    assert_eq!(stats_memory_end(), StatsStatus::Ok);
    assert_eq!(stats_memory_end(), StatsStatus::Ok);
    assert_eq!(stats_memory_end(), StatsStatus::NoScope);
    let file = std::env::temp_dir().join(format!("stats-capi-tracked-{}", std::process::id()));
    let path = std::ffi::CString::new(file.to_str().expect("UTF-8")).expect("no NUL");
    // SAFETY: it is a string.
    assert_eq!(unsafe { stats_save_dump(path.as_ptr()) }, StatsStatus::Ok);
    let dump = std::fs::read_to_string(&file).expect("just written");
    std::fs::remove_file(&file).expect("just written");
    let line = dump.lines().find(|line| line.contains(",tracked/scripts,"));
    let line = line.expect("the block is live");
    assert!(
        line.contains(",216,") && line.contains("spawn") && line.ends_with("table"),
        "{line}"
    );
    free(block);
    free(of_other);
    assert_eq!(
        (live("tracked/scripts"), live("tracked/other")),
        ((0, 0), (0, 0))
    );
}

#[test]
fn mistakes_are_returned_and_have_no_other_effect() {
    let mut number = 7;
    // SAFETY: the pointers are null, or valid.
    unsafe {
        assert_eq!(
            stats_group(null(), 0, &raw mut number),
            StatsStatus::NullPointer
        );
        assert_eq!(
            stats_group(c"a".as_ptr(), 0, null_mut()),
            StatsStatus::NullPointer
        );
        let invalid = c"\xff".as_ptr();
        assert_eq!(
            stats_group(invalid, 0, &raw mut number),
            StatsStatus::InvalidUtf8
        );
        assert_eq!(
            stats_memory_begin(0, invalid, null()),
            StatsStatus::InvalidUtf8
        );
        assert_eq!(
            stats_memory_begin(0, null(), invalid),
            StatsStatus::InvalidUtf8
        );
        assert_eq!(stats_save_dump(null()), StatsStatus::NullPointer);
        let nowhere = c"/nowhere/dump.csv".as_ptr();
        assert_eq!(stats_save_dump(nowhere), StatsStatus::NotWritten);
    }
    assert_eq!(number, 7);
    for unknown in [1_000_000, u32::MAX] {
        assert_eq!(begin(unknown, None, None), StatsStatus::InvalidValue);
        assert_eq!(stats_group_check(unknown, 0), StatsStatus::InvalidValue);
    }
    assert_eq!(stats_group_check(0, 0), StatsStatus::InvalidValue);
    assert_eq!(stats_memory_end(), StatsStatus::NoScope);
    for _ in 0..MAX_MEMORY_SCOPES {
        assert_eq!(begin(0, None, None), StatsStatus::Ok);
    }
    assert_eq!(begin(0, None, None), StatsStatus::LimitReached);
    for _ in 0..MAX_MEMORY_SCOPES {
        assert_eq!(stats_memory_end(), StatsStatus::Ok);
    }
    assert_eq!(stats_memory_end(), StatsStatus::NoScope);
}
