//! The line of the HUD names each planted fault, and nothing without one.
//!
//! A frame lasts a thirtieth of a second, or as long as its work if that is longer. Each piece of
//! work takes a fixed time (`sim/clock.rs`), so a busy machine makes no frame long.
use stats_core::Recorder;
use stats_overlay::{Mode, StatsOverlay};

use super::alone;
use crate::args::Args;
use crate::game::Game;
use crate::overlay::Start;
use crate::render::Renderer;
use crate::render::gpu::Gpu;
use crate::sim::clock;
use crate::sim::faults::Fault;

/// The number of frames in ten seconds.
const TEN_SECONDS: usize = 300;
/// The number of frames before a fault that slows down all frames. If it were on from the start,
/// there would be no usual frames to compare with.
const BEFORE: usize = 120;

/// Each fault, and the parts of the line that the HUD then shows.
const NAMED: [(Fault, &[&str]); 10] = [
    (
        Fault::PathHitch,
        &["paths/a-star, waited for in jobs/main-thread-wait"],
    ),
    (Fault::GrowingArray, &["/s: faults/growing-array, "]),
    (Fault::DrawCalls, &["render/world/record"]),
    (
        Fault::WorkerStall,
        &["jobs/stalled, waited for in jobs/main-thread-wait"],
    ),
    (Fault::PacketStorm, &["network/"]),
    (Fault::OneInAThousand, &["% props/417"]),
    (Fault::SlowLeak, &["/s: level/decals"]),
    (Fault::PeriodicStall, &["% level/autosave"]),
    (
        Fault::LateWorker,
        &["jobs/unpack, waited for in jobs/main-thread-wait"],
    ),
    (Fault::TwoSystems, &["% audio/mix", "% dialogue/parse"]),
];

/// A game, and an overlay with its default settings over it.
struct Play {
    game: Game,
    renderer: Option<Renderer>,
    overlay: StatsOverlay,
    recorder: Recorder,
    ctx: egui::Context,
    now_secs: f64,
    /// The shortest duration of a frame: the period of a display, or 0.
    shortest_secs: f64,
}

impl Play {
    fn new(fault: Option<Fault>) -> Self {
        clock::begin();
        let args = Args {
            smoke: Some(1e4),
            overlay: Some(Start::Hidden),
            workers: 2,
            // A packet storm of few agents slows nothing down.
            population: if fault == Some(Fault::PacketStorm) {
                1.0
            } else {
                0.06
            },
            size: (64, 64),
            ..Args::default()
        };
        let draws = fault == Some(Fault::DrawCalls);
        let gpu = draws.then(|| Gpu::new(None, false).ok()).flatten();
        let mut overlay = StatsOverlay::new();
        overlay.set_mode(Mode::Hud);
        let ctx = egui::Context::default();
        ctx.enable_accesskit();
        Self {
            game: Game::new(&args, draws),
            renderer: gpu
                .map(|(gpu, _)| Renderer::new(gpu, args.size, wgpu::TextureFormat::Rgba8Unorm)),
            overlay,
            recorder: Recorder::new(),
            ctx,
            now_secs: 0.0,
            // The wait for a display hides a short wait for a worker.
            shortest_secs: match fault {
                Some(Fault::PathHitch | Fault::WorkerStall) => 0.0,
                _ => 1.0 / 30.0,
            },
        }
    }

    /// Plays a frame, and returns the line.
    fn frame(&mut self) -> Option<String> {
        let begun = clock::now();
        super::frame(&mut self.game, self.renderer.as_mut());
        let took = (clock::now() - begun).as_secs_f64();
        self.now_secs += took.max(self.shortest_secs);
        self.recorder.end_frame_at(self.now_secs);
        let input = egui::RawInput {
            time: Some(self.now_secs),
            ..Default::default()
        };
        let (overlay, recorder) = (&mut self.overlay, &mut self.recorder);
        let mut output = self
            .ctx
            .run_ui(input, |ui| overlay.show_with(ui.ctx(), recorder));
        output.textures_delta.clear();
        let nodes = output.platform_output.accesskit_update?.nodes;
        let line = nodes.iter().find(|(_, node)| node.label() == Some("Hitch"));
        Some(line?.1.value()?.to_owned())
    }
}

/// Plays ten seconds with a fault, or until a line `is_enough`. Returns the lines in the order in
/// which they were shown.
fn lines(fault: Option<Fault>, is_enough: impl Fn(&str) -> bool) -> Vec<String> {
    let mut play = Play::new(fault);
    let before = match fault {
        Some(Fault::DrawCalls | Fault::WorkerStall | Fault::PacketStorm) => BEFORE,
        _ => 0,
    };
    if fault == Some(Fault::DrawCalls) {
        let east = play.game.sim.stage.level.beacons[9];
        play.game.sim.stage.bodies.place_ship(east);
    }
    let mut lines: Vec<String> = Vec::new();
    for frame in 0..before + TEN_SECONDS {
        if let Some(fault) = fault.filter(|_| frame == before) {
            play.game.sim.faults.set(fault, true);
        }
        if let Some(line) = play.frame()
            && lines.last() != Some(&line)
        {
            lines.push(line);
            if lines.last().is_some_and(|line| is_enough(line)) {
                break;
            }
        }
    }
    if let Some(fault) = fault {
        play.game.sim.faults.set(fault, false);
    }
    lines
}

#[test]
fn the_line_names_each_planted_fault_within_ten_seconds() {
    let _alone = alone();
    for (fault, expected) in NAMED {
        if fault == Fault::DrawCalls && Gpu::new(None, false).is_err() {
            continue;
        }
        let is_named = |line: &str| expected.iter().all(|part| line.contains(part));
        // On a machine that others keep busy, the lines name the system, and rightly so.
        let mut shown = Vec::new();
        let was_named = (0..5).any(|_| {
            shown.extend(lines(Some(fault), is_named));
            shown.last().is_some_and(|line| is_named(line))
        });
        assert!(was_named, "{fault:?}: {shown:#?}");
    }
}

#[test]
fn without_a_fault_there_is_no_line_in_three_minutes() {
    let _alone = alone();
    let mut play = Play::new(None);
    let mut lines = (0..18 * TEN_SECONDS).filter_map(|_| play.frame());
    assert_eq!(lines.next(), None);
}

#[test]
fn every_fault_has_an_expected_line() {
    assert_eq!(NAMED.map(|(fault, _)| fault), Fault::ALL);
}
