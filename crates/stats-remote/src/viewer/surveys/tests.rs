//! Games whose messages a test gives to the viewer.

use std::sync::mpsc;

use stats_core::{SeriesKind, Source};

use super::super::source::RemoteSource;
use super::super::tests::{entry, game, welcome};
use super::*;
use crate::wire::listing::Entry;
use crate::wire::to_game::{CLOCK, ToGame};
use crate::wire::to_viewer::{List, Past, ToViewer, Values};

/// A viewer of a game that sends nothing by itself, and what it asks the game.
fn viewer() -> (RemoteSource, mpsc::Receiver<ToGame>) {
    let (asked, asks) = mpsc::channel();
    let (address, _) = game(move |mut socket| {
        while let Ok(message) = socket.read() {
            if let Ok(message) = ToGame::decode(&message.into_data()) {
                let _ = asked.send(message);
            }
        }
    });
    let source = RemoteSource::connect(&address).expect("it greets");
    (source, asks)
}

fn series(id: u32) -> Entry {
    Entry {
        id,
        ..entry(format!("series/{id}"))
    }
}

fn timer(id: u32) -> Entry {
    Entry {
        kind: SeriesKind::Timer,
        self_time: Some(id + 1),
        calls: Some(id + 2),
        ..series(id)
    }
}

fn list(source: &mut RemoteSource, entries: Vec<Entry>) {
    let is_complete = true;
    let list = List {
        is_complete,
        entries,
    };
    source.take(ToViewer::List(list), &mut None);
}

/// Begins a survey, which nothing answers yet.
fn begin(source: &mut RemoteSource) {
    source.survey();
    source.pump();
}

/// Frames with values of the given series, each of which is the number of the frame.
fn send(source: &mut RemoteSource, frames: std::ops::Range<u64>, ids: &[u32]) {
    let numbers: Vec<f64> = frames.clone().map(|frame| frame as f64).collect();
    let values = Values {
        block: frames.start,
        first_frame: frames.start,
        starts_secs: numbers.clone(),
        durations_ms: vec![10.0; numbers.len()],
        series: ids.iter().map(|id| (*id, numbers.clone())).collect(),
    };
    source.take(ToViewer::Values(values), &mut None);
}

/// Answers the request for the clock of frames before.
fn send_clock(source: &mut RemoteSource, frames: std::ops::Range<u64>) {
    let past = Past {
        series: CLOCK,
        first_frame: frames.start,
        is_done: true,
        values: frames.clone().map(|frame| frame as f64).collect(),
        durations_ms: frames.map(|_| 10.0).collect(),
    };
    source.take(ToViewer::Past(past), &mut None);
}

fn send_late(source: &mut RemoteSource, id: u32, frames: std::ops::Range<u64>) {
    let past = Past {
        series: id,
        first_frame: frames.start,
        is_done: false,
        values: frames.map(|frame| frame as f64).collect(),
        durations_ms: Vec::new(),
    };
    source.take(ToViewer::Past(past), &mut None);
}

/// The numbers of the series that the survey watches.
fn surveyed(source: &RemoteSource) -> Vec<u32> {
    let series = source.surveyed.series.iter();
    let mut all: Vec<u32> = series.map(|series| series.watch.id().number()).collect();
    all.sort_unstable();
    all
}

#[test]
fn late_values_are_in_the_survey_of_their_frame_however_often_it_is_asked_for() {
    let (mut source, _asks) = viewer();
    let late = Entry {
        is_deferred: true,
        ..series(2)
    };
    list(&mut source, vec![series(1), late]);
    begin(&mut source);
    let id = source.find("series/2").expect("it is listed");
    let known = |source: &mut RemoteSource, frame: u64| -> Vec<u64> {
        let survey = source.survey_of(frame).expect("it has ended");
        let of_it = survey.iter().filter(|(of, _)| *of == id);
        let frames = of_it.filter_map(|(_, value)| value.last_change);
        let mut frames: Vec<u64> = frames.collect();
        frames.dedup();
        frames
    };
    // The frames and their late values arrive at once.
    send(&mut source, 1..10, &[1]);
    send_clock(&mut source, 1..1);
    send_late(&mut source, 2, 1..7);
    for frame in 1..10 {
        let expected = frame.min(6);
        assert_eq!(known(&mut source, frame), [expected], "{frame}");
        let value = source.survey_of(frame).and_then(|survey| survey.value(id));
        assert_eq!(value, Some(expected as f64));
        assert_eq!(known(&mut source, frame), [expected], "{frame}, again");
    }
    // The values of three frames arrive with a later frame.
    send(&mut source, 10..12, &[1]);
    send_late(&mut source, 2, 7..10);
    for frame in [10, 10, 11, 10] {
        let expected: &[u64] = if frame == 10 { &[7, 8, 9] } else { &[9] };
        assert_eq!(known(&mut source, frame), expected, "{frame}");
    }
}

