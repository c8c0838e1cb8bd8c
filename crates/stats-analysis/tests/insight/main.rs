//! The insight names the cause of faults in a simulated game. The bench `insight` of stats-bench
//! plays more of them.

mod crossing;
mod crowded;
mod kinds;
mod part;
mod parts;
mod ran;
mod rare;
#[path = "../../../stats-bench/benches/insight/scenario.rs"]
#[expect(dead_code, reason = "the bench uses more of it")]
mod scenario;
mod seen;
mod surveys;
mod system;
mod whole;
mod work;
mod worker;
mod worlds;

use scenario::{FRAMES, Family, Game, Leaking};
use stats_analysis::insight::{Facts, Finding, Hitch, Insight, MAX_HITCHES, Role};
use stats_core::{SeriesKind, Unit};

fn engine(game: &Game) -> Insight {
    let mut insight = Insight::new();
    for (number, facts) in game.facts.iter().enumerate() {
        insight.set_series(number as u32, facts.clone());
    }
    insight.set_frame_thread(Some("main"));
    insight
}

/// Plays a game. Returns the hitch on the frame of its fault.
fn played(game: &mut Game) -> Option<Hitch> {
    let mut insight = engine(game);
    for frame in 0..FRAMES {
        let frame_ms = game.step();
        insight.take_frame(frame, frame_ms, &game.values);
        insight.rank_noticed();
    }
    let of_fault = |hitch: &&Hitch| hitch.frame == game.fault_frame;
    insight.hitches().iter().find(of_fault).cloned()
}

/// Returns the number of simulated games in which the first finding is a culprit.
fn named(family: Family) -> usize {
    let is_named = |seed: &u64| {
        let mut game = Game::new(family, 300, 500 + seed);
        let hitch = played(&mut game);
        hitch.is_some_and(|hitch| game.culprits.contains(&hitch.findings[0].path))
    };
    (0..8).filter(is_named).count()
}

/// A compact engine stores no paths.
#[test]
fn looked_up_paths_explain_frames_as_stored_ones_do() {
    for family in [
        Family::Scope(8.0, 40.0),
        Family::ScopeAndCounter,
        Family::TwoScopes,
        Family::Wait,
        Family::Counter,
    ] {
        for seed in 0..4 {
            let mut game = Game::new(family, 300, 900 + seed);
            let mut engines = [Insight::new(), Insight::compact()];
            for (number, facts) in (0..).zip(&game.facts) {
                (engines.iter_mut()).for_each(|engine| engine.set_series(number, facts.clone()));
            }
            for frame in 0..FRAMES {
                let frame_ms = game.step();
                for engine in &mut engines {
                    engine.take_frame(frame, frame_ms, &game.values);
                    engine.look_up_paths(|number, text| {
                        text.push_str(&game.facts[number as usize].path);
                    });
                    engine.rank_noticed();
                }
            }
            let [stored, looked_up] = engines;
            assert!(!stored.hitches().is_empty(), "{family:?}");
            assert_eq!(stored.hitches(), looked_up.hitches(), "{family:?}");
        }
    }
}

#[test]
fn the_culprit_comes_first() {
    for family in [
        Family::Scope(8.0, 40.0),
        Family::Scope(3.0, 4.0),
        Family::ScopeAndLoad,
        Family::ScopeAndCounter,
        Family::TwoScopes,
        Family::Wait,
    ] {
        assert!(named(family) >= 7, "{family:?}");
    }
    assert!(named(Family::Counter) >= 5);
}

#[test]
fn shares_of_scopes_and_the_rest_add_up() {
    for seed in 0..8 {
        let mut game = Game::new(Family::TwoScopes, 300, 700 + seed);
        let hitch = played(&mut game).expect("the fault is noticed");
        let parts = hitch.findings.iter();
        let parts = parts.filter(|finding| finding.is_part && finding.role != Role::Via);
        let shares: f64 = parts.map(|finding| finding.share).sum();
        let all = shares + hitch.rest_share().unwrap_or(0.0);
        assert!((all - 1.0).abs() <= 0.005, "{all} {hitch:?}");
        // Small shares are left out, and some scopes took less than usual.
        assert!((0.75..1.25).contains(&shares), "{shares} {hitch:?}");
    }
}

#[test]
fn a_broad_slowdown_has_no_single_culprit_and_clean_play_no_hitch() {
    let is_broad = |seed: &u64| {
        let hitch = played(&mut Game::new(Family::Broad, 300, 900 + seed));
        hitch.is_some_and(|hitch| {
            !hitch.single_culprit && hitch.verdict.contains("no single culprit")
        })
    };
    assert!((0..8).filter(is_broad).count() >= 7);
    for seed in 0..4 {
        let mut game = Game::new(Family::Clean, 300, seed);
        let mut insight = engine(&game);
        for frame in 0..3 * FRAMES {
            let frame_ms = game.step();
            assert!(!insight.take_frame(frame, frame_ms, &game.values));
        }
        assert_eq!(insight.leaks(), []);
    }
}

#[test]
fn a_leak_is_found_in_ten_seconds_with_its_slope_and_the_time_to_its_budget() {
    let mut game = Game::new(Family::Clean, 300, 40).with_leak(0.01, 0.0);
    let at = game
        .facts
        .iter()
        .position(|facts| facts.path == game.culprits[0]);
    let at = at.expect("the leak is a series");
    game.facts[at].budget = Some(1e12);
    let mut insight = engine(&game);
    let (mut seconds, mut first) = (0.0, 0.0);
    for frame in 0.. {
        let frame_ms = game.step();
        insight.take_frame(frame, frame_ms, &game.values);
        first = if frame == 0 { game.values[at] } else { first };
        seconds += frame_ms / 1e3;
        if seconds >= 10.0 {
            break;
        }
    }
    let leaks = insight.leaks();
    let [leak] = &leaks[..] else {
        panic!("{leaks:?}")
    };
    assert_eq!(leak.path, game.culprits[0]);
    let grown = game.values[at] - first;
    assert!((leak.per_second * seconds / grown - 1.0).abs() < 0.1);
    let left = leak.seconds_to_budget.expect("there is a budget");
    assert!((left * leak.per_second / 1e12 - 1.0).abs() < 0.05);
}

#[test]
fn memory_of_the_statistics_is_no_leak_of_the_program() {
    let paths = [
        "memory/scopes/stats-capture/total",
        "memory/scopes/level/stats-overlay/total",
        "memory/scopes/stats-core/total",
        "memory/scopes/stats-metrics/total",
        "memory/groups/stats/total",
        "memory/overhead",
        "memory/scopes/stats-screen/total",
        "memory/scopes/level/total",
        "memory/groups/stats-screen/total",
    ];
    for mut insight in [Insight::new(), Insight::compact()] {
        for (number, path) in (0..).zip(paths) {
            insight.set_series(
                number,
                Facts::new(path, SeriesKind::UpDownCounter, Unit::Bytes),
            );
        }
        for frame in 0..60 * 90_u64 {
            insight.take_frame(frame, 1e3 / 60.0, &[1e6 + 1e4 * frame as f64; 9]);
        }
        let mut leaks: Vec<u32> = insight.leaks().iter().map(|leak| leak.series).collect();
        leaks.sort_unstable();
        assert_eq!(leaks, [6, 7, 8]);
    }
}

