use stats_core::percentiles::{average_fps, low_average, percentile_by_frame, percentile_by_time};
use stats_core::{Distribution, Precision, histogram};

use crate::mersenne::{Mersenne, published_frames_ms};

fn close(value: Option<f64>, expected: f64, tolerance: f64) -> bool {
    let is_close = value.is_some_and(|value| (value - expected).abs() <= tolerance);
    println!("{value:?}, expected {expected}");
    is_close
}

fn distribution(frames_ms: &[f64], precision: Precision) -> Distribution {
    let mut frames = Distribution::new(precision);
    assert!(frames_ms.iter().all(|ms| frames.record(*ms)));
    frames
}

#[test]
fn the_generator_matches_the_published_one() {
    let mut random = Mersenne::seeded(&[381_402_079, 0]);
    let first = [(); 3].map(|()| random.next());
    assert_eq!(
        first,
        [
            5_341_553_516_420_400_549,
            17_139_016_885_611_721_342,
            10_619_028_207_172_133_584
        ]
    );
}

#[test]
fn the_published_thirty_thousand_frames_give_the_right_table() {
    let frames = published_frames_ms();
    let table = [
        (10_000, 17.645848, 65.947082, 16.666667),
        (20_000, 25.897866, 65.720147, 33.333333),
        (30_000, 23.145815, 65.850406, 33.333333),
    ];
    for (count, average_ms, by_time, by_frame) in table {
        let frames = &frames[..count];
        assert!(close(
            average_fps(frames).map(|fps| 1e3 / fps),
            average_ms,
            1e-6
        ));
        assert!(close(percentile_by_time(frames, 95.0), by_time, 1e-6));
        assert!(close(percentile_by_frame(frames, 95.0), by_frame, 1e-6));
    }
}

#[test]
fn a_histogram_is_within_a_thousandth_at_the_finest_precision() {
    let frames = published_frames_ms();
    let series = histogram("test/percentiles/live").precision(Precision::FourDigits);
    frames.iter().for_each(|ms| series.record(*ms));
    let live = series.snapshot();
    for percent in [50.0, 90.0, 95.0, 99.0, 99.9] {
        let exact = percentile_by_time(&frames, percent).unwrap();
        assert!(
            close(live.percentile_by_time(percent), exact, exact * 1e-3),
            "{percent} by time"
        );
        let exact = percentile_by_frame(&frames, percent).unwrap();
        assert!(
            close(live.percentile_by_frame(percent), exact, exact * 1e-3),
            "{percent} by frame"
        );
        let exact = low_average(&frames, 100.0 - percent).unwrap();
        assert!(
            close(live.low_average(100.0 - percent), exact, exact * 1e-3),
            "{percent} low average"
        );
    }
    assert!(close(
        live.average_fps(),
        average_fps(&frames).unwrap(),
        1e-9
    ));
}

/// Returns three quarters of an hour at 60 frames per second: noise around the refresh, a slow
/// scene, and occasional hitches.
fn long_run_ms() -> Vec<f64> {
    let mut random = Mersenne::seeded(&[1]);
    let frame = |n: usize| {
        let noise = (0..12).map(|_| random.uniform()).sum::<f64>() - 6.0;
        let scene = if n % 30_000 < 3_000 { 33.3 } else { 16.67 };
        let hitch = if random.uniform() < 0.001 {
            40.0 + 200.0 * random.uniform()
        } else {
            0.0
        };
        scene + 0.6 * noise.clamp(-4.0, 4.0) + hitch
    };
    (0..162_000).map(frame).collect()
}

#[test]
fn the_99th_percentile_by_time_of_a_long_run_is_within_a_thousandth() {
    let frames = long_run_ms();
    let finest = distribution(&frames, Precision::FourDigits);
    for percent in [95.0, 99.0] {
        let exact = percentile_by_time(&frames, percent).unwrap();
        assert!(close(
            finest.percentile_by_time(percent),
            exact,
            exact * 1e-3
        ));
    }
}

