//! The frame time and the frame rate over the last second, the slowest frame, and the frames over
//! budget.
//!
//! The frame time has a tolerance of 10 %, because half of all healthy frames of a 60 Hz display
//! are longer than 1000/60 ms.

use stats_core::{FrameRules, FrameSlice, SeriesKind};

/// The factor by which a frame may exceed its budget before it counts as over it.
///
/// The frame times of a healthy game at a display's rate vary by a few percent around the budget;
/// without the slack, about half of them would count. The time of anything else does not wait for a
/// display, so it has no slack.
pub const SLACK: f64 = 1.1;
/// [`SLACK`] in words, for texts about frames over budget: `over 16.67 ms by 10 %`.
pub const BY_SLACK: &str = "by 10 %";
/// [`SLACK`] after a budget: `16.67 ms + 10 %`.
pub const PLUS_SLACK: &str = "+ 10 %";

/// The recent pace of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// The number of frames divided by the time they took, over the last second. The mean of the
    /// rates of single frames would be too high.
    pub frames_per_second: f64,
    /// The mean time of the same frames, in milliseconds.
    pub mean_ms: f64,
    /// The time of the slowest frame of the whole window, in milliseconds.
    pub worst_ms: f64,
    /// The index of that frame; the newest one if several are equally slow.
    pub worst_frame: u64,
    /// The percentage of frames of the whole window that are over budget; 0 without a budget.
    pub over_percent: f64,
}

/// Returns the frame time above which a frame counts as over its budget.
pub fn limit_ms(budget_ms: f64) -> f64 {
    budget_ms * SLACK
}

/// Returns the value above which a series of this kind is over its budget: the budget, or for a
/// frame time [`limit_ms`], because frame times vary around the period of the display.
pub fn limit(kind: SeriesKind, budget: f64) -> f64 {
    match kind {
        SeriesKind::FrameTime => limit_ms(budget),
        _ => budget,
    }
}

/// Returns whether a frame time exceeds the budget by more than [`SLACK`].
pub fn is_over(time_ms: f64, budget_ms: f64) -> bool {
    time_ms > limit_ms(budget_ms)
}

/// Returns the rules for frame statistics in which a frame counts as over its budget if
/// [`is_over`] says so.
pub fn frame_rules(budget_ms: Option<f64>) -> FrameRules {
    let mut rules = FrameRules::default();
    rules.budget_ms = budget_ms;
    rules.budget_tolerance = SLACK - 1.0;
    rules
}

/// Returns the pace of a window of frame times; `None` if no time is known. NaN stands for an
/// unknown frame time.
///
/// The rate and the mean time cover the newest frames that fill one second, at least one frame. The
/// rate is 0 if they took no time. Frame 0 does not count unless it is the only one. Visits every
/// frame of the window.
pub fn pace(times_ms: FrameSlice<'_>, budget_ms: Option<f64>) -> Option<Pace> {
    let times_ms = whole_frames(times_ms);
    let known = times_ms.iter().filter(|time_ms| !time_ms.is_nan());
    let (mut frames, mut total_ms) = (0_u32, 0.0);
    for time_ms in known.clone().rev() {
        frames += 1;
        total_ms += time_ms;
        if total_ms >= 1000.0 {
            break;
        }
    }
    let (worst_frame, worst_ms) = worst(times_ms)?;
    let frames = f64::from(frames);
    let frames_per_second = if total_ms > 0.0 {
        frames * 1000.0 / total_ms
    } else {
        0.0
    };
    let over = budget_ms.map_or(0, |budget_ms| {
        times_ms
            .iter()
            .filter(|&time_ms| is_over(time_ms, budget_ms))
            .count()
    });
    let over_percent = over as f64 / known.count() as f64 * 100.0;
    Some(Pace {
        frames_per_second,
        mean_ms: total_ms / frames,
        worst_ms,
        worst_frame,
        over_percent,
    })
}