#[test]
fn leaks_in_stairs_and_slower_ones_are_found_beside_gauges_that_turn() {
    for (leaking, seconds) in [(Leaking::InStairs, 120.0), (Leaking::Slower(40.0), 140.0)] {
        for seed in 0..4 {
            let mut game = Game::new(Family::Clean, 300, 40 + seed)
                .with_leak(0.01, 0.0)
                .leaking(leaking)
                .with_turning();
            let mut insight = engine(&game);
            for frame in 0.. {
                let frame_ms = game.step();
                insight.take_frame(frame, frame_ms, &game.values);
                if game.secs >= seconds {
                    break;
                }
            }
            let leaks = insight.leaks();
            let [leak] = &leaks[..] else {
                panic!("{leaking:?} {seed} {leaks:?}")
            };
            assert_eq!(leak.path, game.culprits[0]);
            assert_eq!(leak.is_slower, leaking != Leaking::InStairs, "{leak:?}");
        }
    }
}

#[test]
fn a_periodic_stall_is_found_beside_others_with_its_scope() {
    for seed in 0..3 {
        let (mut game, period) = Game::new(Family::Clean, 300, 60 + seed).with_comb(0.002);
        let mut insight = engine(&game);
        for frame in 0..1800 {
            let frame_ms = game.step();
            insight.take_frame(frame, frame_ms, &game.values);
            insight.rank_noticed();
        }
        let combs = insight.periodic();
        let comb = combs.first().expect("a comb is found");
        assert!((comb.period_frames / period as f64 - 1.0).abs() < 0.03);
        assert_eq!(comb.path, game.culprits[0]);
        assert!(comb.count >= 4 && comb.first_frame < 900);
    }
}

#[test]
fn stalls_that_follow_each_other_within_200_ms_have_their_own_period() {
    for period in [5_u64, 9, 11, 40] {
        let mut insight = Insight::new();
        let save = Facts::new("save", SeriesKind::Timer, Unit::Milliseconds);
        insight.set_series(0, save);
        for frame in 0..2000_u64 {
            let save_ms = if frame > 600 && frame.is_multiple_of(period) {
                12.0
            } else {
                0.0
            };
            let jitter = (frame * 7919 % 13) as f64 / 20.0;
            insight.take_frame(frame, 16.0 + jitter + save_ms, &[save_ms]);
            insight.rank_noticed();
        }
        let stalls = insight.periodic();
        assert_eq!(stalls.len(), 1, "{stalls:?}");
        assert!(
            (stalls[0].period_frames - period as f64).abs() < 0.01,
            "{stalls:?}"
        );
        assert_eq!(stalls[0].path, "save");
    }
}

#[test]
fn a_late_value_ranks_its_frame_again() {
    let timer = |path: &str, thread: Option<&str>| {
        let mut facts = Facts::new(path, SeriesKind::Timer, Unit::Milliseconds);
        facts.thread = thread.map(str::to_owned);
        facts
    };
    let mut insight = Insight::new();
    insight.set_series(0, timer("update", Some("main")));
    let mut present = timer("render/present", Some("main"));
    present.is_wait = true;
    insight.set_series(1, present);
    let mut shadows = timer("gpu/shadows", None);
    shadows.is_deferred = true;
    insight.set_series(2, shadows);
    for frame in 0..300 {
        let waited_ms = if frame == 250 { 14.0 } else { 2.0 };
        insight.take_frame(frame, 6.0 + waited_ms, &[6.0, waited_ms, 1.0]);
    }
    insight.rank_noticed();
    let first = insight.hitches()[0].clone();
    assert_eq!(first.verdict, "+12.0 ms: 100 % waiting in render/present");
    insight.set_late_value(2, 250, 12.5);
    insight.rank_noticed();
    assert_eq!(insight.hitches().len(), 1);
    let hitch = &insight.hitches()[0];
    assert_eq!(
        hitch.verdict,
        "+12.0 ms: 96 % gpu/shadows, waited for in render/present"
    );
    let roles: Vec<Role> = hitch.findings.iter().map(|finding| finding.role).collect();
    assert_eq!(roles, [Role::Culprit, Role::Wait]);
}

#[test]
fn the_first_value_of_a_level_explains_nothing() {
    for (kind, is_named) in [(SeriesKind::Gauge, false), (SeriesKind::Counter, true)] {
        let mut insight = Insight::new();
        for frame in 0..300 {
            insight.take_frame(frame, 10.0, &[]);
        }
        insight.set_series(0, Facts::new("net/port", kind, Unit::Count));
        assert!(insight.take_frame(300, 40.0, &[7777.0]));
        insight.rank_noticed();
        let findings = &insight.hitches()[0].findings;
        let found = findings.iter().any(|finding| finding.path == "net/port");
        assert_eq!(found, is_named, "{kind:?}: {findings:?}");
    }
}

#[test]
fn the_first_frame_of_a_run_is_compared_with_none() {
    let mut insight = Insight::new();
    for series in 0..8 {
        let path = format!("scope-{series}");
        let facts = Facts::new(path, SeriesKind::Timer, Unit::Milliseconds);
        insight.set_series(series, facts);
    }
    let verdict = insight.explain(0, 16.0, &[2.0; 8]).verdict;
    assert!(!verdict.contains("inf"), "{verdict}");
}

#[test]
fn repeats_count_the_hitches_that_are_kept() {
    let mut insight = Insight::new();
    let timer = Facts::new("ai", SeriesKind::Timer, Unit::Milliseconds);
    insight.set_series(0, timer);
    for frame in 0..40_u64 * 300 {
        let ms = if frame % 40 == 39 { 12.0 } else { 1.0 };
        if insight.take_frame(frame, 7.0 + ms, &[ms]) {
            insight.rank_noticed();
        }
    }
    assert_eq!(insight.hitches().len(), MAX_HITCHES);
    let newest = insight.hitches().back().expect("there are hitches");
    let repeats = newest.repeats.expect("there is a culprit");
    assert_eq!((repeats.on, repeats.of), (MAX_HITCHES, MAX_HITCHES));
}

#[test]
fn the_verdict_names_calls_and_what_moved_with_them_and_repeats_are_counted() {
    let mut insight = Insight::new();
    let timer = Facts::new("ai/pathfinding", SeriesKind::Timer, Unit::Milliseconds);
    insight.set_series(0, timer);
    let mut calls = Facts::new("ai/pathfinding", SeriesKind::TimerCalls, Unit::Count);
    calls.of = Some(0);
    insight.set_series(1, calls);
    let requests = Facts::new("ai/path-requests", SeriesKind::Counter, Unit::Count);
    insight.set_series(2, requests);
    for frame in 0..600 {
        let is_fault = frame % 100 == 99 && frame > 200;
        let requests = match frame % 7 {
            _ if is_fault => 212.0,
            0 => 9.0,
            _ => 3.0,
        };
        let (ms, calls) = if is_fault { (12.0, 37.0) } else { (1.0, 1.0) };
        insight.take_frame(frame, 7.0 + ms, &[ms, calls, requests]);
    }
    insight.rank_noticed();
    let hitches = insight.hitches();
    assert_eq!(hitches.len(), 4);
    let text = &hitches[3].verdict;
    assert!(
        text.starts_with("+11.0 ms: 100 % ai/pathfinding, 1 call → 37; with it ai/path-requests"),
        "{text}"
    );
    assert!(
        text.ends_with("ai/path-requests 3 → 212") || text.ends_with("ai/path-requests 4 → 212"),
        "{text}"
    );
    let repeats = hitches[3].repeats.expect("there is a culprit");
    assert_eq!(
        (repeats.on, repeats.of, repeats.never_otherwise),
        (4, 4, true)
    );
}

