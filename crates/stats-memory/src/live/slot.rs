//! A place for something that is made once and then stays.
#![expect(
    unsafe_code,
    reason = "what is reached through these pointers lives for ever, which the compiler cannot see"
)]

use std::ptr::null_mut;

use super::own::{self, Zeroed};
use super::sync::{AtomicPtr, Ordering};

/// Empty, or a value that lives for ever.
#[derive(Debug)]
pub(crate) struct Slot<T>(pub(super) AtomicPtr<T>);

impl<T: Zeroed> Slot<T> {
    /// What is there.
    #[inline(always)]
    pub(crate) fn get(&self) -> Option<&'static T> {
        // Acquire: with the Release in `get_or_make`, what was written before the value was put
        // here is seen.
        let value = self.0.load(Ordering::Acquire);
        // SAFETY: null, or put here by `get_or_make`: memory that is a valid `T` and is never
        // freed.
        unsafe { value.as_ref() }
    }

    /// What is there, made and prepared if need be; `None` where the system has no memory left.
    ///
    /// Of two threads at once, one wins and the other's memory is given back.
    #[cold]
    pub(crate) fn get_or_make(&self, prepare: impl Fn(&T)) -> Option<&'static T> {
        if let Some(value) = self.get() {
            return Some(value);
        }
        let made = own::make::<T>()?;
        // SAFETY: a valid value, which nobody else has yet.
        prepare(unsafe { made.as_ref() });
        // Release: see `get`. Acquire: as there, for the value of whoever was faster.
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
            // SAFETY: made above; it did not get into the slot, and the borrow of `prepare` has
            // ended.
            unsafe { own::give_back(made) };
        }
        self.get()
    }
}
