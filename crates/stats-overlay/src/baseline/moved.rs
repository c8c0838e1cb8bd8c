//! The series whose mean left the band of the baseline.

use std::ops::Range;

use stats_analysis::track::summarize_tracked;
use stats_core::{SeriesId, Source};

use crate::baseline::columns::ColumnReader;
use crate::baseline::marked::MarkedBaseline;
use crate::baseline::saved::BaselineSeries;
use crate::data::allowance::Allowance;
use crate::data::recent::Recent;

/// The minimum change of a mean, relative to the baseline's mean. Rounding can move the mean of
/// equal values out of their band.
const ROUNDING: f64 = 1e-9;

/// The change of a mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Change {
    /// The mean of the baseline.
    pub(crate) from: f64,
    pub(crate) to: f64,
}

impl Change {
    /// Returns the change relative to the mean of the baseline, at least 0; infinite if that is 0.
    pub(crate) fn size(&self) -> f64 {
        (self.to - self.from).abs() / self.from.abs()
    }

    /// Returns the factor between the means; `None` if they do not have the same sign.
    pub(crate) fn factor(&self) -> Option<f64> {
        let factor = self.to / self.from;
        (factor.is_finite() && factor > 0.0).then_some(factor)
    }
}

/// The series in no pane that moved.
#[derive(Debug, Default)]
pub(crate) struct Moved {
    columns: ColumnReader,
    /// The frames whose means are being computed; `None` between two rounds.
    frames: Option<Range<u64>>,
    /// The revision of the baseline that this round compares with.
    revision: u64,
    /// The series found in this round.
    new: Vec<(SeriesId, Change)>,
    /// The series found in the last complete round.
    found: Vec<(SeriesId, Change)>,
}

impl Moved {
    /// Returns the series that moved, with the changes of their means.
    pub(crate) fn found(&self) -> &[(SeriesId, Change)] {
        &self.found
    }

    /// Continues to compare the mean of each series in `frames` with the baseline. Returns whether
    /// all have been compared. The next call begins again, with its own frames.
    pub(crate) fn update(
        &mut self,
        source: &dyn Source,
        baseline: &MarkedBaseline,
        (recent, frames): (&Recent, Range<u64>),
        allowance: &mut Allowance,
    ) -> bool {
        if self.revision != baseline.revision() {
            *self = Self {
                revision: baseline.revision(),
                ..Self::default()
            };
        }
        let Self { columns, new, .. } = self;
        let values = (recent, &*self.frames.get_or_insert(frames));
        let is_done = columns.read(source, values, allowance, |info, window| {
            let marked = baseline.find(info.path, info.unit.symbol());
            let change = marked.and_then(|marked| {
                let summary = summarize_tracked(None, window)?;
                change(summary.mean, marked)
            });
            new.extend(change.map(|change| (info.id, change)));
        });
        if is_done {
            self.frames = None;
            std::mem::swap(&mut self.new, &mut self.found);
            self.new.clear();
        }
        is_done
    }
}

/// Returns the change of a mean; `None` if the mean is within the band of the baseline.
pub(crate) fn change(mean: f64, marked: &BaselineSeries) -> Option<Change> {
    let is_out = mean < marked.p5 || mean > marked.p95;
    let change = Change {
        from: marked.mean,
        to: mean,
    };
    (is_out && change.size() > ROUNDING).then_some(change)
}
