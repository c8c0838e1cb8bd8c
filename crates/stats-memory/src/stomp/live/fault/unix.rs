//! Handlers of `SIGSEGV` and `SIGBUS`, in front of those that were installed before.
#![expect(
    unsafe_code,
    reason = "installs signal handlers, which foreign code calls"
)]

use std::cell::UnsafeCell;
use std::ffi::{c_int, c_void};
use std::mem::{MaybeUninit, transmute};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::explain;

/// In a program without a handler of its own, the number of guarded allocations before our handler
/// is installed.
///
/// Rust's runtime installs its handler, and with it the alternate signal stacks, only if there is
/// no handler yet. So ours waits for it. A program without that runtime gets ours as well.
const PATIENCE: u32 = 64;

/// The number of allocations so far; later, one of the two constants below.
static WAITED: AtomicU32 = AtomicU32::new(0);
const INSTALLING: u32 = PATIENCE + 1;
const INSTALLED: u32 = PATIENCE + 2;

/// The previous action of a signal.
struct Former(UnsafeCell<MaybeUninit<libc::sigaction>>);

// SAFETY: written by the one thread that installs, before the handler that reads it is installed.
unsafe impl Sync for Former {}

static FORMER: [Former; 2] = [const { Former(UnsafeCell::new(MaybeUninit::zeroed())) }; 2];

/// For each signal, whether a previous handler that asked to be called only once has been called.
static IS_SPENT: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];

const SIGNALS: [c_int; 2] = [libc::SIGSEGV, libc::SIGBUS];

/// Installs the handlers as soon as that is allowed. Called after each guarded allocation.
#[inline]
pub(crate) fn watch() {
    // Relaxed: which thread installs is decided in `install`.
    if WAITED.load(Ordering::Relaxed) != INSTALLED {
        install();
    }
}

#[cold]
fn install() {
    // Relaxed: the exchange below confirms it.
    let waited = WAITED.load(Ordering::Relaxed);
    if waited >= INSTALLING {
        return;
    }
    let next = if waited < PATIENCE && !has_handler() {
        waited + 1
    } else {
        INSTALLING
    };
    // Relaxed: exactly one thread gets to install, and needs nothing from the others.
    if WAITED
        .compare_exchange(waited, next, Ordering::Relaxed, Ordering::Relaxed)
        .is_err()
        || next != INSTALLING
    {
        return;
    }
    for (signal, former) in SIGNALS.into_iter().zip(&FORMER) {
        // SAFETY: reads the current action, for which zeroes are valid as well, then replaces it
        // with ours: a handler that matches its flags. The previous action decides which signals
        // are blocked during a call, and whether interrupted calls continue.
        unsafe {
            let former = former.0.get();
            libc::sigaction(signal, std::ptr::null(), former.cast());
            let former = (*former).assume_init_ref();
            let mut ours: libc::sigaction = MaybeUninit::zeroed().assume_init();
            ours.sa_flags =
                libc::SA_SIGINFO | libc::SA_ONSTACK | former.sa_flags & libc::SA_RESTART;
            ours.sa_sigaction = on_fault as *const () as usize;
            ours.sa_mask = former.sa_mask;
            libc::sigaction(signal, &ours, null_mut());
        }
    }
    // Relaxed: it only says that there is nothing more to do.
    WAITED.store(INSTALLED, Ordering::Relaxed);
}

/// Returns whether the program has a handler of its own.
fn has_handler() -> bool {
    let mut now = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: reads the current action; zeroes are a valid one if that fails.
    unsafe {
        libc::sigaction(libc::SIGSEGV, std::ptr::null(), now.as_mut_ptr());
        now.assume_init().sa_sigaction != libc::SIG_DFL
    }
}

/// Reports a fault in a reservation, and lets it happen again under the previous handler. Passes on
/// all other faults.
unsafe extern "C" fn on_fault(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel passes a valid one, as `SA_SIGINFO` requests.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr().addr()) };
    // A code above zero comes from the kernel: there was a fault, and the address is valid.
    let is_reported = code > 0 && explain(address, is_write(context));
    let number = usize::from(signal == SIGNALS[1]);
    // SAFETY: written before this handler was installed, and not since.
    let mut former = unsafe { (*FORMER[number].0.get()).assume_init() };
    if former.sa_flags & libc::SA_RESETHAND != 0 && is_spent(number, is_reported) {
        former.sa_sigaction = libc::SIG_DFL;
    }
    let was_sent = code <= 0;
    match former.sa_sigaction {
        libc::SIG_IGN if was_sent => {}
        libc::SIG_DFL | libc::SIG_IGN => restore(signal, &former, was_sent),
        _ if is_reported => restore(signal, &former, was_sent),
        // SAFETY: passes on what the kernel passed.
        _ => unsafe { pass_on(&former, signal, info, context) },
    }
}

/// Returns whether a previous handler that asked to be called only once has been called. If so, the
/// default action applies, as it would without our handler. Counts this call unless the fault was
/// reported.
fn is_spent(number: usize, is_reported: bool) -> bool {
    // Relaxed, both: of two threads one calls it, and needs nothing from the other.
    if is_reported {
        IS_SPENT[number].load(Ordering::Relaxed)
    } else {
        IS_SPENT[number].swap(true, Ordering::Relaxed)
    }
}

/// Restores a previous action, so that the fault happens again under it.
fn restore(signal: c_int, former: &libc::sigaction, was_sent: bool) {
    // SAFETY: an action that was installed before. A signal that was sent does not come again by
    // itself.
    unsafe {
        libc::sigaction(signal, former, null_mut());
        if was_sent {
            libc::raise(signal);
        }
    }
}

/// Calls a previous handler as the kernel would.
///
/// # Safety
///
/// `info` and `context` are what the kernel passed.
unsafe fn pass_on(
    former: &libc::sigaction,
    signal: c_int,
    info: *mut libc::siginfo_t,
    context: *mut c_void,
) {
    // SAFETY: it is called as its flags request. The signal was not blocked before, or it would not
    // have been delivered.
    unsafe {
        if former.sa_flags & libc::SA_NODEFER != 0
            && libc::sigismember(&former.sa_mask, signal) == 0
        {
            let mut own = MaybeUninit::<libc::sigset_t>::zeroed();
            libc::sigemptyset(own.as_mut_ptr());
            libc::sigaddset(own.as_mut_ptr(), signal);
            libc::pthread_sigmask(libc::SIG_UNBLOCK, own.as_ptr(), null_mut());
        }
        if former.sa_flags & libc::SA_SIGINFO != 0 {
            let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) =
                transmute(former.sa_sigaction);
            handler(signal, info, context);
        } else {
            let handler: extern "C" fn(c_int) = transmute(former.sa_sigaction);
            handler(signal);
        }
    }
}

/// Returns whether the thread wrote.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn is_write(context: *mut c_void) -> Option<bool> {
    const WRITE: i64 = 1 << 1;
    // SAFETY: the kernel passes a valid one, as `SA_SIGINFO` requests.
    let error =
        unsafe { (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs[libc::REG_ERR as usize] };
    Some(error & WRITE != 0)
}

/// Returns `None`: not known on this system.
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn is_write(_: *mut c_void) -> Option<bool> {
    None
}
