//! The samples of all histograms since a moment: the beginning of a capture or of a chunk.

use std::collections::HashMap;

use stats_core::{Distribution, SeriesId, for_each_histogram};

use crate::metadata::HistogramRecord;

/// The samples of all histograms since [`Samples::begin`].
#[derive(Debug)]
pub(super) struct Samples {
    /// The samples recorded earlier, which do not count.
    before: HashMap<SeriesId, Distribution>,
}

impl Samples {
    /// Counts only samples recorded from now on.
    pub(super) fn begin() -> Self {
        let mut before = HashMap::new();
        for_each_histogram(|info, samples| {
            if !samples.is_empty() {
                before.insert(info.id, samples);
            }
        });
        Self { before }
    }

    /// Returns the histograms that have samples.
    pub(super) fn records(&self) -> Vec<HistogramRecord> {
        let mut records = Vec::new();
        for_each_histogram(|info, samples| {
            let samples = match self.before.get(&info.id) {
                Some(before) => samples.since(before),
                None => samples,
            };
            records.extend(HistogramRecord::of(info.path, &samples));
        });
        records
    }
}
