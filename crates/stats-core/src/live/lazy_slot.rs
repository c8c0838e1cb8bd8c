//! The slot of a static, looked up on first use.

use super::layout::UNREGISTERED;
use super::sync::{AtomicU32, Ordering};

/// The slot in `stored`, found by `register` and stored where there is none yet.
///
/// Several threads may find it at once: `register` gives all of them the same slot, so that it does not matter who stores.
pub(crate) fn resolve(stored: &AtomicU32, register: impl FnOnce() -> u32) -> u32 {
    // Relaxed, here and on the hot path: a slot is a number that says where to look. Nothing is reached through it that
    // another thread wrote: blocks are the thread's own, entries are read under the registry's lock.
    match stored.load(Ordering::Relaxed) {
        UNREGISTERED => {
            let slot = register();
            stored.store(slot, Ordering::Relaxed);
            slot
        }
        slot => slot,
    }
}
