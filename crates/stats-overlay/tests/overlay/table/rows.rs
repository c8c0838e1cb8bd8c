//! Rows of the table: sorting, selecting, copying and finding spikes.

use egui::{Event, Key, Modifiers, OutputCommand, PointerButton, Pos2, Rect, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use stats_core::counter;
use stats_overlay::PaneView;

use crate::host::{Host, click, harness, value_of};
use crate::painted::painted;

/// Returns a table of 300 frames. Its counter is watched from frame 10 on; its value is 37 times
/// the frame modulo 100, and its budget is exceeded in frames 60 and 150.
fn with_table(path: &'static str) -> Harness<'static, Host> {
    let series = format!("{path}/x");
    let x = counter(&series).budget(1000.0);
    let mut host = Host::full(path);
    host.overlay.set_view(PaneView::Table);
    let mut harness = harness(vec2(1200.0, 800.0), host);
    harness.run_steps(2);
    harness.state_mut().record(9, |_| {});
    harness.state_mut().overlay.select(&series);
    harness.run_steps(2);
    harness.state_mut().record(299, |frame| {
        x.add(frame * 37 % 100 + if frame == 60 || frame == 150 { 5000 } else { 0 });
    });
    harness.run_steps(10);
    harness
}

fn row(harness: &Harness<'_, Host>, frame: u64) -> Rect {
    harness.get_by_label(&format!("frame {frame}")).rect()
}

/// Returns the frames on screen from top to bottom.
fn frames(harness: &Harness<'_, Host>) -> Vec<u64> {
    let frame_of = |label: String| label.strip_prefix("frame ")?.parse().ok();
    let nodes = harness.query_all_by_label_contains("frame ");
    let mut rows: Vec<(f32, u64)> = nodes
        .filter_map(|node| Some((node.rect().top(), frame_of(node.accesskit_node().label()?)?)))
        .collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    rows.into_iter().map(|(_, frame)| frame).collect()
}

fn button(harness: &mut Harness<'_, Host>, pos: Pos2, pressed: bool, modifiers: Modifiers) {
    let event = Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers,
    };
    harness.event_modifiers(event, modifiers);
    harness.run_steps(1);
}

fn click_row(harness: &mut Harness<'_, Host>, frame: u64, modifiers: Modifiers) {
    let pos = row(harness, frame).center();
    harness.hover_at(pos);
    harness.run_steps(1);
    button(harness, pos, true, modifiers);
    button(harness, pos, false, modifiers);
    harness.run_steps(3);
}

fn drag_rows(harness: &mut Harness<'_, Host>, from: u64, to: u64) {
    let (from, to) = (row(harness, from).center(), row(harness, to).center());
    harness.hover_at(from);
    harness.run_steps(1);
    button(harness, from, true, Modifiers::NONE);
    for step in 1..=4 {
        harness.hover_at(from.lerp(to, step as f32 / 4.0));
        harness.run_steps(1);
    }
    button(harness, to, false, Modifiers::NONE);
    harness.run_steps(3);
}

/// Returns the frames on screen that are announced as selected.
fn selected(harness: &Harness<'_, Host>) -> Vec<u64> {
    let is_selected =
        |frame: &u64| value_of(harness, &format!("frame {frame}")).contains(", selected");
    frames(harness).into_iter().filter(is_selected).collect()
}

/// Returns the texts that three steps copy.
fn copied(harness: &mut Harness<'_, Host>) -> Vec<String> {
    let mut lines = Vec::new();
    for _ in 0..3 {
        harness.run_steps(1);
        for command in &harness.output().platform_output.commands {
            if let OutputCommand::CopyText(text) = command {
                lines = text.lines().map(str::to_owned).collect();
            }
        }
    }
    lines
}

#[test]
fn clicks_on_a_header_sort_and_the_third_restores_the_order() {
    let mut harness = with_table("rows-sort");
    assert_eq!(value_of(&harness, "column frame"), "sorted descending");
    let unsorted = frames(&harness);
    click(&mut harness, "column rows-sort/x");
    harness.run_steps(8);
    assert_eq!(
        value_of(&harness, "column rows-sort/x"),
        "sorted descending"
    );
    assert_eq!(value_of(&harness, "column frame"), "");
    // 37 × 27 ≡ 99 modulo 100.
    assert_eq!(frames(&harness)[..6], [150, 60, 227, 127, 27, 254]);
    click(&mut harness, "column rows-sort/x");
    harness.run_steps(8);
    assert_eq!(value_of(&harness, "column rows-sort/x"), "sorted ascending");
    assert_eq!(
        frames(&harness)[..4],
        [200, 100, 273, 173],
        "equal ones newest first"
    );
    click(&mut harness, "column rows-sort/x");
    harness.run_steps(8);
    assert_eq!(frames(&harness), unsorted);
    click(&mut harness, "column frame");
    harness.run_steps(8);
    assert_eq!(frames(&harness)[..3], [0, 1, 2]);
    assert_eq!(value_of(&harness, "column frame"), "sorted ascending");
}

#[test]
fn frames_without_a_value_come_last_in_both_directions() {
    for clicks in 1..=2 {
        let mut harness = with_table("rows-missing");
        for _ in 0..clicks {
            click(&mut harness, "column rows-missing/x");
        }
        // A new value would appear at a refresh.
        harness.hover_at(egui::pos2(800.0, 500.0));
        harness.run_steps(1);
        harness.event(Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: vec2(0.0, -100_000.0),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
            modifiers: Modifiers::NONE,
        });
        harness.run_steps(30);
        let shown = frames(&harness);
        assert_eq!(shown[shown.len() - 10..], [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
        assert!(value_of(&harness, "frame 0").ends_with('–'));
    }
}

#[test]
fn rows_move_only_at_a_refresh() {
    let mut harness = with_table("rows-live");
    let x = counter("rows-live/x");
    click(&mut harness, "column rows-live/x");
    harness.run_steps(8);
    let (mut changes, mut before) = (Vec::new(), frames(&harness));
    for step in 0..30_u64 {
        harness
            .state_mut()
            .record(300 + step, |frame| x.add(6000 + frame));
        harness.run_steps(1);
        let now = frames(&harness);
        if now != before {
            changes.push(step);
        }
        before = now;
    }
    assert_eq!(
        frames(&harness)[0],
        300 + changes.last().unwrap(),
        "the greatest on top, as of the last refresh"
    );
    assert!(
        (4..=6).contains(&changes.len()),
        "30 steps are half a second: {changes:?}"
    );
    // If the sort column is not selected, the newest frames are on top.
    harness.state_mut().overlay.deselect("rows-live/x");
    harness.run_steps(8);
    assert_eq!(frames(&harness)[..2], [329, 328]);
    harness.state_mut().overlay.select("rows-live/x");
    harness.run_steps(8);
    assert!(
        value_of(&harness, "column rows-live/x").ends_with("sorted descending"),
        "it is sorted again"
    );
}

#[test]
fn rows_are_selected_by_click_shift_click_and_drag() {
    let mut harness = with_table("rows-select");
    click_row(&mut harness, 290, Modifiers::NONE);
    assert_eq!(selected(&harness), [290]);
    click_row(&mut harness, 293, Modifiers::SHIFT);
    assert_eq!(selected(&harness), [293, 292, 291, 290]);
    click_row(&mut harness, 288, Modifiers::SHIFT);
    assert_eq!(selected(&harness), [290, 289, 288]);
    drag_rows(&mut harness, 280, 276);
    assert_eq!(selected(&harness), [280, 279, 278, 277, 276]);
    click_row(&mut harness, 270, Modifiers::NONE);
    click_row(&mut harness, 270, Modifiers::NONE);
    assert!(
        selected(&harness).is_empty(),
        "a second click takes it back"
    );
}

#[test]
fn a_click_selects_the_frame_it_was_pressed_on_while_rows_move() {
    let mut harness = with_table("rows-moving");
    let pos = row(&harness, 290).center();
    harness.hover_at(pos);
    harness.run_steps(1);
    button(&mut harness, pos, true, Modifiers::NONE);
    harness.state_mut().record(305, |_| {});
    harness.run_steps(1);
    button(&mut harness, pos, false, Modifiers::NONE);
    harness.run_steps(2);
    assert_eq!(selected(&harness), [290]);
}

#[test]
fn selected_frames_are_copied_in_row_order() {
    let mut harness = with_table("rows-copy");
    drag_rows(&mut harness, 290, 288);
    harness.event(Event::Copy);
    let lines = copied(&mut harness);
    assert_eq!(lines[0], "frame\tframe time (ms)\trows-copy/x");
    assert_eq!(
        lines[1..].iter().map(|line| &line[..3]).collect::<Vec<_>>(),
        ["288", "289", "290"]
    );
    click(&mut harness, "column rows-copy/x");
    harness.run_steps(8);
    drag_rows(&mut harness, 60, 127);
    assert_eq!(selected(&harness), [60, 227, 127]);
    click(&mut harness, "Options");
    harness.get_by_label("Copy as TSV").click();
    let firsts: Vec<String> = copied(&mut harness)[1..]
        .iter()
        .map(|line| line.split('\t').next().unwrap().to_owned())
        .collect();
    assert_eq!(firsts, ["60", "227", "127"]);
    // Select all by key.
    let over = row(&harness, 60).center();
    harness.hover_at(over);
    harness.run_steps(1);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.run_steps(2);
    assert_eq!(selected(&harness).len(), frames(&harness).len());
    harness.event(Event::Copy);
    assert_eq!(copied(&mut harness).len(), 301);
}

#[test]
fn ctrl_a_in_the_search_box_does_not_select_rows() {
    let mut harness = with_table("rows-keys");
    harness.hover_at(egui::pos2(800.0, 500.0));
    harness.event(Event::Text("/".to_owned()));
    harness.run_steps(3);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.run_steps(3);
    assert!(selected(&harness).is_empty());
}

#[test]
fn other_views_mark_the_frame_under_the_pointer() {
    let mut harness = with_table("rows-point");
    let over = row(&harness, 285).center();
    harness.hover_at(over);
    harness.run_steps(3);
    assert!(value_of(&harness, "frame 285").ends_with("under the pointer"));
    assert!(!value_of(&harness, "frame 284").ends_with("under the pointer"));
}

#[test]
fn the_strip_shows_spikes_and_a_click_goes_to_them() {
    let mut harness = with_table("rows-spikes");
    assert_eq!(value_of(&harness, "Spikes"), "2 frames with spikes");
    assert!(
        harness.query_by_label("frame 150").is_none()
            && harness.query_by_label("frame 60").is_none()
    );
    let strip = harness.get_by_label("Spikes").rect();
    // The newest frame is on top: frame 60 is row 239 of 300. A click slightly beside it is close
    // enough.
    for (frame, row_number) in [(60, 239.0), (150, 149.0)] {
        let at = egui::pos2(
            strip.center().x,
            strip.top() + strip.height() * (row_number + 0.5) / 300.0 + 4.0,
        );
        harness.hover_at(at);
        harness.run_steps(1);
        button(&mut harness, at, true, Modifiers::NONE);
        button(&mut harness, at, false, Modifiers::NONE);
        harness.run_steps(4);
        let (row, table) = (row(&harness, frame), strip.y_range());
        assert!(
            (row.center().y - table.center()).abs() < 20.0,
            "frame {frame} is in the middle"
        );
        assert!(value_of(&harness, &format!("frame {frame}")).contains("over budget"));
    }
    // New frames do not move the row.
    let before = row(&harness, 150);
    harness.state_mut().record(340, |_| {});
    harness.run_steps(4);
    assert!((row(&harness, 150).top() - before.top()).abs() < 0.5);
}

#[test]
fn in_a_sorted_table_the_strip_shows_spikes_at_their_rows() {
    let mut harness = with_table("rows-strip");
    click(&mut harness, "column rows-strip/x");
    click(&mut harness, "column rows-strip/x");
    harness.run_steps(8);
    assert_eq!(
        value_of(&harness, "column rows-strip/x"),
        "sorted ascending"
    );
    let strip = harness.get_by_label("Spikes").rect();
    // Greater than all other values, but above frames without a value.
    let at = egui::pos2(
        strip.center().x,
        strip.top() + strip.height() * 288.5 / 300.0,
    );
    harness.hover_at(at);
    harness.run_steps(1);
    button(&mut harness, at, true, Modifiers::NONE);
    button(&mut harness, at, false, Modifiers::NONE);
    harness.run_steps(4);
    let shown = frames(&harness);
    assert!(shown.contains(&60) && shown.contains(&150), "{shown:?}");
}

#[test]
fn a_table_of_zero_frames_or_one_can_be_clicked_everywhere() {
    let mut host = Host::full("rows-none");
    host.overlay.set_view(PaneView::Table);
    let mut harness = harness(vec2(1200.0, 800.0), host);
    harness.run_steps(2);
    for last in [None, Some(0)] {
        if let Some(last) = last {
            harness.state_mut().record(last, |_| {});
        }
        click(&mut harness, "column frame time");
        for x in [500.0, 900.0, 1150.0] {
            let at = egui::pos2(x, 500.0);
            harness.hover_at(at);
            harness.run_steps(1);
            button(&mut harness, at, true, Modifiers::SHIFT);
            button(&mut harness, at, false, Modifiers::SHIFT);
        }
        harness.run_steps(8);
        assert_eq!(
            frames(&harness).len(),
            last.map_or(0, |last| last as usize + 1)
        );
        assert!(selected(&harness).is_empty());
    }
}

#[test]
fn a_tooltip_explains_why_a_value_is_a_spike_and_a_larger_one_is_none() {
    let path = "table-why/x";
    let x = counter(path);
    let mut host = Host::full("table-why");
    host.overlay.set_view(PaneView::Table);
    host.overlay.select(path);
    let mut harness = harness(vec2(1200.0, 800.0), host);
    harness.run_steps(2);
    // A steady level, then a busy one.
    harness.state_mut().record(299, |frame| {
        let busy = 60 + frame % 4 * 30;
        x.add(match frame {
            100 => 216,
            290 => 240,
            _ if frame > 150 => busy,
            _ => 60,
        });
    });
    harness.run_steps(10);
    // The largest values are on top.
    click(&mut harness, "column table-why/x");
    harness.run_steps(8);
    assert_eq!(frames(&harness)[..2], [290, 100]);
    let mut hint = |frame: u64| {
        let row = row(&harness, frame);
        let column = harness.get_by_label("column table-why/x").rect();
        let at = egui::pos2(column.center().x, row.center().y);
        harness.hover_at(at);
        harness.run_steps(60);
        let mut texts = painted(&harness);
        texts.retain(|(_, text)| text.contains("pike"));
        // It is at the pointer.
        let is_near = |(area, _): &(egui::Rect, String)| area.distance_to_pos(at) < 60.0;
        assert!(texts.iter().all(is_near), "{texts:?} at {at}");
        let texts: Vec<String> = texts.into_iter().map(|(_, text)| text).collect();
        texts.join(" ")
    };
    assert_eq!(
        hint(100),
        "spike: 156 over its usual 60, 3.6 times as much A spike begins above 90 here: 60 is usual."
    );
    assert_eq!(
        hint(290),
        "No spike: one begins above 330 here, where 105 is usual."
    );
}
