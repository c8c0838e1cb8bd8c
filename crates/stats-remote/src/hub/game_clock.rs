//! What the clock of the game's frames says now.

use std::time::Instant;

/// The frames whose delays are compared.
const FRAMES: usize = 16;

/// The clock of the frames, as the hub knows it.
///
/// The recorder knows when a frame ended. If the game gives the times of its frames itself, it is when the
/// frame was published: right behind its end, unless the system takes the processor away in between. So
/// the shortest of a few delays is the difference of the two clocks.
#[derive(Debug)]
pub(super) struct GameClock {
    epoch: Instant,
    delays_secs: [f64; FRAMES],
    next: usize,
}

impl GameClock {
    /// Returns a clock that is not known yet. Frames end at nanoseconds since `epoch`.
    pub(super) const fn new(epoch: Instant) -> Self {
        Self {
            epoch,
            delays_secs: [f64::INFINITY; FRAMES],
            next: 0,
        }
    }

    /// A frame ended at `end_secs` of the clock, as it is known `ended_ns` after the epoch.
    pub(super) fn ended(&mut self, ended_ns: u64, end_secs: f64) {
        self.delays_secs[self.next] = ended_ns as f64 / 1e9 - end_secs;
        self.next = (self.next + 1) % FRAMES;
    }

    /// Returns the time of the clock in seconds; `None` before the first frame.
    pub(super) fn at(&self, now: Instant) -> Option<f64> {
        let delay_secs = self.delays_secs.into_iter().fold(f64::INFINITY, f64::min);
        let now_secs = now.saturating_duration_since(self.epoch).as_secs_f64();
        Some(now_secs - delay_secs).filter(|secs| secs.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_clock_is_that_of_the_frames_although_some_are_published_late() {
        let epoch = Instant::now();
        let mut clock = GameClock::new(epoch);
        assert_eq!(clock.at(epoch), None);
        // The frames began 5 s before the epoch, and one of four is published at once.
        for frame in 0..100_u64 {
            let end_secs = 5.0 + frame as f64 * 0.25;
            let late_ns = if frame % 4 == 0 { 0 } else { 3_000_000 };
            clock.ended(frame * 250_000_000 + late_ns, end_secs);
            let now = Duration::from_millis(frame * 250 + 30);
            assert_eq!(clock.at(epoch + now), Some(5.0 + now.as_secs_f64()));
        }
        // A clock that was set counts after a few frames.
        for frame in 100..100 + FRAMES as u64 {
            clock.ended(frame * 250_000_000, 1000.0 + frame as f64 * 0.25);
        }
        assert_eq!(clock.at(epoch), Some(1000.0));
    }
}
