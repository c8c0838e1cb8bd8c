//! A scope that is open in several frames reports its time in the frame in which it ends. No frame
//! is longer than itself.

use stats_analysis::insight::{Facts, FrameValues, Hitch, Insight, Role};
use stats_core::{SeriesKind, Unit};
use stats_testing::Random;

/// What is known of the timers.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Known {
    /// As in a running program.
    All,
    /// As in a program whose scopes have not ended yet when the frame is taken.
    ThreadsLate,
    /// As in files of other writers.
    Nothing,
}

const ALL: [Known; 3] = [Known::All, Known::ThreadsLate, Known::Nothing];

/// The series of a game: `load`, with `mesh` inside it, `update`, with `ai` inside it, and
/// `render`. The self times follow.
const PATHS: [&str; 5] = [
    "load/level",
    "load/level/mesh",
    "update",
    "update/ai",
    "render",
];
const PARENTS: [Option<u32>; 5] = [None, Some(0), None, Some(2), None];
const SELF_TIMES: u32 = 5;

fn set_timers(insight: &mut Insight, has_threads: bool, has_parents: bool) {
    for (number, (path, parent)) in (0..).zip(PATHS.iter().zip(PARENTS)) {
        let mut facts = Facts::new(*path, SeriesKind::Timer, Unit::Milliseconds);
        facts.thread = has_threads.then(|| "main".to_owned());
        facts.parent = parent.filter(|_| has_parents);
        insight.set_series(number, facts);
    }
}

fn engine(known: Known) -> Insight {
    let mut insight = Insight::new();
    set_timers(&mut insight, known == Known::All, known != Known::Nothing);
    if known != Known::Nothing {
        insight.set_frame_thread(Some("main"));
        for (number, path) in (0..).zip(PATHS) {
            let mut own = Facts::new(path, SeriesKind::TimerSelf, Unit::Milliseconds);
            own.of = Some(number);
            insight.set_series(SELF_TIMES + number, own);
        }
    }
    insight
}

/// Returns the values of a frame from the self times of its scopes.
fn values(known: Known, own: [f64; 5]) -> Vec<f64> {
    let [load, mesh, update, ai, render] = own;
    let mut values = vec![load + mesh, mesh, update + ai, ai, render];
    if known != Known::Nothing {
        values.extend(own);
    }
    values
}

/// Asserts that nothing is longer than the frame.
fn assert_fits(hitch: &Hitch) {
    assert!(hitch.excess_ms <= hitch.frame_ms * 1.000_01, "{hitch:#?}");
    let mut shares = 0.0;
    let is_in_many = hitch.verdict.contains("in many scopes");
    for finding in &hitch.findings {
        assert!((0.0..=1.0).contains(&finding.share), "{hitch:#?}");
        assert!(finding.value <= hitch.frame_ms * 1.000_01, "{hitch:#?}");
        // Series that moved with the culprit lie inside it.
        let is_part = match finding.role {
            Role::Culprit | Role::Unaccounted => true,
            Role::MovedWith => !is_in_many,
            _ => false,
        };
        shares += if is_part { finding.share } else { 0.0 };
    }
    assert!(shares <= 1.000_01, "{hitch:#?}");
}

/// Plays frames of 16.6 ms with 10 ms of work, then one of 120 ms in which a load of `load_ms`
/// ends, and in which the AI takes `ai_ms`. Returns its explanation, both as a hitch and as an
/// answer.
fn load_ends(known: Known, load_ms: f64, ai_ms: f64) -> [Hitch; 2] {
    let mut insight = engine(known);
    for frame in 0..400_u64 {
        let noise = (frame % 7) as f64 / 40.0;
        let own = [0.0, 0.0, 4.0 + noise, 2.0, 4.0];
        assert!(!insight.take_frame(frame, 16.6 + noise, &values(known, own)));
    }
    let own = values(known, [load_ms, 0.0, 4.0, ai_ms, 4.0]);
    let asked = |insight: &mut Insight| {
        if known == Known::ThreadsLate {
            set_timers(insight, true, true);
        }
        insight.explain(400, 120.0, &own)
    };
    let mut other = insight.clone();
    assert!(insight.take_frame(400, 120.0, &own));
    let asked = asked(&mut other);
    if known == Known::ThreadsLate {
        set_timers(&mut insight, true, true);
    }
    insight.rank_noticed();
    [insight.hitches()[0].clone(), asked]
}

