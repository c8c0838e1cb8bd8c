//! The handler of access violations.
#![expect(unsafe_code, reason = "installs a handler, which foreign code calls")]

use std::sync::atomic::{AtomicBool, Ordering};

use windows_sys::Win32::Foundation::EXCEPTION_ACCESS_VIOLATION;
use windows_sys::Win32::System::Diagnostics::Debug::{
    AddVectoredExceptionHandler, EXCEPTION_CONTINUE_SEARCH, EXCEPTION_POINTERS,
};

use super::explain;

/// Whether the handler is installed.
static IS_WATCHING: AtomicBool = AtomicBool::new(false);

/// Installs the handler of faults. Called after each guarded allocation.
#[inline]
pub(crate) fn watch() {
    // Relaxed, both: exactly one thread gets to install, and needs nothing from the others.
    if !IS_WATCHING.load(Ordering::Relaxed) && !IS_WATCHING.swap(true, Ordering::Relaxed) {
        // SAFETY: a handler with the signature that the system expects, which is never removed.
        unsafe { AddVectoredExceptionHandler(1, Some(on_exception)) };
    }
}

/// Reports a fault in a reservation. The search for a handler continues in any case.
unsafe extern "system" fn on_exception(exception: *mut EXCEPTION_POINTERS) -> i32 {
    // SAFETY: the system passes valid pointers.
    let record = unsafe { &*(*exception).ExceptionRecord };
    if record.ExceptionCode == EXCEPTION_ACCESS_VIOLATION && record.NumberParameters >= 2 {
        let is_write = match record.ExceptionInformation[0] {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        };
        explain(record.ExceptionInformation[1], is_write);
    }
    EXCEPTION_CONTINUE_SEARCH
}
