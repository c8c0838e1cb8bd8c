//! Memory that one thread allocates and another one frees, while a reader adds up both. In a
//! process of its own: nothing else may allocate.
#![cfg_attr(
    all(test, feature = "enabled"),
    expect(unsafe_code, reason = "calls allocators directly")
)]
#![cfg(all(test, feature = "enabled", target_pointer_width = "64"))]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use stats_core::{Recorder, find};
use stats_memory::{
    Count, Group, Mode, Records, Tags, Totals, TrackingAllocator, for_each_group,
    groups_over_budget, publish, reset_peak, scope, totals,
};

/// An allocator that returns less memory than requested, so that large blocks cost nothing.
struct Liar;

// SAFETY: memory comes from the system's allocator, and the test writes only to the part that
// exists.
unsafe impl GlobalAlloc for Liar {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        // SAFETY: the size is not zero.
        unsafe { System.alloc(Layout::new::<[u64; 2]>()) }
    }

    unsafe fn dealloc(&self, block: *mut u8, _: Layout) {
        // SAFETY: allocated with this layout.
        unsafe { System.dealloc(block, Layout::new::<[u64; 2]>()) };
    }
}

const BLOCK: Layout = Layout::new::<[u8; 64 << 20]>();

/// The blocks that are live all the time, so that a sum that is too small shows.
const HELD: u64 = 16;

/// The blocks that wait for the thread that frees them.
const WAITING: usize = 2;

/// The most blocks at any time: one more is with each thread.
const MOST: u64 = HELD + WAITING as u64 + 2;

/// The number of threads that allocate or free.
const THREADS: u64 = 2;

/// The promised precision for each of these threads.
const BYTES: u64 = 64 * 1024 * THREADS;
const ALLOCATIONS: u64 = 1024 * THREADS;

/// The bytes of a number of blocks.
const fn bytes(blocks: u64) -> u64 {
    blocks * BLOCK.size() as u64
}

static CROSSED: Group = Group::new("crossed").budget_bytes(bytes(MOST + 1));

struct Block(*mut u8);

// SAFETY: nothing but memory, with one owner.
unsafe impl Send for Block {}

fn allocate<A: GlobalAlloc>(allocator: &A) -> Block {
    let _scope = scope!("crossed", group: CROSSED);
    // SAFETY: the size is not zero.
    Block(unsafe { allocator.alloc(BLOCK) })
}

fn free<A: GlobalAlloc>(allocator: &A, Block(start): Block) {
    // SAFETY: allocated with this layout.
    unsafe { allocator.dealloc(start, BLOCK) };
}

fn assert_possible(totals: &Totals) {
    assert!(
        totals.bytes >= bytes(HELD) - BYTES
            && totals.bytes <= totals.peak_bytes
            && totals.peak_bytes <= bytes(MOST) + BYTES,
        "{totals:?}"
    );
    assert!(
        totals.allocations <= totals.peak_allocations
            && totals.peak_allocations <= MOST + ALLOCATIONS,
        "{totals:?}"
    );
}

/// Returns the live bytes of the scope in this frame.
fn published(recorder: &mut Recorder) -> f64 {
    publish();
    for_each_group(|group| {
        if group.group == "crossed" {
            assert!(
                group.bytes >= bytes(HELD) - BYTES
                    && group.peak_bytes <= bytes(MOST) + BYTES
                    && (HELD..=MOST).contains(&group.allocations),
                "{group:?}"
            );
        }
    });
    recorder.end_frame();
    find("memory/scopes/crossed/total")
        .and_then(|series| recorder.peek(series))
        .unwrap_or_default()
}

/// Polls while one thread allocates `blocks` and another one frees them.
fn poll<M: Mode>(allocator: &TrackingAllocator<Liar, M>, blocks: usize, mut read: impl FnMut()) {
    let (to, from) = mpsc::sync_channel(WAITING);
    let is_over = &AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(move || from.into_iter().for_each(|block| free(allocator, block)));
        scope.spawn(move || {
            for _ in 0..blocks {
                assert!(to.send(allocate(allocator)).is_ok());
            }
            is_over.store(true, Ordering::Relaxed);
        });
        while !is_over.load(Ordering::Relaxed) {
            read();
        }
    });
}

fn blocks_cross<M: Mode + 'static>(allocator: &TrackingAllocator<Liar, M>, has_groups: bool) {
    const BLOCKS: usize = 40_000;
    let mut recorder = Recorder::new();
    reset_peak();
    let begun = totals();
    let held: Vec<_> = (0..HELD).map(|_| allocate(allocator)).collect();
    poll(allocator, BLOCKS, || assert_possible(&totals()));
    if has_groups {
        poll(allocator, BLOCKS, || {
            assert_eq!(CROSSED.check(BYTES as usize), Ok(()))
        });
        published(&mut recorder);
        poll(allocator, BLOCKS, || {
            let shown = published(&mut recorder);
            // Blocks that nobody freed are never missing, and freed ones never there.
            assert!(
                (bytes(HELD) as f64..=bytes(MOST) as f64).contains(&shown),
                "{shown}"
            );
        });
    }
    let ended = totals();
    assert_eq!((ended.bytes, ended.allocations), (bytes(HELD), HELD));
    let made = if has_groups { 3 * BLOCKS } else { BLOCKS } as u64 + HELD;
    assert_eq!(ended.allocations_made, begun.allocations_made + made);
    assert_possible(&ended);
    if has_groups {
        assert_eq!(published(&mut recorder), bytes(HELD) as f64);
        let room = (MOST + 1 - HELD) as usize * BLOCK.size();
        assert_eq!(CROSSED.check(room), Ok(()));
        assert!(CROSSED.check(room + 1).is_err());
    }
    held.into_iter().for_each(|block| free(allocator, block));
    assert_eq!(groups_over_budget(), []);
    assert_eq!((totals().bytes, totals().allocations), (0, 0));
}

static COUNT: TrackingAllocator<Liar, Count> = TrackingAllocator::new(Liar);
static TAGS: TrackingAllocator<Liar, Tags> = TrackingAllocator::new(Liar);
static RECORDS: TrackingAllocator<Liar, Records> = TrackingAllocator::new(Liar);

#[test]
fn no_reader_sees_more_memory_than_there_is() {
    blocks_cross(&TAGS, true);
    blocks_cross(&RECORDS, true);
    blocks_cross(&COUNT, false);
}
