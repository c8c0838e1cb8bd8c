//! The finding about one metric.

use stats_capture::Better;
use stats_core::Unit;

use crate::statistics::{
    Indication, Noise, Shift, TTest, Trend, cliffs_delta, lower_cluster, median, quantile_of_t,
};

/// The minimum number of stored runs whose variance is pooled with that of the compared runs.
pub(super) const MIN_STORED: usize = 20;

/// The accepted probability of a false finding.
const FALSE_FINDING: f64 = 0.05;

/// The required probability of finding a real change.
const POWER: f64 = 0.8;

/// The maximum number of runs on each side that a verdict suggests.
const MAX_RUNS: usize = 1000;

/// The finding about one metric.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    /// The name of the metric.
    pub(crate) name: String,
    /// The metric that varies too much, so that this one is judged in its place.
    pub(crate) in_place_of: Option<String>,
    pub(crate) unit: Unit,
    /// Which values are better.
    pub(crate) better: Better,
    /// The values of the runs before.
    pub(crate) before: Vec<f64>,
    /// The values of the runs after.
    pub(crate) after: Vec<f64>,
    /// The typical values before and after. They differ by exactly the change: they are the common
    /// median of both sides after the change is subtracted from the later one, and that median plus
    /// the change.
    pub(crate) typical: (f64, f64),
    /// The number of stored runs whose variance was used; 0 for Welch's test.
    pub(super) stored: usize,
    /// The t-test of the logarithms, or of the values if some are not positive. `None` if there are
    /// too few runs.
    pub(crate) test: Option<TTest>,
    /// The change from before to after, in percent of the values before. If those are 0, in percent
    /// of the mean of all values.
    pub(super) percent: f64,
    /// Whether the values before are 0, so that the change is not a percentage of them.
    pub(super) is_from_zero: bool,
    /// The confidence interval of the change, if there is more than one run on a side.
    pub(crate) interval: Option<(f64, f64)>,
    /// The coverage of the interval.
    pub(crate) coverage: f64,
    /// Cliff's delta.
    pub(crate) delta: f64,
    /// The size of change that is found with a probability of 80 %, in percent; `None` if there are
    /// too few runs.
    pub(super) findable_percent: Option<f64>,
    /// The sides whose runs fall into two clusters.
    pub(crate) clusters: Vec<&'static str>,
    /// The limit in percent; a change up to the limit does not count.
    pub(super) limit_percent: f64,
    /// The indication from the frames of one run against those of another.
    pub(crate) indication: Option<Indication>,
    /// The judgment.
    pub(crate) verdict: Verdict,
    /// Like `test`, but also for one run against one, where it only shows how many runs are needed.
    possible: Option<TTest>,
    /// Like `possible`, but without the stored runs.
    alone: Option<TTest>,
    scale: Scale,
}

/// The verdict on a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It did not change by more than its limit.
    Same,
    /// It became worse.
    Worse,
    /// It became better.
    Better,
    /// It changed, and neither direction is better.
    Changed,
    /// There are too few runs, or they vary too much. Contains the number of runs on each side that
    /// would find a change; `None` if even a thousand are not enough.
    Unknown(Option<usize>),
}

impl Verdict {
    /// Returns the name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Worse => "worse",
            Self::Better => "better",
            Self::Changed => "changed",
            Self::Unknown(_) => "cannot-tell",
        }
    }

    /// Returns whether the metric has changed.
    pub(crate) fn is_change(self) -> bool {
        !matches!(self, Self::Same | Self::Unknown(_))
    }
}

/// Returns whether a change exceeds a limit by more than a rounding error.
pub(crate) fn exceeds(percent: f64, limit_percent: f64) -> bool {
    percent.abs() > limit_percent * (1.0 + 1e-9)
}

impl Finding {
    /// Returns the finding with the limit of another one, in whose place it is judged.
    pub(super) fn in_place_of(&self, other: &Self) -> Self {
        Self {
            in_place_of: Some(other.name.clone()),
            limit_percent: other.limit_percent,
            ..self.clone()
        }
    }

