//! The clock of the simulation: real time, or in tests virtual time that only the work determines.
//!
//! Each thread has its own virtual time. Charges for work advance it, and waiting for a thread
//! advances it to the time at which that thread finished.
use std::time::Duration;

#[cfg(not(test))]
use std::time::Instant;

/// Keeps the processor busy.
pub(crate) fn take(time: Duration) {
    #[cfg(test)]
    virtual_time::advance(time);
    #[cfg(not(test))]
    {
        let begun = Instant::now();
        while begun.elapsed() < time {
            std::hint::spin_loop();
        }
    }
}

pub(super) fn sleep(time: Duration) {
    #[cfg(test)]
    virtual_time::advance(time);
    #[cfg(not(test))]
    std::thread::sleep(time);
}

/// Charges the virtual clock for work. Does nothing outside tests, where the work took real time.
pub(crate) fn charge(count: usize, each: Duration) {
    #[cfg(test)]
    virtual_time::advance(each * count as u32);
    #[cfg(not(test))]
    let _ = (count, each);
}

/// Returns a duration that another library measured; none in a test.
pub(super) fn measured(time: Duration) -> Duration {
    if cfg!(test) { Duration::ZERO } else { time }
}

/// Returns the time of the thread.
pub(crate) fn now() -> Duration {
    #[cfg(test)]
    return virtual_time::now();
    #[cfg(not(test))]
    {
        static FIRST: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
        FIRST.get_or_init(Instant::now).elapsed()
    }
}

/// Advances the thread's virtual time to `time`, at which a thread that it waited for finished.
pub(super) fn wait_until(time: Duration) {
    #[cfg(test)]
    virtual_time::advance(time.saturating_sub(virtual_time::now()));
    #[cfg(not(test))]
    let _ = time;
}

/// Begins a run on this thread, long after those of other threads: a timer that several threads ran
/// within seconds has no thread.
#[cfg(all(test, feature = "enabled"))]
pub(crate) fn begin() {
    virtual_time::begin();
}

/// The time of tests.
#[cfg(test)]
mod virtual_time {
    use std::cell::Cell;
    use std::sync::Once;
    use std::time::Duration;

    /// How long it takes to read the clock.
    const READ: Duration = Duration::from_nanos(200);

    thread_local! {
        static NOW: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    }

    pub(super) fn now() -> Duration {
        static SET: Once = Once::new();
        SET.call_once(|| _ = stats_core::set_clock(read));
        NOW.get()
    }

    pub(super) fn advance(by: Duration) {
        NOW.set(now() + by);
    }

    #[cfg(feature = "enabled")]
    pub(super) fn begin() {
        use std::sync::atomic::{AtomicU64, Ordering};

        /// The longest run of a test, in seconds.
        const LONGEST: u64 = 1_000;
        static RUNS: AtomicU64 = AtomicU64::new(1);
        // Relaxed: each number is returned once, and nothing else is published with it.
        let runs = RUNS.fetch_add(1, Ordering::Relaxed);
        NOW.set(Duration::from_secs(runs * LONGEST));
    }

    fn read() -> Duration {
        NOW.set(NOW.get() + READ);
        NOW.get()
    }
}
