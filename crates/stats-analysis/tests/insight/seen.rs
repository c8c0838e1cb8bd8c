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