#[test]
fn a_scope_that_merely_ended_in_a_long_frame_is_not_blamed() {
    for known in ALL {
        for load_ms in [1_000.0, 300_000.0] {
            for hitch in load_ends(known, load_ms, 2.0) {
                assert_fits(&hitch);
                assert_eq!(
                    hitch.verdict,
                    "+103.3 ms: 100 % in no scope, or in load/level, which began before this frame",
                    "{known:?} {load_ms}"
                );
                let [first, second] = &hitch.findings[..] else {
                    panic!("{hitch:#?}")
                };
                assert_eq!(
                    (first.role, second.role),
                    (Role::Unaccounted, Role::MovedWith)
                );
                assert_eq!((&*second.path, second.share), ("load/level", 0.0));
                // Without a parent, the time of `update/ai` counts twice.
                let room_ms = if known == Known::Nothing {
                    108.0
                } else {
                    110.0
                };
                assert_eq!(second.value, room_ms, "{known:?} {second:?}");
            }
        }
    }
}

#[test]
fn the_work_of_the_frame_is_blamed_beside_a_scope_that_began_before() {
    for known in ALL {
        for hitch in load_ends(known, 300_000.0, 105.0) {
            assert_fits(&hitch);
            let named = match known {
                // One is inside the other, which is not known.
                Known::Nothing => "+103.3 ms: 50 % update/ai, 50 % update",
                _ => "+103.3 ms: 100 % update/ai",
            };
            assert_eq!(hitch.verdict, named, "{known:?}");
        }
    }
}

#[test]
fn a_scope_that_lies_in_the_frame_for_the_most_part_is_blamed_for_that_part() {
    for known in ALL {
        for load_ms in [110.0, 118.0, 140.0] {
            for hitch in load_ends(known, load_ms, 2.0) {
                assert_fits(&hitch);
                let first = &hitch.findings[0];
                assert_eq!((&*first.path, first.role), ("load/level", Role::Culprit));
                assert!((107.0..110.1).contains(&first.value), "{known:?} {first:?}");
                assert!(first.share > 0.99, "{hitch:#?}");
            }
        }
        // A load within one frame.
        let mut insight = engine(known);
        for frame in 0..400 {
            let own = [0.0, 0.0, 4.0, 2.0, 4.0];
            insight.take_frame(frame, 16.6, &values(known, own));
        }
        let own = values(known, [300_000.0, 0.0, 4.0, 2.0, 4.0]);
        assert!(insight.take_frame(400, 300_016.6, &own));
        insight.rank_noticed();
        let hitch = &insight.hitches()[0];
        assert_eq!(hitch.verdict, "+300,000.0 ms: 100 % load/level");
    }
}

/// A long load ends in the first frames of a program, or as the frame time changes for good. Both
/// restart what is usual.
#[test]
fn a_scope_that_began_long_before_does_not_become_usual() {
    for known in ALL {
        for (load_at, level_at) in [(3, 0), (12, 0), (200, 0), (305, 300), (312, 300)] {
            let mut insight = engine(known);
            let mut long = Vec::new();
            for frame in 0..900_u64 {
                let noise = (frame % 7) as f64 / 40.0;
                let load_ms = if frame == load_at { 300_000.0 } else { 0.0 };
                let ai_ms = if frame == 700 { 32.0 } else { 2.0 };
                let render_ms = if frame < level_at { 4.0 } else { 24.0 };
                let own = [load_ms, 0.0, 4.0 + noise, ai_ms, render_ms];
                let frame_ms = 6.6 + noise + ai_ms + render_ms;
                if insight.take_frame(frame, frame_ms, &values(known, own)) {
                    insight.rank_noticed();
                    long.push(frame);
                }
                if known == Known::ThreadsLate && frame == load_at {
                    set_timers(&mut insight, true, true);
                }
            }
            let case = (known, load_at, level_at);
            assert!(long.ends_with(&[700]), "{case:?} {long:?}");
            let hitch = insight.hitches().back().expect("a hitch");
            assert!(
                (29.0..33.0).contains(&hitch.excess_ms),
                "{case:?} {hitch:?}"
            );
            assert_eq!(hitch.findings[0].path, "update/ai", "{case:?} {hitch:?}");
            insight.hitches().iter().for_each(assert_fits);
        }
    }
}

