//! The settings in the overlay.

use egui::vec2;
use stats_overlay::{Action, SavedState, Settings};

use crate::host::{Host, click, harness};

#[test]
fn a_reset_sets_all_defaults_and_keeps_the_fields_of_newer_versions() {
    let mut host = Host::full("settings-reset");
    let mut saved = host.overlay.saved();
    saved.settings.display_hz = Some(75.0);
    let newer = r#""settings": {"from-a-newer-version": [1, 2],"#;
    let saved = saved.to_string().replace(r#""settings": {"#, newer);
    let saved: SavedState = saved.parse().unwrap();
    host.overlay.restore(&saved);
    let mut harness = harness(vec2(1280.0, 1200.0), host);
    harness.run_steps(2);
    harness.state_mut().overlay.act(Action::ToggleSettings);
    harness.run_steps(3);
    assert_eq!(harness.state().overlay.settings().display_hz, Some(75.0));
    click(&mut harness, "Reset to defaults");
    harness.run_steps(2);
    let overlay = &harness.state().overlay;
    assert_eq!(
        overlay.settings().display_hz,
        Settings::default().display_hz
    );
    let text = overlay.saved().to_string();
    assert!(text.contains("from-a-newer-version"), "{text}");
}
