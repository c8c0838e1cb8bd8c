//! Memory and threads through `windows-sys`.
#![expect(unsafe_code, reason = "calls foreign functions")]

use std::mem::MaybeUninit;
use std::ptr::{null_mut, with_exposed_provenance, with_exposed_provenance_mut};

use windows_sys::Win32::Storage::FileSystem::WriteFile;
use windows_sys::Win32::System::Console::{GetStdHandle, STD_ERROR_HANDLE};
use windows_sys::Win32::System::Memory::{
    MEM_COMMIT, MEM_DECOMMIT, MEM_RELEASE, MEM_RESERVE, PAGE_NOACCESS, PAGE_READWRITE,
    VirtualAlloc, VirtualFree,
};
use windows_sys::Win32::System::SystemInformation::GetSystemInfo;
use windows_sys::Win32::System::Threading::{GetCurrentThreadId, SwitchToThread};

/// Returns the size of a page in bytes.
pub(crate) fn page_bytes() -> usize {
    let mut system = MaybeUninit::zeroed();
    // SAFETY: the system fills the structure, for which zeroes are valid.
    let bytes = unsafe {
        GetSystemInfo(system.as_mut_ptr());
        system.assume_init().dwPageSize as usize
    };
    if bytes.is_power_of_two() { bytes } else { 4096 }
}

/// Reserves address space that is not accessible yet.
pub(crate) fn reserve(bytes: usize) -> Option<usize> {
    // SAFETY: a new reservation, at an address of the system's choice.
    let start = unsafe { VirtualAlloc(null_mut(), bytes, MEM_RESERVE, PAGE_NOACCESS) };
    // Exposed: pages are handed out, and records read, by their addresses.
    (!start.is_null()).then(|| start.expose_provenance())
}

/// Gives a reservation back.
pub(crate) fn release(start: usize, _: usize) {
    // SAFETY: the caller reserved it, and has handed out none of it. A size of 0 releases a whole
    // reservation.
    unsafe { VirtualFree(with_exposed_provenance_mut(start), 0, MEM_RELEASE) };
}

/// Makes pages of a reservation readable and writable. Pages that were closed contain zeroes; open
/// ones do not change.
pub(crate) fn open(start: usize, bytes: usize) -> bool {
    // SAFETY: pages of our own reservation.
    unsafe {
        !VirtualAlloc(
            with_exposed_provenance(start),
            bytes,
            MEM_COMMIT,
            PAGE_READWRITE,
        )
        .is_null()
    }
}

/// Closes pages of a reservation, and gives their memory back.
pub(crate) fn close(start: usize, bytes: usize) -> bool {
    // SAFETY: pages of our own reservation, which nothing refers to anymore.
    unsafe { VirtualFree(with_exposed_provenance_mut(start), bytes, MEM_DECOMMIT) != 0 }
}

/// Returns how many spans may be open at a time: no limit is known.
pub(crate) fn most_open_spans() -> usize {
    usize::MAX
}

/// Writes to the error stream, as far as it accepts the text.
pub(crate) fn write_error(mut text: &[u8]) {
    while !text.is_empty() {
        let mut written = 0;
        let len = u32::try_from(text.len()).unwrap_or(u32::MAX);
        // SAFETY: the bytes of a slice. The call fails if there is no error stream.
        let is_written = unsafe {
            WriteFile(
                GetStdHandle(STD_ERROR_HANDLE),
                text.as_ptr(),
                len,
                &mut written,
                null_mut(),
            )
        };
        if is_written == 0 || written == 0 {
            return;
        }
        text = text.get(written as usize..).unwrap_or_default();
    }
}

/// Returns the system's number of this thread.
pub(crate) fn thread_id() -> u32 {
    // SAFETY: always succeeds.
    unsafe { GetCurrentThreadId() }
}

/// Lets other threads run.
pub(crate) fn yield_now() {
    // SAFETY: always succeeds.
    unsafe { SwitchToThread() };
}

/// The stack for a thread's handlers. They run on the thread's own stack here.
#[derive(Debug)]
pub(crate) struct FaultStack;

impl FaultStack {
    /// Does nothing: no stack is needed.
    pub(crate) fn install() -> Option<Self> {
        None
    }

    /// Does nothing.
    pub(crate) fn remove(self) {}
}
