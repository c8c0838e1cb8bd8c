use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::{LaneKind, NewScope, Scope, Timeline};
use crate::SeriesId;
use crate::limits::LATE_FRAMES;

/// A linear congruential generator, so that the crate needs no other for its tests.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (self.0 >> 33) % end
    }
}

/// A scope with the times of the source.
#[derive(Clone, Copy, Debug)]
struct Given {
    lane: u64,
    series: u32,
    depth: u32,
    begin: i64,
    end: i64,
    /// The number of frames by which it arrives late.
    delay: u64,
}

impl Given {
    fn new_scope(&self, end_ns: Option<i64>) -> NewScope<'static> {
        const NAMES: [&str; 4] = ["main", "worker", "worker", "audio"];
        NewScope {
            lane: self.lane,
            lane_name: NAMES[self.lane as usize],
            lane_kind: LaneKind::Thread,
            series: SeriesId::new(self.series),
            depth: self.depth,
            begin_ns: self.begin,
            end_ns,
            is_wait: self.series == 3,
        }
    }
}

/// Returns what a frame should have: lane, series, depth, begin and end, and whether it is open.
type Expected = BTreeSet<(u64, u32, u8, i64, i64, bool)>;

/// Computes a frame from all scopes, from scratch.
fn expected(scopes: &[Given], frames: &[Range<i64>], at: usize) -> Expected {
    let frame = &frames[at];
    let before = at.checked_sub(1).map_or(i64::MIN, |at| frames[at].end);
    let rows = scopes.iter().filter_map(|scope| {
        let ended_here = before < scope.end && scope.end <= frame.end;
        let is_open = scope.end > frame.end && scope.begin < frame.end;
        let end = if is_open { frame.end } else { scope.end };
        let row = (
            scope.lane,
            scope.series,
            scope.depth as u8,
            scope.begin - frame.start,
            end - frame.start,
            is_open,
        );
        (ended_here || is_open).then_some(row)
    });
    rows.collect()
}

fn found(timeline: &Timeline, index: u64, lanes: &BTreeMap<&str, Vec<u64>>) -> Option<Expected> {
    let frame = timeline.frame(index)?;
    assert!(frame.scopes().is_sorted_by_key(Scope::key));
    let mut found = Expected::new();
    for (lane, scopes) in frame.lanes() {
        for scope in scopes {
            // Two lanes have the same name, so the series tells which.
            let lane = lanes[lane.name]
                .iter()
                .find(|lane| u64::from(scope.series().number()) % 4 == **lane);
            let row = (
                *lane.expect("a lane of that name"),
                scope.series().number(),
                scope.depth(),
                scope.begin_ns(),
                scope.end_ns(),
                scope.is_open(),
            );
            assert!(found.insert(row), "twice: {row:?}");
            assert_eq!(scope.is_wait(), scope.series().number() == 3);
        }
    }
    Some(found)
}