#[test]
fn a_frame_that_was_lost_has_no_value_although_its_duration_is_known() {
    let (mut source, _asks) = viewer();
    let clock = Entry {
        kind: SeriesKind::FrameTime,
        ..series(1)
    };
    list(&mut source, vec![clock, series(2), series(3)]);
    begin(&mut source);
    send(&mut source, 0..10, &[2, 3]);
    send_clock(&mut source, 0..0);
    send(&mut source, 20..30, &[2, 3]);
    send_clock(&mut source, 10..20);
    assert_eq!(source.frames(), 0..30);
    for frame in 0..30 {
        let values = source
            .survey_of(frame)
            .expect("it has ended")
            .iter()
            .count();
        let expected = if (10..20).contains(&frame) { 0 } else { 3 };
        assert_eq!(values, expected, "{frame}");
    }
}

#[test]
fn a_survey_takes_half_of_the_places_for_what_is_listed_first() {
    let (mut source, _asks) = viewer();
    let number = |source: &RemoteSource, id: u32| source.listing.of_game(id).expect("it is listed");
    list(&mut source, (0..20).map(|at| timer(3 * at)).collect());
    begin(&mut source);
    // 20 timers, and 30 of their 40 parts.
    assert_eq!(surveyed(&source).len(), 50);
    assert_eq!(source.status().unsurveyed, 10);
    list(&mut source, (100..130).map(series).collect());
    begin(&mut source);
    let all = (0..20).map(|at| 3 * at).chain(100..130);
    let mut expected: Vec<u32> = all.map(|id| number(&source, id)).collect();
    expected.sort_unstable();
    assert_eq!(surveyed(&source), expected);
    assert_eq!(source.status().unsurveyed, 40);
    // What is refused to the survey alone is refused to nobody else.
    source.take(ToViewer::Refused(vec![100, 101]), &mut None);
    begin(&mut source);
    let status = source.status();
    assert_eq!((status.refused, status.unsurveyed), (0, 42));
    let watch = source.watch(stats_core::SeriesId::new(number(&source, 100)));
    begin(&mut source);
    let status = source.status();
    assert_eq!((status.refused, status.unsurveyed), (1, 41));
    drop(watch);
    // However many a game sends.
    source.status.max_watches = usize::MAX;
    list(&mut source, (1000..3000).map(series).collect());
    begin(&mut source);
    assert_eq!(surveyed(&source).len(), MOST);
}

#[test]
fn a_game_that_was_started_again_is_surveyed_without_the_series_that_it_lost() {
    let (mut source, _asks) = viewer();
    list(&mut source, (0..60).map(series).collect());
    begin(&mut source);
    assert_eq!(
        (surveyed(&source).len(), source.status().unsurveyed),
        (50, 10)
    );
    source.begin(welcome(1));
    list(&mut source, (100..140).map(series).collect());
    begin(&mut source);
    let expected = (100..140).map(|id| source.listing.of_game(id).expect("it is listed"));
    assert!(surveyed(&source).into_iter().eq(expected));
    assert_eq!(source.status().unsurveyed, 0);
}

#[test]
fn a_survey_asks_for_no_past_and_keeps_few_frames() {
    let (mut source, asks) = viewer();
    list(&mut source, vec![series(1), series(2)]);
    begin(&mut source);
    for first in (0..1000).step_by(10) {
        send(&mut source, first..first + 10, &[1, 2]);
        begin(&mut source);
    }
    let kept = |source: &mut RemoteSource| -> Vec<usize> {
        let all = source.watches.iter_mut();
        all.map(|history| history.window(u64::MAX, usize::MAX).len())
            .collect()
    };
    assert_eq!(kept(&mut source), [FRAMES; 2]);
    // A view does.
    let id = source.find("series/2").expect("it is listed");
    let _watch = source.watch(id);
    begin(&mut source);
    let want = asks.iter().find_map(|message| match message {
        ToGame::Want(wants) if wants[0].series != CLOCK => Some(wants),
        _ => None,
    });
    let want = want.expect("it is connected");
    assert_eq!((want.len(), want[0].series, want[0].from), (1, 2, 0));
    let past = Past {
        series: 2,
        first_frame: 0,
        is_done: true,
        values: (0..1000).map(f64::from).collect(),
        durations_ms: Vec::new(),
    };
    source.take(ToViewer::Past(past), &mut None);
    begin(&mut source);
    assert_eq!(kept(&mut source), [FRAMES, 1000]);
}
