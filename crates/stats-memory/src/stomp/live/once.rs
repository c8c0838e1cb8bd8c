//! Something that is done once, by the thread that comes first.

use super::lock::Lock;
use super::sync::{AtomicU32, Ordering};
use super::system;

const SUCCEEDED: u32 = 1;
const FAILED: u32 = 2;

/// Done once, with success or without. A child that was forked in between does it again.
#[derive(Debug)]
pub(crate) struct Once {
    /// One of the two constants above; 0 before.
    pub(super) end: AtomicU32,
    pub(super) lock: Lock,
}

impl Once {
    /// Returns whether it was done, with success.
    #[inline]
    pub(crate) fn is_done(&self) -> bool {
        self.end() == SUCCEEDED
    }

    fn end(&self) -> u32 {
        // Acquire: whoever sees that it is done sees what was done.
        self.end.load(Ordering::Acquire)
    }

    /// Does it, or waits until it is done. Returns whether it succeeded. `act` must also work in a
    /// process that finds it half done by another one.
    #[cold]
    pub(crate) fn get_or(&self, act: impl FnOnce() -> bool) -> bool {
        while self.end() == 0 {
            if self.lock.try_lock() {
                self.under_lock(act);
                self.lock.unlock();
                break;
            }
            system::yield_now();
        }
        self.is_done()
    }

    fn under_lock(&self, act: impl FnOnce() -> bool) {
        // Another thread may have held the lock between our look and our turn.
        if self.end() == 0 {
            let end = if act() { SUCCEEDED } else { FAILED };
            // Release: see `end`.
            self.end.store(end, Ordering::Release);
        }
    }
}
