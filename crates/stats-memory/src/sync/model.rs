//! Loom's atomics, whose orderings a control can relax.
#![expect(dead_code, reason = "one list of operations for all types")]

use std::cell::Cell;

pub(crate) use loom::Ordering;
use loom::sync::atomic as loom;

thread_local! {
    /// Whether every ordering counts as relaxed. Loom runs all threads of a model on one.
    static IS_RELAXED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a model as a control: with every ordering relaxed, and without fences.
pub(crate) fn relaxed(model: fn()) {
    struct Restore;
    impl Drop for Restore {
        fn drop(&mut self) {
            IS_RELAXED.set(false);
        }
    }
    IS_RELAXED.set(true);
    let _restore = Restore;
    model();
}

/// Runs every interleaving with at most `preemptions` preemptions.
pub(crate) fn check(preemptions: usize, run: impl Fn() + Send + Sync + 'static) {
    let mut builder = ::loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(run);
}

fn order(order: Ordering) -> Ordering {
    if IS_RELAXED.get() {
        Ordering::Relaxed
    } else {
        order
    }
}

pub(crate) fn fence(order: Ordering) {
    if !IS_RELAXED.get() {
        loom::fence(order);
    }
}

macro_rules! atomic {
    ($name:ident $(<$generic:ident>)?, $value:ty) => {
        #[derive(Debug)]
        pub(crate) struct $name $(<$generic>)? (loom::$name $(<$generic>)?);

        impl $(<$generic>)? $name $(<$generic>)? {
            pub(crate) fn new(value: $value) -> Self {
                Self(loom::$name::new(value))
            }

            pub(crate) fn load(&self, load: Ordering) -> $value {
                self.0.load(order(load))
            }

            pub(crate) fn store(&self, value: $value, store: Ordering) {
                self.0.store(value, order(store));
            }

            pub(crate) fn swap(&self, value: $value, swap: Ordering) -> $value {
                self.0.swap(value, order(swap))
            }

            pub(crate) fn compare_exchange(
                &self,
                old: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                self.0.compare_exchange(old, new, order(success), order(failure))
            }
        }
    };
}

macro_rules! number {
    ($name:ident, $value:ty) => {
        atomic!($name, $value);

        impl $name {
            pub(crate) fn compare_exchange_weak(
                &self,
                old: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                self.0
                    .compare_exchange_weak(old, new, order(success), order(failure))
            }

            pub(crate) fn fetch_add(&self, n: $value, add: Ordering) -> $value {
                self.0.fetch_add(n, order(add))
            }

            pub(crate) fn fetch_or(&self, bits: $value, or: Ordering) -> $value {
                self.0.fetch_or(bits, order(or))
            }

            pub(crate) fn fetch_max(&self, n: $value, max: Ordering) -> $value {
                self.0.fetch_max(n, order(max))
            }

            pub(crate) fn fetch_update(
                &self,
                store: Ordering,
                load: Ordering,
                update: impl FnMut($value) -> Option<$value>,
            ) -> Result<$value, $value> {
                self.0.fetch_update(order(store), order(load), update)
            }
        }
    };
}

atomic!(AtomicBool, bool);
atomic!(AtomicPtr<T>, *mut T);
number!(AtomicU32, u32);
number!(AtomicU64, u64);
number!(AtomicI64, i64);
number!(AtomicUsize, usize);
