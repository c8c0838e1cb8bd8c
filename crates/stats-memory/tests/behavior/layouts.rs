//! Sizes and alignments at their limits.
#![expect(unsafe_code, reason = "calls allocators directly")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;

use stats_memory::{Count, PooledAllocator, Records, Tags, TrackingAllocator, totals};

use super::strict::Strict;
use super::{Block, COUNT, RECORDS, TAGS, alone};

fn every_alignment_holds(allocator: &'static (impl GlobalAlloc + Sync)) {
    let before = totals();
    for align in (0..22).map(|power| 1 << power) {
        for bytes in [1, 7, 8, 9, 4096] {
            let mut block = Block::new(allocator, bytes, align);
            assert_eq!(totals().bytes, before.bytes + bytes as u64);
            block.resize(bytes * 3);
            block.fail_to_resize();
            assert_eq!(totals().bytes, before.bytes + 3 * bytes as u64);
            drop(Block::zeroed(allocator, bytes, align));
        }
    }
    assert_eq!(totals().bytes, before.bytes);
}

static STRICT_COUNT: TrackingAllocator<Strict, Count> = TrackingAllocator::new(Strict);
static STRICT: TrackingAllocator<Strict, Records> = TrackingAllocator::new(Strict);

#[test]
fn over_aligned_blocks_are_aligned_and_counted() {
    let _alone = alone();
    every_alignment_holds(&COUNT);
    every_alignment_holds(&TAGS);
    every_alignment_holds(&RECORDS);
    every_alignment_holds(&STRICT_COUNT);
    every_alignment_holds(&STRICT);
}

fn impossible_layouts_return_null_and_are_not_counted(
    allocator: &impl GlobalAlloc,
    limits: &[(usize, usize)],
) {
    let before = totals();
    for (bytes, align) in limits {
        let layout = Layout::from_size_align(*bytes, *align).unwrap();
        // SAFETY: the size is not zero.
        unsafe {
            assert!(allocator.alloc(layout).is_null());
            assert!(allocator.alloc_zeroed(layout).is_null());
        }
    }
    let mut expected = before;
    expected.overhead_bytes = totals().overhead_bytes;
    assert_eq!(totals(), expected);
}

const LARGEST: usize = isize::MAX as usize;

#[test]
fn a_size_beyond_the_limit_returns_null() {
    let _alone = alone();
    let limits = [
        (LARGEST, 1),
        (LARGEST - 7, 8),
        (LARGEST - 8, 1),
        (LARGEST - 4095, 4096),
    ];
    impossible_layouts_return_null_and_are_not_counted(&COUNT, &limits);
    impossible_layouts_return_null_and_are_not_counted(&TAGS, &limits);
    impossible_layouts_return_null_and_are_not_counted(&RECORDS, &limits);
    // With a header, no size is possible.
    impossible_layouts_return_null_and_are_not_counted(&TAGS, &[(1, 1 << 62), (1 << 62, 1 << 62)]);
}

/// Returns the resident bytes of the process, if the system reports them.
fn resident() -> Option<usize> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(pages.split(' ').nth(1)?.parse::<usize>().ok()? * 4096)
}

static POOLED: TrackingAllocator<PooledAllocator<System>, Tags> =
    TrackingAllocator::new(PooledAllocator::new(System, &[]));

fn zeroes_are_not_resident(allocator: &impl GlobalAlloc) {
    let layout = Layout::new::<[u64; 8 << 20]>();
    let Some(before) = resident() else { return };
    // SAFETY: the size is not zero, and the read is within the block.
    unsafe {
        let start = black_box(allocator.alloc_zeroed(layout));
        assert!(!start.is_null() && start.add(layout.size() / 2).read() == 0);
        let taken = resident().unwrap_or(0) as i64 - before as i64;
        allocator.dealloc(start, layout);
        assert!(taken < 1 << 20, "{taken}");
    }
}

#[test]
fn zeroed_memory_is_not_resident_in_any_mode() {
    let _alone = alone();
    // A memory checker has an allocator of its own, which writes the zeroes.
    if std::env::var_os("STATS_MEMORY_STEPS").is_none() {
        zeroes_are_not_resident(&COUNT);
        zeroes_are_not_resident(&TAGS);
        zeroes_are_not_resident(&RECORDS);
        zeroes_are_not_resident(&POOLED);
    }
}

#[test]
fn the_peak_is_within_a_step_of_each_thread() {
    let _alone = alone();
    for count in [1, 100, 5000] {
        stats_memory::reset_peak();
        let before = totals().bytes;
        let blocks: Vec<_> = (0..count).map(|_| Block::new(&TAGS, 1000, 8)).collect();
        drop(blocks);
        let peak = totals().peak_bytes as i64 - before as i64;
        // The harness and a test that has just ended have threads, too.
        assert!((peak - count * 1000).abs() <= 3 * 64 * 1024, "{peak}");
    }
}

#[test]
fn a_reset_peak_is_as_exact() {
    let _alone = alone();
    for held in [1, 30_000, 60_000, 65_535, 65_537] {
        let large = Block::new(&TAGS, 1 << 20, 8);
        // This allocation was reported to the other threads.
        let reported = Block::new(&TAGS, held, 8);
        let more = Block::new(&TAGS, 1 << 20, 8);
        drop((more, reported));
        stats_memory::reset_peak();
        let before = totals().bytes;
        drop(
            (0..120)
                .map(|_| Block::new(&TAGS, 1000, 8))
                .collect::<Vec<_>>(),
        );
        let peak = totals().peak_bytes as i64 - before as i64;
        assert!((peak - 120_000).abs() <= 64 * 1024, "{held}: {peak}");
        drop(large);
    }
}

#[test]
fn the_peak_includes_memory_that_another_thread_frees() {
    let _alone = alone();
    stats_memory::reset_peak();
    let before = totals().bytes;
    for _ in 0..50 {
        let blocks: Vec<_> = (0..1000).map(|_| Block::new(&COUNT, 1000, 8)).collect();
        std::thread::spawn(|| drop(blocks)).join().unwrap();
    }
    let peak = totals().peak_bytes as i64 - before as i64;
    assert!((peak - 1_000_000).abs() <= 3 * 64 * 1024, "{peak}");
}
