//! A stage: one loaded level and everything in it. It is created when the level is loaded and
//! dropped when the level is unloaded.
use std::sync::Arc;

use stats_core::{Counter, Gauge, UpDownCounter};

use super::agents::{Agent, Kind, Roster};
use super::bodies::Bodies;
use super::flock::Surroundings;
use super::gates::Gates;
use super::grid::Grid;
use super::jobs::Pool;
use super::level::Level;
use super::network::Network;
use super::particles::{Burst, Cause, Particles};
use super::paths::PathService;
use super::pilot::{PILOT, Pilot};
use super::player::NOVA_RADIUS;
use super::projectiles::{Hive, Projectiles, Shot, Targets};
use super::rng::Rng;
use super::squads::{CARRIER_SQUADS, Squads};
use super::{Config, Vec2};
use crate::memory::AI;

static WAVES: Counter = Counter::new("hives/waves").describe("waves sent out by hives");
static HIVES: UpDownCounter =
    UpDownCounter::new("hives/alive").describe("hives that are not destroyed");
static HIVES_LOST: Counter = Counter::new("hives/destroyed").describe("hives destroyed");
static BITES: Counter =
    Counter::new("agents/hunter/bites").describe("times that a hunter bit the ship");
static REAPED: Gauge =
    Gauge::new("agents/last-reaped").describe("agents that died in the last step that had deaths");

const HIVE_HEALTH: i32 = 45;
/// The side of a cell of the grids, in meters.
const CELL: f32 = 2.0;

/// One level and its inhabitants.
pub(crate) struct Stage {
    pub(crate) level: Level,
    pub(crate) agents: Arc<Vec<Agent>>,
    pub(crate) grid: Arc<Grid>,
    pub(crate) roster: Roster,
    pub(crate) hives: Vec<Hive>,
    pub(crate) squads: Squads,
    pub(crate) paths: PathService,
    pub(crate) bodies: Bodies,
    pub(crate) gates: Gates,
    pub(crate) shots: Projectiles,
    pub(crate) particles: Particles,
    pub(crate) network: Network,
    pub(crate) pilot: Pilot,
    pub(crate) rng: Rng,
    props: Arc<Vec<(Vec2, f32)>>,
    prop_grid: Arc<Grid>,
    population: f32,
    wave: usize,
}

impl Stage {
    /// Loads a level and populates it.
    pub(super) fn load(index: usize, config: &Config, pool: &Pool) -> Self {
        let level = Level::load(index, config.seed, pool, config.scenery);
        let mut rng = Rng::stream(config.seed, 200 + index as u64);
        let hives: Vec<Hive> = level
            .hives
            .iter()
            .map(|&at| Hive {
                at,
                health: HIVE_HEALTH,
                flash: 0,
                back_at: 0,
            })
            .collect();
        HIVES.add(hives.len());
        let mut stage = Self {
            agents: Arc::default(),
            grid: Arc::default(),
            roster: Roster::new(),
            squads: Squads::new(hives.len()),
            hives,
            paths: PathService::default(),
            bodies: Bodies::new(&level, &mut rng, (260.0 * config.population) as usize),
            gates: Gates::new(&level),
            shots: Projectiles::default(),
            particles: Particles::new(config.seed),
            network: Network::new(config.seed),
            pilot: Pilot::default(),
            rng,
            props: Arc::default(),
            prop_grid: Arc::default(),
            population: config.population,
            wave: 0,
            level,
        };
        stage.paths.rename(stage.level.tag());
        stage.sort();
        stage.populate();
        stage
    }

    /// Returns the number of agents of a kind that the level should have.
    fn target_count(&self, kind: Kind) -> usize {
        let full = match kind {
            Kind::Mote => self.level.motes,
            Kind::Hunter => 340.0,
            Kind::Spitter => 70.0,
            Kind::Carrier => 160.0,
        };
        (full * self.population) as usize
    }

    fn populate(&mut self) {
        let _name = stats_memory::alloc_name!("agents");
        for _ in 0..self.target_count(Kind::Mote) {
            self.spawn_mote();
        }
        for index in 0..self.target_count(Kind::Carrier) {
            let at = self.level.beacons[index % CARRIER_SQUADS % self.level.beacons.len()];
            self.spawn(Kind::Carrier, at, 3.0, self.squads.of_carriers(index));
        }
    }

    fn spawn_mote(&mut self) {
        // Squared, so that most motes are at the beacons in the east.
        let beacons = self.level.beacons.len();
        let beacon = ((1.0 - self.rng.unit().powi(2)) * beacons as f32) as usize % beacons;
        self.spawn(Kind::Mote, self.level.beacons[beacon], 5.5, beacon as u16);
    }

    /// Adds an agent near a point, on open floor. Adds none if it finds no room.
    fn spawn(&mut self, kind: Kind, near: Vec2, spread: f32, squad: u16) {
        for _ in 0..6 {
            let at = near + self.rng.in_disc(spread);
            if self.level.map.is_open_at(at) {
                let agent = Agent::new(kind, at, squad, self.rng.next() as u32);
                Arc::make_mut(&mut self.agents).push(agent);
                return self.roster.born(kind);
            }
        }
    }

