//! Workers that ran for longer while the thread of the frame had no processor.

use super::system::figure;
use super::{Timed, slow_frame, timed};
use stats_analysis::insight::{Facts, Finding, FrameValues, Hitch, Insight, Role};
use stats_core::{SeriesKind, Unit};

/// A frame with the times of its own thread, and of a worker that ran.
fn crowded(
    longer_ms: f64,
    [running, ready, blocked]: [f64; 3],
    ran_ms: f64,
    timers: &[Timed],
) -> Hitch {
    let ms = Unit::Milliseconds;
    let figures = [
        figure("frame/running", ms, 12.6, 12.6 + running),
        figure("frame/ready", ms, 0.1, 0.1 + ready),
        figure("frame/blocked", ms, 4.0, 4.0 + blocked),
        figure("threads/worker-1/running", ms, 2.0, 2.0 + ran_ms),
    ];
    slow_frame(16.7 + longer_ms, timers, &figures)
}

#[test]
fn a_worker_that_ran_takes_no_time_in_which_the_thread_of_the_frame_had_no_processor() {
    for ready_ms in [7.0, 9.0] {
        let timers = [
            timed("draw", Some("main"), 12.0, 13.0),
            timed("jobs/wait", Some("main"), 2.0, 11.0),
            timed("paths/search", Some("worker-1"), 1.0, 10.0),
        ];
        let hitch = crowded(10.0, [0.0, ready_ms, 10.0 - ready_ms], 9.0, &timers);
        let first = &hitch.findings[0];
        assert_eq!(first.path, "frame/ready", "{hitch:?}");
        assert!((first.share - ready_ms / 10.0).abs() < 0.02, "{hitch:?}");
        assert!(!hitch.verdict.contains("paths/"), "{}", hitch.verdict);
    }
}

#[test]
fn a_running_time_explains_no_more_than_itself() {
    let timers = [
        timed("draw", Some("main"), 8.0, 16.0),
        timed("jobs/wait", Some("main"), 2.0, 11.0),
        timed("io/wait", Some("main"), 2.0, 10.0),
        timed("paths/search", Some("worker-1"), 1.0, 10.0),
        timed("level/read", Some("worker-1"), 1.0, 9.0),
    ];
    let hitch = crowded(25.0, [8.0, 8.0, 9.0], 9.0, &timers);
    let share = |path: &str| {
        let found = hitch.findings.iter().find(|one| one.path == path);
        found.map_or(0.0, |one| one.share)
    };
    assert!((share("paths/search") - 0.36).abs() < 0.02, "{hitch:?}");
    assert!((share("draw") - 0.32).abs() < 0.02, "{hitch:?}");
    assert!(share("level/read") < 0.03, "{hitch:?}");
}

#[test]
fn a_scope_that_explains_a_part_of_a_wait_is_compared_with_the_running_time() {
    let timers = [
        timed("draw", Some("main"), 12.0, 15.0),
        timed("jobs/wait", Some("main"), 2.0, 8.0),
        timed("paths/search", Some("worker-1"), 1.0, 4.6),
    ];
    let hitch = crowded(9.0, [0.0, 3.0, 6.0], 3.6, &timers);
    assert!(
        hitch.verdict.contains("40 % paths/search"),
        "{}",
        hitch.verdict
    );
}

#[test]
fn no_scope_is_a_culprit_beside_a_sentence_without_one() {
    let paths = ["a", "b", "c", "d", "e", "f", "g"];
    let mut timers: Vec<Timed> = (paths.iter().zip(0..))
        .map(|(path, at)| timed(path, Some("main"), 0.5, if at == 0 { 4.7 } else { 1.5 }))
        .collect();
    timers.push(timed("draw", Some("main"), 12.0, 12.0));
    let hitch = crowded(10.2, [6.0, 4.2, 0.0], 0.0, &timers);
    assert!(
        hitch.verdict.contains("no single culprit"),
        "{}",
        hitch.verdict
    );
    let mut culprits = hitch.findings.iter();
    assert!(culprits.all(|one| one.role != Role::Culprit), "{hitch:?}");
}

