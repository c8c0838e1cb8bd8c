use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use stats_core::{Counter, CounterHandle, LocalCounter, Recorder, counter};

use crate::{Random, values};

fn is_send_and_sync<T: Send + Sync + Copy + 'static>(_: T) {}

#[test]
fn handles_can_be_sent_to_other_threads() {
    is_send_and_sync(counter("test/threads/send"));
    is_send_and_sync(stats_core::gauge("test/threads/send-gauge"));
    is_send_and_sync(stats_core::timer("test/threads/send-timer"));
    is_send_and_sync(stats_core::up_down_counter("test/threads/send-level"));
}

/// Adds when it is dropped: for a thread-local, when its thread ends.
struct AddsAtExit(CounterHandle, u64);

impl Drop for AddsAtExit {
    fn drop(&mut self) {
        self.0.add(self.1);
        let mut local = self.0.local();
        local += 1;
        local += 1;
    }
}

/// Like [`AddsAtExit`], but adds only once.
struct AddsOnce(CounterHandle);

impl Drop for AddsOnce {
    fn drop(&mut self) {
        self.0.increment();
    }
}

thread_local! {
    static BEFORE: RefCell<Option<AddsAtExit>> = const { RefCell::new(None) };
    static AFTER: RefCell<Option<AddsAtExit>> = const { RefCell::new(None) };
    static ONCE: RefCell<Option<AddsOnce>> = const { RefCell::new(None) };
    static KEPT: Kept = const { Kept(RefCell::new(None)) };
}

#[test]
fn frames_add_up_to_all_adds_while_threads_come_and_go() {
    static CHURN: Counter = Counter::new("test/threads/churn");
    let (added, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        let recorders: Vec<_> = (0..3)
            .map(|_| {
                let mut recorder = Recorder::with_history(1 << 20);
                let watch = recorder.watch(CHURN.id());
                let stop = &stop;
                scope.spawn(move || {
                    while !stop.load(Ordering::Acquire) {
                        recorder.end_frame();
                        thread::yield_now();
                    }
                    recorder.end_frame();
                    values(&recorder, &watch)
                })
            })
            .collect();
        for round in 0..60 {
            let batch: Vec<_> = (0..8)
                .map(|n| thread::spawn(move || churn(&CHURN, round * 8 + n)))
                .collect();
            for thread in batch {
                added.fetch_add(thread.join().unwrap(), Ordering::Relaxed);
            }
        }
        stop.store(true, Ordering::Release);
        for recorder in recorders {
            let frames = recorder.join().unwrap();
            assert!(
                frames.iter().all(|value| *value >= 0.0),
                "a total never decreases"
            );
            assert_eq!(
                frames.iter().sum::<f64>(),
                added.load(Ordering::Relaxed) as f64
            );
        }
    });
}

/// Adds like a short-lived thread: while it runs, and in two thread-locals that are destroyed
/// before and after the core's own.
fn churn(series: &'static Counter, seed: u64) -> u64 {
    let (mut random, mut added) = (Random::new(seed), 0);
    let handle = counter("test/threads/churn");
    let mut at_exit = || AddsAtExit(handle, random.below(50));
    let (before, after) = (at_exit(), at_exit());
    added += before.1 + after.1 + 4;
    // Registered before the first add, so this one and the one registered afterward are destroyed
    // on different sides of the core's guard.
    BEFORE.set(Some(before));
    for _ in 0..random.below(2000) {
        let n = random.below(9);
        series.add(n);
        added += n;
    }
    AFTER.set(Some(after));
    added
}

/// Continues to count when its thread ends, after the core's guard is dropped, because it was
/// created before the guard.
struct Kept(RefCell<Option<LocalCounter>>);

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(mut local) = self.0.take() {
            (0..1000).for_each(|_| local += 1);
        }
    }
}

#[test]
fn a_local_counter_that_outlives_its_thread_shares_its_cell_with_no_thread() {
    static KEPT_COUNTER: Counter = Counter::new("test/threads/kept");
    let mut recorder = Recorder::new();
    let watch = recorder.watch(KEPT_COUNTER.id());
    for _ in 0..20 {
        let threads = [(); 4].map(|()| {
            thread::spawn(|| {
                KEPT.with(|_| ());
                KEPT.with(|kept| kept.0.replace(Some(KEPT_COUNTER.local())));
                (0..1000).for_each(|_| KEPT_COUNTER.increment());
            })
        });
        threads
            .into_iter()
            .for_each(|thread| thread.join().unwrap());
    }
    recorder.end_frame();
    assert_eq!(values(&recorder, &watch), [20.0 * 4.0 * 2000.0]);
}

#[test]
fn a_thousand_threads_one_after_the_other_share_a_few_sets_of_cells() {
    let series = counter("test/threads/adopted");
    let mut recorder = Recorder::new();
    let watch = recorder.watch(series.id());
    let before = stats_core::cell_block_sets();
    for _ in 0..1000 {
        thread::spawn(move || series.increment()).join().unwrap();
    }
    recorder.end_frame();
    assert_eq!(values(&recorder, &watch), [1000.0]);
    // Other tests run threads at the same time.
    assert!(
        (1..before + 100).contains(&stats_core::cell_block_sets()),
        "{} sets",
        stats_core::cell_block_sets()
    );
}

#[test]
fn threads_that_count_in_destructors_leave_their_cells_to_others() {
    let series = counter("test/threads/exit-only");
    let mut recorder = Recorder::new();
    let watch = recorder.watch(series.id());
    let before = stats_core::cell_block_sets();
    for _ in 0..1000 {
        let thread = thread::spawn(move || {
            ONCE.set(Some(AddsOnce(series)));
            // Creates the core's guard, which is therefore destroyed before the value that existed
            // first.
            series.increment();
        });
        thread.join().unwrap();
    }
    recorder.end_frame();
    assert_eq!(values(&recorder, &watch), [2000.0]);
    assert!(
        (1..before + 100).contains(&stats_core::cell_block_sets()),
        "{} sets",
        stats_core::cell_block_sets()
    );
}

#[test]
fn threads_that_race_to_register_one_path_agree() {
    for round in 0..50 {
        let path: &str = &format!("test/threads/register/{round}");
        let barrier = &std::sync::Barrier::new(4);
        let ids = thread::scope(|scope| {
            [(); 4]
                .map(|()| {
                    scope.spawn(move || {
                        barrier.wait();
                        let series = counter(path);
                        series.increment();
                        series.id()
                    })
                })
                .map(|thread| thread.join().unwrap())
        });
        assert!(ids.iter().all(|id| *id == ids[0]));
    }
}

#[test]
fn threads_that_race_to_use_a_static_first_lose_nothing() {
    static RACED: [Counter; 64] = [const { Counter::new("test/threads/raced") }; 64];
    let mut recorder = Recorder::new();
    let watch = recorder.watch(counter("test/threads/raced").id());
    for series in &RACED {
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| series.increment());
            }
        });
    }
    recorder.end_frame();
    assert_eq!(values(&recorder, &watch), [256.0]);
}

#[test]
fn sets_of_cells_are_counted_in_every_block() {
    let all: Vec<_> = (0..3000)
        .map(|n| counter(&format!("test/threads/sets/{n}")))
        .collect();
    let last = all[2999];
    let barrier = &std::sync::Barrier::new(40);
    thread::scope(|scope| {
        for _ in 0..40 {
            scope.spawn(move || {
                last.increment();
                barrier.wait();
            });
        }
    });
    assert!(stats_core::cell_block_sets() >= 40);
}
