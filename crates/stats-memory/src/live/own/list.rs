//! A grow-only list whose members each belong to one thread at a time.

use super::memory::Zeroed;
use super::slot::Slot;
use crate::sync::{AtomicBool, Ordering};

/// A member's place in the list.
#[derive(Debug)]
pub(crate) struct Links<T> {
    owned: AtomicBool,
    next: Slot<T>,
}

/// Belongs to one thread at a time, and is never freed: the next thread adopts it.
pub(crate) trait Member: Zeroed {
    /// Returns the member's place in the list.
    fn links(&self) -> &Links<Self>
    where
        Self: Sized;
}

impl<T> Links<T> {
    /// Creates the place of a member without an owner.
    #[cfg(all(test, loom))]
    pub(crate) fn new() -> Self {
        Self {
            owned: AtomicBool::new(false),
            next: Slot::new(),
        }
    }

    /// Returns the place of the next member.
    #[cfg(all(test, loom))]
    pub(crate) fn next(&self) -> &Slot<T> {
        &self.next
    }

    /// Releases the member for another thread to adopt. Called by its owner, who loses it.
    pub(crate) fn release(&self) {
        // Release, paired with the Acquire in `try_claim`: the new owner continues from these
        // totals.
        self.owned.store(false, Ordering::Release);
    }

    fn try_claim(&self) -> bool {
        // Relaxed: a first look, which costs the owner no cache line.
        !self.owned.load(Ordering::Relaxed)
            && self
                .owned
                .compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed)
                .is_ok()
    }
}

/// Adopts a member that has no owner, or adds a new one. `None` if there is no memory left.
pub(crate) fn claim<T: Member>(first: &'static Slot<T>) -> Option<&'static T> {
    let mut link = first;
    loop {
        if let Some(member) = link.get() {
            if member.links().try_claim() {
                return Some(member);
            }
            link = &member.links().next;
        } else {
            // The thread that fills the place has to claim the member like any other thread:
            // another one may be faster.
            link.get_or_make(|_| {})?;
        }
    }
}

/// Calls `visit` with every member, including those without an owner.
pub(crate) fn for_each<T: Member>(first: &'static Slot<T>, mut visit: impl FnMut(&'static T)) {
    let mut link = first;
    while let Some(member) = link.get() {
        visit(member);
        link = &member.links().next;
    }
}
