//! Computes the statistics of the series that are in no pane, over several passes.

use std::ops::Range;

use stats_core::Source;

use crate::baseline::columns::ColumnReader;
use crate::baseline::marked::MAX_MARKED;
use crate::baseline::saved::{BaselineSeries, statistics};
use crate::data::allowance::Allowance;
use crate::data::recent::Recent;

/// Statistics that are being computed.
#[derive(Debug)]
pub(crate) struct Marking {
    /// A copy, so that all series have the same frames.
    recent: Recent,
    frames: Range<u64>,
    columns: ColumnReader,
    series: Vec<BaselineSeries>,
    scratch: Vec<f64>,
}

impl Marking {
    pub(crate) fn new(recent: &Recent, frames: Range<u64>) -> Self {
        Self {
            recent: recent.part(frames.clone()),
            frames,
            columns: ColumnReader::default(),
            series: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Returns the marked frames.
    pub(crate) fn frames(&self) -> Range<u64> {
        self.frames.clone()
    }

    /// Continues. Returns the statistics once all are computed, or the maximum number of them.
    pub(crate) fn proceed(
        &mut self,
        source: &dyn Source,
        allowance: &mut Allowance,
    ) -> Option<Vec<BaselineSeries>> {
        let (series, scratch) = (&mut self.series, &mut self.scratch);
        let values = (&self.recent, &self.frames);
        let is_done = self
            .columns
            .read(source, values, allowance, |info, window| {
                series.extend(statistics(info.path, info.unit, window, scratch));
            });
        (is_done || self.series.len() >= MAX_MARKED).then(|| std::mem::take(&mut self.series))
    }
}
