//! The memory of a run, from the series under `memory/`.

use serde::{Deserialize, Serialize};

use super::SeriesRecord;

/// The memory of a run: the document `stats.memory` in a capture. It is computed from the series
/// that [stats-memory](https://crates.io/crates/stats-memory) publishes, if the program uses it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct MemoryRecord {
    /// The peak number of bytes at any time, from the series `memory/peak`.
    pub peak_bytes: Option<f64>,
    /// The groups, in the order in which they were registered.
    pub groups: Vec<GroupRecord>,
}

/// The memory of a group.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct GroupRecord {
    /// The name.
    pub name: String,
    /// The number of bytes at the end of the run.
    pub bytes: f64,
    /// The largest number of bytes at the end of any frame.
    pub peak_bytes: f64,
    /// The budget in bytes; `None` without one.
    pub budget_bytes: Option<f64>,
}

/// The newest and the largest value of a series under `memory/`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryPeaks {
    peak: f64,
    last: f64,
}

impl MemoryPeaks {
    /// Returns `None` for a series that is neither `memory/peak` nor the bytes of a group.
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

/// Returns the name of the group whose bytes a series counts.
fn group_of(path: &str) -> Option<&str> {
    path.strip_prefix("memory/groups/")?.strip_suffix("/total")
}
