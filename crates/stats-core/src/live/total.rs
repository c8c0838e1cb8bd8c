//! Where the totals of a series are read.

use super::cells;
use super::frame_clock::FrameClock;
use super::late;
use super::layout::Spot;
use super::own_series::{FPS, LATE_DROPPED, PROBLEMS, REFUSED, REGISTERED, THREAD_SETS};
use super::place::{refused_samples, with_registry};
use super::registry::Registry;
use super::shards;
use crate::{SeriesId, SeriesKind};

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
    Registered,
    ThreadSets,
    /// The rate of the recorder's own clock.
    FrameRate,
    LateDropped,
    /// The parts of a histogram, by its number.
    Sum(usize),
    Count(usize),
}

impl Total {
    /// The total of a registered series; `None` of late values, which have none: they are read by
    /// [`late`].
    pub(crate) fn of(id: SeriesId) -> Option<Self> {
        let slot = id.number();
        let kind =
            with_registry(|registry| registry.kind(slot).filter(|_| !registry.is_late(slot)))?;
        let histogram = usize::from(with_registry(|registry| registry.histogram(slot)));
        let storage = match (slot, kind) {
            (REFUSED, _) => Storage::Refused,
            (PROBLEMS, _) => Storage::Problems,
            (REGISTERED, _) => Storage::Registered,
            (THREAD_SETS, _) => Storage::ThreadSets,
            (FPS, _) => Storage::FrameRate,
            (LATE_DROPPED, _) => Storage::LateDropped,
            (_, SeriesKind::Histogram) => Storage::Sum(histogram),
            (_, SeriesKind::TimerCalls) if histogram > 0 => Storage::Count(histogram),
            (_, SeriesKind::Gauge) => Storage::Shared,
            _ => Storage::Cells,
        };
        Some(Self {
            spot: Spot::of(slot),
            storage,
            is_per_frame: kind.is_per_frame(),
        })
    }

    /// The total now, for a recorder with this clock; finite.
    #[inline]
    pub(crate) fn now(self, clock: &FrameClock) -> f64 {
        match self.storage {
            Storage::Cells => cells::total(self.spot),
            Storage::Shared => cells::last_set(self.spot),
            Storage::Refused => refused_samples() as f64,
            Storage::Sum(histogram) => shards::sum(histogram),
            Storage::Count(histogram) => shards::count(histogram) as f64,
            Storage::Problems => with_registry(Registry::problem_count) as f64,
            Storage::Registered => with_registry(Registry::listed_count) as f64,
            Storage::ThreadSets => cells::block_sets(with_registry(Registry::slots)) as f64,
            Storage::FrameRate => clock.frames_per_second(),
            Storage::LateDropped => late::dropped_values() as f64,
        }
    }

    /// Whether the total is the sum of the series' cells.
    pub(crate) fn is_in_cells(self) -> bool {
        matches!(self.storage, Storage::Cells)
    }

    /// The value of the frame that ends with the total `now` and began with `previous`; finite.
    #[inline]
    pub(crate) fn frame_value(self, now: f64, previous: f64) -> f64 {
        if self.is_per_frame {
            cells::clamp(now - previous)
        } else {
            now
        }
    }
}