    /// Compares the values of runs. `stored` are the values of earlier runs, oldest first.
    /// [`judge`](Self::judge) sets the verdict.
    pub(super) fn of(
        (name, unit, better): (&str, Unit, Better),
        (before, after, stored): (Vec<f64>, Vec<f64>, &[f64]),
        limit_percent: f64,
    ) -> Self {
        let is_positive = |values: &[f64]| values.iter().all(|value| *value > 0.0);
        let is_logarithmic = is_positive(&before) && is_positive(&after) && is_positive(stored);
        let numbers = |values: &[f64]| -> Vec<f64> {
            match is_logarithmic {
                true => values.iter().map(|value| value.ln()).collect(),
                false => values.to_vec(),
            }
        };
        let (first, second, earlier) = (numbers(&before), numbers(&after), numbers(stored));
        let shift = Shift::between(&first, &second);
        let typical = typical(&first, &second, shift.map_or(0.0, |shift| shift.estimate));
        let (scale, typical) = if is_logarithmic {
            let all = || before.iter().chain(&after);
            let value = |logarithm: f64| value_of_logarithm(logarithm, all());
            (Scale::Logarithm, (value(typical.0), value(typical.1)))
        } else {
            let all = before.iter().chain(&after).chain(stored);
            // A change from 0 has no percentage.
            let is_from_zero = median(&before) == 0.0;
            let typical = match is_from_zero {
                true => (0.0, typical.1 - typical.0),
                false => typical,
            };
            (Scale::plain(typical.0, all), typical)
        };
        let noise = noise(&earlier);
        let alone = TTest::welch(&first, &second);
        let possible = match noise {
            Some(noise) => TTest::pooled(noise, &first, &second),
            None => alone,
        };
        let is_one_against_one = before.len() < 2 && after.len() < 2;
        let percent = |shift: f64| scale.percent(shift);
        let has_interval = before.len() > 1 || after.len() > 1;
        let is_split = |values: &Vec<f64>| lower_cluster(values).is_some();
        let sides = [("before", &before), ("after", &after)];
        Self {
            name: name.to_owned(),
            in_place_of: None,
            unit,
            better,
            stored: noise.map_or(0, |_| stored.len()),
            percent: shift.map_or(0.0, |shift| percent(shift.estimate)),
            typical,
            is_from_zero: typical.0 == 0.0,
            interval: (shift.filter(|_| has_interval))
                .map(|shift| (percent(shift.interval.0), percent(shift.interval.1))),
            coverage: shift.map_or(0.0, |shift| shift.coverage),
            delta: cliffs_delta(&before, &after),
            findable_percent: None,
            clusters: (sides.iter())
                .filter(|(_, values)| is_split(values))
                .map(|(side, _)| *side)
                .collect(),
            test: possible.filter(|_| !is_one_against_one),
            possible,
            alone,
            scale,
            limit_percent,
            indication: None,
            verdict: Verdict::Same,
            before,
            after,
        }
    }

    /// Returns the change in percent of the values before; infinite if those are 0.
    pub(crate) fn shown_percent(&self) -> f64 {
        if self.is_from_zero && self.percent != 0.0 {
            f64::INFINITY.copysign(self.percent)
        } else {
            self.percent
        }
    }

    /// Returns the median run of each side.
    pub(super) fn medians(&self) -> [f64; 2] {
        [median(&self.before), median(&self.after)]
    }

    /// Returns the confidence interval of the change in percent of the values before; `None` if
    /// there is none, or if those values are 0.
    pub(super) fn shown_interval(&self) -> Option<(f64, f64)> {
        self.interval.filter(|_| !self.is_from_zero)
    }

    /// Returns the p-value; `None` if there are too few runs.
    pub(crate) fn p(&self) -> Option<f64> {
        self.test.map(|test| test.p)
    }

    /// Returns the p-value to show; `None` also if there is nothing that varies.
    pub(crate) fn shown_p(&self) -> Option<f64> {
        self.p().filter(|_| !self.is_identical())
    }

    /// Returns whether all runs of a side have the same value, so that they do not show how much it
    /// varies.
    pub(super) fn is_identical(&self) -> bool {
        let are_equal = |values: &[f64]| values.windows(2).all(|pair| pair[0] == pair[1]);
        let is_any_pair = self.before.len() > 1 || self.after.len() > 1;
        self.stored == 0 && is_any_pair && are_equal(&self.before) && are_equal(&self.after)
    }

    /// Returns the numbers of runs with a value: `3 + 3`.
    pub(crate) fn runs_text(&self) -> String {
        format!("{} + {}", self.before.len(), self.after.len())
    }

    /// Returns whether there are enough runs to show how much they vary.
    pub(super) fn is_noise_known(&self) -> bool {
        self.possible.is_some()
    }

    /// Replaces the test by that of the compared runs alone. Stored runs can vary more than these,
    /// for instance if the machine was busy.
    ///
    /// Returns whether there was another test.
    pub(super) fn leave_out_stored(&mut self) -> bool {
        if self.stored == 0 || self.alone.is_none() {
            return false;
        }
        self.stored = 0;
        self.possible = self.alone;
        self.test = self.alone;
        true
    }

