//! Series that have no values: why is said where these would stand.

use egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{SeriesId, counter, set_unavailable};
use stats_overlay::PaneView;

use crate::host::{Host, harness, value_of};

const WHY: &str = "GPU timing not supported by this adapter";

/// A series of this path with 100 frames, and a neighbour; whether it is selected.
fn shown(scope: &'static str, path: &str, selected: bool) -> (Harness<'static, Host>, SeriesId) {
    let (there, _) = (counter(path), counter(&format!("{scope}/other")));
    let mut host = Host::full(scope);
    host.overlay.set_selected(path, selected);
    let mut harness = harness(vec2(1400.0, 700.0), host);
    harness.run_steps(3);
    harness.state_mut().record(100, |frame| there.add(frame));
    harness.run_steps(10);
    (harness, there.id())
}

/// Says it, or takes it back, and lets the overlay see that.
fn say(harness: &mut Harness<'_, Host>, id: SeriesId, why: Option<&'static str>) {
    set_unavailable(id, why);
    let next = harness.state().recorder.frames().end;
    harness.state_mut().record(next, |_| {});
    harness.run_steps(10);
}

#[test]
fn the_tree_says_why_in_place_of_a_value() {
    let path = "unavailable-tree/frame";
    for selected in [false, true] {
        let (mut harness, id) = shown("unavailable-tree", path, selected);
        assert_ne!(value_of(&harness, path), WHY);
        say(&mut harness, id, Some(WHY));
        assert_eq!(value_of(&harness, path), WHY);
        assert_ne!(value_of(&harness, "unavailable-tree/other"), WHY);
        say(&mut harness, id, None);
        assert_ne!(value_of(&harness, path), WHY);
        say(&mut harness, id, Some(WHY));
        harness.get_by_label(path).hover();
        harness.run_steps(40);
        assert!(
            harness.query_by_label(WHY).is_some()
                && harness
                    .query_by_label_contains("in the last 600 frames")
                    .is_none()
        );
        set_unavailable(id, None);
    }
}

#[test]
fn the_panes_say_why_and_show_no_zeros() {
    let path = "unavailable-pane/frame";
    let (mut harness, id) = shown("unavailable-pane", path, true);
    let legend = format!("legend {path}");
    let before = value_of(&harness, &legend);
    assert!(before.contains("max 100 "), "{before}");
    say(&mut harness, id, Some(WHY));
    assert_eq!(value_of(&harness, &legend), WHY);
    harness.state_mut().overlay.set_paused(true);
    harness.run_steps(10);
    assert_eq!(
        value_of(&harness, &legend),
        WHY,
        "nothing was recorded after the pause"
    );
    harness.state_mut().overlay.set_paused(false);
    harness.state_mut().overlay.set_view(PaneView::Table);
    harness.run_steps(10);
    assert_eq!(value_of(&harness, &format!("column {path}")), WHY);
    harness.state_mut().overlay.set_view(PaneView::Graph);
    say(&mut harness, id, None);
    assert!(
        value_of(&harness, &legend).contains("max 100 "),
        "what was measured is there again"
    );
}

#[test]
fn what_is_said_while_the_views_stand_still_does_not_take_their_values() {
    let path = "unavailable-pause/frame";
    let (mut harness, id) = shown("unavailable-pause", path, true);
    let legend = format!("legend {path}");
    harness.state_mut().overlay.set_paused(true);
    harness.run_steps(10);
    let before = value_of(&harness, &legend);
    say(&mut harness, id, Some(WHY));
    assert_eq!(value_of(&harness, &legend), before);
}

#[test]
fn a_reason_has_more_room_than_a_value_and_no_row_gets_wider() {
    for width in [300.0, 500.0, 900.0, 1400.0] {
        let path = "unavailable-width/frame";
        let (there, _) = (counter(path), counter("unavailable-width/other"));
        set_unavailable(there.id(), Some(WHY));
        let mut harness = harness(vec2(width, 500.0), Host::full("unavailable-width"));
        harness.run_steps(5);
        if let Some(row) = harness.query_by_label(path) {
            assert_eq!(value_of(&harness, path), WHY, "{width}");
            assert!(row.rect().right() <= width, "{width}");
        }
    }
}
