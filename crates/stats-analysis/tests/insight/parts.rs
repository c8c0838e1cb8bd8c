//! A part of a frame is no longer than its path took longer, and all parts are no longer than the frame.

use super::scenario::{FRAMES, Family, Game};
use super::{engine, slow_frame, system, timed};
use stats_analysis::insight::{Facts, Hitch, Insight, Role};
use stats_core::{SeriesKind, Unit};
use stats_testing::Random;

/// Asserts that each path is named once, and that no part is longer than what it is a part of.
pub(super) fn assert_parts(hitch: &Hitch) {
    let parts = hitch.findings.iter();
    let parts = parts.filter(|one| one.is_part && one.role != Role::Via);
    let mut paths: Vec<&str> = Vec::new();
    let mut shares = 0.0;
    for part in parts {
        let ms = part.share * hitch.excess_ms;
        let own_ms = part.value - part.usual;
        // Usual times have single precision, and those of an earlier frame differ a bit.
        assert!(
            part.share == 0.0 || ms <= own_ms + 1e-2 + 1e-5 * part.value,
            "{} has {ms} of {own_ms}: {hitch:#?}",
            part.path
        );
        assert!(
            !paths.contains(&&*part.path),
            "{} twice: {hitch:#?}",
            part.path
        );
        paths.push(&part.path);
        shares += part.share;
    }
    assert!(shares <= 1.0 + 1e-6, "{shares}: {hitch:#?}");
    assert!(
        hitch.work_ms <= hitch.excess_ms.max(0.0) + 1e-6,
        "{hitch:#?}"
    );
    if let Some(rest) = hitch.rest_share() {
        assert!((-1e-6..=1.0).contains(&rest), "{rest}: {hitch:#?}");
    }
}

#[test]
fn no_part_of_a_simulated_hitch_is_longer_than_its_path_took_longer() {
    let mut hitches = 0;
    for family in [
        Family::Scope(8.0, 40.0),
        Family::Scope(3.0, 4.0),
        Family::ScopeAndLoad,
        Family::ScopeAndCounter,
        Family::TwoScopes,
        Family::Wait,
        Family::Counter,
        Family::Preempted,
        Family::PreemptedBeside,
        Family::PreemptedWorker,
        Family::Crowded(0.3),
        Family::Faults,
        Family::Disk,
        Family::Broad,
    ] {
        for seed in 0..12 {
            let mut game = Game::new(family, 300, 5_000 + seed);
            let mut insight = engine(&game);
            for frame in 0..FRAMES {
                let frame_ms = game.step();
                if frame % 40 == 39 {
                    assert_parts(&insight.explain(frame, frame_ms, &game.values));
                }
                insight.take_frame(frame, frame_ms, &game.values);
                insight.rank_noticed();
            }
            insight.hitches().iter().for_each(assert_parts);
            hitches += insight.hitches().len();
        }
    }
    assert!(hitches >= 160, "{hitches}");
}

/// Plays a game with two waits, two scopes on one worker, one on any thread, and times without a
/// processor, all of which take longer now and then. Returns its hitches.
fn played(seed: u64) -> Vec<Hitch> {
    let mut random = Random::new(seed);
    // The system tells everything, nothing, or some of it.
    let has_figure: [bool; 4] = match random.below(3) {
        0 => [true; 4],
        1 => [false; 4],
        _ => std::array::from_fn(|_| random.below(2) == 0),
    };
    // On a busy machine, the worker usually waits for a processor.
    let worker_waits = [0.0, 6.0 + random.below(6) as f64][random.below(2) as usize];
    let unit = Unit::Milliseconds;
    let mut insight = Insight::new();
    insight.set_frame_thread(Some("main"));
    let timers = [
        ("draw", Some("main"), false),
        ("jobs/wait", Some("main"), true),
        ("present", Some("main"), true),
        ("paths/search", Some("worker-0"), false),
        ("paths/serve", Some("worker-0"), false),
        ("bodies/solve", None, false),
        ("gpu/world", Some("gpu"), false),
    ];
    for (number, (path, thread, is_wait)) in (0..).zip(timers) {
        let mut facts = Facts::new(path, SeriesKind::Timer, unit);
        (facts.thread, facts.is_wait) = (thread.map(str::to_owned), is_wait);
        insight.set_series(number, facts);
    }
    let figures = [
        "frame/running",
        "frame/ready",
        "frame/blocked",
        "threads/worker-0/ready",
    ];
    let known = figures.into_iter().zip(has_figure).filter(|(_, has)| *has);
    for (number, (path, _)) in (timers.len() as u32..).zip(known) {
        insight.set_series(number, Facts::new(path, SeriesKind::Counter, unit));
    }
    for frame in 0..400_u64 {
        let mut noise = |most: f64| most * random.below(10_000) as f64 / 1e4;
        let mut own = [
            4.0 + noise(0.4),
            2.0 + noise(0.2),
            3.0 + noise(0.3),
            1.0 + noise(0.1),
            1.0 + noise(0.1),
            1.0 + noise(0.1),
            5.0 + noise(0.2),
        ];
        let (mut outside, mut ready, mut worker_ready) =
            (1.0 + noise(0.1), noise(0.05), worker_waits + noise(0.05));
        if frame > 100 && frame % 50 == 49 {
            // The worker is late for the next frame.
            own[3] += noise(20.0);
        }
        if frame > 100 && frame % 50 == 0 {
            // Any of them, longer by about the same time or by another one.
            let all = 2.0 + noise(20.0);
            let mut longer = |ms: &mut f64| {
                *ms += match random.below(4) {
                    0 => all * (0.7 + random.below(60) as f64 / 100.0),
                    1 => random.below(20) as f64,
                    _ => 0.0,
                };
            };
            own.iter_mut().for_each(&mut longer);
            longer(&mut outside);
            longer(&mut ready);
            longer(&mut worker_ready);
            own[0] += ready;
        }
        let on_main: f64 = own[..3].iter().sum();
        let frame_ms = on_main + outside;
        let blocked = own[1] + own[2];
        let system = [frame_ms - ready - blocked, ready, blocked, worker_ready];
        let mut values = own.to_vec();
        let known = system.iter().zip(has_figure).filter(|(_, has)| *has);
        values.extend(known.map(|(ms, _)| ms));
        insight.take_frame(frame, frame_ms, &values);
        insight.rank_noticed();
    }
    insight.hitches().iter().cloned().collect()
}

