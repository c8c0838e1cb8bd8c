//! Loom's primitives under the names that the concurrent files use.

pub(crate) use loom::sync::Mutex;
pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};

/// A reference that is set once, as in a `std::sync::OnceLock`. Loom has none of these.
///
/// A lock orders more than a `OnceLock` does, so what the models show of the links between blocks
/// is only that no block is lost; that a block is whole when it is found there is the standard
/// library's promise.
#[derive(Debug)]
pub(crate) struct Link<T>(Mutex<Option<T>>);

impl<T: Copy> Link<T> {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(None))
    }

    pub(crate) fn get(&self) -> Option<T> {
        *self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    pub(crate) fn set(&self, value: T) -> Result<(), T> {
        let mut place = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if place.is_some() {
            return Err(value);
        }
        *place = Some(value);
        Ok(())
    }
}
