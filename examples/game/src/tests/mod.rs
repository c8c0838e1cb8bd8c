//! Tests of the game as a whole, without a window.
#[cfg(feature = "enabled")]
mod faults;
#[cfg(feature = "enabled")]
mod fixed_step;
#[cfg(feature = "enabled")]
mod hitches;
mod input;
#[cfg(feature = "memory")]
mod memory;
#[cfg(all(feature = "enabled", feature = "pads"))]
mod pads;
#[cfg(feature = "enabled")]
mod settings;
mod simulation;
#[cfg(feature = "enabled")]
mod tester;

#[cfg(feature = "enabled")]
use std::collections::BTreeMap;
#[cfg(feature = "enabled")]
use std::time::Duration;

#[cfg(feature = "enabled")]
use stats_core::SeriesId;
pub(crate) use stats_testing::alone;

#[cfg(feature = "enabled")]
use crate::game::Game;
#[cfg(feature = "enabled")]
use crate::render::{FrameInput, Renderer};
#[cfg(feature = "enabled")]
use crate::sim::player::Controls;
use crate::sim::{Config, Sim};

/// Returns a small simulation with the autopilot on.
pub(crate) fn small(workers: usize, level: usize) -> Sim {
    let mut sim = Sim::new(Config {
        seed: 42,
        level,
        workers,
        population: 0.06,
        scenery: false,
    });
    sim.autopilot = true;
    sim
}

/// Measures series while `run` runs, as one frame: the sums of per-frame series, and the last
/// values of the others. `<timer>/calls` is the number of calls of a timer.
#[cfg(feature = "enabled")]
pub(crate) fn measured(paths: &[&str], run: impl FnOnce()) -> BTreeMap<String, f64> {
    let mut recorder = stats_core::Recorder::new();
    stats_memory::publish();
    recorder.end_frame();
    let watches: Vec<_> = paths
        .iter()
        .filter_map(|path| Some((path, recorder.watch(series(path)?))))
        .collect();
    run();
    stats_memory::publish();
    recorder.end_frame();
    watches
        .iter()
        .map(|(path, watch)| {
            (
                (**path).to_owned(),
                recorder.history(watch, 1).last().unwrap_or(0.0),
            )
        })
        .collect()
}

#[cfg(feature = "enabled")]
fn series(path: &str) -> Option<SeriesId> {
    let Some(timer) = path.strip_suffix("/calls") else {
        return stats_core::find(path);
    };
    let mut calls = None;
    stats_core::for_each_series(|series| {
        if series.path == timer {
            calls = series.calls;
        }
    });
    calls
}

/// Simulates a frame of the game, and draws it if there is a renderer.
#[cfg(feature = "enabled")]
fn frame(game: &mut Game, renderer: Option<&mut Renderer>) {
    game.simulate(Duration::ZERO, |_| Controls::default(), None);
    let input = egui::RawInput {
        screen_rect: Some(egui::Rect::from_min_size(
            egui::Pos2::ZERO,
            egui::vec2(320.0, 200.0),
        )),
        ..Default::default()
    };
    let mut ui = game.ui(input);
    match renderer {
        Some(renderer) => {
            let input = FrameInput {
                sim: &game.sim,
                camera: &game.camera,
                lead: 0.0,
                ctx: &game.ctx,
                ui,
                picture: None,
            };
            let _ = renderer.draw(input, &[&renderer.canvas().view], false);
        }
        None => ui.textures_delta.clear(),
    }
}
