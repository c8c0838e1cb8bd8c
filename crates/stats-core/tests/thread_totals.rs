//! Totals that a function reads at the end of a frame. A process has one such function, so these
//! tests have a process of their own.
#![cfg(feature = "enabled")]

use std::cell::Cell;
use std::sync::Mutex;

use stats_core::{
    Problem, Recorder, SeriesId, SeriesKind, Unit, add_thread_total, counter, find,
    for_each_series, problems, report, set_thread_totals,
};
use stats_testing::allocations;

#[global_allocator]
static ALLOCATOR: stats_testing::Counting = stats_testing::Counting;

thread_local! {
    static THREAD: Cell<u64> = const { Cell::new(0) };
    static TOTAL: Cell<f64> = const { Cell::new(0.0) };
    static READS: Cell<u64> = const { Cell::new(0) };
}

/// The tests add series, and count who reads them.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn read(totals: &mut [f64]) -> u64 {
    READS.set(READS.get() + 1);
    totals.iter_mut().for_each(|total| *total = TOTAL.get());
    THREAD.get()
}

/// Runs a test as thread `thread`, with a series of its own.
fn with_series(path: &str, thread: u64, test: impl FnOnce(SeriesId)) {
    let _alone = ONE_AT_A_TIME
        .lock()
        .unwrap_or_else(|error| error.into_inner());
    set_thread_totals(read);
    let number = add_thread_total(path, Unit::Milliseconds, "a test").expect("it is new");
    assert_eq!(
        add_thread_total(path, Unit::Milliseconds, "a test"),
        Some(number)
    );
    THREAD.set(thread);
    test(find(path).expect("it is listed"));
}

/// Adds to the total of the calling thread, and ends a frame.
fn frame(recorder: &mut Recorder, ms: f64) {
    TOTAL.set(TOTAL.get() + ms);
    recorder.end_frame();
}

fn history(recorder: &Recorder, watch: &stats_core::Watch) -> Vec<Option<f64>> {
    let frames = recorder.history(watch, usize::MAX);
    frames.frames().map(|frame| frames.at(frame)).collect()
}

#[test]
fn each_recorder_takes_its_own_difference() {
    with_series("difference", 1, |id| {
        let [mut often, mut rarely] = [Recorder::new(), Recorder::new()];
        let watches = [often.watch(id), rarely.watch(id)];
        for round in 0..3 {
            for ms in [1.0, 2.5, 4.0] {
                frame(&mut often, ms + f64::from(round));
            }
            rarely.end_frame();
        }
        let known = [None, Some(2.5), Some(4.0), Some(2.0), Some(3.5), Some(5.0)];
        assert_eq!(history(&often, &watches[0])[..6], known);
        assert_eq!(
            history(&rarely, &watches[1]),
            [None, Some(10.5), Some(13.5)]
        );
    });
}

#[test]
fn nothing_is_read_while_nobody_asks() {
    with_series("unwatched", 1, |id| {
        let mut recorder = Recorder::new();
        let watch_other = recorder.watch(counter("something/else").id());
        let reads = READS.get();
        (0..10).for_each(|_| recorder.end_frame());
        recorder.restart_frame();
        assert_eq!(READS.get(), reads);
        let watch = recorder.watch(id);
        (0..10).for_each(|_| frame(&mut recorder, 1.0));
        assert_eq!(READS.get(), reads + 10, "once a frame");
        drop(watch);
        recorder.end_frame();
        let reads = READS.get();
        (0..10).for_each(|_| frame(&mut recorder, 1.0));
        assert_eq!(READS.get(), reads);
        // The time in between belongs to no frame.
        let watch = recorder.watch(id);
        (0..2).for_each(|_| frame(&mut recorder, 1.0));
        assert_eq!(history(&recorder, &watch), [None, Some(1.0)]);
        drop(watch_other);
    });
}

#[test]
fn a_frame_that_ends_on_another_thread_is_unknown() {
    with_series("moved", 1, |id| {
        let mut recorder = Recorder::new();
        let watch = recorder.watch(id);
        (0..2).for_each(|_| frame(&mut recorder, 1.0));
        let mut recorder = std::thread::spawn(move || {
            THREAD.set(2);
            TOTAL.set(700.0);
            (0..2).for_each(|_| frame(&mut recorder, 3.0));
            recorder
        })
        .join()
        .expect("it does not panic");
        frame(&mut recorder, 1.0);
        THREAD.set(0);
        (0..2).for_each(|_| frame(&mut recorder, 1.0));
        THREAD.set(1);
        (0..2).for_each(|_| frame(&mut recorder, 1.0));
        let expected = [
            None,
            Some(1.0),
            None,
            Some(3.0),
            None,
            None,
            None,
            None,
            Some(1.0),
        ];
        assert_eq!(history(&recorder, &watch), expected);
    });
}

