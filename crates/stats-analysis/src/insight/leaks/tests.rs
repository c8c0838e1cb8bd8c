use super::level::STRAIGHT;
use super::slope::{Point, mann_kendall, slope_of_growth};
use super::*;
use crate::insight::Facts;

#[test]
fn a_compact_engine_finds_the_leaks_among_many_levels_and_keeps_them_at_rest() {
    let (mut leaks, facts) = (Leaks::default(), facts());
    leaks.limit();
    let count = 3000;
    let all = all_of(&facts, count);
    (0..count).for_each(|series| leaks.add(series, floor(&facts)));
    assert_eq!(leaks.levels.len(), MAX_FOLLOWED);
    // Levels 10 and 2990 leak; only the first one is followed from the beginning.
    let mut random = stats_testing::Random::new(3);
    let mut values = vec![0.0; count as usize];
    let mut play = |leaks: &mut Leaks, from: u32, to: u32| {
        for frame in from..to {
            values
                .iter_mut()
                .for_each(|value| *value = 100.0 + random.below(9) as f64);
            for leaking in [10, 2990] {
                values[leaking] = 1000.0 + f64::from(frame);
            }
            leaks.take_frame(1.0 / 60.0, &values);
        }
    };
    play(&mut leaks, 0, 60 * 90);
    let found = |leaks: &Leaks| {
        let mut found: Vec<u32> = leaks.found(&all).iter().map(|leak| leak.series).collect();
        found.sort_unstable();
        found
    };
    assert_eq!(found(&leaks), [10, 2990]);
    assert_eq!(leaks.levels.len(), MAX_FOLLOWED);
    leaks.rest();
    assert!(leaks.levels.len() <= MAX_RESTING && leaks.levels.capacity() <= MAX_RESTING);
    assert_eq!(leaks.trends.len(), count as usize);
    play(&mut leaks, 60 * 90, 60 * 100);
    assert_eq!(found(&leaks), [10, 2990]);
    assert_eq!(leaks.levels.len(), MAX_FOLLOWED);
    assert_eq!(leaks.trends.len(), count as usize);
}

/// Returns the seconds from `begins` until a compact engine lists level 299 of 300. It grows by 1e5
/// bytes a second, and all levels have a wave of 3e6.
fn delay_with_wave(begins: f64, period: f64, noise: f64) -> f64 {
    let mut facts = facts();
    facts.unit = stats_core::Unit::Bytes;
    let all = all_of(&facts, 300);
    let mut leaks = Leaks::default();
    leaks.limit();
    (0..300).for_each(|series| leaks.add(series, floor(&facts)));
    let mut random = stats_testing::Random::new(4);
    let mut values = vec![0.0; 300];
    for frame in 0..20 * 2000 {
        let secs = f64::from(frame) / 20.0;
        let wave = 3e6 * (std::f64::consts::TAU * secs / period).sin();
        for value in &mut values {
            *value = 2e7 + wave + noise * random.below(1000) as f64;
        }
        values[299] += 1e5 * (secs - begins).max(0.0);
        leaks.take_frame(0.05, &values);
        let is_listed = || leaks.found(&all).iter().any(|leak| leak.series == 299);
        if frame % 20 == 0 && is_listed() {
            return secs - begins;
        }
    }
    f64::INFINITY
}

#[test]
fn a_compact_engine_finds_a_leak_under_a_wave() {
    for period in [0.5, 3.0, 7.0, 15.0, 20.0, 33.0, 60.0] {
        for (begins, noise) in [(0.0, 0.0), (0.0, 100.0), (400.0, 100.0)] {
            let delay = delay_with_wave(begins, period, noise);
            assert!(delay <= 600.0, "{period} {begins} {noise}: {delay}");
        }
    }
    for begins in [0.0, 100.0] {
        let delay = delay_with_wave(begins, 1e9, 100.0);
        assert!(delay <= 300.0, "{begins}: {delay}");
    }
    // Levels that hardly rise do not take all places forever.
    let delay = delay_with_wave(400.0, 1e9, 0.0);
    assert!(delay <= 300.0, "{delay}");
}

