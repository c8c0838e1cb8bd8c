//! Each planted fault affects the counters that give it away.
use super::{alone, frame, measured, small};
use crate::args::Args;
use crate::game::Game;
use crate::render::Renderer;
use crate::render::gpu::Gpu;
use crate::sim::faults::Fault;
use crate::sim::player::Controls;

/// Each fault, the series that gives it away, and its minimum over 91 steps with the fault.
const TELLTALES: [(Fault, &str, f64); 4] = [
    (Fault::PathHitch, "paths/failed", 1.0),
    (Fault::GrowingArray, "faults/growing-array", 91.0 * 65_536.0),
    (Fault::WorkerStall, "jobs/stalled/calls", 200.0),
    (Fault::PacketStorm, "network/bursts", 20.0),
];

#[test]
fn every_fault_affects_the_series_that_gives_it_away() {
    let _alone = alone();
    let mut sim = small(2, 0);
    for (fault, path, at_least) in TELLTALES {
        // Run once with the fault, so that the series exists before it is watched.
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

#[test]
fn the_draw_calls_fault_raises_draw_calls_and_a_run_has_at_least_150_series() {
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

/// Returns whether there is no graphics adapter, so that the counters of a renderer cannot be
/// tested.
fn renderer_is_absent() -> bool {
    Gpu::new(None, true).is_err()
}
