//! Frame rate over the last second, the slowest frame and those over budget.

use stats_core::FrameSlice;

/// How far beyond its budget a frame counts as over it. Healthy frames of a display's rate waver
/// around their budget by some per cent; half of them must not count.
pub const SLACK: f64 = 1.1;
/// [`SLACK`] in words, wherever frames over the budget are told of: `over 16.67 ms by 10 %`.
pub const BY_SLACK: &str = "by 10 %";

/// How fast frames came lately.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// Frames divided by the time they took. (The mean of each frame's own rate would be too high.)
    pub frames_per_second: f64,
    /// The slowest frame of the whole window, not only of the last second.
    pub worst_ms: f64,
    /// Its index.
    pub worst_frame: u64,
    /// How many frames of the whole window were over the budget, in per cent; 0 without a budget.
    pub over_percent: f64,
}

/// Whether a frame of so many milliseconds is over the budget, by more than clocks waver.
pub fn is_over(time_ms: f64, budget_ms: f64) -> bool {
    time_ms > budget_ms * SLACK
}

/// The pace over the newest frames that fill one second (one frame at least); `None` without
/// frames.
pub fn pace(times_ms: FrameSlice<'_>, budget_ms: Option<f64>) -> Option<Pace> {
    let times_ms = whole_frames(times_ms);
    let (mut frames, mut total_ms) = (0_u32, 0.0);
    for time_ms in times_ms.iter().rev() {
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
    let over_percent = over as f64 / times_ms.len() as f64 * 100.0;
    Some(Pace {
        frames_per_second,
        worst_ms,
        worst_frame,
        over_percent,
    })
}

/// All but frame 0, unless that is the only one: it began with the recorder, not where the frame
/// before it ended.
fn whole_frames(times_ms: FrameSlice<'_>) -> FrameSlice<'_> {
    if times_ms.len() > 1 {
        times_ms.within(1..u64::MAX)
    } else {
        times_ms
    }
}

/// The slowest frame; of equal ones the newest.
fn worst(times_ms: FrameSlice<'_>) -> Option<(u64, f64)> {
    let mut worst: Option<(u64, f64)> = None;
    for (frame, time_ms) in times_ms.frames().zip(times_ms.iter()) {
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
    fn the_rate_is_frames_over_time() {
        // Half of the frames at 10 ms, half at 30 ms: 50 fps. The mean of 100 and 33.3 would be
        // 66.7.
        let times: Vec<f64> = (0..50)
            .map(|frame| if frame % 2 == 0 { 10.0 } else { 30.0 })
            .collect();
        let pace = pace(FrameSlice::new(1, &times, &[]), None).unwrap();
        assert!((pace.frames_per_second - 50.0).abs() < 1e-9);
        assert_eq!((pace.worst_ms, pace.worst_frame), (30.0, 50));
    }

    #[test]
    fn only_the_last_second_counts() {
        let mut times = vec![100.0; 600];
        times.extend([10.0; 100]);
        let pace = pace(FrameSlice::new(7, &times, &[]), None).unwrap();
        assert!((pace.frames_per_second - 100.0).abs() < 1e-9);
        assert_eq!(pace.worst_frame, 606);
    }

    #[test]
    fn what_went_before_the_second_frame_does_not_count() {
        for first_ms in [0.0, 8000.0] {
            let pace = pace(FrameSlice::new(0, &[first_ms, 10.0], &[30.0]), None).unwrap();
            assert_eq!(
                (pace.frames_per_second, pace.worst_ms, pace.worst_frame),
                (50.0, 30.0, 2)
            );
        }
    }

    #[test]
    fn what_is_said_is_what_counts() {
        assert_eq!(BY_SLACK, format!("by {:.0} %", (SLACK - 1.0) * 100.0));
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
    fn frames_over_the_budget_are_those_beyond_what_clocks_waver() {
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
        // Frame 0 does not count, unless it is alone.
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
