//! The game as a host runs it, with a window or without: simulation, camera, display and overlay,
//! one frame at a time.
use std::path::Path;
use std::time::Duration;

use stats_core::{Counter, Gauge, Timer, Unit};

use crate::args::Args;
use crate::camera::Camera;
use crate::events::Events;
use crate::hud;
use crate::input::Command;
use crate::memory::{self, UI};
use crate::overlay::Overlay;
use crate::report;
use crate::sim::player::Controls;
use crate::sim::{Config, STEP, STEPS_PER_SECOND, Sim};

static FRAMES: Counter = Counter::new("frame/count").describe("frames of the game's loop");
/// What the frame takes on the main thread, whatever part of the game does it.
pub(crate) static CPU: Timer = Timer::new("frame/cpu")
    .budget(16.0)
    .describe("what the main thread works on a frame, without waiting for the window; beside it stands gpu/frame");
static SIMULATE: Timer = Timer::new("frame/simulate")
    .budget(16.0)
    .describe("all steps of the frame, camera included");
static PASS: Timer = Timer::new("frame/ui")
    .budget(4.0)
    .describe("the egui pass: display and overlay");
static DROPPED: Counter = Counter::new("frame/dropped-steps")
    .describe("steps given up because the frame was already late");
static LAG: Gauge = Gauge::new("frame/lead")
    .unit(Unit::Milliseconds)
    .describe("time between the last step and the picture");

/// How many frames of a scripted run make a second of its game's time.
pub(crate) const FRAMES_PER_SECOND: u32 = 30;
/// Steps in one frame, at most: beyond it the game slows down rather than freezes.
const MAX_STEPS: u32 = 6;

/// What decides how many steps a frame takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pace {
    /// The wall clock.
    Clock,
    /// The same number every frame, so that a run is the same on every machine.
    Steps(u32),
}

/// What a run that plays itself has to say at its end.
pub(crate) struct Ending {
    pub(crate) text: String,
    /// The groups that went over their budgets, in words; empty where none did.
    pub(crate) over_budget: String,
}

/// One running game.
pub(crate) struct Game {
    pub(crate) sim: Sim,
    pub(crate) camera: Camera,
    pub(crate) overlay: Overlay,
    pub(crate) ctx: egui::Context,
    pub(crate) frames: u64,
    events: Events,
    pace: Pace,
    behind: f32,
}

impl Game {
    pub(crate) fn new(args: &Args, scenery: bool) -> Self {
        let config = Config {
            seed: args.seed,
            level: args.level,
            workers: args.workers,
            population: 1.0,
            scenery,
        };
        // Before anything is loaded, so that the loading shows; the overlay would start it only
        // when it is seen.
        stats_process::start();
        let mut sim = Sim::new(config);
        let scripted = args.is_scripted();
        sim.autopilot = scripted;
        args.faults
            .iter()
            .for_each(|&fault| sim.faults.set(fault, true));
        let _memory = stats_memory::scope!("ui", group: UI);
        let ctx = egui::Context::default();
        ctx.set_theme(if args.light_theme {
            egui::Theme::Light
        } else {
            egui::Theme::Dark
        });
        let mut camera = Camera::new(&sim);
        camera.resize(args.size);
        let pace = if scripted {
            Pace::Steps(STEPS_PER_SECOND / FRAMES_PER_SECOND)
        } else {
            Pace::Clock
        };
        let mut overlay = Overlay::new(args.settings_file());
        if scripted {
            // Its frames have more than one step of the game's time, and may take as long.
            overlay.set_frame_budget(1e3 / f64::from(FRAMES_PER_SECOND));
        }
        args.overlay.iter().for_each(|&view| overlay.set_view(view));
        Self {
            camera,
            overlay,
            sim,
            ctx,
            frames: 0,
            events: Events::default(),
            pace,
            behind: 0.0,
        }
    }

