//! The false discovery rate: Benjamini and Hochberg, "Controlling the false discovery rate: a
//! practical and powerful approach to multiple testing", 1995.

use super::sample::sorted;

/// The expected share of false findings among all findings of a family.
pub(crate) const RATE: f64 = 0.05;

/// Returns the largest p-value of a family that is significant at a false discovery rate; `None` if
/// none is. With the m p-values in ascending order, it is the largest p(i) ≤ i · rate / m.
pub(crate) fn threshold(p_values: &[f64], rate: f64) -> Option<f64> {
    let count = p_values.len() as f64;
    sorted(p_values)
        .into_iter()
        .enumerate()
        .rev()
        .find(|(at, p)| *p <= (*at as f64 + 1.0) * rate / count)
        .map(|(_, p)| p)
}
