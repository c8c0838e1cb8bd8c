//! The current totals of the process and its groups.

use super::{counts, header, own, tags};
use crate::Totals;

/// Returns the current totals of the process. Takes microseconds, because it reads the totals of
/// all threads.
#[must_use]
pub fn totals() -> Totals {
    totals_of(counts::made())
}

/// Returns the current totals, given the allocations ever made and their bytes.
pub(super) fn totals_of((allocations_made, allocated_bytes): (u64, u64)) -> Totals {
    let (live, peak) = counts::live_and_peaks();
    Totals {
        bytes: held(live.bytes),
        allocations: held(live.allocations),
        allocated_bytes,
        allocations_made,
        peak_bytes: held(peak.bytes),
        peak_allocations: held(peak.allocations),
        overhead_bytes: own::taken() as u64 + header::header_bytes() * held(live.allocations),
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

/// Returns the live bytes of a group, as exact as [`Totals::bytes`].
pub(crate) fn held_bytes(group: u32) -> u64 {
    held(counts::live_bytes_of(group))
}

/// Returns 0 for a negative number, which a reader may see while other threads work.
pub(super) fn held(number: i64) -> u64 {
    number.max(0) as u64
}
