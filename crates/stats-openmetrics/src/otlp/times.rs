//! The times of exports.

use std::time::{SystemTime, UNIX_EPOCH};

/// The times of an export, in nanoseconds since 1970.
#[derive(Debug)]
pub(super) struct Times {
    /// The start of all totals.
    pub(super) begun: u64,
    pub(super) now: u64,
}

impl Times {
    /// Begins the totals now.
    pub(super) fn new() -> Self {
        let now = system_time();
        Self { begun: now, now }
    }

    /// Begins an export. Its time is later than that of the previous export, even if the clock of
    /// the system was set back.
    pub(super) fn begin_export(&mut self) {
        self.now = system_time().max(self.now + 1);
    }
}

fn system_time() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_export_is_later_than_the_one_before() {
        let mut times = Times::new();
        times.now = u64::MAX / 2;
        for _ in 0..3 {
            let before = times.now;
            times.begin_export();
            assert!(times.now > before);
        }
    }
}
