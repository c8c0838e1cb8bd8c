//! The rows of the list of hitches stay in their places while the pointer or the cursor is there.

use egui::{Event, Key, Pos2, Rect, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use stats_analysis::insight::{Findings, Leak};
use stats_core::Unit;
use stats_overlay::{Mode, PaneView};
use stats_testing::Random;

use crate::host::{Host, harness, press};

const SIZE: Vec2 = vec2(1280.0, 800.0);
const GONE: &str = ", no longer found";

/// Returns levels that grow, each with a slope of its own, so that each has a row.
fn growing(levels: &[u32]) -> Findings {
    let leak = |&level: &u32| {
        let leak = Leak {
            path: format!("level/{level}"),
            series: level,
            per_second: 100.0 * 2f64.powi(level as i32),
            is_slower: false,
            seconds_to_budget: None,
        };
        (leak, Unit::Bytes)
    };
    Findings::new(Vec::new(), levels.iter().map(leak).collect(), Vec::new())
}

fn with_levels(name: &'static str, levels: &[u32]) -> Harness<'static, Host> {
    let mut host = Host::new(name);
    host.overlay.set_mode(Mode::Full);
    host.overlay.set_view(PaneView::Hitches);
    host.overlay.set_hitches(growing(levels));
    let mut harness = harness(SIZE, host);
    harness.state_mut().record(9, |_| {});
    harness.run_steps(3);
    harness
}

/// Returns the listed levels from top to bottom: whether each is gone, and its place.
fn listed(harness: &Harness<'_, Host>) -> Vec<(u32, bool, Rect)> {
    let mut rows: Vec<(u32, bool, Rect)> = (0..8)
        .filter_map(|level| {
            let label = format!("Growing level level/{level}");
            let row = harness.query_by_label(&label)?;
            let value = row.accesskit_node().value().unwrap_or_default();
            Some((level, value.ends_with(GONE), row.rect()))
        })
        .collect();
    rows.sort_by(|a, b| a.2.top().total_cmp(&b.2.top()));
    rows
}

/// Returns a place in the first row.
fn place(harness: &Harness<'_, Host>) -> Pos2 {
    listed(harness)[0].2.center()
}

#[test]
fn rows_under_the_pointer_stay_in_their_places_and_new_ones_wait() {
    let mut harness = with_levels("hitch-rows-pointer", &[3, 1, 5]);
    let before = listed(&harness);
    harness.event(Event::PointerMoved(place(&harness)));
    harness.run_steps(2);
    harness.state_mut().overlay.set_hitches(growing(&[0, 1]));
    harness.run_steps(3);
    let now = listed(&harness);
    assert_eq!(
        now.iter().map(|row| (row.0, row.1)).collect::<Vec<_>>(),
        [(3, true), (1, false), (5, true)]
    );
    assert!(
        now.iter()
            .zip(&before)
            .all(|(now, before)| now.2 == before.2)
    );
    assert!(harness.query_by_label("1 new row").is_some());
    harness.event(Event::PointerGone);
    harness.run_steps(3);
    let rows: Vec<(u32, bool)> = listed(&harness).iter().map(|row| (row.0, row.1)).collect();
    assert_eq!(rows, [(0, false), (1, false)]);
    assert!(harness.query_by_label("1 new row").is_none());
}

#[test]
fn the_selected_row_stays_and_still_opens_its_series() {
    let mut harness = with_levels("hitch-rows-cursor", &[3, 1]);
    press(&mut harness, Key::ArrowDown);
    press(&mut harness, Key::ArrowDown);
    harness.state_mut().overlay.set_hitches(growing(&[4]));
    harness.run_steps(3);
    let rows: Vec<(u32, bool)> = listed(&harness).iter().map(|row| (row.0, row.1)).collect();
    assert_eq!(rows, [(4, false), (1, true)]);
    harness.state_mut().overlay.set_hitches(growing(&[]));
    harness.run_steps(3);
    assert_eq!(listed(&harness).len(), 1, "the last row stays, too");
    press(&mut harness, Key::Enter);
    let overlay = &harness.state().overlay;
    assert!(overlay.selected().any(|path| path == "level/1"));
    // Another row is selected, and it goes.
    harness.state_mut().overlay.set_hitches(growing(&[4]));
    harness.run_steps(3);
    press(&mut harness, Key::ArrowDown);
    let rows: Vec<(u32, bool)> = listed(&harness).iter().map(|row| (row.0, row.1)).collect();
    assert_eq!(rows, [(4, false)]);
}

#[test]
fn whatever_comes_and_goes_no_row_moves_under_the_pointer() {
    let mut random = Random::new(77);
    let mut harness = with_levels("hitch-rows-any", &[0, 1, 2, 3]);
    let inside = place(&harness);
    let mut was_inside = false;
    for step in 0..80 {
        let before = listed(&harness);
        let is_inside = random.below(3) > 0;
        harness.event(if is_inside {
            Event::PointerMoved(inside)
        } else {
            Event::PointerGone
        });
        if !(was_inside && is_inside) {
            // Rows are held from the pass on in which the pointer is there.
            harness.run_steps(2);
        }
        let before = if was_inside && is_inside {
            before
        } else {
            listed(&harness)
        };
        let levels: Vec<u32> = (0..8).filter(|_| random.below(2) == 0).collect();
        harness.state_mut().overlay.set_hitches(growing(&levels));
        harness.run_steps(3);
        let now = listed(&harness);
        if is_inside {
            let places = |rows: &[(u32, bool, Rect)]| {
                rows.iter().map(|row| (row.0, row.2)).collect::<Vec<_>>()
            };
            assert_eq!(places(&now), places(&before), "{step}");
            assert!(
                now.iter().all(|row| row.1 != levels.contains(&row.0)),
                "{step}"
            );
        } else {
            let rows: Vec<u32> = now.iter().map(|row| row.0).collect();
            assert_eq!(rows, levels, "{step}");
        }
        was_inside = is_inside;
    }
}
