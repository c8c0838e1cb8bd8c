//! Every mode and view draws with egui 0.36, in a loop by hand and in a run.

use egui::{Context, Event, Key, Modifiers, RawInput, Rect, pos2, vec2};
use stats_core::{counter, timer};
use stats_overlay::{Mode, PaneView, StatsOverlay};

fn input(events: Vec<Event>) -> RawInput {
    RawInput {
        screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1000.0, 700.0))),
        events,
        ..RawInput::default()
    }
}

fn key(pressed: bool) -> Event {
    Event::Key {
        key: Key::F3,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: Modifiers::NONE,
    }
}

#[test]
fn every_mode_and_view_draws() {
    let ctx = Context::default();
    let mut overlay = StatsOverlay::new();
    overlay.select("check/frames");
    for step in 0..60_u32 {
        counter("check/frames").increment();
        timer("check/time").budget(1.0).record_ms(f64::from(step));
        overlay.set_mode([Mode::Hidden, Mode::Hud, Mode::Full][step as usize / 20]);
        overlay.set_view(if step % 2 == 0 {
            PaneView::Graph
        } else {
            PaneView::Table
        });
        overlay.set_search(if step > 50 { "check" } else { "" });
        overlay.set_paused(step > 55);
        let mut output = ctx.run_ui(input(Vec::new()), |ui| overlay.show(ui.ctx()));
        output.textures_delta.clear();
        let shapes = ctx.tessellate(output.shapes, 1.0);
        // In the very first frame of the full mode egui only measures.
        if step != 40 {
            assert_eq!(
                !shapes.is_empty(),
                overlay.mode() != Mode::Hidden,
                "step {step}"
            );
        }
    }
    // The first call begins frame 0.
    assert_eq!(overlay.recorder().frames().end, 59);
}

#[test]
fn passes_by_hand_are_frames_and_the_key_cycles() {
    let ctx = Context::default();
    let mut overlay = StatsOverlay::new();
    for mode in [Mode::Hud, Mode::Watch, Mode::Full, Mode::Hidden] {
        ctx.begin_pass(input(vec![key(true), key(false)]));
        overlay.show(&ctx);
        ctx.end_pass().textures_delta.clear();
        assert_eq!(overlay.mode(), mode);
    }
    assert_eq!(overlay.recorder().frames().end, 3);
}

#[test]
fn a_program_without_a_monospace_family_has_numbers() {
    let ctx = Context::default();
    let mut fonts = egui::FontDefinitions::default();
    fonts.families.remove(&egui::FontFamily::Monospace);
    ctx.set_fonts(fonts);
    let mut overlay = StatsOverlay::new();
    overlay.set_mode(Mode::Hud);
    for _ in 0..2 {
        let mut output = ctx.run_ui(input(Vec::new()), |ui| overlay.show(ui.ctx()));
        output.textures_delta.clear();
        assert!(!output.shapes.is_empty());
    }
}
