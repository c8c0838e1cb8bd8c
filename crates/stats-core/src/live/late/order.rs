//! What late values are ordered by: a sequence of numbers, and locks.

use std::sync::{PoisonError, TryLockError};

use super::{AtomicU64, Mutex, MutexGuard, Ordering};

/// Numbers for all that happens to late values.
///
/// Who takes a number sees everything that was done before any lower one was taken: so a delivery
/// for a stamp sees the wishes of those who began to watch before it was issued, and the lanes that
/// had joined a series by then.
#[derive(Debug)]
pub(super) struct Sequence(pub(super) AtomicU64);

impl Sequence {
    pub(super) fn next(&self) -> u64 {
        // AcqRel, paired with itself: additions are one release sequence, so each acquires what all
        // before it released.
        self.0.fetch_add(1, Ordering::AcqRel)
    }
}

/// Nothing panics while one of these locks is held but running out of memory, and then the state is
/// still whole.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The same where a frame must not wait; `None` while another holds it.
pub(super) fn try_lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}
