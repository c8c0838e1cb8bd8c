//! The game as a whole, without a window: equal runs, honest counters, and faults that can be
//! found.
#[cfg(feature = "memory")]
mod memory;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::args::Args;
use crate::game::Game;
use crate::input::{Command, Input};
use crate::overlay::{Overlay, View};
use crate::render::gpu::Gpu;
use crate::render::{Renderer, Shot};
use crate::sim::faults::Fault;
use crate::sim::player::Controls;
use crate::sim::{Config, Sim};

/// Counters are the process's, so runs that read them go one after the other.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

fn small(workers: usize, level: usize) -> Sim {
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

#[test]
fn the_same_seed_gives_the_same_run_with_any_number_of_workers() {
    let _alone = alone();
    let run = |workers| {
        let mut sim = small(workers, 0);
        let mut hashes = Vec::new();
        for step in 0..600 {
            if step == 400 {
                sim.next_level();
            }
            sim.step(Controls::default());
            hashes.push(sim.hash());
        }
        hashes
    };
    let (one, four) = (run(1), run(4));
    assert!(
        one == four,
        "first difference at step {:?}",
        one.iter().zip(&four).position(|(a, b)| a != b)
    );
}

#[test]
fn another_seed_gives_another_run() {
    let _alone = alone();
    let hash = |seed| {
        let mut sim = Sim::new(Config {
            seed,
            level: 0,
            workers: 2,
            population: 0.03,
            scenery: false,
        });
        sim.step(Controls::default());
        sim.hash()
    };
    assert_ne!(hash(1), hash(2));
}

#[test]
fn the_ship_obeys_its_controls() {
    let _alone = alone();
    let mut sim = small(1, 0);
    sim.autopilot = false;
    let before = sim.stage.bodies.ship().at;
    for _ in 0..30 {
        sim.step(Controls {
            thrust: crate::sim::Vec2::X,
            aim: before,
            fire: true,
            nova: false,
        });
    }
    assert!(sim.stage.bodies.ship().at.x > before.x + 0.5);
    assert!(!sim.stage.shots.as_slice().is_empty());
}

/// The values of some series over some steps: what per-frame series added up to, and the last value
/// of the others.
#[cfg(feature = "enabled")]
fn measured(paths: &[&str], run: impl FnOnce()) -> BTreeMap<String, f64> {
    let mut recorder = stats_core::Recorder::new();
    stats_memory::publish();
    recorder.end_frame();
    let watches: Vec<_> = paths
        .iter()
        .filter_map(|path| Some((path, recorder.watch(stats_core::find(path)?))))
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
const TELLTALES: [(Fault, &str, f64); 4] = [
    (Fault::PathHitch, "paths/failed", 1.0),
    (Fault::GrowingArray, "faults/growing-array", 91.0 * 65_536.0),
    (Fault::WorkerStall, "jobs/stalled", 600.0),
    (Fault::PacketStorm, "network/bursts", 20.0),
];

#[cfg(feature = "enabled")]
#[test]
fn every_fault_moves_its_telltale_counter() {
    let _alone = alone();
    let mut sim = small(2, 0);
    for (fault, path, at_least) in TELLTALES {
        // Touched once, so that the series exists before it is watched.
        sim.faults.set(fault, true);
        (0..91).for_each(|_| sim.step(Controls::default()));
        sim.faults.set(fault, false);
        let calm = measured(&[path], || {
            (0..91).for_each(|_| sim.step(Controls::default()))
        });
        sim.faults.set(fault, true);
        let faulty = measured(&[path], || {
            (0..91).for_each(|_| sim.step(Controls::default()))
        });
        sim.faults.set(fault, false);
        assert!(
            faulty[path] >= at_least && faulty[path] > calm[path] * 2.0,
            "{path}: {calm:?} then {faulty:?}"
        );
    }
}

/// A frame of the game, drawn where it can be.
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
            let shot = Shot {
                sim: &game.sim,
                camera: &game.camera,
                lead: 0.0,
                ctx: &game.ctx,
                ui,
            };
            renderer.draw(shot, &[&renderer.canvas().view], false);
        }
        None => ui.textures_delta.clear(),
    }
}

#[cfg(feature = "enabled")]
#[test]
fn drawing_one_by_one_moves_the_draw_calls_and_a_run_has_its_hundred_and_fifty_series() {
    let _alone = alone();
    let args = Args {
        smoke: Some(1.0),
        size: (320, 200),
        workers: 2,
        ..Args::default()
    };
    let mut game = Game::new(&args, true);
    let mut renderer = Gpu::new(None, true)
        .ok()
        .map(|(gpu, _)| Renderer::new(gpu, args.size, wgpu::TextureFormat::Rgba8Unorm));
    let mut frame = |game: &mut Game| frame(game, renderer.as_mut());
    (0..3).for_each(|_| frame(&mut game));
    let mut listed = 0;
    stats_core::for_each_series(|_| listed += 1);
    let problems: Vec<String> = stats_core::problems()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(problems.is_empty(), "{problems:?}");
    if renderer_is_absent() {
        return;
    }
    assert!(listed >= 150, "{listed} series");
    game.sim
        .stage
        .bodies
        .place_ship(game.sim.stage.level.beacons[9]);
    let series = ["render/draw-calls", "render/instances"];
    let calm = measured(&series, || frame(&mut game));
    game.sim.faults.set(Fault::DrawCalls, true);
    let faulty = measured(&series, || frame(&mut game));
    assert!(
        faulty[series[0]] > calm[series[0]] * 5.0,
        "{calm:?} then {faulty:?}"
    );
}