#[test]
fn frames_have_the_scopes_that_end_in_them_or_cross_them_however_late_they_arrive() {
    let lanes = BTreeMap::from([
        ("main", vec![0]),
        ("worker", vec![1, 2]),
        ("audio", vec![3]),
    ]);
    for seed in 1..=6 {
        let mut random = Random(seed);
        // A quarter is more than 64 frames have.
        let bytes = 12_000 * size_of::<Scope>();
        let mut timeline = Timeline::new(bytes, usize::MAX);
        let (mut frames, mut scopes): (Vec<Range<i64>>, Vec<Given>) = (Vec::new(), Vec::new());
        for index in 0..600_u64 {
            let begin = frames.last().map_or(10_000_000, |frame| frame.end);
            let frame = begin..begin + (50 + random.below(100) as i64) * 10_000;
            for _ in 0..random.below(12) {
                let series = random.below(40) as u32;
                let end = frame.start / 10_000 + 1 + random.below(400) as i64;
                scopes.push(Given {
                    lane: u64::from(series) % 4,
                    series,
                    depth: random.below(5) as u32,
                    // Each begin is unique, and none is before the first frame.
                    begin: (end - 1 - random.below(600) as i64).max(1_000) * 10_000
                        + scopes.len() as i64,
                    end: end * 10_000,
                    delay: random.below(30),
                });
            }
            frames.push(frame.clone());
            timeline.push_frame(index, frame.clone());
            for scope in &scopes {
                let arrives = frames.partition_point(|frame| frame.end < scope.end) as u64;
                if arrives + scope.delay == index {
                    timeline.add(scope.new_scope(Some(scope.end)));
                } else if scope.begin < frame.end && scope.end > frame.end {
                    timeline.add(scope.new_scope(None));
                }
            }
            timeline.settle();
            if index % 97 != 0 {
                continue;
            }
            let kept: Vec<u64> = timeline.frames().map(|frame| frame.index()).collect();
            assert!(kept.is_sorted() && kept.last() == Some(&index));
            assert_eq!(kept.len() as u64, index + 1 - kept[0], "no gaps");
            assert!(
                timeline.bytes() <= bytes + (1 << 16),
                "{}",
                timeline.bytes()
            );
            for at in kept {
                // Later scopes may still arrive.
                if at + 45 < index {
                    let found = found(&timeline, at, &lanes).expect("it is kept");
                    assert_eq!(
                        found,
                        expected(&scopes, &frames, at as usize),
                        "{seed}, {at}"
                    );
                    assert_eq!(timeline.frame(at).expect("kept").lost(), 0);
                }
            }
        }
        let first = timeline.frames().next().expect("some are kept").index();
        assert!(first > 0, "the memory is used up");
    }
}

fn scope(lane: u64, begin: i64, end: i64) -> NewScope<'static> {
    Given {
        lane,
        series: 7,
        depth: 0,
        begin,
        end,
        delay: 0,
    }
    .new_scope(Some(end))
}

#[test]
fn a_frame_tells_which_scopes_came_too_late_or_found_no_room() {
    let mut timeline = Timeline::new(1000 * size_of::<Scope>(), 500);
    for index in 0..100 {
        timeline.push_frame(index, index as i64 * 10..index as i64 * 10 + 10);
        timeline.settle();
    }
    timeline.add(scope(0, 11, 12));
    timeline.add(scope(0, 992, 993));
    let frame = |index| timeline.frame(index).expect("it is kept");
    assert_eq!((frame(1).lost(), frame(1).scopes().len()), (1, 0));
    assert_eq!((frame(99).lost(), frame(99).scopes().len()), (0, 1));
    // A frame has at most half of the ring, which is three quarters of the memory.
    timeline.push_frame(100, 1000..1010);
    for at in 0..2000 {
        timeline.add(scope(0, 1000, 1001 + at % 9));
    }
    timeline.settle();
    let frame = timeline.frame(100).expect("it is kept");
    assert_eq!((frame.lost(), frame.scopes().len()), (2000 - 375, 375));
}

#[test]
fn kept_frames_outlive_the_ring_with_their_lanes() {
    let mut timeline = Timeline::new(4000 * size_of::<Scope>(), 200);
    let add = |timeline: &mut Timeline, index: u64| {
        timeline.push_frame(index, index as i64 * 10..index as i64 * 10 + 10);
        for lane in 0..3 {
            let name = format!("{lane} of {index}");
            timeline.add(NewScope {
                lane: index * 3 + lane,
                lane_name: &name,
                ..scope(0, index as i64 * 10, index as i64 * 10 + 1 + lane as i64)
            });
        }
        timeline.settle();
    };
    for index in 0..1000 {
        add(&mut timeline, index);
        if index % 100 == 50 {
            timeline.keep(index - 1..index + 2);
        }
    }
    let names = |timeline: &Timeline, index: u64| -> Vec<String> {
        let frame = timeline.frame(index).expect("it is kept");
        frame
            .lanes()
            .map(|(lane, _)| lane.name.to_owned())
            .collect()
    };
    timeline.clear();
    let kept: Vec<u64> = timeline.frames().map(|frame| frame.index()).collect();
    let wanted: Vec<u64> = (0..10)
        .flat_map(|at| at * 100 + 49..at * 100 + 52)
        .collect();
    assert_eq!(kept, wanted);
    for index in wanted {
        assert_eq!(names(&timeline, index).len(), 3);
        for name in names(&timeline, index) {
            assert!(name.ends_with(&format!(" of {index}")), "{name}");
        }
    }
    // Only the newest 32 calls count.
    for index in 0..32 {
        timeline.keep(10_000 + index..10_001 + index);
    }
    assert_eq!(timeline.frames().count(), 0);
}

