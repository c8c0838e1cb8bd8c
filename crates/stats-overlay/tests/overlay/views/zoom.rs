//! A program that zooms egui, as its users do with Ctrl and plus.

use egui::{Theme, Vec2, vec2};
use egui_kittest::Harness;
use stats_core::gauge;
use stats_overlay::{FRAME_TIME, Mode};

use crate::host::{Host, harness_with_pictures};

const SIZE: Vec2 = vec2(1200.0, 720.0);

fn zoom(harness: &mut Harness<'_, Host>, factor: f32) {
    harness.ctx.set_zoom_factor(factor);
    harness.set_size(SIZE / factor);
    harness.run_steps(12);
}

/// Returns the size and the bytes of a picture after these zoom factors, one after the other.
fn picture(mode: Mode, factors: [f32; 2]) -> ((u32, u32), Vec<u8>) {
    let mut host = Host::new("zoom");
    let level = gauge("zoom/level");
    host.overlay.select("zoom/level");
    host.overlay.pin(FRAME_TIME);
    host.record(299, |frame| level.set((frame % 50) as f64));
    host.overlay.set_mode(mode);
    let mut harness = harness_with_pictures(SIZE, Theme::Dark, host);
    for factor in factors {
        zoom(&mut harness, factor);
    }
    let picture = harness.render().expect("a picture");
    (picture.dimensions(), picture.into_raw())
}

#[test]
fn a_program_that_zooms_while_the_overlay_is_open_sees_what_it_would_have_seen_at_once() {
    for mode in [Mode::Hud, Mode::Watch, Mode::Full] {
        // Both have as many passes: a graph shows all frames only once none has arrived for some passes.
        let at_once = picture(mode, [2.0, 2.0]);
        let zoomed = picture(mode, [1.0, 2.0]);
        assert_eq!(at_once.0, zoomed.0, "{mode:?}");
        assert!(at_once.1 == zoomed.1, "{mode:?}");
    }
}
