//! The settings in the overlay.

use egui::vec2;
use stats_overlay::{Action, Settings};

use crate::host::{Host, click, harness};

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
