//! The settings in the overlay.

use egui::vec2;
use egui_kittest::kittest::Queryable;
use stats_overlay::{Action, Settings};

use crate::host::{Host, click, harness};
use crate::painted::elided;

#[test]
fn a_reset_sets_all_defaults() {
    let mut host = Host::full("settings-reset");
    let mut saved = host.overlay.saved();
    saved.settings.display_hz = Some(75.0);
    host.overlay.restore(&saved);
    let mut harness = harness(vec2(1280.0, 1200.0), host);
    harness.run_steps(2);
    harness.state_mut().overlay.act(Action::ToggleSettings);
    harness.run_steps(3);
    assert_eq!(harness.state().overlay.settings().display_hz, Some(75.0));
    click(&mut harness, "Reset to defaults");
    harness.run_steps(2);
    assert_eq!(*harness.state().overlay.settings(), Settings::default());
}

#[test]
fn the_first_steps_of_the_help_are_whole() {
    for size in [
        vec2(800.0, 600.0),
        vec2(1280.0, 800.0),
        vec2(1920.0, 1080.0),
    ] {
        let mut harness = harness(size, Host::full("settings-help"));
        harness.run_steps(2);
        harness.state_mut().overlay.act(Action::ToggleHelp);
        harness.run_steps(4);
        assert!(harness.query_by_label("help one step back").is_some());
        assert_eq!(elided(&harness), [""; 0], "{size}");
    }
}
