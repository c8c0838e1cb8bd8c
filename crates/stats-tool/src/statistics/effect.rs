//! The effect size: how strongly two groups are separated, independent of the unit.

/// Returns Cliff's delta: the share of pairs in which the value of the second group is greater,
/// minus the share in which it is smaller. From −1 to 1; 0 if the groups overlap evenly, or if one
/// is empty.
///
/// Cliff, "Dominance statistics: ordinal analyses to answer ordinal questions", 1993.
pub(crate) fn cliffs_delta(before: &[f64], after: &[f64]) -> f64 {
    let pairs = before.len() * after.len();
    if pairs == 0 {
        return 0.0;
    }
    let sign = |first: &f64, second: &f64| match second.total_cmp(first) {
        _ if first == second => 0,
        std::cmp::Ordering::Greater => 1,
        std::cmp::Ordering::Less => -1,
        std::cmp::Ordering::Equal => 0,
    };
    let balance: i64 = before
        .iter()
        .map(|first| after.iter().map(|second| sign(first, second)).sum::<i64>())
        .sum();
    balance as f64 / pairs as f64
}
