//! Which series moved with another one: Spearman's rank correlation, at lags of up to [`MAX_LAG`]
//! frames.
//!
//! Ranks instead of values, because a cost follows its cause in the same direction and seldom in
//! proportion, and because one large frame must not decide. The frames of the subject are the same at
//! each lag: all but the first and the last [`MAX_LAG`]. The other series is shifted against them,
//! and ranked again at each lag.
//!
//! Few frames, smooth series and many comparisons make chance look like a relation. So each result
//! has a bound for the probability that unrelated series are as similar:
//!
//! - Consecutive frames resemble each other, so *n* frames count as fewer: as *n* divided by
//!   1 + 2 Σ *a*ₖ *b*ₖ, where *a*ₖ and *b*ₖ are the autocorrelations of both series over *k* frames
//!   (Bartlett, 1935). Two series that only rise count as very few, and the
//!   coefficient of *m* frames counts as 1 − 1/*m* at most.
//! - The coefficient *r* of *m* such frames has the deviation *z* = artanh *r* · √((*m* − 3) / 1.06)
//!   (Fieller, Hartley and Pearson, 1957), and both tails of the normal distribution beyond *z* are less
//!   than exp(−*z*² / 2).
//! - The best of all lags is shown, so the bound counts for each of them, and a caller that compares many
//!   series multiplies it by their number; see [`Correlation::chance_of`].
//!
//! - `correlator`: the search for the best lag; `ranks`: ranks of a window.

mod correlator;
mod ranks;
#[cfg(test)]
mod tests;

pub use correlator::{Correlation, Correlator, MAX_FRAMES, MAX_LAG, MIN_FRAMES};
