//! A lock that a fork does not inherit.

use std::process;

use crate::sync::{AtomicU32, Ordering, const_fn};

/// The id of the process that holds the lock; 0 if it is free. So a child does not wait for a
/// thread that exists only in its parent.
///
/// The guarded data must be usable after each step of a change, because a child may find a change
/// half done.
#[derive(Debug)]
pub(super) struct Lock(AtomicU32);

impl Lock {
    const_fn! {
        /// Creates a lock without a holder.
        pub(super) fn new() -> Self {
            Self(AtomicU32::new(0))
        }
    }

    /// Takes the lock. Returns false if another thread has it.
    pub(super) fn try_lock(&self) -> bool {
        // Relaxed: a first look, which the exchange confirms.
        let (holder, this) = (self.0.load(Ordering::Relaxed), process::id());
        // Acquire: sees what the previous holder did.
        holder != this
            && self
                .0
                .compare_exchange(holder, this, Ordering::Acquire, Ordering::Relaxed)
                .is_ok()
    }

    /// Releases the lock. Called by its holder.
    pub(super) fn unlock(&self) {
        // Release: see `try_lock`.
        self.0.store(0, Ordering::Release);
    }
}
