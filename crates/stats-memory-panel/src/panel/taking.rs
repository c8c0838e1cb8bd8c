//! Takes a snapshot of this program on another thread.

use std::io;

use super::dump_function::{DumpFunction, panic_text};
use super::facets::Facets;
use crate::snapshot::{MemorySnapshot, SnapshotWriter};
use stats_ui::job::Job;

/// A snapshot that is being taken.
#[derive(Debug)]
pub(super) struct Taking {
    job: Job<io::Result<(MemorySnapshot, Facets)>>,
    purpose: Purpose,
    /// The age of the panel when it was started.
    at_secs: f64,
}

/// What to do with a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Show it.
    Show,
    /// Compare it with the snapshot on screen.
    Compare,
    /// Keep it under the mark at which it was taken.
    Keep(String),
}

/// A snapshot that was taken.
#[derive(Debug)]
pub(super) struct TakenSnapshot {
    /// The age of the panel when the snapshot was started, as `12:04`.
    pub(super) name: String,
    pub(super) snapshot: MemorySnapshot,
    pub(super) facets: Facets,
    pub(super) purpose: Purpose,
}

impl Taking {
    /// Starts taking a snapshot. Its completion requests no repaint: games draw every frame anyway,
    /// and other programs poll.
    pub(super) fn start(dump: &DumpFunction, purpose: Purpose, at_secs: f64) -> Self {
        let dump = dump.clone();
        let job = Job::start(None, move || {
            let _memory = stats_core::own_memory("stats-memory-panel");
            let mut writer = SnapshotWriter::new();
            dump(&mut writer)?;
            let snapshot = writer.finish();
            let facets = Facets::of(&snapshot);
            Ok((snapshot, facets))
        });
        Self {
            job,
            purpose,
            at_secs,
        }
    }

    /// Returns the snapshot, or a message that says why it failed. The result is returned once.
    /// `None` while the snapshot is being taken.
    pub(super) fn poll(&self) -> Option<Result<TakenSnapshot, String>> {
        Some(match self.job.poll()? {
            Ok(Ok((snapshot, facets))) => {
                let at_secs = self.at_secs as u64;
                Ok(TakenSnapshot {
                    name: format!("{}:{:02}", at_secs / 60, at_secs % 60),
                    snapshot,
                    facets,
                    purpose: self.purpose.clone(),
                })
            }
            Ok(Err(error)) => Err(format!(
                "No snapshot: the dump could not be written: {error}"
            )),
            Err(panicked) => Err(format!("No snapshot: {}", panic_text(&panicked))),
        })
    }
}
