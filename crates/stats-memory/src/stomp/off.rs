//! The stomp allocator without the feature `enabled`, and on unsupported systems: the system's
//! allocator.
#![expect(unsafe_code, reason = "a global allocator is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout, System};

use super::{Stomp, StompMode};

/// No settings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings;

impl Settings {
    pub(super) const fn new() -> Self {
        Self
    }

    pub(super) const fn sizes(self, _: usize, _: usize) -> Self {
        self
    }

    pub(super) const fn quarantine_bytes(self, _: usize) -> Self {
        self
    }

    pub(super) const fn without_guard_markers(self) -> Self {
        self
    }
}

// SAFETY: every call is forwarded unchanged to the system's allocator.
unsafe impl<M: StompMode> GlobalAlloc for Stomp<M> {
    #[inline(always)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    #[inline(always)]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline(always)]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    #[inline(always)]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, bytes) }
    }
}
