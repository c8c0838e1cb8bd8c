//! Reads the recent values of all series, one series after the other, over several passes.

use std::ops::Range;

use stats_core::source::Listed;
use stats_core::{FrameSlice, SeriesInfo, Source};

use crate::data::allowance::Allowance;
use crate::data::listing::{going_on, list_or_all};
use crate::data::recent::{Columns, GROUP, Recent};

/// The number of ids that are read at once: those of a group.
const PART: u32 = GROUP as u32;
/// The number of values that are read and sorted in the time of one unit.
const VALUES_PER_UNIT: usize = 32;

/// The position of a reader in the listing of a source.
#[derive(Debug, Default)]
pub(super) struct ColumnReader {
    /// The number of the next id.
    next: u32,
    /// The values of one series.
    values: Vec<f64>,
    columns: Columns,
}

impl ColumnReader {
    /// Calls `visit` with each of the next available series and its values in `frames`, until the
    /// allowance is used up. Returns whether the end of the listing was reached; the next call then
    /// begins again.
    pub(super) fn read(
        &mut self,
        source: &dyn Source,
        (recent, frames): (&Recent, &Range<u64>),
        allowance: &mut Allowance,
        mut visit: impl FnMut(&SeriesInfo<'_>, FrameSlice<'_>),
    ) -> bool {
        let Self {
            next,
            values,
            columns,
        } = self;
        columns.forget();
        while allowance.has_left() {
            let mut units = 1;
            let take = |info: SeriesInfo<'_>| {
                if info.unavailable.is_none() {
                    values.clear();
                    let column = columns.of(recent, info.id.number(), frames.clone());
                    values.extend(column.map(|(_, value)| value));
                    units += 1 + values.len() / VALUES_PER_UNIT;
                    visit(&info, FrameSlice::new(frames.start, values, &[]));
                }
            };
            let part = Listed::Numbers(*next..next.saturating_add(PART));
            let end = list_or_all(source, part, &mut going_on(take));
            *next = next.saturating_add(PART);
            if end.is_none_or(|end| *next >= end) {
                *next = 0;
                return true;
            }
            allowance.spend(units);
        }
        false
    }
}
