use std::ops::Range;

use stats_core::frame_metrics::{over_budget, stutter};
use stats_core::limits::{MAX_MARK_NAME, MAX_MARKS};
use stats_core::percentiles::{average_fps, percentile_by_frame};
use stats_core::{FrameSlice, Mark, MarkEvent, Recorder, Source};
use stats_testing::{allocations, grown_bytes};

use crate::Random;

/// The documented behavior, implemented in the simplest way.
#[derive(Default)]
struct Naive(Vec<Mark>);

impl Naive {
    fn mark(&mut self, name: &str, event: MarkEvent, held: &Range<u64>) {
        let open = self
            .0
            .iter()
            .position(|mark| mark.is_open() && mark.name == name);
        match (event, open) {
            (MarkEvent::Point, _) => self.put(Mark::new(name, held.end..held.end + 1, true), held),
            (MarkEvent::Begin, None) => self.put(Mark::new(name, held.end..u64::MAX, false), held),
            (MarkEvent::End, Some(at)) => self.0[at].frames.end = held.end + 1,
            (MarkEvent::Begin, Some(_)) | (MarkEvent::End, None) => {}
        }
    }

    fn mark_frames(&mut self, name: &str, frames: Range<u64>, held: &Range<u64>) {
        let frames = frames.start..frames.end.min(held.end);
        if frames.start < frames.end {
            self.put(Mark::new(name, frames, false), held);
        }
    }

    fn put(&mut self, mark: Mark, held: &Range<u64>) {
        if self.0.len() == MAX_MARKS {
            let find = |is: &dyn Fn(&Mark) -> bool| self.0.iter().position(is);
            let gone = find(&|mark| mark.frames.end <= held.start)
                .or_else(|| find(&|mark| mark.is_point && mark.name.starts_with("log info ")));
            let Some(at) = gone.or_else(|| find(&|mark| !mark.is_open())) else {
                return;
            };
            self.0.remove(at);
        }
        let at = self
            .0
            .iter()
            .position(|other| other.frames.start > mark.frames.start)
            .unwrap_or(self.0.len());
        self.0.insert(at, mark);
    }
}

fn frames(recorder: &mut Recorder, count: u64) {
    (0..count).for_each(|_| recorder.end_frame_at(0.0));
}

#[test]
fn marks_agree_with_a_simple_list() {
    // Few names and many, short spans and endless ones, a history shorter than the marks and a
    // longer one.
    for (seed, names, history) in [
        (1, 3, 500),
        (2, 40, 64),
        (3, 6_000, 5_000),
        (4, 6_000, 1),
        (5, 12, 100_000),
    ] {
        let mut random = Random::new(seed);
        let (mut recorder, mut naive) = (Recorder::with_history(history), Naive::default());
        for step in 0..14_000 {
            let held = recorder.frames();
            let line = ["", "", "log info game: "][random.below(3) as usize];
            let name = format!("{line}{}", random.below(names));
            match random.below(20) {
                0..5 => frames(&mut recorder, 1),
                event @ 5..18 => {
                    let event =
                        [MarkEvent::Point, MarkEvent::Begin, MarkEvent::End][event as usize % 3];
                    recorder.mark(&name, event);
                    naive.mark(&name, event, &held);
                }
                18 => {
                    let start = random.below(held.end + 3);
                    let marked = start..start + random.below(40);
                    recorder.mark_frames(&name, marked.clone());
                    naive.mark_frames(&name, marked, &held);
                }
                _ if step % 1_000 == 0 => recorder.set_history(1 + random.below(2_000) as usize),
                _ => recorder.restart_frame(),
            }
            if step % 211 == 0 {
                assert_eq!(recorder.marks(), naive.0, "seed {seed}, step {step}");
            }
        }
        assert_eq!(recorder.marks(), naive.0, "seed {seed}");
        assert!(recorder.marks().is_sorted_by_key(|mark| mark.frames.start));
        assert_eq!(
            recorder.marks().len(),
            MAX_MARKS,
            "seed {seed}: the limit was reached"
        );
    }
}

#[test]
fn spans_of_different_names_may_be_open_at_once_and_points_are_one_frame() {
    let mut recorder = Recorder::new();
    recorder.mark("loading", MarkEvent::Begin);
    frames(&mut recorder, 2);
    recorder.mark("cutscene", MarkEvent::Begin);
    recorder.mark("loading", MarkEvent::Begin);
    recorder.mark("saved", MarkEvent::Point);
    assert!(
        recorder.marks()[0].is_open()
            && recorder.marks()[1].is_open()
            && !recorder.marks()[2].is_open()
    );
    frames(&mut recorder, 3);
    recorder.mark("loading", MarkEvent::End);
    recorder.mark("loading", MarkEvent::End);
    recorder.mark("nothing", MarkEvent::End);
    recorder.mark("loading", MarkEvent::Begin);
    recorder.mark("loading", MarkEvent::End);
    let expected = [
        Mark::new("loading", 0..6, false),
        Mark::new("cutscene", 2..u64::MAX, false),
        Mark::new("saved", 2..3, true),
        Mark::new("loading", 5..6, false),
    ];
    assert_eq!(recorder.marks(), expected);
    assert_eq!(Source::marks(&recorder), expected);
}

