//! The slot of a static, looked up on first use.

use super::layout::Spot;
use super::sync::{AtomicU32, Ordering};

/// The spot in `stored`, found by `register` and stored where there is none yet.
///
/// Several threads may find it at once: `register` gives all of them the same one, so that it does
/// not matter who stores.
pub(crate) fn resolve(stored: &AtomicU32, register: impl FnOnce() -> Spot) -> Spot {
    // Relaxed, here and on the hot path: a spot is a number that says where to look. Nothing is
    // reached through it that another thread wrote: blocks are the thread's own, entries are read
    // under the registry's lock.
    match Spot::from_bits(stored.load(Ordering::Relaxed)) {
        Spot::UNREGISTERED => {
            let spot = register();
            stored.store(spot.to_bits(), Ordering::Relaxed);
            spot
        }
        spot => spot,
    }
}
