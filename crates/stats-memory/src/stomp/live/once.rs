//! What is done once, by who comes first.

use super::lock::Lock;
use super::sync::{AtomicU32, Ordering};
use super::system;

const SUCCEEDED: u32 = 1;
const FAILED: u32 = 2;

/// Done once, well or in vain. A child that was forked meanwhile does it again.
#[derive(Debug)]
pub(crate) struct Once {
    /// One of the two above; 0 before.
    pub(super) end: AtomicU32,
    pub(super) lock: Lock,
}

impl Once {
    /// Whether it was done, and well.
    #[inline]
    pub(crate) fn is_done(&self) -> bool {
        self.end() == SUCCEEDED
    }

    fn end(&self) -> u32 {
        // Acquire: who sees that it is done sees what was done.
        self.end.load(Ordering::Acquire)
    }

    /// Does it, or waits until it is done; whether it was done well. What is done has to do for who
    /// finds it half done by another process.
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
        // Another thread may have had the lock between the look and ours.
        if self.end() == 0 {
            let end = if act() { SUCCEEDED } else { FAILED };
            // Release: see `end`.
            self.end.store(end, Ordering::Release);
        }
    }
}
