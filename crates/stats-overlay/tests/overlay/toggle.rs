//! One key cycles hidden → HUD → full.

use egui::{Key, vec2};
use egui_kittest::kittest::Queryable;
use stats_overlay::Mode;

use crate::host::{Host, harness, press};

#[test]
fn one_key_cycles_hidden_hud_full() {
    let mut harness = harness(vec2(1000.0, 700.0), Host::new());
    assert!(harness.query_by_label("Frame rate").is_none());
    press(&mut harness, Key::F3);
    assert_eq!(harness.state().overlay.mode(), Mode::Hud);
    assert!(harness.query_by_label("Frame rate").is_some());
    assert!(!harness.state().overlay.wants_input());
    press(&mut harness, Key::F3);
    assert_eq!(harness.state().overlay.mode(), Mode::Full);
    assert!(harness.state().overlay.wants_input());
    assert!(harness.query_by_label("Search counters").is_some());
    let title = harness.get_by_label("Title").value();
    assert_eq!(title.as_deref(), Some("Stats overlay has the input — F3 to close"));
    press(&mut harness, Key::F3);
    assert_eq!(harness.state().overlay.mode(), Mode::Hidden);
    assert!(harness.query_by_label("Title").is_none());
}
