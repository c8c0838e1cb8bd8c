//! Memory and threads through `libc`: Linux and macOS.
#![expect(unsafe_code, reason = "calls foreign functions")]

use std::ptr::{null_mut, with_exposed_provenance_mut};

const ANONYMOUS: i32 = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_NORESERVE;

/// Returns the size of a page in bytes.
pub(crate) fn page_bytes() -> usize {
    // SAFETY: reads a number that is fixed when the process starts.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(bytes)
        .ok()
        .filter(|bytes| bytes.is_power_of_two())
        .unwrap_or(4096)
}

/// Reserves address space that is not accessible yet.
pub(crate) fn reserve(bytes: usize) -> Option<usize> {
    // SAFETY: a new mapping, at an address of the system's choice.
    let start = unsafe { libc::mmap(null_mut(), bytes, libc::PROT_NONE, ANONYMOUS, -1, 0) };
    // Exposed: pages are handed out, and records read, by their addresses.
    (start != libc::MAP_FAILED).then(|| start.expose_provenance())
}

/// Gives a reservation back.
pub(crate) fn release(start: usize, bytes: usize) {
    // SAFETY: the caller reserved it, and has handed out none of it.
    unsafe { libc::munmap(with_exposed_provenance_mut(start), bytes) };
}

/// Makes pages of a reservation readable and writable. Pages that were closed contain zeroes.
pub(crate) fn open(start: usize, bytes: usize) -> bool {
    // SAFETY: pages of our own reservation.
    unsafe {
        libc::mprotect(
            with_exposed_provenance_mut(start),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
        ) == 0
    }
}

/// Closes pages of a reservation, and gives their memory back. A new mapping replaces the old one,
/// and the kernel merges it with its closed neighbors.
pub(crate) fn close(start: usize, bytes: usize) -> bool {
    // SAFETY: pages of our own reservation, which nothing refers to anymore.
    unsafe {
        libc::mmap(
            with_exposed_provenance_mut(start),
            bytes,
            libc::PROT_NONE,
            ANONYMOUS | libc::MAP_FIXED,
            -1,
            0,
        ) != libc::MAP_FAILED
            || libc::mprotect(with_exposed_provenance_mut(start), bytes, libc::PROT_NONE) == 0
                && libc::madvise(
                    with_exposed_provenance_mut(start),
                    bytes,
                    libc::MADV_DONTNEED,
                ) == 0
    }
}

/// The number of mappings left to the rest of the program.
#[cfg(target_os = "linux")]
const SPARE_MAPPINGS: usize = 4096;

/// Returns how many spans may be open at a time: each is a mapping, and splits another one.
#[cfg(target_os = "linux")]
pub(crate) fn most_open_spans() -> usize {
    let mut text = [0_u8; 20];
    // SAFETY: reads a file into our own array, and closes it.
    let len = unsafe {
        let file = libc::open(
            c"/proc/sys/vm/max_map_count".as_ptr(),
            libc::O_RDONLY | libc::O_CLOEXEC,
        );
        let len = libc::read(file, text.as_mut_ptr().cast(), text.len());
        libc::close(file);
        usize::try_from(len).unwrap_or_default()
    };
    let number = text
        .get(..len)
        .and_then(|text| str::from_utf8(text).ok())
        .and_then(|text| text.trim().parse().ok());
    // Without the file, the kernel's default is assumed.
    number
        .unwrap_or(65_530_usize)
        .saturating_sub(SPARE_MAPPINGS)
        / 2
}

/// Returns how many spans may be open at a time: no limit is known.
#[cfg(target_os = "macos")]
pub(crate) fn most_open_spans() -> usize {
    usize::MAX
}

/// Returns whether pages of the reservation can be guarded one by one. If so, prepares it for that.
#[cfg(target_os = "linux")]
pub(crate) fn use_markers(start: usize, bytes: usize, page: usize) -> bool {
    if !guard(start, page) || !unguard(start, page) {
        return false;
    }
    // Each guard would have to split a large page again. The call fails on a kernel without large
    // pages, which does not matter.
    // SAFETY: pages of our own reservation.
    unsafe {
        libc::madvise(
            with_exposed_provenance_mut(start),
            bytes,
            libc::MADV_NOHUGEPAGE,
        )
    };
    true
}

/// Makes pages inaccessible, regardless of their mapping, and gives their memory back. Linux 6.13.
#[cfg(target_os = "linux")]
pub(crate) fn guard(start: usize, bytes: usize) -> bool {
    const MADV_GUARD_INSTALL: i32 = 102;
    // SAFETY: pages of our own reservation, which nothing refers to anymore.
    bytes == 0
        || unsafe {
            libc::madvise(
                with_exposed_provenance_mut(start),
                bytes,
                MADV_GUARD_INSTALL,
            ) == 0
        }
}

/// Undoes [`guard`]. The pages contain zeroes.
#[cfg(target_os = "linux")]
pub(crate) fn unguard(start: usize, bytes: usize) -> bool {
    const MADV_GUARD_REMOVE: i32 = 103;
    // SAFETY: pages of our own reservation.
    bytes == 0
        || unsafe {
            libc::madvise(with_exposed_provenance_mut(start), bytes, MADV_GUARD_REMOVE) == 0
        }
}

/// Writes to the error stream, as far as it accepts the text.
pub(crate) fn write_error(mut text: &[u8]) {
    while !text.is_empty() {
        // SAFETY: the bytes of a slice. A signal handler may call `write`.
        let written = unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
        match usize::try_from(written) {
            Ok(written @ 1..) => text = text.get(written..).unwrap_or_default(),
            _ => return,
        }
    }
}

/// Returns the system's number of this thread.
#[cfg(target_os = "linux")]
pub(crate) fn thread_id() -> u32 {
    // SAFETY: always succeeds, even in a signal handler.
    unsafe { libc::gettid() }.cast_unsigned()
}

/// Returns the system's number of this thread.
#[cfg(target_os = "macos")]
pub(crate) fn thread_id() -> u32 {
    let mut id = 0;
    // SAFETY: 0 is this thread. The number is written to a local variable.
    unsafe { libc::pthread_threadid_np(0, &mut id) };
    id as u32
}

/// Lets other threads run.
pub(crate) fn yield_now() {
    // SAFETY: always succeeds, even in a signal handler.
    unsafe { libc::sched_yield() };
}
