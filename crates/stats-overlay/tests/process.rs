//! The memory of the process comes with the overlay, once it is seen. A binary of its own: any
//! other test would have started it.
#![cfg(all(
    feature = "enabled",
    feature = "process",
    any(target_os = "linux", target_os = "macos", windows)
))]

use egui::{Context, RawInput};
use stats_overlay::{Mode, StatsOverlay};

const RESIDENT: &str = "process/memory-resident";

fn draw(ctx: &Context, overlay: &mut StatsOverlay) {
    ctx.run_ui(RawInput::default(), |ui| overlay.show(ui.ctx()))
        .textures_delta
        .clear();
}

#[test]
fn a_hidden_overlay_starts_nothing_and_one_that_is_seen_has_the_memory_in_its_tree() {
    let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
    (0..5).for_each(|_| draw(&ctx, &mut overlay));
    assert_eq!(stats_core::find(RESIDENT), None);
    overlay.set_mode(Mode::Hud);
    draw(&ctx, &mut overlay);
    let id = stats_core::find(RESIDENT).expect("it is there from the first frame on");
    let watch = overlay.recorder_mut().watch(id);
    overlay.set_mode(Mode::Hidden);
    draw(&ctx, &mut overlay);
    let bytes = overlay
        .recorder()
        .history(&watch, 1)
        .last()
        .expect("a frame ended");
    assert!(bytes > 1e6, "{bytes} bytes");
}
