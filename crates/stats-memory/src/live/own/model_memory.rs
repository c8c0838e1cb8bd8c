//! Memory that is never freed, in models: zeroed bytes are not an atomic of loom's.
#![expect(unsafe_code, reason = "leaks memory, and takes it back")]

use std::ptr::NonNull;

/// Starts as the tracker's zeroed memory does.
pub(crate) trait Zeroed: Sync + 'static {
    fn zeroed() -> Self;
}

pub(super) fn make<T: Zeroed>() -> Option<NonNull<T>> {
    Some(NonNull::from(Box::leak(Box::new(T::zeroed()))))
}

/// # Safety
///
/// [`make`] returned it, and nobody else has it.
pub(super) unsafe fn give_back<T: Zeroed>(made: NonNull<T>) {
    // SAFETY: leaked by `make`, as the caller says, and without another owner.
    drop(unsafe { Box::from_raw(made.as_ptr()) });
}
