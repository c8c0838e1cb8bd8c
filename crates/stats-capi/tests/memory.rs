//! The memory of loading a plugin, as a memory tracker sees it.
#![cfg(all(feature = "load", feature = "enabled", not(feature = "allocator")))]
#![expect(unsafe_code, reason = "loads a plugin")]

use std::cell::Cell;
use std::fs;

use stats_capi::{LoadError, LoadedPlugin, StatsStatus, memory::stats_group};
use stats_core::set_memory_tracker;
use stats_testing::{at_each_allocation, grown_bytes, most_grown_bytes};

/// The length of the file that is loaded.
const FILE: usize = 8 << 20;

thread_local! {
    /// How many owners the thread is in.
    static OWNERS: Cell<u64> = const { Cell::new(0) };
    /// The bytes that were allocated without an owner.
    static OF_THE_GAME: Cell<usize> = const { Cell::new(0) };
}

#[global_allocator]
static ALLOCATOR: stats_testing::Counting = stats_testing::Counting;

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
    let count = |bytes| {
        if OWNERS.get() == 0 {
            OF_THE_GAME.set(OF_THE_GAME.get() + bytes);
        }
    };
    let mut loaded = None;
    let most = most_grown_bytes(|| {
        // SAFETY: the file is no library, so no code of it runs.
        loaded = Some(at_each_allocation(count, || unsafe {
            LoadedPlugin::load(&path)
        }));
    });
    fs::remove_file(&path).unwrap();
    assert!(
        matches!(loaded, Some(Err(LoadError::Library(..)))),
        "{loaded:?}"
    );
    assert!((FILE..FILE + FILE / 8).contains(&(most as usize)), "{most}");
    assert!(OF_THE_GAME.get() < 4096, "{}", OF_THE_GAME.get());
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
    let grown = grown_bytes(|| {
        for budget_bytes in 1..100 {
            let again = [c"memory/again", c"memory/budget"].map(|name| group(name, budget_bytes));
            assert_eq!(again, first);
        }
    });
    assert_eq!(grown, 0);
}
