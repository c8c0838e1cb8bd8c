//! Frames of two kinds: with a step of the simulation, and without one.

use stats_analysis::insight::{Facts, Hitch, Insight};
use stats_core::{SeriesKind, Unit};
use stats_testing::Random;

/// A game whose simulation makes a step in some frames only.
#[derive(Clone, Copy, Debug)]
struct Stepping {
    /// What a frame takes without a step, and the step.
    draw_ms: f64,
    step_ms: f64,
    /// One frame in this many has a step.
    one_in: u64,
    /// The distance of times from the mean, as a share of it.
    noise: f64,
    /// Whether the program has timers.
    is_timed: bool,
    seed: u64,
}

impl Stepping {
    /// Plays the game. `fault` returns how much longer the paths of a frame and the step take.
    fn play(self, frames: u64, fault: impl Fn(u64, bool) -> (f64, f64)) -> Vec<Hitch> {
        let mut insight = Insight::new();
        if self.is_timed {
            for (number, path) in (0..).zip(["draw", "sim/step", "ai/paths"]) {
                insight.set_series(
                    number,
                    Facts::new(path, SeriesKind::Timer, Unit::Milliseconds),
                );
            }
            insight.set_series(3, Facts::new("sim/steps", SeriesKind::Counter, Unit::Count));
        }
        let mut random = Random::new(self.seed);
        for frame in 0..frames {
            let mut vary = |ms: f64| {
                let sum: u64 = (0..12).map(|_| random.below(1_000_000)).sum();
                ms * (1.0 + self.noise * (sum as f64 / 1e6 - 6.0))
            };
            let steps = frame.is_multiple_of(self.one_in);
            let (paths_ms, longer_ms) = fault(frame, steps);
            let step_ms = if steps {
                vary(self.step_ms) + longer_ms
            } else {
                0.0
            };
            let values = [vary(self.draw_ms), step_ms, vary(0.4) + paths_ms];
            let frame_ms = values.iter().sum();
            let count = if steps { 1.0 } else { 0.0 };
            let all = [values[0], values[1], values[2], count];
            insight.take_frame(frame, frame_ms, if self.is_timed { &all } else { &[] });
            insight.rank_noticed();
        }
        insight.hitches().iter().cloned().collect()
    }
}

/// Games with 30 to 240 frames a second.
fn games(seed: u64) -> Vec<Stepping> {
    let mut games = Vec::new();
    for (draw_ms, step_ms) in [
        (10.0, 13.0),
        (3.0, 4.0),
        (6.0, 3.5),
        (16.0, 17.0),
        (2.0, 12.0),
    ] {
        for one_in in [2, 3, 4, 5] {
            for noise in [0.005, 0.03] {
                for is_timed in [false, true] {
                    games.push(Stepping {
                        draw_ms,
                        step_ms,
                        one_in,
                        noise,
                        is_timed,
                        seed,
                    });
                }
            }
        }
    }
    games
}

#[test]
fn a_frame_that_is_longer_than_those_of_the_longer_kind_is_noticed() {
    for game in games(5) {
        let usual_ms = game.draw_ms + game.step_ms;
        let least_ms = (usual_ms / 4.0).clamp(1.0, 1e3 / 240.0);
        for has_step in [false, true] {
            // As long as 1.5 times the least excess beyond the longer kind.
            let more_ms = 1.5 * least_ms + 7.0 * game.noise * usual_ms;
            let paths_ms = if has_step {
                more_ms
            } else {
                more_ms + game.step_ms
            };
            let at = 599 / game.one_in * game.one_in + u64::from(!has_step);
            let hitches = game.play(900, |frame, _| {
                (if frame == at { paths_ms } else { 0.0 }, 0.0)
            });
            let [hitch] = &hitches[..] else {
                panic!("{game:?} {has_step}: {hitches:?}");
            };
            assert_eq!(hitch.frame, at);
            if game.is_timed {
                let kind_ms = if has_step { usual_ms } else { game.draw_ms } + 0.4;
                assert!(
                    (hitch.usual_ms / kind_ms - 1.0).abs() < 0.05,
                    "{game:?} {hitch:?}"
                );
                assert_eq!(hitch.findings[0].path, "ai/paths", "{game:?} {has_step}");
                assert!(
                    hitch.findings[0].share > 0.85,
                    "{game:?} {has_step} {}",
                    hitch.verdict
                );
            }
        }
    }
}

#[test]
fn a_step_that_takes_longer_is_named_with_its_own_excess() {
    for game in games(6).into_iter().filter(|game| game.is_timed) {
        let more_ms = 1.3 * game.step_ms + 4.0;
        let at = 599 / game.one_in * game.one_in;
        let hitches = game.play(900, |frame, _| {
            (0.0, if frame == at { more_ms } else { 0.0 })
        });
        let [hitch] = &hitches[..] else {
            panic!("{game:?}: {hitches:?}");
        };
        assert_eq!(hitch.findings[0].path, "sim/step", "{game:?}");
        assert!(
            (hitch.findings[0].usual / game.step_ms - 1.0).abs() < 0.05,
            "{hitch:?}"
        );
        assert!(
            (hitch.excess_ms / more_ms - 1.0).abs() < 0.15,
            "{game:?} {hitch:?}"
        );
        assert!(!hitch.verdict.contains("sim/steps"), "{}", hitch.verdict);
    }
}

#[test]
fn frames_of_two_kinds_are_no_hitches() {
    let mut noticed = 0;
    for game in games(7) {
        noticed += game.play(5_000, |_, _| (0.0, 0.0)).len();
    }
    assert!(noticed <= 1, "{noticed}");
}

#[test]
fn longer_frames_are_a_kind_only_if_there_are_enough_of_them() {
    for (one_in, least, most) in [(6, 0, 0), (10, 40, 60)] {
        for is_timed in [false, true] {
            let game = Stepping {
                draw_ms: 10.0,
                step_ms: 13.0,
                one_in,
                noise: 0.005,
                is_timed,
                seed: 8,
            };
            let noticed = game.play(1_200, |_, _| (0.0, 0.0)).len();
            assert!((least..=most).contains(&noticed), "{game:?}: {noticed}");
        }
    }
}
