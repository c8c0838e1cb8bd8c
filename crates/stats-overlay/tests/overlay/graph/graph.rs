//! The graph view: legend, cursor, ranges, following and moving.

use egui::{Key, PointerButton, Pos2, Rect, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{Unit, counter, gauge};
use stats_overlay::{Action, FRAME_TIME, PaneView, SavedPane};
use stats_testing::Random;

use crate::host::{Host, click, harness, press, value_of};
use crate::painted::{area_of, has_text, painted, texts};

const SIZE: egui::Vec2 = vec2(1200.0, 800.0);
/// A position inside the graph.
const INSIDE: Pos2 = pos2(800.0, 300.0);

/// Returns a harness with 900 frames of a counter that is 10, except for a spike of 500 in frame
/// 700 and 4 in frame 299, the first frame outside the view.
fn with_spike(path: &'static str) -> Harness<'static, Host> {
    let spiky = counter(path).budget(100.0);
    let mut host = Host::full(path);
    host.overlay.set_search("nothing has this name");
    host.overlay.select(path);
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    harness.state_mut().record(899, |frame| {
        spiky.add(match frame {
            299 => 4,
            700 => 500,
            _ => 10,
        });
    });
    harness.run_steps(10);
    harness
}

#[test]
fn the_legend_shows_the_statistics_of_the_visible_frames() {
    let harness = with_spike("graph-legend/x");
    // Frames 300 to 899 are visible: 599 × 10 and 500. Frame 299 would make 4 the minimum.
    assert_eq!(
        value_of(&harness, "legend graph-legend/x"),
        "now 10 min 10 mean 10.82 max 500 std dev 19.99, right axis"
    );
    assert_eq!(
        value_of(&harness, &format!("legend {FRAME_TIME}")),
        "now 16.00 min 16.00 mean 16.00 max 16.00 std dev 0.00 ms, left axis"
    );
}

#[test]
fn the_cursor_shows_exact_values_of_a_frame() {
    let mut harness = with_spike("graph-cursor/x");
    harness.hover_at(INSIDE);
    harness.run_steps(40);
    assert!(harness.query_by_label("frame time  16 ms").is_some());
    assert!(harness.query_by_label_contains("frame 6").is_some());
    assert!(harness.query_by_label_contains("x  10").is_some());
}

#[test]
fn a_legend_row_can_be_deselected() {
    let mut harness = with_spike("graph-deselect/x");
    click(&mut harness, "Deselect graph-deselect/x");
    assert_eq!(
        harness.state().overlay.selected().collect::<Vec<_>>(),
        [FRAME_TIME]
    );
}

#[test]
fn dragging_stops_following_and_a_double_click_follows_again() {
    let mut harness = with_spike("graph-drag/x");
    assert!(harness.query_by_label("Back to newest").is_none());
    harness.hover_at(INSIDE);
    harness.run_steps(1);
    harness.drag_at(INSIDE);
    harness.run_steps(1);
    harness.hover_at(INSIDE + vec2(250.0, 0.0));
    harness.run_steps(1);
    harness.drop_at(INSIDE + vec2(250.0, 0.0));
    harness.run_steps(10);
    assert!(harness.query_by_label("Back to newest").is_some());
    let moved = value_of(&harness, "legend graph-drag/x");
    assert!(moved.starts_with("last 10 "), "{moved}");
    harness.state_mut().record(1100, |_| {});
    harness.run_steps(10);
    assert_eq!(
        value_of(&harness, "legend graph-drag/x"),
        moved,
        "it still moves with the newest frames"
    );
    for pressed in [true, false, true, false] {
        let modifiers = egui::Modifiers::NONE;
        harness.event(egui::Event::PointerButton {
            pos: INSIDE,
            button: PointerButton::Primary,
            pressed,
            modifiers,
        });
        harness.run_steps(1);
    }
    harness.run_steps(10);
    assert!(harness.query_by_label("Back to newest").is_none());
    assert_ne!(value_of(&harness, "legend graph-drag/x"), moved);
}

#[test]
fn only_the_primary_button_pans_the_graph() {
    let mut harness = with_spike("graph-button/x");
    harness.hover_at(INSIDE);
    harness.run_steps(1);
    let button = |pressed, pos| {
        let modifiers = egui::Modifiers::NONE;
        egui::Event::PointerButton {
            pos,
            button: PointerButton::Secondary,
            pressed,
            modifiers,
        }
    };
    harness.event(button(true, INSIDE));
    harness.run_steps(1);
    harness.hover_at(INSIDE + vec2(250.0, 0.0));
    harness.run_steps(2);
    harness.event(button(false, INSIDE + vec2(250.0, 0.0)));
    harness.run_steps(5);
    assert!(harness.query_by_label("Back to newest").is_none());
}

#[test]
fn the_wheel_zooms_and_keeps_following() {
    let mut harness = with_spike("graph-zoom/x");
    let scroll = |harness: &mut Harness<'_, Host>, y: f32| {
        harness.hover_at(INSIDE);
        harness.run_steps(1);
        harness.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: vec2(0.0, y),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
            modifiers: egui::Modifiers::NONE,
        });
        harness.run_steps(20);
    };
    scroll(&mut harness, 400.0);
    let text = value_of(&harness, "legend graph-zoom/x");
    assert!(
        text.starts_with("at 8")
            && text.ends_with(" 10 min 10 mean 10.00 max 10 std dev 0.00, right axis"),
        "the spike left the view: {text}"
    );
    assert!(harness.query_by_label("Back to newest").is_none());
    scroll(&mut harness, -2000.0);
    assert!(value_of(&harness, "legend graph-zoom/x").contains("min 4 mean 10.54 max 500"));
}

