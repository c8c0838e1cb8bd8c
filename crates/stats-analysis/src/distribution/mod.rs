//! Distributions: how often the values of a series occur.
//!
//! [`ValueStats`] summarizes a set of values. [`Edges`] cuts their range into buckets at round
//! numbers, linearly or logarithmically depending on the [`ValueScale`], and finds the bucket of a
//! value. [`Step`] is a round distance between the labels of an axis.

mod edges;
mod scale;
mod statistics;
mod steps;

pub use edges::Edges;
pub use scale::{Span, Spread, ValueScale};
pub use statistics::{SHARES, ValueStats};
pub use steps::{Step, decimal};