#[test]
fn an_hour_at_sixty_and_one_frame_of_an_hour() {
    let mut frames = vec![1e3 / 60.0; 216_000];
    frames.push(3_600_000.0);
    let live = distribution(&frames, Precision::FourDigits);
    assert_eq!(percentile_by_time(&frames, 95.0), Some(3_600_000.0));
    assert_eq!(percentile_by_frame(&frames, 95.0), Some(1e3 / 60.0));
    assert!(close(live.percentile_by_time(95.0), 3_600_000.0, 3_600.0));
    assert!(close(live.percentile_by_frame(95.0), 16.67, 0.0167));
}

#[test]
fn a_thousand_frames_with_one_slow_one_are_three_different_lows() {
    let mut frames = vec![8.0; 999];
    frames.insert(500, 200.0);
    assert!(close(
        percentile_by_time(&frames, 99.0).map(|ms| 1e3 / ms),
        5.0,
        1e-9
    ));
    assert!(close(low_average(&frames, 1.0), 36.8, 0.05));
    assert!(close(
        percentile_by_frame(&frames, 99.0).map(|ms| 1e3 / ms),
        125.0,
        1e-9
    ));
    let live = distribution(&frames, Precision::ThreeDigits);
    assert!(close(
        live.percentile_by_time(99.0).map(|ms| 1e3 / ms),
        5.0,
        5.0 * 0.005
    ));
    assert!(close(live.low_average(1.0), 36.76, 36.76 * 0.005));
    assert!(close(
        live.percentile_by_frame(99.0).map(|ms| 1e3 / ms),
        125.0,
        125.0 * 0.005
    ));
}

#[test]
fn every_percentile_of_one_to_nineteen_equal_frames_is_that_frame() {
    for count in 1..20 {
        let frames = vec![16.7; count];
        let live = distribution(&frames, Precision::TwoDigits);
        for percent in [-1.0, 0.0, 1.0, 5.0, 50.0, 95.0, 99.0, 100.0, 101.0] {
            assert_eq!(
                percentile_by_time(&frames, percent),
                Some(16.7),
                "{count} {percent}"
            );
            assert_eq!(
                percentile_by_frame(&frames, percent),
                Some(16.7),
                "{count} {percent}"
            );
            assert!(close(low_average(&frames, percent), 1e3 / 16.7, 1e-9));
            assert_eq!(live.percentile_by_time(percent), Some(16.7));
            assert_eq!(live.percentile_by_frame(percent), Some(16.7));
        }
        assert!(close(average_fps(&frames), 1e3 / 16.7, 1e-9));
    }
}

#[test]
fn everything_is_none_without_frames() {
    let none = Distribution::default();
    for frames in [&[][..], &[f64::NAN, f64::INFINITY, -1.0]] {
        assert_eq!(
            (
                percentile_by_time(frames, 95.0),
                percentile_by_frame(frames, 95.0)
            ),
            (None, None)
        );
        assert_eq!(
            (low_average(frames, 1.0), average_fps(frames)),
            (None, None)
        );
    }
    assert_eq!(
        (
            none.percentile_by_time(95.0),
            none.percentile_by_frame(95.0)
        ),
        (None, None)
    );
    assert_eq!((none.low_average(1.0), none.average_fps()), (None, None));
    assert_eq!(
        (percentile_by_time(&[0.0; 3], 95.0), average_fps(&[0.0; 3])),
        (None, None)
    );
    assert_eq!(percentile_by_frame(&[0.0; 3], 95.0), Some(0.0));
}

#[test]
fn invalid_frame_times_are_skipped_and_order_does_not_matter() {
    let clean = [10.0, 20.0, 30.0, 40.0];
    let dirty = [
        f64::NAN,
        40.0,
        -5.0,
        10.0,
        f64::INFINITY,
        30.0,
        20.0,
        f64::NEG_INFINITY,
    ];
    for percent in [10.0, 25.0, 30.0, 60.0, 90.0] {
        assert_eq!(
            percentile_by_time(&clean, percent),
            percentile_by_time(&dirty, percent)
        );
        assert_eq!(
            percentile_by_frame(&clean, percent),
            percentile_by_frame(&dirty, percent)
        );
        assert_eq!(low_average(&clean, percent), low_average(&dirty, percent));
    }
    assert_eq!(average_fps(&clean), average_fps(&dirty));
}
