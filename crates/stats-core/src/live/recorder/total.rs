//! Reads the total of one series, wherever it is kept.

use super::frame_clock::FrameClock;
use crate::live::counter::{self, Spot};
use crate::live::reentrancy::refused_samples;
use crate::live::registry::own_series::{
    CELL_BLOCK_SETS, FPS, LATE_DROPPED, PROBLEMS, REFUSED, REGISTERED,
};
use crate::live::registry::{Registry, with_registry};
use crate::live::{histogram, late};
use crate::{SeriesId, SeriesKind};

/// The place of a series' running total, or of its level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Total {
    spot: Spot,
    storage: Storage,
    /// Whether a frame's value is the difference of two totals.
    pub(crate) is_per_frame: bool,
}

#[derive(Clone, Copy, Debug)]
enum Storage {
    /// One cell in every thread's block.
    Cells,
    /// One cell for all threads.
    Shared,
    /// Numbers that the core keeps about itself.
    Refused,
    Problems,
    Registered,
    CellBlockSets,
    /// The rate of the recorder's own clock.
    FrameRate,
    LateDropped,
    /// The two series of a histogram, by its number.
    Sum(usize),
    Count(usize),
}

impl Total {
    /// Returns the total of a registered series; `None` if its values are deferred: [`late`] reads
    /// those.
    pub(crate) fn of(id: SeriesId) -> Option<Self> {
        let slot = id.number();
        with_registry(|registry| {
            let kind = registry.kind(slot)?;
            let is_late = registry.is_late(slot);
            Self::of_slot(slot, Some(kind), is_late, registry.histogram(slot))
        })
    }

    /// Appends the totals of some slots from `from` on, and `None` for slots without one. Returns
    /// whether there were any.
    pub(crate) fn of_some_slots(from: u32, totals: &mut Vec<Option<Self>>) -> bool {
        let next = with_registry(|registry| {
            registry.for_some_slots(from, &mut |slot, kind, is_late, histogram| {
                totals.push(Self::of_slot(slot, kind, is_late, histogram));
            })
        });
        next > from
    }

    fn of_slot(slot: u32, kind: Option<SeriesKind>, is_late: bool, histogram: u16) -> Option<Self> {
        let kind = kind.filter(|_| !is_late)?;
        let number = usize::from(histogram);
        let storage = match (slot, kind) {
            (REFUSED, _) => Storage::Refused,
            (PROBLEMS, _) => Storage::Problems,
            (REGISTERED, _) => Storage::Registered,
            (CELL_BLOCK_SETS, _) => Storage::CellBlockSets,
            (FPS, _) => Storage::FrameRate,
            (LATE_DROPPED, _) => Storage::LateDropped,
            (_, SeriesKind::Histogram) => Storage::Sum(number),
            (_, SeriesKind::TimerCalls) if number > 0 => Storage::Count(number),
            (_, SeriesKind::Gauge) => Storage::Shared,
            _ => Storage::Cells,
        };
        Some(Self {
            spot: Spot::of(slot),
            storage,
            is_per_frame: kind.is_per_frame(),
        })
    }

    /// Returns the total now, for a recorder with this clock; always finite.
    #[inline]
    pub(crate) fn now(self, clock: &FrameClock) -> f64 {
        match self.storage {
            Storage::Cells => counter::total(self.spot),
            Storage::Shared => counter::last_set(self.spot),
            Storage::Refused => refused_samples() as f64,
            Storage::Sum(number) => histogram::sum(number),
            Storage::Count(number) => histogram::count(number) as f64,
            Storage::Problems => with_registry(Registry::problem_count) as f64,
            Storage::Registered => with_registry(Registry::listed_count) as f64,
            Storage::CellBlockSets => counter::block_sets(with_registry(Registry::slots)) as f64,
            Storage::FrameRate => clock.frames_per_second(),
            Storage::LateDropped => late::dropped_values() as f64,
        }
    }

    /// Returns whether the total is the sum of the series' cells.
    pub(crate) fn is_in_cells(self) -> bool {
        matches!(self.storage, Storage::Cells)
    }

    /// Returns the value of the frame that ends with the total `now` and began with `previous`;
    /// always finite.
    #[inline]
    pub(crate) fn frame_value(self, now: f64, previous: f64) -> f64 {
        if self.is_per_frame {
            counter::clamp(now - previous)
        } else {
            now
        }
    }
}
