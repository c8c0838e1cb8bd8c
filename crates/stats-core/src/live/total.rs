//! Where the totals of a series are read.

use super::cells;
use super::layout::{PROBLEMS, REFUSED, Spot};
use super::place::{refused_samples, with_registry};
use super::registry::Registry;
use crate::{Kind, SeriesId};

/// Reads the running total of one series, or its level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Total {
    spot: Spot,
    storage: Storage,
    /// Whether a frame's value is the difference of two totals.
    pub(crate) is_per_frame: bool,
}

#[derive(Clone, Copy, Debug)]
enum Storage {
    /// A cell in every thread's block.
    Cells,
    /// One cell for all threads.
    Shared,
    /// The numbers that the core keeps of itself.
    Refused,
    Problems,
}

impl Total {
    /// The total of a registered series.
    pub(crate) fn of(id: SeriesId) -> Option<Self> {
        let slot = id.number();
        let kind = with_registry(|registry| registry.kind(slot))?;
        let storage = match (slot, kind) {
            (REFUSED, _) => Storage::Refused,
            (PROBLEMS, _) => Storage::Problems,
            (_, Kind::Gauge) => Storage::Shared,
            _ => Storage::Cells,
        };
        Some(Self { spot: Spot::of(slot), storage, is_per_frame: kind.is_per_frame() })
    }

    /// The total now; finite.
    #[inline]
    pub(crate) fn now(self) -> f64 {
        match self.storage {
            Storage::Cells => cells::total(self.spot),
            Storage::Shared => cells::last_set(self.spot),
            Storage::Refused => refused_samples() as f64,
            Storage::Problems => with_registry(Registry::problem_count) as f64,
        }
    }

    /// Whether the total is the sum of the series' cells.
    pub(crate) fn is_in_cells(self) -> bool {
        matches!(self.storage, Storage::Cells)
    }

    /// The value of the frame that ends with the total `now` and began with `previous`; finite.
    #[inline]
    pub(crate) fn frame_value(self, now: f64, previous: f64) -> f64 {
        if self.is_per_frame { cells::clamp(now - previous) } else { now }
    }
}