    /// Sets the verdict. `is_certain` says whether the difference is significant among the `family`
    /// metrics that are judged together. `find_percent` is the size of change that the runs must be
    /// able to detect.
    pub(super) fn judge(&mut self, is_certain: bool, family: usize, find_percent: f64) {
        let findable = self.test.map(|test| findable(&test, family));
        self.findable_percent = findable.map(|difference| self.scale.percent(difference));
        let counts = exceeds(self.percent, self.limit_percent);
        self.verdict = match (is_certain && counts, self.better) {
            (true, Better::Lower) if self.percent > 0.0 => Verdict::Worse,
            (true, Better::Higher) if self.percent < 0.0 => Verdict::Worse,
            (true, Better::Lower | Better::Higher) => Verdict::Better,
            (true, _) => Verdict::Changed,
            // The change is too small to count, but it is certainly not for the worse.
            (false, Better::Lower) if is_certain && self.percent < 0.0 => Verdict::Same,
            (false, Better::Higher) if is_certain && self.percent > 0.0 => Verdict::Same,
            (false, _) if self.is_found(find_percent) => Verdict::Same,
            (false, _) => Verdict::Unknown(self.runs_needed(family, find_percent)),
        };
    }

    /// Returns whether a change of this size would be found.
    fn is_found(&self, find_percent: f64) -> bool {
        let wanted = find_percent.max(self.limit_percent);
        self.findable_percent.is_some_and(|found| found <= wanted)
    }

    /// Returns the number of runs on each side that would find a change of this size; `None` if a
    /// thousand would not.
    fn runs_needed(&self, family: usize, find_percent: f64) -> Option<usize> {
        let Some(test) = &self.possible else {
            // Three runs are enough to estimate the variance of a side.
            return Some(3);
        };
        let wanted = self.scale.difference(find_percent.max(self.limit_percent));
        let (n, m) = (self.before.len() as f64, self.after.len() as f64);
        let deviation = test.error / (1.0 / n + 1.0 / m).sqrt();
        let stored = (test.degrees - (n + m - 2.0)).max(0.0);
        let fewest = self.before.len().min(self.after.len()) + 1;
        (fewest..=MAX_RUNS).find(|runs| {
            let (n, m) = (n.max(*runs as f64), m.max(*runs as f64));
            let error = deviation * (1.0 / n + 1.0 / m).sqrt();
            findable(&TTest::new(0.0, error, stored + n + m - 2.0), family) <= wanted
        })
    }
}

/// The scale on which values are compared.
#[derive(Clone, Copy, Debug)]
enum Scale {
    /// The logarithms of the values, whose differences are relative changes.
    Logarithm,
    /// The values themselves, whose differences are relative to this number.
    Plain(f64),
}

impl Scale {
    /// Returns the scale of values that are not all positive: the typical value before. If that is
    /// 0, returns the mean magnitude of all values, because percentages of 0 are undefined.
    fn plain<'a>(typical: f64, all: impl Iterator<Item = &'a f64>) -> Self {
        if typical != 0.0 {
            return Self::Plain(typical.abs());
        }
        let sizes: Vec<f64> = all.map(|value| value.abs()).collect();
        Self::Plain(sizes.iter().sum::<f64>() / sizes.len().max(1) as f64)
    }

    fn difference(self, percent: f64) -> f64 {
        match self {
            Self::Logarithm => (percent / 100.0).ln_1p(),
            Self::Plain(whole) => percent / 100.0 * whole,
        }
    }

    fn percent(self, difference: f64) -> f64 {
        match self {
            _ if difference == 0.0 => 0.0,
            Self::Logarithm => 100.0 * difference.exp_m1(),
            Self::Plain(whole) => 100.0 * difference / whole,
        }
    }
}

/// Returns the common median of two groups of which the second is shifted by `shift`, for each of
/// them.
fn typical(before: &[f64], after: &[f64], shift: f64) -> (f64, f64) {
    let aligned = after.iter().map(|value| value - shift);
    let all: Vec<f64> = before.iter().copied().chain(aligned).collect();
    let median = median(&all);
    (median, median + shift)
}

/// Returns the value that has a logarithm. If a run has this value but for rounding, returns the value of
/// the run.
fn value_of_logarithm<'a>(logarithm: f64, mut values: impl Iterator<Item = &'a f64>) -> f64 {
    let value = logarithm.exp();
    let same = values.find(|one| (*one - value).abs() < 1e-12 * value);
    same.copied().unwrap_or(value)
}

/// Returns the noise of stored runs within the parts between change points; `None` if there are too
/// few runs.
fn noise(stored: &[f64]) -> Option<Noise> {
    if stored.len() < MIN_STORED {
        return None;
    }
    let mut parts = Vec::new();
    let mut start = 0;
    for change in Trend::of(stored).changes {
        parts.push(&stored[start..change.at]);
        start = change.at;
    }
    parts.push(&stored[start..]);
    Noise::within(&parts)
}

/// Returns the difference that a test finds with a probability of 80 %, in a family of metrics.
fn findable(test: &TTest, family: usize) -> f64 {
    // As strict as the test for the first finding of a family.
    let tail = FALSE_FINDING / 2.0 / family.max(1) as f64;
    let quantiles = quantile_of_t(1.0 - tail, test.degrees) + quantile_of_t(POWER, test.degrees);
    if test.error == 0.0 {
        0.0
    } else {
        quantiles * test.error
    }
}
