//! Groups of memory, from the series under `memory/`.

use serde::{Deserialize, Serialize};

use super::SeriesRecord;

/// The memory of a run: the document `stats.memory` of a capture. It follows from the series that
/// [stats-memory](https://crates.io/crates/stats-memory) publishes, if the program uses it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct MemoryRecord {
    /// The most bytes held at any time, from the series `memory/peak`.
    pub peak_bytes: Option<f64>,
    /// The groups, in the order in which they were registered.
    pub groups: Vec<GroupRecord>,
}

/// A group of memory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct GroupRecord {
    /// The name.
    pub name: String,
    /// The bytes that it held at the end of the run.
    pub bytes: f64,
    /// The most bytes that it held at the end of any frame.
    pub peak_bytes: f64,
    /// The bytes that it may hold.
    pub budget_bytes: Option<f64>,
}

/// What is needed of the values of one series under `memory/`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryPeaks {
    peak: f64,
    last: f64,
}

impl MemoryPeaks {
    /// Returns `None` for a series that says nothing about a group or the whole.
    pub(crate) fn of(path: &str) -> Option<Self> {
        let is_wanted = path == "memory/peak" || group_of(path).is_some();
        is_wanted.then_some(Self {
            peak: 0.0,
            last: 0.0,
        })
    }

    pub(crate) fn take(&mut self, value: f64) {
        self.peak = self.peak.max(value);
        self.last = value;
    }
}

impl MemoryRecord {
    /// Returns the record of all series, each with its peaks.
    pub(crate) fn of(series: &[SeriesRecord], peaks: &[Option<MemoryPeaks>]) -> Self {
        let mut record = Self::default();
        for (series, peaks) in series.iter().zip(peaks) {
            let Some(peaks) = peaks else { continue };
            match group_of(&series.path) {
                Some(name) => record.groups.push(GroupRecord {
                    name: name.to_owned(),
                    bytes: peaks.last,
                    peak_bytes: peaks.peak,
                    budget_bytes: series.budget,
                }),
                None => record.peak_bytes = Some(peaks.peak),
            }
        }
        record
    }
}

/// Returns the name of the group whose bytes a series has.
fn group_of(path: &str) -> Option<&str> {
    path.strip_prefix("memory/groups/")?.strip_suffix("/total")
}
