//! How the value of a frame is computed from the totals of a series, and where the totals are kept.

use super::frame_clock::FrameClock;
use crate::live::counter::{self, Spot, is_exact};
use crate::live::refusals::{refused_samples, report_inexact};
use crate::live::registry::own_series::{
    CELL_BLOCK_SETS, FPS, FRAME_TIME_SLOT, LATE_DROPPED, PROBLEMS, REFUSED, REGISTERED,
};
use crate::live::registry::{Registry, read_catalog, with_registry};
use crate::live::{histogram, late};
use crate::{SeriesId, SeriesKind};

/// How the value of a frame is read from a series: where its running total, or its level, is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameValue {
    spot: Spot,
    storage: Storage,
    /// Whether a frame's value is the difference of two totals.
    pub(super) is_per_frame: bool,
}

#[derive(Clone, Copy, Debug)]
enum Storage {
    /// One cell in every thread's block.
    Cells,
    /// One cell for all threads.
    Shared,
    /// A number that the core keeps about itself, like the next three.
    Refused,
    Problems,
    Registered,
    CellBlockSets,
    /// The rate of the recorder's own clock.
    FrameRate,
    /// The recorder's own clock.
    Clock,
    LateDropped,
    /// The two series of a histogram, by its number.
    Sum(usize),
    Count(usize),
    /// The value of a frame of this recorder, by the number of its total.
    OfThread(usize),
    /// The longest call of a timer, by the number of the histogram of its calls, or the largest
    /// sample of a histogram. The total is the number of the interval that begins.
    LongestCall(usize),
}

impl FrameValue {
    /// Returns how to read a registered series; `None` if its values are deferred: [`late`] reads
    /// those.
    pub(super) fn of(id: SeriesId) -> Option<Self> {
        let slot = id.number();
        read_catalog(|catalog| {
            let kind = catalog.kind(slot)?;
            let is_late = catalog.is_late(slot);
            Self::of_slot(slot, Some(kind), is_late, catalog.number(slot))
        })
    }

    /// Appends how to read some slots from `from` on, and `None` for those that [`of`](Self::of)
    /// does not read. Returns whether there were any.
    pub(super) fn of_some_slots(from: u32, values: &mut Vec<Option<Self>>) -> bool {
        let next = read_catalog(|catalog| {
            catalog.for_some_slots(from, &mut |slot, kind, is_late, histogram| {
                values.push(Self::of_slot(slot, kind, is_late, histogram));
            })
        });
        next > from
    }

    fn of_slot(slot: u32, kind: Option<SeriesKind>, is_late: bool, number: u16) -> Option<Self> {
        let kind = kind.filter(|_| !is_late)?;
        let number = usize::from(number);
        let storage = match (slot, kind) {
            (REFUSED, _) => Storage::Refused,
            (PROBLEMS, _) => Storage::Problems,
            (REGISTERED, _) => Storage::Registered,
            (CELL_BLOCK_SETS, _) => Storage::CellBlockSets,
            (FPS, _) => Storage::FrameRate,
            (LATE_DROPPED, _) => Storage::LateDropped,
            (FRAME_TIME_SLOT, _) => Storage::Clock,
            (_, SeriesKind::Histogram) => Storage::Sum(number),
            (_, SeriesKind::HistogramSamples) => Storage::Count(number),
            (_, SeriesKind::Gauge) if number > 0 => Storage::LongestCall(number),
            (_, SeriesKind::Gauge) => Storage::Shared,
            (_, SeriesKind::Counter) if number > 0 => Storage::OfThread(number),
            _ => Storage::Cells,
        };
        Some(Self {
            spot: Spot::of(slot),
            storage,
            is_per_frame: match storage {
                // The recorder has taken the difference already.
                Storage::OfThread(_) | Storage::Clock => false,
                Storage::LongestCall(_) => true,
                _ => kind.is_per_frame(),
            },
        })
    }

    /// Returns the current total, for a recorder with this clock; finite, except that the value of
    /// a thread may be unknown (NaN), and so is the frame time before the first frame.
    pub(super) fn total(self, clock: &FrameClock) -> f64 {
        self.total_after(0.0, clock)
    }

    /// Like [`total`](Self::total). The total was `previous` at the end of the last frame.
    #[inline]
    pub(super) fn total_after(self, previous: f64, clock: &FrameClock) -> f64 {
        match self.storage {
            Storage::Cells if self.is_per_frame => self.checked(counter::total(self.spot)),
            Storage::Cells => self.checked(counter::level(self.spot, previous)),
            Storage::Shared => counter::last_set(self.spot),
            Storage::Refused => refused_samples() as f64,
            Storage::Sum(number) => self.checked(histogram::sum(number)),
            Storage::Count(number) => histogram::count(number) as f64,
            Storage::Problems => with_registry(Registry::problem_count) as f64,
            Storage::Registered => with_registry(Registry::listed_count) as f64,
            Storage::CellBlockSets => counter::block_sets(with_registry(Registry::slots)) as f64,
            Storage::FrameRate => clock.frames_per_second(),
            Storage::Clock => clock.newest_ms(),
            Storage::LateDropped => late::dropped_values() as f64,
            Storage::OfThread(number) => clock.thread_totals.value(number),
            // Exact up to 2⁵³.
            Storage::LongestCall(_) => histogram::end_interval() as f64,
        }
    }

    /// Returns a total, and reports it if it is not exact.
    #[inline]
    fn checked(self, total: f64) -> f64 {
        if !is_exact(total) {
            report_inexact(self.spot, None);
        }
        total
    }

    /// Returns whether the clock of a recorder keeps the values.
    pub(super) fn is_in_clock(self) -> bool {
        matches!(self.storage, Storage::Clock)
    }

    /// Returns whether the total is the sum of the series' cells.
    pub(super) fn is_in_cells(self) -> bool {
        matches!(self.storage, Storage::Cells)
    }

    /// Returns whether the total became another one. `value` is that of the frame between them.
    pub(super) fn has_changed(self, previous: f64, now: f64, value: f64) -> bool {
        if let Storage::LongestCall(_) = self.storage {
            return value != 0.0;
        }
        // Two unknown values are the same.
        now != previous && !(now.is_nan() && previous.is_nan())
    }

    /// Returns the value of the frame that began with the total `previous` and ends with `now`;
    /// finite if they are.
    #[inline]
    pub(super) fn between(self, previous: f64, now: f64) -> f64 {
        if let Storage::LongestCall(number) = self.storage {
            histogram::longest_call(number, previous as u64, now as u64)
        } else if self.is_per_frame {
            counter::clamp(now - previous)
        } else {
            now
        }
    }
}
