//! Work that is repeated at an interval.

/// The time at which some work was last done.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Throttle {
    /// `None` if the work has not been done yet.
    last_secs: Option<f64>,
}

impl Throttle {
    /// Returns whether an interval has passed since the work was done, or the clock went backward.
    pub(crate) fn is_due(self, now_secs: f64, interval_secs: f64) -> bool {
        self.last_secs
            .is_none_or(|last| !(0.0..interval_secs).contains(&(now_secs - last)))
    }

    /// Notes that the work is done now.
    pub(crate) fn note(&mut self, now_secs: f64) {
        self.last_secs = Some(now_secs);
    }

    /// Like [`is_due`](Self::is_due); if the work is due, notes that it is done now.
    pub(crate) fn take(&mut self, now_secs: f64, interval_secs: f64) -> bool {
        let is_due = self.is_due(now_secs, interval_secs);
        if is_due {
            self.note(now_secs);
        }
        is_due
    }

    /// Makes the work due.
    pub(crate) fn reset(&mut self) {
        self.last_secs = None;
    }
}

#[cfg(test)]
mod tests {
    use super::Throttle;

    #[test]
    fn work_is_due_at_first_after_an_interval_and_if_the_clock_goes_back() {
        let mut throttle = Throttle::default();
        let mut take = |now_secs| throttle.take(now_secs, 1.0);
        let due = [5.0, 5.0, 5.5, 6.0, 6.9, 4.0, 4.5].map(&mut take);
        assert_eq!(due, [true, false, false, true, false, true, false]);
        throttle.reset();
        assert!(throttle.is_due(4.5, 1.0) && throttle.take(4.5, 1.0) && !throttle.is_due(4.6, 1.0));
    }
}
