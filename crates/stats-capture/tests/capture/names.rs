//! The names of columns.

use stats_capture::RecordedKind;
use stats_core::source::Listed;
use stats_core::{SeriesKind, Source, counter, histogram, timer};
use stats_testing::Folder;
use std::ops::ControlFlow;

use crate::{finished, start, values};

#[test]
fn a_column_of_calls_gives_up_its_name_to_a_series() {
    let folder = Folder::new("calls");
    let mut capture = start(&folder);
    let (plain, clashing) = (timer("names/plain"), timer("names/clashing"));
    let samples = histogram("names/sizes");
    plain.record_ms(2.0);
    plain.record_ms(1.0);
    clashing.record_ms(3.0);
    samples.record(7);
    // At first, the journal names the calls of the timer `names/clashing/calls`.
    for frame in 1..=700 {
        capture.end_frame_at(f64::from(frame));
    }
    counter("names/clashing/calls").add(5);
    capture.end_frame_at(701.0);
    let file = finished(capture);
    let first = |path: &str| values(&file, path)[0];
    assert_eq!(first("names/plain"), Some(3.0));
    assert_eq!(first("names/plain/calls"), Some(2.0));
    assert_eq!(first("names/clashing/calls (timer)"), Some(1.0));
    assert_eq!(first("names/sizes/samples"), Some(1.0));
    assert_eq!(first("names/clashing/calls"), None);
    assert_eq!(values(&file, "names/clashing/calls")[700], Some(5.0));
    let record = |path: &str| {
        file.series()
            .iter()
            .find(|series| series.path == path)
            .unwrap()
    };
    let calls = record("names/clashing/calls (timer)");
    assert_eq!(calls.kind, RecordedKind::TimerCalls);
    assert_eq!(calls.of.as_deref(), Some("names/clashing"));
    assert_eq!(
        record("names/sizes/samples").kind,
        RecordedKind::HistogramSamples
    );
    let mut listed = Vec::new();
    file.list(Listed::All, &mut |info| {
        listed.push((info.path.to_owned(), info.kind, info.calls));
        ControlFlow::Continue(())
    });
    let of = |path: &str| listed.iter().find(|info| info.0 == path);
    assert_eq!(of("names/plain/calls"), None, "it is listed with its timer");
    let clashing = of("names/clashing").unwrap();
    assert_eq!(clashing.1, SeriesKind::Timer);
    assert_eq!(clashing.2, file.find("names/clashing/calls (timer)"));
    assert_eq!(of("names/clashing/calls").unwrap().1, SeriesKind::Counter);
}

#[test]
fn a_timer_named_like_a_column_of_the_clock_keeps_its_calls() {
    let folder = Folder::new("clock");
    let mut capture = start(&folder);
    let start = timer("start_ns");
    for at in 1..=2 {
        start.record_ms(1.0);
        capture.end_frame_at(f64::from(at));
    }
    let file = finished(capture);
    let mut listed = Vec::new();
    file.list(Listed::All, &mut |info| {
        listed.push((info.path.to_owned(), info.calls));
        ControlFlow::Continue(())
    });
    let named = listed.iter().find(|info| info.0 == "start_ns (series)");
    assert!(named.unwrap().1.is_some(), "{listed:?}");
}

#[test]
fn a_timer_is_recorded_with_its_self_time_parent_thread_and_wait() {
    let folder = Folder::new("self");
    let mut capture = start(&folder);
    let (frame, present) = (timer("self/frame"), timer("self/present").wait());
    counter("self/frame/self").add(1);
    let run = move || frame.time(|| present.time(|| ()));
    std::thread::Builder::new()
        .name("self-runner".into())
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
    present.record_ms(2.0);
    capture.end_frame_at(1.0);
    let file = finished(capture);
    let record = |path: &str| file.series().iter().find(|series| series.path == path);
    let timer = record("self/present").unwrap();
    assert_eq!(timer.parent.as_deref(), Some("self/frame"));
    assert_eq!(timer.thread.as_deref(), Some("self-runner"));
    assert!(timer.wait && !record("self/frame").unwrap().wait);
    let own = record("self/present/self").unwrap();
    assert_eq!(
        (own.kind, own.of.as_deref(), own.unit.as_str()),
        (RecordedKind::TimerSelf, Some("self/present"), "ms")
    );
    assert_eq!(own.thread, timer.thread);
    assert!(values(&file, "self/present/self")[0] >= Some(2.0));
    assert_eq!(values(&file, "self/frame/self"), [Some(1.0)]);
    assert!(record("self/frame/self (timer)").is_some());
    let mut listed = None;
    file.list(Listed::All, &mut |info| {
        if info.path != "self/present" {
            return ControlFlow::Continue(());
        }
        listed = Some((info.self_time, info.parent, info.is_wait));
        ControlFlow::Break(())
    });
    let ids = |path: &str| file.find(path);
    let expected = (ids("self/present/self"), ids("self/frame"), true);
    assert_eq!(listed, Some(expected));
}

#[test]
fn a_series_may_be_named_like_a_column_of_the_clock() {
    let folder = Folder::new("clock-names");
    let mut capture = start(&folder);
    counter("frame").add(3);
    capture.end_frame_at(1.0);
    let file = finished(capture);
    assert_eq!(values(&file, "frame (series)"), [Some(3.0)]);
    assert_eq!(file.frames(), 0..1);
}
