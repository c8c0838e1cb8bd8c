//! Every kind of host: each frame counts once, and a hidden overlay costs nothing.

use std::time::Duration;

use egui::{Context, FullOutput, RawInput, Rect, ViewportBuilder, ViewportId, pos2, vec2};
use stats_core::{Recorder, counter, timer};
use stats_overlay::{Mode, StatsOverlay};
use stats_testing::allocations;

use crate::painted::assert_no_clash;

fn input(step: u64) -> RawInput {
    let screen_rect = Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(900.0, 600.0)));
    RawInput {
        screen_rect,
        time: Some(step as f64 / 60.0),
        ..RawInput::default()
    }
}

/// Drops the output without uploading its textures, as a test does.
fn drop_output(mut output: FullOutput) {
    output.textures_delta.clear();
}

/// Returns the number of frames started: the first call starts frame 0, and each further call ends
/// a frame.
fn frames(overlay: &StatsOverlay) -> u64 {
    overlay.recorder().frames().end + 1
}

const MODES: [Mode; 4] = [Mode::Hidden, Mode::Hud, Mode::Watch, Mode::Full];

#[test]
fn showing_the_overlay_several_times_in_a_run_counts_one_frame() {
    for mode in MODES {
        let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
        overlay.set_mode(mode);
        for step in 0..10 {
            drop_output(ctx.run_ui(input(step), |ui| {
                overlay.show(ui.ctx());
                overlay.ui(ui);
            }));
        }
        assert_eq!(frames(&overlay), 10, "{mode:?}");
    }
}

#[test]
fn a_host_that_ends_frames_itself_draws_any_number_of_times_in_a_frame() {
    for mode in MODES {
        let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
        overlay.set_mode(mode);
        let mut step = 0;
        for (frame, draws) in [1, 0, 3, 1, 0, 0, 2].into_iter().enumerate() {
            overlay.end_frame();
            for _ in 0..draws {
                drop_output(ctx.run_ui(input(step), |ui| overlay.show(ui.ctx())));
                step += 1;
            }
            // The first call began frame 0.
            assert_eq!(overlay.recorder().frames().end, frame as u64, "{mode:?}");
        }
        let mut settings = overlay.settings().clone();
        settings.history = 600;
        overlay.set_settings(&settings);
        overlay.end_frame();
        assert_eq!(overlay.recorder().history_capacity(), 600);
    }
}

#[test]
fn discarded_passes_do_not_count() {
    let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
    let mut passes = 0;
    for step in 0..10 {
        drop_output(ctx.run_ui(input(step), |ui| {
            passes += 1;
            overlay.show(ui.ctx());
            if ui.ctx().current_pass_index() == 0 {
                ui.ctx().request_discard("a test");
            }
        }));
    }
    assert_eq!((passes, frames(&overlay)), (20, 10));
}

#[test]
fn a_frame_counts_when_only_its_second_pass_shows_the_overlay() {
    let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
    for step in 0..10 {
        drop_output(
            ctx.run_ui(input(step), |ui| match ui.ctx().current_pass_index() {
                0 => ui.ctx().request_discard("a test"),
                _ => overlay.show(ui.ctx()),
            }),
        );
    }
    assert_eq!(frames(&overlay), 10);
}

#[test]
fn a_manual_pass_is_a_frame() {
    for mode in MODES {
        let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
        overlay.set_mode(mode);
        for step in 0..10 {
            ctx.begin_pass(input(step));
            overlay.show(&ctx);
            overlay.show(&ctx);
            drop_output(ctx.end_pass());
        }
        assert_eq!(frames(&overlay), 10, "{mode:?}");
    }
}

/// Renders immediate viewports on this thread, as a host with windows does.
fn render_viewports_at_once() {
    Context::set_immediate_viewport_renderer(|ctx, mut viewport| {
        let mut input = RawInput {
            viewport_id: viewport.ids.this,
            ..RawInput::default()
        };
        input
            .viewports
            .insert(viewport.ids.this, Default::default());
        let mut output = ctx.run_ui(input, |ui| (viewport.viewport_ui_cb)(ui));
        output.textures_delta.clear();
    });
}

/// Also in a viewport that egui embeds in its root, as in a browser.
#[test]
fn the_overlay_is_drawn_once_in_a_pass_of_a_viewport() {
    let drawn = |mode: Mode, calls: usize, is_embedded: bool| {
        let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
        let mut recorder = Recorder::new();
        (0..30).for_each(|frame| recorder.end_frame_at(f64::from(frame) / 60.0));
        ctx.set_embed_viewports(true);
        overlay.set_mode(mode);
        let mut shapes = 0;
        for step in 0..6 {
            let output = ctx.run_ui(input(step), |ui| {
                (0..calls).for_each(|_| overlay.show_with(ui.ctx(), &mut recorder));
                let id = ViewportId::from_hash_of("second");
                let builder = ViewportBuilder::default();
                ui.ctx().show_viewport_immediate(id, builder, |ui, _| {
                    if is_embedded {
                        overlay.show_with(ui.ctx(), &mut recorder);
                    }
                });
            });
            shapes = output.shapes.len();
            drop_output(output);
        }
        shapes
    };
    for mode in MODES {
        let once = drawn(mode, 1, false);
        assert_eq!(drawn(mode, 3, false), once, "{mode:?}");
        assert_eq!(drawn(mode, 1, true), once, "{mode:?}");
    }
}

