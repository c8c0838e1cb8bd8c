//! The current totals of the process and its groups.

use super::counts::{self, Sum};
use super::{header, own, tags};
use crate::Totals;

/// Returns the current totals of the process. Takes microseconds, because it reads the totals of
/// all threads.
#[must_use]
pub fn totals() -> Totals {
    totals_of(&counts::total())
}

pub(super) fn totals_of(sum: &Sum) -> Totals {
    let (peak_bytes, peak_allocations) = counts::peaks(sum);
    Totals {
        bytes: held(sum.live_bytes()),
        allocations: held(sum.live()),
        allocated_bytes: sum.bytes,
        allocations_made: sum.allocations,
        peak_bytes: held(peak_bytes),
        peak_allocations: held(peak_allocations),
        overhead_bytes: own::taken() as u64 + header::header_bytes() * held(sum.live()),
    }
}

/// Restarts [`Totals::peak_bytes`] and [`Totals::peak_allocations`] from the current totals: for
/// the peak of a level, for example.
pub fn reset_peak() {
    counts::reset_peaks();
}

/// Returns the budget of a group, by its number. `None` without one, or in a mode that has no
/// groups.
pub(crate) fn budget_bytes(group: u32) -> Option<u64> {
    tags::budget_bytes(group).filter(|_| header::knows_groups())
}

/// Returns the live bytes of a group.
pub(crate) fn held_bytes(group: u32) -> u64 {
    let mut bytes = 0;
    for tag in (0..tags::count() as u32).filter(|tag| tags::group(*tag) == group) {
        bytes += counts::of_tag(tag).live_bytes();
    }
    held(bytes)
}

/// Returns 0 for a negative number, which a reader may see for a moment while two threads work.
pub(super) fn held(number: i64) -> u64 {
    number.max(0) as u64
}
