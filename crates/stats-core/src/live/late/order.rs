//! The order of deferred values, which a sequence of numbers and a few locks establish.

use std::sync::{PoisonError, TryLockError};

use crate::live::sync::{AtomicU64, Mutex, MutexGuard, Ordering};

/// Numbers for all events of deferred values.
///
/// A thread that takes a number sees everything that other threads did before they took lower
/// numbers. So a delivery for a stamp sees the subscriptions of readers that started before the
/// stamp was issued, and the lanes that had joined a series by then.
#[derive(Debug)]
pub(in crate::live) struct Sequence(AtomicU64);

impl Sequence {
    #[cfg(not(loom))]
    const fn new() -> Self {
        Self(AtomicU64::new(1))
    }

    /// Loom's atomics have no constant constructor.
    #[cfg(loom)]
    pub(crate) fn new() -> Self {
        Self(AtomicU64::new(1))
    }

    pub(crate) fn next(&self) -> u64 {
        // AcqRel, paired with itself: all additions are one release sequence, so each acquires
        // what those before it released.
        self.0.fetch_add(1, Ordering::AcqRel)
    }
}

#[cfg(not(loom))]
static SEQUENCE: Sequence = Sequence::new();

#[cfg(loom)]
loom::lazy_static! {
    static ref SEQUENCE: Sequence = Sequence::new();
}

/// Returns the next number of the program's sequence; see the module documentation of `late`.
pub(crate) fn next_number() -> u64 {
    SEQUENCE.next()
}

/// Returns a number that is at least each one that this thread has taken or seen, and less than all
/// that are taken from now on.
#[cfg(not(loom))]
pub(crate) fn newest_number() -> u64 {
    // Relaxed: nothing that other threads did before their numbers is read.
    SEQUENCE.0.load(Ordering::Relaxed) - 1
}

/// Waits for a lock. Only running out of memory panics while one of these is held, and that leaves
/// the state consistent.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes a lock without waiting, because a frame must not wait. Returns `None` if another thread
/// has it.
pub(super) fn try_lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}
