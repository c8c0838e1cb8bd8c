//! Faults outside the allocator's memory, and correct programs.

use std::hint::black_box;

use crate::acts::{by_culprit, free, made, read, write};
use crate::child::Case;
use crate::child::End::{Abort, Fault, SayingAll, Silent, Well};

pub(crate) const ALL: &[Case] = &[
    ("nothing", nothing, Well),
    (
        "fault elsewhere",
        || read(std::ptr::without_provenance(64), 0),
        Silent(11),
    ),
    (
        "stack overflow",
        || assert_ne!(deep(0), 0),
        Abort(&["thread 'main' (", "has overflowed its stack"]),
    ),
    (
        "stack overflow of a thread",
        || by_culprit(|| assert_ne!(deep(0), 0)),
        Abort(&["thread 'culprit' (", "has overflowed its stack"]),
    ),
    #[cfg(unix)]
    ("segmentation fault that was sent", sent, Silent(11)),
    #[cfg(unix)]
    (
        "a handler of the program that passes faults on",
        || with_passing_handler(|| read(freed(), 0)),
        Fault(&["use after free: read of 0x", " of a freed allocation of "]),
    ),
    #[cfg(unix)]
    (
        "a handler of the program, and a fault elsewhere",
        || with_passing_handler(|| read(std::ptr::without_provenance(64), 0)),
        Silent(11),
    ),
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    (
        "former: a handler that is called as its flags request",
        former::twice,
        SayingAll(&[former::CALLED, former::CALLED]),
    ),
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    (
        "former once: a handler that is called once and not deferred",
        former::twice,
        Fault(&[former::CALLED]),
    ),
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    (
        "former once: a handler that comes after our message",
        || read(freed(), 0),
        Fault(&["use after free", former::CALLED]),
    ),
];

fn nothing() {
    for (size, align) in [
        (1, 1),
        (100, 64),
        (4096, 4096),
        (4097, 1),
        (9000, 8192),
        (100, 1 << 21),
    ] {
        let made = made(size, align);
        write(made, 0);
        write(made, size as isize - 1);
        free(made, size, align);
    }
    let text: String = (0..1000).map(|number| format!("{number} ")).collect();
    assert_eq!(text.len(), 3890);
}

#[expect(unconditional_recursion, reason = "that is what is tested")]
fn deep(depth: usize) -> usize {
    let here = black_box([depth; 64]);
    deep(depth + 1) + black_box(here)[depth % 64]
}

#[cfg(unix)]
fn sent() {
    drop(black_box(vec![0_u8; 100]));
    // Rust's own handler takes the first signal, and then restores the default.
    for _ in 0..2 {
        // SAFETY: returns once the signal was handled.
        unsafe { libc::raise(libc::SIGSEGV) };
    }
}

fn freed() -> *mut u8 {
    let freed = made(100, 4);
    free(freed, 100, 4);
    freed
}

/// Runs `act` with a handler of the program in front of ours.
#[cfg(unix)]
fn with_passing_handler(act: fn()) {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static FORMER: AtomicUsize = AtomicUsize::new(0);
    extern "C" fn pass_on(signal: i32, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
        // SAFETY: our handler, which takes these arguments.
        let former: extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void) =
            unsafe { std::mem::transmute(FORMER.load(Ordering::Relaxed)) };
        former(signal, info, context);
    }
    drop(black_box(vec![0_u8; 100]));
    // SAFETY: zeroes are a valid action; the handler matches its flags.
    unsafe {
        let (mut own, mut former): (libc::sigaction, libc::sigaction) =
            (std::mem::zeroed(), std::mem::zeroed());
        own.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        own.sa_sigaction = pass_on as *const () as usize;
        assert_eq!(
            libc::sigaction(libc::SIGSEGV, &raw const own, &raw mut former),
            0
        );
        FORMER.store(former.sa_sigaction, Ordering::Relaxed);
    }
    act();
}

/// A handler that is installed before Rust's runtime, and therefore before ours, in cases named
/// accordingly.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod former {
    use std::ffi::{CStr, c_char, c_int};
    use std::mem::zeroed;
    use std::ptr::null_mut;

    pub(super) const CALLED: &str = "called as its flags request\n";
    const ONCE: c_int = libc::SA_NODEFER | libc::SA_RESETHAND;

    #[used]
    #[unsafe(link_section = ".init_array")]
    static EARLY: extern "C" fn(c_int, *const *const c_char) = early;

    extern "C" fn early(count: c_int, arguments: *const *const c_char) {
        // SAFETY: the system passes this number of arguments; one of them may be null. The handlers
        // match their flags.
        unsafe {
            let name = if count < 2 {
                c""
            } else {
                CStr::from_ptr(*arguments.add(1))
            };
            let is_once = name.to_bytes().starts_with(b"former once:");
            if !is_once && !name.to_bytes().starts_with(b"former:") {
                return;
            }
            let mut action: libc::sigaction = zeroed();
            action.sa_flags = if is_once { ONCE } else { 0 };
            action.sa_sigaction = if is_once {
                undeferred as *const () as usize
            } else {
                deferred as *const () as usize
            };
            libc::sigaddset(&raw mut action.sa_mask, libc::SIGUSR1);
            libc::sigaction(libc::SIGSEGV, &raw const action, null_mut());
        }
    }

    extern "C" fn deferred(_: c_int) {
        say(true);
    }

    extern "C" fn undeferred(_: c_int) {
        say(false);
    }

    fn say(is_deferred: bool) {
        // SAFETY: reads the blocked signals, and writes bytes that exist.
        unsafe {
            let mut now: libc::sigset_t = zeroed();
            libc::pthread_sigmask(libc::SIG_BLOCK, null_mut(), &raw mut now);
            let blocked = [libc::SIGUSR1, libc::SIGSEGV, libc::SIGBUS]
                .map(|signal| libc::sigismember(&raw const now, signal) == 1);
            if blocked == [true, is_deferred, false] {
                libc::write(2, CALLED.as_ptr().cast(), CALLED.len());
            }
        }
    }

    pub(super) fn twice() {
        drop(std::hint::black_box(vec![0_u8; 100]));
        // SAFETY: returns once the signal was handled.
        (0..2).for_each(|_| assert_eq!(unsafe { libc::raise(libc::SIGSEGV) }, 0));
    }
}
