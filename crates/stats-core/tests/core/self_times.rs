//! Self times, parents and threads of timers.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use stats_core::{
    Problem, Recorder, ScopeTime, SeriesId, SeriesInfo, SeriesKind, Source, Timer, TimerHandle,
    TimerScope, Unit, counter, for_each_series, problems, timer,
};

use crate::{Random, values};

/// Spins for `us` microseconds.
fn work(us: u64) {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_micros(us) {
        std::hint::spin_loop();
    }
}

fn info(id: SeriesId) -> SeriesInfo<'static> {
    let mut found = None;
    for_each_series(|info| found = found.or((info.id == id).then_some(info)));
    found.expect("the series is listed")
}

/// Reads some timers, frame by frame.
struct Sums {
    recorder: Recorder,
    watches: Vec<[stats_core::Watch; 3]>,
}

impl Sums {
    fn of(timers: &[TimerHandle]) -> Self {
        let mut recorder = Recorder::new();
        let watches = timers
            .iter()
            .map(|timer| {
                [timer.id(), timer.self_id(), timer.calls_id()].map(|id| recorder.watch(id))
            })
            .collect();
        Self { recorder, watches }
    }

    /// Ends a frame. Returns milliseconds, self time and calls of each timer in it.
    fn end_frame(&mut self) -> Vec<[f64; 3]> {
        self.recorder.end_frame();
        let last = |watch| {
            self.recorder
                .history(watch, 1)
                .last()
                .expect("a frame ended")
        };
        self.watches
            .iter()
            .map(|watches| watches.each_ref().map(last))
            .collect()
    }
}

fn total_self(frame: &[[f64; 3]]) -> f64 {
    frame.iter().map(|[_, own, _]| own).sum()
}

#[track_caller]
fn assert_close(left: f64, right: f64) {
    assert!(
        (left - right).abs() <= 1e-9 * left.abs().max(1.0),
        "{left} and {right}"
    );
}

#[test]
fn the_time_of_a_timer_is_its_self_time_plus_the_timers_inside_it() {
    let [outer, middle, inner, second] =
        ["outer", "middle", "inner", "second"].map(|name| timer(&format!("test/self/tree/{name}")));
    let mut sums = Sums::of(&[outer, middle, inner, second]);
    let early = |leave: bool| {
        let _scope = second.scope();
        work(20);
        if leave {
            return 1;
        }
        work(20);
        2
    };
    for _ in 0..20 {
        outer.time(|| {
            work(30);
            middle.time(|| {
                work(10);
                inner.time(|| work(20));
                inner.time(|| work(20));
            });
            early(true);
            early(false);
        });
        let [outer, middle, inner, second] = sums.end_frame()[..] else {
            panic!("four timers")
        };
        assert_close(outer[0], outer[1] + middle[0] + second[0]);
        assert_close(middle[0], middle[1] + inner[0]);
        assert_close(inner[0], inner[1]);
        assert_close(second[0], second[1]);
        assert!(outer[1] >= 0.03 && middle[1] >= 0.01 && inner[1] >= 0.04);
        assert_eq!(
            [outer[2], middle[2], inner[2], second[2]],
            [1.0, 1.0, 2.0, 2.0]
        );
    }
}

#[test]
fn recursion_counts_no_moment_twice() {
    let (around, function) = (timer("test/self/around"), timer("test/self/recursive"));
    let mut sums = Sums::of(&[around, function]);
    fn recurse(function: TimerHandle, levels: u32) {
        let _scope = function.scope();
        work(5);
        if levels > 1 {
            recurse(function, levels - 1);
        }
    }
    // Deeper than the stack of scopes.
    for levels in [1, 2, 60, 63, 64, 200] {
        around.time(|| recurse(function, levels));
        let [around, function] = sums.end_frame()[..] else {
            panic!("two timers")
        };
        assert_close(around[0], around[1] + function[1]);
        assert_eq!(function[2], f64::from(levels));
        assert!(function[1] >= 0.005 * f64::from(levels));
        assert!(levels == 1 || function[0] > function[1]);
    }
}

/// A program of random scopes on one thread. Some panic, end out of order, or end on another
/// thread.
struct Program<'a> {
    random: Random,
    timers: &'a [TimerHandle],
    kept: Vec<TimerScope>,
    other_thread: mpsc::Sender<TimerScope>,
}

