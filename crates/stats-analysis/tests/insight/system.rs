//! Frames whose time the system knows.

use super::scenario::{FRAMES, Family, Game};
use super::{engine, played, slow_frame, timed};
use stats_analysis::insight::{Facts, Hitch, Insight, Role, is_thread_figure};
use stats_core::{SeriesId, SeriesInfo, SeriesKind, Unit};

/// Returns the number of games in which the first finding is the culprit, and the verdict says why.
fn explained(family: Family) -> usize {
    let is_explained = |seed: &u64| {
        let mut game = Game::new(family, 300, 2_000 + seed);
        let hitch = played(&mut game);
        let is_right = hitch.as_ref().is_some_and(|hitch| {
            let first = &hitch.findings[0].path;
            let is_first = game.culprits.is_empty() || game.culprits.contains(first);
            is_first && hitch.verdict.contains(game.words)
        });
        if !is_right {
            println!(
                "{seed}: {:?}, {:?}",
                game.culprits,
                hitch.map(|hitch| hitch.verdict)
            );
        }
        is_right
    };
    (0..40).filter(is_explained).count()
}

#[test]
fn a_frame_without_a_processor_blames_no_scope() {
    assert!(explained(Family::Preempted) >= 39);
    for seed in 0..40 {
        let mut game = Game::new(Family::Preempted, 300, 2_000 + seed);
        let hitch = played(&mut game).expect("it is noticed");
        let culprits = hitch
            .findings
            .iter()
            .filter(|one| one.role == Role::Culprit);
        let culprits: Vec<&str> = culprits.map(|culprit| culprit.path.as_str()).collect();
        assert_eq!(culprits, ["frame/ready"], "{}", hitch.verdict);
    }
}

#[test]
fn what_took_longer_beside_it_is_still_named() {
    assert!(explained(Family::PreemptedBeside) >= 36);
}

#[test]
fn a_worker_without_a_processor_is_named_in_the_wait_for_it() {
    assert!(explained(Family::PreemptedWorker) >= 38);
}

#[test]
fn a_scope_that_waits_for_a_disk_and_page_faults_are_named() {
    assert!(explained(Family::Disk) >= 38);
    assert!(explained(Family::Faults) >= 38);
}

#[test]
fn a_worker_is_named_for_about_the_time_for_which_the_frame_was_blocked_in_no_declared_wait() {
    // A job of an engine whose main thread waits for it, and which takes 264 ms longer.
    let named = |save_ms: f64, blocked_ms: Option<f64>| {
        let timers = [
            timed("draw", Some("main"), 1.0, 1.0),
            timed("level/save", Some("pool"), 0.0, save_ms),
        ];
        let figures = blocked_ms.map(|blocked_ms| {
            let ms = Unit::Milliseconds;
            [
                figure("frame/running", ms, 3.0, 277.7 - blocked_ms),
                figure("frame/ready", ms, 2.0, 3.0),
                figure("frame/blocked", ms, 11.7, blocked_ms),
            ]
        });
        let hitch = slow_frame(280.7, &timers, figures.as_ref().map_or(&[], |all| all));
        hitch.findings[0].path == "level/save"
    };
    for save_ms in [215.0, 250.0, 263.0, 290.0, 340.0] {
        assert!(named(save_ms, Some(274.7)), "{save_ms}");
    }
    assert!(!named(150.0, Some(274.7)), "it is too short");
    assert!(!named(400.0, Some(274.7)), "it is too long");
    assert!(!named(250.0, Some(11.7)), "the thread ran");
    assert!(!named(250.0, None), "the system does not tell");
}

#[test]
fn time_that_was_blocked_in_a_declared_wait_makes_no_scope_a_wait() {
    for load_ms in [8.0, 9.0, 10.0, 11.0, 13.0] {
        let timers = [
            timed("draw", Some("main"), 4.0, 14.0),
            timed("present", Some("main"), 8.0, 18.0),
            timed("level/load", Some("pool"), 0.0, load_ms),
        ];
        let ms = Unit::Milliseconds;
        let figures = [
            figure("frame/running", ms, 8.6, 18.6),
            figure("frame/ready", ms, 0.1, 0.1),
            figure("frame/blocked", ms, 8.0, 18.0),
        ];
        let hitch = slow_frame(36.7, &timers, &figures);
        let draw = hitch.findings.iter().find(|one| one.path == "draw");
        let draw = draw.filter(|one| one.is_part && one.role == Role::Culprit);
        assert!(draw.is_some(), "{load_ms} {}", hitch.verdict);
    }
}

