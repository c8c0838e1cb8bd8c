//! What frame times reveal about how a game runs.
//!
//! - [`percentiles`]: averages and percentiles, each under a name that defines it.
//! - [`frame_metrics`]: what an average hides: spikes, hitches, stutter.
//! - [`statistics`]: all of them at once, by the rules in [`rules`]; [`table`] prints them.

pub mod frame_metrics;
pub mod percentiles;
mod rules;
mod statistics;
mod table;

pub use rules::FrameRules;
pub use statistics::{FrameAnalyzer, FrameStatistics};
