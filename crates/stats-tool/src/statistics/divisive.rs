//! Change points in a sequence of runs: E-divisive with a t-test, as in Apache Otava.
//!
//! Matteson and James, "A nonparametric approach for multiple change point analysis of multivariate
//! data", 2014, find the split of a sequence that separates two parts best, and continue with both
//! parts. Fleming et al., "Hunter: using change point detection to hunt for performance
//! regressions", 2023, judge each split by a t-test, in windows that slide over the sequence. They
//! first apply a weak limit, and then remove the weakest points until all are strong. Otava is the
//! successor of Hunter. The results equal those of Otava 0.8.0, so anyone who doubts one can
//! compare. Where the papers leave details open, comments below name Otava's choices.

use super::best_split::{Split, best_split};
use super::sample::{mean, sum_of_squares};
use super::t_test::TTest;

/// The number of runs in a window.
const WINDOW: usize = 50;

/// The p-value below which a change is significant.
const MAX_P: f64 = 0.001;

/// The maximum p-value of a weak change, which may turn out to be significant.
const WEAK_P: f64 = 10.0 * MAX_P;

/// A change point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Division {
    /// The index of the first run after the change.
    pub(crate) at: usize,
    /// The mean from the previous division to this one.
    pub(crate) before: f64,
    /// The mean from this division to the next one.
    pub(crate) after: f64,
    /// The p-value of the t-test.
    pub(crate) p: f64,
}

/// Returns the change points of a sequence of finite values, in order.
pub(super) fn divisions(values: &[f64]) -> Vec<Division> {
    strong(weak(values), values)
}

/// Returns the divisions of all windows, which overlap by half.
fn weak(values: &[f64]) -> Vec<Division> {
    let mut places = Vec::new();
    let mut start = 0;
    while start < values.len() {
        let window = &values[start..values.len().min(start + WINDOW)];
        let found = in_window(window);
        let last = found.last().map_or(0, |place| start + place);
        places.extend(found.iter().map(|place| start + place));
        start = last.max(start + WINDOW / 2);
    }
    places.sort_unstable();
    places.dedup();
    (0..places.len())
        .map(|at| division(values, &places, at))
        .collect()
}

/// Returns the divisions of a window, in order: the best split of any part, as long as it is weakly
/// significant.
fn in_window(window: &[f64]) -> Vec<usize> {
    let mut places: Vec<usize> = Vec::new();
    loop {
        let mut best: Option<Split> = None;
        for (start, end) in parts(&places, window.len()) {
            let Some(split) = best_split(window, start, end) else {
                continue;
            };
            if best.is_none_or(|best| split.energy > best.energy) {
                best = Some(split);
            }
        }
        let Some(split) = best else { return places };
        let at = places.partition_point(|place| *place < split.at);
        places.insert(at, split.at);
        // A NaN counts as not significant.
        let is_significant = division(window, &places, at).p <= WEAK_P;
        if !is_significant {
            places.remove(at);
            return places;
        }
    }
}

/// Removes the weakest division repeatedly, until all are significant.
fn strong(mut divisions: Vec<Division>, values: &[f64]) -> Vec<Division> {
    while let Some(weakest) = weakest(&divisions) {
        divisions.remove(weakest);
        let places: Vec<usize> = divisions.iter().map(|division| division.at).collect();
        // Like Otava, recomputes the two divisions after the removed one.
        for at in [weakest, weakest + 1] {
            if at < divisions.len() {
                divisions[at] = division(values, &places, at);
            }
        }
    }
    divisions
}

/// Returns the index of the division to remove next; `None` if all stay.
fn weakest(divisions: &[Division]) -> Option<usize> {
    let mut weakest = 0;
    for (at, division) in divisions.iter().enumerate().skip(1) {
        if division.p > divisions[weakest].p {
            weakest = at;
        }
    }
    let are_significant = divisions.get(weakest)?.p < MAX_P;
    if !are_significant {
        return Some(weakest);
    }
    divisions.iter().position(|division| division.size() <= 0.0)
}

impl Division {
    /// Returns the larger of the relative changes in both directions.
    fn size(&self) -> f64 {
        let relative = |from: f64, to: f64| if from == 0.0 { 0.0 } else { to / from - 1.0 };
        let forward = relative(self.before, self.after).abs();
        let backward = relative(self.after, self.before).abs();
        forward.max(backward)
    }
}

/// Returns the ranges of a sequence between divisions.
fn parts(places: &[usize], length: usize) -> impl Iterator<Item = (usize, usize)> {
    let starts = std::iter::once(0).chain(places.iter().copied());
    let ends = places.iter().copied().chain(std::iter::once(length));
    starts.zip(ends)
}

/// Judges one of several divisions by the parts on both sides of it.
fn division(values: &[f64], places: &[usize], at: usize) -> Division {
    let start = if at == 0 { 0 } else { places[at - 1] };
    let end = places.get(at + 1).copied().unwrap_or(values.len());
    let (before, after) = (&values[start..places[at]], &values[places[at]..end]);
    Division {
        at: places[at],
        before: mean(before),
        after: mean(after),
        p: p_value(before, after),
    }
}

/// Returns the p-value of Student's t-test; NaN if nothing varies and nothing differs.
///
/// Like Otava, uses the variance of a population where the test expects that of a sample. This
/// makes the p-values of short parts smaller.
fn p_value(before: &[f64], after: &[f64]) -> f64 {
    let (first, second) = (before.len() as f64, after.len() as f64);
    let degrees = first + second - 2.0;
    if degrees <= 0.0 {
        return 1.0;
    }
    let part = |part: &[f64]| {
        let count = part.len() as f64;
        (count - 1.0) * sum_of_squares(part) / count
    };
    let variance = (part(before) + part(after)) / degrees;
    let error = (variance * (1.0 / first + 1.0 / second)).sqrt();
    let difference = mean(after) - mean(before);
    if error == 0.0 && difference == 0.0 {
        return f64::NAN;
    }
    TTest::new(difference, error, degrees).p
}