#[test]
fn no_part_is_longer_than_its_path_took_longer_whatever_took_longer_at_once() {
    let mut hitches = 0;
    for seed in 0..400 {
        for hitch in played(seed) {
            hitches += 1;
            assert_parts(&hitch);
        }
    }
    assert!(hitches > 1_000, "{hitches}");
}

#[test]
fn one_scope_explains_two_waits_only_as_far_as_it_took_longer() {
    let timers = [
        timed("draw", Some("main"), 10.0, 10.0),
        timed("jobs/wait", Some("main"), 2.0, 10.7),
        timed("present", Some("main"), 2.0, 10.8),
        timed("paths/search", Some("worker-0"), 0.01, 8.15),
    ];
    let hitch = slow_frame(16.7 + 17.5, &timers, &[]);
    assert_parts(&hitch);
    let search = hitch.findings.iter().find(|one| one.path == "paths/search");
    let ms = search.map_or(0.0, |one| one.share * hitch.excess_ms);
    assert!((8.0..8.2).contains(&ms), "{}", hitch.verdict);
    assert_eq!(hitch.verdict.matches("paths/search").count(), 1);
}

#[test]
fn a_thread_that_explains_a_wait_is_named_by_its_scopes_with_their_own_times() {
    let timers = [
        timed("draw", Some("main"), 10.0, 10.0),
        timed("jobs/wait", Some("main"), 2.0, 12.0),
        timed("paths/search", Some("worker-0"), 0.01, 6.0),
        timed("paths/serve", Some("worker-0"), 0.01, 3.8),
    ];
    let hitch = slow_frame(26.7, &timers, &[]);
    assert_parts(&hitch);
    for (path, expected) in [("paths/search", 0.6), ("paths/serve", 0.38)] {
        let found = hitch.findings.iter().find(|one| one.path == path);
        let share = found.map_or(0.0, |one| one.share);
        assert!((share - expected).abs() < 0.02, "{}", hitch.verdict);
    }
}

#[test]
fn work_is_at_most_what_the_thread_ran_longer() {
    // A scope of the frame waits for the GPU, which no wait declares, and another wait is shorter.
    let unit = Unit::Milliseconds;
    let timers = [
        timed("draw", Some("main"), 4.0, 10.8),
        timed("present", Some("main"), 10.0, 3.6),
    ];
    let figures = [
        system::figure("frame/running", unit, 5.0, 7.0),
        system::figure("frame/ready", unit, 0.1, 0.1),
        system::figure("frame/blocked", unit, 11.6, 10.0),
    ];
    let hitch = slow_frame(17.1, &timers, &figures);
    assert!((1.8..2.3).contains(&hitch.work_ms), "{hitch:#?}");
    assert!(
        hitch.verdict.contains("2.0 ms more work, 0.4 ms longer"),
        "{}",
        hitch.verdict
    );
}

#[test]
fn a_worker_that_often_waits_for_a_processor_explains_waits_only_by_what_it_waited_longer() {
    let ready = |usual, now| {
        let unit = Unit::Milliseconds;
        system::figure("threads/worker-0/ready", unit, usual, now)
    };
    // Nothing tells where the time of the frame went.
    let timers = [
        timed("draw", Some("main"), 10.0, 10.0),
        timed("jobs/wait", Some("main"), 6.0, 15.0),
    ];
    let hitch = slow_frame(25.7, &timers, &[ready(6.0, 12.0)]);
    assert_parts(&hitch);
    let of_ready = |hitch: &Hitch| {
        let mut findings = hitch.findings.iter();
        let found = findings.find(|one| one.path.ends_with("/ready"));
        found.map_or(0.0, |one| one.share * hitch.excess_ms)
    };
    assert!((5.8..6.1).contains(&of_ready(&hitch)), "{hitch:#?}");
    // Two waits for the same worker.
    let timers = [
        timed("draw", Some("main"), 4.0, 4.0),
        timed("io/wait", Some("main"), 6.0, 13.0),
        timed("jobs/wait", Some("main"), 6.0, 12.9),
    ];
    let hitch = slow_frame(16.7 + 13.9, &timers, &[ready(11.9, 13.9)]);
    assert_parts(&hitch);
    assert!((1.8..2.1).contains(&of_ready(&hitch)), "{hitch:#?}");
}
