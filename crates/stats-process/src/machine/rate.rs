//! Totals as rates.

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