/// A game whose frame ends inside a scope: each scope has a part in two frames.
#[test]
fn a_frame_that_ends_within_a_scope_is_not_blamed_on_the_part_before_it() {
    for known in [Known::All, Known::Nothing] {
        // A slow part before the end of frame 400, or after it.
        for slow in [400, 401] {
            let mut insight = engine(known);
            for frame in 0..500_u64 {
                let noise = (frame % 7) as f64 / 40.0;
                let is_late = frame == slow && slow == 401;
                let frame_ms = 16.0 + noise + if frame == slow { 30.0 } else { 0.0 };
                // Its first part is in the previous frame.
                let more_ms = if frame == 401 { 30.0 } else { 0.0 };
                let own = [0.0, 0.0, 9.0 + noise + more_ms, 2.0, 5.0];
                let is_noticed = insight.take_frame(frame, frame_ms, &values(known, own));
                assert!(!is_noticed || (400..=401).contains(&frame), "{frame}");
                assert!(!is_late || is_noticed, "{frame}");
                insight.rank_noticed();
            }
            let hitches = insight.hitches();
            assert_eq!(hitches.len(), 1, "{known:?} {hitches:#?}");
            assert_fits(&hitches[0]);
            let named = match slow {
                401 => "100 % update",
                _ => "100 % in no scope",
            };
            assert!(hitches[0].verdict.contains(named), "{}", hitches[0].verdict);
        }
    }
}

#[test]
fn nothing_is_ever_longer_than_its_frame() {
    for known in ALL {
        for seed in 0..30 {
            let (mut insight, mut random) = (engine(known), Random::new(seed));
            let mut carried = [0.0; 5];
            let mut recent: Vec<(f64, Vec<f64>)> = Vec::new();
            for frame in 0..600_u64 {
                let mut ms = |most: u64| random.below(most * 1000) as f64 / 1e3;
                let mut own = [0.0, 0.0, 3.0 + ms(2), 2.0 + ms(1), 4.0 + ms(1)];
                let mut frame_ms = own.iter().sum::<f64>() + ms(3);
                let at = random.index(5);
                match random.below(40) {
                    // A scope takes longer, or one that takes longer goes on.
                    0 => {
                        let more_ms = random.below(200) as f64;
                        (own[at], frame_ms) = (own[at] + more_ms, frame_ms + more_ms);
                    }
                    1 => {
                        let more_ms = random.below(200) as f64;
                        (carried[at], frame_ms) = (carried[at] + more_ms, frame_ms + more_ms);
                    }
                    2 => own[at] += 10f64.powi(random.below(6) as i32),
                    3..6 => own[at] += std::mem::take(&mut carried[at]),
                    _ => {}
                }
                let values = values(known, own);
                // A timer on no known thread may run on several.
                if known != Known::ThreadsLate || frame > 64 {
                    assert_fits(&insight.explain(frame, frame_ms, &values));
                }
                insight.take_frame(frame, frame_ms, &values);
                if known == Known::ThreadsLate && frame == 64 {
                    set_timers(&mut insight, true, true);
                }
                insight.rank_noticed();
                recent.push((frame_ms, values));
            }
            insight.hitches().iter().for_each(assert_fits);
            let all = || {
                recent
                    .iter()
                    .map(|(ms, values)| FrameValues { ms: *ms, values })
            };
            for first in (120..480).step_by(20) {
                let around = all().skip(first - 120).take(120);
                let chosen = all().skip(first).take(1 + first % 3);
                let hitch = insight.explain_among(
                    first as u64,
                    |visit| chosen.for_each(visit),
                    |visit| around.for_each(visit),
                    |_| None,
                );
                assert_fits(&hitch.expect("frames are known"));
            }
        }
    }
}

#[test]
fn a_scope_that_began_long_before_may_end_in_any_frame() {
    for known in ALL {
        for load_at in 0..130 {
            let mut insight = engine(known);
            for frame in 0..140_u64 {
                let load_ms = if frame == load_at { 5_000.0 } else { 0.0 };
                let own = [load_ms, 0.0, 4.0, 2.0, 4.0];
                let is_noticed = insight.take_frame(frame, 12.0, &values(known, own));
                assert!(!is_noticed, "{known:?} {load_at} {frame}");
            }
            assert!(insight.take_frame(140, 42.0, &values(known, [0.0, 0.0, 34.0, 2.0, 4.0])));
        }
    }
}
