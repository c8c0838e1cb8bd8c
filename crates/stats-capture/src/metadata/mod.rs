//! The metadata of a capture: everything about its run, its series and its frames except the
//! values.
//!
//! Each type is the content of one JSON document in the file. Unknown fields are ignored, and
//! missing fields get their defaults, so captures of older and newer versions can be read.
//!
//! - [`run`]: the program, the machine, and how the run ended.
//! - [`machine`]: the computer.
//! - [`series`]: the description of a series.
//! - [`marks`]: points and spans.
//! - [`histograms`]: distributions of samples.
//! - [`memory`]: memory by group.
//! - [`lenient`]: reads texts that other programs write as another type.

mod histograms;
mod lenient;
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
pub(crate) use series::{Words, unknown_words};

/// The keys of the documents in the metadata of the file.
pub(crate) const RUN: &str = "stats.run";
pub(crate) const SERIES: &str = "stats.series";
pub(crate) const MARKS: &str = "stats.marks";
pub(crate) const HISTOGRAMS: &str = "stats.histograms";
pub(crate) const MEMORY: &str = "stats.memory";

/// The columns of the clock.
pub(crate) const CLOCK: [&str; 3] = ["frame", "start_ns", "duration_ns"];