#[test]
fn each_unit_has_an_axis_and_own_ranges_are_marked() {
    let bytes = gauge("graph-ranges/bytes").unit(Unit::Bytes);
    let more = gauge("graph-ranges/more").unit(Unit::Bytes);
    let mut host = Host::full("graph-ranges");
    for path in ["graph-ranges/bytes", "graph-ranges/more"] {
        host.overlay.select(path);
    }
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    harness.state_mut().record(99, |_| {
        bytes.set(5e9);
        more.set(4e3);
    });
    harness.run_steps(10);
    // However small a series is, it has the axis of its unit.
    for (path, axis) in [
        (FRAME_TIME, "ms, left axis"),
        ("graph-ranges/bytes", "GiB, right axis"),
        ("graph-ranges/more", "KiB, right axis"),
    ] {
        let text = value_of(&harness, &format!("legend {path}"));
        assert!(text.ends_with(axis), "{text}");
    }
    assert_eq!(
        value_of(&harness, "right value axis"),
        "GiB: graph-ranges/bytes, graph-ranges/more"
    );
    let own_range = "own range";
    assert!(harness.query_by_label(own_range).is_none());
    click(&mut harness, "Options");
    click(&mut harness, "Own ranges");
    assert!(harness.query_by_label(own_range).is_some());
    assert!(harness.query_by_label("right value axis").is_none());
    assert_eq!(
        value_of(&harness, "value axis"),
        "ms, own scales: frame time"
    );
    assert!(
        painted(&harness)
            .iter()
            .any(|(_, text)| text == "own scales")
    );
    let text = value_of(&harness, "legend graph-ranges/more");
    assert!(text.ends_with("KiB, range 0 – 5 KiB"), "{text}");
    click(&mut harness, "Shared range");
    assert!(harness.query_by_label(own_range).is_none());
    assert!(value_of(&harness, "legend graph-ranges/more").ends_with("KiB"));
}

