//! The alternate signal stack of a thread. The standard library's has little more than 8 KiB, and
//! the kernel uses half of that: too little to report a fault in a debug build.
#![expect(unsafe_code, reason = "calls foreign functions")]

use std::mem::MaybeUninit;
use std::ptr::null_mut;

/// The size of the stack: enough for a report, even in a debug build.
const BYTES: usize = 64 * 1024;

/// The stack of one thread.
#[derive(Debug)]
pub(crate) struct FaultStack(usize);

impl FaultStack {
    /// Gives this thread a stack, unless it has one that is large enough.
    pub(crate) fn install() -> Option<Self> {
        let now = current();
        let is_there = now.ss_flags & libc::SS_DISABLE == 0;
        if is_there && (now.ss_size >= BYTES || now.ss_flags & libc::SS_ONSTACK != 0) {
            return None;
        }
        // SAFETY: a new mapping, at an address of the system's choice.
        let start = unsafe {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
            libc::mmap(
                null_mut(),
                BYTES,
                libc::PROT_READ | libc::PROT_WRITE,
                flags,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return None;
        }
        let stack = libc::stack_t {
            ss_sp: start,
            ss_flags: 0,
            ss_size: BYTES,
        };
        // SAFETY: the stack belongs to this thread until `remove` takes it away.
        unsafe { libc::sigaltstack(&stack, null_mut()) };
        Some(Self(start.expose_provenance()))
    }

    /// Takes the stack away from this thread, which is about to end.
    pub(crate) fn remove(self) {
        let now = current();
        let is_in_use = now.ss_flags & libc::SS_ONSTACK != 0;
        if is_in_use {
            return;
        }
        let none = libc::stack_t {
            ss_sp: null_mut(),
            ss_flags: libc::SS_DISABLE,
            ss_size: BYTES,
        };
        // SAFETY: after the first call, no handler runs on the stack anymore; then it is given
        // back.
        unsafe {
            if now.ss_flags & libc::SS_DISABLE == 0 && now.ss_sp.addr() == self.0 {
                libc::sigaltstack(&none, null_mut());
            }
            libc::munmap(std::ptr::with_exposed_provenance_mut(self.0), BYTES);
        }
    }
}

/// Returns the stack that this thread has.
fn current() -> libc::stack_t {
    let mut now = MaybeUninit::<libc::stack_t>::zeroed();
    // SAFETY: asks for the current stack; zeroes are valid if that fails.
    unsafe {
        libc::sigaltstack(std::ptr::null(), now.as_mut_ptr());
        now.assume_init()
    }
}