/// The facts of `count` equal levels.
fn all_of(facts: &Facts, count: u32) -> AllFacts {
    let mut all = AllFacts::default();
    for number in 0..count {
        all.set_form(number, Form::of(&facts.info(number)));
        all.set_budget(number, facts.budget);
    }
    all
}

fn floor(facts: &Facts) -> f32 {
    Form::of(&facts.info(0)).floor()
}

fn facts() -> Facts {
    Facts::new(
        "level",
        stats_core::SeriesKind::UpDownCounter,
        stats_core::Unit::Count,
    )
}

fn points(minimum: impl Fn(usize) -> f32, count: usize) -> Vec<Point> {
    (0..count)
        .map(|at| Point {
            time: at as f32,
            minimum: minimum(at),
        })
        .collect()
}

#[test]
fn the_statistic_agrees_with_a_count_of_the_pairs() {
    // Ten different values have 45 pairs, so S is odd; these values have S = 19.
    let values = [5.0, 2.0, 1.0, 6.0, 3.0, 4.0, 9.0, 7.0, 8.0, 5.5];
    let s: f64 =
        mann_kendall(&points(|at| values[at], 10)) * (10.0_f64 * 9.0 * 25.0 / 18.0).sqrt() + 1.0;
    let by_hand = (0..10)
        .flat_map(|i| (i + 1..10).map(move |j| (i, j)))
        .map(|(i, j)| if values[j] > values[i] { 1.0 } else { -1.0 })
        .sum::<f64>();
    assert!((s - by_hand).abs() < 1e-9, "{s} {by_hand}");
}

#[test]
fn a_level_that_was_freed_no_longer_grows() {
    let mut facts = facts();
    facts.budget = Some(3153.0);
    let mut leaks = Leaks::default();
    (0..8).for_each(|series| leaks.add(series, floor(&facts)));
    let all = all_of(&facts, 8);
    for frame in 0..60 * 330 {
        let secs = f64::from(frame) / 60.0;
        let level = if secs < 315.0 { 10.0 * secs } else { 0.0 };
        leaks.take_frame(1.0 / 60.0, &[level; 8]);
        if frame == 60 * 314 {
            assert_eq!(leaks.found(&all).len(), 8);
        }
    }
    assert_eq!(leaks.found(&all), []);
}

#[test]
fn a_level_that_stopped_growing_leaves_the_list_and_one_that_grows_in_steps_stays() {
    let facts = facts();
    let all = all_of(&facts, 2);
    // Grows for 300 seconds, in every frame or every 4 seconds.
    for step_secs in [1.0 / 60.0, 4.0] {
        let mut leaks = Leaks::default();
        (0..2).for_each(|series| leaks.add(series, floor(&facts)));
        for frame in 0..60 * 360 {
            let secs = f64::from(frame) / 60.0;
            let level = |end: f64| 1e4 + 100.0 * (secs.min(end) / step_secs).floor() * step_secs;
            leaks.take_frame(1.0 / 60.0, &[level(300.0), level(1e9)]);
            let listed = leaks.found(&all);
            let has = |series| listed.iter().any(|leak| leak.series == series);
            if secs > 150.0 {
                assert!(has(1), "{secs}");
            }
            if secs > 150.0 && secs < 300.0 {
                assert!(has(0), "{secs}");
            }
            if secs > 330.0 {
                assert!(!has(0), "{secs}");
            }
        }
    }
}

#[test]
fn the_time_to_the_budget_counts_from_the_newest_frame() {
    let mut facts = facts();
    facts.budget = Some(100_000.0);
    let mut leaks = Leaks::default();
    (0..8).for_each(|series| leaks.add(series, floor(&facts)));
    let all = all_of(&facts, 8);
    for frame in 1..30_000 {
        // Things from almost nothing may be those of a game that fills.
        let level = 6_000.0 + f64::from(frame);
        leaks.take_frame(1.0 / 60.0, &[level; 8]);
        if frame % 1_000 != 0 {
            continue;
        }
        let found = leaks.found(&all);
        assert_eq!(found.len(), 8);
        let left = (100_000.0 - level) / 60.0;
        for leak in found {
            let stated = leak.seconds_to_budget.expect("there is a budget");
            assert!((stated - left).abs() < 1.0, "{frame}: {stated}, {left}");
        }
    }
}

