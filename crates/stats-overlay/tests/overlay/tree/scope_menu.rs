//! The menu of a scope's row: its callees, its callers and its self time.

use egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{counter, timer};

use crate::host::{Host, click, harness, secondary_click};

const OFFERS: [&str; 3] = [
    "Show callees",
    "Show callers",
    "Add self and total to the pane",
];

/// Registers scopes as a profiler names them. Returns a harness that shows all of them.
fn scopes(folder: &'static str) -> Harness<'static, Host> {
    for thread in ["main", "worker"] {
        for path in [
            "update",
            "update/solve-it",
            "update/solve-it/inner-part",
            "draw/solve-it",
        ] {
            let path = format!(
                "{folder}/{thread}/{folder}-{}",
                path.replace('/', &format!("/{folder}-"))
            );
            let _ = timer(&path);
            let _ = counter(&format!("{path}/self"));
        }
    }
    let _ = counter(&format!("{folder}/plain"));
    let _ = timer(&format!("{folder}/timer"));
    let mut harness = harness(vec2(1400.0, 900.0), Host::full(folder));
    harness.run_steps(3);
    harness
}

fn is_shown(harness: &Harness<'_, Host>, path: &str) -> bool {
    harness.query_by_label(path).is_some()
}

#[test]
fn callees_are_all_series_below_a_scope() {
    let mut harness = scopes("callees");
    secondary_click(&mut harness, "callees/main/callees-update");
    click(&mut harness, "Show callees");
    harness.run_steps(2);
    assert!(is_shown(
        &harness,
        "callees/main/callees-update/callees-solve-it"
    ));
    assert!(is_shown(
        &harness,
        "callees/main/callees-update/callees-solve-it/callees-inner-part/self"
    ));
    for other in [
        "callees/worker/callees-update/callees-solve-it",
        "callees/main/callees-draw/callees-solve-it",
    ] {
        assert!(!is_shown(&harness, other), "{other}");
    }
}

#[test]
fn callers_are_all_paths_to_a_scope() {
    let mut harness = scopes("callers");
    secondary_click(&mut harness, "callers/main/callers-update/callers-solve-it");
    click(&mut harness, "Show callers");
    harness.run_steps(2);
    for thread in ["main", "worker"] {
        for caller in ["update", "draw"] {
            assert!(is_shown(
                &harness,
                &format!("callers/{thread}/callers-{caller}/callers-solve-it")
            ));
        }
        assert!(!is_shown(
            &harness,
            &format!("callers/{thread}/callers-update/self")
        ));
    }
}

#[test]
fn self_and_total_are_selected_together() {
    let mut harness = scopes("both");
    secondary_click(&mut harness, "both/main/both-update");
    click(&mut harness, "Add self and total to the pane");
    let selected: Vec<_> = harness.state().overlay.selected().collect();
    assert!(
        selected.ends_with(&["both/main/both-update", "both/main/both-update/self"]),
        "{selected:?}"
    );
    // Repeating it changes nothing.
    secondary_click(&mut harness, "both/main/both-update");
    click(&mut harness, "Add self and total to the pane");
    assert_eq!(harness.state().overlay.selected().count(), 3);
}

#[test]
fn other_series_have_no_scope_menu() {
    let mut harness = scopes("noscope");
    for label in ["noscope/plain", "noscope/main/noscope-update/self"] {
        secondary_click(&mut harness, label);
        assert!(is_shown(&harness, "Copy path"));
        assert!(
            OFFERS.iter().all(|offer| !is_shown(&harness, offer)),
            "{label}"
        );
        click(&mut harness, "Copy path");
    }
    // Every timer has a self time, so it is a scope.
    secondary_click(&mut harness, "noscope/timer");
    assert!(OFFERS.iter().all(|offer| is_shown(&harness, offer)));
    click(&mut harness, "Copy path");
    secondary_click(&mut harness, "noscope/main/noscope-update");
    assert!(OFFERS.iter().all(|offer| is_shown(&harness, offer)));
}
