//! All views agree about the same frames and series, whatever was shown before.

use egui::{Event, Key, Modifiers, PointerButton, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::counter;
use stats_overlay::{Action, FRAME_TIME, Mode, PaneView, SavedPane, SavedState};

use crate::host::{Host, harness, press, value_of};

const SIZE: egui::Vec2 = vec2(1280.0, 800.0);

/// Two panes, `a` above and `b` below, and frames in which `a` is 7 and `b` is 8.
fn two_panes(scope: &'static str, mode: Mode) -> Harness<'static, Host> {
    let (a, b) = (
        counter(&format!("{scope}/a")),
        counter(&format!("{scope}/b")),
    );
    let mut host = Host::new(scope);
    host.overlay.set_mode(mode);
    host.overlay.show_panes(&[
        SavedPane::new([&*format!("{scope}/a")]),
        SavedPane::new([&*format!("{scope}/b")]),
    ]);
    let mut harness = harness(SIZE, host);
    harness.run_steps(1);
    harness.state_mut().record(20, |_| {
        a.add(7);
        b.add(8);
    });
    harness.run_steps(10);
    harness
}

#[test]
fn switching_pins_updates_the_hud_at_once() {
    let mut harness = two_panes("agree-pins", Mode::Hud);
    for (path, value) in [("agree-pins/a", "7"), ("agree-pins/b", "8")].repeat(4) {
        let mut saved = SavedState::default();
        saved.settings = harness.state().overlay.settings().clone();
        saved.pinned.push(path.to_owned());
        harness.state_mut().overlay.restore(&saved);
        harness.run_steps(1);
        let said = value_of(&harness, path);
        assert!(said == value || said == "–", "{path} shows {said}");
        harness.run_steps(2);
    }
}

#[test]
fn an_emptied_pane_shows_the_columns_of_the_next_selection() {
    let scope = "agree-columns";
    let counters = ["a", "b", "c", "d"].map(|name| counter(&format!("{scope}/{name}")));
    let mut host = Host::full(scope);
    host.overlay.set_view(PaneView::Table);
    host.overlay.deselect(FRAME_TIME);
    host.overlay.select(&format!("{scope}/a"));
    host.overlay.select(&format!("{scope}/b"));
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    harness.state_mut().record(20, |_| counters[2].add(5));
    harness.run_steps(10);
    harness.state_mut().overlay.set_view(PaneView::Graph);
    harness.run_steps(2);
    harness.state_mut().overlay.act(Action::RemovePane);
    harness.run_steps(2);
    for (step, name) in ["c", "d", "c", "c", "c", "d"].iter().enumerate() {
        let path = format!("{scope}/{name}");
        let overlay = &mut harness.state_mut().overlay;
        overlay.set_view(PaneView::Graph);
        if overlay.selected().any(|selected| selected == path) {
            overlay.deselect(&path);
        } else {
            overlay.select(&path);
        }
        harness.run_steps(2);
        harness.state_mut().overlay.set_view(PaneView::Table);
        harness.run_steps(2);
        let selected: Vec<String> = harness
            .state()
            .overlay
            .selected()
            .map(str::to_owned)
            .collect();
        for path in ["a", "b", "c", "d"].map(|name| format!("{scope}/{name}")) {
            let has_column = harness.query_by_label(&format!("column {path}")).is_some();
            assert_eq!(
                has_column,
                selected.contains(&path),
                "{path} after step {step}"
            );
        }
    }
}

/// 900 frames of `x` with spikes in 300 and 700, cleared after frame 499.
fn cleared(scope: &'static str) -> Harness<'static, Host> {
    let x = counter(&format!("{scope}/x"));
    let mut host = Host::full(scope);
    host.overlay
        .show_panes(&[SavedPane::new([&*format!("{scope}/x")])]);
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    let add = |frame: u64| {
        x.add(if frame == 300 || frame == 700 {
            400
        } else {
            10
        })
    };
    harness.state_mut().record(499, add);
    harness.run_steps(10);
    harness.state_mut().overlay.act(Action::ClearHistory);
    harness.run_steps(2);
    harness.state_mut().record(899, add);
    harness.run_steps(10);
    harness
}

#[test]
fn a_cleared_spike_cannot_be_reached() {
    let mut harness = cleared("agree-jump");
    press(&mut harness, Key::OpenBracket);
    harness.run_steps(10);
    assert_eq!(
        value_of(&harness, "legend agree-jump/x")
            .split_whitespace()
            .take(3)
            .collect::<Vec<_>>(),
        ["at", "700", "400"]
    );
    press(&mut harness, Key::OpenBracket);
    harness.run_steps(10);
    assert_eq!(
        value_of(&harness, "legend agree-jump/x")
            .split_whitespace()
            .take(3)
            .collect::<Vec<_>>(),
        ["at", "700", "400"]
    );
    assert_eq!(
        value_of(&harness, "Notice"),
        "No earlier spike in this pane"
    );
}

#[test]
fn a_cleared_spike_is_not_counted() {
    let mut harness = cleared("agree-count");
    harness.state_mut().overlay.select_frames(Some(0..900));
    harness.run_steps(10);
    let text = value_of(&harness, "legend agree-count/x").replace(',', "");
    assert!(
        text.contains("sum 4390 ") && text.contains("spikes 1 "),
        "{text}"
    );
}

#[test]
fn a_table_opened_on_a_history_shows_all_of_its_spikes() {
    let scope = "agree-long";
    let mut host = Host::new(scope);
    host.overlay.set_view(PaneView::Table);
    host.recorder.end_frame_at(0.0);
    // Frames of 16 ms, and of 160 ms once in every 500.
    let mut now = 0.0;
    for frame in 1..4000_u64 {
        now += if frame % 500 == 499 { 0.16 } else { 0.016 };
        host.recorder.end_frame_at(now);
    }
    let mut harness = harness(SIZE, host);
    harness.state_mut().overlay.set_mode(Mode::Full);
    harness.run_steps(30);
    assert_eq!(value_of(&harness, "Spikes"), "8 frames with spikes");
    let row = value_of(&harness, "frame 3,999");
    assert!(row.ends_with("spike over budget"), "{row}");
}

#[test]
fn a_selection_ends_with_its_drag_even_if_the_view_changes() {
    let mut harness = two_panes("agree-drag", Mode::Full);
    harness.state_mut().record(899, |_| {});
    harness.run_steps(10);
    let at = pos2(
        760.0,
        harness.get_by_label("legend agree-drag/a").rect().top() - 60.0,
    );
    let button = |button, pressed, pos, modifiers| Event::PointerButton {
        pos,
        button,
        pressed,
        modifiers,
    };
    harness.event(Event::ModifiersChanged(Modifiers::SHIFT));
    harness.event(Event::PointerMoved(at));
    harness.event(button(PointerButton::Primary, true, at, Modifiers::SHIFT));
    harness.run_steps(1);
    harness.event(Event::PointerMoved(at + vec2(50.0, 0.0)));
    harness.run_steps(2);
    assert!(harness.state().overlay.selected_frames().is_some());
    // The view changes while the button is down.
    harness.state_mut().overlay.set_view(PaneView::Table);
    harness.run_steps(2);
    harness.event(button(
        PointerButton::Primary,
        false,
        at + vec2(50.0, 0.0),
        Modifiers::NONE,
    ));
    harness.event(Event::ModifiersChanged(Modifiers::NONE));
    harness.run_steps(2);
    harness.state_mut().overlay.set_view(PaneView::Graph);
    harness.state_mut().overlay.select_frames(None);
    harness.run_steps(2);
    for pressed in [true, false] {
        harness.event(button(
            PointerButton::Secondary,
            pressed,
            at + vec2(120.0, 0.0),
            Modifiers::NONE,
        ));
        harness.run_steps(2);
    }
    assert_eq!(harness.state().overlay.selected_frames(), None);
}

#[test]
fn a_new_source_starts_without_marks() {
    let mut harness = cleared("agree-source");
    press(&mut harness, Key::OpenBracket);
    harness.run_steps(5);
    let state = harness.state_mut();
    state.overlay.forget_source();
    state.recorder = crate::scoped::Scoped::new("agree-source");
    state.record(99, |_| counter("agree-source/x").add(3));
    harness.run_steps(3);
    harness
        .state_mut()
        .record(120, |_| counter("agree-source/x").add(3));
    harness.run_steps(10);
    let text = value_of(&harness, "legend agree-source/x");
    assert!(text.starts_with("now 3 "), "{text}");
}
