//! Totals that the system keeps for a thread, as series.

use crate::{Unit, backend};

/// A function that fills in the totals of the calling thread, and of anything else that has a
/// series by [`add_thread_total`], by the numbers of the series. A total that it leaves alone is
/// not known. Returns the number of the calling thread, which no other thread ever has; 0 if there
/// is none.
pub type ReadTotals = fn(totals: &mut [f64]) -> u64;

/// Sets the function that reads totals at the end of a frame, on the thread that ends it. There is
/// one: a second call has no effect.
///
/// A recorder calls it while any of these series is watched, peeked at or surveyed, once in a
/// frame. Each recorder takes the difference between two of its own frames, so recorders do not
/// disturb one another. The difference is unknown (NaN) in the first frame, in a frame that ended on
/// another thread than the one before, and while a total is unknown. If totals shrink, it is 0.
///
/// The function runs on the frame path, so it must neither wait nor allocate. It must not call this
/// crate.
// Hidden: it serves `stats-process` alone. Another reader would take its place.
#[doc(hidden)]
pub fn set_thread_totals(read: ReadTotals) {
    backend::set_thread_totals(read);
}

/// Adds a counter whose value is the difference of two totals that [`set_thread_totals`] reads.
/// Returns the number of the total, from 0. The same path always has the same number.
///
/// Returns `None` if the program has registered a series of this path, which is
/// [reported](crate::Problem::ReservedPath), if there is no room, and without the feature `enabled`.
#[doc(hidden)]
pub fn add_thread_total(path: &str, unit: Unit, description: &str) -> Option<usize> {
    backend::add_thread_total(path, unit, description)
}
