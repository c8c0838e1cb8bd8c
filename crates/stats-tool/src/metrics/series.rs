//! The figures of one series.

use std::borrow::Cow;

use stats_analysis::range_statistics::standard_deviation;
use stats_capture::{Better, RecordedKind, SeriesRecord};
use stats_core::{FrameSlice, Unit};

use super::left_out::LeftOut;
use super::metric::MetricList;

/// The figures of one series.
#[derive(Clone, Debug)]
pub(crate) struct SeriesFigures {
    /// The description of the series.
    pub(crate) record: SeriesRecord,
    pub(crate) unit: Unit,
    /// The figures; `None` if no value is known in the frames that are not left out.
    pub(crate) numbers: Option<Numbers>,
}

/// The figures of the known values of a series, in its unit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Numbers {
    /// The number of frames with a value.
    pub(crate) frames: usize,
    /// The sum of all values.
    pub(super) sum: f64,
    pub(crate) mean: f64,
    /// The standard deviation, over the number of values.
    pub(crate) deviation: f64,
    /// The smallest value.
    pub(crate) min: f64,
    /// The 5th percentile by frame, by nearest rank.
    pub(crate) p5: f64,
    /// The median, by nearest rank.
    pub(crate) median: f64,
    /// The 99th percentile by frame, by nearest rank.
    pub(crate) p99: f64,
    /// The largest value.
    pub(crate) max: f64,
    /// The first frame with the largest value.
    pub(crate) max_frame: u64,
    /// The last value.
    pub(super) last: f64,
    /// The frames over the budget; `None` without one.
    pub(crate) over: Option<OverBudget>,
}

/// The frames of a series that are over its budget.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OverBudget {
    /// The budget.
    pub(crate) limit: f64,
    /// The number of frames over the budget.
    pub(crate) frames: usize,
    /// The share of the time that these frames took, from 0 to 1.
    pub(crate) time_share: f64,
    /// The longest run of such frames.
    pub(crate) longest_run: usize,
}

/// Returns the name of the values of frames of a series: its path, or `sum of` the path for a
/// histogram, whose path alone stands for its samples.
pub(crate) fn frame_name(kind: RecordedKind, path: &str) -> Cow<'_, str> {
    match kind {
        RecordedKind::Histogram => format!("sum of {path}").into(),
        _ => path.into(),
    }
}

impl SeriesFigures {
    /// Returns the [name](frame_name) of the values of frames.
    pub(crate) fn frame_name(&self) -> Cow<'_, str> {
        frame_name(self.record.kind, &self.record.path)
    }

    /// Computes the figures. `scratch` is a buffer that is reused.
    pub(super) fn of(
        record: SeriesRecord,
        unit: Unit,
        values: FrameSlice<'_>,
        left_out: &LeftOut,
        frames_ms: FrameSlice<'_>,
        scratch: &mut Vec<f64>,
    ) -> Self {
        scratch.clear();
        scratch.extend(values.iter());
        left_out.blank(values.first_frame(), scratch);
        Self {
            unit,
            numbers: Numbers::of(values.first_frame(), scratch, record.budget, frames_ms),
            record,
        }
    }

    /// Returns the share of the frames with a value that are over the budget, in percent; `None`
    /// without a budget or a value.
    pub(crate) fn over_percent(&self) -> Option<f64> {
        let numbers = self.numbers.as_ref()?;
        let over = numbers.over?.frames as f64;
        Some(100.0 * over / numbers.frames as f64)
    }

    pub(super) fn add_to(&self, list: &mut MetricList) {
        let Some(numbers) = &self.numbers else { return };
        let of = |figure: &str| format!("series/{}/{figure}", self.record.path);
        let better = self.better();
        for (figure, value) in [
            ("mean", numbers.mean),
            ("min", numbers.min),
            ("p99-by-frame", numbers.p99),
            ("max", numbers.max),
        ] {
            list.push(of(figure), value, self.unit, better);
        }
        let steadier = better_deviation(better);
        list.push(of("deviation"), numbers.deviation, self.unit, steadier);
        let over = numbers.over.map(|over| over.frames as f64);
        list.lower(of("over-budget-frames"), over, Unit::Count);
    }

    /// Returns which values are better. For a time, lower is better.
    fn better(&self) -> Better {
        match self.record.kind {
            RecordedKind::Timer | RecordedKind::TimerSelf => Better::Lower,
            _ => self.record.better,
        }
    }
}

/// Returns which deviations are better if `better` says it of the values: smaller ones, unless no
/// values are better than others.
pub(super) fn better_deviation(better: Better) -> Better {
    match better {
        Better::Neither => Better::Neither,
        _ => Better::Lower,
    }
}

