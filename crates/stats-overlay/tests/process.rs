//! The tree has the memory of the process once the overlay has been visible. This test has a binary
//! of its own, because any other test would start the sampling thread.
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
fn a_hidden_overlay_starts_no_thread_and_a_visible_one_lists_the_memory_of_the_process() {
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
