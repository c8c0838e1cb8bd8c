//! A size filter, and addresses that are reused.

use std::alloc::{GlobalAlloc, Layout, alloc, dealloc};
use std::collections::HashSet;

use stats_memory::{Stomp, Underrun};

use crate::child::Case;
use crate::child::End::{Fault, Saying, SayingAll, Well};

/// Few enough addresses to be used up quickly.
pub(crate) const QUARANTINE: usize = 4096 * SLOT;

/// The addresses that a small allocation takes.
const SLOT: usize = 8192;

pub(crate) const ALL: &[Case] = &[
    ("below the sizes", || write(63, 64), Well),
    (
        "the smallest",
        || write(64, 64),
        Fault(&["overrun", "of 64 bytes"]),
    ),
    (
        "the largest",
        || write(4096, 4096),
        Fault(&["overrun", "of 4096 bytes"]),
    ),
    ("above the sizes", || write(4097, 4097), Well),
    ("addresses come back late, oldest first", late, Well),
    (
        "use after free in the second round",
        second_round,
        Fault(&["use after free", "byte 0 of a freed allocation of 77 "]),
    ),
    ("large spans make way for small ones", leftovers, Well),
    #[cfg(unix)]
    ("forks beside threads that take old addresses", forks, Well),
    (
        "no addresses left",
        full,
        Saying(
            "stats-memory: unguarded allocations: no addresses are left in the reservation; guarded and alive: ",
        ),
    ),
    (
        "more than there can be, then no addresses left",
        absurd,
        SayingAll(&[
            ": an allocation is larger than the reservation; ",
            ": no addresses are left ",
        ]),
    ),
];

fn make(size: usize) -> *mut u8 {
    // SAFETY: the size is not zero.
    unsafe { alloc(Layout::from_size_align(size, 1).unwrap()) }
}

fn free(pointer: *mut u8, size: usize) {
    // SAFETY: allocated with this layout.
    unsafe { dealloc(pointer, Layout::from_size_align(size, 1).unwrap()) };
}

fn write(size: usize, offset: usize) {
    // SAFETY: if the block is guarded, none, which is tested. Otherwise the system's allocator has
    // rounded its size up to more.
    unsafe { make(size).wrapping_add(offset).write_volatile(1) };
}

/// Allocates and frees. Returns the address.
fn once(size: usize) -> usize {
    let pointer = make(size);
    free(pointer, size);
    pointer.addr()
}

fn late() {
    let mut seen = HashSet::new();
    let first = once(77);
    let mut round = 1;
    let (mut last, mut turns) = (first, 0);
    loop {
        let now = once(77);
        if now == first {
            break;
        }
        // Once around: addresses below the first may belong to memory that the runtime freed
        // earlier, such as an argument of the process.
        turns += i32::from(now < last);
        assert!(now != last && turns <= 1, "in the order of their age");
        last = now;
        round += 1;
        seen.insert(now);
    }
    // All slots but the few that were taken before, or are alive.
    assert!(
        (4000..=4096).contains(&round) && seen.len() == round - 1,
        "{round}"
    );
    // The second round equals the first: no slot was lost.
    let again = (0..round - 1).map(|_| once(77)).collect::<HashSet<_>>();
    assert!(again.is_subset(&seen) || again.len() == round - 1);
}

fn second_round() {
    (0..10_000).for_each(|_| assert_ne!(once(77), 0));
    let pointer = make(77);
    free(pointer, 77);
    // SAFETY: none. That is what is tested.
    unsafe { pointer.write_volatile(1) };
}

/// Forks while a thread of the parent may hold the lock.
#[cfg(unix)]
fn forks() {
    use std::sync::atomic::{AtomicBool, Ordering};
    (0..5000).for_each(|_| assert_ne!(once(77), 0));
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    once(77);
                }
            });
        }
        for _ in 0..300 {
            // SAFETY: the child allocates, as far as that is possible, and ends.
            unsafe {
                let child = libc::fork();
                if child == 0 {
                    (0..10).for_each(|_| assert_ne!(once(77), 0));
                    libc::_exit(0);
                }
                let mut status = 0;
                assert_eq!(
                    (libc::waitpid(child, &raw mut status, 0), status),
                    (child, 0)
                );
            }
        }
        is_over.store(true, Ordering::Relaxed);
    });
}

/// Requests that the system refuses, or would refuse, do not use up the reports that matter.
fn absurd() {
    static ALL_SIZES: Stomp<Underrun> = Stomp::new().quarantine_bytes(QUARANTINE);
    let make = |bytes| {
        let layout = Layout::from_size_align(bytes, 1).unwrap();
        // SAFETY: the size is not zero.
        unsafe { (ALL_SIZES.alloc(layout), layout) }
    };
    for bytes in [QUARANTINE, isize::MAX as usize / 2, isize::MAX as usize] {
        let (pointer, layout) = make(bytes);
        if !pointer.is_null() {
            // SAFETY: allocated just now.
            unsafe { ALL_SIZES.dealloc(pointer, layout) };
        }
    }
    (0..5000).for_each(|_| assert!(!make(77).0.is_null()));
}

fn full() {
    let live: Vec<_> = (0..5000).map(|_| make(77)).collect();
    assert_eq!(live.iter().collect::<HashSet<_>>().len(), 5000);
    live.iter().for_each(|pointer| free(*pointer, 77));
    // The addresses can be used again.
    assert!(once(77).abs_diff(live[0].addr()) < QUARANTINE);
}

/// A small allocation in the place of a large one leaves the rest of the span to others.
fn leftovers() {
    let wide = Layout::from_size_align(64, 64 * 1024).unwrap();
    // SAFETY: the size is not zero.
    let live: Vec<_> = (0..450).map(|_| unsafe { alloc(wide) }).collect();
    // SAFETY: allocated with this layout.
    live.iter()
        .for_each(|pointer| unsafe { dealloc(*pointer, wide) });
    let live: Vec<_> = (0..4000).map(|_| make(77)).collect();
    // Without enough addresses, the system's allocator would serve the request, and a report would
    // follow.
    assert_eq!(live.iter().collect::<HashSet<_>>().len(), 4000);
    live.iter().for_each(|pointer| free(*pointer, 77));
}
