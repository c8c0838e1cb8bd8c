//! Pausing: the views freeze while recording continues.

use egui::{Event, Key, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::counter;
use stats_overlay::PaneView;

use crate::host::{Host, click, harness, value_of};

const SIZE: egui::Vec2 = vec2(1200.0, 800.0);

fn with_frames(path: &'static str) -> Harness<'static, Host> {
    let count = counter(path);
    let mut host = Host::full(path.trim_end_matches("/x"));
    host.overlay.select(path);
    host.overlay.set_search(path);
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    harness.state_mut().record(99, |_| count.add(3));
    harness.run_steps(10);
    harness
}

fn space(harness: &mut Harness<'_, Host>) {
    harness.key_down(Key::Space);
    harness.event(Event::Text(" ".to_owned()));
    harness.key_up(Key::Space);
    harness.run_steps(3);
}

#[test]
fn space_freezes_every_view_while_recording_continues() {
    let path = "pause-space/x";
    let mut harness = with_frames(path);
    space(&mut harness);
    assert!(harness.state().overlay.paused());
    let (legend, row) = (
        value_of(&harness, &format!("legend {path}")),
        value_of(&harness, path),
    );
    harness.state_mut().record(149, |_| counter(path).add(900));
    harness.run_steps(20);
    assert_eq!(value_of(&harness, &format!("legend {path}")), legend);
    assert_eq!(value_of(&harness, path), row);
    assert_eq!(
        value_of(&harness, "Paused"),
        "PAUSED at frame 99 — 50 new frames recorded since"
    );
    click(&mut harness, "Table");
    assert!(
        harness.query_by_label("frame 99").is_some()
            && harness.query_by_label("frame 149").is_none()
    );
    space(&mut harness);
    assert!(!harness.state().overlay.paused());
    harness.run_steps(10);
    assert!(harness.query_by_label("Paused").is_none());
    assert_eq!(value_of(&harness, "frame 149"), "16.00 | 900");
    assert_eq!(
        value_of(&harness, "frame 120"),
        "16.00 | 900",
        "frames from during the pause are there"
    );
    assert_eq!(value_of(&harness, path), "900");
}

#[test]
fn the_button_pauses_and_resumes() {
    let mut harness = with_frames("pause-button/x");
    click(&mut harness, "Pause");
    assert!(harness.state().overlay.paused());
    click(&mut harness, "Resume");
    assert!(!harness.state().overlay.paused());
}

#[test]
fn a_series_selected_during_a_pause_has_no_values_in_it() {
    let mut harness = with_frames("pause-late/x");
    let late = counter("pause-late/y");
    harness.state_mut().overlay.set_paused(true);
    harness.run_steps(2);
    harness.state_mut().overlay.select("pause-late/y");
    harness.run_steps(2);
    harness.state_mut().record(120, |_| late.add(4));
    harness.run_steps(10);
    assert_eq!(
        value_of(&harness, "legend pause-late/y"),
        "selected after the pause"
    );
    harness.state_mut().overlay.set_view(PaneView::Table);
    harness.run_steps(3);
    assert_eq!(value_of(&harness, "frame 99"), "16.00 | 3 | –");
    assert_eq!(
        value_of(&harness, "column pause-late/y"),
        "selected after the pause"
    );
    harness.state_mut().overlay.set_paused(false);
    harness.run_steps(10);
    assert_eq!(value_of(&harness, "frame 120"), "16.00 | 0 | 4");
}

#[test]
fn a_histogram_selected_during_a_pause_shows_its_samples() {
    let (mut harness, samples) = (
        with_frames("pause-samples/x"),
        stats_core::histogram("pause-samples/y"),
    );
    samples.record(3.0);
    harness.state_mut().record(110, |_| samples.record(4.0));
    harness.state_mut().overlay.set_paused(true);
    harness.state_mut().overlay.set_view(PaneView::Distribution);
    harness.run_steps(2);
    harness.state_mut().overlay.select("pause-samples/y");
    harness.run_steps(10);
    assert_eq!(
        value_of(&harness, "distribution of pause-samples/y"),
        "selected after the pause"
    );
    harness.state_mut().overlay.set_paused(false);
    harness.run_steps(10);
    let text = value_of(&harness, "distribution of pause-samples/y");
    assert!(text.starts_with("12 samples of the run"), "{text}");
}

#[test]
fn a_series_deselected_during_a_pause_returns_with_its_frozen_values() {
    let path = "pause-back/x";
    let mut harness = with_frames(path);
    harness.state_mut().overlay.set_paused(true);
    harness.run_steps(2);
    let legend = value_of(&harness, &format!("legend {path}"));
    harness.state_mut().overlay.deselect(path);
    harness.run_steps(2);
    harness.state_mut().overlay.select(path);
    harness.run_steps(10);
    assert_eq!(value_of(&harness, &format!("legend {path}")), legend);
}

#[test]
fn a_paused_hud_does_not_change() {
    let path = "pause-hud/x";
    let mut harness = with_frames(path);
    harness.state_mut().overlay.pin(path);
    harness
        .state_mut()
        .overlay
        .set_mode(stats_overlay::Mode::Hud);
    harness.run_steps(2);
    harness.state_mut().overlay.set_paused(true);
    harness.run_steps(8);
    harness.state_mut().record(149, |_| counter(path).add(900));
    harness.run_steps(20);
    assert_eq!(value_of(&harness, path), "3");
    harness.state_mut().overlay.set_paused(false);
    harness.run_steps(8);
    assert_eq!(value_of(&harness, path), "900");
}

#[test]
fn space_pauses_wherever_tab_moved_the_focus() {
    let mut harness = with_frames("pause-tab/x");
    for _ in 0..3 {
        harness.key_press(Key::Tab);
        harness.run_steps(2);
        let paused = harness.state().overlay.paused();
        space(&mut harness);
        assert_eq!(harness.state().overlay.paused(), !paused);
        assert_eq!(harness.state().overlay.mode(), stats_overlay::Mode::Full);
    }
}

#[test]
fn a_drag_in_the_graph_ends_typing() {
    let mut harness = with_frames("pause-drag/x");
    harness.event(Event::Text("/".to_owned()));
    harness.run_steps(2);
    let pointer = |pos, pressed| Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    let (start, end) = (egui::pos2(800.0, 300.0), egui::pos2(860.0, 300.0));
    for event in [
        Event::PointerMoved(start),
        pointer(start, true),
        Event::PointerMoved(end),
        pointer(end, false),
    ] {
        harness.event(event);
        harness.run_steps(2);
    }
    space(&mut harness);
    assert!(harness.state().overlay.paused());
}
