//! The slot of a `static`, looked up on first use.

use super::layout::Spot;
use crate::live::sync::{AtomicU32, Ordering};

/// Returns the spot in `stored`. If there is none yet, calls `register` for it and stores it.
///
/// Several threads may do so at once. `register` returns the same spot to all of them, so it does
/// not matter whose store comes last.
pub(crate) fn resolve(stored: &AtomicU32, register: impl FnOnce() -> Spot) -> Spot {
    // Relaxed, here and on the hot path: a spot only says where to look, and leads to nothing that
    // another thread wrote. Blocks are the thread's own, and entries of the registry are read
    // under its lock.
    match Spot::from_bits(stored.load(Ordering::Relaxed)) {
        Spot::UNREGISTERED => {
            let spot = register();
            stored.store(spot.to_bits(), Ordering::Relaxed);
            spot
        }
        spot => spot,
    }
}
