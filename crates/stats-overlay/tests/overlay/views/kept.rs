//! What the overlay keeps from pass to pass never differs from what it draws from nothing.

use egui::epaint::{ClippedPrimitive, Primitive, TextureId, Vertex};
use egui::{Context, Event, Pos2, RawInput, Rect, pos2, vec2};
use stats_core::{CounterHandle, MarkEvent, Recorder, Source, counter};
use stats_overlay::{Mode, PaneView, SavedPane, StatsOverlay};
use stats_testing::Random;

const HISTORY: usize = 2000;
const SIZE: egui::Vec2 = vec2(1280.0, 800.0);

/// An overlay in a context of its own, which draws the frames of a shared recorder.
struct Screen {
    ctx: Context,
    overlay: StatsOverlay,
}

impl Screen {
    fn new(mode: Mode, views: [PaneView; 2], paths: &[String]) -> Self {
        let mut overlay = StatsOverlay::with_recorder(Recorder::with_history(1));
        let mut settings = overlay.settings().clone();
        // Its hitches follow from all frames that an overlay has seen.
        (settings.hitches, settings.overlay_budget_ms) = (false, 1000.0);
        overlay.set_settings(&settings);
        let pane = |view, paths: &[String]| {
            let mut pane = SavedPane::new(paths.iter().map(String::as_str));
            pane.view = view;
            pane
        };
        let (first, second) = paths.split_at(paths.len() / 2);
        overlay.show_panes(&[pane(views[0], first), pane(views[1], second)]);
        for path in paths.iter().filter(|path| path.len().is_multiple_of(2)) {
            overlay.pin(path);
        }
        overlay.set_mode(mode);
        let ctx = Context::default();
        Self { ctx, overlay }
    }

    /// Draws a pass. Numbers are refreshed in each.
    fn draw(
        &mut self,
        recorder: &mut Recorder,
        now_secs: f64,
        events: Vec<Event>,
    ) -> Vec<ClippedPrimitive> {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)),
            time: Some(now_secs),
            events,
            ..RawInput::default()
        };
        let Self { ctx, overlay } = self;
        let mut output = ctx.run_ui(input, |ui| overlay.show_with(ui.ctx(), recorder));
        output.textures_delta.clear();
        let shapes = std::mem::take(&mut output.shapes);
        ctx.tessellate(shapes, output.pixels_per_point)
    }
}

/// Returns the corners of everything but the textures of graphs, which have a test of their own.
/// Places in the texture of glyphs differ from context to context.
fn vertices(picture: &[ClippedPrimitive]) -> Vec<(Rect, Vertex)> {
    let meshes = picture
        .iter()
        .filter_map(|clipped| match &clipped.primitive {
            Primitive::Mesh(mesh) if mesh.texture_id == TextureId::default() => {
                Some((clipped.clip_rect, mesh))
            }
            _ => None,
        });
    meshes
        .flat_map(|(clip, mesh)| {
            mesh.indices
                .iter()
                .map(move |&at| (clip, mesh.vertices[at as usize]))
        })
        .collect()
}

fn assert_alike(kept: &[ClippedPrimitive], new: &[ClippedPrimitive], about: &str) {
    let (kept, new) = (vertices(kept), vertices(new));
    assert!(kept.len() > 1000, "{about}: {}", kept.len());
    for (kept, new) in kept.iter().zip(&new) {
        let is_near = kept.1.pos.distance(new.1.pos) < 0.02;
        assert!(
            kept.0 == new.0 && is_near && kept.1.color == new.1.color,
            "{about}: {kept:?}, from nothing {new:?}"
        );
    }
    assert_eq!(kept.len(), new.len(), "{about}");
}

/// Plays frames of a program, and compares an overlay that has drawn for long with a new one.
fn assert_same_as_new(name: &str, mode: Mode, views: [PaneView; 2]) {
    let mut random = Random::new(11);
    let paths: Vec<String> = (0..8)
        .map(|at| format!("kept-{name}/series-{at}"))
        .collect();
    let counters: Vec<CounterHandle> = paths.iter().map(|path| counter(path)).collect();
    let mut recorder = Recorder::with_history(HISTORY);
    let (mut now_ms, mut frame) = (0.0, 0_u64);
    let mut play = |recorder: &mut Recorder, frames: usize| {
        for _ in 0..frames {
            frame += 1;
            for (at, counter) in counters.iter().enumerate() {
                // No higher: decimals depend on how large the values of the past were.
                let spike = if (frame + 7 * at as u64).is_multiple_of(331) {
                    300.0
                } else {
                    0.0
                };
                counter.add(500.0 + (frame * 7919 % (31 + at as u64)) as f64 + spike);
            }
            match frame % 700 {
                100 => recorder.mark("loading", MarkEvent::Begin),
                150 => recorder.mark("loading", MarkEvent::End),
                _ => {}
            }
            now_ms += if frame.is_multiple_of(97) {
                40.0
            } else {
                15.0 + (frame % 5) as f64
            };
            recorder.end_frame_at(now_ms / 1e3);
        }
    };
    let mut old = Screen::new(mode, views, &paths);
    let mut secs = 0.0;
    let mut pass = |screen: &mut Screen, recorder: &mut Recorder, events| {
        secs += 1.0;
        screen.draw(recorder, secs, events)
    };
    for round in 0..6 {
        // Fewer frames than fit, exactly as many, and more.
        play(&mut recorder, 400 + 7 * round);
        for _ in 0..30 {
            play(&mut recorder, random.below(3) as usize);
            let at = pos2(random.below(1280) as f32, random.below(800) as f32);
            pass(&mut old, &mut recorder, vec![Event::PointerMoved(at)]);
        }
        pass(&mut old, &mut recorder, vec![Event::PointerGone]);
        let mut new = Screen::new(mode, views, &paths);
        for _ in 0..12 {
            play(&mut recorder, 1);
            pass(&mut new, &mut recorder, Vec::new());
            pass(&mut old, &mut recorder, Vec::new());
        }
        let (kept, from_nothing) = loop {
            let listed = recorder.generation();
            let kept = pass(&mut old, &mut recorder, Vec::new());
            let from_nothing = pass(&mut new, &mut recorder, Vec::new());
            // Other tests register series at any time, which the tree lists.
            if recorder.generation() == listed {
                break (kept, from_nothing);
            }
        };
        assert_alike(&kept, &from_nothing, &format!("{name} in round {round}"));
    }
}

#[test]
fn a_panel_with_graphs_looks_as_if_drawn_from_scratch() {
    assert_same_as_new("graphs", Mode::Full, [PaneView::Graph; 2]);
}

#[test]
fn a_panel_with_a_table_and_a_distribution_looks_as_if_drawn_from_scratch() {
    let views = [PaneView::Table, PaneView::Distribution];
    assert_same_as_new("tables", Mode::Full, views);
}

#[test]
fn watched_panes_look_as_if_drawn_from_scratch() {
    assert_same_as_new("watched", Mode::Watch, [PaneView::Graph; 2]);
}

#[test]
fn the_hud_looks_as_if_drawn_from_scratch() {
    assert_same_as_new("hud", Mode::Hud, [PaneView::Graph; 2]);
}
