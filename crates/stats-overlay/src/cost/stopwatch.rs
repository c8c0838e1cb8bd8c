//! The clock that measures the cost of drawing.
//!
//! On systems that report it in fine steps, the clock is the processor time of this thread. Wall
//! time would also count time that the system spends on other programs. On a machine with busy
//! cores, such as one that renders in software, the overlay would measure its interruptions.
//!
//! Windows reports the processor time of a thread in steps of 15.6 ms, longer than any frame of the
//! overlay, and a browser does not report it at all. On Windows and in a browser, the clock is the
//! wall clock.

use std::time::Duration;

/// Measures the time since it was started.
#[derive(Debug)]
pub(crate) struct Stopwatch(Duration);

impl Stopwatch {
    /// Starts now. On Unix this is a system call, which takes about 0.2 µs.
    pub(crate) fn start() -> Self {
        Self(now())
    }

    /// Returns the elapsed time in milliseconds.
    pub(crate) fn elapsed_ms(&self) -> f64 {
        now().saturating_sub(self.0).as_secs_f64() * 1e3
    }
}

/// Returns the processor time of this thread; `None` on systems that do not report it in fine
/// steps. It is a system call, which takes about 0.2 µs.
pub(super) fn processor_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).ok()
    }
    #[cfg(not(unix))]
    None
}

/// Returns the processor time of this thread, or the time since the first call.
fn now() -> Duration {
    use stats_ui::instant::Instant;
    static FIRST: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    processor_time().unwrap_or_else(|| FIRST.elapsed())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_stopwatch_counts_work_but_not_waiting() {
        let stopwatch = Stopwatch::start();
        std::thread::sleep(Duration::from_millis(300));
        let asleep_ms = stopwatch.elapsed_ms();
        // The thread sleeps at least 300 ms, and falling asleep takes microseconds of work.
        assert!(asleep_ms < 150.0, "{asleep_ms} ms asleep");
        // The loop ends only if the clock advances.
        while stopwatch.elapsed_ms() < asleep_ms + 5.0 {}
    }
}
