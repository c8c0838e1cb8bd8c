//! A frame that did more work, but took no longer, is no hitch for a player.

use stats_analysis::insight::{Event, Facts, Hitch, Insight};
use stats_core::{SeriesKind, Unit};

/// Plays frames of `usual_ms`, half of which waits for a display. In one of them, a scope takes longer by
/// `work_ms`, and the frame by `longer_ms`. Returns that frame, and whether there is an event for it.
fn played(usual_ms: f64, work_ms: f64, longer_ms: f64) -> Option<(Hitch, bool)> {
    let mut insight = Insight::new();
    for (number, path) in (0..).zip(["paths/search", "present"]) {
        let mut timer = Facts::new(path, SeriesKind::Timer, Unit::Milliseconds);
        timer.is_wait = path == "present";
        insight.set_series(number, timer);
    }
    let mut events = 0;
    for frame in 0..400_u64 {
        let is_long = frame == 300;
        let [work, longer] = [work_ms, longer_ms].map(|ms| if is_long { ms } else { 0.0 });
        let search_ms = usual_ms / 4.0 + work;
        let frame_ms = usual_ms + longer;
        insight.take_frame(
            frame,
            frame_ms,
            &[search_ms, frame_ms - usual_ms / 4.0 - search_ms],
        );
        insight.rank_noticed();
        while let Some(event) = insight.poll_event() {
            assert!(matches!(event, Event::Hitch(_)), "{event:?}");
            events += 1;
        }
    }
    let hitch = insight.hitches().front().cloned();
    assert_eq!(insight.hitches().len(), usize::from(hitch.is_some()));
    hitch.map(|hitch| (hitch, events > 0))
}

#[test]
fn work_alone_is_listed_and_explained_but_is_no_hitch() {
    for usual_ms in [4.0_f64, 8.0, 16.7, 33.3, 100.0] {
        let least_ms = (usual_ms / 4.0).clamp(1.0, 1e3 / 240.0);
        let work_ms = f64::min(2.5 * least_ms, 0.4 * usual_ms);
        for longer in [-0.3, 0.0, 0.05, 0.5, 0.9, 1.1, 2.0] {
            let longer_ms = f64::max(longer * least_ms, -0.9);
            // The wait is no shorter than nothing.
            let Some((hitch, has_event)) = played(usual_ms, work_ms.max(longer_ms), longer_ms)
            else {
                panic!("{usual_ms} {longer}");
            };
            let is_seen = longer > 1.0;
            assert_eq!(hitch.is_seen(), is_seen, "{usual_ms} {longer} {hitch:?}");
            assert_eq!(has_event, is_seen, "{usual_ms} {longer}");
            assert_eq!(hitch.findings[0].path, "paths/search", "{hitch:?}");
        }
    }
}

/// Plays frames of 30 ms on a busy machine, in 10 ms of which the thread waits for a processor. In one of
/// them, a scope takes longer by `work_ms`, and the thread waits for `ready_ms`. Returns that frame, and
/// whether there is an event for it.
fn crowded(work_ms: f64, ready_ms: f64) -> (Hitch, bool) {
    let mut insight = Insight::new();
    let unit = Unit::Milliseconds;
    let search = Facts::new("paths/search", SeriesKind::Timer, unit);
    insight.set_series(0, search);
    for (number, path) in [(1, "frame/running"), (2, "frame/ready")] {
        insight.set_series(number, Facts::new(path, SeriesKind::Counter, unit));
    }
    let mut has_event = false;
    for frame in 0..400_u64 {
        let (work, ready) = if frame == 300 {
            (work_ms, ready_ms)
        } else {
            (0.0, 10.0)
        };
        let (running, search) = (20.0 + work, 15.0 + work);
        insight.take_frame(frame, running + ready, &[search, running, ready]);
        insight.rank_noticed();
        while let Some(event) = insight.poll_event() {
            has_event |= matches!(event, Event::Hitch(_));
        }
    }
    let hitches = insight.hitches();
    let hitch = hitches.front().cloned().expect("it did more work");
    (hitch, has_event)
}

#[test]
fn a_frame_that_only_waited_less_for_a_processor_is_seen_if_it_is_longer_than_the_others() {
    for (work_ms, ready_ms) in [
        (4.5, 0.0),
        (6.0, 0.0),
        (9.9, 0.0),
        (13.0, 0.0),
        (15.0, 0.0),
        (9.0, 4.0),
        (12.0, 4.0),
        (6.0, 10.0),
    ] {
        let (hitch, has_event) = crowded(work_ms, ready_ms);
        let is_seen = work_ms + ready_ms - 10.0 > 1e3 / 240.0;
        assert_eq!(hitch.is_seen(), is_seen, "{work_ms} {ready_ms} {hitch:?}");
        assert_eq!(has_event, is_seen, "{work_ms} {ready_ms}");
        assert_eq!(hitch.repeats.is_some(), is_seen, "{hitch:?}");
        assert_eq!(hitch.findings[0].path, "paths/search", "{hitch:?}");
    }
}

#[test]
fn work_alone_is_no_periodic_stall_and_no_repeat() {
    let [hidden, seen] = [false, true].map(|is_longer| {
        let mut insight = Insight::new();
        for (number, path) in (0..).zip(["paths/search", "present"]) {
            let mut timer = Facts::new(path, SeriesKind::Timer, Unit::Milliseconds);
            timer.is_wait = path == "present";
            insight.set_series(number, timer);
        }
        for frame in 0..1_200_u64 {
            let work_ms = if frame > 60 && frame % 45 == 0 {
                6.0
            } else {
                0.0
            };
            let longer_ms = if is_longer { work_ms } else { 0.0 };
            let values = [2.0 + work_ms, 14.0 - work_ms + longer_ms];
            insight.take_frame(frame, 16.5 + longer_ms, &values);
            insight.rank_noticed();
        }
        assert!(insight.hitches().len() > 15);
        let newest = insight.hitches().back().cloned().expect("there are some");
        (
            insight.periodic().len(),
            newest.repeats.map(|of| (of.on, of.of)),
        )
    });
    assert_eq!(hidden, (0, None));
    let (stalls, repeats) = seen;
    assert_eq!(stalls, 1);
    assert!(repeats.is_some_and(|(on, of)| on == of && on > 15));
}

/// Plays frames, and returns for each long one the noticed frame to which it belongs.
fn belonging(
    usual_ms: f64,
    long_ms: f64,
    is_long: impl Fn(u64) -> bool,
) -> Vec<(u64, Option<u64>)> {
    let mut insight = Insight::new();
    let mut found = Vec::new();
    for frame in 0..340 {
        let ms = if is_long(frame) { long_ms } else { usual_ms };
        insight.take_frame(frame, ms, &[]);
        if is_long(frame) {
            found.push((frame, insight.belongs_to()));
        } else {
            assert_eq!(insight.belongs_to(), None);
        }
    }
    found
}

#[test]
fn a_long_frame_belongs_to_the_noticed_one_before_it_for_200_ms_or_as_long_as_frames_are_long() {
    let apart = belonging(33.3, 60.0, |frame| [300, 306, 314].contains(&frame));
    assert_eq!(apart, [(300, None), (306, Some(300)), (314, None)]);
    let in_a_row = belonging(16.7, 40.0, |frame| (300..330).contains(&frame));
    assert_eq!(in_a_row[0], (300, None));
    assert_eq!(in_a_row[11], (311, Some(300)));
}
