//! The table view.

use egui::{Key, OutputCommand, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{Unit, counter, gauge};
use stats_overlay::PaneView;

use crate::host::{Host, harness, value_of};
use crate::painted::painted;

const SIZE: egui::Vec2 = vec2(1200.0, 800.0);

/// Returns a harness whose table has 300 frames of a counter that equals the frame number, with a
/// budget of 250, and of a series in bytes that begins at frame 100.
fn with_table(path: &'static str) -> Harness<'static, Host> {
    let count = counter(&format!("{path}/count")).budget(250.0);
    let mut host = Host::full(path);
    host.overlay.set_view(PaneView::Table);
    host.overlay.select(&format!("{path}/count"));
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    harness.state_mut().record(99, |frame| count.add(frame));
    let bytes = counter(&format!("{path}/bytes")).unit(Unit::Bytes);
    harness.state_mut().overlay.select(&format!("{path}/bytes"));
    harness.run_steps(2);
    harness.state_mut().record(299, |frame| {
        count.add(frame);
        bytes.add(2048);
    });
    harness.run_steps(10);
    harness
}

#[test]
fn rows_are_frames_newest_first_and_flag_values_over_budget() {
    let harness = with_table("table-rows");
    assert_eq!(
        value_of(&harness, "frame 299"),
        "16.00 | 299 over budget | 2.00"
    );
    assert!(value_of(&harness, "frame 280").starts_with("16.00 | 280 over"));
    let (newest, older) = (
        harness.get_by_label("frame 299").rect(),
        harness.get_by_label("frame 298").rect(),
    );
    assert!(newest.top() < older.top());
    assert!(
        harness.query_by_label("frame 10").is_none(),
        "rows out of sight are not drawn"
    );
    assert_eq!(value_of(&harness, "column table-rows/bytes"), "KiB");
}

fn wheel(delta: egui::Vec2) -> egui::Event {
    let (unit, phase) = (egui::MouseWheelUnit::Point, egui::TouchPhase::Move);
    let (source, modifiers) = (egui::MouseWheelSource::Wheel, egui::Modifiers::NONE);
    egui::Event::MouseWheel {
        unit,
        delta,
        phase,
        source,
        modifiers,
    }
}

fn scroll(harness: &mut Harness<'_, Host>, points: f32) {
    harness.hover_at(egui::pos2(800.0, 500.0));
    harness.run_steps(1);
    harness.event(wheel(vec2(0.0, -points)));
    harness.run_steps(30);
}

#[test]
fn frames_from_before_the_watch_are_absent_not_zero() {
    let mut harness = with_table("table-absent");
    scroll(&mut harness, 100_000.0);
    assert_eq!(value_of(&harness, "frame 5"), "16.00 | 5 | –");
}

#[test]
fn the_table_follows_the_newest_frame_until_scrolled() {
    let mut harness = with_table("table-follow");
    let top = harness.get_by_label("frame 299").rect();
    harness.state_mut().record(319, |_| {});
    harness.run_steps(2);
    assert_eq!(harness.get_by_label("frame 319").rect().top(), top.top());
    scroll(&mut harness, 900.0);
    let before = harness.get_by_label("frame 250").rect();
    harness.state_mut().record(419, |_| {});
    harness.run_steps(3);
    let after = harness.get_by_label("frame 250").rect();
    assert!(
        (before.top() - after.top()).abs() < 0.5,
        "{before:?} moved to {after:?}"
    );
}

#[test]
fn resuming_scrolls_a_table_back_to_the_newest_frame() {
    let mut harness = with_table("table-resume");
    let top = harness.get_by_label("frame 299").rect().top();
    for way in [Key::Space, Key::R] {
        harness.key_press(Key::Space);
        harness.run_steps(2);
        scroll(&mut harness, 900.0);
        assert!(harness.query_by_label("frame 299").is_none());
        harness.key_press(way);
        harness.run_steps(3);
        assert_eq!(harness.get_by_label("frame 299").rect().top(), top);
    }
    // Without a pause, too.
    scroll(&mut harness, 900.0);
    harness.key_press(Key::R);
    harness.run_steps(3);
    assert_eq!(harness.get_by_label("frame 299").rect().top(), top);
}

/// Turns the wheel by `points` with a new frame in every step.
fn scroll_live(harness: &mut Harness<'_, Host>, points: f32) {
    harness.hover_at(egui::pos2(800.0, 500.0));
    harness.run_steps(1);
    harness.event(wheel(vec2(0.0, -points)));
    for _ in 0..30 {
        let next = harness.state().recorder.frames().end;
        harness.state_mut().record(next, |_| {});
        harness.run_steps(1);
    }
}

#[test]
fn the_table_scrolls_while_frames_arrive_and_follows_again_at_the_top() {
    let mut harness = with_table("table-live");
    let top = harness.get_by_label("frame 299").rect().top();
    scroll_live(&mut harness, 900.0);
    assert!(
        harness.query_by_label("frame 299").is_none()
            && harness.query_by_label("frame 329").is_none(),
        "it stuck to the top"
    );
    let passed = harness.get_by_label("frame 240").rect().top() - top;
    // 900 points down, minus the distance that the pointer's step may have scrolled already.
    let wanted = (299.0 - 240.0) * 18.0 - 900.0;
    assert!(
        (passed - wanted).abs() < 2.0 * 18.0,
        "frame 240 is {passed} below the top, not {wanted}"
    );
    scroll_live(&mut harness, -100_000.0);
    assert_eq!(harness.get_by_label("frame 359").rect().top(), top);
}

#[test]
fn everything_is_copied_as_tab_separated_values() {
    let mut harness = with_table("table-copy");
    crate::host::click(&mut harness, "Options");
    harness.get_by_label("Copy as TSV").click();
    // The click arrives with the second step.
    let mut copied = None;
    for _ in 0..3 {
        harness.run_steps(1);
        for command in &harness.output().platform_output.commands {
            if let OutputCommand::CopyText(text) = command {
                copied = Some(text.clone());
            }
        }
    }
    let copied = copied.expect("nothing was copied");
    let lines: Vec<&str> = copied.lines().collect();
    assert_eq!(lines.len(), 301);
    assert_eq!(
        lines[0],
        "frame\tframe time (ms)\ttable-copy/count\ttable-copy/bytes (B)"
    );
    let cells: Vec<&str> = lines[6].split('\t').collect();
    assert_eq!((cells[0], cells[2], cells[3]), ("5", "5", ""));
    let cells: Vec<&str> = lines[300].split('\t').collect();
    assert_eq!((cells[0], cells[2], cells[3]), ("299", "299", "2048"));
}

#[test]
fn many_columns_scroll_sideways() {
    let mut host = Host::full("table-wide");
    host.overlay.set_view(PaneView::Table);
    let counters: Vec<_> = (0..40)
        .map(|number| counter(&format!("table-wide/{number}")))
        .collect();
    for number in 0..40 {
        host.overlay.select(&format!("table-wide/{number}"));
    }
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    harness.state_mut().record(50, |_| {
        counters.iter().for_each(|counter| counter.increment())
    });
    harness.run_steps(4);
    assert!(harness.query_by_label("column table-wide/0").is_some());
    assert!(harness.query_by_label("column table-wide/39").is_none());
    harness.hover_at(egui::pos2(800.0, 500.0));
    harness.run_steps(1);
    harness.event(wheel(vec2(-10_000.0, 0.0)));
    harness.run_steps(30);
    assert!(harness.query_by_label("column table-wide/39").is_some());
    assert!(harness.query_by_label("column table-wide/0").is_none());
}

#[test]
fn units_and_budgets_can_be_set_after_selecting() {
    let bytes = counter("table-later/x");
    let mut host = Host::full("table-later");
    host.overlay.set_view(PaneView::Table);
    host.overlay.select("table-later/x");
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    harness.state_mut().record(9, |_| bytes.add(2048));
    harness.run_steps(10);
    assert_eq!(value_of(&harness, "frame 9"), "16.00 | 2,048");
    let _ = counter("table-later/x").unit(Unit::Bytes).budget(1024.0);
    harness.run_steps(10);
    assert_eq!(value_of(&harness, "frame 9"), "16.00 | 2.00 over budget");
    assert_eq!(value_of(&harness, "column table-later/x"), "KiB");
}

#[test]
fn a_column_keeps_the_width_of_its_widest_number() {
    let gauge = gauge("wide/x");
    let mut host = Host::full("wide");
    host.overlay.set_view(PaneView::Table);
    host.overlay.select("wide/x");
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    let step = |harness: &mut Harness<'_, Host>, value: f64| {
        let next = harness.state().recorder.frames().end;
        harness.state_mut().record(next, |_| gauge.set(value));
        harness.run_steps(8);
        harness.get_by_label("column wide/x").rect().width()
    };
    let narrow = step(&mut harness, 5.0);
    let wide = step(&mut harness, 123_456_789_012.5);
    let number = egui::FontId::monospace(12.0);
    let text = harness.ctx.fonts_mut(|fonts| {
        fonts.layout_no_wrap("123,456,789,012.5".to_owned(), number, egui::Color32::WHITE)
    });
    assert!(
        narrow < text.size().x && wide >= text.size().x + 10.0,
        "{narrow} to {wide} for {}",
        text.size().x
    );
    for value in [1.0, -7e6, 123_456_789.0] {
        assert_eq!(step(&mut harness, value), wide, "it jumps");
    }
}

/// Returns a harness of a small window whose table has this many series.
fn narrow(scope: &'static str, series: usize) -> Harness<'static, Host> {
    let paths: Vec<String> = (0..series)
        .map(|number| format!("{scope}/a-rather-long-name-{number}"))
        .collect();
    let gauges: Vec<_> = paths.iter().map(|path| gauge(path)).collect();
    let mut host = Host::full(scope);
    host.overlay.set_view(PaneView::Table);
    paths.iter().for_each(|path| host.overlay.select(path));
    let mut harness = harness(vec2(800.0, 600.0), host);
    harness.run_steps(2);
    harness.state_mut().record(299, |frame| {
        gauges.iter().for_each(|gauge| gauge.set(frame));
    });
    harness.run_steps(10);
    harness
}

#[test]
fn the_columns_of_a_small_window_are_on_screen_or_counted() {
    let strip = |harness: &Harness<'_, Host>| harness.get_by_label("Spikes").rect();
    let harness = narrow("table-fit", 4);
    for number in 0..4 {
        let column = format!("column table-fit/a-rather-long-name-{number}");
        let column = harness.get_by_label(&column).rect();
        assert!(column.right() <= strip(&harness).left() + 0.5, "{column}");
    }
    assert!(harness.query_by_label("More columns").is_none());
    let mut harness = narrow("table-many", 12);
    let hidden = |harness: &Harness<'_, Host>| {
        let right = strip(harness).left() + 0.5;
        let columns = harness.query_all_by_label_contains("column table-many/");
        12 - columns
            .filter(|column| column.rect().right() <= right)
            .count()
    };
    let first = hidden(&harness);
    assert_eq!(value_of(&harness, "More columns"), format!("+{first}"));
    scroll_sideways(&mut harness, 300.0);
    let later = value_of(&harness, "More columns");
    assert_ne!(later, format!("+{first}"), "it is scrolled to the right");
    // The numbers of frames stay.
    let left = harness.get_by_label("column frame").rect().left();
    let numbers = painted(&harness).into_iter();
    let mut numbers = numbers.filter(|(area, text)| text == "299" && area.left() < left + 92.0);
    assert!(numbers.next().is_some());
    let columns = harness.query_all_by_label_contains("column table-many/");
    let first = columns
        .map(|column| column.rect().left())
        .fold(f32::MAX, f32::min);
    assert!(first >= left + 92.0 - 0.5, "{first} is below them");
}

#[test]
fn names_stay_short_when_a_table_scrolls_sideways() {
    let harness = narrow("table-short", 12);
    let columns = harness.query_all_by_label_contains("column table-short/");
    let widths: Vec<f32> = columns.map(|column| column.rect().width()).collect();
    assert!(widths.len() > 2, "{widths:?}");
    assert!(widths.iter().all(|width| *width < 100.0), "{widths:?}");
}

/// Turns the wheel sideways over a narrow table.
fn scroll_sideways(harness: &mut Harness<'_, Host>, points: f32) {
    let strip = harness.get_by_label("Spikes").rect();
    harness.hover_at(strip.left_center() - vec2(60.0, 0.0));
    harness.run_steps(1);
    harness.event(wheel(vec2(-points, 0.0)));
    harness.run_steps(30);
}

#[test]
fn only_a_cell_in_sight_has_a_tooltip() {
    let mut harness = narrow("table-cell-tip", 12);
    scroll_sideways(&mut harness, 60.0);
    // The first column ends 24 points to the right of the numbers of the frames.
    let numbers = harness.get_by_label("column frame").rect();
    let y = harness.get_by_label("frame 290").rect().center().y;
    for (x, has_tooltip) in [(-40.0, false), (12.0, false), (60.0, true)] {
        harness.hover_at(egui::Pos2::ZERO);
        harness.run_steps(3);
        harness.hover_at(egui::pos2(numbers.right() + x, y));
        harness.run_steps(40);
        let tooltip = harness.query_by_label_contains("in frame 290");
        assert_eq!(tooltip.is_some(), has_tooltip, "at {x}");
    }
}

#[test]
fn the_number_of_hidden_columns_does_not_click_the_head_below_it() {
    let mut harness = narrow("table-more", 12);
    let pos = harness.get_by_label("More columns").rect().center();
    harness.hover_at(pos);
    harness.run_steps(1);
    for pressed in [true, false] {
        harness.event(egui::Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        });
        harness.run_steps(2);
    }
    assert_eq!(value_of(&harness, "column frame"), "sorted descending");
}

#[test]
fn a_column_is_no_wider_than_its_room() {
    let gauge = gauge("table-room/x");
    let mut host = Host::full("table-room");
    host.overlay.set_view(PaneView::Table);
    host.overlay.select("table-room/x");
    let mut harness = harness(vec2(480.0, 400.0), host);
    harness.run_steps(2);
    let value = 987_654_321_012_345.5;
    harness.state_mut().record(99, |_| gauge.set(value));
    harness.run_steps(10);
    let numbers = harness.get_by_label("column frame").rect();
    let room = harness.get_by_label("Spikes").rect().left() - numbers.right();
    scroll_sideways(&mut harness, 10_000.0);
    let column = harness.get_by_label("column table-room/x").rect();
    assert!(column.left() >= numbers.right() - 0.5, "{column}");
    assert!(column.width() <= room + 0.5, "{column} in {room}");
    assert!(room < 190.0, "{room}");
}