#[test]
fn open_spans_are_never_evicted_and_can_take_all_the_room() {
    let mut recorder = Recorder::with_history(10);
    recorder.mark("open", MarkEvent::Begin);
    for _ in 0..3 * MAX_MARKS {
        recorder.mark("point", MarkEvent::Point);
        frames(&mut recorder, 1);
    }
    assert_eq!(
        (recorder.marks().len(), recorder.marks()[0].name.as_str()),
        (MAX_MARKS, "open")
    );
    (1..2 * MAX_MARKS).for_each(|number| recorder.mark(&number.to_string(), MarkEvent::Begin));
    recorder.mark("point", MarkEvent::Point);
    assert!(recorder.marks().len() == MAX_MARKS && recorder.marks().iter().all(Mark::is_open));
    recorder.mark("17", MarkEvent::End);
    recorder.mark("point", MarkEvent::Point);
    assert!(
        recorder.marks().len() == MAX_MARKS
            && recorder.marks().iter().all(|mark| mark.name != "17")
    );
    assert!(recorder.marks().last().unwrap().is_point);
}

#[test]
fn marks_of_dropped_frames_are_evicted_before_older_marks_of_kept_frames() {
    let mut recorder = Recorder::with_history(100);
    recorder.mark("long", MarkEvent::Begin);
    frames(&mut recorder, 1);
    recorder.mark("early", MarkEvent::Point);
    frames(&mut recorder, 300);
    recorder.mark("long", MarkEvent::End);
    (2..MAX_MARKS).for_each(|_| recorder.mark("late", MarkEvent::Point));
    assert_eq!(recorder.marks()[1].name, "early");
    recorder.mark("late", MarkEvent::Point);
    assert_eq!(
        [0, 1].map(|at| recorder.marks()[at].name.as_str()),
        ["long", "late"]
    );
    recorder.mark("late", MarkEvent::Point);
    assert_eq!(recorder.marks()[0].name, "late", "then the oldest");
}

#[test]
fn names_are_cut_and_never_empty() {
    let huge = "ü".repeat(1_000_000);
    let cut = "ü".repeat(MAX_MARK_NAME);
    let mut recorder = Recorder::new();
    recorder.mark("", MarkEvent::Begin);
    recorder.mark(&huge, MarkEvent::Begin);
    recorder.mark(&format!("{cut}another"), MarkEvent::Begin);
    frames(&mut recorder, 2);
    recorder.mark(&cut, MarkEvent::End);
    recorder.mark("unnamed", MarkEvent::End);
    let expected = [
        Mark::new("unnamed", 0..3, false),
        Mark::new(cut.as_str(), 0..3, false),
    ];
    assert_eq!(recorder.marks(), expected);
    assert_eq!(
        [
            Mark::new("", 0..3, false),
            Mark::new(huge.as_str(), 0..3, false)
        ],
        expected
    );
    for name in ["", &huge] {
        assert!(
            recorder
                .frame_times(9)
                .without_marked(recorder.marks(), &[name])
                .iter()
                .all(|ms| ms.is_nan())
        );
    }
}

#[test]
fn past_frames_can_be_marked_and_future_ones_cannot() {
    let mut recorder = Recorder::with_history(4);
    frames(&mut recorder, 10);
    recorder.mark("now", MarkEvent::Point);
    recorder.mark_frames("slow", 8..u64::MAX);
    recorder.mark_frames("gone", 0..3);
    recorder.mark_frames("to come", 10..20);
    recorder.mark_frames("backwards", Range { start: 5, end: 2 });
    recorder.mark_frames("none", 5..5);
    let expected = [
        Mark::new("gone", 0..3, false),
        Mark::new("slow", 8..10, false),
        Mark::new("now", 10..11, true),
    ];
    assert_eq!(recorder.marks(), expected);
}

#[test]
fn marks_stay_with_their_frames_when_a_frame_restarts_or_the_history_is_resized() {
    let mut recorder = Recorder::new();
    recorder.mark("loading", MarkEvent::Begin);
    recorder.restart_frame();
    recorder.mark("loading", MarkEvent::End);
    frames(&mut recorder, 50);
    let marks = recorder.marks().to_vec();
    assert_eq!(marks, [Mark::new("loading", 0..1, false)]);
    for history in [7, 1, 1000] {
        recorder.set_history(history);
        assert_eq!(recorder.marks(), marks);
    }
}

