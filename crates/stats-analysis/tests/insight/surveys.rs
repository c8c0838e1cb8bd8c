//! Answers from surveys that say which series did not change.

use super::*;
use stats_core::limits::SURVEY_GROUP;
use stats_core::source::Survey;
use stats_testing::Random;

/// The number of series that hardly ever change, beside those of the game.
const IDLE: usize = 1500;

#[test]
fn a_survey_that_says_what_is_still_gives_the_answers_of_all_values() {
    for family in [
        Family::Scope(8.0, 40.0),
        Family::ScopeAndLoad,
        Family::ScopeAndCounter,
        Family::Wait,
        Family::Counter,
        Family::Broad,
    ] {
        for seed in 0..3 {
            let mut game = Game::new(family, 300, 700 + seed);
            let mut engines = [engine(&game), engine(&game)];
            let first = game.facts.len() as u32;
            for number in 0..IDLE as u32 {
                let kind = [SeriesKind::Gauge, SeriesKind::Counter][number as usize % 2];
                let facts = Facts::new(format!("idle/{number}"), kind, Unit::Count);
                engines.iter_mut().for_each(|engine| {
                    engine.set_series(first + number, facts.clone());
                });
            }
            let mut random = Random::new(seed);
            let mut idle: Vec<f64> = (0..IDLE).map(|at| (at % 7) as f64).collect();
            let mut before: Vec<f64> = Vec::new();
            for frame in 0..FRAMES {
                let frame_ms = game.step();
                if random.below(10) == 0 {
                    idle[random.index(IDLE)] += 1.0;
                }
                // Unknown values come and go.
                if frame % 70 < 2 {
                    let known = (frame % 11) as f64;
                    idle[5] = if frame % 70 == 0 { f64::NAN } else { known };
                }
                if frame == game.fault_frame {
                    idle[3] = 4000.0;
                    idle[IDLE - 3] = 90.0;
                }
                let values = [&*game.values, &*idle].concat();
                let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
                let mut old = before.chunks(SURVEY_GROUP);
                let still: Vec<bool> = values
                    .chunks(SURVEY_GROUP)
                    .map(|new| old.next().is_some_and(|old| bits(old) == bits(new)))
                    .collect();
                // A frame that is not taken may have changed any series.
                if frame % 90 == 89 {
                    engines.iter_mut().for_each(|engine| engine.skip(frame_ms));
                } else {
                    let survey = Survey::new(&values, &[], frame + 1).with_still_groups(&still);
                    let [all, some] = &mut engines;
                    let is_noticed = all.take_frame(frame, frame_ms, &values);
                    assert_eq!(some.take_survey(frame, frame_ms, survey), is_noticed);
                    engines.iter_mut().for_each(Insight::rank_noticed);
                }
                before = values;
            }
            let [all, some] = engines;
            assert!(!all.hitches().is_empty(), "{family:?}");
            assert_eq!(all.hitches().len(), some.hitches().len());
            for (expected, found) in all.hitches().iter().zip(some.hitches()) {
                assert_eq!(found.verdict, expected.verdict);
                assert_eq!(found.findings.len(), expected.findings.len());
                for (found, expected) in found.findings.iter().zip(&expected.findings) {
                    let key = |one: &Finding| (one.path.clone(), one.series, one.role);
                    assert_eq!(key(found), key(expected), "{}", game.fault_frame);
                    let is_near =
                        |a: f64, b: f64, part: f64| (a - b).abs() <= part * b.abs().max(1.0);
                    assert!(is_near(found.value, expected.value, 1e-9));
                    // What many equal values change at once is rounded once, to single precision.
                    assert!(is_near(found.usual, expected.usual, 1e-5));
                    assert!(is_near(found.record, expected.record, 1e-5));
                }
            }
            for number in 0..first + IDLE as u32 {
                let usual = [&all, &some].map(|engine| engine.usual(number));
                let [Some(expected), Some(found)] = usual else {
                    assert_eq!(usual[0], usual[1]);
                    continue;
                };
                let is_near =
                    |a: f64, b: f64| (a - b).abs() <= 1e-5 * expected.value.abs().max(1.0);
                assert!(is_near(found.value, expected.value), "{number}");
                assert!(is_near(found.scale, expected.scale), "{number}");
            }
        }
    }
}
