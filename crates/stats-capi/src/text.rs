//! Strings of C programs.

use std::ffi::{CStr, c_char};

use crate::StatsStatus;

/// Returns a string of a C program.
///
/// # Safety
///
/// The pointer is null, or points to a NUL-terminated string that does not change while the result
/// is in use.
pub(crate) unsafe fn text<'a>(text: *const c_char) -> Result<&'a str, StatsStatus> {
    if text.is_null() {
        return Err(StatsStatus::NullPointer);
    }
    // SAFETY: it is not null, and the caller guarantees the rest.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| StatsStatus::InvalidUtf8)
}
