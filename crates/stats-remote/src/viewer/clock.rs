//! How the clock of a game relates to that of the viewer.
//!
//! A frame arrives after it ended: no later than the shortest round trip, and no earlier than it ended.
//! Each delay is that of the network, and the time until the hub and the thread of the connection look,
//! which is sometimes nothing. So the shortest delay of many is that of the network alone. When the viewer
//! draws has no part in it: both may draw in step.

/// How long a measurement counts at least, and half of how long it counts at most, in seconds. Clocks
/// drift apart, so that old measurements are wrong.
const PERIOD_SECS: f64 = 10.0;

/// By how much two clocks drift apart at most, in seconds for each second: crystals of computers are
/// within 50 millionths each.
const DRIFT: f64 = 1e-4;

/// The shortest times of two periods, the current one and the one before.
#[derive(Debug)]
pub(super) struct Clock {
    periods: [Shortest; 2],
    begun_secs: f64,
}

#[derive(Clone, Copy, Debug)]
struct Shortest {
    delay_secs: f64,
    round_trip_secs: f64,
}

const NOTHING: Shortest = Shortest {
    delay_secs: f64::INFINITY,
    round_trip_secs: f64::INFINITY,
};

impl Clock {
    pub(super) const fn new(now_secs: f64) -> Self {
        Self {
            periods: [NOTHING; 2],
            begun_secs: now_secs,
        }
    }

    /// A frame that ended at `end_secs` of the game's clock arrived.
    pub(super) fn arrived(&mut self, now_secs: f64, end_secs: f64) {
        let delay = &mut self.period(now_secs).delay_secs;
        *delay = delay.min(now_secs - end_secs);
    }

    /// A message and its answer took this long.
    pub(super) fn round_trip(&mut self, now_secs: f64, secs: f64) {
        let round_trip = &mut self.period(now_secs).round_trip_secs;
        *round_trip = round_trip.min(secs);
    }

    fn period(&mut self, now_secs: f64) -> &mut Shortest {
        if now_secs - self.begun_secs >= PERIOD_SECS {
            let is_next = now_secs - self.begun_secs < 2.0 * PERIOD_SECS;
            self.periods[1] = if is_next { self.periods[0] } else { NOTHING };
            self.periods[0] = NOTHING;
            self.begun_secs = now_secs;
        }
        &mut self.periods[0]
    }

    /// Returns what is added to a time of the game to get that of the viewer, and by how much it may be
    /// wrong, in seconds; `None` before a frame and the answer to a ping arrived.
    pub(super) fn offset(&self) -> Option<(f64, f64)> {
        let shortest =
            |time: fn(&Shortest) -> f64| time(&self.periods[0]).min(time(&self.periods[1]));
        let delay_secs = shortest(|period| period.delay_secs);
        let half_secs = shortest(|period| period.round_trip_secs) / 2.0;
        let error_secs = half_secs + 2.0 * PERIOD_SECS * DRIFT;
        (delay_secs + error_secs)
            .is_finite()
            .then_some((delay_secs - half_secs, error_secs))
    }
}

#[cfg(test)]
mod tests {
    use stats_testing::Random;

    use super::*;

    #[test]
    fn the_error_is_no_larger_than_it_says_on_any_way() {
        let mut random = Random::new(9);
        for _ in 0..100 {
            let unit = |random: &mut Random| random.below(1 << 20) as f64 / f64::from(1 << 20);
            // The network takes any share of the round trip in each direction.
            let ways = [unit(&mut random) * 0.02, unit(&mut random) * 0.02];
            let (offset, drift) = (
                unit(&mut random) * 1e4 - 5e3,
                (unit(&mut random) - 0.5) * 1e-4,
            );
            let mut clock = Clock::new(0.0);
            assert_eq!(clock.offset(), None);
            let mut now = 0.0;
            for step in 0..4000 {
                now += 0.05;
                let game = now * (1.0 + drift) - offset;
                // Nobody looks at once, and a message of 20 may wait for much longer.
                let jam = if random.below(20) == 0 {
                    unit(&mut random)
                } else {
                    0.0
                };
                let hub = if random.below(8) == 0 {
                    0.0
                } else {
                    unit(&mut random) * 0.01
                };
                clock.arrived(now + ways[0] + hub + jam, game);
                if step % 20 == 0 {
                    clock.round_trip(now, ways[0] + ways[1] + unit(&mut random) * 0.01 + jam);
                }
                if step < 100 {
                    continue;
                }
                let (found, error) = clock.offset().expect("it is known");
                let is = now - game;
                assert!((found - is).abs() <= error, "{found} {is} {error}");
                assert!(error < 0.03, "{error}");
            }
        }
    }

    #[test]
    fn what_was_long_ago_does_not_count() {
        let mut clock = Clock::new(0.0);
        clock.arrived(1.0, 0.0);
        clock.round_trip(1.0, 0.0);
        assert_eq!(clock.offset().map(|(offset, _)| offset), Some(1.0));
        // The system slept: the clock of the game stood still.
        clock.arrived(100.0, 3.0);
        assert_eq!(clock.offset(), None, "no round trip is known since");
        clock.round_trip(101.0, 0.0);
        assert_eq!(clock.offset().map(|(offset, _)| offset), Some(97.0));
    }
}
