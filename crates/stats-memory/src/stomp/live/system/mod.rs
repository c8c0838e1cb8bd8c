//! The system calls of the allocator: address space and its protection, threads, and the error
//! stream.

#[cfg(unix)]
mod fault_stack;
#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(crate) use {fault_stack::FaultStack, unix::*};

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub(crate) use windows::*;

/// Guard markers exist only on Linux.
#[cfg(not(target_os = "linux"))]
mod no_markers {
    pub(crate) fn use_markers(_: usize, _: usize, _: usize) -> bool {
        false
    }

    pub(crate) fn guard(_: usize, _: usize) -> bool {
        false
    }

    pub(crate) fn unguard(_: usize, _: usize) -> bool {
        false
    }
}
#[cfg(not(target_os = "linux"))]
pub(crate) use no_markers::{guard, unguard, use_markers};
