//! How the clock of a game relates to that of the viewer.
//!
//! The answer to a ping has the time of the game at which it heard the ping, on the clock of its frames. On
//! the clock of the viewer, that was no earlier than the ping was sent, and no later than the answer
//! arrived, however long each way took. Each ping bounds the offset of the two clocks from both sides, and
//! the best bounds of many pings may come from different ones. Clocks drift, so bounds get wider with time.

/// By how much two clocks drift apart at most, in seconds for each second: crystals of computers are
/// within 50 millionths each.
const DRIFT: f64 = 1e-4;

/// The bounds of what is added to a time of the game to get that of the viewer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clock {
    /// `None` before the first answer.
    bounds: Option<Bounds>,
}

#[derive(Clone, Copy, Debug)]
struct Bounds {
    lowest_secs: f64,
    highest_secs: f64,
    /// When they were that narrow, on the clock of the viewer.
    at_secs: f64,
}

impl Bounds {
    /// Returns the bounds at a later time.
    fn at(self, now_secs: f64) -> Self {
        let wider = DRIFT * (now_secs - self.at_secs).max(0.0);
        Self {
            lowest_secs: self.lowest_secs - wider,
            highest_secs: self.highest_secs + wider,
            at_secs: now_secs.max(self.at_secs),
        }
    }
}

impl Clock {
    /// A ping was sent, and its answer arrived. The clock of the game said `game_secs` in between.
    pub(super) fn answered(&mut self, sent_secs: f64, game_secs: f64, heard_secs: f64) {
        let new = Bounds {
            lowest_secs: sent_secs - game_secs,
            highest_secs: heard_secs - game_secs,
            at_secs: heard_secs,
        };
        if !game_secs.is_finite() || new.lowest_secs > new.highest_secs {
            return;
        }
        let both = self.bounds.map(|known| {
            let known = known.at(heard_secs);
            Bounds {
                lowest_secs: known.lowest_secs.max(new.lowest_secs),
                highest_secs: known.highest_secs.min(new.highest_secs),
                ..known
            }
        });
        // If they exclude each other, a clock was set or stood still, as in a machine that slept.
        let is_one = |both: &Bounds| both.lowest_secs <= both.highest_secs;
        self.bounds = Some(both.filter(is_one).unwrap_or(new));
    }

    /// Returns what is added to a time of the game to get that of the viewer, and by how much it may be
    /// wrong, in seconds; `None` before the first answer.
    pub(super) fn offset(&self, now_secs: f64) -> Option<(f64, f64)> {
        let Bounds {
            lowest_secs,
            highest_secs,
            ..
        } = self.bounds?.at(now_secs);
        Some((
            (lowest_secs + highest_secs) / 2.0,
            (highest_secs - lowest_secs) / 2.0,
        ))
    }
}

#[cfg(test)]
mod tests {
    use stats_testing::Random;

    use super::*;

    fn unit(random: &mut Random) -> f64 {
        random.below(1 << 20) as f64 / f64::from(1 << 20)
    }

    /// A network and a game that look when they do. Returns the errors that the clock states, during
    /// `secs` of pings.
    fn errors(random: &mut Random, ways_secs: [f64; 2], hub_secs: f64, secs: f64) -> Vec<f64> {
        let offset = unit(random) * 1e4 - 5e3;
        let drift = (unit(random) - 0.5) * 2.0 * DRIFT;
        let (mut clock, mut now, mut errors) = (Clock::default(), 0.0, Vec::new());
        assert_eq!(clock.offset(now), None);
        while now < secs {
            now += 0.05 + 0.01 * unit(random);
            let game = |viewer: f64| viewer * (1.0 + drift) - offset;
            // A message of 20 waits for much longer, on either way.
            let mut jam = || match random.below(20) {
                0 => unit(random),
                _ => 0.0,
            };
            let (there, back) = (ways_secs[0] + jam(), ways_secs[1] + jam());
            let handled = now + there + hub_secs * unit(random);
            let heard = handled + back;
            clock.answered(now, game(handled), heard);
            now = heard;
            // Also some time later.
            for later in [0.0, 0.3, 30.0] {
                let (found, error) = clock.offset(now + later).expect("it is known");
                let is = now + later - game(now + later);
                let rounding = 1e-9;
                assert!(
                    (found - is).abs() <= error + rounding,
                    "{found} {is} {error}"
                );
            }
            errors.extend(clock.offset(now).map(|(_, error)| error));
        }
        errors
    }

    #[test]
    fn the_true_offset_is_within_the_stated_error_on_any_way() {
        let mut random = Random::new(9);
        for _ in 0..100 {
            // The network takes any share of the round trip in each direction.
            let ways = [unit(&mut random) * 0.02, unit(&mut random) * 0.02];
            let errors = errors(&mut random, ways, 0.01, 60.0);
            let most = (ways[0] + ways[1]) / 2.0 + 0.002;
            assert!(errors[100..].iter().all(|error| *error < most), "{ways:?}");
        }
    }

    /// The hub looks every 10 ms, and the thread of the viewer at once.
    #[test]
    fn the_error_of_two_games_on_one_machine_is_less_than_a_millisecond() {
        let mut random = Random::new(10);
        let (mut all, mut less) = (0, 0);
        for _ in 0..50 {
            let [one, two] = [(); 2].map(|()| errors(&mut random, [5e-5; 2], 0.01, 60.0));
            let both = one.iter().zip(&two).skip(50).map(|(one, two)| one + two);
            for error in both {
                all += 1;
                less += usize::from(error < 1e-3);
            }
        }
        assert!(less * 100 > all * 95, "{less} of {all}");
    }

    #[test]
    fn a_clock_that_was_set_is_known_anew() {
        let mut clock = Clock::default();
        clock.answered(1.0, 0.0, 1.0);
        assert_eq!(clock.offset(1.0), Some((1.0, 0.0)));
        // The system slept: the clock of the game stood still.
        clock.answered(100.0, 3.0, 100.5);
        assert_eq!(clock.offset(100.5), Some((97.25, 0.25)));
        // What a game cannot mean changes nothing.
        clock.answered(101.0, f64::NAN, 101.0);
        clock.answered(101.0, 3.0, 100.0);
        let (offset, error) = clock.offset(100.5).expect("it is known");
        assert_eq!((offset, error), (97.25, 0.25));
        assert!(clock.offset(1e3).is_some_and(|(_, later)| later > error));
    }
}
