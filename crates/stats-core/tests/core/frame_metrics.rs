use stats_core::frame_metrics::{
    Over60MsRule, StutterRule, estimated_missed_refreshes, high_water_mark, over_60_ms,
    over_budget, stutter, time_at_rates,
};

#[test]
fn the_high_water_mark_is_the_first_of_equally_slow_frames() {
    let mark = high_water_mark(&[10.0, f64::NAN, 20.0, 40.0, 40.0]).unwrap();
    assert_eq!((mark.frame, mark.ms, mark.start_ms), (3, 40.0, 30.0));
    assert_eq!(high_water_mark(&[]), None);
    assert_eq!(high_water_mark(&[f64::INFINITY, -1.0]), None);
}

#[test]
fn frames_over_budget_are_counted_with_their_longest_run_and_lost_time() {
    let found = over_budget(
        &[30.0, 10.0, 20.0, 25.0, 17.0, 16.0, 30.0, 30.0, 30.0],
        16.0,
    );
    assert_eq!(
        (found.frames, found.longest_run, found.over_ms),
        (7, 2..5, 14.0 + 4.0 + 9.0 + 1.0 + 42.0)
    );
    let none = over_budget(&[16.0; 3], 16.0);
    assert_eq!(
        (none.frames, none.longest_run, none.over_ms),
        (0, 0..0, 0.0),
        "a frame at the budget is not over it"
    );
    assert_eq!(over_budget(&[30.0], 16.0).longest_run, 0..1);
}

#[test]
fn a_frame_over_60_ms_is_over_the_threshold_and_the_ratio_and_not_within_the_dead_time() {
    let rule = Over60MsRule::default();
    assert_eq!(
        over_60_ms(&[70.0, 70.0, 16.0, 60.0, 16.0, 61.0], rule),
        [5],
        "not the first frame, not without a step, not at the threshold"
    );
    assert_eq!(
        over_60_ms(&[16.0, 80.0, 16.0, 80.0, 16.0, 80.0, 16.0], rule),
        [1],
        "192 ms after the first"
    );
    assert_eq!(
        over_60_ms(&[16.0, 80.0, 120.0, 80.0, 120.0], rule),
        [1, 4],
        "200 ms and more after it"
    );
    assert_eq!(over_60_ms(&[50.0, 75.0], rule), [1], "exactly at the ratio");
    assert_eq!(over_60_ms(&[50.0, 74.9], rule), [0; 0]);
    let mut rule = rule;
    rule.threshold_ms = 20.0;
    assert_eq!(over_60_ms(&[10.0, 30.0], rule), [1]);
}

#[test]
fn stutter_exceeds_a_multiple_of_the_average_before_it() {
    let mut rule = StutterRule::default();
    rule.factor = 2.5;
    rule.average_over = 4;
    assert_eq!(
        stutter(&[10.0, 25.0, 10.0], rule),
        [0; 0],
        "exactly at the factor"
    );
    assert_eq!(stutter(&[10.0, 26.0, 10.0], rule), [1]);
    assert_eq!(
        stutter(&[100.0, 10.0, 10.0, 10.0, 26.0, 10.0, 36.0], rule),
        [6],
        "the first frame has left the average"
    );
    assert_eq!(stutter(&[], rule), [0; 0]);
    rule.average_over = 0;
    assert_eq!(
        stutter(&[10.0, 30.0, 70.0, 180.0], rule),
        [1, 3],
        "an average of at least one frame"
    );
}

#[test]
fn refreshes_are_missed_by_whole_periods() {
    let period = 1e3 / 60.0;
    let frames: Vec<f64> = (0..1000)
        .map(|n| period + if n % 2 == 0 { 0.4 } else { -0.4 })
        .collect();
    assert_eq!(
        estimated_missed_refreshes(&frames, period),
        Some(0),
        "frames on time"
    );
    assert_eq!(
        estimated_missed_refreshes(&[period, 2.0 * period, 0.1, 4.1 * period], period),
        Some(1 + 3)
    );
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(estimated_missed_refreshes(&frames, bad), None);
    }
}

#[test]
fn time_is_divided_among_the_rates() {
    let mut frames = vec![1e3 / 60.0; 60];
    frames.extend([50.0; 10]);
    frames.extend([1e3 / 30.0; 15]);
    let shares: Vec<(f64, f64)> = time_at_rates(&frames, &[30.0, f64::NAN, 60.0, 120.0, 30.0])
        .iter()
        .map(|rate| (rate.from_fps, rate.share))
        .collect();
    let expected = [(120.0, 0.0), (60.0, 0.5), (30.0, 0.25), (0.0, 0.25)];
    assert_eq!(shares.len(), expected.len());
    for (found, expected) in shares.into_iter().zip(expected) {
        assert!(
            found.0 == expected.0 && (found.1 - expected.1).abs() < 1e-12,
            "{found:?}, not {expected:?}"
        );
    }
    assert_eq!(time_at_rates(&[], &[60.0]), []);
}