#[test]
fn a_second_viewport_does_not_count_again() {
    for root_first in [true, false] {
        let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
        ctx.set_embed_viewports(false);
        render_viewports_at_once();
        for step in 0..10 {
            drop_output(ctx.run_ui(input(step), |ui| {
                if root_first {
                    overlay.show(ui.ctx());
                }
                let id = ViewportId::from_hash_of("second");
                ui.ctx()
                    .show_viewport_immediate(id, ViewportBuilder::default(), |ui, _| {
                        overlay.show(ui.ctx())
                    });
                if !root_first {
                    overlay.show(ui.ctx());
                }
            }));
        }
        let counted = frames(&overlay);
        // The first frame may come from the second viewport, before the root is known to show the
        // overlay.
        assert!(counted == 10 || (!root_first && counted == 11), "{counted}");
    }
}

#[test]
fn recording_continues_when_the_overlay_moves_to_another_viewport() {
    for discards in [false, true] {
        let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
        ctx.set_embed_viewports(false);
        render_viewports_at_once();
        for step in 0..40 {
            drop_output(ctx.run_ui(input(step), |ui| {
                let in_root = !(10..30).contains(&step);
                if discards && in_root && ui.ctx().current_pass_index() == 0 {
                    ui.ctx().request_discard("a test");
                }
                let id = ViewportId::from_hash_of("second");
                ui.ctx()
                    .show_viewport_immediate(id, ViewportBuilder::default(), |ui, _| {
                        if !in_root || step % 3 == 0 {
                            overlay.show(ui.ctx());
                        }
                    });
                if in_root {
                    overlay.show(ui.ctx());
                }
            }));
        }
        let counted = frames(&overlay);
        // A frame is lost before the root is known to have stopped; the first of all may come from
        // the second viewport.
        assert!((39..=41).contains(&counted), "{discards}: {counted}");
    }
}

#[test]
fn recording_continues_in_another_viewport_of_a_host_with_manual_passes() {
    let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
    ctx.set_embed_viewports(false);
    let second = ViewportId::from_hash_of("second");
    for step in 0..30 {
        let mut root = input(step);
        root.viewports.insert(second, Default::default());
        let both = root.viewports.clone();
        ctx.begin_pass(root);
        if step < 10 {
            overlay.show(&ctx);
        }
        ctx.show_viewport_deferred(second, ViewportBuilder::default(), |_, _| {});
        drop_output(ctx.end_pass());
        ctx.begin_pass(RawInput {
            viewport_id: second,
            viewports: both,
            ..input(step)
        });
        overlay.show(&ctx);
        drop_output(ctx.end_pass());
    }
    let counted = frames(&overlay);
    assert!((27..=30).contains(&counted), "{counted}");
}

#[test]
fn the_overlay_never_ends_frames_of_the_hosts_recorder() {
    let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
    let mut recorder = Recorder::new();
    for step in 0..10 {
        drop_output(ctx.run_ui(input(step), |ui| {
            overlay.set_mode(MODES[step as usize % 4]);
            overlay.show_with(ui.ctx(), &mut recorder);
            overlay.ui_with(ui, &mut recorder);
        }));
    }
    assert_eq!(
        (recorder.frames().end, overlay.recorder().frames().end),
        (0, 0)
    );
}

#[test]
fn the_selection_moves_from_the_overlays_recorder_to_the_hosts() {
    let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
    let mut recorder = Recorder::new();
    let _ = counter("hosts-move/x");
    overlay.select("hosts-move/x");
    drop_output(ctx.run_ui(input(0), |ui| overlay.show(ui.ctx())));
    assert_eq!(overlay.recorder().watched(), 1);
    drop_output(ctx.run_ui(input(1), |ui| overlay.show_with(ui.ctx(), &mut recorder)));
    overlay.recorder_mut().end_frame();
    assert_eq!((overlay.recorder().watched(), recorder.watched()), (0, 1));
}

#[test]
fn the_selection_moves_from_one_source_to_another() {
    for forgets in [true, false] {
        let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
        let (mut first, mut second) = (Recorder::new(), Recorder::new());
        let _ = counter("hosts-sources/x");
        overlay.select("hosts-sources/x");
        first.end_frame();
        drop_output(ctx.run_ui(input(0), |ui| overlay.show_with(ui.ctx(), &mut first)));
        assert_eq!(first.watched(), 1);
        if forgets {
            overlay.forget_source();
            second.end_frame();
        }
        // Without `forget_source`, the new source is detected by its lower frame count.
        drop_output(ctx.run_ui(input(1), |ui| overlay.show_with(ui.ctx(), &mut second)));
        first.end_frame();
        assert_eq!((first.watched(), second.watched()), (0, 1));
    }
}