/// A counter with its usual and its slow value.
pub(super) fn figure(path: &str, unit: Unit, usual: f64, slow: f64) -> (Facts, f64, f64) {
    (Facts::new(path, SeriesKind::Counter, unit), usual, slow)
}

/// The verdict on a frame that is longer by 40 ms in `ai`, and the path of the first finding.
fn long_in_ai(figures: &[(Facts, f64, f64)]) -> (String, String) {
    let timers = [
        timed("ai", Some("main"), 2.0, 42.0),
        timed("render", Some("main"), 14.0, 14.0),
    ];
    let hitch = slow_frame(56.7, &timers, figures);
    (hitch.verdict, hitch.findings[0].path.clone())
}

#[test]
fn files_of_other_programs_may_have_other_units_and_leave_figures_out() {
    let ready = "99 % waiting for a processor";
    let ms = [
        figure("frame/running", Unit::Milliseconds, 16.6, 16.6),
        figure("frame/ready", Unit::Milliseconds, 0.1, 40.0),
    ];
    let seconds = [
        figure("frame/ready", Unit::Seconds, 1e-4, 0.04),
        figure("frame/blocked", Unit::Seconds, 0.0, 0.0),
        figure("frame/running", Unit::Seconds, 0.0166, 0.0166),
    ];
    let busy = [
        figure("frame/running", Unit::Microseconds, 16_600.0, 16_600.0),
        figure("frame/ready", Unit::Microseconds, 100.0, 40_000.0),
        figure("machine/cpu", Unit::Percent, 30.0, 100.0),
    ];
    for figures in [&ms[..], &seconds, &busy] {
        let (verdict, first) = long_in_ai(figures);
        assert!(
            verdict.contains(ready) || verdict.contains("100 % waiting"),
            "{verdict}"
        );
        assert_eq!(
            verdict.contains("(machine "),
            figures.len() == 3 && figures[2].0.path == "machine/cpu"
        );
        assert_eq!(first, "frame/ready");
    }
}

#[test]
fn figures_that_are_no_times_of_the_frame_change_nothing() {
    let before = long_in_ai(&[]);
    assert_eq!(before.1, "ai");
    let of_another_thread = [
        figure("frame/running", Unit::Milliseconds, 3.0, 3.0),
        figure("frame/ready", Unit::Milliseconds, 0.1, 40.0),
        figure("frame/blocked", Unit::Milliseconds, 4.0, 4.0),
    ];
    let without_running = [figure("frame/ready", Unit::Milliseconds, 0.1, 40.0)];
    let unknown = [
        figure("frame/running", Unit::Milliseconds, 16.6, 16.6),
        figure("frame/ready", Unit::Milliseconds, 0.1, f64::NAN),
    ];
    let counts = [
        figure("frame/running", Unit::Count, 16.6, 16.6),
        figure("frame/ready", Unit::Count, 0.1, 40.0),
    ];
    for figures in [&of_another_thread[..], &without_running, &unknown, &counts] {
        let (verdict, first) = long_in_ai(figures);
        assert_eq!(first, "ai", "{verdict}");
        assert!(verdict.starts_with(&before.0), "{verdict} {}", before.0);
    }
}

#[test]
fn an_engine_that_stores_no_paths_names_the_system_too() {
    let mut insight = Insight::compact();
    let infos = [
        ("ai", SeriesKind::Timer),
        ("frame/running", SeriesKind::Counter),
        ("frame/ready", SeriesKind::Counter),
        ("frame/blocked", SeriesKind::Counter),
    ];
    for (number, (path, kind)) in (0..).zip(infos) {
        let mut info = SeriesInfo::new(SeriesId::new(number), path, kind, Unit::Milliseconds);
        info.thread = Some("main");
        insight.set_listed(&info);
    }
    for frame in 0..300_u64 {
        let noise = (frame % 7) as f64 / 40.0;
        let ready = if frame == 250 { 30.0 } else { 0.0 };
        let busy = 8.0 + noise;
        let values = [busy + ready, busy, ready, 0.5];
        if insight.take_frame(frame, busy + ready + 0.5, &values) {
            insight.look_up_paths(|number, text| text.push_str(infos[number as usize].0));
            insight.rank_noticed();
        }
    }
    let hitch = &insight.hitches()[0];
    assert_eq!(hitch.verdict, "+30.1 ms: 100 % waiting for a processor");
    assert_eq!(
        (&*hitch.findings[0].path, hitch.findings[0].series),
        ("frame/ready", Some(2))
    );
    assert!(hitch.repeats.is_some());
}

