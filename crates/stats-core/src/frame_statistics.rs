use std::collections::VecDeque;
use std::fmt;

use crate::frame_metrics::{
    HighWaterMark, HitchRule, RateShare, Spikes, StutterRule, estimated_missed_refreshes,
    find_hitches, find_stutter, frames, high_water_mark, share_out, spikes,
};
use crate::percentiles::{average_fps, by_time, share, slowest, weighted};
use crate::report::grouped;

/// By which rules the frames of a [`FrameStatistics`] are judged. Make the default ones, and change
/// what is to be different:
///
/// ```
/// use stats_core::{FrameRules, FrameStatistics};
///
/// let mut rules = FrameRules::default();
/// rules.budget_ms = Some(16.7);
/// rules.rates_fps = vec![60.0];
/// let statistics = FrameStatistics::of(&[10.0, 20.0, 10.0], &rules).unwrap();
/// assert_eq!(statistics.spikes.map(|spikes| spikes.frames), Some(1));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FrameRules {
    /// What a frame may take, in milliseconds. Default: `None`, for no spikes; what is not a
    /// positive number is none, too.
    pub budget_ms: Option<f64>,
    /// The part of the budget by which a frame may exceed it before it is a spike: 0.1 for a tenth.
    /// Half of all healthy frames of a display's rate are a little over its period. Default: 0.
    pub budget_tolerance: f64,
    /// The period that the display really has, in milliseconds: 1000 ÷ 59.94, say. Default: `None`,
    /// for no estimate of missed refreshes.
    pub refresh_period_ms: Option<f64>,
    /// Default: Unreal Engine's.
    pub hitch: HitchRule,
    /// Default: CapFrameX's.
    pub stutter: StutterRule,
    /// Rates that the time is shared out among, in any order. Default: 30, 60, 120, 144 and 240
    /// frames a second.
    pub rates_fps: Vec<f64>,
}

impl Default for FrameRules {
    fn default() -> Self {
        Self {
            budget_ms: None,
            budget_tolerance: 0.0,
            refresh_period_ms: None,
            hitch: HitchRule::default(),
            stutter: StutterRule::default(),
            rates_fps: vec![30.0, 60.0, 120.0, 144.0, 240.0],
        }
    }
}

/// Everything that [`percentiles`](crate::percentiles) and [`frame_metrics`](crate::frame_metrics)
/// say of some frames, found in one go.
///
/// Frames are named by their places in the slice, and those that are negative or not finite are
/// skipped: a frame that is to be left out is given as NaN. Prints as a table that names each
/// percentile exactly.
///
/// ```
/// use stats_core::{FrameRules, FrameStatistics};
///
/// let mut frames_ms = [8.0; 1000];
/// frames_ms[700] = 200.0;
/// let statistics = FrameStatistics::of(&frames_ms, &FrameRules::default()).unwrap();
/// // Three figures that are all called "1 % low".
/// assert_eq!(statistics.low_integral_fps(), 5.0);
/// assert_eq!(statistics.low_1_percent_fps.round(), 37.0);
/// assert_eq!(1e3 / statistics.p99_by_frame_ms, 125.0);
/// assert_eq!((statistics.slowest.frame, statistics.hitches.len()), (700, 1));
/// println!("{statistics}");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FrameStatistics {
    /// How many frames there are.
    pub frames: usize,
    /// How long they took together.
    pub total_ms: f64,
    /// Frames by time: [`average_fps`].
    pub average_fps: f64,
    /// The middle frame time; of an even number the lower of the middle two.
    pub median_ms: f64,
    /// The frames no slower than it fill 95 % of the time:
    /// [`percentile_by_time`](crate::percentiles::percentile_by_time).
    pub p95_by_time_ms: f64,
    /// The same for 99 %.
    pub p99_by_time_ms: f64,
    /// 95 % of the frames are no slower:
    /// [`percentile_by_frame`](crate::percentiles::percentile_by_frame).
    pub p95_by_frame_ms: f64,
    /// The same for 99 %; "P1" as fps.
    pub p99_by_frame_ms: f64,
    /// The same for 99.9 %; "P0.1" as fps.
    pub p99_9_by_frame_ms: f64,
    /// The rate during the slowest 1 % of the frames:
    /// [`low_average`](crate::percentiles::low_average).
    pub low_1_percent_fps: f64,
    /// The same of the slowest 0.1 %.
    pub low_0_1_percent_fps: f64,
    /// The slowest frame: [`high_water_mark`].
    pub slowest: HighWaterMark,
    /// The frames over budget: [`spikes`]; `None` without a budget. What they are over it counts
    /// from the budget itself, whatever the tolerance.
    pub spikes: Option<Spikes>,
    /// The frames that are hitches: [`hitches`](crate::frame_metrics::hitches).
    pub hitches: Vec<usize>,
    /// The frames that stutter: [`stutter`](crate::frame_metrics::stutter).
    pub stutter: Vec<usize>,
    /// The part of the time that those took, from 0 to 1.
    pub stutter_share: f64,
    /// *Estimated*: [`estimated_missed_refreshes`]; `None` without a period.
    pub estimated_missed_refreshes: Option<u64>,
    /// Shares of the time by rate: [`time_at_rates`](crate::frame_metrics::time_at_rates).
    pub rates: Vec<RateShare>,
    /// The rules that all this was found by.
    pub rules: FrameRules,
}

