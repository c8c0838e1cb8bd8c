//! Values that belong to the process that made them.

use std::ops::{Deref, DerefMut};
use std::process;

/// A value that is not dropped but forgotten in a child of `fork`. It is a thread, which the child does not
/// have, or a value whose drop may wait for a lock that a thread of the parent held.
// Hidden: it serves the crates that start threads.
#[doc(hidden)]
#[derive(Debug)]
pub struct OwnProcess<T> {
    /// `None` only while it is dropped.
    value: Option<T>,
    process: u32,
}

impl<T> OwnProcess<T> {
    /// Takes a value of this process.
    pub fn new(value: T) -> Self {
        Self {
            value: Some(value),
            process: this_process(),
        }
    }

    /// Returns whether this process is a child that was forked after the value was made.
    #[must_use]
    pub fn is_elsewhere(&self) -> bool {
        self.process != this_process()
    }

    /// Returns the value; `None`, and forgets it, in a child of `fork`.
    #[must_use]
    pub fn take(mut self) -> Option<T> {
        if self.is_elsewhere() {
            return None;
        }
        self.value.take()
    }
}

/// Returns the number of this process; 0 where there is no `fork`.
fn this_process() -> u32 {
    if cfg!(unix) { process::id() } else { 0 }
}

impl<T> Deref for OwnProcess<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match &self.value {
            Some(value) => value,
            None => unreachable!("it is taken only when it is dropped"),
        }
    }
}

impl<T> DerefMut for OwnProcess<T> {
    fn deref_mut(&mut self) -> &mut T {
        match &mut self.value {
            Some(value) => value,
            None => unreachable!("it is taken only when it is dropped"),
        }
    }
}

impl<T> Drop for OwnProcess<T> {
    fn drop(&mut self) {
        if self.is_elsewhere() {
            std::mem::forget(self.value.take());
        }
    }
}
