//! The scopes of settled frames, one after the other in one ring.

use super::scope::Scope;

/// A ring of scopes. A frame's scopes are never divided at its end.
#[derive(Debug, Default)]
pub(super) struct ScopeRing {
    /// Grows to the capacity once. It is allocated as a whole, and the system provides its pages
    /// when they are first written.
    scopes: Vec<Scope>,
    head: usize,
}

/// Where a frame's scopes are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ScopeRange {
    pub(super) at: usize,
    pub(super) len: usize,
}

impl ScopeRing {
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            scopes: Vec::with_capacity(capacity),
            head: 0,
        }
    }

    pub(super) fn capacity(&self) -> usize {
        self.scopes.capacity()
    }

    pub(super) fn len(&self) -> usize {
        self.scopes.len()
    }

    pub(super) fn get(&self, place: ScopeRange) -> &[Scope] {
        self.scopes
            .get(place.at..place.at + place.len)
            .unwrap_or_default()
    }

    /// Puts the scopes of a frame after those of the frame before. `scopes` must fit into the capacity.
    ///
    /// Calls `evict` until it returns `false`, with a function that returns whether a place will be
    /// overwritten. If that of the oldest frame will be, `evict` forgets the frame and returns `true`.
    pub(super) fn put(
        &mut self,
        scopes: &[Scope],
        mut evict: impl FnMut(&Self, &dyn Fn(ScopeRange) -> bool) -> bool,
    ) -> ScopeRange {
        let len = scopes.len();
        if self.head + len > self.capacity() {
            // Frames up to the end of the memory are the oldest, and are skipped.
            let head = self.head;
            while evict(self, &|oldest| oldest.at >= head) {}
            self.head = 0;
        }
        let (head, end) = (self.head, self.head + len);
        while evict(self, &|oldest| (head..end).contains(&oldest.at)) {}
        let old = self.scopes.len().saturating_sub(head).min(len);
        self.scopes[head..head + old].copy_from_slice(&scopes[..old]);
        self.scopes.extend_from_slice(&scopes[old..]);
        self.head = end;
        ScopeRange { at: head, len }
    }
}
