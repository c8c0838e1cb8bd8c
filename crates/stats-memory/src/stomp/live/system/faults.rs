//! Handlers of `SIGSEGV` and `SIGBUS`, in front of those that were there before.
#![expect(unsafe_code, reason = "a signal handler is foreign code's to call")]

use std::cell::UnsafeCell;
use std::ffi::{c_int, c_void};
use std::mem::{MaybeUninit, transmute};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::stomp::live::fault;

/// How many guarded allocations may pass before a program without a handler of its own is given
/// ours.
///
/// Rust's runtime installs its handler, and with it the stacks that handlers run on, only where
/// there is none yet. So ours waits for it; a program without that runtime gets ours all the same.
const PATIENCE: u32 = 64;

/// How many allocations waited; then one of the two below.
static WAITED: AtomicU32 = AtomicU32::new(0);
const INSTALLING: u32 = PATIENCE + 1;
const INSTALLED: u32 = PATIENCE + 2;

/// What was there before, by signal.
struct Former(UnsafeCell<MaybeUninit<libc::sigaction>>);

// SAFETY: written by the one thread that installs, before the handler that reads it is.
unsafe impl Sync for Former {}

static FORMER: [Former; 2] = [const { Former(UnsafeCell::new(MaybeUninit::zeroed())) }; 2];

/// Whether a former handler that wanted to be called once was, by signal.
static IS_SPENT: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];

const SIGNALS: [c_int; 2] = [libc::SIGSEGV, libc::SIGBUS];

/// Installs the handlers, as soon as it may be done. Called after each guarded allocation.
#[inline]
pub(crate) fn watch_faults() {
    // Relaxed: who installs is decided below.
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
    // Relaxed: one thread gets to install, and needs nothing from the others.
    if WAITED
        .compare_exchange(waited, next, Ordering::Relaxed, Ordering::Relaxed)
        .is_err()
        || next != INSTALLING
    {
        return;
    }
    for (signal, former) in SIGNALS.into_iter().zip(&FORMER) {
        // SAFETY: asks for what is there, of which zeroes are valid as well, then puts ours in its
        // place: a handler as its flags say. What is blocked meanwhile, and whether a call goes on
        // afterwards, is up to the former one.
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
    // Relaxed: says that there is nothing more to do.
    WAITED.store(INSTALLED, Ordering::Relaxed);
}

/// Whether the program has a handler of its own.
fn has_handler() -> bool {
    let mut now = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: asks for what is there; zeroes are a valid action where that fails.
    unsafe {
        libc::sigaction(libc::SIGSEGV, std::ptr::null(), now.as_mut_ptr());
        now.assume_init().sa_sigaction != libc::SIG_DFL
    }
}

/// Tells of a fault, if it is in a reservation, and lets it happen again under the former handler;
/// hands on all others.
unsafe extern "C" fn on_fault(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel gives a valid one, as `SA_SIGINFO` asks for.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr().addr()) };
    // A code above zero is of the kernel: there was a fault, and the address is one.
    let is_told = code > 0 && fault::tell(address, is_write(context));
    let number = usize::from(signal == SIGNALS[1]);
    // SAFETY: written before this handler was installed, and not since.
    let mut former = unsafe { (*FORMER[number].0.get()).assume_init() };
    if former.sa_flags & libc::SA_RESETHAND != 0 && is_spent(number, is_told) {
        former.sa_sigaction = libc::SIG_DFL;
    }
    let was_sent = code <= 0;
    match former.sa_sigaction {
        libc::SIG_IGN if was_sent => {}
        libc::SIG_DFL | libc::SIG_IGN => restore(signal, &former, was_sent),
        _ if is_told => restore(signal, &former, was_sent),
        // SAFETY: what the kernel gave.
        _ => unsafe { hand_on(&former, signal, info, context) },
    }
}

/// Whether a former handler that wants to be called once was: then the default is there, as it
/// would be without us. Now it is, where nothing was told.
fn is_spent(number: usize, is_told: bool) -> bool {
    // Relaxed, both: of two threads one calls it, and needs nothing from the other.
    if is_told {
        IS_SPENT[number].load(Ordering::Relaxed)
    } else {
        IS_SPENT[number].swap(true, Ordering::Relaxed)
    }
}

/// Puts a former action back, for the fault to happen again.
fn restore(signal: c_int, former: &libc::sigaction, was_sent: bool) {
    // SAFETY: an action that was there before. What somebody sent does not come again by itself.
    unsafe {
        libc::sigaction(signal, former, null_mut());
        if was_sent {
            libc::raise(signal);
        }
    }
}

/// Calls a former handler as the kernel would.
///
/// # Safety
///
/// The last two are what the kernel gave.
unsafe fn hand_on(
    former: &libc::sigaction,
    signal: c_int,
    info: *mut libc::siginfo_t,
    context: *mut c_void,
) {
    // SAFETY: it is called as it wants to be called. The signal was not blocked before, or it would
    // not have come.
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

/// Whether the thread wrote.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn is_write(context: *mut c_void) -> Option<bool> {
    const WRITE: i64 = 1 << 1;
    // SAFETY: the kernel gives a valid one, as `SA_SIGINFO` asks for.
    let error =
        unsafe { (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs[libc::REG_ERR as usize] };
    Some(error & WRITE != 0)
}

/// Elsewhere it is not asked for.
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn is_write(_: *mut c_void) -> Option<bool> {
    None
}
