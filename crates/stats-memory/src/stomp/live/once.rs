//! An action that runs once, on the first thread that needs it.

use super::lock::Lock;
use super::system;
use crate::sync::{AtomicU32, Ordering, const_fn};

const SUCCEEDED: u32 = 1;
const FAILED: u32 = 2;

/// An action that runs once, whether it succeeds or fails. A child that was forked while it ran
/// repeats it.
#[derive(Debug)]
pub(super) struct Once {
    /// One of the two constants above; 0 before the action has run.
    end: AtomicU32,
    lock: Lock,
}

impl Once {
    const_fn! {
        /// Creates an action that has not run yet.
        pub(super) fn new() -> Self {
            Self {
                end: AtomicU32::new(0),
                lock: Lock::new(),
            }
        }
    }

    /// Returns whether it has run successfully.
    #[inline]
    pub(super) fn is_done(&self) -> bool {
        self.end() == SUCCEEDED
    }

    fn end(&self) -> u32 {
        // Acquire: a thread that sees that it has run sees its effects.
        self.end.load(Ordering::Acquire)
    }

    /// Runs it, or waits until it has run. Returns whether it succeeded. `act` must also work if a
    /// parent process ran it in part before the fork.
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
        // Another thread may have run it before this one got the lock.
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

    /// The child has one thread fewer than the lock it inherits, as if it had been forked while
    /// another thread held it.
    #[test]
    #[expect(unsafe_code, reason = "forks")]
    fn a_fork_repeats_an_action_that_it_finds_half_done() {
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
