//! A value that one thread uses at a time, with upkeep that no thread waits for.
//!
//! ```text
//! uses the value     lock ──────── use ──────── unlock ─▶ upkeep, if it is due
//! asks for upkeep                   due ─▶ the lock is taken: goes on
//! ```
//!
//! The thread that asks for the upkeep does it at once. If another thread uses the value, that thread
//! does it after its use.

use std::ops::{Deref, DerefMut};
use std::sync::{PoisonError, TryLockError};

use super::sync::{AtomicBool, Mutex, MutexGuard, Ordering, fence};

/// A value that one thread uses at a time.
#[derive(Debug)]
pub(crate) struct Exclusive<T: 'static> {
    value: Mutex<T>,
    is_upkeep_due: AtomicBool,
    upkeep: fn(&mut T),
}

/// The use of a value. When it ends, upkeep that is due is done.
#[derive(Debug)]
pub(crate) struct Use<'a, T: 'static> {
    of: &'a Exclusive<T>,
    /// `None` only while it is dropped.
    value: Option<MutexGuard<'a, T>>,
}

impl<T> Exclusive<T> {
    #[cfg(not(loom))]
    pub(crate) const fn new(value: T, upkeep: fn(&mut T)) -> Self {
        Self {
            value: Mutex::new(value),
            is_upkeep_due: AtomicBool::new(false),
            upkeep,
        }
    }

    /// Loom's primitives have no constant constructor.
    #[cfg(loom)]
    pub(crate) fn new(value: T, upkeep: fn(&mut T)) -> Self {
        Self {
            value: Mutex::new(value),
            is_upkeep_due: AtomicBool::new(false),
            upkeep,
        }
    }

    /// Waits until no other thread uses the value.
    pub(crate) fn lock(&self) -> Use<'_, T> {
        let value = self.value.lock().unwrap_or_else(PoisonError::into_inner);
        Use {
            of: self,
            value: Some(value),
        }
    }

    /// Returns `None` if another thread uses the value. Never waits.
    pub(crate) fn try_lock(&self) -> Option<Use<'_, T>> {
        let value = Some(self.try_value()?);
        Some(Use { of: self, value })
    }

    /// Has the upkeep done, and what this thread did before is visible to it. Never waits.
    pub(crate) fn ask_for_upkeep(&self) {
        // Release, paired with the Acquire in `do_upkeep`: what this thread did is visible there. A
        // swap, so that a request after it makes it visible, too.
        self.is_upkeep_due.swap(true, Ordering::Release);
        self.do_upkeep();
    }

    fn do_upkeep(&self) {
        // Sequentially consistent, between a request or an unlock, and the two loads below: of a
        // thread that asks and one that unlocks, the later one finds both the request and the lock.
        fence(Ordering::SeqCst);
        // Relaxed: the swap below orders.
        while self.is_upkeep_due.load(Ordering::Relaxed) {
            let Some(mut value) = self.try_value() else {
                return;
            };
            // Acquire: see above. Each request before it is done now; one after it finds the lock
            // taken, and is found by the next load.
            if self.is_upkeep_due.swap(false, Ordering::Acquire) {
                (self.upkeep)(&mut value);
            }
            drop(value);
            fence(Ordering::SeqCst);
        }
    }

    fn try_value(&self) -> Option<MutexGuard<'_, T>> {
        match self.value.try_lock() {
            Ok(value) => Some(value),
            Err(TryLockError::Poisoned(value)) => Some(value.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

impl<T> Deref for Use<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        match &self.value {
            Some(value) => value,
            None => unreachable!("it is taken only in `drop`"),
        }
    }
}

impl<T> DerefMut for Use<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        match &mut self.value {
            Some(value) => value,
            None => unreachable!("it is taken only in `drop`"),
        }
    }
}

impl<T> Drop for Use<'_, T> {
    fn drop(&mut self) {
        drop(self.value.take());
        self.of.do_upkeep();
    }
}