#[test]
fn the_slope_does_not_depend_on_the_number_of_the_series() {
    let facts = facts();
    let all = all_of(&facts, 40);
    let mut leaks = Leaks::default();
    (0..40).for_each(|series| leaks.add(series, floor(&facts)));
    for frame in 0..1500 {
        let level = 1000.0 + f64::from(frame);
        leaks.take_frame(1.0 / 60.0, &[level; 40]);
    }
    let found = leaks.found(&all);
    assert_eq!(found.len(), 40);
    for leak in found {
        assert!((leak.per_second - 60.0).abs() < 0.06, "{leak:?}");
    }
}

/// Returns the seconds at which a level was listed, once a second.
fn listed(secs: u32, level: impl Fn(f64) -> f64) -> Vec<u32> {
    let facts = facts();
    let all = all_of(&facts, 1);
    let mut leaks = Leaks::default();
    leaks.add(0, floor(&facts));
    let mut listed = Vec::new();
    for second in 0..secs {
        for frame in 0..60 {
            let now = f64::from(second) + f64::from(frame) / 60.0;
            leaks.take_frame(1.0 / 60.0, &[level(now)]);
        }
        if !leaks.found(&all).is_empty() {
            listed.push(second + 1);
        }
    }
    listed
}

#[test]
fn a_leak_that_begins_late_or_goes_on_after_a_level_load_is_found_soon() {
    for flat in [30.0, 60.0, 100.0, 170.0] {
        let level = |now: f64| 1_000.0 + 5.0 * (now - flat).max(0.0);
        // Things, which may be those of a game that fills, and bytes.
        let bytes = leaks_of(300, |now| 1e4 * level(now));
        let bytes = bytes.iter().position(Option::is_some).expect("it leaks");
        assert!(
            (flat..flat + 65.0).contains(&(bytes as f64)),
            "{flat}: {bytes}"
        );
        let found = listed(300, level);
        let (first, last) = (f64::from(found[0]), found[found.len() - 1]);
        assert!((flat..flat + 90.0).contains(&first), "{flat}: {first}");
        assert_eq!(last, 300, "it stays listed");
    }
    let found = listed(200, |now| {
        let loaded = if now < 40.0 { 0.0 } else { 800.0 };
        1_000.0 + loaded + 10.0 * now
    });
    assert!(found.contains(&30) && found.contains(&100), "{found:?}");
}

/// Things that die, and are spawned in waves up to a number, in two levels by turns.
#[test]
fn a_game_that_fills_and_settles_has_no_leak_and_one_that_goes_on_has() {
    let mut random = stats_testing::Random::new(4);
    for (from, wave, every, full) in [
        (2960.0, 17.0, 1.25, 410.0),
        (2960.0, 1.0, 0.1, 300.0),
        (0.0, 14.0, 1.25, 340.0),
        (0.0, 1.0, 0.05, 700.0),
        (1000.0, 5.0, 2.5, 80.0),
    ] {
        let deaths: Vec<f64> = (0..900).map(|_| random.below(100) as f64 / 1e4).collect();
        let filled = |now: f64| {
            let alive = ((now / every).floor() * wave).min(full);
            (from + alive - (alive * deaths[now as usize]).floor()).floor()
        };
        let levels = |now: f64| filled(now % 75.0) + 0.1 * from * ((now / 75.0).floor() % 2.0);
        for level in [&filled as &dyn Fn(f64) -> f64, &levels] {
            let found = listed(300, level);
            assert_eq!(found, [], "{from} {wave} {every} {full}");
        }
        // Without an end, it leaks.
        let endless = |now: f64| from + (now / every).floor() * wave;
        let found = listed(100, endless);
        assert!(found.contains(&100), "{from} {wave} {every}: {found:?}");
    }
    // A leak that is fast is found at once, even if it begins with the game.
    for per_second in [6.0, 12.0] {
        let found = listed(60, |now| 600.0 + (per_second * now).floor());
        assert!(found[0] <= 10, "{per_second}: {found:?}");
    }
}

