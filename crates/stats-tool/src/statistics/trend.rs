//! Lasting changes in the values of many runs.

use super::divisive::{Division, divisions};
use super::outliers::outliers;
use super::two_samples::TwoSamples;

/// The minimum number of runs before a change for confirming it.
pub(crate) const MIN_BEFORE: usize = 6;

/// The minimum number of runs after a change for confirming it.
pub(crate) const MIN_AFTER: usize = 3;

/// The changes and outliers in a sequence of runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Trend {
    /// The changes, in order.
    pub(crate) changes: Vec<Change>,
    /// The indices of outliers among the runs between two changes, in order.
    pub(crate) outliers: Vec<usize>,
}

/// A change point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Change {
    /// The index of the first run after the change.
    pub(crate) at: usize,
    /// The mean of the runs since the previous change.
    pub(crate) before: f64,
    /// The mean of the runs up to the next change.
    pub(crate) after: f64,
    /// The p-value.
    pub(crate) p: f64,
    /// Whether the change is confirmed, or why not.
    pub(crate) standing: Standing,
}

/// Whether a change is confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// At least three of five tests find it.
    Confirmed,
    /// Fewer than [`MIN_BEFORE`] runs come before it.
    TooFewBefore,
    /// This many more runs are needed after it.
    TooFewAfter(usize),
    /// Only this many tests of five find it.
    Doubtful(usize),
}

impl Trend {
    /// Finds the changes of a sequence of finite values.
    pub(crate) fn of(values: &[f64]) -> Self {
        let mut divisions = divisions(values);
        drop_returns(&mut divisions, values);
        let mut trend = Self::default();
        let mut start = 0;
        for (at, division) in divisions.iter().enumerate() {
            let end = divisions.get(at + 1).map_or(values.len(), |next| next.at);
            let parts = (&values[start..division.at], &values[division.at..end]);
            let change = Change::new(division, values.len(), parts);
            trend.changes.push(change);
            trend.add_outliers(start, parts.0);
            start = division.at;
        }
        trend.add_outliers(start, &values[start..]);
        trend
    }

    fn add_outliers(&mut self, start: usize, part: &[f64]) {
        let found = outliers(part);
        self.outliers.extend(found.iter().map(|at| start + at));
    }
}

impl Change {
    /// Judges a change by the runs between it and the neighboring changes. `runs` is the number of
    /// all runs.
    fn new(division: &Division, runs: usize, (before, after): (&[f64], &[f64])) -> Self {
        let missing = MIN_AFTER.saturating_sub(runs - division.at);
        let standing = if division.at < MIN_BEFORE {
            Standing::TooFewBefore
        } else if missing > 0 {
            Standing::TooFewAfter(missing)
        } else {
            let tests = TwoSamples::compare(before, after);
            if tests.is_confirmed() {
                Standing::Confirmed
            } else {
                Standing::Doubtful(tests.confirming())
            }
        };
        Self {
            at: division.at,
            before: division.before,
            after: division.after,
            p: division.p,
            standing,
        }
    }

    /// Returns the change in percent of the mean before it; infinite if that mean is 0.
    pub(crate) fn percent(&self) -> f64 {
        100.0 * (self.after - self.before) / self.before.abs()
    }
}

/// Removes the last divisions if too few runs follow them for a change, and one of these runs is back
/// where the values were before: then the others are outliers.
fn drop_returns(divisions: &mut Vec<Division>, values: &[f64]) {
    let is_late = |division: &Division| values.len() - division.at < MIN_AFTER;
    let Some(late) = divisions.iter().position(is_late) else {
        return;
    };
    let division = &divisions[late];
    let half = (division.after - division.before) / 2.0;
    let lasts = |value: &f64| (value - division.before) * half.signum() >= half.abs();
    if !values[division.at..].iter().all(lasts) {
        divisions.truncate(late);
    }
}

/// Groups changes into events by position. Changes within one run of each other belong to one
/// event, which spans at most three runs. Returns the indices of the changes of each event.
pub(crate) fn events(positions: &[usize]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..positions.len()).collect();
    order.sort_by_key(|at| positions[*at]);
    let mut events: Vec<Vec<usize>> = Vec::new();
    for at in order {
        let belongs = events.last().is_some_and(|event| {
            let last = event.last().map_or(0, |last| positions[*last]);
            positions[at] <= last + 1 && positions[at] <= positions[event[0]] + 2
        });
        match events.last_mut() {
            Some(event) if belongs => event.push(at),
            _ => events.push(vec![at]),
        }
    }
    events
}