    /// Sorts agents and bodies into the grids, for the neighbor searches of this step.
    pub(super) fn sort(&mut self) {
        let _memory = stats_memory::scope!("grid");
        let size = self.level.map.size();
        // The workers have dropped their copies of these by now, so their memory is reused.
        reusable(&mut self.grid).refill(size, CELL, self.agents.iter().map(|agent| agent.at));
        let props = reusable(&mut self.props);
        props.clear();
        props.extend(
            self.bodies
                .props()
                .iter()
                .map(|prop| (self.bodies.prop_pose(prop).at, prop.radius)),
        );
        reusable(&mut self.prop_grid).refill(size, CELL, self.props.iter().map(|prop| prop.0));
    }

    /// Answers path requests and moves all agents.
    pub(super) fn move_agents(&mut self, step: u64, pool: &Pool) {
        let _memory = stats_memory::scope!("agents", group: AI);
        let player = self.bodies.ship().at;
        self.squads.update(
            step,
            &self.agents,
            &self.level.map,
            &self.level.beacons,
            player,
            &mut self.paths,
        );
        for (requester, path) in self.paths.serve(step, &self.level.map, pool) {
            if requester == PILOT {
                self.pilot.take(path);
            } else {
                self.squads.take(requester, path);
            }
        }
        let surroundings = Surroundings {
            agents: Arc::clone(&self.agents),
            grid: Arc::clone(&self.grid),
            bodies: Arc::clone(&self.props),
            body_grid: Arc::clone(&self.prop_grid),
            map: Arc::clone(&self.level.map),
            beacons: Arc::clone(&self.level.beacons),
            paths: self.squads.paths(),
            player,
            step,
        };
        self.agents = Arc::new(super::flock::step(surroundings, pool));
    }

    /// Moves shots, and lets hunters bite and spitters spit. Returns the damage to the ship.
    pub(super) fn fight(&mut self, ship_alive: bool) -> f32 {
        let ship = self.bodies.ship().at;
        let agents = Arc::make_mut(&mut self.agents);
        let mut targets = Targets {
            map: &self.level.map,
            agents,
            grid: &self.grid,
            bodies: &mut self.bodies,
            props: &self.props,
            prop_grid: &self.prop_grid,
            hives: &mut self.hives,
            ship: ship_alive.then_some(ship),
            particles: &mut self.particles,
        };
        let mut damage = self.shots.step(&mut targets) as f32 * 4.0;
        if ship_alive {
            damage += self.attack(ship);
        }
        damage
    }

    fn attack(&mut self, ship: Vec2) -> f32 {
        let mut damage = 0.0;
        let agents = Arc::make_mut(&mut self.agents);
        for index in self.grid.near(ship, 9.0) {
            let agent = &mut agents[index];
            let distance = agent.at.distance(ship);
            if agent.cooldown > 0 || agent.health <= 0 {
                continue;
            }
            if agent.kind == Kind::Hunter && distance < 0.95 {
                agent.cooldown = 40;
                damage += 1.5;
                BITES.increment();
            } else if agent.kind == Kind::Spitter
                && distance < 8.0
                && self.level.map.sees(agent.at, ship)
            {
                agent.cooldown = 110;
                self.shots.fire(
                    Shot::Orb,
                    agent.at,
                    (ship - agent.at).normalize_or_zero() * 8.0,
                );
            }
        }
        damage
    }

    /// Sets off the ship's nova: it hurts all agents within reach and pushes bodies away.
    pub(super) fn nova(&mut self) {
        let _memory = stats_memory::scope!("nova");
        let ship = self.bodies.ship().at;
        for &index in &self.grid.near(ship, NOVA_RADIUS).collect::<Vec<_>>() {
            let agent = &mut Arc::make_mut(&mut self.agents)[index];
            if agent.at.distance(ship) < NOVA_RADIUS {
                agent.health -= 6;
                agent.velocity += (agent.at - ship).normalize_or_zero() * 12.0;
            }
        }
        for &index in &self.prop_grid.near(ship, NOVA_RADIUS).collect::<Vec<_>>() {
            let offset = self.props[index].0 - ship;
            if offset.length() < NOVA_RADIUS {
                self.bodies.push(index, offset.normalize_or_zero() * 9.0);
            }
        }
        let ring = Burst {
            cause: Cause::Nova,
            count: 420,
            at: ship,
            velocity: Vec2::ZERO,
            spread: 16.0,
            color: [0.5, 1.5, 2.4],
            size: 0.13,
            life: 0.9,
        };
        self.particles.burst(ring);
    }

