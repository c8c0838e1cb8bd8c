use stats_core::frame_metrics::{
    estimated_missed_refreshes, high_water_mark, over_60_ms, over_budget, stutter, time_at_rates,
};
use stats_core::percentiles::{average_fps, low_average, percentile_by_frame, percentile_by_time};
use stats_core::{FrameAnalyzer, FrameRules, FrameStatistics};
use stats_testing::allocations;

use crate::Random;

fn rules() -> FrameRules {
    let mut rules = FrameRules::default();
    (
        rules.budget_ms,
        rules.budget_tolerance,
        rules.refresh_period_ms,
    ) = (Some(16.0), 0.25, Some(1e3 / 60.0));
    rules.stutter.average_over = 7;
    rules
}

/// Returns frame times with long frames of all lengths, and some values that are not frame times.
fn frames_ms(random: &mut Random, count: u64) -> Vec<f64> {
    let frame = |_| match random.below(40) {
        0 => f64::NAN,
        1 => -1.0,
        2 => f64::INFINITY,
        3 => 0.0,
        4 => random.below(300) as f64,
        _ => 12.0 + random.below(1000) as f64 / 100.0,
    };
    (0..count).map(frame).collect()
}

fn is_close(a: f64, b: Option<f64>) -> bool {
    b.is_some_and(|b| (a - b).abs() <= 1e-9 * b.abs())
}

#[test]
fn the_statistics_agree_with_the_separate_functions() {
    let (mut random, rules, mut analyzer) = (Random::new(11), rules(), FrameAnalyzer::new());
    let mut tried = 0;
    for round in 0..400 {
        let count = random.below(if round % 20 == 0 { 3000 } else { 60 });
        let frames = frames_ms(&mut random, count);
        let Some(all) = FrameStatistics::of(&frames, &rules) else {
            assert_eq!(average_fps(&frames), None, "{frames:?}");
            continue;
        };
        tried += 1;
        assert_eq!(
            analyzer.analyze(&frames, &rules),
            Some(&all),
            "earlier frames have no effect"
        );
        let durations: Vec<f64> = frames
            .iter()
            .copied()
            .filter(|ms| *ms >= 0.0 && ms.is_finite())
            .collect();
        assert_eq!(
            (all.frames, all.total_ms),
            (durations.len(), durations.iter().sum())
        );
        assert_eq!(Some(all.average_fps), average_fps(&frames));
        assert_eq!(Some(all.median_ms), percentile_by_frame(&frames, 50.0));
        assert_eq!(Some(all.p95_by_time_ms), percentile_by_time(&frames, 95.0));
        assert_eq!(Some(all.p99_by_time_ms), percentile_by_time(&frames, 99.0));
        assert_eq!(all.low_integral_fps(), 1e3 / all.p99_by_time_ms);
        assert_eq!(
            Some(all.p95_by_frame_ms),
            percentile_by_frame(&frames, 95.0)
        );
        assert_eq!(
            Some(all.p99_by_frame_ms),
            percentile_by_frame(&frames, 99.0)
        );
        assert_eq!(
            Some(all.p99_9_by_frame_ms),
            percentile_by_frame(&frames, 99.9)
        );
        assert!(is_close(all.low_1_percent_fps, low_average(&frames, 1.0)));
        assert!(is_close(all.low_0_1_percent_fps, low_average(&frames, 0.1)));
        assert_eq!(Some(all.slowest), high_water_mark(&frames));
        assert_eq!(all.over_60_ms, over_60_ms(&frames, rules.over_60_ms));
        assert_eq!(all.stutter, stutter(&frames, rules.stutter));
        let stutter_ms: f64 = all.stutter.iter().map(|&at| frames[at]).sum();
        assert_eq!(all.stutter_share, stutter_ms / all.total_ms);
        assert_eq!(
            all.estimated_missed_refreshes,
            estimated_missed_refreshes(&frames, 1e3 / 60.0)
        );
        assert_eq!(all.rates, time_at_rates(&frames, &rules.rates_fps));
        assert_eq!(all.rules, rules);
        let (found, beyond) = (all.over_budget.unwrap(), over_budget(&frames, 20.0));
        assert_eq!(
            (found.frames, found.longest_run),
            (beyond.frames, beyond.longest_run)
        );
        let lost: f64 = durations
            .iter()
            .filter(|ms| **ms > 20.0)
            .map(|ms| ms - 16.0)
            .sum();
        assert!(
            (found.over_ms - lost).abs() <= 1e-9 * lost.max(1.0),
            "{} {lost}",
            found.over_ms
        );
    }
    assert!(tried > 300, "{tried}");
}

#[test]
fn the_three_lows_differ_as_they_should() {
    let mut frames = vec![8.0; 999];
    frames.push(200.0);
    let all = FrameStatistics::of(&frames, &FrameRules::default()).unwrap();
    assert_eq!(
        (all.low_integral_fps(), 1e3 / all.p99_by_frame_ms),
        (5.0, 125.0)
    );
    assert_eq!((all.low_1_percent_fps * 10.0).round() / 10.0, 36.8);
    assert_eq!(
        (all.over_budget, all.estimated_missed_refreshes),
        (None, None),
        "not requested"
    );
    assert_eq!(FrameStatistics::of(&[], &rules()), None);
    assert_eq!(FrameStatistics::of(&[0.0, f64::NAN], &rules()), None);
    assert_eq!(
        FrameStatistics::of(&[16.0], &rules()).map(|all| (all.frames, all.p99_by_time_ms)),
        Some((1, 16.0))
    );
}

