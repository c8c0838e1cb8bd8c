use stats_core::{
    Counter, FRAME_TIME, FrameSlice, Recorder, SeriesId, Source, WatchGroup, counter,
};

use crate::history::bits_in;
use crate::values;
use stats_core::source::Listed;
use stats_testing::{Random, grown_bytes};
use std::ops::ControlFlow;

#[test]
fn frames_before_the_watch_are_absent() {
    static LATE: Counter = Counter::new("test/histories/late");
    let mut recorder = Recorder::new();
    for _ in 0..5 {
        LATE.add(7);
        recorder.end_frame();
    }
    LATE.add(100);
    let watch = recorder.watch(LATE.id());
    assert!(recorder.history(&watch, 10).is_empty());
    LATE.add(3);
    recorder.end_frame();
    let window = recorder.history(&watch, 10);
    assert_eq!(
        (window.first_frame(), window.len(), window.last()),
        (5, 1, Some(3.0))
    );
    assert_eq!(
        (window.at(4), window.at(5), window.at(6)),
        (None, Some(3.0), None)
    );
    assert_eq!(values(&recorder, &watch), [3.0]);
}

#[test]
fn watches_share_a_history_and_the_last_one_dropped_frees_it() {
    let series = counter("test/histories/shared");
    let mut recorder = Recorder::with_history(1 << 16);
    let first = recorder.watch(series.id());
    series.add(1);
    recorder.end_frame();
    let second = recorder.watch(series.id());
    let third = second.clone();
    assert_eq!(recorder.watched(), 1);
    drop(first);
    recorder.end_frame();
    assert_eq!(
        values(&recorder, &second),
        [1.0, 0.0],
        "the second watch shares the history of the first"
    );
    drop(second);
    recorder.end_frame();
    assert_eq!(recorder.watched(), 1);
    let freed = grown_bytes(|| {
        drop(third);
        recorder.end_frame();
    });
    assert_eq!(recorder.watched(), 0);
    assert!(freed <= -(8 << 16), "{freed}");
    let again = recorder.watch(series.id());
    assert!(
        recorder.history(&again, 10).is_empty(),
        "a freed history does not return"
    );
}

#[test]
fn dropping_any_watch_leaves_the_others_their_own_values() {
    let all: Vec<_> = (0..20)
        .map(|n| counter(&format!("test/histories/many/{n}")))
        .collect();
    let mut recorder = Recorder::new();
    let mut watches: Vec<_> = all
        .iter()
        .map(|series| (series, recorder.watch(series.id())))
        .collect();
    for round in 0..20 {
        all.iter()
            .enumerate()
            .for_each(|(n, series)| series.add(n + 1));
        recorder.end_frame();
        watches.remove((round * 7) % watches.len());
        for (series, watch) in &watches {
            let n = all.iter().position(|other| other == *series).unwrap();
            assert!(
                values(&recorder, watch)
                    .iter()
                    .all(|value| *value == (n + 1) as f64)
            );
            assert_eq!(recorder.history(watch, 99).len(), round + 1);
        }
        // The watches of another recorder have no value.
        let mut other = Recorder::new();
        let foreign = other.watch(all[round].id());
        let order = watches.iter().rev().map(|(_, watch)| watch.clone());
        let mut group: WatchGroup = order.chain([foreign]).collect();
        let newest = bits_in(&recorder, round as u64, &mut group);
        let (last, own) = newest.split_last().unwrap();
        assert!(f64::from_bits(*last).is_nan());
        let expected = watches
            .iter()
            .rev()
            .map(|(_, watch)| recorder.history(watch, 1).last());
        assert!(
            own.iter()
                .map(|value| Some(f64::from_bits(*value)))
                .eq(expected)
        );
    }
}

/// The newest values are kept side by side while they are read. Histories begin and end in between.
#[test]
fn many_values_of_a_frame_are_those_of_the_histories_whatever_is_watched_since() {
    let all: Vec<_> = (0..24)
        .map(|n| counter(&format!("test/histories/newest/{n}")))
        .collect();
    let mut random = Random::new(11);
    let mut recorder = Recorder::new();
    let clock = recorder.find(FRAME_TIME).unwrap();
    let mut watches: WatchGroup = [recorder.watch(clock)].into_iter().collect();
    let mut others = Vec::new();
    for frame in 0..2_000_u64 {
        all.iter().for_each(|series| series.add(random.below(1000)));
        recorder.end_frame_at(frame as f64 / 60.0);
        if random.below(4) == 0 && watches.len() > 8 {
            let (gone, mut at) = (random.index(watches.len()), 0);
            watches.retain(|_| {
                at += 1;
                at != gone + 1
            });
        }
        // Histories of others end, too, before and between those of the group.
        if random.below(4) == 0 {
            others.push(recorder.watch(all[random.index(all.len())].id()));
            others.truncate(random.index(4));
        }
        if random.below(8) == 0 {
            let series = &all[random.index(all.len())];
            watches.push(recorder.watch_with_past(series.id(), FrameSlice::default()));
        }
        // Now and then, nobody reads for long.
        if frame % 500 > 300 && frame % 500 < 490 {
            continue;
        }
        for of in [frame, frame.saturating_sub(1)] {
            let expected = watches.iter().map(|watch| {
                let value = recorder.history(watch, usize::MAX).at(of);
                value.unwrap_or(f64::NAN).to_bits()
            });
            let expected: Vec<u64> = expected.collect();
            let read = bits_in(&recorder, of, &mut watches);
            assert_eq!(read, expected, "{of} of {frame}");
        }
    }
}

