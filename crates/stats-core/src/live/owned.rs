//! Storage with one writer each, and the lists that keep it for ever.

use super::sync::{AtomicBool, Link, Ordering};

/// Something that belongs to one thread at a time and is never moved or freed.
///
/// Aligned, so that nothing another thread writes shares a cache line with it.
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

    /// What is owned.
    #[inline(always)]
    pub(crate) fn value(&self) -> &T {
        &self.value
    }

    fn try_claim(&self) -> bool {
        // Acquire, paired with the Release in `release`: the new owner sees the totals that the
        // last one left. With Relaxed it could read an older total and store over adds that were
        // made (a model shows it).
        self.owned
            .compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed)
            .is_ok()
    }

    /// Gives the value up, totals and all, for another thread to adopt. Owner only, which it stops
    /// being.
    pub(crate) fn release(&self) {
        // Release: see `try_claim`.
        self.owned.store(false, Ordering::Release);
    }
}

/// All that was ever made for one purpose. It only grows, and only when nothing in it is free.
#[derive(Debug)]
pub(crate) struct OwnedList<T: 'static>(pub(crate) Link<&'static Owned<T>>);

impl<T: 'static> OwnedList<T> {
    /// Takes over what nobody owns, or adds a new one to the end. The caller owns it until it
    /// releases it.
    pub(crate) fn claim_or(&self, make: impl Fn() -> T) -> &'static Owned<T> {
        let mut link = &self.0;
        let mut fresh = None;
        loop {
            if let Some(owned) = link.get() {
                // With a fresh one in hand the race for the end was lost once: go on to place it.
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

    /// Calls `visit` with all of them, in the order in which they were made.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(&'static Owned<T>)) {
        let mut link = &self.0;
        while let Some(owned) = link.get() {
            visit(owned);
            link = &owned.next;
        }
    }
}
