//! Without the feature `enabled`, the overlay draws nothing, records nothing and takes no input.

use egui::{Context, Event, Key, Modifiers, RawInput};
use stats_overlay::{Mode, StatsOverlay};

#[test]
fn a_disabled_overlay_does_nothing() {
    let ctx = Context::default();
    let mut overlay = StatsOverlay::new();
    overlay.set_mode(Mode::Full);
    overlay.select("a/b");
    let key = Event::Key {
        key: Key::F3,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    let input = RawInput {
        events: vec![key],
        ..RawInput::default()
    };
    let mut output = ctx.run_ui(input, |ui| {
        overlay.show(ui.ctx());
        overlay.ui(ui);
        assert!(
            ui.input(|input| input.key_pressed(Key::F3)),
            "the key is left to the host"
        );
    });
    output.textures_delta.clear();
    overlay.end_frame();
    overlay.end_frame();
    assert!(output.shapes.is_empty());
    assert!(!overlay.wants_input());
    assert!(overlay.recorder().frames().is_empty());
}