#[test]
fn pointing_at_a_third_unit_gives_it_the_right_axis() {
    let bytes = gauge("graph-third/bytes").unit(Unit::Bytes);
    let meters = gauge("graph-third/meters").unit(Unit::Meters);
    let mut host = Host::full("graph-third");
    for path in ["graph-third/bytes", "graph-third/meters"] {
        host.overlay.select(path);
    }
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    harness.state_mut().record(99, |_| {
        bytes.set(3e6);
        meters.set(70.0);
    });
    harness.run_steps(10);
    let text = value_of(&harness, "legend graph-third/meters");
    assert!(text.ends_with("m, range 0 – 80 m"), "{text}");
    assert_eq!(
        value_of(&harness, "right value axis"),
        "MiB: graph-third/bytes"
    );
    let row = harness.get_by_label("legend graph-third/meters").rect();
    harness.hover_at(row.left_center() + vec2(60.0, 0.0));
    harness.run_steps(4);
    assert_eq!(
        value_of(&harness, "right value axis"),
        "m: graph-third/meters"
    );
    let text = value_of(&harness, "legend graph-third/bytes");
    assert!(text.ends_with("MiB, range 0 – 3 MiB"), "{text}");
    // It stays while the pointer is in the plot.
    harness.hover_at(INSIDE);
    harness.run_steps(4);
    assert_eq!(
        value_of(&harness, "right value axis"),
        "m: graph-third/meters"
    );
    let numbers = axis_numbers(&harness, "right value axis");
    assert!(numbers.len() > 2, "{numbers:?}");
    assert!(
        numbers.iter().all(|number| number.ends_with(" m")),
        "{numbers:?}"
    );
}

#[test]
fn the_hint_of_an_empty_pane_fits_a_narrow_window() {
    let mut host = Host::full("graph-hint");
    host.overlay.deselect(FRAME_TIME);
    let mut harness = harness(vec2(640.0, 480.0), host);
    harness.run_steps(3);
    let mut seen = 0;
    for (text, clip) in texts(&harness.output().shapes) {
        if text.galley.text().starts_with("Select counters") {
            let area = area_of(text);
            assert!(clip.contains_rect(area), "{area}");
            seen += 1;
        }
    }
    assert_eq!(seen, 1);
}

/// Returns the texts that are painted beside the plot.
fn axis_numbers(harness: &Harness<'_, Host>, axis: &str) -> Vec<String> {
    let axis = harness.get_by_label(axis).rect().expand2(vec2(1.0, 6.0));
    let inside = |(area, _): &(Rect, String)| axis.contains(area.center());
    let found = painted(harness).into_iter().filter(inside);
    found.map(|(_, text)| text).collect()
}

#[test]
fn the_axes_say_what_numbers_without_a_unit_count() {
    let count = gauge("graph-count/count");
    let mut host = Host::full("graph-count");
    host.overlay.select("graph-count/count");
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    harness.state_mut().record(99, |_| count.set(5000));
    harness.run_steps(10);
    assert!(has_text(&harness, "frame"), "below the plot");
    assert!(has_text(&harness, "no unit"), "beside the axis in ms");
    click(&mut harness, "Options");
    click(&mut harness, "Shared range");
    assert!(!has_text(&harness, "no unit") && has_text(&harness, "several units"));
    click(&mut harness, "Own ranges");
    assert!(!has_text(&harness, "several units"));
    // Alone, no other unit is near.
    harness.state_mut().overlay.deselect(FRAME_TIME);
    click(&mut harness, "Auto");
    harness.run_steps(4);
    assert!(!has_text(&harness, "no unit") && !has_text(&harness, "several units"));
}

#[test]
fn each_of_four_panes_of_a_small_window_has_numbers_of_frames() {
    let mut host = Host::full("graph-frames");
    host.overlay
        .show_panes(&[(); 4].map(|()| SavedPane::new([FRAME_TIME])));
    let mut harness = harness(vec2(800.0, 600.0), host);
    harness.run_steps(2);
    harness.state_mut().record(899, |_| {});
    for zoomed in 0..12 {
        harness.run_steps(10);
        for axis in harness.query_all_by_label("value axis") {
            let axis = axis.rect();
            let below = painted(&harness).into_iter().filter(|(area, _)| {
                (axis.bottom()..axis.bottom() + 16.0).contains(&area.center().y)
                    && area.left() > axis.right()
            });
            let texts: Vec<String> = below.map(|(_, text)| text).collect();
            assert!(texts.iter().any(|text| text == "frame"), "{texts:?}");
            let is_number = |text: &String| text.parse::<u64>().is_ok();
            assert!(texts.iter().any(is_number), "{zoomed}: {texts:?}");
        }
        harness.state_mut().overlay.act(Action::ZoomIn);
    }
}