#[test]
fn figures_of_threads_are_told_by_path_and_unit() {
    for (path, unit, expected) in [
        ("frame/running", Unit::Milliseconds, true),
        ("threads/a/b/ready", Unit::Seconds, true),
        ("frame/page-faults", Unit::Count, true),
        ("frame/page-faults", Unit::Milliseconds, false),
        ("threads/pool/running", Unit::Count, false),
        ("threads/running", Unit::Milliseconds, false),
        ("frame/cpu", Unit::Milliseconds, false),
        ("a/frame/running", Unit::Milliseconds, false),
    ] {
        assert_eq!(is_thread_figure(path, unit), expected, "{path} {unit:?}");
    }
}

#[test]
fn a_scope_that_took_longer_is_named_behind_a_larger_share_of_the_system() {
    let frame = |ai_ms: f64, ready_ms: f64| {
        let longer = ai_ms + ready_ms;
        let timers = [
            timed("ai", Some("main"), 2.0, 2.0 + ai_ms),
            timed("render", Some("main"), 14.0, 14.0 + ready_ms),
        ];
        let figures = [
            figure("frame/running", Unit::Milliseconds, 16.6, 16.6 + ai_ms),
            figure("frame/ready", Unit::Milliseconds, 0.1, 0.1 + ready_ms),
        ];
        slow_frame(16.7 + longer, &timers, &figures).verdict
    };
    for (ai_ms, ready_ms, expected) in [
        (20.0, 60.0, "75 % waiting for a processor, 25 % ai"),
        // Less than a fifth of the excess is not named.
        (10.0, 90.0, "90 % waiting for a processor"),
        (60.0, 20.0, "75 % ai, 25 % waiting for a processor"),
        // Alone, it would not have been noticed.
        (2.0, 60.0, "97 % waiting for a processor"),
    ] {
        let verdict = frame(ai_ms, ready_ms);
        assert!(verdict.ends_with(expected), "{verdict}");
    }
}

#[test]
fn work_of_several_threads_is_not_blamed_for_one_that_had_no_processor() {
    let verdict = |ready_ms: f64| {
        let timers = [
            timed("draw", Some("main"), 12.0, 12.0),
            timed("jobs/wait", Some("main"), 4.0, 34.0),
            timed("flock/steering", None, 8.0, 40.0),
        ];
        let figures = [
            figure("frame/running", Unit::Milliseconds, 12.6, 12.6),
            figure("frame/ready", Unit::Milliseconds, 0.1, 0.1),
            figure(
                "threads/worker-1/ready",
                Unit::Milliseconds,
                0.1,
                0.1 + ready_ms,
            ),
        ];
        slow_frame(46.7, &timers, &figures).verdict
    };
    let busy = verdict(29.0);
    assert!(
        busy.contains("% waiting for a processor in thread worker-1, waited for in jobs/wait"),
        "{busy}"
    );
    let late = verdict(2.0);
    assert!(
        late.contains("% flock/steering, waited for in jobs/wait"),
        "{late}"
    );
}

/// The path of the ready time of a worker.
const WORKER: &str = "threads/worker-1/ready";

/// A frame with two declared waits that are longer by some times, and a worker that had no processor
/// for another time.
fn two_waits(jobs_ms: f64, io_ms: f64, ready_ms: f64) -> Hitch {
    let timers = [
        timed("draw", Some("main"), 12.0, 12.0),
        timed("jobs/wait", Some("main"), 2.0, 2.0 + jobs_ms),
        timed("io/wait", Some("main"), 2.0, 2.0 + io_ms),
    ];
    let figures = [
        figure("frame/running", Unit::Milliseconds, 12.6, 12.6),
        figure("frame/ready", Unit::Milliseconds, 0.1, 0.1),
        figure(WORKER, Unit::Milliseconds, 0.1, 0.1 + ready_ms),
    ];
    slow_frame(16.7 + jobs_ms + io_ms, &timers, &figures)
}

#[test]
fn a_time_without_a_processor_explains_waits_no_more_than_once() {
    for (jobs_ms, io_ms, ready_ms, expected_ms) in [
        (10.0, 10.0, 10.0, 10.0),
        (10.0, 10.0, 18.0, 18.0),
        (10.0, 10.0, 40.0, 20.0),
        (30.0, 0.0, 24.0, 24.0),
        (30.0, 0.0, 200.0, 30.0),
        (20.0, 10.0, 16.0, 16.0),
    ] {
        let hitch = two_waits(jobs_ms, io_ms, ready_ms);
        let ready = hitch.findings.iter().filter(|one| one.path == WORKER);
        let ready: Vec<f64> = ready.map(|one| one.share * hitch.excess_ms).collect();
        assert_eq!(ready.len(), 1, "{hitch:?}");
        assert!((ready[0] - expected_ms).abs() < 0.5, "{ready:?} {hitch:?}");
        assert!(
            hitch
                .verdict
                .contains("in thread worker-1, waited for in jobs/wait"),
            "{}",
            hitch.verdict
        );
    }
    let hitch = two_waits(30.0, 0.0, 20.0);
    assert!(hitch.verdict.ends_with("100 % waiting in jobs/wait"));
}

