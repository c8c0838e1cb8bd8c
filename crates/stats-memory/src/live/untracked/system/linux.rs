//! Linux and Android, which list the mappings in a file, and the allocator of glibc.
#![cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "asks the C library")
)]

use std::fs::File;
use std::io::{self, BufReader};

use super::smaps::read_all;
use crate::HeapUsage;
use crate::live::untracked::account::Kind;
use crate::live::untracked::mapping::Mapping;

/// The kinds of memory that the mappings tell apart.
pub(in crate::live::untracked) const TOLD: &[Kind] = &[
    Kind::Files,
    Kind::Devices,
    Kind::Shared,
    Kind::Stacks,
    Kind::Code,
];

/// Returns whether the system lists the mappings.
pub(in crate::live::untracked) fn is_told() -> bool {
    open().is_ok()
}

/// Returns the mappings of the process.
pub(in crate::live::untracked) fn mappings() -> io::Result<Vec<Mapping>> {
    read_all(open()?)
}

fn open() -> io::Result<BufReader<File>> {
    Ok(BufReader::with_capacity(
        1 << 16,
        File::open("/proc/self/smaps")?,
    ))
}

/// Returns how much the allocator of the C library uses; known with glibc 2.33 and later.
pub(in crate::live::untracked) fn heap() -> Option<HeapUsage> {
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
            free_bytes: Some(info.fordblks as u64),
        })
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    None
}
