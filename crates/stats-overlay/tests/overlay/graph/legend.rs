//! The legend of a graph with little room: whole rows, names that differ, and the range of a series
//! that no axis has.

use egui::{Rect, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{Unit, gauge};
use stats_overlay::{Action, SavedPane};

use crate::host::{Host, harness};
use crate::painted::{area_of, elided, painted, texts};

/// Returns the texts in a rectangle with their places and the parts of them that are visible.
fn texts_in(harness: &Harness<'_, Host>, rect: Rect) -> Vec<(Rect, Rect, String)> {
    let texts = texts(&harness.output().shapes).into_iter();
    let mut all: Vec<_> = texts
        .map(|(text, clip)| {
            let area = area_of(text);
            (area, area.intersect(clip), text.galley.text().to_owned())
        })
        .collect();
    all.retain(|(_, visible, _)| visible.is_positive() && rect.contains(visible.center()));
    all
}

/// Returns a window with four short panes, which all show these series.
fn short_panes<'a>(scope: &'static str, paths: &[String]) -> Harness<'a, Host> {
    let mut host = Host::full(scope);
    let panes = [(); 4].map(|()| SavedPane::new(paths.iter().map(String::as_str)));
    host.overlay.show_panes(&panes);
    let mut harness = harness(vec2(800.0, 600.0), host);
    harness.run_steps(2);
    harness.state_mut().record(99, |_| {});
    harness.run_steps(20);
    harness
}

#[test]
fn the_first_of_several_added_series_is_in_view() {
    let scope = "legend-added";
    let paths: Vec<String> = (0..12).map(|at| format!("{scope}/series-{at}")).collect();
    for path in &paths {
        gauge(path).set(1);
    }
    let mut harness = short_panes(scope, &paths[..2]);
    for path in &paths[2..] {
        harness.state_mut().overlay.select(path);
    }
    harness.run_steps(1);
    harness.state_mut().record(2, |_| {});
    harness.run_steps(8);
    let is_in_view = |at: usize| {
        let label = format!("legend {}", paths[at]);
        harness.query_by_label(&label).is_some()
    };
    assert!(is_in_view(2) && !is_in_view(11));
}

#[test]
fn why_a_series_has_no_numbers_is_not_written_over_its_cross() {
    let scope = "legend-absent";
    let path = format!("{scope}/never");
    let harness = short_panes(scope, std::slice::from_ref(&path));
    let label = format!("Deselect {path}");
    let crosses = harness.query_all_by_label(&label);
    let crosses: Vec<Rect> = crosses.map(|cross| cross.rect()).collect();
    let texts = painted(&harness);
    let absent = texts.iter().filter(|(_, text)| text.starts_with("missing"));
    let absent: Vec<Rect> = absent.map(|(area, _)| *area).collect();
    assert!(!absent.is_empty() && !crosses.is_empty());
    for area in absent {
        let is_over = |cross: &Rect| cross.shrink(1.0).intersects(area);
        assert!(!crosses.iter().any(is_over), "{area:?}");
    }
}

#[test]
fn rows_of_a_legend_with_little_room_are_whole_and_their_names_differ() {
    let scope = "legend-names";
    let paths: Vec<String> = ["levels-of-all-kinds", "memory-of-the-program", "other"]
        .iter()
        .map(|part| format!("{scope}/{part}/resident-and-touched"))
        .collect();
    for path in &paths {
        gauge(path).set(1);
    }
    let harness = short_panes(scope, &paths);
    let label = format!("legend {}", paths[0]);
    let rows: Vec<Rect> = harness
        .query_all_by_label(&label)
        .map(|node| node.rect())
        .collect();
    assert_eq!(rows.len(), 4, "each pane has a legend");
    for first in rows {
        let legend = first
            .with_max_y(first.top() + 200.0)
            .with_min_x(first.left() + 10.0);
        let below = legend.with_max_y(first.top() + 18.0 * 3.0);
        let texts = texts_in(&harness, below);
        for (area, visible, text) in &texts {
            assert!(
                (area.height() - visible.height()).abs() < 1.0,
                "half of {text}"
            );
        }
        let names: Vec<&String> = texts
            .iter()
            .map(|(.., text)| text)
            .filter(|text| text.contains('…'))
            .collect();
        assert!(names.len() >= 2, "{texts:?}");
        for (at, name) in names.iter().enumerate() {
            assert!(!names[..at].contains(name), "{names:?}");
        }
    }
}

#[test]
fn a_series_of_a_third_unit_has_its_range_beside_a_short_graph() {
    let scope = "legend-range";
    let of = |name: &str| format!("{scope}/{name}");
    gauge(&of("size")).unit(Unit::Bytes).set(2048);
    gauge(&of("count")).set(3);
    gauge(&of("far")).unit(Unit::Meters).set(40);
    let paths = [of("size"), of("count"), of("far")];
    let panes = [(); 4].map(|()| SavedPane::new(paths.iter().map(String::as_str)));
    for width in [1920.0, 1280.0] {
        let mut host = Host::full(scope);
        host.overlay.show_panes(&panes);
        let mut harness = harness(vec2(width, 800.0), host);
        harness.run_steps(2);
        harness.state_mut().record(99, |_| {});
        harness.run_steps(20);
        assert_eq!(harness.query_all_by_label("range").count(), 4, "{width}");
        let label = format!("legend {}", paths[2]);
        let far = harness.query_all_by_label(&label);
        let values: Vec<String> = far.map(|node| node.value().unwrap_or_default()).collect();
        assert!(
            values.iter().all(|value| value.ends_with("range 0 – 50 m")),
            "{values:?}"
        );
    }
}

#[test]
fn the_frame_of_the_values_is_written_in_full_above_the_narrowest_column() {
    let scope = "legend-frame";
    let path = format!("{scope}/a-name-that-is-rather-long");
    let count = gauge(&path).unit(Unit::Bytes);
    count.set(1);
    let mut harness = short_panes(scope, &[path]);
    harness.state_mut().record(12_345, |_| {});
    harness.state_mut().overlay.set_paused(true);
    harness.state_mut().overlay.act(Action::StepBackward);
    harness.run_steps(10);
    let heads = painted(&harness).into_iter();
    let heads: Vec<String> = heads
        .map(|(_, text)| text)
        .filter(|text| text.starts_with("at "))
        .collect();
    assert_eq!(heads, ["at 12,345"; 4]);
    let cut = elided(&harness);
    assert!(!cut.contains(&heads[0]), "{cut:?}");
}
