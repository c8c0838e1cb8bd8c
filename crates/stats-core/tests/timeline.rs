//! The timeline of a recorder. These tests have their own process, because collectors see the
//! scopes of all threads.
#![cfg(feature = "enabled")]

use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use stats_core::limits::{LATE_FRAMES, PEEK_FRAMES};
use stats_core::timeline::{LaneKind, Scope};
use stats_core::{
    Recorder, SeriesId, Source, Span, TimerHandle, are_spans_collected, record_span, timer,
};
use stats_testing::alone;

/// Ends a frame. Another thread of these tests never uses the collectors, so each frame has all
/// that ended in it.
fn end_frame(recorder: &mut Recorder) -> u64 {
    recorder.end_frame();
    recorder.frames().end - 1
}

/// Returns the scopes of a timer in a frame, with the names of their lanes.
fn scopes(recorder: &mut Recorder, frame: u64, id: SeriesId) -> Vec<(String, Scope)> {
    let timeline = recorder.timeline(&[frame..frame + 1]).expect("it has one");
    let frame = timeline.frame(frame).expect("it is kept");
    assert_eq!(frame.lost(), 0);
    let lanes = frame.lanes().flat_map(|(lane, scopes)| {
        let name = lane.name.to_owned();
        scopes.iter().map(move |scope| (name.clone(), *scope))
    });
    lanes.filter(|(_, scope)| scope.series() == id).collect()
}

fn timers<const N: usize>(names: [&str; N]) -> [TimerHandle; N] {
    names.map(|name| timer(&format!("timeline/{name}")))
}

#[test]
fn a_frame_has_its_scopes_by_thread_with_their_depths_and_waits() {
    let _alone = alone();
    let [outer, inner, wait] = timers(["outer", "inner", "wait"]);
    let wait = wait.wait();
    let mut recorder = Recorder::new();
    outer.time(|| {});
    assert!(!are_spans_collected());
    recorder.timeline(&[]);
    assert!(are_spans_collected());
    for round in 1..4 {
        outer.time(|| {
            for _ in 0..round {
                inner.time(|| wait.time(|| {}));
            }
        });
        let worker = thread::Builder::new().name("worker".to_owned());
        let worker = worker.spawn(move || inner.time(|| {})).expect("it starts");
        worker.join().expect("it does not panic");
        let frame = end_frame(&mut recorder);
        let duration_ns = recorder.timeline(&[]).expect("it has one").frame(frame);
        let duration_ns = duration_ns.expect("it is kept").duration_ns();
        let [(_, outer)] = &scopes(&mut recorder, frame, outer.id())[..] else {
            panic!("one call in frame {frame}");
        };
        assert_eq!(
            (outer.depth(), outer.is_wait(), outer.is_open()),
            (0, false, false)
        );
        assert!(0 <= outer.begin_ns() && outer.end_ns() <= duration_ns);
        let waits = scopes(&mut recorder, frame, wait.id());
        assert_eq!(waits.len(), round);
        let mut inside = scopes(&mut recorder, frame, inner.id());
        inside.retain(|(lane, _)| *lane != "worker");
        assert_eq!(inside.len(), round);
        for ((_, inner), (_, wait)) in inside.iter().zip(&waits) {
            assert_eq!((inner.depth(), wait.depth(), wait.is_wait()), (1, 2, true));
            // Both times are converted at the same moment.
            assert!(outer.begin_ns() <= inner.begin_ns() && inner.begin_ns() <= wait.begin_ns());
            assert!(wait.end_ns() <= inner.end_ns() && inner.end_ns() <= outer.end_ns());
        }
        let mut elsewhere = scopes(&mut recorder, frame, inner.id());
        elsewhere.retain(|(lane, _)| lane == "worker");
        assert_eq!(elsewhere.len(), 1);
        assert_eq!(elsewhere[0].1.depth(), 0);
    }
}

