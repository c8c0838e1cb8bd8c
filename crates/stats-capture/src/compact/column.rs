//! The numbers of one column, from all batches of a row group.

use stats_core::Frame;

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

    /// Replaces the content with a column of the clock, by its position in
    /// [`CLOCK`](crate::metadata::CLOCK).
    pub(super) fn take_frames(&mut self, frames: &[Frame], column: usize) {
        self.whole.clear();
        self.whole.extend(frames.iter().map(|frame| match column {
            0 => frame.index as i64,
            1 => (frame.start_secs * 1e9).round() as i64,
            _ => (frame.duration_ms * 1e6).round() as i64,
        }));
    }

    /// Replaces the content with values; NaN for null.
    pub(super) fn take_values(&mut self, values: &[f64], are_whole: bool) {
        self.whole.clear();
        self.double.clear();
        self.levels.clear();
        let levels = values.iter().map(|value| i16::from(!value.is_nan()));
        self.levels.extend(levels);
        let known = values.iter().copied().filter(|value| !value.is_nan());
        if are_whole {
            self.whole.extend(known.map(|value| value as i64));
        } else {
            self.double.extend(known);
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
