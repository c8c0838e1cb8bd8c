use super::*;
use crate::data::listing::tests::listing_of_infos;
use stats_analysis::insight::{Facts, Insight};
use stats_core::SeriesInfo;
use stats_testing::Random;

const MS: Unit = Unit::Milliseconds;

/// Advances to a time, with a usual frame time of 10 ms.
fn at(spiking: &mut Spiking, now_secs: f64) {
    (spiking.frame_ms, spiking.now_secs) = (10.0, now_secs);
}

fn usual(value: f64, scale: f64) -> Usual {
    let floor = 0.01;
    Usual {
        value,
        scale,
        floor,
    }
}

/// Returns the frames that are spikes, by the rule of the module, from all values at once.
fn specified(values: &[f64], usual: &Usual) -> Vec<usize> {
    let (mut spikes, mut event, mut last) = (Vec::new(), None, None);
    for (frame, value) in values.iter().enumerate() {
        let excess = value - usual.value;
        let is_event = usual.scale >= usual.value.abs() && *value != 0.0;
        let is_on = last.is_some_and(|(_, at)| at + 1 == frame);
        let is_large = !is_event || is_on || event.is_some_and(|event| excess > 1.5 * event);
        let bar = (7.5 * usual.scale)
            .max(0.5 * usual.value.abs())
            .max(usual.floor);
        if excess <= bar || !is_large {
            if is_event && excess > 0.0 {
                event = Some(event.unwrap_or(excess).max(excess));
            }
            continue;
        }
        let near = last
            .filter(|(_, at)| frame - at <= 8)
            .map(|(excess, _)| excess);
        let is_spike = frame > 0 && near.is_none_or(|near| excess > 1.5 * near);
        if is_spike {
            spikes.push(frame);
            event = event.map(|event| if is_event { 1.5 * event } else { event });
        }
        let of_group = near.filter(|_| !is_spike).unwrap_or(excess);
        last = Some((of_group, frame));
    }
    spikes
}

#[test]
fn spikes_found_in_steps_are_those_of_a_pass_from_scratch() {
    let (mut random, mut found) = (Random::new(39), 0);
    for round in 0..40 {
        let series = 1 + random.below(150) as usize;
        let paths: Vec<String> = (0..series).map(|at| format!("x/{at}")).collect();
        let (kind, unit) = (SeriesKind::Counter, Unit::Count);
        let numbered = (0..).map(SeriesId::new);
        let mut infos: Vec<SeriesInfo<'_>> = (numbered.zip(&paths))
            .map(|(id, path)| SeriesInfo::new(id, path, kind, unit))
            .collect();
        infos.push(SeriesInfo::frame_time(SeriesId::new(series as u32)));
        let listing = listing_of_infos(&infos.iter().collect::<Vec<_>>());
        let mut all: Vec<Usual> = (0..series)
            .map(|_| match random.below(3) {
                0 => usual(0.25, 0.5),
                1 => usual(10.0, 0.5),
                _ => usual(4.0, 0.0),
            })
            .collect();
        let usual_frame = usual(10.0, 0.5);
        all.push(usual_frame);
        let of = |number: u32| all.get(number as usize).copied();
        let mut values = vec![Vec::new(); series + 1];
        let (mut recent, mut stepped) = (Recent::default(), Spiking::default());
        let learn = |spiking: &mut Spiking, recent: &Recent, units: usize| {
            let mut allowance = Allowance::of_units(units);
            let known = (Some(usual_frame), of);
            spiking.learn(recent, known, &listing, &mut allowance);
        };
        for frame in 0..2000 {
            let ms = if random.below(100) == 0 { 20.0 } else { 10.0 };
            for (values, usual) in values.iter_mut().zip(&all[..series]) {
                let newest = values.last().copied().unwrap_or(usual.value);
                values.push(match random.below(80) {
                    0 => usual.value * (1 + random.below(8)) as f64,
                    1 => usual.value + random.below(3) as f64 * 0.5,
                    2..10 => newest,
                    _ if usual.value < 1.0 => 0.0,
                    _ => usual.value,
                });
            }
            values[series].push(ms);
            let newest: Vec<f64> = values.iter().map(|values| values[frame]).collect();
            recent.take(frame as u64, ms, &newest, &[]);
            if random.below(3) == 0 {
                learn(&mut stepped, &recent, random.below(4) as usize);
            }
        }
        assert_eq!(recent.count(0..u64::MAX), 2000);
        let mut at_once = Spiking::default();
        learn(&mut stepped, &recent, usize::MAX);
        learn(&mut at_once, &recent, usize::MAX);
        assert!(stepped.rank(false) && at_once.rank(false));
        assert_eq!(ids(&stepped), ids(&at_once), "round {round}");
        assert_eq!(stepped.spiked, at_once.spiked, "round {round}");
        // The same from the values alone.
        let mut expected: Vec<Spiked> = Vec::new();
        for ((values, usual), number) in values.iter().zip(&all).zip(0..) {
            let spikes = specified(values, usual);
            let known = stepped.get(SeriesId::new(number));
            assert_eq!(known.map_or(0, |known| known.count as usize), spikes.len());
            let peak = spikes
                .iter()
                .map(|&frame| values[frame])
                .fold(f64::MIN, f64::max);
            assert!(known.is_none_or(|known| known.peak == peak && known.usual == usual.value));
            expected.extend(known);
            found += spikes.len();
        }
        expected.sort_by(|a, b| a.rank(b));
        let ranked = stepped.ranked().filter_map(|id| stepped.get(id).copied());
        let order = |all: Vec<Spiked>| all.iter().map(Spiked::weight).collect::<Vec<_>>();
        assert_eq!(order(ranked.collect()), order(expected), "round {round}");
    }
    assert!(found > 10_000, "{found}");
}

