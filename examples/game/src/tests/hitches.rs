//! The line of the HUD and its card name each planted fault, and nothing without one.
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
pub(super) const TEN_SECONDS: usize = 300;
/// The number of frames before a fault that slows down all frames. If it were on from the start,
/// there would be no usual frames to compare with.
const BEFORE: usize = 120;

/// A fault, the parts of the line that the HUD then shows, the parts of its card, and how often or how
/// long it happens, which the card says in the end.
type Named = (
    Fault,
    &'static [&'static str],
    &'static [&'static str],
    &'static str,
);

/// Every fault has a card.
const NAMED: [Named; 10] = [
    (
        Fault::PathHitch,
        &["paths/a-star, waited for in jobs/main-thread-wait"],
        &["% paths/a-star"],
        "",
    ),
    (
        Fault::GrowingArray,
        &["/s: faults/growing-array, "],
        &["/s, ", "% faults/growing-array, of its budget of 16.0 MiB"],
        "over budget",
    ),
    (
        Fault::DrawCalls,
        &["render/world/record"],
        &["% render/world/record"],
        "",
    ),
    (
        Fault::WorkerStall,
        &["jobs/stalled, waited for in jobs/main-thread-wait"],
        &["100 % jobs/stalled"],
        "",
    ),
    (
        Fault::PacketStorm,
        &["network/"],
        &["% network/encode"],
        "2nd time",
    ),
    (
        Fault::OneInAThousand,
        &["% props/417"],
        &["+50.0 ms", "100 % props/417"],
        "2nd time",
    ),
    (
        Fault::SlowLeak,
        &["/s: level/decals"],
        &["/s, ", "% level/decals, of its budget of 1,000"],
        "over budget in ",
    ),
    (
        Fault::PeriodicStall,
        &["% level/autosave"],
        &["+50.0 ms", "100 % level/autosave"],
        "every 60 frames",
    ),
    (
        Fault::LateWorker,
        &["jobs/unpack, waited for in jobs/main-thread-wait"],
        &["+50.0 ms", "100 % jobs/unpack"],
        "2nd time",
    ),
    (
        Fault::TwoSystems,
        &["% audio/mix", "% dialogue/parse"],
        &["+50.0 ms", "56 % audio/mix, 44 % dialogue/parse"],
        "2nd time",
    ),
];

/// A game, and an overlay with its default settings over it.
pub(super) struct Play {
    pub(super) game: Game,
    renderer: Option<Renderer>,
    pub(super) overlay: StatsOverlay,
    recorder: Recorder,
    ctx: egui::Context,
    pub(super) now_secs: f64,
    /// The shortest duration of a frame: the period of a display, or 0.
    shortest_secs: f64,
}

impl Play {
    pub(super) fn new(fault: Option<Fault>) -> Self {
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
            // The wait for a display hides a short wait for a worker, and work that makes no frame longer is
            // no hitch.
            shortest_secs: match fault {
                Some(
                    Fault::PathHitch | Fault::DrawCalls | Fault::WorkerStall | Fault::PacketStorm,
                ) => 0.0,
                _ => 1.0 / 30.0,
            },
        }
    }

    /// Plays a frame, and returns the line and the card.
    pub(super) fn frame(&mut self) -> Option<[String; 2]> {
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
        let value_of = |label| {
            let node = nodes.iter().find(|(_, node)| node.label() == Some(label));
            Some(node?.1.value()?.to_owned())
        };
        Some([value_of("Hitch")?, value_of("Card")?])
    }
}

/// Returns whether a card is about a frame before one.
fn is_before(card: &str, first: usize) -> bool {
    let number = |part: &str| part.strip_prefix("frame ")?.parse::<usize>().ok();
    card.split(", ")
        .filter_map(number)
        .any(|frame| frame < first)
}

/// Plays ten seconds with a fault, or until a line and a card are `enough`. Returns those in the order
/// in which they were shown, without those about frames before the fault.
fn shown(fault: Option<Fault>, is_enough: impl Fn(&[String; 2]) -> bool) -> Vec<[String; 2]> {
    let mut play = Play::new(fault);
    let before = match fault {
        Some(Fault::DrawCalls | Fault::WorkerStall | Fault::PacketStorm) => BEFORE,
        _ => 0,
    };
    if fault == Some(Fault::DrawCalls) {
        let east = play.game.sim.stage.level.beacons[9];
        play.game.sim.stage.bodies.place_ship(east);
    }
    let mut all: Vec<[String; 2]> = Vec::new();
    for frame in 0..before + TEN_SECONDS {
        if let Some(fault) = fault.filter(|_| frame == before) {
            play.game.sim.faults.set(fault, true);
        }
        if let Some(both) = play.frame()
            && !is_before(&both[1], before)
            && all.last() != Some(&both)
        {
            all.push(both);
            if all.last().is_some_and(&is_enough) {
                break;
            }
        }
    }
    if let Some(fault) = fault {
        play.game.sim.faults.set(fault, false);
    }
    all
}

#[test]
fn the_line_and_the_card_name_each_planted_fault_and_nothing_else_within_ten_seconds() {
    let _alone = alone();
    for (fault, of_line, of_card, at_last) in NAMED {
        if fault == Fault::DrawCalls && Gpu::new(None, false).is_err() {
            continue;
        }
        let has = |text: &str, parts: &[&str]| parts.iter().all(|part| text.contains(part));
        let is_named = |[line, card]: &[String; 2]| has(line, of_line) && has(card, of_card);
        let is_last = |both: &[String; 2]| is_named(both) && both[1].contains(at_last);
        let mut all = Vec::new();
        // Which worker takes a job, and when, is up to the system.
        let was_named = (0..5).any(|_| {
            all = shown(Some(fault), is_last);
            all.iter().all(is_named) && all.last().is_some_and(is_last)
        });
        assert!(was_named, "{fault:?}: {all:#?}");
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
    assert_eq!(NAMED.map(|(fault, ..)| fault), Fault::ALL);
}
