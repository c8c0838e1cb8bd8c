//! Runs before and after a change: which metrics differ, and how certain that is.
//!
//! - [`finding`]: what is known about one metric.
//! - [`comparison`](mod@comparison): all metrics, in two families.
//! - [`indication`]: one run against one.
//! - [`contents`], [`json`]: how it is written.

mod comparison;
mod contents;
mod finding;
mod indication;
mod json;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;

pub(crate) use comparison::{Comparison, Sides, may_fail};
pub(crate) use contents::{change, p_text, sections, verdict_sentence};
pub(crate) use finding::Finding;
pub(crate) use json::value;
