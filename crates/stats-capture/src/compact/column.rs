//! The numbers of one column, from all batches of a row group.

use crate::journal::{Batch, Journal};
use crate::metadata::{MemoryPeaks, scale_of};

/// The numbers of a column in the form that Parquet expects: the known values, and for each row
/// whether it has one.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    pub(super) whole: Vec<i64>,
    pub(super) double: Vec<f64>,
    /// Parquet's definition levels: 1 for a row with a number, 0 for a null.
    pub(super) levels: Vec<i16>,
}

impl Numbers {
    /// Replaces the content with a column of the clock.
    pub(super) fn take_clock(&mut self, journal: &Journal, batches: &[Batch], column: usize) {
        self.whole.clear();
        let origin = journal.origin(column);
        for cells in batches.iter().filter_map(|batch| batch.clock(column)) {
            let bits = cells.iter().map(Option::unwrap_or_default);
            let numbers = bits.map(|bits| (bits as i64).saturating_sub(origin));
            self.whole.extend(numbers);
        }
    }

    /// Replaces the content with a series: with whole numbers if it has no others in the journal.
    pub(super) fn take_series(
        &mut self,
        journal: &Journal,
        batches: &[Batch],
        series: usize,
        peaks: Option<&mut MemoryPeaks>,
    ) {
        self.whole.clear();
        self.double.clear();
        self.levels.clear();
        let are_whole = journal.is_whole(series);
        let kind = journal.series[series].kind;
        let mut peaks = peaks;
        for batch in batches {
            let Some((cells, is_whole)) = journal.cells(batch, series) else {
                // The series did not exist yet, or its numbers are damaged.
                self.levels.resize(self.levels.len() + batch.rows(), 0);
                continue;
            };
            let scale = scale_of(kind, is_whole);
            for bits in cells.iter() {
                self.levels.push(i16::from(bits.is_some()));
                let Some(bits) = bits else { continue };
                let number = bits as i64;
                let value = if is_whole {
                    number as f64 * scale
                } else {
                    f64::from_bits(bits)
                };
                if let Some(peaks) = &mut peaks {
                    peaks.take(value);
                }
                if are_whole {
                    self.whole.push(number);
                } else {
                    self.double.push(value);
                }
            }
        }
    }
}
