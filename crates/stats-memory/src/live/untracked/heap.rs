//! The memory that the system's allocator uses.

use super::system;
use crate::HeapUsage;

/// Returns how much the allocator of the C library uses, which is the one that
/// [`System`](std::alloc::System) and C libraries allocate from. For
/// [`watch_untracked`](crate::watch_untracked()).
///
/// Known on Linux with glibc 2.33 and later, on macOS and iOS without what it keeps free, and on
/// Windows; `None` elsewhere. glibc locks each of its arenas and walks through their free blocks, which
/// takes microseconds to milliseconds.
#[must_use]
pub fn system_heap() -> Option<HeapUsage> {
    system::heap()
}