impl FrameStatistics {
    /// The statistics of frame times in milliseconds; `None` of no frames, or where all of them
    /// took no time at all.
    ///
    /// Sorts a copy once: some 10 ms for 162,000 frames. To do so again and again without
    /// allocating: [`FrameAnalyzer`].
    #[must_use]
    pub fn of(frames_ms: &[f64], rules: &FrameRules) -> Option<Self> {
        let mut analyzer = FrameAnalyzer::new();
        analyzer.analyze(frames_ms, rules)?;
        analyzer.statistics
    }

    /// The "1 % low" of RTSS and MSI Afterburner, by its integral method:
    /// [`p99_by_time_ms`](Self::p99_by_time_ms) as frames a second.
    #[must_use]
    pub fn low_integral_fps(&self) -> f64 {
        1e3 / self.p99_by_time_ms
    }
}

/// Finds [`FrameStatistics`] again and again; allocates only where there are more frames, hitches
/// or rates than ever before.
#[derive(Clone, Debug, Default)]
pub struct FrameAnalyzer {
    sorted: Vec<f64>,
    trailing: VecDeque<f64>,
    statistics: Option<FrameStatistics>,
}

impl FrameAnalyzer {
    /// An analyzer that holds nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            sorted: Vec::new(),
            trailing: VecDeque::new(),
            statistics: None,
        }
    }

    /// The statistics of other frames; see [`FrameStatistics::of`].
    pub fn analyze(&mut self, frames_ms: &[f64], rules: &FrameRules) -> Option<&FrameStatistics> {
        let Self {
            sorted,
            trailing,
            statistics: kept,
        } = self;
        sorted.clear();
        // Numbers that are not negative are in the order of their bits, which compare faster;
        // adding 0 makes 0 of −0.
        sorted.extend(frames(frames_ms).map(|(_, ms)| ms + 0.0));
        sorted.sort_unstable_by_key(|ms| ms.to_bits());
        let count = sorted.len() as u64;
        let (average_fps, slowest_frame) = (average_fps(frames_ms)?, high_water_mark(frames_ms)?);
        let total_ms = frames(frames_ms).map(|(_, ms)| ms).sum();
        let by_frame = |percent| sorted[share(count, percent) as usize - 1];
        let by_time = |percent| by_time(weighted(sorted), percent);
        let low_average = |percent| slowest(weighted(sorted), count, percent);
        // The buffers of the statistics before.
        let (mut hitches, mut stutter, mut rates, mut kept_rules) = match kept.take() {
            Some(old) => (old.hitches, old.stutter, old.rates, old.rules),
            None => (
                Vec::new(),
                Vec::new(),
                Vec::new(),
                FrameRules {
                    rates_fps: Vec::new(),
                    ..FrameRules::default()
                },
            ),
        };
        find_hitches(frames_ms, rules.hitch, &mut hitches);
        find_stutter(frames_ms, rules.stutter, trailing, &mut stutter);
        share_out(frames_ms, &rules.rates_fps, &mut rates);
        // Folded from 0: the sum of nothing is −0.
        let stutter_ms = stutter
            .iter()
            .fold(0.0, |sum_ms, &at| sum_ms + frames_ms[at]);
        kept_rules.clone_from_rules(rules);
        Some(
            kept.insert(FrameStatistics {
                frames: sorted.len(),
                total_ms,
                average_fps,
                median_ms: by_frame(50.0),
                p95_by_time_ms: by_time(95.0)?,
                p99_by_time_ms: by_time(99.0)?,
                p95_by_frame_ms: by_frame(95.0),
                p99_by_frame_ms: by_frame(99.0),
                p99_9_by_frame_ms: by_frame(99.9),
                low_1_percent_fps: low_average(1.0)?,
                low_0_1_percent_fps: low_average(0.1)?,
                slowest: slowest_frame,
                spikes: rules
                    .budget_ms()
                    .map(|budget_ms| rules.spikes(frames_ms, budget_ms)),
                hitches,
                stutter,
                stutter_share: stutter_ms / total_ms,
                estimated_missed_refreshes: rules
                    .refresh_period_ms
                    .and_then(|ms| estimated_missed_refreshes(frames_ms, ms)),
                rates,
                rules: kept_rules,
            }),
        )
    }
}

