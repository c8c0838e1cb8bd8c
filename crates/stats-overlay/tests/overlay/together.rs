//! What moved together with a series.

use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable;
use stats_core::gauge;

use crate::host::{Host, click, harness, secondary_click, value_of};

/// The next of numbers that look random.
fn noise(state: &mut u64) -> f64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1);
    (*state >> 40) as f64
}

#[test]
fn a_key_lists_what_moved_with_the_selected_series_and_a_click_adds_it() {
    let scope = "together";
    let subject = gauge("together/subject");
    let partner = gauge("together/partner");
    let others: Vec<_> = (0..30)
        .map(|at| gauge(&format!("together/noise/{at}")))
        .collect();
    gauge("together/constant").set(3);
    let mut host = Host::full(scope);
    host.overlay.select("together/subject");
    let mut harness = harness(vec2(1280.0, 800.0), host);
    harness.run_steps(3);
    let (mut state, mut past) = (1, vec![0.0; 4]);
    for frame in 0..130 {
        harness.state_mut().record(frame, |_| {
            past.insert(0, noise(&mut state));
            subject.set(past[0]);
            partner.set(-past[3]);
            others.iter().for_each(|other| other.set(noise(&mut state)));
        });
        harness.run_steps(1);
    }
    harness.key_press_modifiers(Modifiers::SHIFT, Key::F);
    harness.run_steps(40);
    let note = value_of(&harness, "Series");
    assert!(
        note.starts_with("1 of ") && note.ends_with("; few are no proof"),
        "{note}"
    );
    assert_eq!(
        value_of(&harness, "together/partner"),
        "rank correlation −1.00, 3 frames later"
    );
    // The row is selected like any other.
    click(&mut harness, "together/partner");
    harness.run_steps(3);
    assert!(harness.query_by_label("Solo together/partner").is_some());
    // The menu of a row asks for another one.
    harness.state_mut().overlay.set_search("constant");
    harness.run_steps(3);
    secondary_click(&mut harness, "together/constant");
    click(&mut harness, "What moved with it");
    harness.run_steps(10);
    assert_eq!(
        value_of(&harness, "Series"),
        "it does not change in these frames"
    );
}