#[test]
fn a_history_of_any_length_has_the_newest_frames() {
    let series = counter("test/histories/length");
    for history in [0, 1, 2, 5] {
        let mut recorder = Recorder::with_history(history);
        assert_eq!(recorder.history_capacity(), history.max(1));
        let watch = recorder.watch(series.id());
        for frame in 0..17_u32 {
            series.add(frame);
            recorder.end_frame();
        }
        let kept: Vec<f64> = (0..17).skip(17 - history.max(1)).map(f64::from).collect();
        assert_eq!(values(&recorder, &watch), kept);
        assert_eq!(recorder.frames(), 17 - kept.len() as u64..17);
        assert_eq!(recorder.frame_times(usize::MAX).len(), kept.len());
    }
    assert_eq!(
        Recorder::with_history(usize::MAX).history_capacity(),
        stats_core::limits::MAX_HISTORY
    );
}

#[test]
fn changing_the_length_keeps_the_newest_frames() {
    let series = counter("test/histories/changed");
    let mut recorder = Recorder::with_history(10);
    let watch = recorder.watch(series.id());
    let push = |recorder: &mut Recorder, frames: std::ops::Range<u64>| {
        frames.for_each(|frame| {
            series.add(frame);
            recorder.end_frame_at(frame as f64 + 1.0);
        });
    };
    push(&mut recorder, 0..25);
    recorder.set_history(4);
    assert_eq!(values(&recorder, &watch), [21.0, 22.0, 23.0, 24.0]);
    recorder.set_history(8);
    push(&mut recorder, 25..30);
    assert_eq!(
        values(&recorder, &watch),
        [22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0]
    );
    assert_eq!(recorder.frames(), 22..30);
    assert!(
        recorder
            .frames()
            .all(|frame| recorder.frame(frame).unwrap().start_secs == frame as f64)
    );
}

#[test]
fn a_watch_of_an_unknown_id_or_of_another_recorder_is_empty() {
    let mut recorder = Recorder::new();
    let mut other = Recorder::new();
    let series = counter("test/histories/other");
    let _own = recorder.watch(series.id());
    let foreign = other.watch(series.id());
    let nothing = recorder.watch(SeriesId::new(u32::MAX));
    recorder.end_frame();
    other.end_frame();
    assert!(recorder.history(&foreign, 10).is_empty());
    assert!(recorder.history(&nothing, 10).is_empty());
    assert_eq!(recorder.history(&nothing, 10).last(), None);
    assert_eq!(recorder.peek(SeriesId::new(u32::MAX)), None);
    assert_eq!(other.history(&foreign, 10).len(), 1);
}

#[test]
fn a_slice_within_a_range_has_the_values_of_those_frames() {
    let series = counter("test/histories/within");
    let mut recorder = Recorder::with_history(10);
    let watch = recorder.watch(series.id());
    for frame in 0..25_u64 {
        series.add(frame);
        recorder.end_frame();
    }
    let window = recorder.history(&watch, usize::MAX);
    assert_eq!(window.frames(), 15..25);
    for begin in 10..30 {
        for end in 10..30 {
            let part = window.within(begin..end);
            let expected: Vec<f64> = (begin..end)
                .filter(|frame| window.frames().contains(frame))
                .map(|frame| frame as f64)
                .collect();
            assert_eq!(part.iter().collect::<Vec<_>>(), expected);
            assert!(
                part.frames()
                    .all(|frame| part.at(frame) == window.at(frame))
            );
            let (older, newer) = part.as_slices();
            assert_eq!([older, newer].concat(), expected);
            assert!(part.iter().rev().eq(expected.iter().rev().copied()));
        }
    }
}

#[test]
fn a_recorder_can_be_read_through_the_trait_source() {
    let series = counter("test/histories/trait");
    let mut recorder = Recorder::new();
    let source: &mut dyn Source = &mut recorder;
    let watch = source.watch(series.id());
    let generation = source.generation();
    series.add(5);
    recorder.end_frame_at(0.25);
    let source: &dyn Source = &recorder;
    assert_eq!(source.history(&watch, 10).last(), Some(5.0));
    assert_eq!(source.frame_times(10).last(), Some(250.0));
    assert_eq!(source.frames(), 0..1);
    assert!(source.generation() >= generation);
    let mut seen = false;
    let mut visited = 0;
    source.list(Listed::All, &mut |info| {
        visited += u32::from(seen);
        seen |= info.id == series.id();
        match seen {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    assert_eq!(visited, 0, "none after the reader stopped");
    assert!(seen);
}
