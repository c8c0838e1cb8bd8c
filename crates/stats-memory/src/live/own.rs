//! The tracker's own memory: taken from the system's allocator, zeroed, counted as overhead, and
//! never freed once it is used.
#![expect(
    unsafe_code,
    reason = "the values behind these pointers live forever, which the compiler cannot see"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicI64, AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use super::balance::Known;
use super::cell::Cell;
use super::slot::Slot;

/// Bytes taken so far.
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// Returns how many bytes the tracker has taken for itself.
pub(crate) fn taken() -> usize {
    // Relaxed, here and where it changes: it is only a number.
    TAKEN.load(Ordering::Relaxed)
}

/// A type that may start as zeroed memory.
///
/// # Safety
///
/// Zeroed memory is a valid value, and its destructor need not run.
pub(crate) unsafe trait Zeroed: Sync + 'static {}

/// Takes zeroed memory. `None` if the system has none left.
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

/// Takes zeroed memory for a value. `None` if the system has none left.
pub(super) fn make<T: Zeroed>() -> Option<NonNull<T>> {
    NonNull::new(take(Layout::new::<T>())?.cast())
}

/// Gives back memory that turned out not to be needed.
///
/// # Safety
///
/// [`make`] returned it, and nobody else has it.
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

/// A text that lives forever. Empty until it is set.
#[derive(Debug)]
pub(crate) struct Text {
    start: AtomicPtr<u8>,
    len: AtomicUsize,
}

impl Text {
    /// Creates an empty text.
    pub(crate) const fn new() -> Self {
        Self {
            start: AtomicPtr::new(null_mut()),
            len: AtomicUsize::new(0),
        }
    }

    /// Sets the text. Called once, before any other thread can reach it.
    pub(crate) fn set(&self, text: &'static str) {
        // Relaxed: visible to whoever sees the start.
        self.len.store(text.len(), Ordering::Relaxed);
        // Release: whoever sees the start sees the length.
        self.start
            .store(text.as_ptr().cast_mut(), Ordering::Release);
    }

    /// Returns the text.
    pub(crate) fn get(&self) -> &'static str {
        // Acquire: the start comes with the length.
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

/// Copies a text into memory that lives forever. Returns an empty text if the system has no memory
/// left.
pub(crate) fn keep(text: &str) -> &'static str {
    let Some(copy) = Layout::array::<u8>(text.len()).ok().and_then(take) else {
        return "";
    };
    // SAFETY: the copy is as long as the text, has no other owner and is never freed. Its bytes are
    // those of a `str`.
    unsafe {
        copy.copy_from_nonoverlapping(text.as_ptr(), text.len());
        std::str::from_utf8_unchecked(std::slice::from_raw_parts(copy, text.len()))
    }
}

// SAFETY: nothing but atomics, for which zeroes are valid (a null pointer, a number 0, `false`),
// and slots and texts built from them.
unsafe impl Zeroed for super::shard::Shard {}
// SAFETY: as above.
unsafe impl Zeroed for super::shard::Page {}
// SAFETY: as above.
unsafe impl Zeroed for super::records::Chunk {}
// SAFETY: as above.
unsafe impl Zeroed for super::tags::Infos {}
// SAFETY: as above.
unsafe impl Zeroed for super::threads::Name {}
