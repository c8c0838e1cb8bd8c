//! The whole simulation, and its step.
use std::time::Duration;

use stats_core::{Counter, Gauge, Timer, Unit};

use super::clock::charge;
use super::faults::Faults;
use super::jobs::Pool;
use super::level::{LEVELS, MENU};
use super::map::cell_of;
use super::particles::{Burst, Cause};
use super::player::{Controls, Player};
use super::rng::mix;
use super::stage::Stage;
use super::{STEP, Vec2};
use crate::memory::SIMULATION;

static STEPPING: Timer = Timer::new("sim/step")
    .budget(12.0)
    .describe("all simulation steps of the frame");
static STEPS: Counter = Counter::new("sim/steps")
    .budget(2.0)
    .describe("simulation steps");
static TIME: Gauge = Gauge::new("sim/time")
    .unit(Unit::Seconds)
    .describe("game time");
static SCORE: Gauge = Gauge::new("game/score").describe("points");
static POINTS: Counter = Counter::new("game/points").describe("points scored in the frame");
static FIGHT: Timer = Timer::new("sim/fight").describe("shots, bites and deaths");
static SPAWNING: Timer =
    Timer::new("sim/spawn").describe("waves, new motes, and the glow of hives and beacons");
static PUBLISH: Timer = Timer::new("sim/publish").describe("the cost of setting gauges");

/// The virtual time of the work in a step that has no charge of its own, for tests.
const STEP_TIME: Duration = Duration::from_micros(1_500);
/// Steps after which the other level is loaded automatically.
const LEVEL_STEPS: u64 = 75 * 60;
/// Steps between two snapshots in the history of a level.
const HISTORY_STEPS: u64 = 30;

/// The configuration of a simulation. Equal configurations give equal runs; `workers` and `scenery`
/// do not affect a run.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) seed: u64,
    pub(crate) level: usize,
    pub(crate) workers: usize,
    /// The share of the agents and bodies of the full game. Tests use less than 1.
    pub(crate) population: f32,
    /// Whether to bake the textures that only a renderer needs.
    pub(crate) scenery: bool,
}

/// The simulation.
pub(crate) struct Sim {
    pub(crate) stage: Stage,
    pub(crate) player: Player,
    pub(crate) faults: Faults,
    pub(crate) score: u64,
    pub(crate) autopilot: bool,
    /// Increases with every level that is loaded, so that a renderer knows when to load textures.
    pub(crate) stage_number: u64,
    config: Config,
    pool: Pool,
    step: u64,
    stage_began: u64,
}

impl Sim {
    pub(crate) fn new(config: Config) -> Self {
        let _memory = stats_memory::scope!("simulation", group: SIMULATION);
        let pool = Pool::new(config.workers);
        Self {
            stage: Stage::load(config.level, &config, &pool),
            player: Player::new(),
            faults: Faults::default(),
            score: 0,
            autopilot: false,
            stage_number: 0,
            config,
            pool,
            step: 0,
            stage_began: 0,
        }
    }

    /// Returns the number of steps simulated so far.
    pub(crate) const fn steps(&self) -> u64 {
        self.step
    }

