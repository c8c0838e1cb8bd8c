//! The tree: rows, selection and live values.

use egui::accesskit::Toggled;
use egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use stats_core::{Unit, counter, gauge, timer};
use stats_overlay::FRAME_TIME;

use crate::host::{Host, click, harness, selected, value_of};

const SIZE: egui::Vec2 = vec2(1000.0, 700.0);

fn toggled(harness: &Harness<'_, Host>, label: &str) -> Option<Toggled> {
    harness.get_by_label(label).accesskit_node().toggled()
}

#[test]
fn the_frame_time_is_selected_from_the_start() {
    let mut harness = harness(SIZE, Host::full("nothing"));
    harness.run_steps(3);
    assert_eq!(toggled(&harness, FRAME_TIME), Some(Toggled::True));
    assert_eq!(selected(&harness), [FRAME_TIME]);
}

#[test]
fn a_click_selects_and_watches_a_row_and_another_click_deselects_it() {
    let _ = counter("tree/click/a");
    let mut harness = harness(SIZE, Host::full("tree/click"));
    harness.state_mut().overlay.set_search("tree/click");
    harness.run_steps(3);
    assert_eq!(harness.state().recorder.watched(), 0);
    click(&mut harness, "tree/click/a");
    assert_eq!(selected(&harness), [FRAME_TIME, "tree/click/a"]);
    assert_eq!(toggled(&harness, "tree/click/a"), Some(Toggled::True));
    assert_eq!(harness.state().recorder.watched(), 1);
    click(&mut harness, "tree/click/a");
    assert_eq!(selected(&harness), [FRAME_TIME]);
    harness.state_mut().record(0, |_| {});
    assert_eq!(
        harness.state().recorder.watched(),
        1,
        "its history goes on for a minute"
    );
}

#[test]
fn a_folder_selects_its_contents_and_has_three_states() {
    for name in ["a", "b", "deep/c"] {
        let _ = counter(&format!("tree/folder/{name}"));
    }
    let _ = timer("tree/folder/d");
    let mut harness = harness(SIZE, Host::full("tree/folder"));
    harness.state_mut().overlay.set_search("tree/folder");
    harness.run_steps(3);
    assert_eq!(toggled(&harness, "tree/folder"), Some(Toggled::False));
    click(&mut harness, "tree/folder/a");
    assert_eq!(toggled(&harness, "tree/folder"), Some(Toggled::Mixed));
    click(&mut harness, "tree/folder");
    assert_eq!(toggled(&harness, "tree/folder"), Some(Toggled::True));
    let expected = [
        FRAME_TIME,
        "tree/folder/a",
        "tree/folder/b",
        "tree/folder/d",
        "tree/folder/deep/c",
    ];
    let mut all = selected(&harness);
    all.sort();
    assert_eq!(
        all, expected,
        "the calls of a timer are not selected with its folder"
    );
    click(&mut harness, "tree/folder");
    assert_eq!(selected(&harness), [FRAME_TIME]);
}

#[test]
fn folders_open_and_close() {
    let _ = counter("tree-fold/inner/a");
    let mut harness = harness(SIZE, Host::full("tree-fold"));
    harness.run_steps(3);
    assert!(
        harness.query_by_label("tree-fold/inner/a").is_some(),
        "small folders begin open"
    );
    click(&mut harness, "Close tree-fold/inner");
    assert!(harness.query_by_label("tree-fold/inner/a").is_none());
    click(&mut harness, "Open tree-fold/inner");
    assert!(harness.query_by_label("tree-fold/inner/a").is_some());
}

#[test]
fn a_path_can_be_series_and_folder() {
    let _ = counter("tree-both/x");
    let _ = counter("tree-both/x/y");
    let _ = timer("tree-both/t");
    let mut harness = harness(SIZE, Host::full("tree-both"));
    harness.state_mut().overlay.set_search("tree-both");
    harness.run_steps(3);
    click(&mut harness, "tree-both/x");
    click(&mut harness, "tree-both/t/calls");
    assert_eq!(
        selected(&harness),
        [FRAME_TIME, "tree-both/x", "tree-both/t/calls"]
    );
    click(&mut harness, "Close tree-both/x");
    assert!(harness.query_by_label("tree-both/x/y").is_none());
}

#[test]
fn rows_show_values_with_units_and_refresh_them() {
    let bytes = counter("tree-values/bytes").unit(Unit::Bytes);
    let camera = gauge("tree-values/camera").unit(Unit::Meters);
    let mut harness = harness(SIZE, Host::full("tree-values"));
    harness.run_steps(3);
    for frame in 0..20 {
        bytes.add(2048.0);
        camera.set(f64::from(frame));
        let next = harness.state().recorder.frames().end;
        harness.state_mut().record(next, |_| {});
        harness.run_steps(1);
    }
    harness.run_steps(8);
    assert_eq!(value_of(&harness, "tree-values/bytes"), "2.00 KiB");
    assert_eq!(value_of(&harness, "tree-values/camera"), "19.00 m");
    assert_eq!(value_of(&harness, FRAME_TIME), "16.00 ms");
}