impl Numbers {
    /// Computes the figures of values. Skips NaN, and reorders the values. `frames_ms` are the
    /// durations of the frames.
    pub(super) fn of(
        first_frame: u64,
        values: &mut Vec<f64>,
        limit: Option<f64>,
        frames_ms: FrameSlice<'_>,
    ) -> Option<Self> {
        let last = values.iter().copied().rfind(|value| !value.is_nan())?;
        let (mut sum, mut min, mut max, mut at) = (0.0, f64::INFINITY, f64::NEG_INFINITY, 0);
        for (position, value) in values.iter().copied().enumerate() {
            if value.is_nan() {
                continue;
            }
            sum += value;
            min = f64::min(min, value);
            if value > max {
                (max, at) = (value, position);
            }
        }
        let over = limit.map(|limit| {
            let frames_ms = |position| {
                let ms = frames_ms.at(first_frame + position as u64);
                ms.unwrap_or(f64::NAN)
            };
            OverBudget::of(values, limit, frames_ms)
        });
        values.retain(|value| !value.is_nan());
        let frames = values.len();
        let mean = sum / frames as f64;
        let deviation = standard_deviation(FrameSlice::new(0, values, &[]), mean);
        let mut rank = |percent: usize| {
            let rank = (frames * percent).div_ceil(100).max(1);
            *values.select_nth_unstable_by(rank - 1, f64::total_cmp).1
        };
        Some(Self {
            frames,
            sum,
            mean,
            deviation,
            min,
            p5: rank(5),
            median: rank(50),
            p99: rank(99),
            max,
            max_frame: first_frame + at as u64,
            last,
            over,
        })
    }
}

impl OverBudget {
    /// Counts the values over a limit. `frames_ms` returns the duration of a frame.
    pub(super) fn of(values: &[f64], limit: f64, frames_ms: impl Fn(usize) -> f64) -> Self {
        let (mut frames, mut run, mut longest_run) = (0, 0, 0);
        let (mut over_ms, mut all_ms) = (0.0, 0.0);
        for (position, value) in values.iter().enumerate() {
            if !value.is_nan() {
                let ms = Some(frames_ms(position));
                let ms = ms.filter(|ms| ms.is_finite()).unwrap_or(0.0);
                all_ms += ms;
                over_ms += if *value > limit { ms } else { 0.0 };
            }
            // NaN is not over, and ends a run.
            run = if *value > limit { run + 1 } else { 0 };
            frames += usize::from(run > 0);
            longest_run = longest_run.max(run);
        }
        Self {
            limit,
            frames,
            time_share: if all_ms > 0.0 { over_ms / all_ms } else { 0.0 },
            longest_run,
        }
    }
}

#[cfg(test)]
mod tests {
    use stats_core::FrameSlice;
    use stats_core::percentiles::percentile_by_frame;
    use stats_testing::Random;

    use super::{Numbers, OverBudget};

    #[test]
    fn the_figures_match_their_definitions() {
        let mut random = Random::new(5);
        for _ in 0..300 {
            let values: Vec<f64> = (0..random.below(400))
                .map(|_| match random.below(8) {
                    0 => f64::NAN,
                    _ => random.below(50) as f64,
                })
                .collect();
            let ms: Vec<f64> = values.iter().map(|_| random.below(9) as f64).collect();
            let frames_ms = FrameSlice::new(7, &[], &ms);
            let known: Vec<f64> = values.iter().copied().filter(|v| !v.is_nan()).collect();
            let Some(numbers) = Numbers::of(7, &mut values.clone(), Some(40.0), frames_ms) else {
                assert!(known.is_empty());
                continue;
            };
            assert_eq!(numbers.frames, known.len());
            assert_eq!(numbers.sum, known.iter().sum::<f64>());
            assert_eq!(numbers.mean, numbers.sum / known.len() as f64);
            let squares = known.iter().map(|value| (value - numbers.mean).powi(2));
            let deviation = (squares.sum::<f64>() / known.len() as f64).sqrt();
            assert!((numbers.deviation - deviation).abs() <= 1e-12 * deviation);
            assert_eq!(Some(numbers.p5), percentile_by_frame(&known, 5.0));
            assert_eq!(Some(numbers.median), percentile_by_frame(&known, 50.0));
            assert_eq!(Some(numbers.p99), percentile_by_frame(&known, 99.0));
            assert_eq!(Some(numbers.min), known.iter().copied().reduce(f64::min));
            assert_eq!(Some(numbers.max), known.iter().copied().reduce(f64::max));
            let first = values.iter().position(|value| *value == numbers.max);
            assert_eq!(Some(numbers.max_frame), first.map(|at| at as u64 + 7));
            assert_eq!(Some(&numbers.last), known.last());
            let over: Vec<bool> = values.iter().map(|value| *value > 40.0).collect();
            let ms_of = |is: fn(&f64) -> bool| -> f64 {
                let frames = values.iter().zip(&ms).filter(|(value, _)| is(value));
                frames.map(|(_, ms)| ms).sum()
            };
            let (over_ms, all_ms) = (ms_of(|value| *value > 40.0), ms_of(|value| !value.is_nan()));
            let longest = over.split(|is| !is).map(<[bool]>::len).max();
            let expected = OverBudget {
                limit: 40.0,
                frames: over.iter().filter(|is| **is).count(),
                time_share: if all_ms > 0.0 { over_ms / all_ms } else { 0.0 },
                longest_run: longest.unwrap_or(0),
            };
            assert_eq!(numbers.over, Some(expected));
        }
    }
}
