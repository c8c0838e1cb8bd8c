//! The synchronization primitives of the modules that models drive: the standard library's, or
//! loom's with `--cfg loom`.

#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};
#[cfg(not(loom))]
pub(crate) use std::sync::{Arc, Mutex, MutexGuard, OnceLock as Link};

#[cfg(loom)]
pub(crate) use model::{
    Arc, AtomicBool, AtomicU32, AtomicU64, Link, Mutex, MutexGuard, Ordering, fence, linked,
    weakened,
};

/// Returns the value of a link, if it is set.
#[cfg(not(loom))]
pub(crate) fn linked<T: Clone>(link: &Link<T>) -> Option<T> {
    link.get().cloned()
}

#[cfg(loom)]
mod model {
    use std::cell::Cell;

    pub(crate) use loom::sync::atomic::Ordering;
    pub(crate) use loom::sync::{Arc, Mutex, MutexGuard};

    thread_local! {
        /// Whether every ordering means `Relaxed`. Loom runs all threads of a model on one thread
        /// of the system, so this is a setting of the model.
        static IS_WEAKENED: Cell<bool> = const { Cell::new(false) };
    }

    /// Runs a model with every ordering replaced by `Relaxed`. If a model passes both as written
    /// and weakened, it does not show that its orderings are needed.
    pub(crate) fn weakened(model: impl FnOnce()) {
        IS_WEAKENED.set(true);
        model();
        IS_WEAKENED.set(false);
    }

    fn effective(ordering: Ordering) -> Ordering {
        if IS_WEAKENED.get() {
            Ordering::Relaxed
        } else {
            ordering
        }
    }

    pub(crate) fn fence(ordering: Ordering) {
        // Neither loom nor the standard library has a relaxed fence: it would order nothing.
        if !IS_WEAKENED.get() {
            loom::sync::atomic::fence(ordering);
        }
    }

    macro_rules! atomics {
        ($($name:ident: $value:ty),*) => { $(
            #[derive(Debug, Default)]
            pub(crate) struct $name(loom::sync::atomic::$name);

            impl $name {
                pub(crate) fn new(value: $value) -> Self {
                    Self(loom::sync::atomic::$name::new(value))
                }

                pub(crate) fn load(&self, ordering: Ordering) -> $value {
                    self.0.load(effective(ordering))
                }

                pub(crate) fn store(&self, value: $value, ordering: Ordering) {
                    self.0.store(value, effective(ordering));
                }

                pub(crate) fn swap(&self, value: $value, ordering: Ordering) -> $value {
                    self.0.swap(value, effective(ordering))
                }

                pub(crate) fn compare_exchange(
                    &self,
                    current: $value,
                    new: $value,
                    success: Ordering,
                    failure: Ordering,
                ) -> Result<$value, $value> {
                    self.0
                        .compare_exchange(current, new, effective(success), effective(failure))
                }
            }
        )* };
    }

    atomics!(AtomicBool: bool, AtomicU32: u32, AtomicU64: u64);

    impl AtomicU32 {
        pub(crate) fn fetch_add(&self, value: u32, ordering: Ordering) -> u32 {
            self.0.fetch_add(value, effective(ordering))
        }

        pub(crate) fn fetch_sub(&self, value: u32, ordering: Ordering) -> u32 {
            self.0.fetch_sub(value, effective(ordering))
        }
    }

    impl AtomicU64 {
        pub(crate) fn fetch_add(&self, value: u64, ordering: Ordering) -> u64 {
            self.0.fetch_add(value, effective(ordering))
        }

        pub(crate) fn fetch_update(
            &self,
            success: Ordering,
            failure: Ordering,
            update: impl FnMut(u64) -> Option<u64>,
        ) -> Result<u64, u64> {
            self.0
                .fetch_update(effective(success), effective(failure), update)
        }
    }

    /// A value that is set once, as in a `std::sync::OnceLock`, which loom does not have.
    ///
    /// A lock orders more than a `OnceLock` does, so the models show only that no block is lost.
    /// The standard library guarantees that a block found through a link is complete.
    #[derive(Debug)]
    pub(crate) struct Link<T>(Mutex<Option<T>>);

    pub(crate) fn linked<T: Clone>(link: &Link<T>) -> Option<T> {
        link.get()
    }

    impl<T: Clone> Link<T> {
        pub(crate) fn new() -> Self {
            Self(Mutex::new(None))
        }

        pub(crate) fn get(&self) -> Option<T> {
            self.lock().clone()
        }

        pub(crate) fn set(&self, value: T) -> Result<(), T> {
            let mut place = self.lock();
            if place.is_some() {
                return Err(value);
            }
            *place = Some(value);
            Ok(())
        }

        fn lock(&self) -> MutexGuard<'_, Option<T>> {
            self.0
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner)
        }
    }
}