impl Program<'_> {
    fn run(&mut self, depth: u32) {
        for _ in 0..self.random.below(4) {
            let timer = self.timers[self.random.index(self.timers.len())];
            let scope = timer.scope();
            work(self.random.below(4));
            if depth > 0 {
                self.run(depth - 1);
            }
            match self.random.below(12) {
                0 => {
                    // The panic ends the scope, and a nested one.
                    let nested = self.timers[0];
                    catch_unwind(AssertUnwindSafe(|| {
                        let _scope = scope;
                        let _nested = nested.scope();
                        resume_unwind(Box::new("on purpose"));
                    }))
                    .unwrap_err();
                }
                1 => self.other_thread.send(scope).expect("the thread runs"),
                2 => self.kept.push(scope),
                3 => {
                    drop(scope);
                    self.kept.pop();
                }
                4 => std::mem::forget(scope),
                _ => drop(scope),
            }
        }
    }
}

#[test]
fn self_times_of_a_thread_add_up_to_its_outermost_scopes_for_any_program() {
    for seed in 0..60 {
        let timers: Vec<TimerHandle> = (0..6)
            .map(|n| timer(&format!("test/self/random/{seed}/{n}")))
            .collect();
        let outermost = timer(&format!("test/self/random/{seed}/outermost"));
        let all: Vec<TimerHandle> = timers.iter().copied().chain([outermost]).collect();
        let mut sums = Sums::of(&all);
        let (other_thread, moved) = mpsc::channel::<TimerScope>();
        let other = thread::spawn(move || moved.iter().for_each(drop));
        let mut program = Program {
            random: Random::new(seed),
            timers: &timers,
            kept: Vec::new(),
            other_thread,
        };
        for _ in 0..3 {
            outermost.time(|| program.run(4));
        }
        let Program {
            kept, other_thread, ..
        } = program;
        drop((kept, other_thread));
        other.join().unwrap();
        let frame = sums.end_frame();
        let outermost = frame[timers.len()][0];
        assert_close(total_self(&frame), outermost);
        assert!(frame.iter().all(|[ms, own, _]| *own >= 0.0 && own <= ms));
    }
}

#[test]
fn self_times_and_time_in_no_scope_add_up_to_the_frame() {
    let all = ["frame", "a", "b"].map(|name| timer(&format!("test/self/frame/{name}")));
    let mut sums = Sums::of(&all);
    // Scopes of other threads are not part of the frame.
    let elsewhere = timer("test/self/frame/elsewhere");
    let stop = Arc::new(AtomicBool::new(false));
    let is_stopped = Arc::clone(&stop);
    let other = thread::spawn(move || {
        while !is_stopped.load(Ordering::Relaxed) {
            elsewhere.time(|| work(10));
        }
    });
    let mut ended = Instant::now();
    sums.end_frame();
    for _ in 0..200 {
        let scope = all[0].scope();
        let before = ended.elapsed();
        all[1].time(|| {
            work(20);
            all[2].time(|| work(20));
        });
        all[2].time(|| work(20));
        let left = Instant::now();
        drop(scope);
        ended = Instant::now();
        let busy_ms = total_self(&sums.end_frame());
        // From before the clock of a frame's end is read until after that of a scope's begin, and back.
        let outside_ms = (before + left.elapsed()).as_secs_f64() * 1e3;
        let frame_ms = sums.recorder.frame_times(1).last().expect("a frame ended");
        let rest = frame_ms - busy_ms;
        assert!(rest >= -1e-3 * frame_ms, "{busy_ms} of {frame_ms}");
        assert!(
            rest <= outside_ms + 1e-3 * frame_ms,
            "{rest} ms are in no scope, {outside_ms} ms were outside"
        );
    }
    stop.store(true, Ordering::Relaxed);
    other.join().unwrap();
}

#[test]
fn a_scope_that_ends_on_another_thread_subtracts_nothing_on_its_own() {
    let (outer, moved, inside) = (
        timer("test/self/moved/outer"),
        timer("test/self/moved/moved"),
        timer("test/self/moved/inside"),
    );
    let mut sums = Sums::of(&[outer, moved, inside]);
    outer.time(|| {
        let scope = moved.scope();
        inside.time(|| work(50));
        thread::spawn(move || drop(scope)).join().unwrap();
        inside.time(|| work(50));
    });
    let [outer, moved, inside] = sums.end_frame()[..] else {
        panic!("three timers")
    };
    assert_eq!((moved[1], moved[2]), (0.0, 1.0));
    assert_close(outer[0], outer[1] + inside[0]);
    // Later scopes are not inside the moved scope, although no scope around it has ended.
    let later = timer("test/self/moved/later");
    let scope = timer("test/self/moved/moved").scope();
    thread::spawn(move || drop(scope)).join().unwrap();
    later.time(|| ());
    assert_eq!(info(later.id()).parent, None);
}

