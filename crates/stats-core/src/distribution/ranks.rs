//! Percentiles of values that are given in ascending order, each with the number of times it
//! occurs.
//!
//! A sorted slice is such a sequence, with each value once; so are the buckets of a distribution.

/// The relative error that rounding may cause in a share: 95 % of 20 frames are 19 frames, even if
/// the product of the floats is slightly more.
const ROUNDING: f64 = 1e-12;

/// Gives each value of a sorted slice the weight 1.
pub(crate) fn weighted(sorted: &[f64]) -> impl DoubleEndedIterator<Item = (f64, u64)> + Clone + '_ {
    sorted.iter().map(|ms| (*ms, 1))
}

/// Returns `percent` of `count` values as a number of values: rounded up, at least 1, and at most
/// `count`.
pub(crate) fn share(count: u64, percent: f64) -> u64 {
    let exact = count as f64 * percent.clamp(0.0, 100.0) / 100.0;
    ((exact * (1.0 - ROUNDING)).ceil() as u64).clamp(1, count.max(1))
}

/// Returns the smallest value that at least `percent` of the `count` values do not exceed: the
/// nearest rank.
pub(crate) fn by_rank(
    values: impl Iterator<Item = (f64, u64)>,
    count: u64,
    percent: f64,
) -> Option<f64> {
    let rank = share(count, percent);
    let mut seen = 0;
    values
        .into_iter()
        .find(|(_, count)| {
            seen += count;
            seen >= rank
        })
        .map(|(value, _)| value)
}

/// Returns the shortest time such that the times no longer than it make up at least `percent` of
/// their sum.
pub(crate) fn by_time(
    values: impl DoubleEndedIterator<Item = (f64, u64)> + Clone,
    percent: f64,
) -> Option<f64> {
    let slowest = values.clone().next_back()?.0;
    let total = total_ms(values.clone());
    if total <= 0.0 {
        return None;
    }
    let wanted = total * percent.clamp(0.0, 100.0) / 100.0 * (1.0 - ROUNDING);
    let mut filled = 0.0;
    let found = values.into_iter().find(|(ms, count)| {
        filled += ms * *count as f64;
        filled >= wanted
    });
    // Only rounding can leave the sum below the total. The result is then the slowest frame.
    Some(found.map_or(slowest, |(ms, _)| ms))
}

/// Returns the rate during the slowest `percent` of `count` values, per second.
pub(crate) fn slowest(
    values: impl DoubleEndedIterator<Item = (f64, u64)>,
    count: u64,
    percent: f64,
) -> Option<f64> {
    let wanted = share(count, percent);
    let (mut left, mut total_ms) = (wanted, 0.0);
    for (ms, count) in values.rev() {
        let taken = count.min(left);
        total_ms += ms * taken as f64;
        left -= taken;
        if left == 0 {
            break;
        }
    }
    per_second(wanted - left, total_ms)
}

pub(crate) fn total_count(values: impl Iterator<Item = (f64, u64)>) -> u64 {
    values.map(|(_, count)| count).sum()
}

/// Returns the sum of the values.
pub(crate) fn total_ms(values: impl Iterator<Item = (f64, u64)>) -> f64 {
    values.map(|(ms, count)| ms * count as f64).sum()
}

/// Returns `count` divided by a time, per second; `None` if no time passed.
pub(crate) fn per_second(count: u64, total_ms: f64) -> Option<f64> {
    (total_ms > 0.0).then(|| 1e3 * count as f64 / total_ms)
}
