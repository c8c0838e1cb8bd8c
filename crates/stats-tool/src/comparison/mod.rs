//! Compares runs before and after a change: which metrics differ, and how certain that is.
//!
//! - [`finding`]: the test and the verdict of one metric.
//! - [`comparison`](mod@comparison): all metrics, in two families.
//! - [`indication`]: one run against one.
//! - [`contents`], [`json`]: a comparison as text and as JSON.

mod comparison;
mod contents;
mod finding;
mod indication;
mod json;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;

pub(crate) use comparison::{Comparison, Sides, may_fail, unmatched_metrics};
pub(crate) use contents::{change, first_figures, headline, p_text, sections, verdict_sentence};
pub(crate) use finding::{Finding, exceeds};
pub(crate) use json::value;