#[test]
fn recorded_times_are_self_time_and_are_not_subtracted_from_a_scope() {
    let (around, recorded) = (
        timer("test/self/recorded/around"),
        timer("test/self/recorded"),
    );
    let mut sums = Sums::of(&[around, recorded]);
    around.time(|| {
        work(10);
        recorded.record_ms(50.0);
        recorded.record_ms(-1.0);
    });
    let [around, recorded] = sums.end_frame()[..] else {
        panic!("two timers")
    };
    assert_eq!(recorded, [49.0, 49.0, 2.0]);
    assert_close(around[0], around[1]);
    let listed = info(timer("test/self/recorded").id());
    assert_eq!((listed.parent, listed.thread), (None, None));
}

#[test]
fn a_timer_is_listed_with_its_self_time_parent_thread_and_wait() {
    static PRESENT: Timer = Timer::new("test/self/listed/present").wait();
    let frame = timer("test/self/listed/frame");
    let late = stats_core::DeferredSource::new().timer("test/self/listed/late");
    let listed = info(PRESENT.id());
    assert_eq!((listed.parent, listed.thread), (None, None));
    let run = move || frame.time(|| PRESENT.time(|| ()));
    let named = |name: &str| thread::Builder::new().name(name.to_owned());
    named("test-self-a").spawn(run).unwrap().join().unwrap();
    let listed = info(PRESENT.id());
    assert_eq!(
        (
            listed.self_time,
            listed.parent,
            listed.thread,
            listed.is_wait
        ),
        (
            Some(PRESENT.self_id()),
            Some(frame.id()),
            Some("test-self-a"),
            true
        )
    );
    let outer = info(frame.id());
    assert_eq!((outer.parent, outer.is_wait), (None, false));
    assert!(info(timer("test/self/listed/late-set").wait().id()).is_wait);
    let others = [late.id(), counter("test/self/listed/counter").id()].map(info);
    assert!(
        others
            .iter()
            .all(|info| info.self_time.is_none() && info.parent.is_none())
    );
    // On two threads at once: no single thread.
    let barrier = std::sync::Barrier::new(2);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                PRESENT.time(|| ());
                barrier.wait();
            });
        }
    });
    let listed = info(PRESENT.id());
    assert_eq!((listed.parent, listed.thread), (None, None));
    for_each_series(|info| assert!(!info.kind.is_companion(), "{info:?}"));
    assert!(SeriesKind::TimerSelf.is_companion() && SeriesKind::TimerSelf.is_per_frame());
    assert_eq!(listed.unit, Unit::Milliseconds);
}

#[test]
fn the_recorder_knows_the_thread_of_its_frames() {
    let mut recorder = Recorder::new();
    assert_eq!(recorder.frame_thread(), None);
    let timer = timer("test/self/frame-thread");
    let run = move || {
        timer.time(|| ());
        recorder.end_frame();
        recorder.frame_thread().map(str::to_owned)
    };
    let ended_by = thread::spawn(run).join().unwrap();
    assert!(ended_by.as_deref().unwrap().starts_with("thread "));
    assert_eq!(info(timer.id()).thread, ended_by.as_deref());
}

#[test]
fn self_times_are_in_histories_and_peeks() {
    let timer = timer("test/self/read");
    let mut recorder = Recorder::new();
    let watch = recorder.watch(timer.self_id());
    recorder.peek(timer.self_id());
    recorder.end_frame();
    for ms in [3.0, 0.5] {
        timer.record_ms(ms);
        recorder.end_frame();
        assert_eq!(recorder.peek(timer.self_id()), Some(ms));
    }
    assert_eq!(values(&recorder, &watch), [0.0, 3.0, 0.5]);
}

#[test]
fn ending_a_scope_returns_the_time_that_it_adds_for_another_timer_to_add() {
    let (outer, inner) = (timer("test/ended/outer"), timer("test/ended/inner"));
    let by_name = timer("test/ended/by-name");
    let mut sums = Sums::of(&[outer, inner, by_name]);
    let around = outer.scope();
    let scope = inner.scope();
    work(50);
    let inside = scope.end();
    let whole = around.end();
    by_name.record_scope(whole);
    assert_eq!(
        sums.end_frame(),
        [
            [whole.ms, whole.self_ms, 1.0],
            [inside.ms, inside.ms, 1.0],
            [whole.ms, whole.self_ms, 1.0]
        ]
    );
    assert!(inside.ms >= 0.05 && (whole.ms - whole.self_ms - inside.ms).abs() < 1e-9);
    for ms in [f64::NAN, f64::INFINITY] {
        by_name.record_scope(ScopeTime { ms, self_ms: 0.0 });
        by_name.record_scope(ScopeTime {
            ms: 1.0,
            self_ms: ms,
        });
    }
    assert_eq!(sums.end_frame()[2], [0.0; 3], "refused");
}

