//! The tracker's own memory: taken from the system's allocator, zeroed, counted as overhead, and
//! never freed once it is used.
#![expect(
    unsafe_code,
    reason = "the values behind these pointers live forever, which the compiler cannot see"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

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
pub(super) fn take(layout: Layout) -> Option<*mut u8> {
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