#[test]
fn a_path_selected_before_it_exists_is_missing_until_it_is_registered() {
    let mut host = Host::full("tree-later");
    host.overlay.select("tree-later/x");
    let mut harness = harness(SIZE, host);
    harness.run_steps(3);
    assert_eq!(value_of(&harness, "tree-later/x"), "missing");
    let later = counter("tree-later/x");
    harness.run_steps(2);
    let next = harness.state().recorder.frames().end;
    harness.state_mut().record(next + 3, |_| later.add(5));
    harness.run_steps(10);
    assert_eq!(value_of(&harness, "tree-later/x"), "5");
    assert_eq!(harness.state().recorder.watched(), 1);
}

#[test]
fn hovering_a_row_shows_details() {
    counter("tree-hover/x")
        .budget(12.0)
        .describe("How many there are");
    let mut harness = harness(SIZE, Host::full("tree-hover"));
    harness.state_mut().overlay.set_search("tree-hover");
    harness.run_steps(3);
    harness.get_by_label("tree-hover/x").hover();
    harness.run_steps(40);
    assert!(harness.query_by_label("How many there are").is_some());
    assert!(harness.query_by_label("budget 12").is_some());
}

#[test]
fn the_calls_of_a_timer_and_a_counter_with_their_path_are_selected_separately() {
    let (work, calls) = (timer("tree-calls/x"), counter("tree-calls/x/calls"));
    let mut harness = harness(SIZE, Host::full("tree-calls"));
    harness.state_mut().overlay.set_search("tree-calls");
    harness.run_steps(3);
    click(&mut harness, "tree-calls/x/calls (timer)");
    assert_eq!(
        selected(&harness),
        [FRAME_TIME, "tree-calls/x/calls (timer)"]
    );
    assert_eq!(
        toggled(&harness, "tree-calls/x/calls"),
        Some(Toggled::False)
    );
    click(&mut harness, "tree-calls/x/calls");
    harness.state_mut().record(3, |_| {
        work.record_ms(1.0);
        calls.add(70);
    });
    harness.run_steps(10);
    assert_eq!(value_of(&harness, "tree-calls/x/calls"), "70");
    assert_eq!(value_of(&harness, "tree-calls/x/calls (timer)"), "1");
}

#[test]
fn a_folder_in_a_search_selects_its_matches() {
    for name in ["apple", "apricot", "banana"] {
        let _ = counter(&format!("tree-found/{name}"));
    }
    let _ = timer("tree-found/ape");
    let mut harness = harness(SIZE, Host::full("tree-found"));
    harness.state_mut().overlay.select("tree-found/banana");
    harness.state_mut().overlay.set_search("tree-found/ap");
    harness.run_steps(3);
    assert_eq!(toggled(&harness, "tree-found"), Some(Toggled::False));
    click(&mut harness, "tree-found");
    assert_eq!(toggled(&harness, "tree-found"), Some(Toggled::True));
    assert_eq!(selected(&harness).len(), 5);
    click(&mut harness, "tree-found");
    assert_eq!(toggled(&harness, "tree-found"), Some(Toggled::False));
    assert_eq!(selected(&harness), [FRAME_TIME, "tree-found/banana"]);
}

#[test]
fn rows_and_cells_add_no_draw_calls() {
    for number in 0..60 {
        let _ = counter(&format!("tree-draws/folder-{}/row-{number}", number / 10));
    }
    let mut host = Host::full("tree-draws");
    for number in 0..8 {
        host.overlay
            .select(&format!("tree-draws/folder-0/row-{number}"));
    }
    let mut harness = harness(egui::vec2(1800.0, 1700.0), host);
    let mut primitives = |search: &str, frames: u64| {
        harness.state_mut().overlay.set_search(search);
        harness
            .state_mut()
            .overlay
            .set_view(stats_overlay::PaneView::Table);
        harness.state_mut().record(frames, |_| {});
        harness.run_steps(10);
        assert!(
            harness
                .query_by_label("tree-draws/folder-3/row-33")
                .is_some()
        );
        assert_eq!(
            harness
                .query_by_label("tree-draws/folder-5/row-59")
                .is_some(),
            frames > 5
        );
        harness
            .ctx
            .tessellate(harness.output().shapes.clone(), 1.0)
            .len()
    };
    let few = primitives("row-33", 4);
    let many = primitives("row-", 80);
    assert!(many <= few + 6, "{few} primitives grew to {many}");
    assert!(many < 40, "{many} primitives");
}

#[test]
fn the_choice_of_the_order_fits_a_host_with_a_wide_font() {
    let work = timer("tree-wide/work");
    let mut harness = harness(SIZE, Host::full("tree-wide"));
    let mut fonts = egui::FontDefinitions::default();
    (fonts.families).insert(egui::FontFamily::Proportional, vec!["Hack".to_owned()]);
    harness.ctx.set_fonts(fonts);
    for frame in 0..120 {
        harness.state_mut().record(frame, |_| work.record_ms(2.0));
        harness.run_steps(1);
    }
    let note = harness.get_by_label("Series").rect();
    let order = harness.get_by_label("sort by cost").rect();
    assert!(order.right() <= note.right() + 8.0, "{order} beside {note}");
    assert!(order.width() > 84.0, "{order}: the font is not wide");
}
