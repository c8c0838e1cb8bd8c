//! Keeps the core from entering itself.
//!
//! A global allocator may count allocations with this crate. The core allocates while it registers a
//! series or adds a block of cells. The allocator then calls back into the core on the same thread, in
//! the middle of the work, and perhaps under a lock that the thread holds. So each thread has a flag that
//! is set during such work. The slow paths check it and refuse the value.
//!
//! For the same reason, a memory tracker must not charge this work to the part of the game that
//! happens to cause it.

use std::cell::Cell;

use crate::{OwnMemory, own_memory};

/// The owner of the core's memory.
pub(super) const OWNER: &str = "stats-core";

thread_local! {
    /// Whether this thread runs work that may allocate. Has no destructor, so that it works until
    /// the very end of the thread.
    static BUSY: Cell<bool> = const { Cell::new(false) };
}

/// Runs work that may allocate. Returns `None` without running it if this thread is inside such
/// work already.
#[cold]
#[inline(never)]
pub(super) fn guarded<R>(work: impl FnOnce() -> R) -> Option<R> {
    if BUSY.get() {
        return None;
    }
    let _refusal = Refusal::begin();
    Some(work())
}

/// Runs work during which [`guarded`] refuses on this thread. May be nested.
pub(super) fn refusing<R>(work: impl FnOnce() -> R) -> R {
    let _refusal = Refusal::begin();
    work()
}

/// The time of such work. The memory is charged until just before the flag is restored.
struct Refusal {
    _memory: OwnMemory,
    _reset: Reset,
}

impl Refusal {
    fn begin() -> Self {
        let reset = Reset(BUSY.replace(true));
        Self {
            _memory: own_memory(OWNER),
            _reset: reset,
        }
    }
}

/// Restores the flag when work ends, even if a function of the program panics.
struct Reset(bool);

impl Drop for Reset {
    fn drop(&mut self) {
        BUSY.set(self.0);
    }
}
