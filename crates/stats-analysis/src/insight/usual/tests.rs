use super::*;
use stats_testing::Random;

/// The rule of the module, one series and one frame at a time.
fn by_the_rule(values: &[f64], floor: f32) -> [f32; 3] {
    let [mut m, mut s, mut r] = [0.0_f32; 3];
    let known = values.iter().map(|x| *x as f32).filter(|x| x.is_finite());
    for (n, x) in known.enumerate() {
        if n == 0 {
            m = x;
            continue;
        }
        let d = x - m;
        let min_scale = floor.max(0.01 * m.abs());
        let l = if n < 16 {
            f32::INFINITY
        } else {
            3.0 * s.max(min_scale)
        };
        let a = if n < 16 {
            0.5
        } else {
            (1.0 / (n + 1) as f32).max(1.0 / 64.0)
        };
        m += a * d.clamp(-l, l);
        s += a * (d.abs().min(l) - s);
        r = (if n < 16 { 0.5 } else { 0.9995 } * r).max(d.abs());
    }
    [m, s, r]
}

fn get(usual_values: &UsualValues, at: usize) -> [f32; 3] {
    let of = usual_values.estimate(at);
    [of.usual, of.scale, of.record]
}

#[test]
fn estimates_follow_the_rule_for_series_of_any_age() {
    let mut random = Random::new(1);
    let mut all: Vec<Vec<f64>> = (0..37).map(|_| random.series(500)).collect();
    for series in &mut all {
        for value in series.iter_mut() {
            *value = match random.below(20) {
                0 => f64::NAN,
                _ => *value,
            };
        }
    }
    let mut usual_values = UsualValues::default();
    for frame in 0..500 {
        // A new series every ten frames.
        let known = all.len().min(1 + frame / 10);
        (0..known).for_each(|at| usual_values.set(at, 0.5));
        let values: Vec<f64> = all[..known].iter().map(|series| series[frame]).collect();
        learn(&mut usual_values, &values);
    }
    for (at, series) in all.iter().enumerate() {
        let expected = by_the_rule(&series[at * 10..], 0.5);
        for (found, expected) in get(&usual_values, at).into_iter().zip(expected) {
            let is_close = (found - expected).abs() <= 1e-4 * expected.abs().max(1e-3);
            assert!(is_close, "{at}: {found} {expected}");
        }
    }
}

/// Learns the values of a frame. Every value may have changed.
fn learn(usual_values: &mut UsualValues, values: &[f64]) {
    usual_values.note_all_changed();
    usual_values.learn(values);
}

/// Returns which groups have the values of the frame before.
fn still_groups(before: &[f64], values: &[f64]) -> Vec<bool> {
    let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    let groups = before.chunks(SURVEY_GROUP).zip(values.chunks(SURVEY_GROUP));
    groups.map(|(old, new)| bits(old) == bits(new)).collect()
}

#[test]
fn resting_chunks_learn_what_a_pass_over_all_values_teaches() {
    for (series, frames) in [(3 * CHUNK + 20, 3000), (HALVED + 3 * CHUNK, 400)] {
        let mut random = Random::new(series as u64);
        let (mut all, mut some) = (UsualValues::default(), UsualValues::default());
        for at in 0..series {
            for values in [&mut all, &mut some] {
                values.set(at, [0.5, 0.02][at % 2]);
            }
        }
        let mut values: Vec<f64> = (0..series).map(|at| (at % 50) as f64 / 3.0).collect();
        let (mut rested, mut woken) = (0, 0);
        for frame in 0..frames {
            let before = values.clone();
            let chunks = series.div_ceil(CHUNK);
            if frame < 150 || random.below(40) == 0 {
                // All values of a few series, or of a chunk, change.
                let count = [1, CHUNK as u64][random.index(2)];
                let first = random.index(chunks) * CHUNK;
                for at in (first..series).take(random.below(count + 1) as usize) {
                    values[at] = match random.below(30) {
                        0 => f64::NAN,
                        1 => f64::INFINITY,
                        2 => 1e6,
                        3..12 => 0.0,
                        _ => (at % 50) as f64 / 3.0 + random.below(100) as f64 / 50.0,
                    };
                }
            }
            some.note_changes(&still_groups(&before, &values));
            // What is noted in a frame that teaches nothing still counts.
            if random.below(20) > 0 {
                let resting = |of: &UsualValues| {
                    of.chunks
                        .iter()
                        .filter(|chunk| chunk.rest.is_some())
                        .count()
                };
                let before = resting(&some);
                learn(&mut all, &values);
                some.learn(&values);
                rested += resting(&some);
                woken += usize::from(resting(&some) < before);
            }
            if random.below(500) == 0 {
                let levels = || values.iter().map(|value| *value as f32 + 1.0);
                all.restart(levels());
                some.restart(levels());
            }
            for at in (0..series).skip(frame % 7).step_by(1 + series / 100) {
                let (found, expected) = (get(&some, at), get(&all, at));
                let tolerance = 1e-4 * expected[0].abs().max(expected[2]).max(1e-3);
                for (found, expected) in found.into_iter().zip(expected) {
                    let error = (found - expected).abs();
                    assert!(error <= tolerance, "{frame}, {at}: {found} {expected}");
                }
                assert_eq!(some.estimate(at).seen, all.estimate(at).seen);
            }
        }
        assert!(rested > 1000 && woken > 5, "{rested} {woken}");
    }
}

