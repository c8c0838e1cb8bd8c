//! Two threads that add to one counter at the same time, compared with one thread.

use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use stats_bench::{Bar, Contest, Table};
use stats_core::{Counter, Recorder};

use crate::adding::{self, plain_add};

/// Enough operations that the start of the threads does not matter.
const OPS: u64 = 2 * 1024 * 1024;

static SHARED: Counter = Counter::new("bench/together");

/// Runs the same work on each of `threads` threads, which begin together.
pub(crate) fn on(threads: usize, work: impl Fn() + Sync) {
    let barrier = Barrier::new(threads);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                barrier.wait();
                work();
            });
        }
    });
}

pub(crate) fn measure(table: &mut Table) {
    let n = black_box(1_u32);
    let shared = AtomicU64::new(0);
    let mut recorder = Recorder::new();
    let watch = recorder.watch(SHARED.id());
    // The floor shows the cost of the other processor being busy as well.
    let plain = move || {
        let mut own = 0.0;
        (0..OPS).for_each(|_| plain_add(&mut own, f64::from(n)));
    };
    let add = move || (0..OPS).for_each(|_| SHARED.add(n));
    let fetch_add = || {
        (0..OPS / 8).for_each(|_| {
            black_box(shared.fetch_add(u64::from(n), Ordering::Relaxed));
        });
    };
    // As in `adding::sixteen`, these adds do not wait for each other.
    let shared_sixteen = [const { AtomicU64::new(0) }; 16];
    let add_sixteen = move || (0..OPS / 16).for_each(|_| adding::add_to_sixteen(n));
    let fetch_add_sixteen = || {
        for _ in 0..OPS / 128 {
            for shared in &shared_sixteen {
                black_box(shared.fetch_add(u64::from(n), Ordering::Relaxed));
            }
        }
    };
    let outcome = Contest::new()
        .with(OPS, || on(1, plain))
        .with(OPS, || on(2, plain))
        .with(OPS, || on(1, add))
        .with(OPS, || on(2, add))
        .with(OPS / 8, || on(2, fetch_add))
        .with(OPS, || on(2, add_sixteen))
        .with(OPS / 8, || on(2, fetch_add_sixteen))
        .run();
    recorder.end_frame();
    let lost =
        (3 * OPS * ROUNDS_AND_WARM_UP) as f64 - recorder.history(&watch, 1).last().unwrap_or(0.0);
    let mut row = |what, a, b, bar| {
        table.row(
            what,
            &[outcome.ns(a), outcome.ns(b)],
            outcome.ratio(a, b),
            "×",
            bar,
        )
    };
    row(
        "two threads on one counter / one thread",
        3,
        2,
        Bar::AtMost(1.1),
    );
    row(
        "the same / two threads with a plain `*p += n` each",
        3,
        1,
        Bar::AtMost(1.15),
    );
    row(
        "integer `fetch_add`, two threads on one / `add`, two threads on one",
        4,
        3,
        Bar::AtLeast(10.0),
    );
    row(
        "integer `fetch_add`, two threads on sixteen in turn / `add`, the same",
        6,
        5,
        Bar::AtLeast(10.0),
    );
    table.row(
        "adds that two threads on one counter lost",
        &[],
        lost.abs(),
        "",
        Bar::AtMost(0.0),
    );
}

/// The number of times that a contest runs each contender, including the warm-up.
pub(crate) const ROUNDS_AND_WARM_UP: u64 = stats_bench::ROUNDS as u64 + 1;
