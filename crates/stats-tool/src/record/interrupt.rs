//! Signals that end `stats record`.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::signals::{INTERRUPTED, on_signal};

/// The number of signals so far.
static SIGNALS: AtomicU8 = AtomicU8::new(0);

/// From now on, the first two signals only set [`is_interrupted`] and [`is_urgent`], so that the
/// recorded program can be ended and its frames kept. A third one ends the process.
pub(super) fn catch_interrupts() {
    // If this fails, a signal ends the process, as in other verbs.
    let _ = on_signal(|| {
        if SIGNALS.fetch_add(1, Ordering::Relaxed) >= 2 {
            std::process::exit(INTERRUPTED);
        }
    });
}

/// Returns whether a signal has asked the process to end.
pub(super) fn is_interrupted() -> bool {
    SIGNALS.load(Ordering::Relaxed) > 0
}

/// Returns whether a second signal has asked the process not to wait for the program.
pub(super) fn is_urgent() -> bool {
    SIGNALS.load(Ordering::Relaxed) > 1
}