#[test]
fn a_worker_that_often_has_no_processor_explains_no_wait() {
    // The worker waits for about 200 ms, and the system reports them at the end.
    for (every, is_named) in [(0, true), (20, false)] {
        let mut insight = Insight::new();
        insight.set_frame_thread(Some("main"));
        let mut wait = Facts::new("jobs/wait", SeriesKind::Timer, Unit::Milliseconds);
        wait.is_wait = true;
        wait.thread = Some("main".to_owned());
        insight.set_series(0, wait);
        let ready = Facts::new(WORKER, SeriesKind::Counter, Unit::Milliseconds);
        insight.set_series(1, ready);
        for frame in 0..300_u64 {
            let is_slow = frame == 250;
            let wait_ms = if is_slow { 14.0 } else { 4.0 };
            let noise = (frame % 7) as f64 / 40.0;
            let ready_ms = match frame {
                250 => 200.0,
                _ if every > 0 && frame % every == 0 => 210.0,
                _ => noise,
            };
            let values = [wait_ms, ready_ms];
            assert_eq!(
                insight.take_frame(frame, 12.0 + noise + wait_ms, &values),
                is_slow
            );
            insight.rank_noticed();
        }
        let verdict = &insight.hitches()[0].verdict;
        assert_eq!(verdict.contains("worker-1"), is_named, "{verdict}");
    }
}

#[test]
fn the_load_of_the_machine_is_a_percentage() {
    for (unit, load, expected) in [
        (Unit::Percent, 70.0, "(machine 70 % busy)"),
        (Unit::Count, 0.7, "processor"),
        (Unit::Count, 70.0, "processor"),
    ] {
        let (verdict, _) = long_in_ai(&[
            figure("frame/running", Unit::Milliseconds, 16.6, 16.6),
            figure("frame/ready", Unit::Milliseconds, 0.1, 40.1),
            figure("machine/cpu", unit, load, load),
        ]);
        assert!(verdict.ends_with(expected), "{verdict}");
    }
}

#[test]
fn a_worker_without_a_processor_is_named_with_the_work_that_it_seldom_does() {
    let verdict = |usual_calls: f64| {
        let mut unpack = timed("jobs/unpack", Some("worker-1"), 0.0, 50.0);
        (unpack.usual.1, unpack.slow.1) = (usual_calls, 1.0);
        let timers = [
            timed("draw", Some("main"), 12.0, 12.0),
            timed("jobs/wait", Some("main"), 4.0, 54.0),
            unpack,
        ];
        let figures = [
            figure("frame/running", Unit::Milliseconds, 12.6, 12.6),
            figure("frame/ready", Unit::Milliseconds, 0.1, 0.1),
            figure(WORKER, Unit::Milliseconds, 0.1, 40.1),
        ];
        slow_frame(66.7, &timers, &figures).verdict
    };
    let seldom = verdict(0.0);
    assert!(
        seldom.contains("in thread worker-1 during jobs/unpack, waited for in jobs/wait"),
        "{seldom}"
    );
    let usual = verdict(1.0);
    assert!(
        usual.contains("in thread worker-1, waited for in jobs/wait"),
        "{usual}"
    );
}

#[test]
fn on_a_busy_machine_a_worker_whose_time_without_a_processor_fills_a_wait_explains_it() {
    // The worker often waits longer than in the slow frame, but then the frame does not wait for it.
    for (ready_ms, is_named) in [(31.0, true), (26.0, true), (10.0, false), (60.0, false)] {
        let mut insight = Insight::new();
        insight.set_frame_thread(Some("main"));
        let mut wait = Facts::new("jobs/wait", SeriesKind::Timer, Unit::Milliseconds);
        wait.is_wait = true;
        wait.thread = Some("main".to_owned());
        insight.set_series(0, wait);
        let ready = Facts::new(WORKER, SeriesKind::Counter, Unit::Milliseconds);
        insight.set_series(1, ready);
        for frame in 0..300_u64 {
            let is_slow = frame == 250;
            let wait_ms = if is_slow { 33.5 } else { 6.0 };
            let noise = (frame % 7) as f64 / 40.0;
            let usual_ms = if frame % 9 == 0 { 80.0 } else { noise };
            let values = [wait_ms, if is_slow { ready_ms } else { usual_ms }];
            assert_eq!(
                insight.take_frame(frame, 12.0 + noise + wait_ms, &values),
                is_slow
            );
            insight.rank_noticed();
        }
        let verdict = &insight.hitches()[0].verdict;
        assert_eq!(
            verdict.contains("worker-1"),
            is_named,
            "{ready_ms}: {verdict}"
        );
    }
}

