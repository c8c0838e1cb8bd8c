use std::collections::VecDeque;

use super::fit::{binomial_tail, filled_by_chance};
use super::*;

fn find(
    hitches: &[(&Hitch, Start)],
    long: &VecDeque<Start>,
    newest: Start,
    frames: u64,
) -> Vec<Periodic> {
    let search = Search::new(hitches.iter().copied(), long, newest, frames);
    search.finish(|frame| of_frame(hitches, frame))
}

fn of_frame<'a>(hitches: &[(&'a Hitch, Start)], frame: u64) -> Option<&'a Hitch> {
    let mut hitches = hitches.iter().map(|(hitch, _)| *hitch);
    hitches.find(|hitch| hitch.frame == frame)
}

#[test]
fn the_tail_agrees_with_the_definition() {
    let choose = |n: u32, k: u32| (0..k).fold(1.0, |c, i| c * f64::from(n - i) / f64::from(i + 1));
    for (n, p) in [(5, 0.5), (12, 0.1), (20, 0.03)] {
        for min in 1..=n {
            let expected: f64 = (min..=n)
                .map(|k| choose(n, k) * f64::powi(p, k as i32) * f64::powi(1.0 - p, (n - k) as i32))
                .sum();
            let found = binomial_tail(min as usize, n as usize, p);
            assert!((found / expected - 1.0).abs() < 1e-9, "{n} {p} {min}");
        }
    }
}

fn hitch(frame: u64) -> Hitch {
    Hitch {
        frame,
        frame_ms: 30.0,
        usual_ms: 10.0,
        excess_ms: 20.0,
        work_ms: 20.0,
        verdict: String::new(),
        single_culprit: false,
        findings: Vec::new(),
        repeats: None,
        thread_times: None,
    }
}

#[test]
fn stalls_of_one_culprit_are_found_among_many_other_hitches() {
    let of = |series: u32, frame: u64| Hitch {
        findings: vec![Finding {
            path: format!("scope {series}"),
            series: Some(series),
            role: Role::Culprit,
            share: 0.9,
            is_part: true,
            is_ready: false,
            value: 21.0,
            usual: 1.0,
            record: 1.0,
            unit: stats_core::Unit::Milliseconds,
        }],
        ..hitch(frame)
    };
    let mut random = stats_testing::Random::new(3);
    let (mut alarms, mut found) = (0, 0);
    for _ in 0..40 {
        let mut hitches: Vec<Hitch> = (0..60)
            .map(|_| of(random.below(3) as u32, random.below(900)))
            .collect();
        for is_planted in [false, true] {
            if is_planted {
                hitches.extend((0..13).map(|at| of(7, 20 + at * 66)));
            }
            hitches.sort_by_key(|hitch| hitch.frame);
            hitches.dedup_by_key(|hitch| hitch.frame);
            let at = |frame| Start {
                frame,
                secs: frame as f64 / 60.0,
            };
            let all: Vec<_> = hitches.iter().map(|one| (one, at(one.frame))).collect();
            let combs = find(&all, &VecDeque::new(), at(900), 900);
            let is_seven = |comb: &&Periodic| comb.series == Some(7);
            let sevens = combs.iter().filter(is_seven).count();
            found += usize::from(sevens == 1);
            alarms += combs.len() - sevens;
        }
    }
    assert!(found >= 38, "{found} of 40");
    assert!(alarms <= 1, "{alarms}");
}

#[test]
fn a_stall_without_a_common_culprit_names_the_frame_time() {
    let named = |paths: &[&str]| {
        let hitches = paths.iter().enumerate().map(|(at, path)| Hitch {
            findings: vec![Finding {
                path: (*path).to_owned(),
                series: path.bytes().next().map(u32::from),
                role: Role::Culprit,
                share: 0.9,
                is_part: true,
                is_ready: false,
                value: 21.0,
                usual: 1.0,
                record: 1.0,
                unit: stats_core::Unit::Milliseconds,
            }],
            ..hitch(100 + 120 * at as u64)
        });
        let hitches: Vec<Hitch> = hitches.collect();
        moved_on_all(hitches.iter()).map(|moved| moved.path.clone())
    };
    assert_eq!(named(&["a", "b", "c", "d", "a"]), None);
    assert_eq!(named(&["a", "b", "a", "d", "a"]).as_deref(), Some("a"));
}

