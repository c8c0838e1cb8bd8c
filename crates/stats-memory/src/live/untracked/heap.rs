//! The memory that the system's allocator uses.
#![cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "asks the C library")
)]

use crate::HeapUsage;

/// Returns how much the allocator of the C library uses, which is the one that
/// [`System`](std::alloc::System) and C libraries allocate from. For
/// [`watch_untracked`](crate::watch_untracked()).
///
/// Returns `None` except with glibc 2.33 and later. glibc locks each of its arenas and walks
/// through their free blocks, which takes microseconds to milliseconds.
#[must_use]
pub fn system_heap() -> Option<HeapUsage> {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        type Mallinfo = unsafe extern "C" fn() -> libc::mallinfo2;
        // SAFETY: the name ends with a zero.
        let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"mallinfo2".as_ptr()) };
        if found.is_null() {
            return None;
        }
        // SAFETY: the C library's function of that name has this type, and can always be called.
        let info = unsafe { std::mem::transmute::<*mut libc::c_void, Mallinfo>(found)() };
        Some(HeapUsage {
            used_bytes: (info.uordblks + info.hblkhd) as u64,
            free_bytes: info.fordblks as u64,
        })
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    None
}
