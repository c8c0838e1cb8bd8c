//! The memory that the system's allocator uses.

use super::system;
use crate::HeapUsage;

/// Returns how much the allocator of the C library uses, which is the one that
/// [`System`](std::alloc::System) and C libraries allocate from. For
/// [`watch_untracked`](crate::watch_untracked()).
///
/// Known on Windows, on Linux with glibc 2.33 and later, and on macOS and iOS, which do not tell
/// what the allocator keeps free. `None` elsewhere. glibc locks each of its arenas and walks
/// through their free blocks, which takes microseconds to milliseconds.
#[must_use]
pub fn system_heap() -> Option<HeapUsage> {
    system::heap()
}