    /// Removes dead agents, with a burst of particles each. Returns the points scored.
    pub(super) fn reap(&mut self, step: u64) -> u64 {
        let (mut points, mut dead) = (0, 0);
        let (roster, particles) = (&mut self.roster, &mut self.particles);
        Arc::make_mut(&mut self.agents).retain(|agent| {
            if agent.health <= 0 {
                points += agent.kind.score();
                dead += 1;
                roster.died(agent.kind);
                particles.burst(death(agent));
            }
            agent.health > 0
        });
        if dead > 0 {
            REAPED.set(dead);
        }
        points + self.reap_hives(step)
    }

    fn reap_hives(&mut self, step: u64) -> u64 {
        let mut points = 0;
        for hive in &mut self.hives {
            hive.flash = hive.flash.saturating_sub(1);
            if hive.health <= 0 && hive.back_at == 0 {
                hive.back_at = step + 1_200;
                points += 500;
                HIVES_LOST.increment();
                HIVES.decrement();
                let blast = Burst {
                    cause: Cause::Blast,
                    count: 260,
                    at: hive.at,
                    velocity: Vec2::ZERO,
                    spread: 9.0,
                    color: [2.6, 0.7, 0.9],
                    size: 0.2,
                    life: 1.4,
                };
                self.particles.burst(blast);
            } else if hive.back_at != 0 && step >= hive.back_at {
                (hive.health, hive.back_at) = (HIVE_HEALTH, 0);
                HIVES.increment();
            }
        }
        points
    }

    /// Spawns the motes and the wave that are due. Returns whether to send a snapshot of all
    /// agents, which is the case with every fourth wave.
    pub(super) fn spawn_due(&mut self, step: u64) -> bool {
        let _memory = stats_memory::scope!("spawn");
        if step.is_multiple_of(4) && self.roster.count(Kind::Mote) < self.target_count(Kind::Mote) {
            self.spawn_mote();
        }
        self.glow(step);
        let wave_due = step % 75 == 20;
        if wave_due {
            self.send_wave();
        }
        wave_due && self.wave.is_multiple_of(4)
    }

    fn send_wave(&mut self) {
        let hive = self.wave % self.hives.len();
        let squad = self.squads.of_hive(hive, self.wave / self.hives.len());
        self.wave += 1;
        if self.hives[hive].health <= 0 {
            return;
        }
        WAVES.increment();
        let at = self.hives[hive].at;
        for (kind, count) in [(Kind::Hunter, 14), (Kind::Spitter, 3)] {
            let room = self
                .target_count(kind)
                .saturating_sub(self.roster.count(kind));
            (0..room.min(count)).for_each(|_| self.spawn(kind, at, 2.6, squad));
        }
        self.particles.burst(Burst {
            cause: Cause::Spore,
            count: 60,
            at,
            velocity: Vec2::ZERO,
            spread: 5.0,
            color: [2.0, 0.5, 0.8],
            size: 0.12,
            life: 1.2,
        });
    }

    /// Spawns the glow of hives and beacons.
    fn glow(&mut self, step: u64) {
        if !step.is_multiple_of(3) {
            return;
        }
        for hive in self.hives.iter().filter(|hive| hive.health > 0) {
            let at = hive.at + self.rng.in_disc(1.3);
            self.particles.burst(Burst {
                cause: Cause::Spore,
                count: 1,
                at,
                velocity: Vec2::ZERO,
                spread: 0.7,
                color: [1.6, 0.25, 0.5],
                size: 0.14,
                life: 2.2,
            });
        }
        for &beacon in self.level.beacons.iter() {
            let at = beacon + self.rng.in_disc(0.6);
            self.particles.burst(Burst {
                cause: Cause::Spore,
                count: 1,
                at,
                velocity: Vec2::ZERO,
                spread: 0.5,
                color: [0.3, 1.2, 1.0],
                size: 0.10,
                life: 2.6,
            });
        }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        HIVES.add(-(self.hives.iter().filter(|hive| hive.back_at == 0).count() as f64));
    }
}

/// Returns the shared value for refilling, so that its memory is reused. Replaces it with a default
/// value if it is still shared.
fn reusable<T: Default + Clone>(shared: &mut Arc<T>) -> &mut T {
    if Arc::get_mut(shared).is_none() {
        *shared = Arc::default();
    }
    // Nobody else uses it, so nothing is cloned.
    Arc::make_mut(shared)
}

/// Returns the burst of particles of a dying agent, in its colors.
fn death(agent: &Agent) -> Burst {
    let (count, color, size) = match agent.kind {
        Kind::Mote => (8, [0.4, 1.8, 1.5], 0.06),
        Kind::Hunter => (22, [2.6, 0.8, 0.25], 0.10),
        Kind::Spitter => (30, [2.4, 0.5, 1.4], 0.12),
        Kind::Carrier => (34, [2.2, 1.6, 0.5], 0.12),
    };
    Burst {
        cause: Cause::Blast,
        count,
        at: agent.at,
        velocity: agent.velocity * 0.4,
        spread: 5.0,
        color,
        size,
        life: 0.8,
    }
}