/// Returns the frames that are spikes.
fn spikes(frames: u64, usual: Usual, mut value: impl FnMut(u64) -> f64) -> Vec<u64> {
    let mut past = Past::NONE;
    let mut is_spike = |frame| past.judge(value(frame), &usual, (frame, frame as f64 * 0.01));
    (0..frames).filter(|&frame| is_spike(frame)).collect()
}

#[test]
fn a_new_level_is_one_spike_and_a_level_from_before_is_none() {
    let level = |frame| if frame < 50 { 10.0 } else { 30.0 };
    assert_eq!(spikes(100, usual(10.0, 1.0), level), [50]);
    let fallen = |frame| {
        if frame < 50 {
            30.0 + (frame % 3) as f64
        } else {
            10.0
        }
    };
    assert_eq!(spikes(100, usual(10.0, 1.0), fallen), [0; 0]);
}

#[test]
fn rare_events_are_compared_with_each_other() {
    let rare = usual(0.025, 0.05);
    let every_40 = |frame| if frame % 40 == 0 { 1.0 } else { 0.0 };
    assert_eq!(spikes(20_000, rare, every_40), [0; 0]);
    let with_large = |frame| match frame {
        4000 | 4200 => 20.0,
        _ => every_40(frame),
    };
    assert_eq!(spikes(20_000, rare, with_large), [4000, 4200]);
    let large_now = |frame| {
        if frame < 4000 {
            every_40(frame)
        } else {
            20.0 * every_40(frame)
        }
    };
    assert!(spikes(9000, rare, large_now).len() < 10);
}

/// Returns the frames of the second half of a series that are spikes compared with what an
/// insight learns from it.
fn learned_spikes(frames: u64, mut value: impl FnMut(u64) -> f64) -> Vec<u64> {
    let (mut insight, mut past) = (Insight::new(), Past::NONE);
    insight.set_series(0, Facts::new("x", SeriesKind::Gauge, Unit::Count));
    let mut is_spike = |frame: u64| {
        let value = value(frame);
        insight.take_frame(frame, 10.0, &[value]);
        let usual = insight.usual(0);
        usual.is_some_and(|usual| past.judge(value, &usual, (frame, frame as f64 * 0.01)))
    };
    let all = (0..frames).filter(|&frame| is_spike(frame));
    all.filter(|&frame| frame >= frames / 2).collect()
}