    /// Game time in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.step as f64 / f64::from(super::STEPS_PER_SECOND)
    }

    pub(crate) const fn workers(&self) -> usize {
        self.pool.workers()
    }

    /// Replaces the level with the next one.
    pub(crate) fn next_level(&mut self) {
        self.load(self.next_index());
    }

    /// Replaces the level with another one or the menu.
    pub(crate) fn load(&mut self, index: usize) {
        let _memory = stats_memory::scope!("simulation", group: SIMULATION);
        self.replace_level(index);
    }

    /// Returns the index of the level after this one; of the first, in the menu.
    const fn next_index(&self) -> usize {
        if self.stage.level.index == MENU {
            0
        } else {
            (self.stage.level.index + 1) % LEVELS
        }
    }

    fn replace_level(&mut self, index: usize) {
        // The new level is loaded before the old one is dropped, as a game that streams levels
        // would do.
        self.stage = Stage::load(index, &self.config, &self.pool);
        self.stage_number += 1;
        self.stage_began = self.step;
    }

    /// Simulates one step.
    pub(crate) fn step(&mut self, controls: Controls) {
        let _scope = stats_memory::scope!(STEPPING, group: SIMULATION);
        STEPS.increment();
        charge(1, STEP_TIME);
        self.plant_faults();
        let stage = &mut self.stage;
        stage
            .gates
            .step(&mut stage.level, &mut stage.bodies, self.step as f32 * STEP);
        stage.sort();
        let controls = if self.autopilot { self.fly() } else { controls };
        self.steer(controls);
        self.stage.move_agents(self.step, &self.pool);
        FIGHT.time(|| self.fight());
        let burst = SPAWNING.time(|| self.stage.spawn_due(self.step));
        self.stage.bodies.step();
        self.stage.particles.step(&self.pool);
        let stage = &mut self.stage;
        stage.network.step(
            self.step,
            &stage.agents,
            usize::from(burst).max(self.faults.storms(self.step)),
        );
        if self.step.is_multiple_of(HISTORY_STEPS) {
            stage
                .level
                .remember(stage.agents.iter().map(|agent| agent.at));
        }
        self.step += 1;
        if self.step - self.stage_began >= LEVEL_STEPS {
            self.replace_level(self.next_index());
        }
    }

    fn plant_faults(&mut self) {
        self.faults.step(self.step);
        self.pool.stall_one(self.faults.stall());
        self.pool.delay_one(self.faults.late(self.step));
        if self.faults.floods(self.step) {
            let stage = &mut self.stage;
            stage.paths.flood(cell_of(stage.level.landing));
        }
    }

    /// Returns the autopilot's controls. Moves the pilot out of the stage meanwhile, because it
    /// borrows the stage.
    fn fly(&mut self) -> Controls {
        let mut pilot = std::mem::take(&mut self.stage.pilot);
        let controls = pilot.fly(self.step, &mut self.stage);
        self.stage.pilot = pilot;
        controls
    }

    fn steer(&mut self, controls: Controls) {
        let stage = &mut self.stage;
        let home = stage.level.landing;
        if self.player.obey(
            controls,
            &mut stage.bodies,
            &mut stage.shots,
            &mut stage.particles,
            home,
        ) {
            stage.nova();
        }
    }

    fn fight(&mut self) {
        let _memory = stats_memory::scope!("fight");
        let damage = self.stage.fight(self.player.is_alive());
        if self.player.hurt(damage) {
            let at = self.stage.bodies.ship().at;
            let blast = Burst {
                cause: Cause::Blast,
                count: 400,
                at,
                velocity: Vec2::ZERO,
                spread: 12.0,
                color: [2.4, 1.6, 0.8],
                size: 0.2,
                life: 1.6,
            };
            self.stage.particles.burst(blast);
            self.score = self.score.saturating_sub(250);
        }
        let points = self.stage.reap(self.step);
        POINTS.add(points);
        self.score += points;
    }

    /// Sets the gauges of all systems at the end of a frame.
    pub(crate) fn publish(&mut self) {
        let _scope = stats_memory::scope!(PUBLISH, group: SIMULATION);
        TIME.set(self.seconds());
        SCORE.set(self.score);
        self.stage.level.publish();
        self.stage.level.map.publish();
        self.stage.bodies.publish();
        self.player.publish(&self.stage.bodies);
    }

    /// Returns a digest of the state. Equal runs have equal digests.
    pub(crate) fn hash(&self) -> u64 {
        let mut hash = mix(self.step) ^ mix(self.score.wrapping_add(1));
        let mut take = |word: u64| hash = mix(hash ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let bits = |at: Vec2| u64::from(at.x.to_bits()) << 32 | u64::from(at.y.to_bits());
        for agent in self.stage.agents.iter() {
            take(bits(agent.at));
            take(bits(agent.velocity) ^ agent.health as u64);
        }
        for shot in self.stage.shots.as_slice() {
            take(bits(shot.at));
        }
        for prop in self.stage.bodies.props() {
            let pose = self.stage.bodies.prop_pose(prop);
            take(bits(pose.at) ^ u64::from(pose.angle.to_bits()));
        }
        take(bits(self.stage.bodies.ship().at) ^ u64::from(self.player.hull.to_bits()));
        take(self.stage.rng.state());
        take(self.stage.level.index as u64);
        hash
    }
}
