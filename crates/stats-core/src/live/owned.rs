//! Storage with one writer at a time, in lists that only grow.
//!
//! Each thread writes to its own storage: blocks of cells, and shards of histograms. Readers walk a
//! list of everything that threads ever wrote to. Nothing in the list moves or is freed, so readers
//! need no lock; a thread that ends releases its storage with the totals in it, and the next thread
//! that needs some adopts it and continues the totals.

use super::sync::{AtomicBool, Link, Ordering};

/// A value that one thread at a time may write, never moved or freed.
///
/// Aligned, so that it never shares a cache line with a value that another thread writes.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct Owned<T: 'static> {
    next: Link<&'static Self>,
    owned: AtomicBool,
    value: T,
}

impl<T: 'static> Owned<T> {
    fn leak_owned(value: T) -> &'static Self {
        Box::leak(Box::new(Self {
            next: Link::new(),
            owned: AtomicBool::new(true),
            value,
        }))
    }

    #[inline(always)]
    pub(crate) fn value(&self) -> &T {
        &self.value
    }

    fn try_claim(&self) -> bool {
        // Acquire, paired with the Release in `release`: the new owner sees the totals that the
        // last one left. With Relaxed it could read an older total and overwrite adds (a model
        // shows it).
        self.owned
            .compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed)
            .is_ok()
    }

    /// Releases the value, totals included, for another thread to adopt. Only the owner may call
    /// this; it no longer owns the value afterward.
    pub(crate) fn release(&self) {
        // Release: see `try_claim`.
        self.owned.store(false, Ordering::Release);
    }
}

/// All values of one purpose. The list grows only if none of them is free.
#[derive(Debug)]
pub(crate) struct OwnedList<T: 'static>(Link<&'static Owned<T>>);

impl<T: 'static> OwnedList<T> {
    /// Returns an empty list.
    #[cfg(not(loom))]
    pub(crate) const fn new() -> Self {
        Self(Link::new())
    }

    /// Loom's primitives have no constant constructor.
    #[cfg(loom)]
    pub(crate) fn new() -> Self {
        Self(Link::new())
    }

    /// Adopts a value without an owner, or appends a new one. The caller owns it until it releases
    /// it.
    pub(crate) fn claim_or(&self, make: impl Fn() -> T) -> &'static Owned<T> {
        let mut link = &self.0;
        let mut fresh = None;
        loop {
            if let Some(owned) = link.get() {
                // If `fresh` is set, another thread has appended a value first: continue to the
                // new end.
                if fresh.is_none() && owned.try_claim() {
                    return owned;
                }
                link = &owned.next;
            } else {
                let owned = *fresh.get_or_insert_with(|| Owned::leak_owned(make()));
                if link.set(owned).is_ok() {
                    return owned;
                }
            }
        }
    }

    /// Calls `visit` with every value, in the order in which they were appended.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(&'static Owned<T>)) {
        let mut link = &self.0;
        while let Some(owned) = link.get() {
            visit(owned);
            link = &owned.next;
        }
    }
}
