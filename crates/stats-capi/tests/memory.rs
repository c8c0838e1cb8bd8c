//! The memory of loading a plugin, as a memory tracker sees it.
#![cfg(all(feature = "load", feature = "enabled", not(feature = "allocator")))]
#![expect(unsafe_code, reason = "counts what is allocated, and loads a plugin")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fs;

use stats_capi::{LoadError, LoadedPlugin, StatsStatus, memory::stats_group};
use stats_core::set_memory_tracker;

/// The length of the file that is loaded.
const FILE: usize = 8 << 20;

thread_local! {
    /// How many owners the thread is in.
    static OWNERS: Cell<u64> = const { Cell::new(0) };
    static LIVE: Cell<usize> = const { Cell::new(0) };
    static MOST: Cell<usize> = const { Cell::new(0) };
    /// The bytes that were allocated without an owner.
    static OF_THE_GAME: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: passes all calls to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.set(LIVE.get() + layout.size());
        MOST.set(MOST.get().max(LIVE.get()));
        if OWNERS.get() == 0 {
            OF_THE_GAME.set(OF_THE_GAME.get() + layout.size());
        }
        // SAFETY: guaranteed by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        LIVE.set(LIVE.get().saturating_sub(layout.size()));
        // SAFETY: guaranteed by the caller.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_plugin_is_read_once_and_not_with_the_memory_of_the_game() {
    set_memory_tracker(
        |_| {
            OWNERS.set(OWNERS.get() + 1);
            0
        },
        |_| OWNERS.set(OWNERS.get() - 1),
    );
    let path = std::env::temp_dir().join(format!("stats-capi-memory-{}", std::process::id()));
    fs::write(&path, vec![1; FILE]).unwrap();
    let live = LIVE.get();
    MOST.set(live);
    OF_THE_GAME.set(0);
    // SAFETY: the file is no library, so no code of it runs.
    let loaded = unsafe { LoadedPlugin::load(&path) };
    let (most, of_the_game) = (MOST.get() - live, OF_THE_GAME.get());
    fs::remove_file(&path).unwrap();
    assert!(matches!(loaded, Err(LoadError::Library(..))), "{loaded:?}");
    assert!((FILE..FILE + FILE / 8).contains(&most), "{most}");
    assert!(of_the_game < 4096, "{of_the_game}");
    assert_eq!(OWNERS.get(), 0);
}

#[test]
fn a_group_that_is_found_again_takes_no_more_memory() {
    let group = |name: &std::ffi::CStr, budget_bytes| {
        let mut number = 0;
        // SAFETY: the name is a string, and the number can be written.
        let status = unsafe { stats_group(name.as_ptr(), budget_bytes, &raw mut number) };
        assert_eq!(status, StatsStatus::Ok);
        number
    };
    let first = [group(c"memory/again", 0), group(c"memory/budget", 1 << 20)];
    let live = LIVE.get();
    for budget_bytes in 1..100 {
        let again = [c"memory/again", c"memory/budget"].map(|name| group(name, budget_bytes));
        assert_eq!(again, first);
    }
    assert_eq!(LIVE.get(), live);
}
