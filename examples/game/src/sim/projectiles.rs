//! Shots in flight: the bolts of the ship and the orbs of spitters, and what they hit.
use stats_core::{Counter, Timer, UpDownCounter};

use super::agents::{Agent, Kind};
use super::bodies::Bodies;
use super::grid::Grid;
use super::map::TileMap;
use super::particles::{Burst, Cause, Particles};
use super::{STEP, Vec2};

static STEPPING: Timer = Timer::new("projectiles/step")
    .budget(1.0)
    .describe("moving shots and finding what they hit");
static ALIVE: UpDownCounter = UpDownCounter::new("projectiles/alive").describe("shots in flight");
static BOLTS: Counter = Counter::new("projectiles/fired/bolts").describe("shots of the player");
static ORBS: Counter = Counter::new("projectiles/fired/orbs").describe("shots of spitters");
static HIT_AGENT: Counter =
    Counter::new("projectiles/hits/agents").describe("shots that hit an agent");
static HIT_WALL: Counter =
    Counter::new("projectiles/hits/walls").describe("shots that hit a wall or a gate");
static HIT_BODY: Counter =
    Counter::new("projectiles/hits/bodies").describe("shots that hit a rock or a crate");
static HIT_HIVE: Counter = Counter::new("projectiles/hits/hives").describe("shots that hit a hive");
static HIT_SHIP: Counter = Counter::new("projectiles/hits/ship").describe("orbs that hit the ship");
static SPENT: Counter = Counter::new("projectiles/spent").describe("shots that hit nothing");
static TESTED: Counter =
    Counter::new("projectiles/candidates").describe("agents and bodies tested for a hit");

/// The kind of a shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shot {
    /// Fired by the ship.
    Bolt,
    /// Fired by a spitter.
    Orb,
}

impl Shot {
    pub(crate) const fn color(self) -> [f32; 3] {
        match self {
            Self::Bolt => [0.35, 1.9, 2.6],
            Self::Orb => [2.6, 0.55, 0.9],
        }
    }
}

/// One shot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Projectile {
    pub(crate) at: Vec2,
    pub(crate) velocity: Vec2,
    pub(crate) shot: Shot,
    /// Seconds left.
    pub(crate) life: f32,
}

/// A hive, which shots can destroy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hive {
    pub(crate) at: Vec2,
    pub(crate) health: i32,
    pub(crate) flash: u8,
    /// The step at which a destroyed hive is restored; 0 if it is not destroyed.
    pub(crate) back_at: u64,
}

/// Everything that shots can hit.
pub(super) struct Targets<'a> {
    pub(super) map: &'a TileMap,
    pub(super) agents: &'a mut [Agent],
    pub(super) grid: &'a Grid,
    pub(super) bodies: &'a mut Bodies,
    pub(super) props: &'a [(Vec2, f32)],
    pub(super) prop_grid: &'a Grid,
    pub(super) hives: &'a mut [Hive],
    pub(super) ship: Option<Vec2>,
    pub(super) particles: &'a mut Particles,
}

/// All shots.
#[derive(Default)]
pub(crate) struct Projectiles {
    shots: Vec<Projectile>,
}

impl Projectiles {
    pub(crate) fn as_slice(&self) -> &[Projectile] {
        &self.shots
    }

    pub(super) fn fire(&mut self, shot: Shot, at: Vec2, velocity: Vec2) {
        match shot {
            Shot::Bolt => BOLTS.increment(),
            Shot::Orb => ORBS.increment(),
        }
        ALIVE.increment();
        let _name = stats_memory::alloc_name!("shots");
        self.shots.push(Projectile {
            at,
            velocity,
            shot,
            life: 1.4,
        });
    }

