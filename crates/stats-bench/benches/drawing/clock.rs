//! The clock of this bench: the processor time of the thread, because a shared machine interrupts
//! any frame.

use std::time::Duration;

/// Returns for how long this thread has run.
#[cfg(unix)]
pub(crate) fn cpu_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// Returns the time of day: other systems report processor times in steps that are too long.
#[cfg(not(unix))]
pub(crate) fn cpu_time() -> Duration {
    static BEGUN: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    BEGUN.elapsed()
}