#[test]
fn a_series_whose_path_is_unaccounted_is_no_time_in_no_scope() {
    let what = |series: Option<u32>, role| {
        let finding = Finding {
            path: "unaccounted".to_owned(),
            series,
            role,
            share: 1.0,
            is_part: true,
            is_ready: false,
            value: 21.0,
            usual: 1.0,
            record: 1.0,
            unit: stats_core::Unit::Milliseconds,
        };
        let of = |frame| Hitch {
            findings: vec![finding.clone()],
            ..hitch(frame)
        };
        let hitches: Vec<Hitch> = (1..6).map(|at| of(100 * at)).collect();
        let start = |frame| Start {
            frame,
            secs: frame as f64 / 60.0,
        };
        let all: Vec<_> = hitches.iter().map(|one| (one, start(one.frame))).collect();
        let stalls = find(&all, &VecDeque::new(), start(600), 600);
        stalls[0].what().into_owned()
    };
    assert_eq!(what(None, Role::Unaccounted), "time in no scope");
    assert_eq!(what(Some(3), Role::Culprit), "unaccounted");
}

fn found(frames: impl IntoIterator<Item = u64>, end: u64) -> Vec<(f64, usize)> {
    found_with(frames, [], end)
}

fn found_with(
    frames: impl IntoIterator<Item = u64>,
    long: impl IntoIterator<Item = u64>,
    end: u64,
) -> Vec<(f64, usize)> {
    let at = |frame| Start {
        frame,
        secs: frame as f64 / 60.0,
    };
    let hitches: Vec<Hitch> = frames.into_iter().map(hitch).collect();
    let hitches: Vec<_> = hitches.iter().map(|one| (one, at(one.frame))).collect();
    let combs = find(&hitches, &long.into_iter().map(at).collect(), at(end), end);
    combs
        .iter()
        .map(|comb| (comb.period_frames.round(), comb.count))
        .collect()
}

#[test]
fn a_comb_is_found_beside_other_hitches_and_irregular_ones_are_not() {
    assert_eq!(found((0..8).map(|at| 100 + at * 120), 1000), [(120.0, 8)]);
    let others = [137, 322, 500, 911];
    let mut with_others: Vec<u64> = (0..15).map(|at| 100 + at * 120).chain(others).collect();
    with_others.sort_unstable();
    let combs = found(with_others, 1800);
    assert_eq!(combs.first().map(|comb| comb.0), Some(120.0), "{combs:?}");
    assert_eq!(found([100, 217, 300, 444, 700, 702, 810], 1000), []);
}

#[test]
fn few_stalls_at_exactly_equal_distances_are_certain_and_about_equal_ones_are_not() {
    // All hitches of a short run.
    assert_eq!(found((0..6).map(|at| 90 + at * 60), 450), [(60.0, 6)]);
    for period in [20, 45, 75, 90] {
        let four = || (0..4).map(|at| 70 + at * period);
        assert_eq!(found(four(), 360), [(period as f64, 4)], "{period}");
        // Three of them say nothing.
        assert_eq!(found(four().take(3), 360), []);
        let about = four().zip([0, 2, 0, 2]).map(|(frame, later)| frame + later);
        assert_eq!(found(about, 360), [], "{period}");
    }
}

#[test]
fn the_bound_of_the_chance_is_above_the_share_of_random_runs() {
    let mut random = stats_testing::Random::new(11);
    for (slots, stalls, part) in [(2, 2, 0.05), (3, 5, 0.1), (6, 12, 0.05), (4, 3, 0.2)] {
        let rounds = 20_000;
        let mut counts = vec![0_u32; slots + 1];
        for _ in 0..rounds {
            let mut has = vec![false; slots];
            for _ in 0..stalls {
                let at = (random.below(1_000_000) as f64 / 1e6 / part) as usize;
                has.get_mut(at).into_iter().for_each(|has| *has = true);
            }
            counts[has.iter().filter(|has| **has).count()] += 1;
        }
        for min in 1..=slots {
            let share = f64::from(counts[min..].iter().sum::<u32>()) / f64::from(rounds);
            let bound = filled_by_chance(min, slots, (stalls, part));
            assert!(
                share <= 1.15 * bound + 1e-3,
                "{min} {slots} {stalls}: {share} {bound}"
            );
        }
    }
}