#[test]
fn noise_is_usual_and_spikes_in_it_are_found() {
    let mut random = Random::new(12);
    let found = learned_spikes(6000, |frame| {
        let noise = 4.0 + random.below(1000) as f64 / 1000.0;
        noise + if frame % 500 == 499 { 12.0 } else { 0.0 }
    });
    assert_eq!(found, [3499, 3999, 4499, 4999, 5499, 5999]);
    let mut random = Random::new(15);
    let mut uniform = || (random.below(1 << 50) as f64 + 0.5) / (1_u64 << 50) as f64;
    let normal = |u: f64, v: f64| (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos();
    let found = learned_spikes(40_000, |_| 1000.0 + 300.0 * normal(uniform(), uniform()));
    assert!(found.len() <= 1, "normal: {}", found.len());
    let found = learned_spikes(40_000, |_| -1000.0 * uniform().ln());
    assert!(found.len() <= 50, "exponential: {}", found.len());
}

#[test]
fn a_large_spike_does_not_hide_the_next() {
    let found = learned_spikes(2000, |frame| match frame {
        1500 => 10_000.0,
        1510 => 30.0,
        _ => 10.0,
    });
    assert_eq!(found, [1500, 1510]);
}

#[test]
fn events_every_few_frames_are_usual() {
    let mut random = Random::new(13);
    for every in [2, 3, 4, 6, 8] {
        let found = learned_spikes(6000, |frame| {
            let noise = random.below(100) as f64 / 100.0;
            noise + if frame % every == 0 { 30.0 } else { 10.0 }
        });
        // Until the usual value settles, for bursts in every 6th frame.
        assert!(found.len() < 10, "every {every} frames: {found:?}");
    }
    for every in [40, 100, 400] {
        let value = |frame| if frame % every == 7 { 30.0 } else { 10.0 };
        let found = learned_spikes(6000, value);
        assert_eq!(found.len() as u64, 3000 / every, "every {every} frames");
    }
}

#[test]
fn a_slow_rise_is_usual() {
    let mut random = Random::new(14);
    for noise in [0, 5] {
        let value = |frame| 1000.0 + frame as f64 + random.below(noise + 1) as f64;
        assert_eq!(learned_spikes(20_000, value), [0; 0]);
    }
}

#[test]
fn rare_events_that_an_insight_learned_are_usual() {
    let found = learned_spikes(10_000, |frame| match frame {
        8000 => 20.0,
        _ if frame % 40 == 0 => 1.0,
        _ => 0.0,
    });
    assert_eq!(found, [8000]);
}

#[test]
fn a_new_level_becomes_usual() {
    let found = learned_spikes(1000, |frame| match frame {
        900 => 90.0,
        600.. => 30.0,
        _ => 10.0,
    });
    assert_eq!(found, [600, 900]);
}

#[test]
fn the_same_value_again_changes_nothing() {
    let mut random = Random::new(6);
    for usual in [usual(0.1, 0.2), usual(10.0, 1.0)] {
        let (mut once, mut twice) = (Past::NONE, Past::NONE);
        for frame in 0..3000 {
            let value = if random.below(9) == 0 {
                random.below(90) as f64
            } else {
                0.0
            };
            let now = (frame, frame as f64 * 0.01);
            let is_spike = once.judge(value, &usual, now);
            assert_eq!(twice.judge(value, &usual, now), is_spike);
            assert!(!twice.judge(value, &usual, now));
            assert_eq!(format!("{once:?}"), format!("{twice:?}"));
        }
    }
}

fn ids(spiking: &Spiking) -> Vec<u32> {
    spiking.ranked().map(SeriesId::number).collect()
}

#[test]
fn times_come_first_by_milliseconds_and_the_rest_by_multiples() {
    let mut spiking = Spiking::default();
    at(&mut spiking, 0.0);
    spiking.note(SeriesId::new(1), Unit::Count, 500.0, 5.0);
    spiking.note(SeriesId::new(2), MS, 3.0, 1.0);
    spiking.note(SeriesId::new(3), Unit::Seconds, 0.006, 0.001);
    spiking.note(SeriesId::new(4), Unit::Bytes, 9e9, 1e9);
    spiking.note(SeriesId::new(5), Unit::Microseconds, 4000.0, 1000.0);
    spiking.note(SeriesId::new(6), MS, 30.0, 10.0);
    assert!(spiking.rank(false));
    assert_eq!(ids(&spiking), [6, 3, 5, 2, 1, 4]);
}

#[test]
fn times_too_small_to_notice_are_left_out() {
    let mut spiking = Spiking::default();
    at(&mut spiking, 0.0);
    for (id, value) in [(1, 0.109), (2, 0.111)] {
        spiking.note(SeriesId::new(id), MS, value, 0.01);
        spiking.note(
            SeriesId::new(id + 10),
            Unit::Microseconds,
            value * 1000.0,
            10.0,
        );
    }
    // 1 % of 100 ms is more than 0.1 ms.
    spiking.frame_ms = 100.0;
    spiking.note(SeriesId::new(3), MS, 1.0, 0.01);
    spiking.note(SeriesId::new(4), MS, 1.1, 0.01);
    spiking.rank(false);
    assert_eq!(ids(&spiking), [4, 2, 12]);
}

#[test]
fn a_spike_is_listed_for_a_minute_with_its_peak_and_its_count() {
    let mut spiking = Spiking::default();
    let id = SeriesId::new(1);
    for (secs, value) in [(0.0, 20.0), (30.0, 50.0), (31.0, 40.0)] {
        at(&mut spiking, secs);
        spiking.note(id, MS, value, 10.0);
    }
    at(&mut spiking, 91.0);
    spiking.rank(false);
    let spiked = *spiking.get(id).unwrap();
    assert_eq!(
        (spiked.peak, spiked.excess(), spiked.count),
        (50.0, 40.0, 3)
    );
    assert_eq!(spiking.secs_since(&spiked), 60.0);
    at(&mut spiking, 92.1);
    assert!(spiking.rank(false));
    assert!(ids(&spiking).is_empty());
}

#[test]
fn the_searched_time_grows_to_a_minute() {
    let mut spiking = Spiking::default();
    let texts = [0.0, 1.0, 7.9, 59.9, 60.0, 895.0].map(|secs| {
        at(&mut spiking, secs);
        spiking.searched_text()
    });
    assert_eq!(
        texts,
        [
            "the last second",
            "the last second",
            "the last 7 s",
            "the last 59 s",
            "the last minute",
            "the last minute"
        ]
    );
}

#[test]
fn ranks_change_once_a_second_and_new_series_follow_while_held() {
    let mut spiking = Spiking::default();
    let note = |spiking: &mut Spiking, id: u32, value: f64| {
        spiking.note(SeriesId::new(id), MS, value, 10.0);
    };
    at(&mut spiking, 0.0);
    note(&mut spiking, 1, 20.0);
    assert!(spiking.rank(false));
    at(&mut spiking, 0.9);
    note(&mut spiking, 2, 30.0);
    assert!(!spiking.rank(false));
    assert_eq!(ids(&spiking), [1]);
    at(&mut spiking, 1.1);
    assert!(spiking.rank(true));
    assert_eq!(ids(&spiking), [1, 2], "new series follow");
    at(&mut spiking, 200.0);
    assert!(!spiking.rank(true));
    assert_eq!(ids(&spiking), [1, 2], "old series stay");
    at(&mut spiking, 201.1);
    note(&mut spiking, 2, 30.0);
    assert!(spiking.rank(false));
    assert_eq!(ids(&spiking), [2]);
}

#[test]
fn the_number_of_series_is_bounded() {
    let mut spiking = Spiking::default();
    at(&mut spiking, 0.0);
    for id in 0..3 * MAX_SPIKED as u32 {
        spiking.note(SeriesId::new(id), MS, 20.0 + f64::from(id), 10.0);
    }
    spiking.rank(false);
    assert_eq!(ids(&spiking).len(), RANKED);
    assert_eq!(spiking.spiked.len(), RANKED);
    assert_eq!(ids(&spiking)[0], MAX_SPIKED as u32 - 1);
}
