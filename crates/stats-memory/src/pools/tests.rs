//! Free lists and pools on one thread. The models in `models.rs` cover several threads.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

use super::free_list::FreeList;

/// While one thread looks at the first block, another takes it and the second one, and puts the
/// first one back.
#[test]
fn a_block_that_came_back_is_not_mistaken_for_one_that_never_left() {
    let links: [AtomicU32; 3] = [const { AtomicU32::new(0) }; 3];
    let (list, link) = (FreeList::new(), |block: u32| links.get(block as usize));
    list.push_all(0, &links, 1);
    let (stale, taken) = (AtomicU32::new(0), Cell::new(None));
    let interrupted = list.pop(|block| {
        if taken.get().is_some() {
            return link(block);
        }
        stale.store(links[0].load(Ordering::Relaxed), Ordering::Relaxed);
        taken.set(Some((list.pop(link), list.pop(link))));
        list.push(0, &links[0]);
        Some(&stale)
    });
    assert_eq!(taken.get(), Some((Some(0), Some(1))));
    assert_eq!(
        (interrupted, list.pop(link), list.pop(link)),
        (Some(0), Some(2), None)
    );
}

#[test]
fn each_block_is_popped_once_for_any_step() {
    for (count, step) in [(1, 1), (7, 1), (9, 3), (64, 16), (0, 1)] {
        let links: Vec<AtomicU32> = (0..count).map(|_| AtomicU32::new(0)).collect();
        let list = FreeList::new();
        list.push_all(0, &links, step);
        let mut popped: Vec<u32> =
            std::iter::from_fn(|| list.pop(|block| links.get(block as usize))).collect();
        popped.sort_unstable();
        assert_eq!(popped, (0..count as u32).step_by(step).collect::<Vec<_>>());
    }
}

/// Runs in a process of its own, which temporarily has no address space left.
#[cfg(target_os = "linux")]
#[test]
#[expect(unsafe_code, reason = "forks")]
fn a_pool_grows_again_when_there_is_memory_again() {
    use std::alloc::Layout;

    use super::{GrowingPool, Pool};

    // Not under valgrind, whose own memory does not obey the limit.
    if std::env::var_os("STATS_MEMORY_STEPS").is_some() {
        return;
    }
    static POOL: GrowingPool = GrowingPool::new("pool");
    let is_there = || POOL.take(Layout::new::<[u8; 1024]>()).is_some();
    let limit = |bytes| libc::rlimit {
        rlim_cur: bytes,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: the child allocates from the pool, and ends.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            libc::setrlimit(libc::RLIMIT_AS, &limit(1));
            while is_there() {}
            // More often than there can be slabs.
            let is_refused = (0..2000).all(|_| !is_there());
            libc::setrlimit(libc::RLIMIT_AS, &limit(libc::RLIM_INFINITY));
            libc::_exit(i32::from(!(is_refused && is_there())));
        }
        let mut status = 0;
        assert_eq!(
            (libc::waitpid(child, &raw mut status, 0), status),
            (child, 0)
        );
    }
}
