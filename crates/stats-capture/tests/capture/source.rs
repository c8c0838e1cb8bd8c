//! A capture as a source.

use stats_capture::SeriesRecord;
use stats_core::source::Listed;
use stats_core::{SeriesId, Source, counter};
use stats_testing::Folder;
use std::ops::ControlFlow;

use crate::{finished, start};

#[test]
fn a_capture_is_a_source_like_a_recorder() {
    let folder = Folder::new("source");
    let mut capture = start(&folder);
    let early = counter("source/early");
    for frame in 0..100 {
        early.add(frame);
        if frame >= 40 {
            counter("source/late").add(2 * frame);
        }
        capture.end_frame_at(f64::from(frame));
    }
    let mut file = finished(capture);
    let (early, late) = (
        file.find("source/early").unwrap(),
        file.find("source/late").unwrap(),
    );
    assert_eq!(file.find("source/none"), None);
    let (early_watch, late_watch) = (file.watch(early), file.watch(late));
    let history = file.history(&early_watch, 10);
    assert_eq!((history.first_frame(), history.len()), (90, 10));
    assert_eq!(history.last(), Some(99.0));
    let history = file.history(&late_watch, usize::MAX);
    assert_eq!(history.frames(), 40..100);
    assert_eq!(history.at(40), Some(80.0));
    assert_eq!(file.history(&late_watch, 5).frames(), 95..100);
    assert_eq!(file.peek(late), Some(198.0));
    assert_eq!(file.peek(SeriesId::new(1 << 30)), None);
    let nothing = file.watch(SeriesId::new(1 << 30));
    assert!(file.history(&nothing, 10).is_empty());
    assert!(file.errors().is_empty());
    let listed = |series| {
        let mut numbers = Vec::new();
        let end = file.list(series, &mut |info| {
            numbers.push(info.id.number());
            ControlFlow::Continue(())
        });
        (numbers, end)
    };
    let (all, end) = listed(Listed::All);
    assert!(end.is_some_and(|end| all.iter().all(|number| *number < end)));
    assert_eq!(listed(Listed::ChangedSince(0)), (all.clone(), end));
    let newest = Listed::ChangedSince(file.generation());
    assert_eq!(listed(newest), (Vec::new(), end));
    let parts = all
        .iter()
        .map(|number| listed(Listed::Numbers(*number..number + 1)).0);
    assert_eq!(parts.collect::<Vec<_>>().concat(), all);
    let mut visited = 0;
    file.list(Listed::All, &mut |_| {
        visited += 1;
        ControlFlow::Break(())
    });
    assert_eq!(visited, 1);
    // In this test, because a budget that is set by hand is of the whole program.
    let budget = |file: &stats_capture::CaptureFile| {
        let mut found = None;
        file.list(Listed::All, &mut |info| {
            found = found.or((info.path == "source/early").then_some(info.budget));
            ControlFlow::Continue(())
        });
        found.flatten()
    };
    let before = file.generation();
    assert_eq!(budget(&file), None);
    stats_core::set_budget("source/early", Some(7.0));
    assert_eq!((budget(&file), file.generation()), (Some(7.0), before + 1));
    stats_core::set_budget("source/early", None);
    assert_eq!(budget(&file), None);
}

#[test]
fn an_added_series_is_read_like_those_of_the_file() {
    let folder = Folder::new("added");
    let mut capture = start(&folder);
    let own = counter("source/added/own");
    for frame in 0..10 {
        own.add(frame);
        capture.end_frame_at(f64::from(frame));
    }
    let mut file = finished(capture);
    let record = |path| SeriesRecord::gauge(path, "ms");
    assert!(!file.add_series(record("source/added/own"), 0, vec![1.0]));
    assert!(!file.add_series(record("frame time"), 0, vec![1.0]));
    let values = vec![f64::NAN, 2.0, f64::NAN, 4.0];
    // The column of the frame time is in memory, and its number becomes that of the new series.
    let frame_time = file.find("frame time").unwrap();
    assert_eq!(file.peek(frame_time), Some(1000.0));
    assert!(file.add_series(record("source/added/new"), 3, values));
    assert_eq!(file.find("source/added/new"), Some(frame_time));
    assert_eq!(file.peek(frame_time), None);
    let frame_time = file.find("frame time").unwrap();
    assert_eq!(file.peek(frame_time), Some(1000.0));
    assert!(file.add_series(record("source/added/other"), 0, vec![7.0; 10]));
    for (path, frames, last) in [
        ("source/added/own", 0..10, 9.0),
        ("source/added/new", 4..7, 4.0),
        ("source/added/other", 0..10, 7.0),
    ] {
        let read = file.read(path).unwrap();
        assert_eq!(
            (read.slice().frames(), read.slice().last()),
            (frames, Some(last)),
            "{path}"
        );
        let id = file.find(path).unwrap();
        let watch = file.watch(id);
        assert_eq!(
            file.history(&watch, usize::MAX).last(),
            Some(last),
            "{path}"
        );
    }
    let clock = file.find("frame time").unwrap();
    let watch = file.watch(clock);
    assert!(
        file.history(&watch, 100)
            .iter()
            .eq(file.frame_times(100).iter())
    );
    let mut last = None;
    let end = file.list(Listed::All, &mut |info| {
        last = Some(info.id);
        ControlFlow::Continue(())
    });
    assert_eq!(last, Some(clock));
    assert!(end.is_some_and(|end| clock.number() < end));
}

#[test]
fn a_watched_column_stays_when_the_cache_is_full() {
    let folder = Folder::new("cache");
    let mut capture = start(&folder);
    let all: Vec<_> = (0..10)
        .map(|n| counter(&format!("source/cache/{n}")))
        .collect();
    for frame in 0..100 {
        all.iter().for_each(|series| series.add(frame));
        capture.end_frame_at(f64::from(frame));
    }
    let mut file = finished(capture);
    file.set_cache_bytes(2 * 800);
    let ids: Vec<SeriesId> = (0..10)
        .map(|n| file.find(&format!("source/cache/{n}")).unwrap())
        .collect();
    let watches: Vec<_> = ids.iter().map(|id| file.watch(*id)).collect();
    assert_eq!(file.cache_bytes(), 2 * 800);
    for watch in &watches {
        assert_eq!(file.history(watch, 1).last(), Some(99.0));
    }
}
