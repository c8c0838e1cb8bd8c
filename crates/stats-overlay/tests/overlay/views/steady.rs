//! Texts do not move while their numbers change.

use std::collections::{BTreeMap, BTreeSet};

use egui::{Rect, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::NodeT as _;
use stats_core::MarkEvent::{Begin, End};
use stats_core::timeline::{LaneKind, NewScope, Timeline};
use stats_overlay::{Mode, PaneView};

use crate::host::{Host, harness};
use crate::painted::{area_of, texts};
use crate::scoped::Calls;

/// Returns the position of each text within `within`, keyed by its line and its index in the line.
fn text_places(
    harness: &Harness<'_, Host>,
    within: Rect,
) -> BTreeMap<(i32, usize), (f32, f32, String)> {
    let mut found: Vec<(i32, f32, f32, String)> = Vec::new();
    for (text, _) in texts(&harness.output().shapes) {
        let (rect, said) = (area_of(text), text.galley.text());
        // The open spans are a label over the HUD's graph, next to nothing else.
        let is_tag = said
            .split(", ")
            .all(|name| ["loading", "menu"].contains(&name));
        if within.contains_rect(rect) && !is_tag {
            let line = rect.center().y.round() as i32;
            found.push((line, rect.left(), rect.right(), said.to_owned()));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut places = BTreeMap::new();
    for (at, (y, left, right, text)) in found.iter().enumerate() {
        let before = found[..at].iter().filter(|other| other.0 == *y).count();
        places.insert((*y, before), (*left, *right, text.clone()));
    }
    places
}

/// Runs frames of any duration with spans that open and close. Every text must keep its line and
/// its left or right edge.
fn assert_steady(mode: Mode, view: PaneView, size: Vec2, within: Rect) {
    let mut host = Host::full("steady");
    host.overlay.set_mode(mode);
    host.overlay.set_view(view);
    let mut settings = host.overlay.settings().clone();
    (
        settings.refresh_hz,
        settings.display_hz,
        settings.excluded_marks,
    ) = (60.0, Some(60.0), vec!["menu".to_owned()]);
    host.overlay.set_settings(&settings);
    let mut now_ms = 0.0;
    let mut push = |host: &mut Host, frame: u64| {
        match frame % 400 {
            100 => host.recorder.mark("loading", Begin),
            108 => host.recorder.mark("loading", End),
            120 => host.recorder.mark("menu", Begin),
            131 => host.recorder.mark("menu", End),
            _ => {}
        }
        now_ms +=
            4.0 + (frame * 7919 % 23) as f64 + if frame.is_multiple_of(97) { 700.0 } else { 0.0 };
        host.recorder.end_frame_at(now_ms / 1e3);
    };
    (0..1100).for_each(|frame| push(&mut host, frame));
    let mut harness = harness(size, host);
    // Run until the first hitch, whose line then appears at the bottom of the HUD.
    for frame in 1100..1300 {
        push(harness.state_mut(), frame);
        harness.run_steps(1);
    }
    harness.run_steps(20);
    let first = text_places(&harness, within);
    assert!(first.len() > 5, "{first:?}");
    let mut ends: BTreeMap<(i32, usize), [bool; 2]> = BTreeMap::new();
    let mut changes = 0;
    for frame in 1300..1900 {
        push(harness.state_mut(), frame);
        harness.run_steps(1);
        let now = text_places(&harness, within);
        assert!(
            now.keys().eq(first.keys()),
            "frame {frame}: {now:?}, at first {first:?}"
        );
        for (key, (left, right, text)) in &now {
            let (first_left, first_right, first_text) = &first[key];
            changes += usize::from(text != first_text);
            let still = ends.entry(*key).or_insert([true; 2]);
            *still = [
                still[0] && (left - first_left).abs() < 1.0,
                still[1] && (right - first_right).abs() < 1.0,
            ];
            assert!(
                still[0] || still[1],
                "frame {frame}: {text} was {first_text}: {left} to {right}, {first_left} to {first_right}"
            );
        }
    }
    assert!(changes > 600, "{changes}");
}

#[test]
fn the_statistics_view_does_not_jitter() {
    for size in [vec2(1280.0, 800.0), vec2(700.0, 800.0)] {
        // Without the tree and the strip, whose numbers have no fixed width.
        assert_steady(
            Mode::Full,
            PaneView::Statistics,
            size,
            Rect::from_min_max([size.x * 0.31, 135.0].into(), size.to_pos2()),
        );
    }
}

#[test]
fn the_hud_does_not_jitter() {
    let size = vec2(1280.0, 800.0);
    assert_steady(
        Mode::Hud,
        PaneView::Graph,
        size,
        Rect::from_min_max([900.0, 0.0].into(), size.to_pos2()),
    );
}

/// Records a frame of 16 ms with a call of 8 ms and a mark.
fn record_call(host: &mut Host, frame: u64) {
    let work = stats_core::timer("ids-of-live-views/work");
    host.recorder
        .mark("span", if frame.is_multiple_of(2) { Begin } else { End });
    host.record(frame, |_| work.record_ms(8.0));
    let begin_ns = frame as i64 * 16_000_000;
    let Calls::Are(timeline) = &mut host.recorder.calls else {
        return;
    };
    timeline.push_frame(frame, begin_ns..begin_ns + 16_000_000);
    timeline.add(NewScope {
        lane: 1,
        lane_name: "main",
        lane_kind: LaneKind::Thread,
        series: work.id(),
        depth: 0,
        begin_ns,
        end_ns: Some(begin_ns + 8_000_000),
        is_wait: false,
    });
    timeline.settle();
}

/// Returns how many ids the last frames of a live view add.
fn new_ids(mode: Mode, view: PaneView) -> usize {
    let mut host = Host::full("ids-of-live-views");
    host.recorder.calls = Calls::Are(Box::new(Timeline::new(1 << 20, 1000)));
    host.overlay.select("ids-of-live-views/work");
    host.overlay.set_view(view);
    host.overlay.set_mode(mode);
    let mut harness = harness(vec2(1000.0, 640.0), host);
    let (mut ids, mut known) = (BTreeSet::new(), 0);
    for frame in 0..300 {
        record_call(harness.state_mut(), frame);
        harness.run_steps(1);
        let nodes = harness.root().children_recursive();
        ids.extend(nodes.map(|node| node.accesskit_node().id()));
        if frame == 150 {
            known = ids.len();
        }
    }
    ids.len() - known
}

/// A debug build of egui keeps the origin of each id forever.
#[test]
fn the_ids_of_a_live_view_do_not_grow_with_its_frames() {
    for &view in PaneView::ALL {
        for mode in [Mode::Watch, Mode::Full] {
            assert_eq!(new_ids(mode, view), 0, "{mode:?} {view:?}");
        }
    }
}