#[test]
fn numbers_of_frames_with_long_times_are_there_and_do_not_overlap() {
    let mut host = Host::full("graph-long-times");
    let mut settings = host.overlay.settings().clone();
    settings.seconds = true;
    host.overlay.set_settings(&settings);
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    for frame in 0..900 {
        let secs = 1e9 + f64::from(frame) * 0.016;
        harness.state_mut().recorder.end_frame_at(secs);
    }
    for zoomed in 0..12 {
        harness.run_steps(10);
        let axis = harness.get_by_label("value axis").rect();
        let mut below: Vec<(Rect, String)> = painted(&harness)
            .into_iter()
            .filter(|(area, text)| {
                (axis.bottom()..axis.bottom() + 16.0).contains(&area.center().y)
                    && text.ends_with(" s")
            })
            .collect();
        assert!(!below.is_empty(), "{zoomed}");
        below.sort_by(|a, b| a.0.left().total_cmp(&b.0.left()));
        let mut pairs = below.windows(2);
        assert!(
            pairs.all(|of| of[0].0.right() < of[1].0.left()),
            "{zoomed}: {below:?}"
        );
        harness.state_mut().overlay.act(Action::ZoomIn);
    }
}

#[test]
fn every_axis_has_numbers_in_its_unit() {
    let scope = "graph-axis";
    let bytes = gauge("graph-axis/bytes").unit(Unit::Bytes);
    let mut host = Host::full(scope);
    host.overlay.select("graph-axis/bytes");
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    harness.state_mut().record(99, |_| bytes.set(3e6));
    harness.run_steps(10);
    assert_eq!(value_of(&harness, "value axis"), "ms: frame time");
    for (axis, unit) in [("value axis", " ms"), ("right value axis", " MiB")] {
        let numbers = axis_numbers(&harness, axis);
        assert!(numbers.len() > 2, "{numbers:?}");
        assert!(
            numbers.iter().all(|number| number.ends_with(unit)),
            "{numbers:?}"
        );
    }
    // Shown alone, the other series has the left axis.
    click(&mut harness, "Solo graph-axis/bytes");
    assert_eq!(value_of(&harness, "value axis"), "MiB: graph-axis/bytes");
    assert!(harness.query_by_label("right value axis").is_none());
}

#[test]
fn one_outlier_does_not_flatten_a_graph_and_has_a_notch_with_its_value() {
    let path = "graph-outlier/x";
    let x = counter(path).unit(Unit::Milliseconds).budget(1000.0);
    let mut host = Host::full("graph-outlier");
    host.overlay.show_panes(&[SavedPane::new([path])]);
    let mut harness = harness(vec2(1280.0, 800.0), host);
    harness.run_steps(2);
    harness.state_mut().record(500, |frame| {
        x.add(if frame == 300 {
            412.0
        } else {
            8.0 + (frame % 5) as f64 * 0.1
        });
    });
    harness.run_steps(10);
    let top = |harness: &Harness<'_, Host>| {
        let numbers = axis_numbers(harness, "value axis");
        let number = |text: &String| text.split(' ').next()?.replace(',', "").parse().ok();
        numbers.iter().filter_map(number).fold(0.0_f64, f64::max)
    };
    let highest = top(&harness);
    assert!((10.0..=20.0).contains(&highest), "{highest}");
    assert_eq!(
        value_of(&harness, "Values beyond the axis"),
        "frame 300 graph-outlier/x 412.00 ms"
    );
    let texts = painted(&harness);
    assert!(
        texts.iter().any(|(_, text)| text == "412.00 ms"),
        "{texts:?}"
    );
    // A logarithmic axis has room for all values.
    press(&mut harness, Key::L);
    harness.run_steps(4);
    assert!(top(&harness) >= 412.0);
    assert!(harness.query_by_label("Values beyond the axis").is_none());
}