#[test]
fn what_is_usual_is_known_after_32_values() {
    let mut usual_values = UsualValues::default();
    usual_values.set(1, 0.5);
    for count in 1..=100 {
        learn(&mut usual_values, &[10.0; 4]);
        let usual = usual_values.get(1);
        assert_eq!(usual.is_some(), count >= 32, "{count}");
        assert!(usual.is_none_or(|usual| usual.value == 10.0 && usual.bar() == 5.0));
        // 0 and 9 have no series.
        assert_eq!((usual_values.get(0), usual_values.get(9)), (None, None));
    }
}

#[test]
fn the_bar_of_a_spike_is_the_largest_of_its_parts() {
    let bar = |value, scale, floor| {
        let usual = Usual {
            value,
            scale,
            floor,
        };
        usual.bar()
    };
    assert_eq!(bar(-10.0, 0.5, 1.0), 5.0);
    assert_eq!(bar(10.0, 2.0, 1.0), 15.0);
    assert_eq!(bar(0.0, 0.0, 0.5), 0.5);
}

#[test]
fn values_before_a_series_was_added_teach_it_nothing() {
    let mut usual_values = UsualValues::default();
    usual_values.set(3, 0.5);
    (0..100).for_each(|_| learn(&mut usual_values, &[900.0; 4]));
    usual_values.set(1, 0.5);
    (0..100).for_each(|_| learn(&mut usual_values, &[10.0; 4]));
    let expected = by_the_rule(&[10.0; 100], 0.5);
    for (found, expected) in get(&usual_values, 1).into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-4, "{found} {expected}");
    }
}

#[test]
fn a_series_whose_values_begin_late_learns_its_first_values() {
    let mut usual_values = UsualValues::default();
    (0..2).for_each(|at| usual_values.set(at, 0.5));
    (0..100).for_each(|_| learn(&mut usual_values, &[10.0]));
    (0..100).for_each(|_| learn(&mut usual_values, &[10.0, 500.0]));
    for (at, expected) in [(0, [10.0; 200].as_slice()), (1, &[500.0; 100])] {
        assert_eq!(get(&usual_values, at), by_the_rule(expected, 0.5), "{at}");
    }
}

#[test]
fn halves_learn_values_of_every_second_frame() {
    let many = HALVED + 2;
    let mut usual_values = UsualValues::default();
    (0..many).for_each(|at| usual_values.set(at, 0.5));
    for frame in 0..600 {
        learn(&mut usual_values, &vec![f64::from(frame % 2) * 10.0; many]);
    }
    for at in [0, many - 1] {
        assert!(get(&usual_values, at)[2] > 4.0, "{at}");
        assert!((3.0..7.0).contains(&get(&usual_values, at)[0]), "{at}");
    }
}

#[test]
fn halves_of_many_series_learn_in_turn() {
    let many = HALVED + 2;
    let mut usual_values = UsualValues::default();
    (0..many).for_each(|at| usual_values.set(at, 0.5));
    for _ in 0..200 {
        learn(&mut usual_values, &vec![10.0; many]);
    }
    for _ in 0..300 {
        learn(&mut usual_values, &vec![14.0; many]);
    }
    for at in [0, many / 2 - 1, many / 2, many - 1] {
        assert!(
            (get(&usual_values, at)[0] - 13.0).abs() < 1.0,
            "{}",
            get(&usual_values, at)[0]
        );
    }
}