/// Drops frame 0, unless it is the only one: it began with the recorder, not at the end of another
/// frame.
fn whole_frames(times_ms: FrameSlice<'_>) -> FrameSlice<'_> {
    if times_ms.len() > 1 {
        times_ms.within(1..u64::MAX)
    } else {
        times_ms
    }
}

/// Returns the slowest frame and its time; the newest one if several are equally slow.
fn worst(times_ms: FrameSlice<'_>) -> Option<(u64, f64)> {
    let mut worst: Option<(u64, f64)> = None;
    let all = times_ms.frames().zip(times_ms.iter());
    for (frame, time_ms) in all.filter(|(_, time_ms)| !time_ms.is_nan()) {
        if worst.is_none_or(|(_, slowest)| time_ms >= slowest) {
            worst = Some((frame, time_ms));
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_frames_divided_by_time() {
        // 25 frames of 10 ms and 25 of 30 ms are 50 fps. The mean of 100 and 33.3 is 66.7.
        let times: Vec<f64> = (0..50)
            .map(|frame| if frame % 2 == 0 { 10.0 } else { 30.0 })
            .collect();
        let pace = pace(FrameSlice::new(1, &times, &[]), None).unwrap();
        assert!((pace.frames_per_second - 50.0).abs() < 1e-9);
        assert!((pace.mean_ms - 20.0).abs() < 1e-9);
        assert_eq!((pace.worst_ms, pace.worst_frame), (30.0, 50));
    }

    #[test]
    fn frames_whose_time_is_not_known_do_not_count() {
        let nan = f64::NAN;
        let times = [nan, 10.0, nan, 30.0, 10.0, nan];
        let found = pace(FrameSlice::new(4, &times, &[]), Some(20.0)).unwrap();
        assert_eq!((found.worst_ms, found.worst_frame), (30.0, 7));
        assert!((found.frames_per_second - 60.0).abs() < 1e-9);
        assert!((found.over_percent - 100.0 / 3.0).abs() < 1e-9);
        assert_eq!(pace(FrameSlice::new(4, &[nan, nan], &[]), None), None);
    }

    #[test]
    fn the_rate_is_the_reciprocal_of_the_mean_time() {
        let mut random = stats_testing::Random::new(8);
        for _ in 0..2000 {
            let times: Vec<f64> = (0..1 + random.below(300))
                .map(|_| match random.below(20) {
                    0 => f64::NAN,
                    1 => 1.0 + random.below(3000) as f64,
                    _ => (1 + random.below(4000)) as f64 / 100.0,
                })
                .collect();
            if let Some(pace) = pace(FrameSlice::new(0, &times, &[]), None) {
                let product = pace.mean_ms * pace.frames_per_second;
                assert!((product - 1000.0).abs() < 1e-6, "{pace:?}");
            }
        }
    }

    #[test]
    fn the_rate_covers_the_last_second() {
        let mut times = vec![100.0; 600];
        times.extend([10.0; 100]);
        let pace = pace(FrameSlice::new(7, &times, &[]), None).unwrap();
        assert!((pace.frames_per_second - 100.0).abs() < 1e-9);
        assert_eq!(pace.worst_frame, 606);
    }

    #[test]
    fn the_time_before_the_second_frame_does_not_count() {
        for first_ms in [0.0, 8000.0] {
            let pace = pace(FrameSlice::new(0, &[first_ms, 10.0], &[30.0]), None).unwrap();
            assert_eq!(
                (pace.frames_per_second, pace.worst_ms, pace.worst_frame),
                (50.0, 30.0, 2)
            );
        }
    }

    #[test]
    fn the_slack_in_words_matches_the_factor() {
        let percent = format!("{} %", (SLACK * 1000.0 - 1000.0).round() / 10.0);
        assert_eq!(BY_SLACK, format!("by {percent}"));
        assert_eq!(PLUS_SLACK, format!("+ {percent}"));
    }

    #[test]
    fn frame_statistics_count_the_same_frames_as_over_budget() {
        let mut random = stats_testing::Random::new(7);
        for _ in 0..2000 {
            let budget_ms = (1 + random.below(100_000_000)) as f64 * 1e-6;
            let limit = limit_ms(budget_ms);
            let times = [
                limit.next_down(),
                limit,
                limit.next_up(),
                budget_ms,
                budget_ms * 1.05,
            ];
            let statistics =
                stats_core::FrameStatistics::of(&times, &frame_rules(Some(budget_ms))).unwrap();
            let over = times.iter().filter(|ms| is_over(**ms, budget_ms)).count();
            assert_eq!(over, 1, "{budget_ms}");
            assert_eq!(statistics.over_budget.unwrap().frames, over, "{budget_ms}");
        }
    }

    #[test]
    fn without_frames_or_time_there_is_no_rate() {
        assert_eq!(pace(FrameSlice::default(), Some(1.0)), None);
        assert_eq!(
            pace(FrameSlice::new(0, &[0.0], &[]), None)
                .unwrap()
                .frames_per_second,
            0.0
        );
    }

    #[test]
    fn a_frame_is_over_budget_only_beyond_the_slack() {
        let budget_ms = 1000.0 / 60.0;
        let healthy: Vec<f64> = (0..100)
            .map(|frame| budget_ms + if frame % 2 == 0 { 0.4 } else { -0.4 })
            .collect();
        assert_eq!(
            pace(FrameSlice::new(1, &healthy, &[]), Some(budget_ms))
                .unwrap()
                .over_percent,
            0.0
        );
        let times = [10.0, 33.4, 16.7, 19.0];
        assert_eq!(
            pace(FrameSlice::new(1, &times, &[]), Some(budget_ms))
                .unwrap()
                .over_percent,
            50.0
        );
        assert_eq!(
            pace(FrameSlice::new(1, &times, &[]), None)
                .unwrap()
                .over_percent,
            0.0
        );
        // Frame 0 does not count unless it is the only one.
        assert_eq!(
            pace(FrameSlice::new(0, &[99.0, 10.0], &[]), Some(budget_ms))
                .unwrap()
                .over_percent,
            0.0
        );
        assert_eq!(
            pace(FrameSlice::new(0, &[99.0], &[]), Some(budget_ms))
                .unwrap()
                .over_percent,
            100.0
        );
    }
}
