//! macOS and iOS: the clock of the calling thread. The systems do not tell how long a thread was
//! ready, and count page faults and preemptions for the whole process only.

#![expect(unsafe_code, reason = "the C library asks for pointers")]

use std::mem::MaybeUninit;

use crate::figures::Totals;

/// Returns the totals of the calling thread.
pub(crate) fn own_totals() -> Totals {
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: the pointer is valid, and the function fills in the structure if it returns 0.
    let time = unsafe {
        (libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, time.as_mut_ptr()) == 0)
            .then(|| time.assume_init())
    };
    Totals {
        running_ms: time.map_or(f64::NAN, |time| {
            time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
        }),
        ..Totals::UNKNOWN
    }
}