/// As eframe does while its window is covered by another one or minimized.
#[test]
fn the_time_in_which_the_window_is_not_visible_belongs_to_no_frame() {
    for mode in [Mode::Hud, Mode::Watch, Mode::Full] {
        let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
        overlay.set_mode(mode);
        for step in 0..10 {
            drop_output(ctx.run_ui(input(step), |ui| overlay.show(ui.ctx())));
        }
        let before = frames(&overlay);
        for hidden in 1..4 {
            // egui asks for two passes, which are not drawn.
            (0..2).for_each(|_| _ = ctx.run_logic(&input(10), |_| {}));
            drop_output(ctx.run_ui(input(hidden * 6_000), |ui| overlay.show(ui.ctx())));
        }
        assert_eq!(frames(&overlay), before, "{mode:?}");
    }
}

#[test]
fn a_hidden_overlay_draws_nothing_and_requests_no_repaint() {
    let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
    for step in 0..5 {
        let output = ctx.run_ui(input(step), |ui| overlay.show(ui.ctx()));
        let delay = output.viewport_output[&ViewportId::ROOT].repaint_delay;
        // egui itself requests a second frame after the first.
        assert!(
            step < 2 || delay > Duration::from_secs(3600),
            "step {step}: {delay:?}"
        );
        assert!(output.shapes.is_empty());
        drop_output(output);
    }
    overlay.set_mode(Mode::Hud);
    for step in 5..10 {
        let output = ctx.run_ui(input(step), |ui| overlay.show(ui.ctx()));
        assert_eq!(
            output.viewport_output[&ViewportId::ROOT].repaint_delay,
            Duration::ZERO
        );
        drop_output(output);
    }
}

#[test]
fn a_hidden_overlay_does_not_allocate() {
    let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
    let _ = counter("hosts-allocate/x");
    overlay.select("hosts-allocate/x");
    for step in 0..50 {
        drop_output(ctx.run_ui(input(step), |ui| {
            let count = allocations(|| overlay.show(ui.ctx()));
            // Other tests register counters concurrently; each is examined once, also without
            // allocating.
            assert!(step < 5 || count == 0, "step {step}: {count} allocations");
        }));
    }
}

#[test]
fn a_hidden_overlay_looks_for_missing_paths_without_allocating() {
    let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
    for path in ["hosts-missing/x", "hosts-missing/y/calls"] {
        overlay.select(path);
    }
    for step in 0..50 {
        let _ = counter(&format!("hosts-missing/other/{step}"));
        drop_output(ctx.run_ui(input(step), |ui| {
            let count = allocations(|| overlay.show(ui.ctx()));
            assert!(step < 5 || count == 0, "step {step}: {count} allocations");
        }));
    }
    let _ = (counter("hosts-missing/x"), timer("hosts-missing/y"));
    drop_output(ctx.run_ui(input(50), |ui| overlay.show(ui.ctx())));
    assert_eq!(
        overlay.recorder().watched(),
        2,
        "paths registered since are watched"
    );
}

#[test]
fn the_panel_works_far_down_in_a_scroll_area() {
    let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
    for step in 0..5 {
        drop_output(ctx.run_ui(input(step), |ui| {
            let area = egui::ScrollArea::vertical().show(ui, |ui| {
                ui.add_space(2000.0);
                overlay.ui(ui);
            });
            assert_eq!(area.content_size.y, 2600.0);
        }));
    }
}

#[test]
fn the_panel_works_in_an_unbounded_panel() {
    let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
    for step in 0..5 {
        drop_output(ctx.run_ui(input(step), |ui| {
            let area = egui::ScrollArea::vertical().show(ui, |ui| {
                let endless = Rect::from_min_size(ui.cursor().min, vec2(500.0, f32::INFINITY));
                ui.scope_builder(egui::UiBuilder::new().max_rect(endless), |ui| {
                    overlay.ui(ui)
                });
            });
            assert_eq!(area.content_size, vec2(500.0, 600.0));
        }));
    }
}

#[test]
fn the_overlay_can_be_shown_beside_its_own_panel() {
    let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
    overlay.set_mode(Mode::Full);
    for step in 0..5 {
        drop_output(ctx.run_ui(input(step), |ui| {
            egui::CentralPanel::default().show(ui, |ui| overlay.ui(ui));
            overlay.show(ui.ctx());
        }));
    }
    assert_eq!(frames(&overlay), 5);
}

#[test]
fn two_panels_of_one_host_have_distinct_ids() {
    let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
    for step in 0..5 {
        let mut output = ctx.run_ui(input(step), |ui| {
            let half = vec2(900.0, 290.0);
            for _ in 0..2 {
                ui.allocate_ui(half, |ui| {
                    ui.set_min_size(half);
                    overlay.ui(ui);
                });
            }
        });
        output.textures_delta.clear();
        assert_no_clash(&output.shapes, "two overlays in a window");
    }
}