#[test]
fn random_hitches_have_no_period_at_any_time_of_a_run() {
    let mut random = stats_testing::Random::new(17);
    let mut false_alarms = 0;
    for _ in 0..60 {
        let mut at = 60;
        let mut next = |_| {
            let uniform = (random.below(10_000) + 1) as f64 / 10_000.0;
            at += 13 + (-300.0 * uniform.ln()) as u64;
            at
        };
        let frames: Vec<u64> = (0..16).map(&mut next).collect();
        let is_found =
            |count: usize| !found(frames[..count].to_vec(), frames[count - 1]).is_empty();
        false_alarms += u32::from((4..=16).any(is_found));
    }
    assert!(false_alarms <= 2, "{false_alarms} of 60 runs");
}

#[test]
fn a_stall_has_its_own_beginning_and_end() {
    let mut random = stats_testing::Random::new(5);
    for round in 0..40_u64 {
        let (begin, period) = (2_000 + 37 * round, 60 + round);
        let planted: Vec<u64> = (0..25).map(|at| begin + at * period).collect();
        let last = planted[24];
        let chance = (0..12).map(|_| random.below(begin)).collect::<Vec<_>>();
        let mut all: Vec<u64> = planted.into_iter().chain(chance).collect();
        all.sort_unstable();
        all.dedup();
        let hitches: Vec<Hitch> = all.into_iter().map(hitch).collect();
        let at = |frame| Start {
            frame,
            secs: frame as f64 / 60.0,
        };
        let hitches: Vec<_> = hitches.iter().map(|one| (one, at(one.frame))).collect();
        let combs = find(&hitches, &VecDeque::new(), at(10_000), 10_000);
        let [comb] = &combs[..] else {
            panic!("{round} {combs:?}")
        };
        // A hitch may lie on the comb before its beginning by chance.
        let slots = (begin - comb.first_frame.min(begin) + period / 2) / period;
        assert!(slots <= 1, "{round} {comb:?}");
        assert_eq!(comb.period_frames, period as f64);
        assert_eq!(comb.newest_frame(), last);
        assert!(comb.has_ended(last + 5 * period) && !comb.has_ended(last + 3 * period));
    }
}

#[test]
fn stalls_at_equal_times_are_found_at_any_frame_rate() {
    let mut random = stats_testing::Random::new(8);
    for round in 0..20 {
        // The rate wanders between 30 and 120 frames a second; a stall comes every 2 seconds.
        let (mut secs, mut rate) = (0.0, 60.0_f64);
        let mut stalls: Vec<(Hitch, Start)> = Vec::new();
        let mut next_secs = 1.0 + round as f64 / 10.0;
        let mut newest = Start { frame: 0, secs };
        for frame in 0..2400 {
            newest = Start { frame, secs };
            if secs >= next_secs {
                stalls.push((hitch(frame), newest));
                next_secs += 2.0;
            }
            rate = (rate + random.below(200) as f64 / 50.0 - 1.99).clamp(30.0, 120.0);
            secs += 1.0 / rate;
        }
        let hitches: Vec<_> = stalls.iter().map(|(hitch, at)| (hitch, *at)).collect();
        let combs = find(&hitches, &VecDeque::new(), newest, 2400);
        let comb = combs.first().expect("a comb");
        assert_eq!((combs.len(), comb.count), (1, stalls.len()), "{combs:?}");
        assert!(
            comb.period_secs
                .is_none_or(|secs| (secs - 2.0).abs() < 0.02)
        );
        assert!(stalls.iter().all(|(hitch, _)| comb.has(hitch.frame)));
    }
}

#[test]
fn random_hitches_of_a_long_run_have_no_period() {
    let mut random = stats_testing::Random::new(7);
    let mut false_alarms = 0;
    for _ in 0..30 {
        let mut at = 0;
        let mut next = |_| {
            let uniform = (random.below(10_000) + 1) as f64 / 10_000.0;
            at += 13 + (-27.0 * uniform.ln()) as u64;
            at
        };
        let frames: Vec<u64> = (0..256).map(&mut next).collect();
        let newest = frames[255];
        false_alarms += u32::from(!found(frames, newest).is_empty());
    }
    assert!(false_alarms <= 1, "{false_alarms} of 30");
}

#[test]
fn stalls_in_quick_succession_have_the_period_of_all_of_them() {
    for parts in 2..=6_u64 {
        // Every 9 frames; only some of them are hitches.
        let stalls = || (0..20 * parts).map(|at| 100 + at * 9);
        let hitches = stalls().step_by(parts as usize);
        let long = stalls().filter(|frame| !(frame - 100).is_multiple_of(9 * parts));
        let combs = found_with(hitches.clone(), long, 100 + 180 * parts);
        assert_eq!(combs, [(9.0, 20 * parts as usize)], "{parts}");
        // Each hitch takes several frames, which are no stalls of their own.
        let long = hitches.clone().flat_map(|frame| [frame + 1, frame + 2]);
        let combs = found_with(hitches, long, 100 + 180 * parts);
        assert_eq!(combs, [(9.0 * parts as f64, 20)], "{parts}");
    }
}

