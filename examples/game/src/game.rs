//! One running game, as a host sees it: simulation, camera, HUD and overlay, one frame at a time.
use std::path::Path;
use std::time::Duration;

use stats_core::{Counter, Gauge, Ticks, Timer, Unit};
use stats_overlay::Mode;

use crate::args::{Args, Theme};
use crate::camera::Camera;
use crate::hud;
use crate::input::Command;
use crate::memory::{self, UI};
use crate::overlay::Overlay;
use crate::overlay::marks::Marks;
use crate::report::Report;
use crate::sim::clock;
use crate::sim::player::Controls;
use crate::sim::{Config, STEP, STEPS_PER_SECOND, Sim};

static FRAMES: Counter = Counter::new("frame/count").describe("frames of the game loop");
/// The main thread's work on a frame, in whichever part of the game it happens.
pub(crate) static CPU: Timer = Timer::new("frame/cpu")
    .budget(16.0)
    .describe("work of the main thread, without waiting for the window; compare it with gpu/frame");
static SIMULATE: Timer = Timer::new("frame/simulate")
    .budget(16.0)
    .describe("all simulation steps of the frame, and the camera");
static LOAD: Timer =
    Timer::new("frame/cpu-load").describe("the work that the command line asks for");
static PASS: Timer = Timer::new("frame/ui")
    .budget(4.0)
    .describe("the egui pass: HUD and overlay");
static DROPPED: Counter = Counter::new("frame/dropped-steps")
    .describe("simulation steps skipped because the game cannot keep up");
static LEAD: Gauge = Gauge::new("frame/lead")
    .unit(Unit::Milliseconds)
    .describe("time between the last simulation step and the picture");

/// The number of frames that make up one second of game time in a scripted run.
pub(crate) const FRAMES_PER_SECOND: u32 = 30;
/// The maximum number of simulation steps in one frame. If more are due, the game slows down
/// instead of freezing.
const MAX_STEPS: u32 = 6;

/// How the number of simulation steps in a frame is determined.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Pace {
    /// By the wall clock.
    Clock,
    /// The same number in every frame, so that a run is the same on every machine.
    Steps(u32),
}

/// One running game.
pub(crate) struct Game {
    pub(crate) sim: Sim,
    pub(crate) camera: Camera,
    pub(crate) overlay: Overlay,
    pub(crate) ctx: egui::Context,
    pub(crate) frames: u64,
    marks: Marks,
    /// The clock of the simulation, whose ticks are its steps.
    clock: Ticks,
    pace: Pace,
    /// Seconds of elapsed time that have not been simulated yet.
    behind: f32,
    /// Additional work of each frame.
    load: Option<Duration>,
    /// Whether the player asked to quit, and is asked in return.
    asks_to_quit: bool,
    /// The key that a film shows.
    pub(crate) key: Option<&'static str>,
}

impl Game {
    /// Loads the first level. If `scenery` is set, bakes the textures that only a renderer needs.
    pub(crate) fn new(args: &Args, scenery: bool) -> Self {
        let config = Config {
            seed: args.seed,
            level: args.level,
            workers: args.workers,
            population: args.population,
            scenery,
        };
        // Start sampling before anything is loaded, so that the memory of the process shows the
        // loading. Otherwise the overlay would start it when it is first shown.
        stats_process::start();
        let mut sim = Sim::new(config);
        let scripted = args.is_scripted();
        sim.autopilot = scripted;
        args.faults
            .iter()
            .for_each(|&fault| sim.faults.set(fault, true));
        let _memory = stats_memory::scope!("ui", group: UI);
        let ctx = egui::Context::default();
        ctx.set_theme(match args.theme {
            Theme::Dark => egui::Theme::Dark,
            Theme::Light => egui::Theme::Light,
        });
        let mut camera = Camera::new(&sim);
        camera.resize(args.size);
        let pace = if scripted {
            Pace::Steps(STEPS_PER_SECOND / FRAMES_PER_SECOND)
        } else {
            Pace::Clock
        };
        let mut overlay = Overlay::new(args.settings_file());
        overlay.start_remote(args.remote);
        if scripted {
            // Each frame covers several steps of game time, and may take that long.
            overlay.set_frame_budget(1e3 / f64::from(FRAMES_PER_SECOND));
            overlay.dismiss_first_steps();
        }
        args.overlay
            .iter()
            .for_each(|&start| overlay.set_start(start));
        Self {
            camera,
            overlay,
            sim,
            ctx,
            frames: 0,
            marks: Marks::default(),
            clock: Ticks::new("fixed-step").with_series("sim"),
            pace,
            behind: 0.0,
            load: args.cpu_load,
            asks_to_quit: false,
            key: None,
        }
    }