#[test]
fn every_frame_with_a_mark_of_the_names_is_left_out() {
    let mut random = Random::new(7);
    for round in 0..2_000 {
        let values: Vec<f64> = (0..random.below(60)).map(|n| n as f64).collect();
        let (older, newer) = values.split_at(random.below(values.len() as u64 + 1) as usize);
        let window = FrameSlice::new(random.below(50), older, newer);
        let mut marks: Vec<Mark> = (0..random.below(12))
            .map(|_| {
                let start = random.below(120);
                let end = [
                    start,
                    start + 1,
                    start + random.below(50),
                    u64::MAX,
                    start / 2,
                ][random.below(5) as usize];
                Mark::new(
                    ["a", "b", "c"][random.below(3) as usize],
                    Range { start, end },
                    random.below(2) == 0,
                )
            })
            .collect();
        // In their order and, every other time, out of it.
        if round % 2 == 0 {
            marks.sort_by_key(|mark| mark.frames.start);
        }
        let names = [&[][..], &["a"], &["b", "a"], &["none"]][random.below(4) as usize];
        let is_out = |frame: u64| {
            marks
                .iter()
                .any(|mark| names.contains(&mark.name.as_str()) && mark.frames.contains(&frame))
        };
        let expected = window
            .frames()
            .zip(window.iter())
            .map(|(frame, ms)| if is_out(frame) { None } else { Some(ms) });
        let left = window.without_marked(&marks, names);
        let left: Vec<_> = left
            .into_iter()
            .map(|ms| (!ms.is_nan()).then_some(ms))
            .collect();
        assert_eq!(
            left,
            expected.collect::<Vec<_>>(),
            "{marks:?} {names:?} {window:?}"
        );
    }
}

#[test]
fn statistics_leave_marked_frames_out_only_on_request() {
    let mut recorder = Recorder::new();
    let mut now_ms = 0.0;
    for frame in 0..100 {
        match frame {
            50 => recorder.mark("loading", MarkEvent::Begin),
            52 => recorder.mark("loading", MarkEvent::End),
            _ => {}
        }
        now_ms += if (50..53).contains(&frame) {
            500.0
        } else {
            10.0
        };
        recorder.end_frame_at(now_ms / 1e3);
    }
    let window = recorder.frame_times(usize::MAX);
    let all: Vec<f64> = window.iter().map(f64::round).collect();
    let without: Vec<f64> = window
        .without_marked(recorder.marks(), &["loading"])
        .into_iter()
        .map(f64::round)
        .collect();
    assert_eq!(average_fps(&without), Some(100.0));
    assert_eq!(
        [&all, &without].map(|ms| percentile_by_frame(ms, 100.0)),
        [Some(500.0), Some(10.0)]
    );
    assert_eq!(
        [&all, &without].map(|ms| stutter(ms, Default::default()).len()),
        [3, 0]
    );
    assert_eq!(
        [&all, &without].map(|ms| over_budget(ms, 9.0).longest_run),
        [0..100, 0..50]
    );
    assert_eq!(
        window.without_marked(recorder.marks(), &[]),
        window.iter().collect::<Vec<_>>()
    );
}

#[test]
fn marks_allocate_nothing_once_the_limit_is_reached() {
    let mut recorder = Recorder::with_history(1_000);
    let mut round = || {
        recorder.mark("loading", MarkEvent::Begin);
        recorder.mark("point", MarkEvent::Point);
        recorder.end_frame();
        recorder.mark("loading", MarkEvent::End);
    };
    (0..MAX_MARKS).for_each(|_| round());
    assert_eq!(allocations(|| (0..3 * MAX_MARKS).for_each(|_| round())), 0);
}

#[test]
fn marks_take_bounded_memory() {
    let mut recorder = Recorder::with_history(1);
    let name = "𝄞".repeat(MAX_MARK_NAME * 2);
    let fill = |recorder: &mut Recorder| {
        (0..3 * MAX_MARKS).for_each(|_| recorder.mark(&name, MarkEvent::Point))
    };
    let grown = grown_bytes(|| fill(&mut recorder));
    let most = MAX_MARKS * MAX_MARK_NAME * 4 + MAX_MARKS * 2 * size_of::<Mark>();
    assert!((MAX_MARKS as i64..=most as i64).contains(&grown), "{grown}");
    assert_eq!(grown_bytes(|| fill(&mut recorder)), 0);
}
