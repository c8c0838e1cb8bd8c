//! A place for a value that is created once and never freed.
#![expect(
    unsafe_code,
    reason = "the values behind these pointers live forever, which the compiler cannot see"
)]

use std::ptr::null_mut;

use super::memory::{self, Zeroed};
use crate::sync::{AtomicPtr, Ordering, const_fn};

/// Empty, or a value that lives forever.
#[derive(Debug)]
pub(crate) struct Slot<T>(AtomicPtr<T>);

impl<T> Slot<T> {
    const_fn! {
        /// Creates an empty place.
        pub(crate) fn new() -> Self {
            Self(AtomicPtr::new(null_mut()))
        }
    }
}

impl<T: Zeroed> Slot<T> {
    /// Returns the value, if there is one.
    #[inline(always)]
    pub(crate) fn get(&self) -> Option<&'static T> {
        // Acquire: pairs with the Release in `get_or_make`, so that everything written before the
        // value was put here is visible.
        let value = self.0.load(Ordering::Acquire);
        // SAFETY: null, or put here by `get_or_make`: memory that is a valid `T` and is never
        // freed.
        unsafe { value.as_ref() }
    }

    /// Returns the value, and creates and prepares it if needed. `None` if the system has no memory
    /// left.
    ///
    /// If two threads do so at once, one wins, and the other's memory is given back.
    #[cold]
    pub(crate) fn get_or_make(&self, prepare: impl Fn(&T)) -> Option<&'static T> {
        if let Some(value) = self.get() {
            return Some(value);
        }
        let made = memory::make::<T>()?;
        // SAFETY: a valid value, which no other thread has yet.
        prepare(unsafe { made.as_ref() });
        // Release: see `get`. Acquire: as in `get`, for the value of a faster thread.
        if self
            .0
            .compare_exchange(
                null_mut(),
                made.as_ptr(),
                Ordering::AcqRel,
                Ordering::Acquire,
            )
            .is_err()
        {
            // SAFETY: created above; it did not get into the slot, and the borrow of `prepare` has
            // ended.
            unsafe { memory::give_back(made) };
        }
        self.get()
    }
}