#[test]
fn frames_given_as_nan_are_left_out_of_everything() {
    let rules = rules();
    let kept = [16.0, 80.0, 15.0, 14.0, 33.0, 34.0, 16.0];
    let all = FrameStatistics::of(&kept, &rules).unwrap();
    let mut with_holes = kept.to_vec();
    with_holes.splice(3..3, [f64::NAN; 4]);
    let holed = FrameStatistics::of(&with_holes, &rules).unwrap();
    assert_eq!(
        (holed.frames, holed.total_ms, holed.p99_by_time_ms),
        (all.frames, all.total_ms, all.p99_by_time_ms)
    );
    assert_eq!(
        (holed.over_60_ms.len(), holed.stutter.len()),
        (all.over_60_ms.len(), all.stutter.len())
    );
    assert_eq!(all.over_budget.unwrap().longest_run, 4..6);
    assert_eq!(holed.over_budget.unwrap().longest_run, 8..10);
}

#[test]
fn the_table_names_each_percentile_in_aligned_columns() {
    let mut frames = vec![8.0; 999];
    frames.push(200.0);
    let text = FrameStatistics::of(&frames, &rules()).unwrap().to_string();
    println!("{text}");
    for words in [
        "frames 1 000 in 8.19 s",
        "99 % of the time no slower than: 1 % low (integral) 200.00 ms 5.0 fps",
        "99 % of the frames no slower than: P1 8.00 ms 125.0 fps",
        "slowest 1 % of the frames: 1 % low (average) 27.20 ms 36.8 fps",
        "slowest frame 200.00 ms 5.0 fps frame 999, at 7.99 s",
        "over budget: over 16.00 ms by more than 25 % 1, at most 1 in a row, 184.0 ms lost",
        "frames over 60 ms: 1.5 × the previous frame, none for 200 ms 1",
        "stutter: over 2.5 × the mean of the 7 before 1, 2.44 % of the time",
        "missed refreshes, estimated, at 60.00 Hz 11",
        "time at 120 to 144 fps 97.56 %",
        "time at 0 to 30 fps 2.44 %",
    ] {
        let found = text
            .lines()
            .any(|line| line.split_whitespace().eq(words.split_whitespace()));
        assert!(found, "{words}");
    }
    let by: Vec<usize> = text
        .lines()
        .filter(|line| line.ends_with(" fps") && line.contains(" ms "))
        .map(|line| line.chars().count())
        .collect();
    assert!(
        by.len() >= 9 && by.iter().all(|width| *width == by[0]),
        "{by:?}"
    );
}

#[test]
fn analyzing_again_allocates_nothing() {
    let (mut random, rules, mut analyzer) = (Random::new(3), rules(), FrameAnalyzer::new());
    let frames = frames_ms(&mut random, 2000);
    assert!(analyzer.analyze(&frames, &rules).is_some());
    let again = || {
        for count in [2000, 700, 2000] {
            assert!(analyzer.analyze(&frames[..count], &rules).is_some());
        }
    };
    assert_eq!(allocations(again), 0);
}

#[test]
fn extreme_numbers_saturate_and_print_in_a_readable_line() {
    let mut rules = FrameRules::default();
    (
        rules.refresh_period_ms,
        rules.budget_ms,
        rules.budget_tolerance,
    ) = (Some(1e-17), Some(1e300), f64::INFINITY);
    rules.over_60_ms.threshold_ms = 1e300;
    rules.rates_fps = vec![1e-300, 1e300];
    let statistics = FrameStatistics::of(&[1e300, 1e300, 16.0], &rules).unwrap();
    assert_eq!(statistics.estimated_missed_refreshes, Some(u64::MAX));
    assert_eq!(
        statistics
            .over_budget
            .as_ref()
            .map(|over| (over.frames, over.over_ms)),
        Some((0, 0.0))
    );
    let text = statistics.to_string();
    assert!(
        text.lines().all(|line| line.chars().count() < 200),
        "{text}"
    );
    rules.refresh_period_ms = Some(16.0);
    assert_eq!(
        FrameStatistics::of(&[1e300, 1e300], &rules)
            .unwrap()
            .estimated_missed_refreshes,
        Some(u64::MAX)
    );
    for budget_ms in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        rules.budget_ms = Some(budget_ms);
        let statistics = FrameStatistics::of(&[16.0, 17.0], &rules).unwrap();
        assert!(
            statistics.over_budget.is_none() && !statistics.to_string().contains("over budget"),
            "{statistics}"
        );
    }
}

#[test]
fn a_timer_has_the_same_figures_as_frames_and_a_table_without_rates() {
    let (mut random, mut analyzer) = (Random::new(12), FrameAnalyzer::new());
    let (of_frames, mut of_timer) = (rules(), rules());
    of_timer.is_frame_time = false;
    for _ in 0..100 {
        let times = frames_ms(&mut random, 200);
        let timer = FrameStatistics::of(&times, &of_timer).unwrap();
        let mut frames = FrameStatistics::of(&times, &of_frames).unwrap();
        assert_eq!(analyzer.analyze(&times, &of_timer), Some(&timer));
        frames.rules.is_frame_time = false;
        assert_eq!(timer, frames);
        let table = timer.to_string();
        for rate in ["fps", "low (", "P1", "refreshes"] {
            assert!(!table.contains(rate), "{rate}: {table}");
        }
        for figure in [
            "average",
            "99 % of the frames no slower than",
            "over budget: over",
            "frames over 60 ms",
        ] {
            assert!(table.contains(figure), "{figure}: {table}");
        }
    }
}