#[test]
fn waves_and_loads_are_no_leaks_and_a_cache_is_one_only_while_it_fills_evenly() {
    let wave = |now: f64| 1_000.0 + 300.0 * (now / 20.0).cos();
    assert_eq!(listed(600, wave), []);
    let load = |now: f64, at: f64, size: f64| if now < at { 0.0 } else { size };
    let loads = |now| 500.0 + load(now, 30.0, 900.0) + load(now, 95.0, 400.0);
    let loads = |now| loads(now) + load(now, 170.0, 1_200.0) + load(now, 420.0, 300.0);
    assert_eq!(listed(600, loads), []);
    for fills_in in [3.0, 5.0, 8.0] {
        let cache = |now: f64| 5_000.0 * (1.0 - (-now / fills_in).exp());
        assert_eq!(listed(120, cache), [], "{fills_in}");
    }
    let slow = listed(300, |now| 5_000.0 * (1.0 - (-now / 20.0_f64).exp()));
    assert!(slow.iter().all(|second| *second < 25), "{slow:?}");
}

#[test]
fn a_level_that_stopped_growing_is_no_longer_listed() {
    for stops in [40.0, 92.0, 150.0] {
        let flat = |now: f64| 1_000.0 + 20.0 * now.min(stops) + (now * 7.0).sin();
        let found = listed(300, flat);
        let last = f64::from(found[found.len() - 1]);
        assert!(
            last > stops - 5.0 && last < 1.2 * stops + 4.0,
            "{stops}: {last}"
        );
        assert_eq!(listed(stops as u32, flat).last(), Some(&(stops as u32)));
    }
}

/// Returns the leaks of a level once a second.
fn leaks_of(secs: u32, level: impl Fn(f64) -> f64) -> Vec<Option<Leak>> {
    let mut facts = facts();
    facts.unit = stats_core::Unit::Bytes;
    let all = all_of(&facts, 1);
    let mut leaks = Leaks::default();
    leaks.add(0, floor(&facts));
    let seconds = 0..secs;
    seconds
        .map(|second| {
            for frame in 0..60 {
                let now = f64::from(second) + f64::from(frame) / 60.0;
                leaks.take_frame(1.0 / 60.0, &[level(now)]);
            }
            leaks.found(&all).pop()
        })
        .collect()
}

#[test]
fn a_leak_that_becomes_slower_stays_listed_and_says_so() {
    for (noise, factor) in [(0.0, 0.33), (0.001, 0.33), (0.001, 0.5), (0.0, 0.2)] {
        for slows_at in [30.0, 47.0, 120.0, 300.0] {
            let mut random = stats_testing::Random::new(3);
            let noises: Vec<f64> = (0..60 * 900)
                .map(|_| noise * 1e6 * (random.below(2_000) as f64 / 1e3 - 1.0))
                .collect();
            let all = leaks_of(700, |now| {
                let after = (now - slows_at).max(0.0);
                1e6 + 1e4 * (now.min(slows_at) + factor * after) + noises[(now * 60.0) as usize]
            });
            let case = (noise, factor, slows_at);
            let first = all.iter().position(Option::is_some).expect("it leaks");
            assert!((first as f64) < slows_at.min(20.0), "{case:?} {first}");
            for (second, leak) in all.iter().enumerate().skip(first) {
                assert!(leak.is_some(), "{case:?} {second}");
            }
            let leak = |second: f64| all[second as usize].as_ref().expect("it leaks");
            assert!(!leak(slows_at - 1.0).is_slower, "{case:?}");
            // Its slope is known some time later.
            let later = leak(1.5 * slows_at + 40.0);
            assert!(later.is_slower, "{case:?} {later:?}");
            let error = later.per_second / (1e4 * factor) - 1.0;
            assert!(error.abs() < 0.25, "{case:?} {later:?}");
        }
    }
}

