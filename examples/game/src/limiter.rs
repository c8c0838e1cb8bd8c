//! The limit of the frame rate, which the command line or a tour asks for.
use std::time::{Duration, Instant};

use stats_core::Timer;

static WAIT: Timer = Timer::new("frame/limiter")
    .wait()
    .describe("waiting until the next frame is due, if the frame rate is limited");

/// Holds frames back that come early.
pub(crate) struct Limiter {
    period: Duration,
    /// When the next frame is due.
    due: Instant,
}

impl Limiter {
    /// Returns a limiter to a number of frames per second.
    pub(crate) fn new(fps: f64) -> Self {
        Self {
            period: Duration::from_secs_f64(1.0 / fps),
            due: Instant::now(),
        }
    }

    /// Waits until the next frame is due.
    pub(crate) fn wait(&mut self) {
        if let Some(early) = self.begin(Instant::now()) {
            WAIT.time(|| std::thread::sleep(early));
        }
    }

    /// Begins a frame. Returns how much too early it is `now`. A late frame makes no later one come
    /// early.
    fn begin(&mut self, now: Instant) -> Option<Duration> {
        let early = self.due.checked_duration_since(now);
        self.due = self.due.max(now) + self.period;
        early.filter(|early| !early.is_zero())
    }

    /// Lets the next frame be due a period from now.
    pub(crate) fn restart(&mut self) {
        self.due = Instant::now() + self.period;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_early_frame_waits_and_a_late_one_makes_no_other_come_early() {
        let mut limiter = Limiter::new(10.0);
        let first = limiter.due;
        let mut early_ms = |at_ms: u64| {
            let now = first + Duration::from_millis(at_ms);
            limiter.begin(now).map(|early| early.as_millis())
        };
        assert_eq!(early_ms(0), None);
        assert_eq!(early_ms(30), Some(70));
        assert_eq!(early_ms(350), None);
        assert_eq!(early_ms(360), Some(90));
        assert_eq!(early_ms(550), None, "exactly on time");
    }
}