    /// Simulates the steps that are due after `elapsed`, or a fixed number in a scripted run. Never
    /// simulates more than `until` steps in total.
    pub(crate) fn simulate(
        &mut self,
        elapsed: Duration,
        controls: impl Fn(&Camera) -> Controls,
        until: Option<u64>,
    ) {
        let (_cpu, _simulate) = (CPU.scope(), SIMULATE.scope());
        FRAMES.increment();
        self.frames += 1;
        for _ in 0..self.due_steps(elapsed) {
            if until.is_some_and(|until| self.sim.steps() >= until) {
                break;
            }
            self.clock.begin();
            self.sim.step(controls(&self.camera));
            self.clock.end();
            self.camera.follow(&self.sim);
        }
        if let Some(load) = self.load {
            LOAD.time(|| clock::take(load));
        }
        LEAD.set(self.lead() * 1e3);
        self.sim.publish();
        self.camera.publish(&self.sim);
    }

    fn due_steps(&mut self, elapsed: Duration) -> u32 {
        if let Pace::Steps(steps) = self.pace {
            return steps;
        }
        self.behind += elapsed.as_secs_f32();
        let due = (self.behind / STEP) as u32;
        self.behind -= due as f32 * STEP;
        DROPPED.add(due.saturating_sub(MAX_STEPS));
        due.min(MAX_STEPS)
    }

    /// Returns the seconds between the last simulation step and the picture.
    pub(crate) const fn lead(&self) -> f32 {
        self.behind
    }

    /// Runs the egui pass of the frame: the HUD, then the overlay.
    pub(crate) fn ui(&mut self, input: egui::RawInput) -> egui::FullOutput {
        let (_cpu, _pass) = (CPU.scope(), PASS.scope());
        let _memory = stats_memory::scope!("ui", group: UI);
        self.marks.update(&self.sim, &mut self.overlay);
        let (sim, overlay) = (&self.sim, &mut self.overlay);
        let is_covered = matches!(overlay.mode(), Mode::Watch | Mode::Full);
        let (asks, key) = (self.asks_to_quit, self.key);
        self.ctx.run_pass(input, |ctx| {
            hud::paint(ctx, sim, asks, is_covered);
            key.inspect(|key| hud::paint_key(ctx, key));
            overlay.show(ctx);
        })
    }

    /// Carries out a command of the player. Returns whether to quit: after the player was asked, and
    /// gave the command again.
    pub(crate) fn obey(&mut self, command: Command) -> bool {
        let was_asked = std::mem::take(&mut self.asks_to_quit);
        match command {
            Command::NextLevel => self.sim.next_level(),
            Command::Autopilot => self.sim.autopilot = !self.sim.autopilot,
            Command::Fault(fault) => self.sim.faults.toggle(fault),
            Command::Zoom(notches) => self.camera.zoom(notches),
            Command::Quit if was_asked => return true,
            Command::Quit => self.asks_to_quit = true,
            Command::Hitch => self.overlay.go_to_hitch(),
            Command::Moment => self.overlay.mark_moment(),
        }
        false
    }

    /// Ends the game: saves the overlay's settings, and writes the live allocations to `dump`.
    pub(crate) fn end(&mut self, dump: Option<&Path>) -> Result<(), String> {
        self.overlay.finish();
        dump.map_or(Ok(()), memory::save_dump)
    }

    /// Returns the report of a scripted run that took `wall` of real time.
    pub(crate) fn report(&mut self, wall: Duration) -> Report {
        Report::new(&self.sim, &mut self.overlay, self.frames, wall)
    }
}
