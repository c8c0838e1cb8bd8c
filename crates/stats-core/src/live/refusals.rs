//! What can go wrong with a value after its series is registered: refused values, inexact totals,
//! and scopes that are not ended. The first of each series is reported as a problem.
//!
//! A refused value is reported with its source line. The recording functions are `#[track_caller]`
//! and inlined, so the location is a constant that only the cold path loads.

use std::panic::Location;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::counter::{SINK, Spot};
use super::reentrancy::guarded;
use super::registry::change_catalog;

/// The maximum number of series that are reported for one reason. The first few are enough to find
/// the cause.
const MAX_REPORTED: usize = 64;

/// The number of refused values. Not a cell, because a value may be refused when there is no cell.
static REFUSED_SAMPLES: AtomicU64 = AtomicU64::new(0);

/// The series that refused a value.
static REFUSING: Reported = Reported::none();

/// The series whose total left the exact range.
static INEXACT: Reported = Reported::none();

/// The timers whose scopes took entries on a stack of open scopes for good.
static OPEN_SCOPES: Reported = Reported::none();

/// The slots of the series that are reported for one reason; [`SINK`] in free places.
struct Reported([AtomicU32; MAX_REPORTED]);

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
    REFUSING.report(spot.slot(), |slot| {
        change_catalog(|catalog| catalog.report_refused(slot, location));
    });
}

/// Reports the first time that the total of a series is not exact, as a problem. Takes a lock only
/// for that report. A reader of totals does not know the `location` of the add.
#[cold]
#[inline(never)]
pub(super) fn report_inexact(spot: Spot, location: Option<&'static Location<'static>>) {
    INEXACT.report(spot.slot(), |slot| {
        change_catalog(|catalog| catalog.report_inexact(slot, location));
    });
}

/// Reports the first scope of a timer that gave up its entry on the stack of open scopes, as a
/// problem. Takes a lock only for that report.
#[cold]
#[inline(never)]
pub(super) fn report_open_scope(spot: Spot) {
    OPEN_SCOPES.report(spot.slot(), |slot| {
        change_catalog(|catalog| catalog.report_open_scope(slot));
    });
}

/// Returns the number of refused values.
pub(super) fn refused_samples() -> u64 {
    // Relaxed: as in `refuse`.
    REFUSED_SAMPLES.load(Ordering::Relaxed)
}

impl Reported {
    const fn none() -> Self {
        Self([const { AtomicU32::new(SINK) }; MAX_REPORTED])
    }

    /// Calls `report` with a slot for the first time that it is reported.
    fn report(&self, slot: u32, report: impl FnOnce(u32)) {
        guarded(|| {
            if self.claim(slot) {
                report(slot);
            }
        });
    }

    /// Claims a place for a slot. Returns `false` if it has one, if all are taken, and for
    /// [`SINK`].
    fn claim(&self, slot: u32) -> bool {
        for place in &self.0 {
            // Relaxed: the slot is all that a place contains.
            match place.compare_exchange(SINK, slot, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return slot != SINK,
                Err(taken) if taken == slot => return false,
                Err(_) => {}
            }
        }
        false
    }
}
