//! The figures of some frames, each with one name everywhere.

use super::statistics::FrameStatistics;
use crate::Unit;

/// A figure of some frames: its names, its definition, and its value.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Figure {
    /// The last part of the name of its metric, such as `p99-by-time`. Never changes.
    pub key: &'static str,
    /// The name for readers, such as `99 % of the time no slower than`.
    pub label: &'static str,
    /// The name of the figure as a frame rate, such as `1 % low (integral)`; `None` for the label.
    pub rate: Option<&'static str>,
    /// The unit of the value.
    pub unit: Unit,
    /// The number of frames that the figure needs: 100 for a figure of 1 % of the frames, or of all but
    /// 1 %. From fewer frames, the figure would be the slowest one. 1 for other figures.
    pub least_frames: usize,
    /// What the figure means, in a few sentences, and the tool that defines it.
    pub definition: &'static str,
    /// The value. `None` without a budget or the period of the display, if the figure needs it, and
    /// if the figure does not follow from the statistics alone.
    pub of: fn(&FrameStatistics) -> Option<f64>,
}

impl Figure {
    /// Returns the figure with a key; `None` if there is none.
    #[must_use]
    pub fn find(key: &str) -> Option<&'static Self> {
        FIGURES.iter().find(|figure| figure.key == key)
    }

    const fn of_at_least(mut self, least: usize) -> Self {
        self.least_frames = least;
        self
    }

    const fn as_rate(mut self, name: &'static str) -> Self {
        self.rate = Some(name);
        self
    }

    /// Returns the label; for frame times, with the name as a frame rate.
    #[must_use]
    pub fn name(&self, is_frame_time: bool) -> String {
        match self.rate {
            Some(rate) if is_frame_time => format!("{}: {rate}", self.label),
            _ => self.label.to_owned(),
        }
    }
}

const fn figure(
    (key, label): (&'static str, &'static str),
    unit: Unit,
    definition: &'static str,
    of: fn(&FrameStatistics) -> Option<f64>,
) -> Figure {
    Figure {
        key,
        label,
        rate: None,
        unit,
        least_frames: 1,
        definition,
        of,
    }
}

const BY_TIME: &str = "The shortest frame time such that the frames no slower than it fill this share of the time. \
     Long frames count for as long as they last. After “You're calculating framerate percentiles \
     wrong!” (M. N. Goldberg).";
const BY_FRAME: &str = "The shortest frame time such that this share of the frames is no slower, by nearest rank. \
     Each frame counts once, however long it lasts. CapFrameX shows it as a rate, named after the \
     remaining share: P5, P1, P0.1.";

