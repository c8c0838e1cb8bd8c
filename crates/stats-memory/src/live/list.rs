//! A list of what threads own, one at a time, which only grows.

use super::own::Zeroed;
use super::slot::Slot;
use super::sync::{AtomicBool, Ordering};

/// What a member has of the list.
#[derive(Debug)]
pub(crate) struct Links<T> {
    pub(super) owned: AtomicBool,
    pub(super) next: Slot<T>,
}

/// Belongs to one thread at a time, and is never freed: the next one adopts it.
pub(crate) trait Member: Zeroed {
    /// Where its place in the list is kept.
    fn links(&self) -> &Links<Self>
    where
        Self: Sized;
}

impl<T> Links<T> {
    /// Gives the member up for another thread to adopt. Owner only, which it stops being.
    pub(crate) fn release(&self) {
        // Release, paired with the Acquire in `try_claim`: the new owner goes on from these totals.
        self.owned.store(false, Ordering::Release);
    }

    fn try_claim(&self) -> bool {
        // Relaxed: a look beforehand, which costs the owner no cache line.
        !self.owned.load(Ordering::Relaxed)
            && self
                .owned
                .compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed)
                .is_ok()
    }
}

/// Takes over a member that nobody owns, or adds a new one; `None` where there is no memory left.
pub(crate) fn claim<T: Member>(first: &'static Slot<T>) -> Option<&'static T> {
    let mut link = first;
    loop {
        if let Some(member) = link.get() {
            if member.links().try_claim() {
                return Some(member);
            }
            link = &member.links().next;
        } else {
            // Whoever wins the place has to claim like anybody else: another thread may have come
            // in between.
            link.get_or_make(|_| {})?;
        }
    }
}

/// Calls `visit` with every member, those that nobody owns included.
pub(crate) fn for_each<T: Member>(first: &'static Slot<T>, mut visit: impl FnMut(&'static T)) {
    let mut link = first;
    while let Some(member) = link.get() {
        visit(member);
        link = &member.links().next;
    }
}
