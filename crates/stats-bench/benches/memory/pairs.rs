//! Allocating and freeing 64 bytes, on one thread and on two at the same time.
#![expect(
    unsafe_code,
    reason = "allocators are called directly, so that all of them are in one process"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use stats_bench::{Bar, Contest, Table};
use stats_memory::{Count, Overrun, Records, Stomp, Tags, TrackingAllocator};

static COUNT: TrackingAllocator<System, Count> = TrackingAllocator::new(System);
static TAGS: TrackingAllocator<System, Tags> = TrackingAllocator::new(System);
static RECORDS: TrackingAllocator<System, Records> = TrackingAllocator::new(System);

/// Pairs on one thread: a few hundred microseconds.
pub(crate) const PAIRS: u64 = 20_000;

/// Pairs on two threads: long enough that both run at the same time for nearly all of it.
pub(crate) const PAIRS_TOGETHER: u64 = 100_000;

fn pair(allocator: &impl GlobalAlloc) {
    let layout = black_box(Layout::new::<[u8; 64]>());
    // SAFETY: freed with the layout it was allocated with, and written within it.
    unsafe {
        let start = black_box(allocator.alloc(layout));
        start.write(1);
        allocator.dealloc(start, layout);
    }
}

/// Allocates and frees. Never inlined, so that all contenders have the same kind of loop.
#[inline(never)]
pub(crate) fn work(allocator: &impl GlobalAlloc, pairs: u64) {
    (0..pairs).for_each(|_| pair(allocator));
}

/// Keeps the thread on one processor. Has no effect on systems without such a call.
fn pin(_processor: usize) {
    #[cfg(target_os = "linux")]
    // SAFETY: the set is zeroed, which is valid, and outlives the call.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(_processor, &mut set);
        libc::sched_setaffinity(0, size_of_val(&set), &raw const set);
    }
}

/// Returns the time of the slowest of several threads, each pinned to its own processor. All start
/// when the last one is ready.
pub(crate) fn together(threads: usize, work: impl Fn() + Sync) -> Duration {
    let ready = AtomicUsize::new(0);
    thread::scope(|scope| {
        let run = |processor| {
            pin(processor);
            work();
            ready.fetch_add(1, Ordering::AcqRel);
            while ready.load(Ordering::Acquire) < threads {
                std::hint::spin_loop();
            }
            let begun = Instant::now();
            (0..PAIRS_TOGETHER / PAIRS).for_each(|_| work());
            begun.elapsed()
        };
        let threads: Vec<_> = (0..threads)
            .map(|processor| scope.spawn(move || run(processor)))
            .collect();
        threads
            .into_iter()
            .filter_map(|thread| thread.join().ok())
            .max()
            .unwrap_or_default()
    })
}

pub(crate) fn measure(table: &mut Table) {
    one_thread(table);
    let outcome = Contest::new()
        .with_own_clock(PAIRS_TOGETHER, run(1, &System))
        .with_own_clock(PAIRS_TOGETHER, run(2, &System))
        .with_own_clock(PAIRS_TOGETHER, run(1, &COUNT))
        .with_own_clock(PAIRS_TOGETHER, run(2, &COUNT))
        .with_own_clock(PAIRS_TOGETHER, run(1, &TAGS))
        .with_own_clock(PAIRS_TOGETHER, run(2, &TAGS))
        .with_own_clock(PAIRS_TOGETHER, run(1, &RECORDS))
        .with_own_clock(PAIRS_TOGETHER, run(2, &RECORDS))
        .run();
    // The ratio of the system's allocator shows the effect of the machine.
    for (at, name, bar) in [
        (0, "the system's allocator", 1.3),
        (2, "Count", 1.15),
        (4, "Tags", 1.15),
        (6, "Records", 1.3),
    ] {
        let what = format!("{name}: two threads, pinned / one thread");
        table.row(
            &what,
            &[outcome.ns(at + 1), outcome.ns(at)],
            outcome.ratio(at + 1, at),
            "×",
            Bar::AtMost(bar),
        );
    }
}

fn run(
    threads: usize,
    allocator: &'static (impl GlobalAlloc + Sync),
) -> Box<dyn FnMut() -> Duration> {
    Box::new(move || together(threads, || work(allocator, PAIRS)))
}

static STOMP: Stomp<Overrun> = Stomp::new();

/// Pairs with guards, which take microseconds.
const GUARDED: u64 = 50;

fn one_thread(table: &mut Table) {
    let guarded = Contest::new().with(GUARDED, || work(&STOMP, GUARDED)).run();
    table.row(
        "allocate and free 64 bytes, Stomp, µs",
        &[],
        guarded.ns(0) / 1e3,
        "µs",
        Bar::AtMost(20.0),
    );
    let outcome = Contest::new()
        .with(PAIRS, || work(&System, PAIRS))
        .with(PAIRS, || work(&COUNT, PAIRS))
        .with(PAIRS, || work(&TAGS, PAIRS))
        .with(PAIRS, || work(&RECORDS, PAIRS))
        .run();
    for (at, name, bar) in [(1, "Count", 1.3), (2, "Tags", 1.7), (3, "Records", 1.9)] {
        let what = format!("allocate and free 64 bytes, {name} / the system's allocator");
        table.row(
            &what,
            &[outcome.ns(at), outcome.ns(0)],
            outcome.ratio(at, 0),
            "×",
            Bar::AtMost(bar),
        );
    }
}