/// All figures of some frames, in the order in which tables list them.
pub const FIGURES: &[Figure] = &[
    figure(
        ("mean", "average"),
        Unit::Milliseconds,
        "The time of the frames divided by their number. As a rate it is the number divided \
         by the time, never the mean of the rates of the frames, which would be higher.",
        |all| Some(all.total_ms / all.frames as f64),
    ),
    figure(
        ("deviation", "standard deviation"),
        Unit::Milliseconds,
        "The square root of the mean squared distance from the average.",
        |_| None,
    ),
    figure(
        ("min", "fastest frame"),
        Unit::Milliseconds,
        "The shortest frame time.",
        |all| Some(all.fastest_ms),
    ),
    figure(
        ("median", "median"),
        Unit::Milliseconds,
        "Half of the frames are no slower, by nearest rank.",
        |all| Some(all.median_ms),
    ),
    figure(
        ("p95-by-time", "95 % of the time no slower than"),
        Unit::Milliseconds,
        BY_TIME,
        |all| Some(all.p95_by_time_ms),
    ),
    figure(
        ("p99-by-time", "99 % of the time no slower than"),
        Unit::Milliseconds,
        "The shortest frame time such that the frames no slower than it fill 99 % of the \
         time. As a rate, RTSS and MSI Afterburner show it as “1 % low” with their integral \
         method, CapFrameX as “1 % low integral”.",
        |all| Some(all.p99_by_time_ms),
    )
    .as_rate("1 % low (integral)"),
    figure(
        ("p95-by-frame", "95 % of the frames no slower than"),
        Unit::Milliseconds,
        BY_FRAME,
        |all| Some(all.p95_by_frame_ms),
    )
    .of_at_least(20)
    .as_rate("P5"),
    figure(
        ("p99-by-frame", "99 % of the frames no slower than"),
        Unit::Milliseconds,
        BY_FRAME,
        |all| Some(all.p99_by_frame_ms),
    )
    .of_at_least(100)
    .as_rate("P1"),
    figure(
        ("p99.9-by-frame", "99.9 % of the frames no slower than"),
        Unit::Milliseconds,
        BY_FRAME,
        |all| Some(all.p99_9_by_frame_ms),
    )
    .of_at_least(1000)
    .as_rate("P0.1"),
    figure(
        ("slowest-1-percent", "slowest 1 % of the frames"),
        Unit::Milliseconds,
        "The mean time of the slowest 1 % of the frames, at least one. As a rate, CapFrameX \
         calls it “1 % low average”, many reviews “1 % low”.",
        |all| Some(1e3 / all.low_1_percent_fps),
    )
    .of_at_least(100)
    .as_rate("1 % low (average)"),
    figure(
        ("slowest-0.1-percent", "slowest 0.1 % of the frames"),
        Unit::Milliseconds,
        "The mean time of the slowest 0.1 % of the frames, at least one. As a rate, \
         CapFrameX calls it “0.1 % low average”.",
        |all| Some(1e3 / all.low_0_1_percent_fps),
    )
    .of_at_least(1000)
    .as_rate("0.1 % low (average)"),
    figure(
        ("high-water", "slowest frame"),
        Unit::Milliseconds,
        "The longest frame time: the high-water mark.",
        |all| Some(all.slowest.ms),
    ),
    figure(
        ("high-water-frame", "number of the slowest frame"),
        Unit::Count,
        "The first of the slowest frames.",
        |all| Some(all.slowest.frame as f64),
    ),
    figure(
        ("high-water-at", "begin of the slowest frame"),
        Unit::Seconds,
        "The time from the begin of the first frame to that of the slowest one.",
        |all| Some(all.slowest.start_ms / 1e3),
    ),
    figure(
        ("over-budget-frames", "frames over budget"),
        Unit::Count,
        "The frames above the budget, by more than its tolerance.",
        |all| Some(all.over_budget.as_ref()?.frames as f64),
    ),
    figure(
        ("over-budget-share", "share of the frames over budget"),
        Unit::Percent,
        "The number of frames over budget, divided by that of all frames.",
        |all| Some(100.0 * all.over_budget.as_ref()?.frames as f64 / all.frames as f64),
    ),
    figure(
        ("over-budget-time-share", "share of the time over budget"),
        Unit::Percent,
        "The time of the frames over budget, divided by that of all frames.",
        |_| None,
    ),
    figure(
        ("over-budget-longest-run", "longest run over budget"),
        Unit::Count,
        "The number of frames in the longest run of consecutive frames over budget.",
        |all| Some(all.over_budget.as_ref()?.longest_run.len() as f64),
    ),
    figure(
        (
            "frames-over-60-ms",
            "frames over 60 ms, 1.5 × the one before",
        ),
        Unit::Count,
        "Frames over 60 ms that take at least 1.5 times as long as the previous frame. For \
         200 ms after one, no other is counted. The rule by which Unreal Engine counts \
         hitches: t.HitchFrameTimeThreshold, t.HitchVersusNonHitchRatio, \
         t.HitchDeadTimeWindow.",
        |all| Some(all.over_60_ms.len() as f64),
    ),
    figure(
        ("stutter-frames", "frames over 2.5 × the average"),
        Unit::Count,
        "Frames that take over 2.5 times the average of the 40 frames before. The rule of \
         CapFrameX, which averages over about the same number at 60 frames per second.",
        |all| Some(all.stutter.len() as f64),
    ),
    figure(
        ("stutter-share", "share of the time that stutters"),
        Unit::Percent,
        "The time of the frames that stutter, divided by that of all frames.",
        |all| Some(100.0 * all.stutter_share),
    ),
    figure(
        ("missed-refreshes-estimated", "missed refreshes, estimated"),
        Unit::Count,
        "Estimated from frame times alone: the time of each frame is rounded to a whole \
         number of the periods of the display. The estimate needs the actual rate of the \
         display.",
        |all| Some(all.estimated_missed_refreshes? as f64),
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FrameRules;

    #[test]
    fn each_key_and_each_name_stands_for_one_figure() {
        for (at, figure) in FIGURES.iter().enumerate() {
            for other in &FIGURES[at + 1..] {
                assert_ne!(figure.key, other.key);
                assert_ne!(figure.label, other.label);
                assert!(figure.rate.is_none() || figure.rate != other.rate);
            }
            assert_eq!(
                Figure::find(figure.key).map(|found| found.label),
                Some(figure.label)
            );
        }
    }

    #[test]
    fn a_definition_states_the_default_of_its_rule() {
        let FrameRules {
            over_60_ms,
            stutter,
            ..
        } = FrameRules::default();
        let definition = |key| Figure::find(key).map_or("", |figure| figure.definition);
        let (over, average) = (
            definition("frames-over-60-ms"),
            definition("stutter-frames"),
        );
        assert!(over.contains(&format!("over {} ms", over_60_ms.threshold_ms)));
        assert!(over.contains(&format!("{} times", over_60_ms.ratio)));
        assert!(over.contains(&format!("For {} ms", over_60_ms.dead_time_ms)));
        assert!(average.contains(&format!("{} times", stutter.factor)));
        assert!(average.contains(&format!("the {} frames before", stutter.average_over)));
        let label = Figure::find("stutter-frames").map_or("", |figure| figure.label);
        assert!(label.contains(&format!("{} ×", stutter.factor)));
        // A program whose frames all take longer has no frames that count, so the name says what counts.
        let label = Figure::find("frames-over-60-ms").map_or("", |figure| figure.label);
        assert!(label.contains(&format!("over {} ms", over_60_ms.threshold_ms)));
        assert!(label.contains(&format!("{} ×", over_60_ms.ratio)));
    }
}
