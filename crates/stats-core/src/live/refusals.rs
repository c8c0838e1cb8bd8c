//! Refused values: how many there were, and where each series first refused one.

use std::panic::Location;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::counter::{SINK, Spot};
use super::reentrancy::guarded;
use super::registry::with_registry;

/// The maximum number of series that are reported. The first few are enough to find the cause.
const MAX_REPORTED: usize = 64;

/// The number of refused values. Not a cell, because a value may be refused when there is no cell.
static REFUSED_SAMPLES: AtomicU64 = AtomicU64::new(0);

/// The slots of the series that are reported; [`SINK`] in free places.
static REPORTED: [AtomicU32; MAX_REPORTED] = [const { AtomicU32::new(SINK) }; MAX_REPORTED];

/// Counts a value that was refused because it had no series or no cell.
#[cold]
#[inline(never)]
pub(super) fn refuse() {
    // Relaxed: the number orders nothing else. `fetch_add`, so that no refusal is lost.
    REFUSED_SAMPLES.fetch_add(1, Ordering::Relaxed);
}

/// Counts a refused value, and reports the first one of its series as a problem.
///
/// Takes a lock only for that report. Inside the core's own allocations nothing is reported: values
/// are refused there by design.
#[cold]
#[inline(never)]
pub(super) fn refuse_at(spot: Spot, location: &'static Location<'static>) {
    refuse();
    guarded(|| {
        if claim(spot.slot()) {
            with_registry(|registry| registry.report_refused(spot.slot(), location));
        }
    });
}

/// Returns the number of refused values.
pub(super) fn refused_samples() -> u64 {
    // Relaxed: as in `refuse`.
    REFUSED_SAMPLES.load(Ordering::Relaxed)
}

/// Claims a place for a slot. Returns `false` if it has one, if all are taken, and for [`SINK`].
fn claim(slot: u32) -> bool {
    for place in &REPORTED {
        // Relaxed: the slot is all that a place contains.
        match place.compare_exchange(SINK, slot, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return slot != SINK,
            Err(taken) if taken == slot => return false,
            Err(_) => {}
        }
    }
    false
}