impl FrameRules {
    fn budget_ms(&self) -> Option<f64> {
        self.budget_ms
            .filter(|budget_ms| *budget_ms > 0.0 && budget_ms.is_finite())
    }

    fn spikes(&self, frames_ms: &[f64], budget_ms: f64) -> Spikes {
        let slack_ms = budget_ms * self.budget_tolerance.max(0.0);
        let mut found = spikes(frames_ms, budget_ms + slack_ms);
        // A tolerance without end makes no spikes, and no number of none times it.
        if found.frames > 0 {
            found.over_ms += found.frames as f64 * slack_ms;
        }
        found
    }

    /// Takes over other rules into the room there is.
    fn clone_from_rules(&mut self, other: &Self) {
        let mut rates_fps = std::mem::take(&mut self.rates_fps);
        rates_fps.clone_from(&other.rates_fps);
        let Self {
            budget_ms,
            budget_tolerance,
            refresh_period_ms,
            hitch,
            stutter,
            rates_fps: _,
        } = *other;
        *self = Self {
            budget_ms,
            budget_tolerance,
            refresh_period_ms,
            hitch,
            stutter,
            rates_fps,
        };
    }
}

/// A line of the table: what it is, milliseconds, frames a second, and what else there is to say.
type Line = (String, Option<f64>, Option<f64>, String);

impl fmt::Display for FrameStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.lines();
        let width = lines
            .iter()
            .map(|(name, ..)| name.chars().count())
            .max()
            .unwrap_or(0);
        for (at, (name, ms, fps, note)) in lines.iter().enumerate() {
            let ms = ms.map_or(String::new(), |ms| format!("{} ms", fixed(ms, 2)));
            let fps = fps
                .filter(|fps| fps.is_finite())
                .map_or(String::new(), |fps| format!("{} fps", fixed(fps, 1)));
            let line = format!("{name:<width$}  {ms:>13}  {fps:>12}  {note}");
            write!(f, "{}{}", if at > 0 { "\n" } else { "" }, line.trim_end())?;
        }
        Ok(())
    }
}