#[test]
fn a_source_without_frames_has_no_scopes_and_wrong_calls_do_nothing() {
    let mut timeline = Timeline::default();
    timeline.add(scope(0, 1, 2));
    timeline.lose(5);
    timeline.keep(3..3);
    timeline.settle();
    timeline.clear();
    assert!(timeline.frame(0).is_none());
    // Nothing fits into no memory.
    timeline.push_frame(5, 0..10);
    timeline.add(scope(0, 1, 2));
    timeline.settle();
    assert_eq!(timeline.frame(5).map(|frame| frame.lost()), Some(1));
    // An index that goes back drops all earlier frames.
    let backward = std::ops::Range { start: 20, end: 10 };
    timeline.push_frame(4, backward);
    assert_eq!(
        timeline
            .frames()
            .map(|frame| frame.index())
            .collect::<Vec<_>>(),
        [4]
    );
    assert_eq!(timeline.frame(4).map(|frame| frame.duration_ns()), Some(0));
}

/// A thread whose clock stands still during several scopes.
struct Coarse<'a> {
    random: &'a mut Random,
    lane: u64,
    now: i64,
    /// The number of scopes that have begun. Each has it as its series.
    begun: u32,
    /// The scopes in the order in which they ended.
    ended: Vec<NewScope<'static>>,
}

impl Coarse<'_> {
    fn tick(&mut self) {
        self.now += i64::from(self.random.below(12) == 0);
    }

    /// Runs a scope with scopes inside it. One that is left open has no end.
    fn run(&mut self, depth: u32, is_open: bool) {
        let (series, begin) = (self.begun, self.now);
        self.begun += 1;
        self.tick();
        while depth < 6 && self.random.below(5) < 3 {
            self.run(depth + 1, false);
            self.tick();
        }
        if is_open && depth < 6 {
            self.run(depth + 1, true);
        }
        let scope = Given {
            lane: self.lane,
            series,
            depth,
            begin,
            end: self.now,
            delay: 0,
        };
        let end = (!is_open).then_some(self.now);
        self.ended.push(NewScope {
            is_wait: false,
            ..scope.new_scope(end)
        });
    }
}

#[test]
fn scopes_that_begin_at_one_moment_are_inside_those_that_they_ran_in() {
    let mut random = Random(11);
    for round in 0..300 {
        let mut timeline = Timeline::new(1 << 20, 10);
        let mut all = Vec::new();
        // Lanes get their numbers in the order of their first scopes.
        for lane in 0..3 {
            let mut thread = Coarse {
                random: &mut random,
                lane,
                now: 0,
                begun: 0,
                ended: Vec::new(),
            };
            (0..4).for_each(|_| thread.run(0, false));
            thread.run(0, round % 2 == 0);
            all.push(thread.ended);
        }
        let counts: Vec<u32> = all.iter().map(|ended| ended.len() as u32).collect();
        timeline.push_frame(0, 0..1000);
        // The other scopes are added after a frame has ended.
        let later: Vec<_> = all
            .iter_mut()
            .map(|ended| ended.split_off(ended.len() / 2))
            .collect();
        for (next, part) in (1..).zip([all, later]) {
            part.into_iter()
                .flatten()
                .for_each(|scope| timeline.add(scope));
            if round % 3 == 0 {
                timeline.push_frame(next, 999 + next as i64..1000 + next as i64);
            }
            if round % 5 < 2 {
                timeline.settle();
            }
        }
        timeline.settle();
        let mut copy = Timeline::new(1 << 20, 10);
        put(&timeline, &mut copy, 0);
        for timeline in [&timeline, &copy] {
            let frame = timeline.frame(0).expect("it is kept");
            for ((_, scopes), count) in frame.lanes().zip(&counts) {
                let order = scopes.iter().map(|scope| scope.series().number());
                assert!(order.eq(0..*count), "{round}: {scopes:?}");
            }
        }
    }
}

