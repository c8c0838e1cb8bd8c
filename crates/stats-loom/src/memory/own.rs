//! Memory that lives for ever, as the tracker's own; made whole here, since zeroes are no atomics
//! of loom's.

use std::ptr::NonNull;

/// Begins as the tracker's zeroed memory does.
pub(super) trait Zeroed: Sync + 'static {
    fn zeroed() -> Self;
}

pub(super) fn make<T: Zeroed>() -> Option<NonNull<T>> {
    Some(NonNull::from(Box::leak(Box::new(T::zeroed()))))
}

/// # Safety
///
/// [`make`] gave it, and nobody else has it.
pub(super) unsafe fn give_back<T: Zeroed>(made: NonNull<T>) {
    // SAFETY: leaked by `make`, as the caller says, and nobody else's.
    drop(unsafe { Box::from_raw(made.as_ptr()) });
}
