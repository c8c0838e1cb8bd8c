//! Totals as rates, and the moments of loads.

#[cfg(any(test, windows, target_os = "macos"))]
use std::time::Duration;
use std::time::Instant;

/// Takes the difference of totals as a rate.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rate {
    before: Option<(Instant, f64)>,
}

impl Rate {
    /// Returns how much a total grew per second since the call before. `None` in the first call, and
    /// if it shrank.
    pub(super) fn of(&mut self, now: Instant, total: f64) -> Option<f64> {
        let (then, before) = self.before.replace((now, total))?;
        let secs = now.saturating_duration_since(then).as_secs_f64();
        (secs > 0.0 && total >= before).then(|| (total - before) / secs)
    }
}

/// The moments at which the loads of processors are read. A load is that since the reading before, so
/// the first one is none, and one of a moment is not exact.
#[cfg(any(test, windows, target_os = "macos"))]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LoadClock {
    before: Option<Instant>,
}

#[cfg(any(test, windows, target_os = "macos"))]
impl LoadClock {
    /// Returns whether what is read now is a load; `None` if less than `least` has passed since the
    /// reading before, so that nothing is to be read.
    pub(super) fn read(&mut self, now: Instant, least: Duration) -> Option<bool> {
        let since = |then| now.saturating_duration_since(then);
        if self.before.is_some_and(|then| since(then) < least) {
            return None;
        }
        Some(self.before.replace(now).is_some())
    }
}
