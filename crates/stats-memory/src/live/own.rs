//! Memory of the tracker's own: from the system's allocator, zeroed, counted as overhead, and never
//! freed once it is used.
#![expect(
    unsafe_code,
    reason = "what is reached through these pointers lives for ever, which the compiler cannot see"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicI64, AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use super::balance::Known;
use super::cell::Cell;
use super::slot::Slot;

/// Bytes taken so far.
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// How many bytes the tracker took for itself.
pub(crate) fn taken() -> usize {
    // Relaxed, here and where it changes: a number alone.
    TAKEN.load(Ordering::Relaxed)
}

/// A type that may begin as nothing but zeroes.
///
/// # Safety
///
/// Zeroed memory is a valid value, and it has no destructor that matters.
pub(crate) unsafe trait Zeroed: Sync + 'static {}

/// Zeroed memory; `None` where the system has none left.
fn take(layout: Layout) -> Option<*mut u8> {
    if layout.size() == 0 {
        return None;
    }
    // SAFETY: the size is not zero.
    let taken = unsafe { System.alloc_zeroed(layout) };
    if taken.is_null() {
        return None;
    }
    TAKEN.fetch_add(layout.size(), Ordering::Relaxed);
    Some(taken)
}

/// Zeroed memory for a value; `None` where the system has none left.
pub(super) fn make<T: Zeroed>() -> Option<NonNull<T>> {
    NonNull::new(take(Layout::new::<T>())?.cast())
}

/// Gives memory back that nobody needed.
///
/// # Safety
///
/// [`make`] gave it, and nobody else has it.
pub(super) unsafe fn give_back<T: Zeroed>(made: NonNull<T>) {
    let layout = Layout::new::<T>();
    TAKEN.fetch_sub(layout.size(), Ordering::Relaxed);
    // SAFETY: taken with this layout.
    unsafe { System.dealloc(made.as_ptr().cast(), layout) };
}

impl<T> Slot<T> {
    /// An empty place.
    pub(crate) const fn new() -> Self {
        Self(AtomicPtr::new(null_mut()))
    }
}

impl Cell {
    /// Nothing counted.
    pub(crate) const fn new() -> Self {
        Self {
            bytes: AtomicU64::new(0),
            allocations: AtomicU64::new(0),
            freed_bytes: AtomicU64::new(0),
            frees: AtomicU64::new(0),
        }
    }
}

impl Known {
    /// Nothing told.
    pub(crate) const fn new() -> Self {
        Self {
            live: AtomicI64::new(0),
            peak: AtomicI64::new(0),
        }
    }
}

/// A text that lives for ever; empty until it is set.
#[derive(Debug)]
pub(crate) struct Text {
    start: AtomicPtr<u8>,
    len: AtomicUsize,
}

impl Text {
    /// No text.
    pub(crate) const fn new() -> Self {
        Self {
            start: AtomicPtr::new(null_mut()),
            len: AtomicUsize::new(0),
        }
    }

    /// Sets the text, once, before anybody else can reach it.
    pub(crate) fn set(&self, text: &'static str) {
        // Relaxed: seen by who sees the start.
        self.len.store(text.len(), Ordering::Relaxed);
        // Release: whoever sees the start sees the length.
        self.start
            .store(text.as_ptr().cast_mut(), Ordering::Release);
    }

    /// The text.
    pub(crate) fn get(&self) -> &'static str {
        // Acquire: with the start comes the length.
        let start = self.start.load(Ordering::Acquire);
        if start.is_null() {
            return "";
        }
        // SAFETY: start and length are those of one `&'static str`: `set` is called once, and
        // stores the length first.
        unsafe {
            std::str::from_utf8_unchecked(std::slice::from_raw_parts(
                start,
                self.len.load(Ordering::Relaxed),
            ))
        }
    }
}

/// A copy of a text that lives for ever; empty where the system has no memory left.
pub(crate) fn keep(text: &str) -> &'static str {
    let Some(copy) = Layout::array::<u8>(text.len()).ok().and_then(take) else {
        return "";
    };
    // SAFETY: the copy is as long as the text, is nobody else's, and is never freed; its bytes are
    // those of a `str`.
    unsafe {
        copy.copy_from_nonoverlapping(text.as_ptr(), text.len());
        std::str::from_utf8_unchecked(std::slice::from_raw_parts(copy, text.len()))
    }
}

// SAFETY: nothing but atomics, for which zeroes are valid (a null pointer, a number 0, `false`),
// and slots and texts made of them.
unsafe impl Zeroed for super::shard::Shard {}
// SAFETY: as above.
unsafe impl Zeroed for super::shard::Page {}
// SAFETY: as above.
unsafe impl Zeroed for super::records::Chunk {}
// SAFETY: as above.
unsafe impl Zeroed for super::tags::Infos {}
// SAFETY: as above.
unsafe impl Zeroed for super::threads::Name {}
