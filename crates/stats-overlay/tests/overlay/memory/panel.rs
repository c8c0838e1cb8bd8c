//! The memory panel in a program without the overlay: many rows, keys, and several panels.

use egui::accesskit::Role;
use egui::{Event, Key, Vec2, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable, by};
use stats_overlay::{MemoryPanel, MemorySnapshot};
use stats_testing::allocations;

use super::dumps::{game, later, line, lines};
use crate::painted::assert_no_clash;

const SIZE: Vec2 = vec2(1000.0, 700.0);

fn snapshot(dump: &str) -> MemorySnapshot {
    MemorySnapshot::read(dump.as_bytes()).expect("reading from memory does not fail")
}

fn harness<'a>(panel: MemoryPanel) -> Harness<'a, MemoryPanel> {
    Harness::builder()
        .with_size(SIZE)
        .build_ui_state(|ui, panel: &mut MemoryPanel| panel.ui(ui), panel)
}

fn rows<T>(harness: &Harness<'_, T>) -> Vec<String> {
    let mut rows: Vec<_> = harness
        .query_all(by().role(Role::TreeItem))
        .map(|node| {
            (
                node.rect().top() as i64,
                node.rect().left() as i64,
                node.accesskit_node().label().unwrap_or_default(),
            )
        })
        .collect();
    rows.sort();
    rows.into_iter().map(|(.., name)| name).collect()
}

/// Steps until there are rows.
fn settle(harness: &mut Harness<'_, MemoryPanel>) {
    for _ in 0..30_000 {
        harness.run_steps(2);
        if !rows(harness).is_empty() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    panic!("no rows");
}

#[test]
fn only_the_open_rows_on_screen_are_laid_out() {
    // As many rows as a large game has allocations. Unoptimized code needs a few seconds.
    const ROWS: usize = 600_000;
    let mut dump = String::with_capacity(ROWS * 48);
    // Each is smaller than the previous one, so that they are in the order of the list.
    (0..ROWS).for_each(|number| {
        dump.push_str(&line(
            "main",
            "g",
            (ROWS - number) as u64,
            "s",
            &format!("n{number}"),
        ))
    });
    let mut panel = MemoryPanel::new();
    panel.add("many", snapshot(&dump));
    let mut harness = harness(panel);
    settle(&mut harness);
    assert_eq!(
        rows(&harness)[..4],
        ["thread main", "group g", "scope s", "name n0"]
    );
    let seen = rows(&harness).len();
    assert!((20..40).contains(&seen), "{seen} rows");
    let few = allocations(|| harness.run_steps(1));
    // A key moves to the last row, and another one back.
    harness.event(Event::PointerMoved(pos2(500.0, 400.0)));
    harness.key_press(Key::End);
    harness.run_steps(3);
    let shown = rows(&harness);
    assert_eq!(shown.last().map(String::as_str), Some("name n599999"));
    assert!(shown.len() <= seen + 1, "{} rows", shown.len());
    let tops: Vec<f32> = {
        let mut tops: Vec<f32> = harness
            .query_all(by().role(Role::TreeItem))
            .map(|node| node.rect().top())
            .collect();
        tops.sort_by(f32::total_cmp);
        tops
    };
    assert!(
        tops.windows(2)
            .all(|pair| (pair[1] - pair[0] - 20.0).abs() < 0.01),
        "each exactly below the previous one: {tops:?}"
    );
    let far = allocations(|| harness.run_steps(1));
    assert!(
        far < few * 2 + 1000,
        "{far} allocations in a frame, {few} at the top"
    );
    harness.key_press(Key::Home);
    harness.run_steps(3);
    assert_eq!(rows(&harness)[0], "thread main");
}

#[test]
fn compare_newest_compares_the_two_newest_snapshots() {
    let mut panel = MemoryPanel::new();
    panel.compare_newest();
    panel.add("before.csv", snapshot(&game(0)));
    panel.compare_newest();
    panel.add("after.csv", snapshot(&later()));
    panel.compare_newest();
    let mut harness = harness(panel);
    settle(&mut harness);
    assert!(rows(&harness).contains(&"name enemy".to_owned()));
    assert!(harness.query_by_label("Size change").is_some());
    assert!(
        harness.query_by_label("Back").is_none()
            && harness.query_by_label("Take snapshot").is_none()
    );
}

/// Returns a panel of the game's memory with all rows closed.
fn closed() -> Harness<'static, MemoryPanel> {
    let mut panel = MemoryPanel::new();
    panel.add("a", snapshot(&game(0)));
    let mut harness = harness(panel);
    settle(&mut harness);
    harness.get_by_label("Close all").click();
    harness.run_steps(2);
    harness
}

