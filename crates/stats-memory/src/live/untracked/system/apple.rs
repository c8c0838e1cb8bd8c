//! macOS and iOS, which tell the memory of the process as a whole, and that of all allocators of the C
//! library.
#![expect(unsafe_code, reason = "asks the kernel and the C library")]

use std::io;
use std::mem::MaybeUninit;
use std::ptr;

use crate::HeapUsage;
use crate::live::untracked::account::Kind;
use crate::live::untracked::mapping::Mapping;

/// None: the list of mappings needs functions of the kernel that the crate libc does not have.
pub(in crate::live::untracked) const TOLD: &[Kind] = &[];

/// Returns whether the system tells the memory of the process.
pub(in crate::live::untracked) fn is_told() -> bool {
    mappings().is_ok()
}

/// Returns all resident memory as one mapping without a name.
pub(in crate::live::untracked) fn mappings() -> io::Result<Vec<Mapping>> {
    let mut info = MaybeUninit::<libc::mach_task_basic_info>::zeroed();
    let mut count = libc::MACH_TASK_BASIC_INFO_COUNT;
    #[expect(deprecated, reason = "its replacement is another crate")]
    // SAFETY: returns the port of this task, which lives as long as the process.
    let task = unsafe { libc::mach_task_self() };
    // SAFETY: the kernel writes at most `count` words, which is the size of `info` in words.
    let result = unsafe {
        libc::task_info(
            task,
            libc::MACH_TASK_BASIC_INFO,
            info.as_mut_ptr().cast(),
            &mut count,
        )
    };
    if result != libc::KERN_SUCCESS {
        return Err(io::ErrorKind::Unsupported.into());
    }
    // SAFETY: all its fields are integers, which were zero or written by the kernel.
    let resident_bytes = unsafe { info.assume_init() }.resident_size;
    Ok(vec![Mapping {
        resident_bytes,
        ..Mapping::default()
    }])
}

/// Returns how much all zones of the C library use. What they keep free is not known: they reserve
/// addresses that are not in memory.
pub(in crate::live::untracked) fn heap() -> Option<HeapUsage> {
    let mut statistics = MaybeUninit::<libc::malloc_statistics_t>::zeroed();
    // SAFETY: no zone means all of them, and the function writes to the structure.
    unsafe { libc::malloc_zone_statistics(ptr::null_mut(), statistics.as_mut_ptr()) };
    // SAFETY: all its fields are integers, which were zero or written.
    let used_bytes = unsafe { statistics.assume_init() }.size_in_use as u64;
    (used_bytes > 0).then_some(HeapUsage {
        used_bytes,
        free_bytes: None,
    })
}