#[test]
fn a_time_that_changed_by_a_small_part_of_the_excess_explains_nothing() {
    let mut insight = Insight::new();
    let timer = Facts::new("ai", SeriesKind::Timer, Unit::Milliseconds);
    insight.set_series(0, timer);
    let units = [
        Unit::Seconds,
        Unit::Milliseconds,
        Unit::Microseconds,
        Unit::Count,
    ];
    for (number, unit) in (1..).zip(units) {
        let facts = Facts::new(format!("other/{unit:?}"), SeriesKind::Gauge, unit);
        insight.set_series(number, facts);
    }
    let mut explained = |change_ms: f64| {
        for frame in 0..200 {
            insight.take_frame(frame, 8.0, &[1.0, 1e-3, 1.0, 1e3, 1.0]);
        }
        let ms = 1.0 + change_ms;
        let values = [11.0, ms / 1e3, ms, ms * 1e3, 2.0];
        let hitch = insight.explain(200, 18.0, &values);
        let moved = hitch
            .findings
            .into_iter()
            .filter(|one| one.role == Role::MovedWith);
        let mut moved: Vec<String> = moved.map(|one| one.path).collect();
        moved.sort();
        moved
    };
    assert_eq!(explained(0.4), ["other/Count"]);
    let all = [
        "other/Count",
        "other/Microseconds",
        "other/Milliseconds",
        "other/Seconds",
    ];
    assert_eq!(explained(0.6), all);
}

/// Explains a frame of 18 ms after frames of 8 ms. In it, a scope takes 10 ms more if
/// there is one, and a series goes to `value`, whose earlier values are `usual` in turn.
fn explained(has_scope: bool, kind: SeriesKind, usual: &[f64], value: f64) -> Hitch {
    let mut insight = Insight::new();
    let timer = Facts::new("ai", SeriesKind::Timer, Unit::Milliseconds);
    if has_scope {
        insight.set_series(0, timer);
    }
    insight.set_series(1, Facts::new("ai/count", kind, Unit::Count));
    for (frame, usual) in (0..210).zip(usual.iter().cycle()) {
        insight.take_frame(frame, 8.0, &[1.0, *usual]);
    }
    insight.explain(210, 18.0, &[11.0, value])
}

#[test]
fn a_count_that_changed_little_is_not_named_beside_a_culprit() {
    let is_named = |kind, usual: &[f64], value| {
        let hitch = explained(true, kind, usual, value);
        assert_eq!(hitch.findings[0].path, "ai");
        let in_verdict = hitch.verdict.contains("with it ai/count");
        let by_finding = hitch.findings.iter().any(Finding::is_named);
        assert_eq!(in_verdict, by_finding, "{}", hitch.verdict);
        in_verdict
    };
    let counter = SeriesKind::Counter;
    // Up to half of the usual value is little.
    for (usual, value) in [(17.0, 21.0), (17.0, 13.0), (17.0, 25.0), (2000.0, 2900.0)] {
        assert!(!is_named(counter, &[usual], value), "{usual} {value}");
    }
    for (usual, value) in [(17.0, 170.0), (17.0, 5.0), (2000.0, 20_000.0), (0.0, 2.0)] {
        assert!(is_named(counter, &[usual], value), "{usual} {value}");
    }
    // So is what is within the noise.
    let noise = [10.0, 60.0, 35.0, 20.0, 50.0];
    assert!(!is_named(counter, &noise, 150.0));
    assert!(is_named(counter, &noise, 1500.0));
    // A step of a level is an amount, too.
    let level = SeriesKind::UpDownCounter;
    assert!(!is_named(level, &[65_000.0], 80_000.0));
    assert!(is_named(level, &[65_000.0], 130_000.0));
}

#[test]
fn a_count_that_changed_by_a_quarter_is_no_culprit() {
    for (value, leads) in [(21.0, false), (13.0, false), (25.0, true), (170.0, true)] {
        let hitch = explained(false, SeriesKind::Counter, &[17.0], value);
        let counts = hitch.findings.iter().filter(|one| one.path == "ai/count");
        let is_culprit = counts.clone().any(|one| one.role == Role::Culprit);
        assert_eq!(is_culprit, leads, "{value} {hitch:?}");
        assert_eq!(counts.count(), 1, "it is listed");
    }
}

#[test]
fn the_same_frames_give_the_same_answers() {
    let hitch = |_| played(&mut Game::new(Family::ScopeAndCounter, 300, 3));
    let [first, second] = [0, 1].map(hitch);
    assert!(first.is_some() && first == second);
}

/// Takes frames that are shorter than usual although a scope takes longer, waits that shrink, and
/// unknown values.
#[test]
fn the_engine_never_panics() {
    let mut random = stats_testing::Random::new(77);
    for _ in 0..60 {
        let mut insight = Insight::new();
        let series = 1 + random.below(24) as u32;
        for number in 0..series {
            let kind = match random.below(4) {
                0 => SeriesKind::Counter,
                1 => SeriesKind::Gauge,
                _ => SeriesKind::Timer,
            };
            let unit = match kind {
                SeriesKind::Timer => Unit::Milliseconds,
                _ => Unit::Count,
            };
            let mut facts = Facts::new(format!("series/{number}"), kind, unit);
            facts.parent = (random.below(2) == 0).then(|| random.below(24) as u32);
            facts.thread =
                [None, Some("main"), Some("worker")][random.below(3) as usize].map(str::to_owned);
            facts.is_wait = random.below(4) == 0;
            facts.is_deferred = random.below(8) == 0;
            insight.set_series(number, facts);
        }
        let mut values = Vec::new();
        for frame in 0..300 {
            let jumps = frame > 40 && random.below(12) == 0;
            values.clear();
            values.extend((0..series).map(|number| match random.below(60) {
                0 => f64::NAN,
                1..12 if jumps => f64::from(number) + random.below(40) as f64,
                _ => f64::from(number % 3),
            }));
            let frame_ms = 30.0
                + if jumps {
                    random.below(40) as f64 - 20.0
                } else {
                    0.0
                };
            if insight.take_frame(frame, frame_ms, &values) {
                insight.rank_noticed();
                insight.set_late_value(random.below(30) as u32, frame, 50.0);
                insight.rank_noticed();
            }
            insight.explain(frame, frame_ms, &values);
        }
        for hitch in insight.hitches() {
            assert!(!hitch.verdict.is_empty() && hitch.frame_ms > 0.0);
        }
        insight.leaks();
        insight.periodic();
    }
}

/// A game keeps a scope of `loading` open while its frames go on.
#[test]
fn a_scope_that_was_open_for_many_frames_is_no_hitch() {
    let mut insight = Insight::new();
    for (number, path) in ["loading", "work"].into_iter().enumerate() {
        let mut facts = Facts::new(path, SeriesKind::Timer, Unit::Milliseconds);
        facts.thread = Some("main".to_owned());
        insight.set_series(number as u32, facts);
    }
    insight.set_frame_thread(Some("main"));
    for frame in 0..1000_u64 {
        let noise = (frame % 7) as f64 * 0.05;
        let loading_ms = if frame % 310 == 309 { 5000.0 } else { 0.0 };
        // One frame of the game is long: its own work takes 30 ms more.
        let more = if frame == 929 { 30.0 } else { 0.0 };
        let (work, frame_ms) = (8.0 + noise + more, 16.6 + noise + more);
        let is_noticed = insight.take_frame(frame, frame_ms, &[loading_ms, work]);
        assert_eq!(is_noticed, frame == 929, "frame {frame}");
        insight.rank_noticed();
    }
    // The scope was opened many frames earlier. It explains no more time than passed.
    let hitch = insight.explain(309, 60.0, &[5000.0, 8.0]);
    assert!(hitch.excess_ms < 200.0, "{hitch:?}");
}