/// Returns whether the thread of the frame had no processor for so much of the excess that no scope is
/// named.
pub(super) fn is_ready_alone(hitch: &Hitch) -> bool {
    let ready = hitch.findings.iter().find(|one| one.path == "frame/ready");
    ready.is_some_and(|ready| ready.value - ready.usual >= 0.8 * hitch.excess_ms)
}

#[test]
fn a_scope_that_ran_for_longer_is_named_on_a_crowded_machine_and_no_other_one() {
    for share in [0.1, 0.3, 0.6, 1.0] {
        let mut named = 0;
        for seed in 0..20 {
            let mut game = Game::new(Family::Crowded(share), 300, 3_000 + seed);
            let mut insight = engine(&game);
            for frame in 0..FRAMES {
                let frame_ms = game.step();
                insight.take_frame(frame, frame_ms, &game.values);
                insight.rank_noticed();
            }
            for hitch in insight.hitches() {
                let culprits = (hitch.findings.iter()).filter(|one| one.role == Role::Culprit);
                let scopes = culprits.filter(|one| one.path != "frame/ready");
                let scopes: Vec<&str> = scopes.map(|one| one.path.as_str()).collect();
                let is_fault = hitch.frame == game.fault_frame;
                let is_right = is_fault
                    && match is_ready_alone(hitch) {
                        true => scopes.is_empty(),
                        false => scopes == [game.culprits[0].as_str()],
                    };
                assert!(is_right || scopes.is_empty(), "{share} {seed} {hitch:?}");
                named += usize::from(is_right);
            }
        }
        // Parts of the time without a processor may look like it.
        assert!(named >= 18, "{share} {named}");
    }
}

#[test]
fn scopes_that_ran_for_longer_are_named_where_frames_always_wait_for_a_processor() {
    let timers = [
        timed("ai", Some("main"), 0.5, 6.5),
        timed("render", Some("main"), 0.5, 6.5),
        timed("physics", Some("main"), 15.0, 15.0),
    ];
    let figures = [
        figure("frame/running", Unit::Milliseconds, 8.5, 20.5),
        figure("frame/ready", Unit::Milliseconds, 8.0, 8.0),
    ];
    let hitch = slow_frame(28.5, &timers, &figures);
    assert!(
        hitch.verdict.contains("50 % ai, 50 % render")
            || hitch.verdict.contains("50 % render, 50 % ai"),
        "{}",
        hitch.verdict
    );
}

#[test]
fn a_hitch_after_a_crowd_is_compared_with_the_frames_since() {
    let mut insight = Insight::new();
    insight.set_frame_thread(Some("main"));
    let mut ai = Facts::new("ai", SeriesKind::Timer, Unit::Milliseconds);
    ai.thread = Some("main".to_owned());
    insight.set_series(0, ai);
    for (number, path) in [(1, "frame/running"), (2, "frame/ready")] {
        insight.set_series(
            number,
            Facts::new(path, SeriesKind::Counter, Unit::Milliseconds),
        );
    }
    for frame in 0..460_u64 {
        let noise_ms = (frame % 7) as f64 / 40.0;
        let ready_ms = if frame < 400 { 8.0 } else { 0.0 };
        let long_ms = if frame == 440 { 6.0 } else { 0.0 };
        let running_ms = 8.0 + noise_ms + long_ms;
        let values = [6.0 + noise_ms + long_ms + ready_ms, running_ms, ready_ms];
        insight.take_frame(frame, running_ms + ready_ms, &values);
        insight.rank_noticed();
    }
    let hitches = insight.hitches();
    let hitch = hitches.iter().find(|hitch| hitch.frame == 440);
    let hitch = hitch.expect("it is noticed");
    assert!((hitch.usual_ms - 8.0).abs() < 0.5, "{hitch:?}");
    assert!(hitch.verdict.ends_with("100 % ai"), "{}", hitch.verdict);
}
