//! The memory of the statistics themselves, as a memory tracker sees it.

use std::marker::PhantomData;

use crate::backend::{self, Charge};

/// Sets the tracker of the process, which charges memory to the current work of each thread. There
/// is one: a second call has no effect.
///
/// `enter` charges the memory that the calling thread allocates from now on to an owner. `leave`
/// ends it, with the number that `enter` returned. Both are called often, on any thread, and
/// perhaps with locks of this crate held. They must neither allocate from the program's allocator
/// nor call this crate.
// Hidden: it serves `stats-memory` alone. Another tracker would take its place.
#[doc(hidden)]
pub fn set_memory_tracker(enter: fn(owner: &'static str) -> u64, leave: fn(number: u64)) {
    backend::set_memory_tracker(enter, leave);
}

/// Charges the memory that this thread allocates to the statistics, until the returned value is
/// dropped, and not to the part of the game that happens to call them. All crates of this project
/// do so for their own memory. A game does it for memory that only they need, such as a picture for
/// a recording:
///
/// ```
/// # fn read_back() -> Vec<u8> { vec![0; 4] }
/// let pixels = {
///     let _memory = stats_core::own_memory("pictures");
///     read_back()
/// };
/// # drop(pixels);
/// ```
///
/// With `stats-memory`, `owner` is a scope in the group `stats`; entering and leaving it take 3 ns.
/// Without a tracker, or with one that has no tags, this is one load.
#[inline]
pub fn own_memory(owner: &'static str) -> OwnMemory {
    OwnMemory {
        _charge: Charge::begin(owner),
        _not_send: PhantomData,
    }
}

/// Charges the thread's memory to the statistics until it is dropped; see [`own_memory`]. Of size
/// zero without the feature `enabled`.
#[derive(Debug)]
#[must_use = "it ends when this is dropped"]
pub struct OwnMemory {
    _charge: Charge,
    _not_send: PhantomData<*const ()>,
}
