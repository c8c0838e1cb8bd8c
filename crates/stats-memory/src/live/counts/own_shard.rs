//! The shard of the current thread.

use std::cell::Cell;
use std::sync::atomic::Ordering;

use super::shard::{self, Shard};
use crate::live::thread_names;

/// Releases the thread's shard when the thread ends.
struct Guard;

// The first two have no destructor, so that reaching them needs no check and works until the very
// end of the thread. They are two variables instead of one struct, because `with` and the closure
// it calls would not be inlined.
thread_local! {
    static SHARD: Cell<Option<&'static Shard>> = const { Cell::new(None) };
    /// Whether the thread has released its shard, in the destructors of its thread-locals.
    static IS_GONE: Cell<bool> = const { Cell::new(false) };
    static GUARD: Guard = const { Guard };
}

impl Drop for Guard {
    fn drop(&mut self) {
        IS_GONE.set(true);
        if let Some(shard) = SHARD.take() {
            shard.release();
        }
    }
}

/// Returns the thread's shard, if it has one.
#[inline(always)]
pub(crate) fn shard() -> Option<&'static Shard> {
    SHARD.get()
}

/// Returns the thread's shard, and claims one if needed. `None` after the thread has released it,
/// or if there is no memory left.
#[cold]
#[inline(never)]
pub(crate) fn shard_or_claim() -> Option<&'static Shard> {
    if let Some(shard) = SHARD.get() {
        return Some(shard);
    }
    if IS_GONE.get() {
        return None;
    }
    let shard = shard::claim()?;
    // Relaxed, here and below: only the owner writes it.
    shard.thread.store(0, Ordering::Relaxed);
    shard
        .stack
        .store((&raw const shard).addr(), Ordering::Relaxed);
    // Before anything that may allocate, and thus come back here.
    SHARD.set(Some(shard));
    if GUARD.try_with(|_| ()).is_ok() {
        shard
            .thread
            .store(thread_names::number_of_this(), Ordering::Relaxed);
    }
    Some(shard)
}
