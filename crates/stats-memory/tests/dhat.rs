//! Compares this tracker with another one on the same work, by running it over dhat's allocator.
//! Both are called directly, because dhat's own allocations do not belong to the program.
#![expect(unsafe_code, reason = "calls allocators directly")]
#![cfg(test)]

use std::alloc::{GlobalAlloc, Layout};

use stats_memory::{Count, TrackingAllocator, reset_peak, totals};

static ALLOCATOR: TrackingAllocator<dhat::Alloc, Count> = TrackingAllocator::new(dhat::Alloc);

/// Does random allocations, reallocations and frees. Returns the blocks that are live in the end.
fn work() -> Vec<(*mut u8, Layout)> {
    let (mut held, mut random) = (Vec::new(), 1_u64);
    let mut below = |n: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % n
    };
    for step in 0..30_000 {
        let layout = Layout::from_size_align(1 + below(2000), 1 << below(6)).unwrap();
        let (choice, at) = (below(5), below(held.len().max(1)));
        // SAFETY: no size is zero, and each block is freed or reallocated with its own layout.
        unsafe {
            match choice {
                0 | 1 => held.push((ALLOCATOR.alloc(layout), layout)),
                2 => held.push((ALLOCATOR.alloc_zeroed(layout), layout)),
                3 if !held.is_empty() => {
                    let (start, old) = held[at];
                    let moved = ALLOCATOR.realloc(start, old, layout.size());
                    held[at] = (
                        moved,
                        Layout::from_size_align(layout.size(), old.align()).unwrap(),
                    );
                }
                // More frees than allocations in the second half, so that the peak is in the
                // middle.
                _ => (0..1 + step / 15_000 * 3).for_each(|_| free(held.pop())),
            }
        }
    }
    held
}

fn free(block: Option<(*mut u8, Layout)>) {
    if let Some((start, layout)) = block {
        // SAFETY: allocated with this layout.
        unsafe { ALLOCATOR.dealloc(start, layout) };
    }
}

#[test]
fn totals_counts_and_peak_match_dhat() {
    if !stats_memory::ENABLED {
        return;
    }
    let profiler = dhat::Profiler::builder().testing().build();
    let before = totals();
    reset_peak();
    let held = work();
    let (dhat, now) = (dhat::HeapStats::get(), totals());
    assert!(
        dhat.total_blocks > 20_000
            && dhat.curr_blocks > 0
            && dhat.max_bytes * 2 > dhat.curr_bytes * 3
    );
    let ours = (
        now.allocations_made - before.allocations_made,
        now.allocated_bytes - before.allocated_bytes,
    );
    assert_eq!(ours, (dhat.total_blocks, dhat.total_bytes));
    assert_eq!(
        (now.bytes, now.allocations),
        (dhat.curr_bytes as u64, dhat.curr_blocks as u64)
    );
    let peak = now.peak_bytes as i64 - dhat.max_bytes as i64;
    assert!(peak.abs() <= 64 * 1024, "{peak}");
    held.into_iter().for_each(|block| free(Some(block)));
    drop(profiler);
    assert_eq!(totals().bytes, 0);
}