#[test]
fn unknown_totals_are_absent_and_shrinking_ones_are_0() {
    with_series("unknown", 1, |id| {
        let mut recorder = Recorder::new();
        let watch = recorder.watch(id);
        for total in [5.0, 6.0, f64::NAN, 8.0, 9.5, 9.0, f64::INFINITY, 11.0] {
            TOTAL.set(total);
            recorder.end_frame();
        }
        let expected = [
            None,
            Some(1.0),
            None,
            None,
            Some(1.5),
            Some(0.0),
            None,
            None,
        ];
        assert_eq!(history(&recorder, &watch), expected);
        TOTAL.set(0.0);
    });
}

#[test]
fn a_frame_that_was_restarted_begins_there() {
    with_series("restarted", 1, |id| {
        let mut recorder = Recorder::new();
        let watch = recorder.watch(id);
        TOTAL.set(TOTAL.get() + 50.0);
        recorder.restart_frame();
        frame(&mut recorder, 2.0);
        TOTAL.set(TOTAL.get() + 50.0);
        recorder.restart_frame();
        frame(&mut recorder, 3.0);
        assert_eq!(history(&recorder, &watch), [Some(2.0), Some(3.0)]);
    });
}

#[test]
fn a_frame_that_was_restarted_before_anyone_asked_is_unknown() {
    with_series("restarted-early", 1, |id| {
        let mut recorder = Recorder::new();
        let watch = recorder.watch(id);
        (0..2).for_each(|_| frame(&mut recorder, 1.0));
        drop(watch);
        frame(&mut recorder, 1.0);
        TOTAL.set(TOTAL.get() + 50.0);
        recorder.restart_frame();
        let watch = recorder.watch(id);
        (0..2).for_each(|_| frame(&mut recorder, 2.0));
        assert_eq!(history(&recorder, &watch), [None, Some(2.0)]);
    });
}

#[test]
fn peeks_and_surveys_have_the_same_values() {
    with_series("read", 1, |id| {
        let mut recorder = Recorder::new();
        let surveyed = |recorder: &mut Recorder| {
            let survey = recorder.survey().unwrap_or_default();
            assert!(survey.iter().all(|(_, value)| value.value.is_finite()));
            survey.value(id)
        };
        for expected in [None, None, Some(1.5), Some(1.5)] {
            assert_eq!(recorder.peek(id), expected);
            assert_eq!(surveyed(&mut recorder), expected);
            frame(&mut recorder, 1.5);
        }
    });
}

#[test]
fn frames_do_not_allocate() {
    with_series("steady", 1, |id| {
        let mut recorder = Recorder::new();
        let watch = recorder.watch(id);
        recorder.survey();
        (0..3).for_each(|_| frame(&mut recorder, 1.0));
        let allocations = allocations(|| {
            for _ in 0..50 {
                frame(&mut recorder, 1.0);
                recorder.survey();
            }
        });
        assert_eq!(allocations, 0);
        drop(watch);
    });
}

#[test]
fn it_is_a_counter_that_no_report_adds_up() {
    with_series("listed", 1, |id| {
        let mut listed = 0;
        for_each_series(|info| {
            if info.id == id {
                listed += 1;
                assert_eq!(
                    (info.kind, info.unit),
                    (SeriesKind::Counter, Unit::Milliseconds)
                );
                assert_eq!(info.description, Some("a test"));
            }
        });
        assert_eq!(listed, 1);
        // What a program adds to it does not appear.
        counter("listed").unit(Unit::Milliseconds).add(7);
        let mut recorder = Recorder::new();
        let watch = recorder.watch(id);
        (0..2).for_each(|_| frame(&mut recorder, 1.0));
        assert_eq!(history(&recorder, &watch), [None, Some(1.0)]);
        drop(report());
    });
}

#[test]
fn a_path_that_the_program_has_used_stays_its_own() {
    with_series("another", 1, |_| {
        let own = counter("taken");
        assert_eq!(
            add_thread_total("taken", Unit::Milliseconds, "a test"),
            None
        );
        let is_reported = |problem: &Problem| matches!(problem, Problem::ReservedPath { given, .. } if given == "taken");
        assert_eq!(
            problems()
                .iter()
                .filter(|problem| is_reported(problem))
                .count(),
            1
        );
        let mut recorder = Recorder::new();
        let watch = recorder.watch(own.id());
        own.add(3);
        recorder.end_frame();
        assert_eq!(history(&recorder, &watch), [Some(3.0)]);
    });
}