    /// Simulates one step. Returns the number of hits on the ship.
    pub(super) fn step(&mut self, targets: &mut Targets<'_>) -> u32 {
        let _scope = stats_memory::scope!(STEPPING);
        let (before, mut ship_hits) = (self.shots.len(), 0);
        self.shots.retain_mut(|shot| {
            shot.life -= STEP;
            // Two half steps, because a bolt moves far in one step.
            for _ in 0..2 {
                shot.at += shot.velocity * (STEP / 2.0);
                if let Some(hit) = shot.hit(targets) {
                    ship_hits += u32::from(hit == Hit::Ship);
                    shot.burst(hit, targets.particles);
                    return false;
                }
            }
            shot.trail(targets.particles);
            if shot.life <= 0.0 {
                SPENT.increment();
            }
            shot.life > 0.0
        });
        ALIVE.add(-((before - self.shots.len()) as f64));
        ship_hits
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Hit {
    Wall,
    Agent,
    Body,
    Hive,
    Ship,
}

impl Projectile {
    /// Finds what the shot hits at its position, and applies the hit.
    fn hit(&self, targets: &mut Targets<'_>) -> Option<Hit> {
        if !targets.map.is_open_at(self.at) {
            HIT_WALL.increment();
            return Some(Hit::Wall);
        }
        self.hit_body(targets).or_else(|| match self.shot {
            Shot::Bolt => self.hit_agent(targets).or_else(|| self.hit_hive(targets)),
            Shot::Orb => targets
                .ship
                .filter(|ship| ship.distance_squared(self.at) < 0.36)
                .map(|_| {
                    HIT_SHIP.increment();
                    Hit::Ship
                }),
        })
    }

    fn hit_agent(&self, targets: &mut Targets<'_>) -> Option<Hit> {
        let agents = &targets.agents;
        let found = targets.grid.near(self.at, 0.8).find(|&index| {
            TESTED.increment();
            let (agent, reach) = (&agents[index], agents[index].kind.radius() + 0.12);
            agent.health > 0 && agent.at.distance_squared(self.at) < reach * reach
        })?;
        let agent = &mut targets.agents[found];
        agent.health -= if agent.kind == Kind::Mote { 1 } else { 2 };
        agent.flash = 5;
        agent.velocity += self.velocity * 0.06;
        HIT_AGENT.increment();
        Some(Hit::Agent)
    }

    fn hit_body(&self, targets: &mut Targets<'_>) -> Option<Hit> {
        let props = targets.props;
        let found = targets.prop_grid.near(self.at, 0.9).find(|&index| {
            TESTED.increment();
            props[index].0.distance_squared(self.at) < props[index].1 * props[index].1
        })?;
        targets.bodies.push(found, self.velocity * 0.05);
        HIT_BODY.increment();
        Some(Hit::Body)
    }

    fn hit_hive(&self, targets: &mut Targets<'_>) -> Option<Hit> {
        let hive = targets
            .hives
            .iter_mut()
            .find(|hive| hive.health > 0 && hive.at.distance_squared(self.at) < 1.7)?;
        hive.health -= 1;
        hive.flash = 5;
        HIT_HIVE.increment();
        Some(Hit::Hive)
    }

    fn trail(&self, particles: &mut Particles) {
        let (size, life) = if self.shot == Shot::Bolt {
            (0.05, 0.18)
        } else {
            (0.11, 0.45)
        };
        let color = self.shot.color().map(|c| c * 0.5);
        particles.burst(Burst {
            cause: Cause::Trail,
            count: 1,
            at: self.at,
            velocity: self.velocity * 0.06,
            spread: 0.4,
            color,
            size,
            life,
        });
    }

    fn burst(&self, hit: Hit, particles: &mut Particles) {
        let color = if hit == Hit::Agent {
            [2.4, 1.5, 0.5]
        } else {
            self.shot.color()
        };
        let back = self.velocity * -0.08;
        particles.burst(Burst {
            cause: Cause::Spark,
            count: 9,
            at: self.at,
            velocity: back,
            spread: 4.0,
            color,
            size: 0.07,
            life: 0.4,
        });
    }
}

impl Drop for Projectiles {
    fn drop(&mut self) {
        ALIVE.add(-(self.shots.len() as f64));
    }
}
