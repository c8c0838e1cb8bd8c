//! Signals that end `stats record`.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::signals::{INTERRUPTED, on_signal};

static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on, the first signal only sets [`is_interrupted`], so that no program keeps running and
/// no recorded frame is lost. A second one ends the process.
pub(super) fn catch_interrupts() {
    // Without a handler, a signal ends the process, as it does in other verbs.
    let _ = on_signal(|| {
        if IS_INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    });
}

/// Returns whether a signal has asked the process to end.
pub(super) fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::Relaxed)
}