#[test]
fn the_legend_has_the_standard_deviation_of_selected_frames() {
    let mut harness = with_spike("graph-deviation/x");
    harness.state_mut().overlay.select_frames(Some(700..702));
    harness.run_steps(10);
    let text = value_of(&harness, "legend graph-deviation/x");
    assert!(text.contains("mean 255 "), "{text}");
    assert!(text.contains("std dev 245"), "{text}");
}

#[test]
fn one_click_switches_to_the_table_and_back() {
    let mut harness = with_spike("graph-switch/x");
    click(&mut harness, "Table");
    assert_eq!(harness.state().overlay.view(), PaneView::Table);
    assert!(harness.query_by_label("frame 899").is_some());
    click(&mut harness, "Graph");
    assert_eq!(harness.state().overlay.view(), PaneView::Graph);
    press(&mut harness, Key::F3);
}

/// Returns the left edges of all texts in the legend, in the order in which they are painted.
fn legend_edges(harness: &Harness<'_, Host>, paths: &[&str]) -> Vec<f32> {
    let rows = paths
        .iter()
        .map(|path| harness.get_by_label(&format!("legend {path}")).rect());
    let area = rows.fold(Rect::NOTHING, |all, row| all | row);
    let texts = painted(harness).into_iter();
    let inside = texts.filter(|(text, _)| area.contains(text.center()));
    inside.map(|(text, _)| text.left()).collect()
}

#[test]
fn no_text_of_the_legend_moves_while_values_keep_their_magnitude() {
    let paths = [
        "graph-still/ms",
        "graph-still/bytes",
        "graph-still/count",
        "graph-still/gold",
    ];
    let gauges = [
        (gauge(paths[0]).unit(Unit::Milliseconds), 2.0, 7.0),
        (
            gauge(paths[1]).unit(Unit::Bytes),
            200.0 * 1024.0,
            700.0 * 1024.0,
        ),
        (gauge(paths[2]), 100.0, 900.0),
        (gauge(paths[3]).unit(Unit::Custom("gold")), -900.0, -100.0),
    ];
    let mut host = Host::full("graph-still");
    paths.iter().for_each(|path| host.overlay.select(path));
    let mut harness = harness(vec2(900.0, 500.0), host);
    harness.run_steps(2);
    let mut random = Random::new(81);
    let mut before = Vec::new();
    for frame in 0..1000 {
        harness.state_mut().record(frame, |_| {
            for (gauge, lo, hi) in &gauges {
                // Whole numbers now and then: they have no fewer decimals.
                let value = lo + (hi - lo) * random.below(1000) as f64 / 1000.0;
                gauge.set(if random.below(3) == 0 {
                    value.round()
                } else {
                    value
                });
            }
        });
        harness.run_steps(1);
        if frame >= 30 {
            let edges = legend_edges(&harness, &paths);
            assert!(edges.len() >= 4 * 5, "{edges:?}");
            assert!(
                before.is_empty() || before == edges,
                "{frame}: {before:?} {edges:?}"
            );
            before = edges;
        }
    }
}