#[test]
fn a_leak_that_becomes_slower_and_stops_or_is_freed_is_no_longer_listed() {
    for (stops_at, falls_to) in [(90.0, 1.0), (90.0, 0.3), (200.0, 1.0), (200.0, 0.5)] {
        let all = leaks_of(400, |now| {
            let level = now.min(50.0) + 0.33 * (now.min(stops_at) - 50.0).max(0.0);
            1e6 + 1e4 * level * if now > stops_at { falls_to } else { 1.0 }
        });
        let case = (stops_at, falls_to);
        let last = all.iter().rposition(Option::is_some).expect("it leaks") as f64;
        let latest = if falls_to < 1.0 {
            stops_at + 10.0
        } else {
            1.25 * stops_at + 10.0
        };
        assert!((stops_at - 5.0..latest).contains(&last), "{case:?} {last}");
    }
}

/// A list that doubles its capacity, or grows by another factor.
#[test]
fn bytes_that_leak_through_a_growing_list_are_a_leak() {
    for (factor, first) in [
        (2.0_f64, 4096.0),
        (2.0, 5000.0),
        (1.5, 4096.0),
        (2.0, 7777.0),
    ] {
        for (per_second, noise) in [(1e5, 0.0), (1e4, 0.0), (1e5, 2e3), (3e6, 2e4)] {
            let mut random = stats_testing::Random::new(3);
            let noises: Vec<f64> = (0..60 * 900)
                .map(|_| noise * random.below(1_000) as f64 / 1e3)
                .collect();
            let capacity = |used: f64| {
                let steps = (used.max(first) / first).log(factor).ceil();
                first * factor.powf(steps)
            };
            let level = |now: f64| 1e6 + capacity(per_second * now) + noises[(now * 60.0) as usize];
            let all = leaks_of(600, level);
            let case = (factor, first, per_second, noise);
            let found = all.iter().position(Option::is_some);
            let found = found.expect("it leaks");
            assert!(found < 120, "{case:?} {found}");
            let listed = all[found..].iter().flatten().count();
            assert!(listed > 550 - found, "{case:?} {listed} from {found}");
            for leak in all.iter().skip(150).flatten() {
                let error = leak.per_second / per_second - 1.0;
                assert!(error.abs() < 0.35, "{case:?} {leak:?}");
            }
            // One that is full no longer leaks.
            let all = leaks_of(900, |now| level(now.min(200.0)));
            assert_eq!(all[899], None, "{case:?}");
        }
    }
}

#[test]
fn loads_of_any_size_at_any_time_are_no_leaks() {
    let mut random = stats_testing::Random::new(8);
    let mut listed = 0;
    for _ in 0..200 {
        let loads: Vec<(f64, f64)> = (0..6)
            .map(|_| {
                (
                    random.below(280) as f64,
                    (1 + random.below(900)) as f64 * 1e4,
                )
            })
            .collect();
        let all = leaks_of(300, |now| {
            let loaded = loads.iter().filter(|(at, _)| now >= *at);
            1e6 + loaded.map(|(_, size)| size).sum::<f64>()
        });
        listed += usize::from(all.iter().any(Option::is_some));
    }
    assert_eq!(listed, 0);
}

#[test]
fn a_gauge_without_a_unit_never_leaks() {
    use stats_core::{SeriesKind, Unit};
    let may_leak = |kind, unit| Form { kind, unit }.may_leak();
    assert!(!may_leak(SeriesKind::Gauge, Unit::Count), "an angle");
    assert!(may_leak(SeriesKind::Gauge, Unit::Bytes));
    assert!(may_leak(SeriesKind::UpDownCounter, Unit::Count));
    assert!(!may_leak(SeriesKind::Counter, Unit::Bytes));
}

#[test]
fn a_line_grows_and_a_step_does_not() {
    let slope = |minimum: fn(usize) -> f32| slope_of_growth(&points(minimum, 24), 0.5, STRAIGHT);
    let line = slope(|at| 1000.0 + 10.0 * at as f32).unwrap();
    assert!((line - 10.0).abs() < 1e-6);
    assert_eq!(slope(|at| if at < 12 { 1000.0 } else { 1400.0 }), None);
    assert_eq!(slope(|_| 1000.0), None);
}
