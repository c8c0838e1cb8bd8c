//! What a capture says about its run, its series and its frames, besides the values.
//!
//! Each type is the content of one JSON document in the file. Fields that a reader does not know are
//! ignored, and fields that are missing have their defaults, so that captures of older and newer
//! versions can be read.
//!
//! - [`run`]: what was run, where, and how it ended.
//! - [`machine`]: the computer.
//! - [`series`]: what is known about a series.
//! - [`marks`]: points and spans.
//! - [`histograms`]: distributions of samples.
//! - [`memory`]: groups of memory.

mod histograms;
mod machine;
mod marks;
mod memory;
mod run;
mod series;

pub use histograms::HistogramRecord;
pub use machine::Machine;
pub(crate) use marks::Marks;
pub use marks::{MarkKind, MarkRecord};
pub(crate) use memory::MemoryPeaks;
pub use memory::{GroupRecord, MemoryRecord};
pub(crate) use run::FORMAT;
pub use run::{Cost, Ended, Run};
pub(crate) use series::scale_of;
pub use series::{Better, RecordedKind, SeriesRecord};

/// The keys of the documents in the metadata of the file.
pub(crate) const RUN: &str = "stats.run";
pub(crate) const SERIES: &str = "stats.series";
pub(crate) const MARKS: &str = "stats.marks";
pub(crate) const HISTOGRAMS: &str = "stats.histograms";
pub(crate) const MEMORY: &str = "stats.memory";

/// The columns of the clock.
pub(crate) const CLOCK: [&str; 3] = ["frame", "start_ns", "duration_ns"];
