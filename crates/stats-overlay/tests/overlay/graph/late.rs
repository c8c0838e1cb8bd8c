//! Deferred values: a value that is not known yet is absent, not zero.

use egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{DeferredSeries, DeferredSource, FrameStamp};
use stats_overlay::PaneView;

use crate::host::{Host, harness, value_of};

/// A source that delivers each frame's value, its number, three frames later.
struct ThreeLater {
    late: DeferredSource,
    series: DeferredSeries,
    stamps: Vec<FrameStamp>,
}

impl ThreeLater {
    fn new(path: &str) -> Self {
        let late = DeferredSource::new();
        let series = late.counter(path).budget(95.0);
        Self {
            late,
            series,
            stamps: Vec::new(),
        }
    }

    fn frame(&mut self, frame: u64) {
        self.stamps.push(self.late.issue());
        if let Some(back) = self.stamps.len().checked_sub(4) {
            self.late
                .deliver(self.stamps[back], &[(self.series, frame as f64 - 3.0)]);
        }
    }
}

/// Returns a harness that shows a series with a delay of three frames, after 100 frames.
fn with_late(path: &'static str) -> (Harness<'static, Host>, ThreeLater) {
    let mut source = ThreeLater::new(path);
    let mut host = Host::full(path.trim_end_matches("/x"));
    host.overlay.select(path);
    host.overlay.set_search(path);
    let mut harness = harness(vec2(1200.0, 800.0), host);
    harness.run_steps(2);
    harness.state_mut().record(99, |frame| source.frame(frame));
    harness.run_steps(10);
    (harness, source)
}

#[test]
fn a_graph_and_its_legend_end_at_the_newest_known_frame() {
    let path = "late-graph/x";
    let (mut harness, mut source) = with_late(path);
    assert_eq!(value_of(&harness, path), "96");
    assert!(
        value_of(&harness, &format!("legend {path}")).starts_with("now 96 "),
        "{}",
        value_of(&harness, &format!("legend {path}"))
    );
    for frame in 100..130 {
        harness
            .state_mut()
            .record(frame, |frame| source.frame(frame));
        harness.run_steps(1);
    }
    harness.run_steps(10);
    assert!(value_of(&harness, &format!("legend {path}")).starts_with("now 126 "));
    harness.state_mut().overlay.set_paused(true);
    harness.run_steps(2);
    let legend = value_of(&harness, &format!("legend {path}"));
    harness.state_mut().record(160, |frame| source.frame(frame));
    harness.run_steps(10);
    assert_eq!(value_of(&harness, &format!("legend {path}")), legend);
}

#[test]
fn a_row_scrolled_into_view_during_a_pause_shows_the_value_at_the_pause() {
    let path = "late-row/x";
    let (mut harness, mut source) = with_late(path);
    harness
        .state_mut()
        .overlay
        .set_search("nothing of this name");
    harness.run_steps(10);
    harness.state_mut().overlay.set_paused(true);
    harness.run_steps(2);
    // The last frames before the pause become known, and then the source forgets them.
    for last in [110, 6000] {
        harness
            .state_mut()
            .record(last, |frame| source.frame(frame));
        harness.state_mut().overlay.set_search(path);
        harness.run_steps(10);
        assert_eq!(value_of(&harness, path), "96", "after frame {last}");
    }
}

#[test]
fn cells_of_unknown_frames_are_empty_live_and_paused() {
    let (mut harness, mut source) = with_late("late-table/x");
    harness.state_mut().overlay.set_view(PaneView::Table);
    harness.run_steps(3);
    let newest = |harness: &Harness<'_, Host>| {
        for frame in 97..100 {
            assert_eq!(value_of(harness, &format!("frame {frame}")), "16.00 | –");
        }
        assert_eq!(value_of(harness, "frame 96"), "16.00 | 96 over budget");
        assert_eq!(value_of(harness, "frame 95"), "16.00 | 95");
    };
    newest(&harness);
    harness.state_mut().overlay.set_paused(true);
    harness.run_steps(3);
    harness.state_mut().record(120, |frame| source.frame(frame));
    harness.run_steps(3);
    newest(&harness);
    assert!(harness.query_by_label("frame 120").is_none());
    harness.state_mut().overlay.set_paused(false);
    harness.run_steps(3);
    assert_eq!(value_of(&harness, "frame 118"), "16.00 | –");
    assert_eq!(value_of(&harness, "frame 117"), "16.00 | 117 over budget");
    assert_eq!(
        value_of(&harness, "frame 99"),
        "16.00 | 99 over budget",
        "values that arrived during the pause are there"
    );
}

#[test]
fn a_series_without_known_frames_shows_no_number() {
    let path = "late-nothing/x";
    let source = ThreeLater::new(path);
    let mut host = Host::full("late-nothing");
    host.overlay.select(path);
    host.overlay.set_search(path);
    let mut harness = harness(vec2(1200.0, 800.0), host);
    harness.run_steps(2);
    harness.state_mut().record(9, |_| {
        let _ = source.late.issue();
    });
    harness.run_steps(10);
    assert_eq!(value_of(&harness, path), "–");
    harness.state_mut().overlay.set_view(PaneView::Table);
    harness.run_steps(3);
    assert_eq!(value_of(&harness, "frame 9"), "16.00 | –");
}

#[test]
fn a_frame_that_was_not_measured_is_a_gap_and_not_zero() {
    let path = "late-lost/x";
    let (late, mut host) = (DeferredSource::new(), Host::full("late-lost"));
    let series = late.counter(path);
    host.overlay.select(path);
    host.overlay.set_search(path);
    let mut harness = harness(vec2(1200.0, 800.0), host);
    harness.run_steps(2);
    harness.state_mut().record(99, |frame| {
        let stamp = late.issue();
        match frame % 10 {
            5 => late.give_up(stamp),
            _ => late.deliver(stamp, &[(series, 50.0 + frame as f64)]),
        }
    });
    harness.run_steps(10);
    harness.state_mut().overlay.set_view(PaneView::Table);
    harness.run_steps(3);
    assert_eq!(value_of(&harness, "frame 95"), "16.00 | –");
    assert_eq!(value_of(&harness, "frame 94"), "16.00 | 144");
    harness.state_mut().overlay.set_view(PaneView::Graph);
    harness.state_mut().overlay.select_frames(Some(0..100));
    harness.run_steps(30);
    let legend = value_of(&harness, &format!("legend {path}"));
    assert!(legend.contains(" min 50.00 mean 99.44 "), "{legend}");
}