#[test]
fn a_long_legend_says_how_many_rows_follow_and_tab_reaches_all() {
    let paths: Vec<String> = (0..24)
        .map(|at| format!("graph-long/series-{at:02}"))
        .collect();
    let mut host = Host::full("graph-long");
    for path in &paths {
        counter(path).add(1);
        host.overlay.select(path);
    }
    host.overlay.deselect(FRAME_TIME);
    host.overlay.set_search("nothing has this name");
    let mut harness = harness(vec2(900.0, 500.0), host);
    harness.run_steps(2);
    harness.state_mut().record(20, |_| {});
    harness.run_steps(10);
    let is_seen = |harness: &Harness<'_, Host>, path: &str| {
        harness.query_by_label(&format!("legend {path}")).is_some()
    };
    let seen = paths.iter().filter(|path| is_seen(&harness, path)).count();
    let more = format!("+ {} more", paths.len() - seen);
    assert!(harness.query_by_label(&more).is_some(), "{more}");
    assert!(is_seen(&harness, &paths[0]) && !is_seen(&harness, &paths[23]));
    // Page by page, and back to the first.
    for _ in 0..5 {
        click(&mut harness, &more);
        harness.run_steps(40);
        if is_seen(&harness, &paths[23]) {
            break;
        }
    }
    assert!(is_seen(&harness, &paths[23]) && !is_seen(&harness, &paths[0]));
    click(&mut harness, &more);
    harness.run_steps(40);
    assert!(is_seen(&harness, &paths[0]));
    // A series that is added is moved into view.
    counter("graph-long/newest").add(1);
    harness.state_mut().overlay.select("graph-long/newest");
    harness.run_steps(40);
    assert!(is_seen(&harness, "graph-long/newest"));
    // Tab goes from row to row, into rows that were out of sight.
    let first = paths
        .iter()
        .position(|path| is_seen(&harness, path))
        .unwrap();
    assert!(first > 0);
    let solo = |at: usize| format!("Solo {}", paths[at]);
    harness.get_by_label(&solo(first)).focus();
    harness.run_steps(2);
    for _ in 0..3 {
        harness.key_press_modifiers(egui::Modifiers::SHIFT, Key::Tab);
        harness.run_steps(20);
    }
    assert!(
        is_seen(&harness, &paths[first - 1]),
        "focus moves rows into view"
    );
}

#[test]
fn budget_tags_overlap_neither_each_other_nor_numbers() {
    let mut random = Random::new(82);
    let mut labels = 0;
    for round in 0..12 {
        let scope = format!("graph-budgets/{round}");
        let mut host = Host::full("graph-budgets");
        host.overlay.set_search("nothing has this name");
        let series: Vec<(String, f64)> = (0..1 + random.below(7))
            .map(|at| {
                (
                    format!("{scope}/{at}"),
                    (1 + random.below(300)) as f64 / 10.0,
                )
            })
            .collect();
        for (at, (path, budget)) in series.iter().enumerate() {
            let unit = if at % 3 == 2 {
                Unit::Bytes
            } else {
                Unit::Milliseconds
            };
            counter(path).unit(unit).budget(*budget).add(0.0);
            host.overlay.select(path);
        }
        let height = 230.0 + random.below(600) as f32;
        let mut harness = harness(vec2(700.0 + random.below(600) as f32, height), host);
        harness.run_steps(2);
        harness.state_mut().record(60, |_| {
            for (path, _) in &series {
                counter(path).add(random.below(300) as f64 / 10.0);
            }
        });
        harness.run_steps(10);
        let texts = painted(&harness);
        let tags = harness.query_all_by_label_contains("budget ");
        let tags: Vec<Rect> = tags.map(|tag| tag.rect()).collect();
        let is_in_tag = |area: &Rect| tags.iter().any(|tag| tag.contains(area.center()));
        let found = texts.iter().filter(|(_, text)| !text.is_empty());
        let found: Vec<Rect> = found.map(|(area, _)| *area).filter(is_in_tag).collect();
        labels += found.len();
        let axes = ["value axis", "right value axis"];
        let axes = axes.iter().filter_map(|axis| harness.query_by_label(axis));
        let axes: Vec<Rect> = axes.map(|axis| axis.rect()).collect();
        for (at, label) in found.iter().enumerate() {
            let inner = label.shrink(0.5);
            assert!(
                !found[..at].iter().any(|other| other.intersects(inner)),
                "{round}"
            );
            assert!(
                !axes.iter().any(|axis| axis.intersects(inner)),
                "{round}: {axes:?}"
            );
            let others = texts.iter().filter(|(area, _)| area != label);
            let mut others = others.filter(|(_, text)| !text.is_empty());
            let found = others.find(|(area, _)| area.intersects(inner));
            assert_eq!(found, None, "{round}: {label:?}");
        }
    }
    assert!(labels > 20, "{labels}");
}