#[cfg(feature = "enabled")]
#[test]
fn a_click_reaches_the_game_under_the_hud_and_not_under_the_full_overlay() {
    use winit::event::{DeviceId, ElementState, MouseButton, WindowEvent};
    let _alone = alone();
    let mut game = Game::new(
        &Args {
            headless: true,
            ..Args::default()
        },
        false,
    );
    let mut input = Input::default();
    let click = |game: &mut Game, input: &mut Input, state| {
        let event = WindowEvent::MouseInput {
            device_id: DeviceId::dummy(),
            state,
            button: MouseButton::Left,
        };
        assert_eq!(input.take(&event, &mut game.overlay), None);
        input.controls(&game.camera).fire
    };
    for (view, reaches) in [
        (View::Hidden, true),
        (View::Hud, true),
        (View::Graph, false),
        (View::Table, false),
    ] {
        game.overlay.set_view(view);
        assert_eq!(
            click(&mut game, &mut input, ElementState::Pressed),
            reaches,
            "{view:?}"
        );
        assert!(
            !click(&mut game, &mut input, ElementState::Released),
            "{view:?}"
        );
    }
    game.overlay.set_view(View::Hud);
    assert!(click(&mut game, &mut input, ElementState::Pressed));
    game.overlay.set_view(View::Graph);
    assert!(
        !click(&mut game, &mut input, ElementState::Released),
        "what the game saw go down it sees come up"
    );
}

#[test]
fn moving_the_mouse_aims_and_the_wheel_zooms() {
    use winit::event::{DeviceId, MouseScrollDelta, TouchPhase, WindowEvent};
    let _alone = alone();
    let mut game = Game::new(
        &Args {
            headless: true,
            ..Args::default()
        },
        false,
    );
    let mut input = Input::default();
    let before = input.controls(&game.camera).aim;
    let device_id = DeviceId::dummy();
    let moved = WindowEvent::CursorMoved {
        device_id,
        position: (640.0, 400.0).into(),
    };
    assert_eq!(input.take(&moved, &mut game.overlay), None);
    assert!(input.controls(&game.camera).aim.x > before.x);
    let delta = MouseScrollDelta::LineDelta(0.0, 2.0);
    let wheel = WindowEvent::MouseWheel {
        device_id,
        delta,
        phase: TouchPhase::Moved,
    };
    assert_eq!(
        input.take(&wheel, &mut game.overlay),
        Some(Command::Zoom(2.0))
    );
}

/// A folder of a test's own, empty.
#[cfg(feature = "enabled")]
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("hollow-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[cfg(feature = "enabled")]
#[test]
fn what_was_changed_is_there_again_in_the_next_run() {
    let folder = folder("settings");
    let file = folder.join("new").join("overlay.json");
    let mut first = Overlay::new(Some(file.clone()));
    first.finish();
    assert!(!file.exists(), "nothing was changed, so nothing is written");
    first.set_pinned("sim/fight", true);
    first.show_preset("AI");
    first.finish();
    let restored = stats_overlay::SavedState::load(&file)
        .expect("it was just written")
        .expect("it was written");
    assert_eq!(
        restored.pinned.last().map(String::as_str),
        Some("sim/fight")
    );
    let second = Overlay::new(Some(file));
    assert_eq!(second.saved(), first.saved());
    assert_ne!(second.saved(), Overlay::new(None).saved());
    let _ = std::fs::remove_dir_all(folder);
}

#[cfg(feature = "enabled")]
#[test]
fn a_damaged_file_is_left_alone_until_there_is_something_to_save_and_then_kept_beside() {
    let folder = folder("damaged");
    let file = folder.join("overlay.json");
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    std::fs::write(&file, "{ \"version\": 1, \"pinned\": ").expect("a file");
    let mut overlay = Overlay::new(Some(file.clone()));
    assert_eq!(
        overlay.saved(),
        Overlay::new(None).saved(),
        "the defaults hold"
    );
    overlay.set_pinned("sim/fight", true);
    overlay.finish();
    let beside = std::fs::read_to_string(folder.join("overlay.damaged.json")).expect("it is kept");
    assert!(beside.ends_with("\"pinned\": "), "{beside}");
    assert_eq!(Overlay::new(Some(file)).saved(), overlay.saved());
    let _ = std::fs::remove_dir_all(folder);
}

/// Where there is no graphics adapter, what only a renderer counts cannot be tested.
#[cfg(feature = "enabled")]
fn renderer_is_absent() -> bool {
    Gpu::new(None, true).is_err()
}