impl FrameStatistics {
    fn lines(&self) -> Vec<Line> {
        let by = |name: &str, ms: f64| (name.to_owned(), Some(ms), Some(1e3 / ms), String::new());
        let low =
            |name: &str, fps: f64| (name.to_owned(), Some(1e3 / fps), Some(fps), String::new());
        let seconds = self.total_ms / 1e3;
        let mut lines = vec![
            (
                "frames".to_owned(),
                None,
                None,
                format!("{} in {} s", counted(self.frames), fixed(seconds, 2)),
            ),
            low("average (frames by time)", self.average_fps),
            by("median", self.median_ms),
            by("95 % of the time no slower than", self.p95_by_time_ms),
            by(
                "99 % of the time no slower than: 1 % low (integral)",
                self.p99_by_time_ms,
            ),
            by(
                "95 % of the frames no slower than: P5",
                self.p95_by_frame_ms,
            ),
            by(
                "99 % of the frames no slower than: P1",
                self.p99_by_frame_ms,
            ),
            by(
                "99.9 % of the frames no slower than: P0.1",
                self.p99_9_by_frame_ms,
            ),
            low(
                "slowest 1 % of the frames: 1 % low (average)",
                self.low_1_percent_fps,
            ),
            low(
                "slowest 0.1 % of the frames: 0.1 % low (average)",
                self.low_0_1_percent_fps,
            ),
        ];
        let (name, ms, fps, _) = by("slowest frame", self.slowest.ms);
        let note = format!(
            "frame {}, after {} s",
            counted(self.slowest.frame),
            fixed(self.slowest.start_ms / 1e3, 2)
        );
        lines.push((name, ms, fps, note));
        lines.extend(self.spike_line());
        lines.extend(self.smoothness_lines());
        lines
    }

    fn spike_line(&self) -> Option<Line> {
        let (spikes, rules) = (self.spikes.as_ref()?, &self.rules);
        let tolerance = match rules.budget_tolerance.max(0.0) * 100.0 {
            0.0 => String::new(),
            percent => format!(" by more than {} %", fixed(percent, 0)),
        };
        let name = format!(
            "spikes: over {} ms{tolerance}",
            fixed(rules.budget_ms()?, 2)
        );
        let (frames, run) = (counted(spikes.frames), counted(spikes.longest_run.len()));
        Some((
            name,
            None,
            None,
            format!(
                "{frames}, at most {run} in a row, {} ms lost",
                fixed(spikes.over_ms, 1)
            ),
        ))
    }

    fn smoothness_lines(&self) -> Vec<Line> {
        let line = |name: String, note: String| (name, None, None, note);
        let FrameRules { hitch, stutter, .. } = self.rules;
        let [threshold, ratio, dead] =
            [hitch.threshold_ms, hitch.ratio, hitch.dead_time_ms].map(plain);
        let mut lines = vec![
            line(
                format!(
                    "hitches: over {threshold} ms, {ratio} × the frame before, none for {dead} ms"
                ),
                counted(self.hitches.len()),
            ),
            line(
                format!(
                    "stutter: over {} × the mean of the {} before",
                    plain(stutter.factor),
                    stutter.average_over
                ),
                format!(
                    "{}, {:.2} % of the time",
                    counted(self.stutter.len()),
                    self.stutter_share * 100.0
                ),
            ),
        ];
        if let (Some(missed), Some(period_ms)) = (
            self.estimated_missed_refreshes,
            self.rules.refresh_period_ms,
        ) {
            let name = format!(
                "missed refreshes, estimated, at {} Hz",
                fixed(1e3 / period_ms, 2)
            );
            lines.push(line(name, grouped(missed.to_string())));
        }
        let mut above = None;
        for rate in &self.rates {
            let name = match above.replace(rate.from_fps) {
                None => format!("time at {} fps and more", plain(rate.from_fps)),
                Some(above) => format!("time at {} to {} fps", plain(rate.from_fps), plain(above)),
            };
            if rate.share > 0.0 {
                lines.push(line(name, format!("{:.2} %", rate.share * 100.0)));
            }
        }
        lines
    }
}

/// With so many decimals; by a power of ten where nobody would read the digits.
fn fixed(value: f64, decimals: usize) -> String {
    if is_readable(value) {
        format!("{value:.decimals$}")
    } else {
        format!("{value:.3e}")
    }
}

/// With all the digits that it was given with, or by a power of ten.
fn plain(value: f64) -> String {
    if is_readable(value) && (value == 0.0 || value.abs() >= 1e-6) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

fn is_readable(value: f64) -> bool {
    value.abs() < 1e12 || !value.is_finite()
}

fn counted(count: usize) -> String {
    grouped(count.to_string())
}
