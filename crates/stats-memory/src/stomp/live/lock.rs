//! A lock that a fork does not inherit.

use std::process;

use super::sync::{AtomicU32, Ordering};

/// Held by a process, 0 for none: a child does not wait for a thread that only its parent has.
///
/// What it guards has to be of use at any step of a change, since that is how a child may find it.
#[derive(Debug)]
pub(crate) struct Lock(pub(super) AtomicU32);

impl Lock {
    /// Takes the lock; false where another thread has it.
    pub(crate) fn try_lock(&self) -> bool {
        // Relaxed: a look beforehand, which the exchange confirms.
        let (holder, this) = (self.0.load(Ordering::Relaxed), process::id());
        // Acquire: sees what the one before did.
        holder != this
            && self
                .0
                .compare_exchange(holder, this, Ordering::Acquire, Ordering::Relaxed)
                .is_ok()
    }

    /// Gives it back. Only who has it.
    pub(crate) fn unlock(&self) {
        // Release: see `try_lock`.
        self.0.store(0, Ordering::Release);
    }
}