/// A frame: duration, lost scopes, and the scopes with the names of their lanes.
type Copied = (i64, u64, Vec<(String, Scope)>);

fn copied(timeline: &Timeline, index: u64) -> Option<Copied> {
    let frame = timeline.frame(index)?;
    let mut scopes = Vec::new();
    for (lane, of_lane) in frame.lanes() {
        // The numbers of lanes are those of the timeline.
        let own = of_lane.iter().map(|scope| Scope { lane: 0, ..*scope });
        scopes.extend(own.map(|scope| (lane.name.to_owned(), scope)));
    }
    scopes.sort_unstable_by_key(|(name, scope)| (name.clone(), scope.key(), scope.end_ns));
    Some((frame.duration_ns(), frame.lost(), scopes))
}

/// Puts a frame of one timeline into another.
fn put(from: &Timeline, to: &mut Timeline, index: u64) {
    let frame = from.frame(index).expect("it is kept");
    let scopes = frame.lanes().flat_map(|(lane, scopes)| {
        scopes.iter().map(move |scope| NewScope {
            lane: lane.number.into(),
            lane_name: lane.name,
            lane_kind: lane.kind,
            series: scope.series(),
            depth: scope.depth().into(),
            begin_ns: scope.begin_ns(),
            end_ns: (!scope.is_open()).then(|| scope.end_ns()),
            is_wait: scope.is_wait(),
        })
    });
    to.put((index, frame.duration_ns(), frame.lost()), scopes);
    to.settle();
}

#[test]
fn frames_that_are_put_are_those_of_the_other_timeline_also_older_and_changed_ones() {
    let mut random = Random(9);
    for _ in 0..3 {
        let mut from = Timeline::new(1 << 20, 1000);
        let bytes = 8000 * size_of::<Scope>();
        let mut to = Timeline::new(bytes, 1000);
        let first = 400;
        for index in 0..600_u64 {
            let begin = index as i64 * 1000;
            from.push_frame(index, begin..begin + 1000);
            for _ in 0..random.below(12) {
                let end = begin + 1 + random.below(1000) as i64;
                from.add(scope(
                    random.below(4),
                    end - 1 - random.below(3000) as i64,
                    end,
                ));
            }
            // A scope that arrives late, or too late.
            let late = begin - 1000 * random.below(80) as i64;
            from.add(scope(3, late, late + 1));
            from.settle();
            if index < first {
                continue;
            }
            let revision = |to: &Timeline, at| to.frame(at).map(|frame| frame.revision());
            for at in (first.max(index - LATE_FRAMES)..index).rev() {
                if copied(&from, at) != copied(&to, at) {
                    let before = revision(&to, at);
                    put(&from, &mut to, at);
                    assert_ne!(revision(&to, at), before, "{at}");
                }
            }
            put(&from, &mut to, index);
            let older = random.below(first - LATE_FRAMES - 1);
            put(&from, &mut to, older);
            assert_eq!(copied(&to, index), copied(&from, index), "{index}");
            // Scopes that come too late are counted even later.
            let scopes = |timeline| copied(timeline, older).map(|(.., scopes)| scopes);
            assert_eq!(scopes(&to), scopes(&from), "{older}");
            let most = bytes / 4 * 5 + (1 << 16);
            assert!(to.bytes() <= most, "{}", to.bytes());
        }
        let kept: Vec<u64> = to.frames().map(|frame| frame.index()).collect();
        assert!(kept.is_sorted() && kept.iter().any(|index| *index < first));
        for index in kept.into_iter().filter(|index| *index < 540) {
            let scopes = |timeline| copied(timeline, index).map(|(.., scopes)| scopes);
            assert_eq!(scopes(&to), scopes(&from), "{index}");
        }
        // Nothing is put between others.
        to.push_frame(700, 0..1);
        to.put((650, 1, 0), [scope(0, 0, 1)]);
        assert!(to.frame(650).is_none());
        to.clear();
        assert!(to.frames().all(|frame| frame.index() < first));
    }
}

