//! What tooltips and notices may cover, at small and usual sizes and with two pixels per point.

use egui::{Key, Order, Pos2, Rect, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable, by};
use stats_core::{Source, counter, gauge};
use stats_overlay::{Action, Press};

use crate::allocations::fewest_in_a_frame;
use crate::host::{Host, harness_of_any_glyphs, value_of};

const SIZES: [Vec2; 2] = [vec2(640.0, 480.0), vec2(1280.0, 800.0)];

/// Returns an overlay with a tree of 30 described series, some of them selected.
fn with_rows(scope: &'static str, size: Vec2) -> Harness<'static, Host> {
    let mut host = Host::full(scope);
    for at in 0..30 {
        let path = format!("{scope}/a folder/a rather long name of a series {at}");
        let series = counter(&path).budget(12.5).describe(
            "A sentence that describes what is measured, long enough for two lines of text",
        );
        series.add(at);
        if at % 4 == 0 {
            host.overlay.select(&path);
        }
    }
    host.overlay.set_search(scope);
    let mut harness = harness_of_any_glyphs(size, 2.0, host);
    harness.run_steps(2);
    harness.state_mut().record(20, |_| {});
    harness.run_steps(10);
    harness
}

/// Returns the rectangles of all tooltips on screen.
fn tooltips(harness: &Harness<'_, Host>) -> Vec<Rect> {
    harness.ctx.memory(|memory| {
        let layers = memory.areas().visible_layer_ids();
        let tooltips = layers.iter().filter(|layer| layer.order == Order::Tooltip);
        tooltips
            .filter_map(|layer| memory.area_rect(layer.id))
            .collect()
    })
}

/// Moves the pointer somewhere and waits until its tooltip is shown.
fn hover(harness: &mut Harness<'_, Host>, at: Pos2) {
    harness.hover_at(at);
    harness.run_steps(40);
}

#[test]
fn a_part_of_the_title_that_is_cut_off_has_a_tooltip_with_all_of_it() {
    let why =
        &"not connected: no game answers at 127.0.0.1:8766: connection refused. Start the game, \
               and copy the address that it prints. Then the viewer connects, and shows its series."
            .repeat(2);
    for (build, is_cut) in [("release", false), (why, true)] {
        let mut host = Host::full("tooltips-title");
        host.overlay.set_program("the game", build);
        let mut harness = harness_of_any_glyphs(SIZES[1], 1.0, host);
        harness.run_steps(5);
        let place = harness.get_by_label("Build").rect();
        hover(&mut harness, place.center());
        assert_eq!(tooltips(&harness).len(), usize::from(is_cut), "{build}");
        assert_eq!(value_of(&harness, "Build"), build);
        // A long name gives way to it.
        let name = "a program at an address ".repeat(9);
        harness.state_mut().overlay.set_program(&name, build);
        harness.run_steps(5);
        assert_eq!(value_of(&harness, "Build"), build);
        let width = harness.get_by_label("Build").rect().width();
        assert!(
            width >= place.width().min(200.0) - 0.5,
            "{width} of {build}"
        );
    }
}

#[test]
fn a_tooltip_shows_a_path_as_it_is_with_whatever_keys() {
    const PATH: &str = "tooltips-paths/cpu (s)";
    let mut host = Host::full("tooltips-paths");
    counter(PATH).add(1);
    host.overlay.select(PATH);
    let mut settings = host.overlay.settings().clone();
    settings.bindings.unbind(Press::key(Key::S));
    let bound = settings
        .bindings
        .bind(Press::key(Key::F7), Action::ToggleStacked);
    bound.expect("F7 is free");
    host.overlay.set_settings(&settings);
    let mut harness = harness_of_any_glyphs(SIZES[1], 1.0, host);
    harness.run_steps(2);
    harness.state_mut().record(20, |_| {});
    harness.run_steps(10);
    let row = harness.get_by_label(&format!("Solo {PATH}")).rect();
    hover(&mut harness, row.left_center() + vec2(40.0, 0.0));
    let tip = harness.get_by_label_contains("Click to show it alone");
    let text = tip.accesskit_node().value().unwrap_or_default();
    assert_eq!(text.lines().next(), Some(PATH), "{text}");
}

#[test]
fn the_tooltip_of_a_row_covers_neither_the_row_nor_the_pointer_nor_the_search_box() {
    for size in SIZES {
        let mut harness = with_rows("tooltips-rows", size);
        let search = harness.get_by_label("Search counters").rect();
        let rows: Vec<Rect> = harness
            .query_all(by().label_contains("tooltips-rows/"))
            .map(|node| node.rect())
            .filter(|row| row.left() < search.right() && row.height() < 30.0)
            .collect();
        assert!(rows.len() > 10, "{rows:?}");
        let mut shown = 0;
        for row in rows.into_iter().step_by(4) {
            for share in [0.3, 0.6] {
                let at = row.left_center() + vec2(share * row.width(), 0.0);
                // Away from the row first, so that its own tooltip opens.
                harness.hover_at(Pos2::ZERO);
                harness.run_steps(3);
                hover(&mut harness, at);
                for tooltip in tooltips(&harness) {
                    shown += 1;
                    let screen = Rect::from_min_size(Pos2::ZERO, size);
                    assert!(screen.contains_rect(tooltip), "{tooltip} at {size}");
                    assert!(!tooltip.contains(at), "{tooltip} covers {at}");
                    assert!(
                        !tooltip.intersect(row.shrink(1.0)).is_positive(),
                        "{tooltip} covers {row} at {size}"
                    );
                    assert!(
                        !tooltip.intersect(search).is_positive(),
                        "{tooltip} covers the search box at {size}"
                    );
                }
            }
        }
        assert!(shown >= 6, "{shown} tooltips at {size}");
    }
}

#[test]
fn a_notice_keeps_clear_of_the_tree_and_makes_way_for_the_pointer() {
    for size in SIZES {
        let mut harness = with_rows("tooltips-notice", size);
        harness.state_mut().overlay.act(Action::CopyView);
        harness.run_steps(2);
        let rect = |harness: &Harness<'_, Host>| {
            let bounds = harness.get_by_label("Notice").accesskit_node().raw_bounds();
            let bounds = bounds.expect("a notice has a place");
            Rect::from_min_max(
                Pos2::new(bounds.x0 as f32, bounds.y0 as f32),
                Pos2::new(bounds.x1 as f32, bounds.y1 as f32),
            )
        };
        let usual = rect(&harness);
        let search = harness.get_by_label("Search counters").rect();
        assert!(usual.left() > search.right(), "{usual} is over the tree");
        let strip = harness.get_by_label("All frames").rect();
        assert!(
            strip.expand(1.0).contains_rect(usual),
            "{usual} is not on {strip}"
        );
        harness.hover_at(usual.center());
        harness.run_steps(2);
        let moved = rect(&harness);
        assert!(
            !moved.contains(usual.center()),
            "{moved} covers the pointer"
        );
        assert!(!moved.intersect(search).is_positive());
        assert!(value_of(&harness, "Notice").contains("Copied the view"));
    }
}

#[test]
fn tooltips_that_nobody_sees_cost_as_much_with_other_keys_as_with_the_standard_ones() {
    let allocations = |is_bound: bool| {
        let path = "tooltips-allocate/x";
        let mut host = Host::full("tooltips-allocate");
        host.overlay.select(path);
        let value = gauge(path);
        host.record(600, |frame| value.set((frame % 7) as f64));
        if is_bound {
            let mut settings = host.overlay.settings().clone();
            let key = Press::key(Key::F7);
            settings
                .bindings
                .bind(key, Action::ToggleLog)
                .expect("it is free");
            host.overlay.set_settings(&settings);
        }
        let mut frames = 0_u64;
        fewest_in_a_frame(&mut host, vec2(1200.0, 700.0), |host| {
            frames += 1;
            value.set((frames % 7) as f64);
            let last = host.recorder.frames().end - 1;
            let last = host.recorder.frame(last).expect("it was recorded");
            let begun_secs = last.start_secs + last.duration_ms / 1e3;
            host.recorder.end_frame_at(begun_secs + 0.016);
        })
    };
    let bound = allocations(true);
    let standard = allocations(false);
    assert!(bound <= standard, "{bound} and {standard}");
}