/// Adds timers with these names to an engine, and returns their facts for changes.
fn with_timers(insight: &mut Insight, names: &[&str], change: impl Fn(&mut Facts)) {
    for (number, name) in names.iter().enumerate() {
        let mut facts = Facts::new(*name, SeriesKind::Timer, Unit::Milliseconds);
        facts.thread = Some("main".into());
        change(&mut facts);
        insight.set_series(number as u32, facts);
    }
}

#[test]
fn time_that_is_spread_over_many_scopes_has_no_single_culprit_even_if_a_counter_follows_one() {
    let mut insight = Insight::new();
    let names: Vec<String> = (0..20).map(|number| format!("scope-{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    with_timers(&mut insight, &names, |_| {});
    let follower = Facts::new("follower", SeriesKind::Counter, Unit::Count);
    insight.set_series(20, follower);
    for frame in 0..300_u64 {
        let more_ms = if frame == 250 { 1.5 } else { 0.0 };
        let ms = |at: u64| 0.4 + ((frame * 7 + at * 3) % 5) as f64 / 100.0;
        // Ten of twenty take longer.
        let mut values: Vec<f64> = (0..20)
            .map(|at| ms(at) + if at % 2 == 0 { more_ms } else { 0.0 })
            .collect();
        let frame_ms = values.iter().sum::<f64>() + 0.2;
        values.push((values[0] * 100.0).round());
        assert_eq!(insight.take_frame(frame, frame_ms, &values), frame == 250);
        insight.rank_noticed();
    }
    let hitch = &insight.hitches()[0];
    assert!(!hitch.single_culprit, "{hitch:?}");
    assert!(hitch.verdict.contains("no single culprit"), "{hitch:?}");
    assert!(hitch.findings[0].path.starts_with("scope-"), "{hitch:?}");
}

#[test]
fn a_wait_for_the_gpu_is_explained_whatever_the_display_adds_to_it() {
    // 60 Hz, and the GPU usually takes 6 ms: half of its excess runs beside the work of the frame.
    for gpu_ms in [18.0, 24.0, 30.0, 34.0, 48.0] {
        let mut insight = Insight::new();
        with_timers(&mut insight, &["work", "present", "gpu/frame"], |facts| {
            facts.is_wait = facts.path == "present";
            if facts.path == "gpu/frame" {
                facts.thread = Some("gpu".into());
                facts.is_deferred = true;
            }
        });
        for frame in 0..300_u64 {
            let work_ms = 10.0 + (frame % 7) as f64 / 10.0;
            let now_ms = if frame == 250 { gpu_ms } else { 6.0 };
            let refreshes = (f64::max(work_ms, now_ms) / 16.667).ceil();
            let frame_ms = refreshes * 16.667;
            // The value of an earlier frame: that of this one is not known yet.
            let values = [work_ms, frame_ms - work_ms, 6.0];
            let is_noticed = insight.take_frame(frame, frame_ms, &values);
            assert_eq!(is_noticed, frame == 250, "{gpu_ms}");
            insight.rank_noticed();
            insight.set_late_value(2, frame, now_ms);
            insight.rank_noticed();
        }
        let hitch = &insight.hitches()[0];
        assert_eq!(hitch.findings[0].path, "gpu/frame", "{gpu_ms}: {hitch:?}");
        assert!(hitch.verdict.contains("waited for in present"), "{hitch:?}");
    }
}

#[test]
fn a_stall_at_equal_times_is_found_while_the_frame_rate_changes() {
    let mut insight = Insight::new();
    with_timers(&mut insight, &["work", "autosave"], |_| {});
    let (mut secs, mut next_secs) = (0.0, 1.3);
    for frame in 0..2500_u64 {
        // Between 7 and 15 ms, over a minute.
        let work_ms = 11.0 + 4.0 * (secs / 9.0_f64).sin() + (frame % 5) as f64 / 20.0;
        let is_saving = secs >= next_secs;
        let save_ms = if is_saving { 20.0 } else { 0.0 };
        next_secs += if is_saving { 2.0 } else { 0.0 };
        insight.take_frame(frame, work_ms + save_ms, &[work_ms, save_ms]);
        insight.rank_noticed();
        secs += (work_ms + save_ms) / 1e3;
    }
    let stalls = insight.periodic();
    assert_eq!(stalls.len(), 1, "{stalls:?}");
    let secs = stalls[0].period_secs.expect("equal times");
    assert!((secs - 2.0).abs() < 0.02, "{stalls:?}");
    assert_eq!(stalls[0].path, "autosave");
    assert_eq!(stalls[0].interval_text(), format!("{secs:.2} s"));
}

/// Frames and hitches go on while the search does.
#[test]
fn a_search_in_many_frames_finds_the_stalls_of_its_beginning() {
    let mut insight = Insight::new();
    with_timers(&mut insight, &["work", "autosave", "paths"], |_| {});
    let mut random = stats_testing::Random::new(12);
    let mut next_stall = 300;
    let mut step = |insight: &mut Insight, frame: u64| {
        let work_ms = 6.0 + random.below(100) as f64 / 100.0;
        let save_ms = if frame % 60 == 30 { 25.0 } else { 0.0 };
        let is_stall = frame == next_stall;
        next_stall += u64::from(is_stall) * (40 + random.below(120));
        let paths_ms = if is_stall { 25.0 } else { 0.0 };
        let all_ms = work_ms + save_ms + paths_ms;
        insight.take_frame(frame, all_ms, &[work_ms, save_ms, paths_ms]);
        insight.rank_noticed();
    };
    let begin = 4_000;
    (0..begin).for_each(|frame| step(&mut insight, frame));
    let whole = insight.periodic();
    assert!(
        whole.iter().any(|stall| stall.path == "autosave"),
        "{whole:?}"
    );
    let mut ended = None;
    for frame in begin.. {
        if let Some(stalls) = insight.look_for_periodic() {
            ended = Some((frame, stalls));
            break;
        }
        // Two seconds in each frame of the search.
        for part in 0..200 {
            step(&mut insight, begin + (frame - begin) * 200 + part);
        }
    }
    let (frame, stalls) = ended.expect("the search ends");
    assert!(frame > begin, "in several frames");
    assert_eq!(stalls, whole);
    // The next search has the new hitches.
    assert_ne!(insight.periodic(), whole);
}

/// Stalls every 60 frames that vary in time are not reported with a period in time, although they
/// vary only a little.
#[test]
fn a_stall_at_equal_frames_has_a_whole_number_of_frames() {
    for (seed, frames) in [(1, 600), (2, 1500), (3, 2500), (4, 700)] {
        let mut random = stats_testing::Random::new(seed);
        let mut insight = Insight::new();
        with_timers(&mut insight, &["work", "autosave"], |_| {});
        for frame in 0..frames {
            let work_ms = 6.0 + random.below(100) as f64 / 100.0;
            let save_ms = if frame % 60 == 30 { 20.0 } else { 0.0 };
            insight.take_frame(frame, work_ms + save_ms, &[work_ms, save_ms]);
            insight.rank_noticed();
        }
        let stalls = insight.periodic();
        assert_eq!(stalls.len(), 1, "{stalls:?}");
        assert_eq!(
            (stalls[0].period_frames, stalls[0].period_secs),
            (60.0, None)
        );
        assert_eq!(stalls[0].interval_text(), "60 frames");
    }
}

/// A stall at equal times comes with the next frame, so its times and its numbers of frames both
/// spread by a frame if the rate hardly changes.
#[test]
fn a_stall_at_equal_times_has_a_time_even_if_the_frame_rate_hardly_changes() {
    for seed in 0..8 {
        let mut random = stats_testing::Random::new(seed);
        let mut insight = Insight::new();
        with_timers(&mut insight, &["work", "autosave"], |_| {});
        let (mut secs, mut next_secs) = (0.0, 2.2);
        for frame in 0..3000 {
            let work_ms = 16.0 + random.below(1000) as f64 / 1000.0;
            let is_saving = secs >= next_secs;
            let save_ms = if is_saving { 20.0 } else { 0.0 };
            next_secs += if is_saving { 1.5 } else { 0.0 };
            insight.take_frame(frame, work_ms + save_ms, &[work_ms, save_ms]);
            insight.rank_noticed();
            secs += (work_ms + save_ms) / 1e3;
        }
        let stalls = insight.periodic();
        assert_eq!(stalls.len(), 1, "{stalls:?}");
        let secs = stalls[0].period_secs.expect("equal times");
        assert!((secs - 1.5).abs() < 0.005, "{stalls:?}");
    }
}

#[test]
fn work_that_misses_a_refresh_is_the_culprit_and_not_the_longer_wait() {
    let mut insight = Insight::new();
    with_timers(&mut insight, &["work", "save", "present"], |facts| {
        facts.is_wait = facts.path == "present";
    });
    for frame in 0..300_u64 {
        let work_ms = 13.0 + (frame % 7) as f64 / 10.0;
        let save_ms = if frame == 250 { 4.0 } else { 0.2 };
        let frame_ms = ((work_ms + save_ms) / 16.667).ceil() * 16.667;
        let values = [work_ms, save_ms, frame_ms - work_ms - save_ms];
        insight.take_frame(frame, frame_ms, &values);
        insight.rank_noticed();
    }
    let hitch = &insight.hitches()[0];
    assert_eq!((hitch.frame, &*hitch.findings[0].path), (250, "save"));
    assert!(hitch.single_culprit, "{hitch:?}");
}

#[test]
fn scopes_that_took_longer_share_the_excess_even_if_another_took_less() {
    let mut insight = Insight::new();
    with_timers(&mut insight, &["paths", "overlay", "flock"], |_| {});
    for frame in 0..300_u64 {
        let values = match frame {
            250 => [4.0, 4.0, 1.0],
            _ => [1.0, 1.0, 3.5],
        };
        insight.take_frame(frame, values.iter().sum(), &values);
        insight.rank_noticed();
    }
    let hitch = &insight.hitches()[0];
    assert_eq!(
        hitch.verdict, "+3.5 ms: 50 % paths, 50 % overlay",
        "{hitch:?}"
    );
    assert!(hitch.single_culprit, "{hitch:?}");
}

#[test]
fn every_explanation_agrees_with_its_findings() {
    let families = [
        Family::Scope(3.0, 20.0),
        Family::TwoScopes,
        Family::Wait,
        Family::Counter,
        Family::Broad,
        Family::Clean,
    ];
    for (family, seed) in families
        .iter()
        .flat_map(|family| (0..6).map(move |seed| (family, seed)))
    {
        let mut game = Game::new(*family, 300, 300 + seed);
        let mut insight = engine(&game);
        let mut hitches = Vec::new();
        for frame in 0..FRAMES {
            let frame_ms = game.step();
            if frame % 50 == 49 {
                hitches.push(insight.explain(frame, frame_ms, &game.values));
            }
            insight.take_frame(frame, frame_ms, &game.values);
            insight.rank_noticed();
        }
        hitches.extend(insight.hitches().iter().cloned());
        for hitch in hitches {
            let culprits = || {
                let findings = hitch.findings.iter();
                findings.filter(|finding| finding.role == Role::Culprit)
            };
            let mut paths: Vec<&str> = culprits().map(|finding| &*finding.path).collect();
            paths.sort_unstable();
            let count = paths.len();
            paths.dedup();
            assert_eq!(paths.len(), count, "{hitch:?}");
            for one in &hitch.findings {
                let is_positive = one.value.min(one.usual) >= 0.0;
                assert!(!is_positive || one.record >= 0.0, "{one:?}");
                let is_listed = one.share > 0.0 || hitch.excess_ms <= 0.0;
                assert!(one.role != Role::Via || is_listed, "{one:?}");
            }
            if hitch.excess_ms <= 0.0 {
                assert!(hitch.verdict.contains("not longer"), "{hitch:?}");
                assert!(count == 0 && !hitch.single_culprit, "{hitch:?}");
                continue;
            }
            let first = hitch.findings.first();
            let waits = first.is_some_and(|first| first.role == Role::Wait);
            assert!(
                !waits || culprits().all(|one| one.share >= 0.2),
                "{hitch:?}"
            );
            let is_part = hitch.verdict.contains("in no scope");
            let unaccounted = hitch
                .findings
                .iter()
                .find(|one| one.role == Role::Unaccounted);
            assert!(
                !is_part || unaccounted.is_some_and(|rest| rest.share >= 0.45),
                "{hitch:?}"
            );
            let is_far = hitch.excess_ms > 0.1 * hitch.usual_ms;
            assert!(
                !is_far || !hitch.verdict.contains("1.0 × as long"),
                "{hitch:?}"
            );
        }
    }
}

#[test]
fn a_hitch_after_a_change_of_level_is_explained_by_what_is_usual_since_then() {
    for frames in [14, 20, 60, 200] {
        let mut insight = Insight::new();
        with_timers(&mut insight, &["render", "ai"], |_| ());
        let mut random = stats_testing::Random::new(frames);
        let mut noise = || 1.0 + random.below(100) as f64 / 1000.0;
        let mut frame = 0;
        let mut play = |insight: &mut Insight, render_ms: f64, ai_ms: f64| {
            let values = [render_ms * noise(), ai_ms * noise()];
            let is_noticed = insight.take_frame(frame, values.iter().sum::<f64>() + 2.0, &values);
            frame += 1;
            is_noticed
        };
        for _ in 0..300 {
            play(&mut insight, 10.0, 4.0);
        }
        let risen = (0..frames)
            .filter(|_| play(&mut insight, 27.0, 4.0))
            .count();
        assert_eq!(risen, 1, "the change itself");
        assert!(play(&mut insight, 27.0, 24.0), "{frames}");
        insight.rank_noticed();
        let hitch = insight.hitches().back().expect("a hitch");
        assert_eq!(hitch.findings[0].path, "ai", "{frames} {}", hitch.verdict);
        assert!(hitch.findings[0].share > 0.85, "{frames} {}", hitch.verdict);
    }
}

#[test]
fn skipped_frames_take_time() {
    let mut insight = Insight::new();
    insight.set_series(
        0,
        Facts::new("level", SeriesKind::UpDownCounter, Unit::Count),
    );
    for frame in 0..3000_u64 {
        // One a frame, 100 a second, from a level that no game fills from nothing.
        if frame % 5 == 0 {
            insight.skip(10.0);
        } else {
            insight.take_frame(frame, 10.0, &[1e4 + frame as f64]);
        }
    }
    let leaks = insight.leaks();
    assert!((leaks[0].per_second - 100.0).abs() < 1.0, "{leaks:?}");
}

/// Returns an insight of the scope `ai` (series 0) with eight scopes inside it (1 to 8), of another
/// scope (9), and of a wait for the display (10). All run on the frame's thread.
fn scopes_in_a_scope() -> Insight {
    let mut insight = Insight::new();
    insight.set_frame_thread(Some("main"));
    let timer = |path: String| {
        let mut facts = Facts::new(path, SeriesKind::Timer, Unit::Milliseconds);
        facts.thread = Some("main".to_owned());
        facts
    };
    insight.set_series(0, timer("ai".to_owned()));
    for number in 1..9 {
        let mut facts = timer(format!("part/{number}"));
        facts.parent = Some(0);
        insight.set_series(number, facts);
    }
    insight.set_series(9, timer("render".to_owned()));
    let mut wait = timer("present".to_owned());
    wait.is_wait = true;
    insight.set_series(10, wait);
    insight
}

/// Returns the values of a frame whose inner scopes take `part_ms` each.
fn parts(part_ms: f64, render_ms: f64, present_ms: f64) -> (f64, Vec<f64>) {
    let mut values = vec![part_ms * 8.0];
    values.extend([part_ms; 8]);
    values.extend([render_ms, present_ms]);
    (part_ms * 8.0 + render_ms + present_ms + 0.1, values)
}

#[test]
fn scopes_that_are_slow_together_are_named_by_the_scope_around_them() {
    let mut insight = scopes_in_a_scope();
    let mut explained = |slow: (f64, Vec<f64>)| {
        for frame in 0..200 {
            let (ms, values) = parts(0.5, 6.0, 1.0 + (frame % 5) as f64 / 50.0);
            insight.take_frame(frame, ms, &values);
        }
        insight.explain(200, slow.0, &slow.1)
    };
    let hitch = explained(parts(2.5, 6.0, 1.0));
    let first = &hitch.findings[0];
    assert_eq!((&*first.path, first.role), ("ai", Role::Culprit));
    assert!(first.share > 0.95 && hitch.single_culprit, "{hitch:?}");
    assert_eq!((first.value, first.usual.round()), (20.0, 4.0));
    assert!(
        hitch.verdict.ends_with(" % ai, in many scopes"),
        "{}",
        hitch.verdict
    );
    let culprits = hitch
        .findings
        .iter()
        .filter(|one| one.role == Role::Culprit);
    assert_eq!(culprits.count(), 1);
    // If everything takes longer, no system is to blame.
    let hitch = explained(parts(1.5, 18.0, 1.0));
    assert!(!hitch.single_culprit, "{hitch:?}");
    assert!(
        hitch.verdict.contains("no single culprit"),
        "{}",
        hitch.verdict
    );
}

#[test]
fn the_time_in_no_scope_is_at_most_what_the_scopes_leave() {
    let mut random = stats_testing::Random::new(9);
    let mut checked = 0;
    for _ in 0..40 {
        let mut insight = scopes_in_a_scope();
        // After a change of level, the usual times of the scopes and of the frame are of different
        // ages.
        let (change_at, factor) = (
            300 + random.below(60),
            1.2 + random.below(100) as f64 / 200.0,
        );
        for frame in 0..900 {
            let noise = 0.97 + random.below(100) as f64 / 1700.0;
            let factor = if frame < change_at {
                noise
            } else {
                factor * noise
            };
            let render_ms = 6.0 * (0.97 + random.below(100) as f64 / 1700.0);
            let (ms, values) = parts(1.5 * factor, render_ms, 0.0);
            if insight.take_frame(frame, ms, &values) {
                insight.rank_noticed();
            }
            let hitch = insight.explain(frame, ms, &values);
            for finding in hitch
                .findings
                .iter()
                .filter(|one| one.role == Role::Unaccounted)
            {
                let added_ms = finding.share * hitch.excess_ms;
                assert!(added_ms <= 0.1 + 1e-9, "{frame}: {hitch:?}");
                assert!(finding.value <= 0.1 + 1e-9, "{frame}: {hitch:?}");
                checked += 1;
            }
        }
        let small = insight.hitches().iter().find(|hitch| hitch.excess_ms < 1.0);
        assert_eq!(small, None);
    }
    assert!(checked > 0);
}

#[test]
fn a_wait_for_the_work_of_an_earlier_frame_names_that_work() {
    for (lag, text) in [(1, "of the previous frame"), (2, "of 2 frames earlier")] {
        let mut insight = Insight::new();
        insight.set_frame_thread(Some("main"));
        for (number, (path, thread)) in [
            ("update", "main"),
            ("present", "main"),
            ("gpu/frame", "gpu"),
            ("gpu/shadow", "gpu"),
        ]
        .into_iter()
        .enumerate()
        {
            let mut facts = Facts::new(path, SeriesKind::Timer, Unit::Milliseconds);
            // The passes of a GPU in a capture have no thread.
            facts.thread = (thread == "main").then(|| thread.to_owned());
            facts.is_wait = path == "present";
            insight.set_series(number as u32, facts);
        }
        for frame in 0..400_u64 {
            let spike = if frame == 300 { 20.0 } else { 0.0 };
            let late = if frame == 300 + lag { 20.0 } else { 0.0 };
            let noise = (frame % 7) as f64 / 40.0;
            let values = [8.0 + noise, 1.0 + late, 6.0 + noise + spike, 2.0 + spike];
            if insight.take_frame(frame, values[0] + values[1], &values) {
                insight.rank_noticed();
            }
        }
        let hitches = insight.hitches();
        assert_eq!(hitches.len(), 1, "{hitches:?}");
        let (hitch, first) = (&hitches[0], &hitches[0].findings[0]);
        assert_eq!((hitch.frame, &*first.path), (300 + lag, "gpu/shadow"));
        assert_eq!((first.role, first.value), (Role::Culprit, 22.0));
        let expected = format!(" % gpu/shadow {text}, waited for in present");
        assert!(hitch.verdict.ends_with(&expected), "{}", hitch.verdict);
    }
}

/// A timer with the time and the calls of one frame.
struct Timed {
    path: &'static str,
    /// `None`: not known, or several.
    thread: Option<&'static str>,
    is_wait: bool,
    usual: (f64, f64),
    slow: (f64, f64),
}

fn timed(path: &'static str, thread: Option<&'static str>, usual_ms: f64, slow_ms: f64) -> Timed {
    Timed {
        path,
        thread,
        is_wait: path.ends_with("wait") || path.ends_with("present"),
        usual: (usual_ms, 1.0),
        slow: (slow_ms, 1.0),
    }
}

/// Plays 300 frames, of which frame 250 is slow, and returns its explanation. Frames take 16.7 ms.
/// All times and counts vary by up to 4 %. `counters` have their usual and their slow value.
fn slow_frame(slow_ms: f64, timers: &[Timed], others: &[(Facts, f64, f64)]) -> Hitch {
    let mut insight = Insight::new();
    insight.set_frame_thread(Some("main"));
    for (number, timer) in (0..).step_by(2).zip(timers) {
        let mut facts = Facts::new(timer.path, SeriesKind::Timer, Unit::Milliseconds);
        facts.thread = timer.thread.map(str::to_owned);
        facts.is_wait = timer.is_wait;
        insight.set_series(number, facts);
        let mut calls = Facts::new(timer.path, SeriesKind::TimerCalls, Unit::Count);
        calls.of = Some(number);
        insight.set_series(number + 1, calls);
    }
    for (number, (facts, ..)) in (2 * timers.len() as u32..).zip(others) {
        insight.set_series(number, facts.clone());
    }
    for frame in 0..300_u64 {
        let is_slow = frame == 250;
        let vary = |value: f64, at: usize| {
            value * (0.98 + (frame * 7 + at as u64 * 5) as f64 % 11.0 / 250.0)
        };
        let mut values = Vec::new();
        for (at, timer) in timers.iter().enumerate() {
            let (ms, calls) = if is_slow { timer.slow } else { timer.usual };
            values.extend([if is_slow { ms } else { vary(ms, at) }, calls]);
        }
        for (at, (_, usual, slow)) in others.iter().enumerate() {
            values.push(if is_slow { *slow } else { vary(*usual, at) });
        }
        let frame_ms = if is_slow { slow_ms } else { 16.7 };
        assert_eq!(insight.take_frame(frame, frame_ms, &values), is_slow);
        insight.rank_noticed();
    }
    insight.hitches()[0].clone()
}

#[test]
fn a_thread_that_is_always_busy_is_not_blamed_for_the_length_of_the_frame() {
    let stream = || Timed {
        slow: (75.9, 84.0),
        usual: (16.5, 18.0),
        ..timed("stream/decode", Some("stream"), 0.0, 0.0)
    };
    // The frame waits neither for the thread, nor for anything else.
    let ai = timed("sim/ai", Some("main"), 10.0, 70.0);
    let hitch = slow_frame(76.7, &[ai, stream()], &[]);
    assert_eq!(hitch.verdict, "+60.0 ms: 100 % sim/ai");
    let ai = timed("sim/ai", Some("main"), 10.0, 10.0);
    let present = timed("present", Some("main"), 6.0, 66.0);
    let hitch = slow_frame(76.7, &[ai, present, stream()], &[]);
    assert_eq!(hitch.verdict, "+60.0 ms: 100 % waiting in present");
}

#[test]
fn a_worker_that_usually_takes_most_of_the_frame_is_blamed_if_the_frame_waits_for_it() {
    let ai = || timed("sim/ai", Some("main"), 1.3, 1.3);
    let wait = |path| timed(path, Some("main"), 15.2, 20.2);
    let search = |usual, slow| Timed {
        slow: (slow, 8.0),
        usual: (usual, 6.0),
        ..timed("paths/search", Some("worker"), 0.0, 0.0)
    };
    let verdict = |wait, search| slow_frame(21.7, &[ai(), wait, search], &[]).verdict;
    assert_eq!(
        verdict(wait("jobs/wait"), search(14.5, 19.4)),
        "+5.0 ms: 98 % paths/search, waited for in jobs/wait, 6 calls → 8"
    );
    // A display may have made the wait longer, and a thread that is always busy does more in it.
    for (path, search) in [
        ("present", search(14.5, 19.4)),
        ("jobs/wait", search(16.4, 21.3)),
    ] {
        let expected = format!("+5.0 ms: 100 % waiting in {path}");
        assert_eq!(verdict(wait(path), search), expected);
    }
}

#[test]
fn a_scope_that_worked_is_not_taken_for_a_wait_for_a_shorter_scope() {
    let io = |slow_ms| timed("io/decode", Some("io"), 0.1, slow_ms);
    let ai = || timed("sim/ai", Some("main"), 10.0, 40.0);
    for io_ms in [20.0, 27.0, 29.0, 36.0] {
        let hitch = slow_frame(46.7, &[ai(), io(io_ms)], &[]);
        assert_eq!(hitch.verdict, "+30.0 ms: 100 % sim/ai", "{io_ms}");
    }
    let hitch = slow_frame(46.7, &[ai(), io(31.0)], &[]);
    assert_eq!(
        hitch.verdict,
        "+30.0 ms: 100 % io/decode, waited for in sim/ai"
    );
}

#[test]
fn series_that_follow_the_length_of_the_frame_explain_nothing() {
    let counter = |path: &str| Facts::new(path, SeriesKind::Counter, Unit::Count);
    let gauge = |path: &str, unit| Facts::new(path, SeriesKind::Gauge, unit);
    let ai = || timed("sim/ai", Some("main"), 10.0, 10.0);
    let pace = 167.0 / 16.7;
    let followers = [
        (counter("audio/samples"), 800.0, 800.0 * pace),
        (counter("net/packets"), 3.0, 3.0 * pace),
        (gauge("time/delta", Unit::Seconds), 0.0167, 0.167),
        (
            gauge("time/delta-us", Unit::Microseconds),
            16_700.0,
            167_000.0,
        ),
        (gauge("time/delta-plain", Unit::Count), 0.0167, 0.167),
    ];
    for follower in &followers {
        let hitch = slow_frame(167.0, &[ai()], std::slice::from_ref(follower));
        assert_eq!(hitch.verdict, "+150.3 ms: 100 % in no scope");
        assert_eq!(hitch.findings[0].role, Role::Unaccounted);
        assert_eq!(hitch.findings.len(), 1, "{hitch:?}");
    }
    // Whatever rose by more than that is named.
    let mut others = followers.to_vec();
    others.push((counter("entities/spawned"), 3.0, 480.0));
    let hitch = slow_frame(167.0, &[ai()], &others);
    let found: Vec<&str> = hitch.findings.iter().map(|one| &*one.path).collect();
    assert_eq!(found, ["entities/spawned", "unaccounted"]);
}

#[test]
fn a_timer_of_several_threads_is_named_if_the_frame_waits_for_it() {
    for workers in [2.0, 3.0, 8.0] {
        let island = Timed {
            usual: (3.0 * workers, workers),
            slow: (33.0 * workers, workers),
            ..timed("physics/island", None, 0.0, 0.0)
        };
        let wait = timed("jobs/wait", Some("main"), 0.5, 30.5);
        let main = timed("sim/ai", Some("main"), 12.0, 12.0);
        let hitch = slow_frame(46.7, &[main, wait, island], &[]);
        let expected = "+30.0 ms: 100 % physics/island, waited for in jobs/wait";
        assert_eq!(hitch.verdict, expected, "{workers}");
    }
}

#[test]
fn a_latency_that_is_longer_than_the_frame_did_not_make_it_long() {
    for latency_ms in [80.0, 695.0] {
        let latency = timed("asset/latency", None, 30.0, latency_ms);
        let main = timed("sim/ai", Some("main"), 12.0, 12.0);
        let hitch = slow_frame(51.7, &[main, latency], &[]);
        assert_eq!(hitch.verdict, "+35.0 ms: 100 % in no scope");
    }
}

#[test]
fn a_refresh_is_missed_because_of_the_work_only_if_the_work_needs_it() {
    let play = |work_ms: f64, frame_ms: f64| {
        let quests = timed("sim/quests", Some("main"), 13.0, work_ms);
        let present = timed("present", Some("main"), 3.7, frame_ms - work_ms);
        slow_frame(frame_ms, &[quests, present], &[]).verdict
    };
    let work = |ms: &str| format!("+{ms} ms: 100 % sim/quests; {ms} ms more work, 16.7 ms longer");
    assert_eq!(play(17.5, 33.4), work("4.5"));
    assert_eq!(play(14.4, 33.4), work("1.4"), "due early");
    assert_eq!(play(14.4, 200.4), "+183.7 ms: 99 % waiting in present");
}

#[test]
fn time_in_no_scope_that_a_display_adds_to_the_work_is_not_the_culprit() {
    let work = |slow_ms| timed("sim/decals", Some("main"), 9.0, slow_ms);
    let hitch = slow_frame(33.4, &[work(19.0)], &[]);
    assert_eq!(
        hitch.verdict,
        "+10.0 ms: 100 % sim/decals; 10.0 ms more work, 16.7 ms longer"
    );
    // Not a multiple of the usual time, and little work.
    assert!(
        slow_frame(41.0, &[work(19.0)], &[])
            .verdict
            .contains("in no scope")
    );
    assert!(
        slow_frame(33.4, &[work(10.0)], &[])
            .verdict
            .contains("in no scope")
    );
}

#[test]
fn a_frame_that_is_explained_again_has_the_same_answer() {
    let mut insight = Insight::new();
    with_timers(
        &mut insight,
        &["update", "present", "gpu/shadow"],
        |facts| {
            facts.is_wait = facts.path == "present";
            facts.thread = (facts.path != "gpu/shadow").then(|| "main".to_owned());
        },
    );
    for frame in 0..300_u64 {
        let spike = if frame == 250 { 20.0 } else { 0.0 };
        let late = if frame == 251 { 20.0 } else { 0.0 };
        let values = [8.0 + (frame % 7) as f64 / 40.0, 1.0 + late, 2.0 + spike];
        let frame_ms = values[0] + values[1];
        let again = insight.explain(frame, frame_ms, &values);
        insight.take_frame(frame, frame_ms, &values);
        insight.rank_noticed();
        if let Some(hitch) = insight.hitches().back() {
            assert_eq!((frame, &hitch.verdict), (251, &again.verdict));
            assert_eq!(hitch.findings, again.findings);
            return;
        }
    }
    panic!("no hitch");
}

#[test]
fn more_hitches_are_kept_and_examined_if_asked() {
    let mut insight = Insight::new();
    insight.keep_hitches(1_000);
    with_timers(&mut insight, &["save"], |_| {});
    for frame in 0..48_000_u64 {
        let is_slow = frame >= 480 && frame.is_multiple_of(120);
        let ms = if is_slow {
            30.0
        } else {
            10.0 + (frame % 5) as f64 / 10.0
        };
        insight.take_frame(frame, ms, &[ms]);
        insight.rank_noticed();
    }
    let stalls = insight.periodic();
    assert_eq!((insight.hitches().len(), stalls.len()), (396, 1));
    assert_eq!((stalls[0].count, stalls[0].first_frame), (396, 480));
}

#[test]
fn stalls_in_frames_of_different_length_are_found_even_after_one_that_was_not_noticed() {
    let mut insight = Insight::new();
    with_timers(&mut insight, &["work", "save"], |_| {});
    let mut random = stats_testing::Random::new(4);
    let mut found = 0;
    for frame in 0..2_000_u64 {
        let is_stall = frame >= 200 && frame % 45 == 20;
        // The sum of twelve uniform numbers is about normally distributed.
        let sum: u64 = (0..12).map(|_| random.below(1_000)).sum();
        let noise = sum as f64 / 1e3 - 6.0;
        let work_ms = 16.0 * f64::exp(0.13 * noise);
        let save_ms = if is_stall {
            7.0 + (frame / 45 % 3) as f64
        } else {
            0.1
        };
        let is_noticed = insight.take_frame(frame, work_ms + save_ms, &[work_ms, save_ms]);
        assert!(is_stall || !is_noticed, "{frame}");
        found += usize::from(is_noticed);
        insight.rank_noticed();
    }
    assert!(found >= 25, "{found} of 40");
    let combs = insight.periodic();
    assert_eq!(combs[0].path, "save");
    assert_eq!(combs[0].period_frames, 45.0);
}

#[test]
fn a_refresh_missed_because_of_the_work_is_not_blamed_on_a_thread_that_was_busy_too() {
    let timers = [
        timed("sim/quests", Some("main"), 13.0, 18.5),
        timed("present", Some("main"), 3.7, 14.9),
        timed("loader/decode", Some("loader"), 2.0, 13.2),
    ];
    let hitch = slow_frame(33.4, &timers, &[]);
    assert_eq!(
        hitch.verdict,
        "+5.5 ms: 100 % sim/quests; 5.5 ms more work, 16.7 ms longer"
    );
}

#[test]
fn a_late_worker_is_named_although_the_work_made_the_frame_miss_a_refresh() {
    let timers = [
        timed("sim/quests", Some("main"), 13.0, 18.5),
        timed("jobs/wait", Some("main"), 0.1, 9.1),
        timed("present", Some("main"), 3.6, 5.8),
        timed("worker/mesh", Some("worker"), 2.0, 11.0),
    ];
    let hitch = slow_frame(33.4, &timers, &[]);
    let expected = "62 % worker/mesh, waited for in jobs/wait, 38 % sim/quests";
    assert!(hitch.verdict.contains(expected), "{}", hitch.verdict);
}

#[test]
fn a_frame_in_which_a_large_scope_and_all_others_took_longer_has_no_single_culprit() {
    let names = ["render", "ai", "audio", "ui", "net"];
    let timers: Vec<Timed> = names
        .iter()
        .zip([12.0, 1.0, 1.0, 1.0, 1.0])
        .map(|(path, ms)| timed(path, Some("main"), ms, 1.9 * ms))
        .collect();
    let hitch = slow_frame(1.9 * 16.7, &timers, &[]);
    assert!(!hitch.single_culprit, "{hitch:?}");
    assert!(hitch.verdict.contains("no single culprit"), "{hitch:?}");
    // The large one alone.
    let alone: Vec<Timed> = names
        .iter()
        .zip([12.0, 1.0, 1.0, 1.0, 1.0])
        .map(|(path, ms)| timed(path, Some("main"), ms, if ms > 1.0 { 1.9 * ms } else { ms }))
        .collect();
    let hitch = slow_frame(16.7 + 0.9 * 12.0, &alone, &[]);
    assert_eq!(hitch.findings[0].path, "render");
    assert!(hitch.single_culprit, "{hitch:?}");
}

#[test]
fn a_counter_that_varies_little_leads_before_those_that_exceed_their_records_by_chance() {
    let mut insight = Insight::new();
    insight.set_frame_thread(Some("main"));
    let counter = |path: &str| Facts::new(path, SeriesKind::Counter, Unit::Count);
    for (number, path) in (0..).zip(["steady", "bursts", "heavy", "new", "less"]) {
        insight.set_series(number, counter(path));
    }
    let mut random = stats_testing::Random::new(9);
    for frame in 0..600_u64 {
        let is_slow = frame == 550;
        let mut uniform = || (random.below(10_000) + 1) as f64 / 10_000.0;
        // A Pareto distribution: its largest values are far beyond all others.
        let heavy = 10.0 * uniform().powf(-0.7);
        let bursts = if frame % 60 == 7 {
            20.0 + 80.0 * uniform()
        } else {
            0.0
        };
        let less = 100.0 + (30.0 * uniform()).floor();
        let steady = 100.0 + (30.0 * uniform()).floor();
        let values = if is_slow {
            [170.0, 900.0, 1_500.0, 300.0, 0.0]
        } else {
            [steady, bursts, heavy, 0.0, less]
        };
        let frame_ms = if is_slow { 140.0 } else { 16.6 + uniform() };
        assert_eq!(insight.take_frame(frame, frame_ms, &values), is_slow);
        insight.rank_noticed();
    }
    let hitch = &insight.hitches()[0];
    let paths: Vec<&str> = hitch.findings.iter().map(|one| &*one.path).collect();
    assert_eq!(paths.first(), Some(&"steady"), "{hitch:?}");
    let last = paths.iter().rfind(|path| **path != "unaccounted");
    assert_eq!(last, Some(&"less"), "{hitch:?}");
}