#[test]
fn a_scope_belongs_to_each_frame_that_it_crosses_until_it_ends_on_any_thread() {
    let _alone = alone();
    let [around, across, moved] = timers(["around", "across", "moved"]);
    let mut recorder = Recorder::new();
    recorder.timeline(&[]);
    let (begun, has_begun) = channel();
    let (go_on, may_go_on) = channel::<()>();
    let worker = thread::spawn(move || {
        let around = around.scope();
        let moved = moved.scope();
        let across = across.scope();
        begun.send(moved).expect("it is awaited");
        may_go_on.recv().expect("it is sent");
        drop(across);
        drop(around);
    });
    let moved_scope = has_begun.recv().expect("it begins");
    let ids = [around, across, moved].map(|timer| timer.id());
    let first = end_frame(&mut recorder);
    let second = end_frame(&mut recorder);
    drop(moved_scope);
    let third = end_frame(&mut recorder);
    let fourth = end_frame(&mut recorder);
    go_on.send(()).expect("it is awaited");
    worker.join().expect("it does not panic");
    let fifth = end_frame(&mut recorder);
    let sixth = end_frame(&mut recorder);
    let mut open = |frame| {
        ids.map(|id| {
            scopes(&mut recorder, frame, id)
                .pop()
                .map(|(_, scope)| scope.is_open())
        })
    };
    assert_eq!(open(first), [Some(true); 3]);
    assert_eq!(open(second), [Some(true); 3]);
    assert_eq!(open(third), [Some(true), Some(true), Some(false)]);
    assert_eq!(open(fourth), [Some(true), Some(true), None]);
    assert_eq!(open(fifth), [Some(false), Some(false), None]);
    assert_eq!(open(sixth), [None; 3]);
    // It is drawn up to the frame's end, and from its begin.
    let durations: Vec<i64> = [first, second]
        .map(|frame| {
            let timeline = recorder.timeline(&[]).expect("it has one");
            timeline.frame(frame).expect("it is kept").duration_ns()
        })
        .into();
    let of = |recorder: &mut Recorder, frame| scopes(recorder, frame, ids[0])[0].1;
    let (in_first, in_second) = (of(&mut recorder, first), of(&mut recorder, second));
    assert_eq!([in_first.end_ns(), in_second.end_ns()], durations[..]);
    assert_eq!(in_second.begin_ns(), in_first.begin_ns() - durations[0]);
    assert!(of(&mut recorder, fifth).begin_ns() < in_second.begin_ns());
}

#[test]
fn scopes_of_other_profilers_and_of_the_gpu_are_added_to_past_frames() {
    let _alone = alone();
    let [pass, late] = timers(["pass", "late"]);
    let mut recorder = Recorder::new();
    recorder.timeline(&[]);
    let begin = Instant::now();
    let (pass, late) = (
        Span::new(pass.id(), "GPU", 0, begin, begin)
            .with_kind(LaneKind::Gpu { off_by_ns: Some(9) }),
        Span::new(late.id(), "main", 0, begin, begin),
    );
    let frame = end_frame(&mut recorder);
    let revision = |recorder: &mut Recorder| {
        let timeline = recorder.timeline(&[]).expect("it has one");
        timeline.frame(frame).expect("it is kept").revision()
    };
    let before = revision(&mut recorder);
    for _ in 0..LATE_FRAMES / 2 {
        end_frame(&mut recorder);
    }
    record_span(pass);
    record_span(late);
    end_frame(&mut recorder);
    assert_ne!(revision(&mut recorder), before);
    assert_eq!(scopes(&mut recorder, frame, late.id).len(), 1);
    let timeline = recorder.timeline(&[]).expect("it has one");
    let lanes = timeline.frame(frame).expect("it is kept").lanes();
    let lanes: Vec<_> = lanes.map(|(lane, _)| (lane.name, lane.kind)).collect();
    let gpu = LaneKind::Gpu { off_by_ns: Some(9) };
    assert_eq!(lanes, [("GPU", gpu), ("main", LaneKind::OtherProfiler)]);
}

#[test]
fn each_recorder_collects_while_it_is_asked_and_keeps_what_it_is_told_to() {
    let _alone = alone();
    let [work] = timers(["work"]);
    let (mut recorder, mut other) = (Recorder::new(), Recorder::new());
    recorder.timeline(&[]);
    other.timeline(&[]);
    work.time(|| {});
    let frame = end_frame(&mut recorder);
    work.time(|| {});
    let of_other = end_frame(&mut other);
    assert_eq!(scopes(&mut recorder, frame, work.id()).len(), 1);
    assert_eq!(scopes(&mut other, of_other, work.id()).len(), 2);
    drop(other);
    recorder
        .timeline(&[])
        .expect("it has one")
        .keep(frame..frame + 1);
    for _ in 0..PEEK_FRAMES {
        end_frame(&mut recorder);
    }
    assert!(are_spans_collected());
    end_frame(&mut recorder);
    assert!(!are_spans_collected());
    // Asking arms it again.
    assert_eq!(scopes(&mut recorder, frame, work.id()).len(), 1);
    assert!(are_spans_collected());
    let timeline = recorder.timeline(&[]).expect("it has one");
    assert_eq!(timeline.frames().count(), 1);
    drop(recorder);
    assert!(!are_spans_collected());
}

#[test]
fn a_frame_with_a_time_of_the_host_has_its_scopes() {
    let _alone = alone();
    let [work] = timers(["host"]);
    let mut recorder = Recorder::new();
    recorder.timeline(&[]);
    for frame in 0..3_u64 {
        work.time(|| {});
        recorder.end_frame_at(Duration::from_secs(1000 * frame));
        assert_eq!(scopes(&mut recorder, frame, work.id()).len(), 1);
    }
    recorder.restart_frame();
    work.time(|| {});
    recorder.end_frame();
    assert_eq!(scopes(&mut recorder, 3, work.id()).len(), 1);
}