/// Returns the number of 100 frames with two nested scopes in which any self time is missing.
fn frames_without_self_times(name: &str) -> usize {
    let timers = ["outer", "inner"].map(|scope| timer(&format!("test/self/{name}/{scope}")));
    let mut sums = Sums::of(&timers);
    let is_missing = |_: &i32| {
        timers[0].time(|| {
            work(2);
            timers[1].time(|| work(2));
        });
        let [outer, inner] = sums.end_frame()[..] else {
            panic!("two timers")
        };
        let [outer_self, inner_self] = [outer[1], inner[1]];
        (outer_self + inner_self - outer[0]).abs() > 1e-9 || (inner_self - inner[0]).abs() > 1e-9
    };
    (0..100).filter(is_missing).count()
}

fn is_reported_as_open(path: &str) -> bool {
    let is_it =
        |problem: &Problem| matches!(problem, Problem::OpenScope { path: of } if of == path);
    problems().iter().any(is_it)
}

#[test]
fn forgotten_scopes_take_no_self_time_for_good_and_are_reported() {
    for count in [62, 63, 64, 1000] {
        let name = format!("forgotten/{count}");
        let path = format!("test/self/{name}");
        let forgotten = timer(&path);
        thread::spawn(move || {
            (0..count).for_each(|_| std::mem::forget(forgotten.scope()));
            let missing = frames_without_self_times(&name);
            assert!(missing <= 2, "{count}: {missing} of 100 frames");
        })
        .join()
        .unwrap();
        assert!(is_reported_as_open(&path), "{count}");
    }
}

#[test]
fn any_number_of_scopes_that_end_on_another_thread_take_no_self_time_for_good() {
    let moved = timer("test/self/all-moved");
    // More than are remembered, by threads that begin no scope until all have ended.
    let threads: Vec<_> = (0..20)
        .map(|at| {
            let ((scopes, taken), (go, gone)) = (mpsc::channel(), mpsc::channel());
            let thread = thread::spawn(move || {
                (0..63).for_each(|_| scopes.send(moved.scope()).expect("it is received"));
                drop(scopes);
                let Ok(()) = gone.recv() else {
                    panic!("all scopes have ended")
                };
                frames_without_self_times(&format!("moved/{at}"))
            });
            // All are open before the first ends.
            taken.iter().collect::<Vec<_>>().into_iter().for_each(drop);
            (thread, go)
        })
        .collect();
    for (thread, go) in threads {
        go.send(()).unwrap();
        let missing = thread.join().unwrap();
        assert!(missing <= 2, "{missing} of 100 frames");
    }
    assert!(is_reported_as_open("test/self/all-moved"));
}

#[test]
fn deep_recursions_report_no_open_scope() {
    fn recurse(function: TimerHandle, levels: u32, children: u32) {
        let _scope = function.scope();
        work(1);
        if levels > 1 {
            // Branches at both ends of the limit, and at the leaves.
            let is_branch = levels < 5 || levels.is_multiple_of(16);
            (0..if is_branch { children } else { 1 })
                .for_each(|_| recurse(function, levels - 1, children));
        }
    }
    let paths =
        ["main-loop", "frame", "ai", "function"].map(|name| format!("test/self/deep/{name}"));
    let timers = paths.each_ref().map(|path| timer(path));
    let mut sums = Sums::of(&timers);
    let main_loop = timers[0].scope();
    for levels in [60, 61, 62, 75, 75] {
        timers[1].time(|| {
            work(10);
            timers[2].time(|| {
                work(10);
                recurse(timers[3], levels, 2);
            });
        });
        let values = sums.end_frame();
        assert!(values[1][1] >= 0.01 && values[2][1] >= 0.01, "{values:?}");
        assert_close(total_self(&values), values[1][0]);
    }
    let ended = main_loop.end();
    assert!(ended.self_ms > 0.0 && ended.self_ms < ended.ms);
    for path in &paths {
        assert!(!is_reported_as_open(path), "{path}");
    }
}

#[test]
fn threads_without_a_name_are_numbered() {
    let timers: Vec<TimerHandle> = (0..4)
        .map(|n| timer(&format!("test/self/unnamed/{n}")))
        .collect();
    let barrier = std::sync::Barrier::new(timers.len());
    thread::scope(|scope| {
        for timer in &timers {
            scope.spawn(|| {
                timer.time(|| ());
                barrier.wait();
            });
        }
    });
    let names: BTreeSet<_> = timers.iter().map(|timer| info(timer.id()).thread).collect();
    assert_eq!(names.len(), 4, "{names:?}");
    assert!(
        names
            .iter()
            .all(|name| name.is_some_and(|name| name.starts_with("thread ")))
    );
}