#[test]
fn a_stall_of_which_some_beats_are_missed_is_found() {
    let with_gaps = [180, 225, 270, 315, 450, 540, 585];
    assert_eq!(found(with_gaps, 600), [(45.0, 7)]);
    let mut random = stats_testing::Random::new(31);
    let mut count = 0;
    for round in 0..200_u64 {
        let period = 20 + round;
        // Seven of ten beats, the first and the last among them.
        let mut missed: Vec<u64> = (1..9).collect();
        for at in (1..missed.len()).rev() {
            missed.swap(at, random.below(at as u64 + 1) as usize);
        }
        let beats = (0..10).filter(|beat| !missed[..3].contains(beat));
        let frames: Vec<u64> = beats.map(|beat| 100 + beat * period).collect();
        let combs = found(frames, 100 + 9 * period + 10);
        // A first or last beat beyond a gap may be left out.
        let is_found = |comb: &(f64, usize)| comb.0 == period as f64 && comb.1 >= 6;
        count += usize::from(combs.len() == 1 && is_found(&combs[0]));
    }
    assert!(count >= 190, "{count} of 200");
}

/// A run has between 4 and 40 stalls, at random frames, with or without the 12 frames between them
/// that are one hitch.
#[test]
fn random_stalls_are_periodic_in_at_most_one_of_a_hundred_runs() {
    let mut random = stats_testing::Random::new(23);
    for (stalls, frames) in [(7, 600), (4, 400), (10, 600), (16, 3_000), (40, 4_000)] {
        let runs = 400_000 / (stalls * stalls * stalls).max(400);
        let runs = runs.clamp(100, 1_000);
        let mut alarms = 0;
        for run in 0..runs {
            let mut at: Vec<u64> = (0..stalls)
                .map(|_| 60 + random.below(frames - 60))
                .collect();
            at.sort_unstable();
            let apart = if run % 2 == 0 { 1 } else { 12 };
            at.dedup_by(|next, before| *next < *before + apart);
            alarms += usize::from(!found(at, frames).is_empty());
        }
        println!("{stalls} stalls in {frames} frames: {alarms} of {runs} runs");
        assert!(alarms as u64 * 100 <= runs, "{stalls}: {alarms} of {runs}");
    }
}

/// A program calls a step in a frame, so each one is short.
#[test]
fn the_work_of_a_step_is_bounded_for_any_number_of_stalls() {
    let mut random = stats_testing::Random::new(9);
    for count in [4_u64, 16, 64, 256] {
        let at = |frame| Start {
            frame,
            secs: frame as f64 / 60.0,
        };
        // Half of them are periodic, and as many long frames are between the hitches.
        let random = (0..count).map(|_| random.below(30 * count));
        let frames: Vec<u64> = random.chain((0..count / 2).map(|at| 60 * at)).collect();
        let mut hitches: Vec<Hitch> = frames.iter().copied().map(hitch).collect();
        hitches.sort_by_key(|hitch| hitch.frame);
        hitches.dedup_by_key(|hitch| hitch.frame);
        let hitches: Vec<_> = hitches.iter().map(|one| (one, at(one.frame))).collect();
        let mut long: Vec<u64> = frames.iter().map(|frame| frame + 7).collect();
        long.sort_unstable();
        let long: VecDeque<Start> = long.into_iter().map(at).collect();
        let newest = 30 * count + 8;
        let begin = || Search::new(hitches.iter().copied(), &long, at(newest), newest);
        let mut search = begin();
        let mut steps = 0;
        let found = loop {
            steps += 1;
            let found = search.step(|frame| of_frame(&hitches, frame));
            // Four fits of three passes each may follow the last of this work.
            let most = 40_000 + 12 * (hitches.len() + long.len());
            assert!(search.spare.work <= most, "{count}: {}", search.spare.work);
            if let Some(found) = found {
                break found;
            }
        };
        assert!(steps > 1 || count < 64, "{count}");
        assert_eq!(
            found,
            begin().finish(|frame| of_frame(&hitches, frame)),
            "{count}"
        );
    }
}