/// An insight of two waits for a worker with two scopes, and the figures of both threads.
fn of_worker() -> Insight {
    let mut insight = Insight::new();
    insight.set_frame_thread(Some("main"));
    let timers = [
        ("draw", "main"),
        ("jobs/wait", "main"),
        ("paths/search", "worker-1"),
        ("level/read", "worker-1"),
    ];
    for (number, (path, thread)) in (0..).zip(timers) {
        let mut timer = Facts::new(path, SeriesKind::Timer, Unit::Milliseconds);
        timer.is_wait = path == "jobs/wait";
        timer.thread = Some(thread.to_owned());
        insight.set_series(number, timer);
    }
    let figures = ["frame/running", "frame/ready", "threads/worker-1/running"];
    for (number, path) in (4..).zip(figures) {
        let time = Facts::new(path, SeriesKind::Counter, Unit::Milliseconds);
        insight.set_series(number, time);
    }
    insight
}

#[test]
fn scopes_of_a_worker_in_their_usual_range_are_not_named_beside_the_system() {
    let mut insight = of_worker();
    for frame in 0..400_u64 {
        let is_slow = frame == 390;
        let noise_ms = (frame % 7) as f64 / 100.0;
        let vary = |factor: u64| match is_slow {
            true => 8.9,
            false => 1.0 + (frame * factor % 11) as f64 * 0.8,
        };
        let (search, read) = (vary(7), vary(5));
        let wait = 1.0 + noise_ms + if is_slow { 7.8 } else { 0.0 };
        let ready = if is_slow { 48.0 } else { 40.0 };
        let values = [3.0 + ready, wait, search, read, 3.1, ready, search + read];
        insight.take_frame(frame, 3.1 + ready + wait, &values);
        insight.rank_noticed();
    }
    let [hitch] = &insight.hitches().iter().collect::<Vec<_>>()[..] else {
        panic!("{:?}", insight.hitches());
    };
    let mut culprits = hitch.findings.iter();
    let is_scope = |one: &Finding| one.role == Role::Culprit && !one.is_ready;
    assert!(!culprits.any(is_scope), "{hitch:?}");
}

#[test]
fn in_a_range_of_frames_a_worker_must_have_run_for_as_long_as_in_a_noticed_frame() {
    for (search_ms, is_named) in [(3.0, false), (5.0, true)] {
        let values = |search_ms: f64, ready_ms: f64| {
            [
                30.0 + ready_ms,
                5.0 + search_ms,
                1.0 + search_ms,
                0.0,
                30.0,
                ready_ms,
                1.0 + search_ms,
            ]
        };
        let play = |count: usize, search_ms: f64, ready_ms: f64| {
            move |visit: &mut dyn FnMut(FrameValues<'_>)| {
                let ms = 35.0 + ready_ms + search_ms;
                let values = values(search_ms, ready_ms);
                (0..count).for_each(|_| {
                    visit(FrameValues {
                        ms,
                        values: &values,
                    })
                });
            }
        };
        let (chosen, others) = (play(1, search_ms, 6.0), play(60, 0.0, 0.0));
        let hitch = of_worker().explain_among(70, chosen, others, |_| None);
        let verdict = hitch.unwrap().verdict;
        assert_eq!(verdict.contains("paths/search"), is_named, "{verdict}");
    }
}

#[test]
fn a_worker_is_named_in_a_frame_of_the_longer_of_two_kinds() {
    let mut insight = of_worker();
    for frame in 0..400_u64 {
        let is_slow = frame == 391;
        let noise_ms = (frame % 7) as f64 / 100.0;
        let draw = noise_ms + if frame % 2 == 0 { 10.0 } else { 23.0 };
        let more_ms = if is_slow { 6.0 } else { 0.0 };
        let search = 1.0 + noise_ms + more_ms;
        let values = [
            draw + more_ms,
            1.0 + search,
            search,
            0.0,
            draw,
            more_ms,
            search,
        ];
        insight.take_frame(frame, draw + more_ms + 1.0 + search, &values);
        insight.rank_noticed();
    }
    let verdict = &insight.hitches().back().expect("it is noticed").verdict;
    assert!(verdict.contains("50 % paths/search"), "{verdict}");
}
