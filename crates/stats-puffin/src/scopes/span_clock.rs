//! Converts puffin's times to the clock of spans.

use std::time::{Duration, Instant};

/// The same moment on both clocks, which run at the same rate.
#[derive(Debug)]
pub(super) struct SpanClock {
    puffin_ns: i64,
    now: Instant,
}

impl SpanClock {
    pub(super) fn now() -> Self {
        Self {
            puffin_ns: puffin::now_ns(),
            now: Instant::now(),
        }
    }

    /// Returns the moment of a puffin time, or the current one if the time is too far away to
    /// represent.
    pub(super) fn at(&self, puffin_ns: i64) -> Instant {
        let distance = Duration::from_nanos(puffin_ns.abs_diff(self.puffin_ns));
        let moment = if puffin_ns < self.puffin_ns {
            self.now.checked_sub(distance)
        } else {
            self.now.checked_add(distance)
        };
        moment.unwrap_or(self.now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_keep_their_distances() {
        let clock = SpanClock::now();
        for ns in [-5_000_000_000, -1, 0, 1, 2_000_000] {
            let moment = clock.at(clock.puffin_ns + ns);
            let ahead = moment.saturating_duration_since(clock.now).as_nanos() as i64;
            let behind = clock.now.saturating_duration_since(moment).as_nanos() as i64;
            assert_eq!(ahead - behind, ns);
        }
        let _far = [i64::MIN, i64::MAX].map(|ns| clock.at(ns));
    }
}
