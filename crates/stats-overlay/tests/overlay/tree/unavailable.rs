//! Series without values: the reason appears in place of the values.

use egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{SeriesId, counter, set_unavailable};
use stats_overlay::PaneView;

use crate::host::{Host, harness, value_of};

const WHY: &str = "GPU timing is not supported by this adapter";

/// Returns a harness with a series of this path, 100 frames and a neighbor. `selected` says whether
/// it is selected.
fn shown(scope: &'static str, path: &str, selected: bool) -> (Harness<'static, Host>, SeriesId) {
    let (there, _) = (counter(path), counter(&format!("{scope}/other")));
    let mut host = Host::full(scope);
    if selected {
        host.overlay.select(path);
    } else {
        host.overlay.deselect(path);
    }
    let mut harness = harness(vec2(1400.0, 700.0), host);
    harness.run_steps(3);
    harness.state_mut().record(100, |frame| there.add(frame));
    harness.run_steps(10);
    (harness, there.id())
}

/// Sets or clears the reason and runs the overlay.
fn say(harness: &mut Harness<'_, Host>, id: SeriesId, why: Option<&'static str>) {
    set_unavailable(id, why);
    let next = harness.state().recorder.frames().end;
    harness.state_mut().record(next, |_| {});
    harness.run_steps(10);
}

#[test]
fn the_tree_shows_the_reason_in_place_of_a_value() {
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
fn panes_show_the_reason_and_no_zeros() {
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
        "the measured values are there again"
    );
}

#[test]
fn a_reason_set_during_a_pause_does_not_remove_frozen_values() {
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
fn a_reason_may_use_more_space_than_a_value_without_widening_the_row() {
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
