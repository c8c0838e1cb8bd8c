//! What moved together with a series.

use egui::{Key, Modifiers, vec2};
use egui_kittest::Harness;
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

/// Records a subject that is selected, and a partner that follows it.
fn recorded(scope: &'static str) -> Harness<'static, Host> {
    let subject = gauge(&format!("{scope}/subject"));
    let partner = gauge(&format!("{scope}/partner"));
    let others: Vec<_> = (0..30)
        .map(|at| gauge(&format!("{scope}/noise/{at}")))
        .collect();
    gauge(&format!("{scope}/constant")).set(3);
    let mut host = Host::full(scope);
    host.overlay.select(&format!("{scope}/subject"));
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
    harness
}

#[test]
fn a_key_lists_what_moved_with_the_selected_series_and_a_click_adds_it() {
    let mut harness = recorded("together");
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

#[test]
fn the_menu_of_a_row_lists_what_moved_with_it_under_the_pointer() {
    let mut harness = recorded("together-pointed");
    harness.state_mut().overlay.set_paused(true);
    harness.state_mut().overlay.set_search("partner");
    harness.run_steps(3);
    secondary_click(&mut harness, "together-pointed/partner");
    click(&mut harness, "What moved with it");
    harness.run_steps(40);
    assert_eq!(
        value_of(&harness, "together-pointed/subject"),
        "rank correlation −1.00, 3 frames before"
    );
}

#[test]
fn without_a_search_for_hitches_the_line_names_the_setting() {
    let mut harness = recorded("together-off");
    let mut settings = harness.state().overlay.settings().clone();
    settings.hitches = false;
    harness.state_mut().overlay.set_settings(&settings);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::F);
    harness.run_steps(10);
    assert_eq!(
        value_of(&harness, "Series"),
        "together needs the setting “find the causes of hitches”, which is off"
    );
}