#[test]
fn keys_move_through_the_rows_after_a_click_on_a_row() {
    let mut harness = closed();
    harness.event(Event::PointerGone);
    harness.run_steps(2);
    let closed = rows(&harness).len();
    let press = |harness: &mut Harness<'_, MemoryPanel>, keys: &[Key]| {
        keys.iter().for_each(|key| harness.key_press(*key));
        harness.run_steps(2);
    };
    harness.get_by_label("thread audio").click();
    harness.run_steps(2);
    press(&mut harness, &[Key::ArrowUp, Key::ArrowRight]);
    assert!(
        rows(&harness).contains(&"group rendering".to_owned()),
        "the row above is open"
    );
    press(&mut harness, &[Key::ArrowLeft, Key::ArrowDown, Key::Enter]);
    assert_eq!(rows(&harness).len(), closed + 1);
    assert!(rows(&harness).contains(&"group audio".to_owned()));
}

#[test]
fn several_panels_in_one_program_have_separate_ids() {
    let panels = [(); 2].map(|()| {
        let mut panel = MemoryPanel::new();
        panel.add("a", snapshot(&lines(2, "main", "g", 64, "s", "n")));
        panel
    });
    let ui = |ui: &mut egui::Ui, panels: &mut [MemoryPanel; 2]| {
        ui.columns(2, |columns| {
            panels
                .iter_mut()
                .zip(columns)
                .for_each(|(panel, ui)| panel.ui(ui))
        });
    };
    let mut harness = Harness::builder()
        .with_size(vec2(1200.0, 500.0))
        .build_ui_state(ui, panels);
    harness.run_steps(3);
    let before = rows(&harness);
    assert_eq!(
        before.iter().filter(|name| *name == "thread main").count(),
        2
    );
    let close = harness
        .query_all_by_label("Close thread main")
        .next()
        .map(|node| node.rect().center())
        .unwrap();
    for pressed in [true, false] {
        harness.event(Event::PointerMoved(close));
        harness.event(Event::PointerButton {
            pos: close,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        });
        harness.run_steps(1);
    }
    harness.run_steps(2);
    assert_eq!(
        (before.len(), rows(&harness).len()),
        (8, 5),
        "one of them closed, with all its rows"
    );
    assert_no_clash(&harness.output().shapes, "a row and its group");
}

#[test]
fn the_keyboard_focus_is_visible() {
    let mut panel = MemoryPanel::new();
    panel.add("a", snapshot(&game(0)));
    let mut harness = harness(panel);
    settle(&mut harness);
    for label in ["Count", "Size", "thread audio"] {
        let painted = |harness: &Harness<'_, MemoryPanel>| {
            let place = harness.get_by_label(label).rect().expand(1.0);
            let is_there = |shape: &egui::Shape| match shape {
                egui::Shape::Rect(rect) => place.contains_rect(rect.rect),
                _ => false,
            };
            harness
                .output()
                .shapes
                .iter()
                .filter(|clipped| is_there(&clipped.shape))
                .count()
        };
        let without = painted(&harness);
        harness.get_by_label(label).focus();
        harness.run_steps(2);
        assert_eq!(painted(&harness), without + 1, "{label}");
    }
}

#[test]
fn keys_of_an_open_menu_do_not_reach_the_panel() {
    let mut harness = closed();
    let closed = rows(&harness);
    harness.get_by_label("thread audio").click();
    harness.run_steps(2);
    harness.get_by_label("thread audio").click_secondary();
    harness.run_steps(3);
    assert!(
        harness.query_by_label("Open all below").is_some(),
        "the menu of the row"
    );
    harness.key_press(Key::ArrowRight);
    harness.run_steps(2);
    assert_eq!(rows(&harness), closed);
}

/// Returns the rows of the bar and of the filters, each as the labels of its widgets.
pub(crate) fn bars<T>(harness: &Harness<'_, T>) -> Vec<Vec<String>> {
    let first_row = harness.get_by_label("Name").rect().top();
    let mut nodes: Vec<_> = [Role::Button, Role::TextInput, Role::ComboBox]
        .into_iter()
        .flat_map(|role| harness.query_all(by().role(role)))
        .map(|node| {
            (
                node.rect(),
                node.accesskit_node().label().unwrap_or_default(),
            )
        })
        .filter(|(rect, _)| rect.bottom() < first_row)
        .collect();
    nodes.sort_by_key(|(rect, _)| (rect.center().y as i64, rect.left() as i64));
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut last = f32::MIN;
    for (rect, label) in nodes {
        if rect.center().y > last + 8.0 {
            rows.push(Vec::new());
        }
        last = rect.center().y;
        rows.last_mut()
            .into_iter()
            .for_each(|row| row.push(label.clone()));
    }
    rows
}

#[test]
fn at_800_points_the_bar_and_the_filters_take_one_row_each() {
    let mut panel = MemoryPanel::new();
    panel.add("the-game-before.csv", snapshot(&game(0)));
    panel.add("the-game-after.csv", snapshot(&later()));
    panel.compare_newest();
    // As wide as the window of the memory viewer leaves it.
    let ui = |ui: &mut egui::Ui, panel: &mut MemoryPanel| panel.ui(ui);
    let mut harness = Harness::builder()
        .with_size(vec2(784.0, 590.0))
        .build_ui_state(ui, panel);
    settle(&mut harness);
    let bars = bars(&harness);
    assert_eq!(bars.len(), 2, "{bars:#?}");
}
