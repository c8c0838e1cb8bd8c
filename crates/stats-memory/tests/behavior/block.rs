//! Allocations that check themselves.
#![expect(unsafe_code, reason = "calls allocators directly")]

use std::alloc::{GlobalAlloc, Layout};

/// An allocation filled with a pattern, that no one else may overwrite.
pub(crate) struct Block<A: GlobalAlloc + 'static> {
    allocator: &'static A,
    start: *mut u8,
    layout: Layout,
}

// SAFETY: the memory belongs to the block alone.
unsafe impl<A: GlobalAlloc + Sync> Send for Block<A> {}

fn pattern(start: *mut u8) -> u8 {
    (start.addr() >> 4) as u8 | 1
}

impl<A: GlobalAlloc> Block<A> {
    pub(crate) fn new(allocator: &'static A, bytes: usize, align: usize) -> Self {
        let layout = Layout::from_size_align(bytes, align).unwrap();
        // SAFETY: sizes in tests are not zero.
        let start = unsafe { allocator.alloc(layout) };
        Self {
            allocator,
            start,
            layout,
        }
        .filled()
    }

    pub(crate) fn zeroed(allocator: &'static A, bytes: usize, align: usize) -> Self {
        let layout = Layout::from_size_align(bytes, align).unwrap();
        // SAFETY: sizes in tests are not zero.
        let start = unsafe { allocator.alloc_zeroed(layout) };
        let block = Self {
            allocator,
            start,
            layout,
        };
        assert!(block.content().iter().all(|byte| *byte == 0));
        block.filled()
    }

    fn filled(self) -> Self {
        assert!(!self.start.is_null() && self.start.addr().is_multiple_of(self.layout.align()));
        // SAFETY: the block's own memory.
        unsafe {
            self.start
                .write_bytes(pattern(self.start), self.layout.size())
        };
        self
    }

    pub(crate) fn content(&self) -> &[u8] {
        // SAFETY: the block's own memory, written before.
        unsafe { std::slice::from_raw_parts(self.start, self.layout.size()) }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.layout.size()
    }

    pub(crate) fn address(&self) -> usize {
        self.start.addr()
    }

    pub(crate) fn resize(&mut self, bytes: usize) {
        let (old, kept) = (pattern(self.start), bytes.min(self.bytes()));
        // SAFETY: allocated with this layout; the size is not zero.
        let start = unsafe { self.allocator.realloc(self.start, self.layout, bytes) };
        assert!(!start.is_null() && start.addr().is_multiple_of(self.layout.align()));
        self.start = start;
        self.layout = Layout::from_size_align(bytes, self.layout.align()).unwrap();
        assert!(self.content()[..kept].iter().all(|byte| *byte == old));
        // SAFETY: the block's own memory.
        unsafe {
            self.start
                .write_bytes(pattern(self.start), self.layout.size())
        };
    }

    /// Attempts a reallocation that cannot succeed. The block does not change.
    pub(crate) fn fail_to_resize(&mut self) {
        let bytes = isize::MAX as usize - self.layout.align().max(4096);
        // SAFETY: allocated with this layout; the size is one that the rules allow.
        assert!(unsafe { self.allocator.realloc(self.start, self.layout, bytes) }.is_null());
    }
}

impl<A: GlobalAlloc> Drop for Block<A> {
    fn drop(&mut self) {
        assert!(
            self.content()
                .iter()
                .all(|byte| *byte == pattern(self.start)),
            "a live block was overwritten"
        );
        // SAFETY: allocated with this layout.
        unsafe { self.allocator.dealloc(self.start, self.layout) };
    }
}