#[test]
fn a_put_frame_that_cannot_fit_replaces_none_and_frames_without_scopes_are_limited() {
    // A quarter of them is for kept frames.
    let mut timeline = Timeline::new(4000 * size_of::<Scope>(), 4000);
    let put = |timeline: &mut Timeline, index: u64, scopes: i64| {
        timeline.put(
            (index, 10_000, 0),
            (0..scopes).map(|at| scope(0, at, at + 1)),
        );
        timeline.settle();
    };
    let older = |timeline: &Timeline| -> Vec<u64> {
        let indices = timeline.frames().map(|frame| frame.index());
        indices.filter(|index| *index < 10_000).collect()
    };
    put(&mut timeline, 10_000, 1);
    for index in 5_000..5_100 {
        put(&mut timeline, index, 3);
    }
    put(&mut timeline, 5_200, 1_001);
    assert!(older(&timeline).into_iter().eq(5_000..5_100));
    put(&mut timeline, 5_200, 1_000);
    assert_eq!(older(&timeline), [5_200]);
    for index in 6_000..8_000 {
        put(&mut timeline, index, 0);
    }
    assert!(older(&timeline).into_iter().eq(7_000..8_000));
}

#[test]
fn kept_frames_are_found_after_indices_went_back() {
    let mut timeline = Timeline::new(4000 * size_of::<Scope>(), 200);
    timeline.keep(50..60);
    timeline.keep(8..12);
    for first in [40, 0] {
        for index in first..100 {
            timeline.push_frame(index, index as i64 * 10..index as i64 * 10 + 10);
            timeline.settle();
        }
    }
    timeline.clear();
    for index in 0..100 {
        let is_kept = (50..60).contains(&index) || (8..12).contains(&index);
        assert_eq!(timeline.frame(index).is_some(), is_kept, "{index}");
    }
}

#[test]
fn scopes_stay_within_their_frame_whatever_the_clock_does() {
    let mut random = Random(3);
    for _ in 0..100 {
        let mut timeline = Timeline::new(1 << 16, 100);
        let mut now = 0;
        for index in 0..40 {
            let time = now..now + random.below(100) as i64;
            timeline.push_frame(index, time.clone());
            for scope in 0..8 {
                let begin = now - 50 + random.below(200) as i64;
                let given = Given {
                    lane: random.below(4),
                    series: scope,
                    depth: 0,
                    begin,
                    end: 0,
                    delay: 0,
                };
                let is_open = random.below(4) == 0;
                let end = begin - 20 + random.below(120) as i64;
                timeline.add(given.new_scope((!is_open).then_some(end)));
            }
            timeline.settle();
            now = time.end;
            if random.below(5) == 0 {
                now -= random.below(300) as i64;
            }
        }
        let scope = Given {
            lane: 0,
            series: 1,
            depth: 0,
            begin: 60,
            end: 90,
            delay: 0,
        };
        timeline.put(
            (40, 50, 0),
            [scope.new_scope(Some(90)), scope.new_scope(None)],
        );
        timeline.settle();
        for frame in timeline.frames() {
            for scope in frame.scopes() {
                let (begin, end) = (scope.begin_ns(), scope.end_ns());
                let is_within = begin <= end && end <= frame.duration_ns();
                assert!(is_within, "{scope:?} in {} ns", frame.duration_ns());
            }
        }
    }
}
