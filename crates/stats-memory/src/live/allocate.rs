//! The global allocator: the inner allocator with counting around it.
#![expect(unsafe_code, reason = "a global allocator is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout};
use std::ptr::null_mut;

use super::header::Header;
use crate::{Mode, TrackingAllocator};

/// The size of a header in bytes.
const HEADER: usize = size_of::<Header>();

/// An allocation with a header, as the inner allocator sees it.
#[derive(Clone, Copy)]
struct Outer {
    layout: Layout,
    /// The number of bytes before the program's own: the alignment, but at least 8. The header is
    /// the last of them.
    prefix: usize,
}

impl Outer {
    /// Returns `None` if no allocation can be that large.
    #[inline(always)]
    fn of(layout: Layout) -> Option<Self> {
        let align = layout.align().max(HEADER);
        let largest = (isize::MAX as usize)
            .saturating_sub(align)
            .saturating_sub(align);
        // SAFETY: the size leaves room for the prefix and for rounding up.
        (layout.size() <= largest).then(|| unsafe { Self::of_allocated(layout) })
    }

    /// # Safety
    ///
    /// The size plus twice the alignment is at most `isize::MAX`, as it is if [`of`](Self::of)
    /// returned a value for the layout.
    #[inline(always)]
    unsafe fn of_allocated(layout: Layout) -> Self {
        let align = layout.align().max(HEADER);
        // SAFETY: the alignment is a power of two, as the layout's alignment and 8 are. The caller
        // vouches for the size.
        let layout = unsafe { Layout::from_size_align_unchecked(layout.size() + align, align) };
        Self {
            layout,
            prefix: align,
        }
    }
}

/// Writes the header, and returns the program's part of an allocation.
///
/// # Safety
///
/// `base` was allocated with `outer.layout`, and has no other owner.
#[inline(always)]
unsafe fn begin<M: Mode>(base: *mut u8, outer: Outer, bytes: usize) -> *mut u8 {
    if base.is_null() {
        return base;
    }
    // SAFETY: prefix and bytes lie within the allocation. The header is aligned, since the base and
    // the prefix are aligned to at least 8.
    unsafe {
        let user = base.add(outer.prefix);
        user.cast::<Header>()
            .sub(1)
            .write(M::allocated(user.addr(), bytes));
        user
    }
}

// SAFETY: memory comes from the inner allocator, with room for a header in front if the mode has
// one. Counting neither allocates from this allocator, nor panics, nor unwinds.
unsafe impl<A: GlobalAlloc, M: Mode> GlobalAlloc for TrackingAllocator<A, M> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if M::HAS_HEADER {
            let Some(outer) = Outer::of(layout) else {
                return null_mut();
            };
            // SAFETY: the size is at least that of a header.
            let base = unsafe { self.inner.alloc(outer.layout) };
            // SAFETY: allocated just now.
            return unsafe { begin::<M>(base, outer, layout.size()) };
        }
        // SAFETY: the caller upholds the contract of the inner allocator.
        let base = unsafe { self.inner.alloc(layout) };
        if !base.is_null() {
            M::allocated(base.addr(), layout.size());
        }
        base
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if M::HAS_HEADER {
            let Some(outer) = Outer::of(layout) else {
                return null_mut();
            };
            // SAFETY: the size is at least that of a header.
            let base = unsafe { self.inner.alloc_zeroed(outer.layout) };
            // SAFETY: allocated just now.
            return unsafe { begin::<M>(base, outer, layout.size()) };
        }
        // SAFETY: the caller upholds the contract of the inner allocator.
        let base = unsafe { self.inner.alloc_zeroed(layout) };
        if !base.is_null() {
            M::allocated(base.addr(), layout.size());
        }
        base
    }

    #[inline]
    unsafe fn dealloc(&self, user: *mut u8, layout: Layout) {
        if !M::HAS_HEADER {
            M::freed(Header::NONE, layout.size());
            // SAFETY: the caller upholds the contract of the inner allocator.
            return unsafe { self.inner.dealloc(user, layout) };
        }
        // SAFETY: the caller returns what `alloc` returned for this layout: memory with a header
        // before it, in an allocation of `outer.layout`.
        unsafe {
            let outer = Outer::of_allocated(layout);
            M::freed(user.cast::<Header>().sub(1).read(), layout.size());
            self.inner.dealloc(user.sub(outer.prefix), outer.layout);
        }
    }

    #[inline]
    unsafe fn realloc(&self, user: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        if !M::HAS_HEADER {
            // SAFETY: the caller upholds the contract of the inner allocator.
            let base = unsafe { self.inner.realloc(user, layout, bytes) };
            if !base.is_null() {
                M::reallocated(Header::NONE, 0, base.addr(), layout.size(), Some(bytes));
            }
            return base;
        }
        let limit = (isize::MAX as usize)
            .saturating_sub(layout.align())
            .saturating_sub(layout.align().max(HEADER) * 2);
        if bytes > limit {
            return null_mut();
        }
        // SAFETY: as in `dealloc`; the new size and its prefix are within the limit. The prefix
        // depends only on the alignment, so the header moves along.
        unsafe {
            let outer = Outer::of_allocated(layout);
            let header = user.cast::<Header>().sub(1).read();
            let hidden = M::reallocating(header);
            let base =
                self.inner
                    .realloc(user.sub(outer.prefix), outer.layout, outer.prefix + bytes);
            if base.is_null() {
                M::reallocated(header, hidden, user.addr(), layout.size(), None);
                return base;
            }
            let user = base.add(outer.prefix);
            M::reallocated(header, hidden, user.addr(), layout.size(), Some(bytes));
            user
        }
    }
}
