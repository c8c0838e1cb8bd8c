//! The tracker without the feature `enabled`: every function does nothing.
#![expect(unsafe_code, reason = "a global allocator is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout};
use std::io::{self, Write};
use std::marker::PhantomData;
use std::path::Path;

use crate::mode::{Count, Records, Tags};
use crate::{
    Crossing, Group, GroupUsage, HeapUsage, Mode, ScopeName, Totals, TrackingAllocator, Untracked,
};

/// A mode. All modes are the same here.
pub trait Track {}

impl Track for Count {}
impl Track for Tags {}
impl Track for Records {}

// SAFETY: every call is forwarded unchanged to the inner allocator.
unsafe impl<A: GlobalAlloc, M: Mode> GlobalAlloc for TrackingAllocator<A, M> {
    #[inline(always)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of the inner allocator.
        unsafe { self.inner.alloc(layout) }
    }

    #[inline(always)]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        unsafe { self.inner.alloc_zeroed(layout) }
    }

    #[inline(always)]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { self.inner.dealloc(pointer, layout) }
    }

    #[inline(always)]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: as above.
        unsafe { self.inner.realloc(pointer, layout, bytes) }
    }
}

/// The place of a scope or a name in the source.
#[derive(Debug)]
#[doc(hidden)]
pub struct Site;

impl Site {
    /// Does nothing.
    pub const fn scope(_: &'static dyn ScopeName, _: Option<&'static Group>) -> Self {
        Self
    }

    /// Does nothing.
    pub const fn name(_: &'static dyn ScopeName) -> Self {
        Self
    }

    /// Does nothing.
    #[inline(always)]
    pub fn enter(&self) -> Scope {
        Scope(PhantomData)
    }

    /// Returns the only tag.
    #[inline(always)]
    pub fn tag(&self) -> Tag {
        Tag(())
    }
}

/// A scope. It does nothing.
#[derive(Debug)]
#[must_use = "the scope ends when this is dropped"]
pub struct Scope(PhantomData<*const ()>);

/// A tag. There is only one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tag(());

/// Returns the only tag.
#[must_use]
#[inline(always)]
pub fn current_tag() -> Tag {
    Tag(())
}

impl Tag {
    /// Returns the only tag.
    #[must_use]
    #[inline(always)]
    pub fn scope(self, _: &str) -> Self {
        self
    }

    /// Returns the only tag.
    #[must_use]
    #[inline(always)]
    pub fn name(self, _: &str) -> Self {
        self
    }

    /// Returns the only tag.
    #[must_use]
    #[inline(always)]
    pub fn group(self, _: &'static Group) -> Self {
        self
    }

    /// Does nothing.
    #[inline(always)]
    pub fn enter(self) -> Scope {
        Scope(PhantomData)
    }

    #[inline(always)]
    pub(crate) fn adopt(self) -> Scope {
        Scope(PhantomData)
    }
}

#[derive(Debug)]
pub(crate) struct GroupPlace;

impl GroupPlace {
    pub(crate) const fn new(_: &'static str) -> Self {
        Self
    }

    pub(crate) const fn budget_bytes(self, _: u64) -> Self {
        self
    }

    pub(crate) fn number(&self) -> u32 {
        0
    }

    pub(crate) fn is(&self, _: u32) -> bool {
        false
    }
}

/// Returns `None`: there are no groups.
pub(crate) fn current_group() -> Option<u32> {
    None
}

pub(crate) fn budget_bytes(_: u32) -> Option<u64> {
    None
}

pub(crate) fn held_bytes(_: u32) -> u64 {
    0
}

/// The number of sizes of blocks in a pool.
pub(crate) const CLASSES: usize = 16;

/// The number of blocks that a cache would fetch.
pub(crate) const BATCH: usize = 1;

/// No thread keeps blocks.
#[derive(Debug)]
pub(crate) struct PoolCaches;

/// There is none.
pub(crate) enum PoolCache {}

impl PoolCaches {
    pub(crate) const fn new() -> Self {
        Self
    }

    pub(crate) fn of_thread(&self) -> Option<&'static PoolCache> {
        None
    }

    pub(crate) fn of_thread_or_claim(&self) -> Option<&'static PoolCache> {
        None
    }

    pub(crate) fn taken(&self) -> [i64; CLASSES] {
        [0; CLASSES]
    }
}

impl PoolCache {
    pub(crate) fn take(&self, _: usize) -> Option<u32> {
        match *self {}
    }

    pub(crate) fn give(&self, _: usize, _: u32) -> bool {
        match *self {}
    }

    pub(crate) fn keep(&self, _: usize, _: u32) -> bool {
        match *self {}
    }

    pub(crate) fn remove(&self, _: usize) -> Option<u32> {
        match *self {}
    }

    pub(crate) fn note_taken(&self, _: usize) {
        match *self {}
    }
}

/// Does nothing.
#[inline(always)]
pub fn publish() {}

/// Does nothing. The callback is dropped.
#[inline(always)]
pub fn on_crossing(_: impl Fn(&Crossing) + Send + Sync + 'static) {}

/// Does nothing: there are no groups.
#[inline(always)]
pub fn for_each_group(_: impl FnMut(&GroupUsage)) {}

/// Returns zeros.
#[must_use]
#[inline(always)]
pub fn totals() -> Totals {
    Totals::default()
}

/// Does nothing.
#[inline(always)]
pub fn reset_peak() {}

/// Returns `false`.
#[inline(always)]
pub fn watch_untracked(_: fn() -> Option<HeapUsage>) -> bool {
    false
}

/// Returns `None`.
#[must_use]
#[inline(always)]
pub fn untracked() -> Option<Untracked> {
    None
}

/// Returns `None`.
#[must_use]
#[inline(always)]
pub fn system_heap() -> Option<HeapUsage> {
    None
}

/// Writes no lines.
///
/// # Errors
///
/// Returns none.
#[inline(always)]
pub fn dump(_: &mut dyn Write) -> io::Result<u64> {
    Ok(0)
}

/// Writes no lines.
///
/// # Errors
///
/// Returns none.
#[inline(always)]
pub fn dump_tags(_: &mut dyn Write) -> io::Result<u64> {
    Ok(0)
}

/// Writes no file.
///
/// # Errors
///
/// Returns none.
#[inline(always)]
pub fn save_dump(_: impl AsRef<Path>) -> io::Result<u64> {
    Ok(0)
}

/// Does nothing.
#[inline(always)]
pub fn dump_at_exit(_: impl AsRef<Path>) {}
