//! Statistics of frame times.
//!
//! Tools give different figures the same name, such as `1 % low`. So each figure here has a name that
//! defines it, and one table has all names and definitions, which the overlay and the reports show. All
//! functions are pure: they take the durations of frames in milliseconds.
//!
//! - [`percentiles`]: averages and percentiles, each under a name that defines it.
//! - [`frame_metrics`]: frames over budget, frames over 60 ms and stutter, which an average hides.
//! - [`statistics`]: all of them at once, by the rules in [`rules`].
//! - [`figures`]: their names and definitions; [`table`] prints them.

mod figures;
pub mod frame_metrics;
pub mod percentiles;
mod rules;
mod statistics;
mod table;

pub use figures::{FIGURES, Figure};
pub use rules::FrameRules;
pub use statistics::{FrameAnalyzer, FrameStatistics};
