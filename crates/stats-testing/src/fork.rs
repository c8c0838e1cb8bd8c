//! Children of `fork`.
#![expect(unsafe_code, reason = "a process forks through libc")]

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `work` in a forked child of this process, and returns whether it returned `true`. `false`
/// also if it panicked, or took 20 seconds: a child waits forever for a lock that another thread
/// held.
///
/// # Panics
///
/// Panics if no child can be forked.
pub fn in_child(work: impl FnOnce() -> bool) -> bool {
    // SAFETY: the child runs `work` and ends without another destructor. It is killed if it waits.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: has no conditions.
        unsafe { libc::alarm(20) };
        let is_fine = catch_unwind(AssertUnwindSafe(work)).unwrap_or(false);
        // SAFETY: ends this process.
        unsafe { libc::_exit(i32::from(!is_fine)) };
    }
    assert!(child > 0, "no child was forked");
    let mut status = -1;
    // SAFETY: the child exists, and the status can be written.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    status == 0
}
