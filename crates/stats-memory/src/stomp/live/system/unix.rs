//! Memory and threads by way of `libc`: Linux and macOS.
#![expect(unsafe_code, reason = "the system's functions are foreign ones")]

use std::ptr::{null_mut, with_exposed_provenance_mut};

const ANONYMOUS: i32 = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_NORESERVE;

/// Bytes of a page.
pub(crate) fn page_bytes() -> usize {
    // SAFETY: reads a number that the process was started with.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(bytes)
        .ok()
        .filter(|bytes| bytes.is_power_of_two())
        .unwrap_or(4096)
}

/// Address space that nothing may be done with yet.
pub(crate) fn reserve(bytes: usize) -> Option<usize> {
    // SAFETY: a new mapping, where the system likes it.
    let start = unsafe { libc::mmap(null_mut(), bytes, libc::PROT_NONE, ANONYMOUS, -1, 0) };
    // Exposed: pages are handed out, and records read, by their addresses.
    (start != libc::MAP_FAILED).then(|| start.expose_provenance())
}

/// Gives back what was reserved.
pub(crate) fn release(start: usize, bytes: usize) {
    // SAFETY: reserved by the caller, who has given nothing of it away.
    unsafe { libc::munmap(with_exposed_provenance_mut(start), bytes) };
}

/// Lets pages of a reservation be read and written. Those that are closed hold zeroes.
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

/// Closes pages of a reservation and gives their memory back: a new mapping in the place of the old
/// one, which is one with its closed neighbours to the kernel.
pub(crate) fn close(start: usize, bytes: usize) -> bool {
    // SAFETY: pages of our own reservation, which nobody may touch any more.
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

/// Mappings that are left to the rest of the program.
#[cfg(target_os = "linux")]
const SPARE_MAPPINGS: usize = 4096;

/// How many spans may be open at a time: each is a mapping, and splits another one.
#[cfg(target_os = "linux")]
pub(crate) fn most_open_spans() -> usize {
    let mut text = [0_u8; 20];
    // SAFETY: reads a file into an array of ours, and closes it.
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
    // The kernel's default, where it does not tell.
    number
        .unwrap_or(65_530_usize)
        .saturating_sub(SPARE_MAPPINGS)
        / 2
}

/// How many spans may be open at a time: no limit is known.
#[cfg(target_os = "macos")]
pub(crate) fn most_open_spans() -> usize {
    usize::MAX
}

/// Whether pages of the reservation can be guarded each on its own. If so, they are from now on.
#[cfg(target_os = "linux")]
pub(crate) fn use_markers(start: usize, bytes: usize, page: usize) -> bool {
    if !guard(start, page) || !unguard(start, page) {
        return false;
    }
    // A large page would have to be split again by each guard. That it is refused where the kernel
    // has none does not matter.
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

/// Makes pages inaccessible and gives their memory back, in whatever mapping they are. Linux 6.13.
#[cfg(target_os = "linux")]
pub(crate) fn guard(start: usize, bytes: usize) -> bool {
    const MADV_GUARD_INSTALL: i32 = 102;
    // SAFETY: pages of our own reservation, which nobody may touch any more.
    bytes == 0
        || unsafe {
            libc::madvise(
                with_exposed_provenance_mut(start),
                bytes,
                MADV_GUARD_INSTALL,
            ) == 0
        }
}

/// Undoes [`guard`]; the pages hold zeroes.
#[cfg(target_os = "linux")]
pub(crate) fn unguard(start: usize, bytes: usize) -> bool {
    const MADV_GUARD_REMOVE: i32 = 103;
    // SAFETY: pages of our own reservation.
    bytes == 0
        || unsafe {
            libc::madvise(with_exposed_provenance_mut(start), bytes, MADV_GUARD_REMOVE) == 0
        }
}

/// Writes to the error stream, as much as it takes.
pub(crate) fn write_error(mut text: &[u8]) {
    while !text.is_empty() {
        // SAFETY: the bytes of a slice; `write` may be called from a signal handler.
        let written = unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
        match usize::try_from(written) {
            Ok(written @ 1..) => text = text.get(written..).unwrap_or_default(),
            _ => return,
        }
    }
}

/// The number of this thread.
#[cfg(target_os = "linux")]
pub(crate) fn thread_id() -> u32 {
    // SAFETY: always succeeds, also in a signal handler.
    unsafe { libc::gettid() }.cast_unsigned()
}

/// The number of this thread.
#[cfg(target_os = "macos")]
pub(crate) fn thread_id() -> u32 {
    let mut id = 0;
    // SAFETY: 0 is this thread; the number is written to a variable of ours.
    unsafe { libc::pthread_threadid_np(0, &mut id) };
    id as u32
}

/// Lets others run.
pub(crate) fn yield_now() {
    // SAFETY: always succeeds, also in a signal handler.
    unsafe { libc::sched_yield() };
}