    /// Simulates what this frame is due: after `elapsed`, or a fixed number of steps. Never beyond
    /// `until` steps in all.
    pub(crate) fn simulate(
        &mut self,
        elapsed: Duration,
        controls: impl Fn(&Camera) -> Controls,
        until: Option<u64>,
    ) {
        let (_cpu, _simulate) = (CPU.scope(), SIMULATE.scope());
        FRAMES.increment();
        self.frames += 1;
        for _ in 0..self.due(elapsed) {
            if until.is_some_and(|until| self.sim.steps() >= until) {
                break;
            }
            self.sim.step(controls(&self.camera));
            self.camera.follow(&self.sim);
        }
        LAG.set(self.lead() * 1e3);
        self.sim.report();
        self.camera.report(&self.sim);
    }

    fn due(&mut self, elapsed: Duration) -> u32 {
        if let Pace::Steps(steps) = self.pace {
            return steps;
        }
        self.behind += elapsed.as_secs_f32();
        let due = (self.behind / STEP) as u32;
        self.behind -= due as f32 * STEP;
        DROPPED.add(due.saturating_sub(MAX_STEPS));
        due.min(MAX_STEPS)
    }

    /// Seconds between the last step and the picture.
    pub(crate) const fn lead(&self) -> f32 {
        self.behind
    }

    /// The egui pass of the frame.
    pub(crate) fn ui(&mut self, input: egui::RawInput) -> egui::FullOutput {
        let (_cpu, _pass) = (CPU.scope(), PASS.scope());
        let _memory = stats_memory::scope!("ui", group: UI);
        self.events.tell(&self.sim, &mut self.overlay);
        let (sim, overlay) = (&self.sim, &mut self.overlay);
        self.ctx.run_pass(input, |ctx| {
            hud::paint(ctx, sim);
            overlay.show(ctx);
        })
    }

    /// Does what a key or the wheel asked for; whether to quit.
    pub(crate) fn obey(&mut self, command: Command) -> bool {
        match command {
            Command::NextLevel => self.sim.next_level(),
            Command::Autopilot => self.sim.autopilot = !self.sim.autopilot,
            Command::Fault(fault) => self.sim.faults.toggle(fault),
            Command::Zoom(notches) => self.camera.zoom(notches),
            Command::Quit => return true,
        }
        false
    }

    /// Ends the game: the overlay's settings are saved, and the allocations that live are written
    /// to `dump`.
    pub(crate) fn end(&mut self, dump: Option<&Path>) -> Result<(), String> {
        self.overlay.finish();
        dump.map_or(Ok(()), memory::save_dump)
    }

    /// What a run that plays itself says once it has ended: a line of its own, then what was
    /// measured.
    pub(crate) fn ending(&mut self, wall: Duration) -> Ending {
        Ending {
            text: self.summary(wall),
            over_budget: memory::over_budget(),
        }
    }

    fn summary(&mut self, wall: Duration) -> String {
        let overlay = self
            .overlay
            .median_ms()
            .map_or_else(String::new, |ms| format!("overlay {ms:.2} ms a frame, "));
        format!(
            "smoke: {} frames, {} steps, {:.1} s of game time in {:.1} s, score {}, {} workers, {overlay}simulation {:016x}",
            self.frames,
            self.sim.steps(),
            self.sim.seconds(),
            wall.as_secs_f64(),
            self.sim.score,
            self.sim.workers(),
            self.sim.hash()
        ) + &self.missing()
            + &report::report(self.overlay.recorder(), self.overlay.settings())
            + &memory::report(self.overlay.recorder_mut())
    }

    /// What the overlay's presets name in vain, once a run is long enough for everything to have
    /// happened.
    fn missing(&self) -> String {
        let missing = self.overlay.missing();
        if missing.is_empty() || self.frames < 200 {
            String::new()
        } else {
            format!(", without the series {}", missing.join(", "))
        }
    }
}
