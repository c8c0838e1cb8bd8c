//! Rows of the tree: cursor, favorites, menu, dragging and search words.

use egui::{Event, Key, Modifiers, Pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{counter, gauge};
use stats_overlay::{FRAME_TIME, SavedPane};

use crate::host::{Host, click, harness, press, secondary_click, selected, value_of};

const SIZE: egui::Vec2 = vec2(1400.0, 700.0);
const CURSOR: &str = "Row of the cursor";

/// Returns the center of the node with this label.
fn center(harness: &Harness<'_, Host>, label: &str) -> Pos2 {
    harness.get_by_label(label).rect().center()
}

#[test]
fn keys_move_from_the_search_box_to_the_first_match() {
    let _ = counter("rows-keys/deep/a");
    for key in [Key::ArrowDown, Key::Enter] {
        let mut harness = harness(SIZE, Host::full("rows-keys"));
        harness.run_steps(3);
        harness.event(Event::Text("/".to_owned()));
        harness.run_steps(2);
        harness.event(Event::Text("rows-keys".to_owned()));
        harness.run_steps(2);
        press(&mut harness, key);
        assert_eq!(value_of(&harness, CURSOR), "rows-keys/deep/a");
        harness.event(Event::Text("x".to_owned()));
        harness.run_steps(2);
        assert_eq!(
            harness.state().overlay.search(),
            "rows-keys",
            "the box no longer has the keyboard"
        );
    }
}

#[test]
fn in_a_narrow_tree_names_have_priority_over_pins() {
    let _ = counter("rows-narrow/a-name-of-some-length");
    for (size, shows_pin) in [(SIZE, true), (vec2(640.0, 480.0), false)] {
        let mut host = Host::full("rows-narrow");
        host.overlay.pin("rows-narrow/a-name-of-some-length");
        let mut harness = harness(size, host);
        harness.run_steps(3);
        let unpin = "Unpin rows-narrow/a-name-of-some-length";
        assert_eq!(harness.query_by_label(unpin).is_some(), shows_pin);
        harness.hover_at(center(&harness, "rows-narrow/a-name-of-some-length"));
        harness.run_steps(2);
        assert!(harness.query_by_label(unpin).is_some(), "under the pointer");
    }
}

#[test]
fn a_click_moves_the_cursor_to_its_row() {
    let _ = counter("rows-click/a");
    let mut harness = harness(SIZE, Host::full("rows-click"));
    harness.run_steps(3);
    click(&mut harness, "rows-click/a");
    assert_eq!(value_of(&harness, CURSOR), "rows-click/a");
    assert_eq!(selected(&harness), [FRAME_TIME, "rows-click/a"]);
}

#[test]
fn space_pauses_and_enter_selects_wherever_the_cursor_is() {
    let _ = counter("rows-space/deep/a");
    let mut harness = harness(SIZE, Host::full("rows-space"));
    harness.state_mut().overlay.set_search("rows-space");
    harness.run_steps(3);
    for label in [
        "rows-space/deep/a",
        "rows-space/deep",
        "Close rows-space/deep",
    ] {
        harness.state_mut().overlay.set_paused(false);
        click(&mut harness, label);
        let before = selected(&harness);
        press(&mut harness, Key::Space);
        assert!(harness.state().overlay.paused(), "after a click on {label}");
        assert_eq!(selected(&harness), before);
        press(&mut harness, Key::Space);
        assert!(!harness.state().overlay.paused());
    }
    // The arrow keys continue from the clicked row.
    press(&mut harness, Key::ArrowUp);
    let before = selected(&harness);
    press(&mut harness, Key::Space);
    assert!(harness.state().overlay.paused());
    assert_eq!(selected(&harness), before);
    press(&mut harness, Key::Enter);
    assert!(harness.state().overlay.paused());
    assert_ne!(selected(&harness), before);
}

#[test]
fn a_favorite_stays_above_the_tree() {
    let _ = counter("rows-star/a");
    let _ = counter("rows-star/b");
    let mut harness = harness(SIZE, Host::full("rows-star"));
    harness.run_steps(3);
    assert!(
        harness
            .query_by_label("Add to favorites rows-star/b")
            .is_none(),
        "only where the pointer is"
    );
    harness.get_by_label("rows-star/b").hover();
    harness.run_steps(2);
    click(&mut harness, "Add to favorites rows-star/b");
    assert_eq!(selected(&harness), [FRAME_TIME], "the star does not select");
    let above = center(&harness, "rows-star/b (favorite)");
    assert!(above.y < center(&harness, FRAME_TIME).y);
    click(&mut harness, "rows-star/b (favorite)");
    assert_eq!(selected(&harness), [FRAME_TIME, "rows-star/b"]);
    // Both rows have a star now; click the last one, in the tree.
    let stars: Vec<_> = harness
        .query_all_by_label("Remove from favorites rows-star/b")
        .collect();
    assert_eq!(stars.len(), 2);
    stars[1].click();
    harness.run_steps(2);
    assert!(harness.query_by_label("rows-star/b (favorite)").is_none());
}

#[test]
fn a_secondary_click_opens_the_menu_of_a_row() {
    let _ = counter("rows-menu/in/a");
    let mut harness = harness(SIZE, Host::full("rows-menu"));
    harness.run_steps(3);
    secondary_click(&mut harness, "rows-menu/in/a");
    assert_eq!(
        selected(&harness),
        [FRAME_TIME],
        "the secondary button does not select"
    );
    assert!(
        harness.query_by_label("Pin to HUD").is_some()
            && harness.query_by_label("Show in a new pane").is_some()
    );
    click(&mut harness, "Copy path");
    assert!(
        harness.query_by_label("Copy path").is_none(),
        "the menu closes"
    );
    secondary_click(&mut harness, "rows-menu/in/a");
    click(&mut harness, "Select");
    assert_eq!(selected(&harness), [FRAME_TIME, "rows-menu/in/a"]);
    secondary_click(&mut harness, "rows-menu/in/a");
    click(&mut harness, "Add to favorites");
    assert!(
        harness
            .query_by_label("rows-menu/in/a (favorite)")
            .is_some()
    );
    secondary_click(&mut harness, "Close rows-menu/in");
    click(&mut harness, "Deselect all in it");
    assert_eq!(selected(&harness), [FRAME_TIME]);
}

#[test]
fn rows_and_folders_can_be_dragged_and_clicks_still_select() {
    for name in ["a", "b"] {
        let _ = counter(&format!("rows-drag/in/{name}"));
    }
    let mut harness = harness(SIZE, Host::full("rows-drag"));
    harness.run_steps(3);
    for (from, shown) in [
        ("rows-drag/in/a", "rows-drag/in/a"),
        ("Close rows-drag/in", "2 series"),
    ] {
        let pos = center(&harness, from);
        harness.drag_at(pos);
        harness.run_steps(1);
        assert!(harness.query_by_label("Dragged").is_none());
        for step in 1..6 {
            harness.hover_at(pos + vec2(60.0, 10.0) * step as f32);
            harness.run_steps(1);
        }
        assert_eq!(value_of(&harness, "Dragged"), shown);
        harness.drop_at(pos + vec2(300.0, 50.0));
        harness.run_steps(3);
        assert!(
            harness.query_by_label("Dragged").is_none(),
            "nothing took it"
        );
    }
    // Dropped on the pane: it shows them.
    assert_eq!(
        selected(&harness),
        [FRAME_TIME, "rows-drag/in/a", "rows-drag/in/b"]
    );
    harness
        .state_mut()
        .overlay
        .show_panes(&[SavedPane::new([FRAME_TIME])]);
    harness.run_steps(2);
    click(&mut harness, "rows-drag/in/a");
    assert_eq!(selected(&harness), [FRAME_TIME, "rows-drag/in/a"]);
    assert!(
        harness.query_by_label("Close rows-drag/in").is_some(),
        "a drag does not fold"
    );
}

#[test]
fn the_wheel_scrolls_the_rows() {
    for number in 0..300 {
        let _ = counter(&format!("rows-wheel-{number:03}"));
    }
    let mut harness = harness(SIZE, Host::full("rows-wheel"));
    harness.run_steps(3);
    let pos = center(&harness, "rows-wheel-010");
    harness.hover_at(pos);
    harness.run_steps(1);
    let (unit, phase, source) = (
        egui::MouseWheelUnit::Point,
        egui::TouchPhase::Move,
        egui::MouseWheelSource::Wheel,
    );
    harness.event(Event::MouseWheel {
        unit,
        delta: vec2(0.0, -2000.0),
        phase,
        source,
        modifiers: Modifiers::NONE,
    });
    harness.run_steps(30);
    assert!(harness.query_by_label("rows-wheel-000").is_none());
}

#[test]
fn the_search_words_are_listed_and_can_be_clicked() {
    let still = gauge("rows-hint/still");
    still.set(1.0);
    let mut harness = harness(SIZE, Host::full("rows-hint"));
    harness.run_steps(3);
    assert!(harness.query_by_label("Search words").is_none());
    harness.event(Event::Text("/".to_owned()));
    harness.run_steps(3);
    click(&mut harness, "Search for zero");
    assert_eq!(harness.state().overlay.search(), "zero");
    assert!(harness.query_by_label("Search words").is_none());
    harness.event(Event::Text(" x".to_owned()));
    harness.run_steps(2);
    assert_eq!(
        harness.state().overlay.search(),
        "zero x",
        "the box has the keyboard again"
    );
    click(&mut harness, "Search help");
    click(&mut harness, "Search for changed");
    assert_eq!(harness.state().overlay.search(), "zero x changed");
}

#[test]
fn hovering_a_selected_row_shows_its_range() {
    let level = gauge("rows-range/x");
    let mut host = Host::full("rows-range");
    host.overlay.select("rows-range/x");
    let mut harness = harness(SIZE, host);
    harness.run_steps(3);
    harness.state_mut().record(1000, |frame| {
        level.set(if frame < 200 {
            500.0
        } else {
            3.0 + (frame % 5) as f64
        })
    });
    harness.run_steps(10);
    harness.get_by_label("rows-range/x").hover();
    harness.run_steps(40);
    let range = "3 … 7 in the last 600 frames or since it was selected";
    assert!(
        harness.query_by_label(range).is_some(),
        "older values do not count"
    );
}
