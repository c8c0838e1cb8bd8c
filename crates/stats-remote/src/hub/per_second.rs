//! Counts what happens in a second.

use std::time::{Duration, Instant};

/// The number of events in the current second. A second begins with the first event or question after
/// the one before.
#[derive(Debug)]
pub(super) struct PerSecond {
    began: Instant,
    events: u32,
}

impl PerSecond {
    pub(super) const fn new(now: Instant) -> Self {
        Self {
            began: now,
            events: 0,
        }
    }

    /// Counts an event.
    pub(super) fn add(&mut self, now: Instant) {
        self.events = self.count(now).saturating_add(1);
    }

    /// Returns the number of events in the current second.
    pub(super) fn count(&mut self, now: Instant) -> u32 {
        if now.saturating_duration_since(self.began) >= Duration::from_secs(1) {
            (self.began, self.events) = (now, 0);
        }
        self.events
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_count_until_their_second_is_over() {
        let begun = Instant::now();
        let at = |ms| begun + Duration::from_millis(ms);
        let mut events = PerSecond::new(begun);
        for event in 0..5 {
            assert_eq!(events.count(at(100 * u64::from(event))), event);
            events.add(at(100 * u64::from(event)));
        }
        assert_eq!((events.count(at(999)), events.count(at(1000))), (5, 0));
        events.add(at(1500));
        assert_eq!((events.count(at(1999)), events.count(at(2000))), (1, 0));
        // A clock that goes back begins no second.
        assert_eq!(events.count(begun), 0);
    }
}
