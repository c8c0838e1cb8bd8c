//! Something that is done once, by the thread that comes first.

use super::lock::Lock;
use super::system;
use crate::sync::{AtomicU32, Ordering, const_fn};

const SUCCEEDED: u32 = 1;
const FAILED: u32 = 2;

/// Done once, with success or without. A child that was forked in between does it again.
#[derive(Debug)]
pub(super) struct Once {
    /// One of the two constants above; 0 before.
    end: AtomicU32,
    lock: Lock,
}

impl Once {
    const_fn! {
        /// Creates something that was not done yet.
        pub(super) fn new() -> Self {
            Self {
                end: AtomicU32::new(0),
                lock: Lock::new(),
            }
        }
    }

    /// Returns whether it was done, with success.
    #[inline]
    pub(super) fn is_done(&self) -> bool {
        self.end() == SUCCEEDED
    }

    fn end(&self) -> u32 {
        // Acquire: a thread that sees that it is done sees what was done.
        self.end.load(Ordering::Acquire)
    }

    /// Does it, or waits until it is done. Returns whether it succeeded. `act` must also work in a
    /// process that finds it half done by another one.
    #[cold]
    pub(super) fn get_or(&self, act: impl FnOnce() -> bool) -> bool {
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

#[cfg(test)]
#[cfg(all(unix, not(loom)))]
mod tests {
    use super::Once;

    /// The child has one thread fewer than the lock it inherits, as if it had been forked while another
    /// thread held it.
    #[test]
    #[expect(unsafe_code, reason = "forks")]
    fn a_fork_repeats_what_it_finds_half_done() {
        let once = Once::new();
        assert!(once.lock.try_lock());
        // SAFETY: the child takes a lock and ends, at the latest when the alarm goes off.
        unsafe {
            let child = libc::fork();
            if child == 0 {
                libc::alarm(20);
                libc::_exit(i32::from(
                    !(once.get_or(|| true) && once.get_or(|| false) && once.is_done()),
                ));
            }
            let mut status = 0;
            assert_eq!(
                (libc::waitpid(child, &raw mut status, 0), status),
                (child, 0)
            );
        }
        assert!(!once.is_done());
        once.lock.unlock();
        assert!(!once.get_or(|| false) && !once.get_or(|| true));
    }
}
