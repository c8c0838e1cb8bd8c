//! The memory of the statistics themselves, as a memory tracker sees it.

use std::marker::PhantomData;
use std::sync::OnceLock;

/// The functions of a tracker that charges memory to the current work of each thread.
/// `stats-memory` is one.
///
/// Both are called often, on any thread, and perhaps with locks of this crate held. They must
/// neither allocate from the program's allocator nor call this crate.
#[derive(Clone, Copy, Debug)]
pub struct MemoryTracker {
    /// Charges the memory that this thread allocates from now on to an owner. Returns a number for
    /// `leave`.
    pub enter: fn(owner: &'static str) -> u64,
    /// Ends what `enter` returned the number of.
    pub leave: fn(number: u64),
}

static TRACKER: OnceLock<MemoryTracker> = OnceLock::new();

/// Sets the tracker of the process. There is one: a second call has no effect.
pub fn set_memory_tracker(tracker: MemoryTracker) {
    if crate::ENABLED {
        let _ = TRACKER.set(tracker);
    }
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
/// With `stats-memory`, `owner` is a scope in the group `stats`. Without a tracker, this is one load.
#[inline]
pub fn own_memory(owner: &'static str) -> OwnMemory {
    let tracker = if crate::ENABLED { TRACKER.get() } else { None };
    OwnMemory {
        entered: tracker.map(|tracker| (tracker, (tracker.enter)(owner))),
        _not_send: PhantomData,
    }
}

/// Charges the thread's memory to the statistics until it is dropped; see [`own_memory`].
#[derive(Debug)]
#[must_use = "it ends when this is dropped"]
pub struct OwnMemory {
    entered: Option<(&'static MemoryTracker, u64)>,
    _not_send: PhantomData<*const ()>,
}

impl Drop for OwnMemory {
    #[inline]
    fn drop(&mut self) {
        if let Some((tracker, number)) = self.entered {
            (tracker.leave)(number);
        }
    }
}
