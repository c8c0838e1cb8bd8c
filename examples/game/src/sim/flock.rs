//! Moves all agents on the workers: they flock, follow paths, and avoid walls and bodies.
//!
//! The next state of an agent is a pure function of the states after the previous step. The result
//! therefore does not depend on how the agents are divided among the workers.
use std::sync::Arc;

use stats_core::{Counter, Gauge, Histogram, Timer, Unit};

use super::agents::{Agent, Kind};
use super::grid::Grid;
use super::jobs::{Pool, split};
use super::map::{TileMap, center};
use super::paths::Path;
use super::{STEP, Vec2};

static STEPPING: Timer = Timer::new("flock/step")
    .budget(5.0)
    .describe("moving all agents: handing out, waiting, merging");
static STEERING: Timer = Timer::new("flock/steering")
    .budget(8.0)
    .describe("steering, summed over the workers");
static UPDATED: Counter = Counter::new("flock/updated").describe("agents moved");
static EXAMINED: Counter =
    Counter::new("flock/neighbors-examined").describe("agents examined as possible neighbors");
static NEIGHBORS: Counter =
    Counter::new("flock/neighbors").describe("examined agents that were within sight");
static BUMPS: Counter =
    Counter::new("flock/wall-bumps").describe("moves stopped by a wall or an obstacle");
static WAYPOINTS: Counter =
    Counter::new("flock/waypoints").describe("tiles of paths that agents reached");
static CHUNKS: Counter =
    Counter::new("flock/chunks").describe("chunks that the agents were divided into");
static CROWD: Histogram = Histogram::new("flock/crowd")
    .unit(Unit::Custom("agents"))
    .describe("neighbors of each agent in each step");
static CROWDING: Gauge =
    Gauge::new("flock/mean-neighbors").describe("mean number of neighbors in the last step");

/// How far an agent sees, in meters.
const SIGHT: f32 = 1.6;

/// The agents' knowledge about the world during a step.
pub(super) struct Surroundings {
    pub(super) agents: Arc<Vec<Agent>>,
    pub(super) grid: Arc<Grid>,
    pub(super) bodies: Arc<Vec<(Vec2, f32)>>,
    pub(super) body_grid: Arc<Grid>,
    pub(super) map: Arc<TileMap>,
    pub(super) beacons: Arc<[Vec2]>,
    pub(super) paths: Vec<Option<Path>>,
    pub(super) player: Vec2,
    pub(super) step: u64,
}

/// The counts of one chunk.
#[derive(Default, Clone, Copy)]
struct Tally {
    examined: u64,
    neighbors: u64,
    bumps: u64,
    waypoints: u64,
}

/// Returns all agents one step later, in the same order.
pub(super) fn step(surroundings: Surroundings, pool: &Pool) -> Vec<Agent> {
    let _stepping = STEPPING.scope();
    let _memory = stats_memory::scope!("flock");
    let (count, surroundings) = (surroundings.agents.len(), Arc::new(surroundings));
    // Two chunks per worker balance dense and sparse areas.
    let jobs = split(count, pool.workers() * 2).map(|range| {
        let surroundings = Arc::clone(&surroundings);
        move || steer_range(&surroundings, range)
    });
    let parts = pool.run(jobs.collect());
    CHUNKS.add(parts.len());
    let _name = stats_memory::alloc_name!("agents");
    let mut agents = Vec::with_capacity(count);
    let mut total = Tally::default();
    for (part, tally) in parts {
        agents.extend(part);
        total = total.plus(tally);
    }
    total.publish(count);
    agents
}

impl Tally {
    const fn plus(self, other: Self) -> Self {
        Self {
            examined: self.examined + other.examined,
            neighbors: self.neighbors + other.neighbors,
            bumps: self.bumps + other.bumps,
            waypoints: self.waypoints + other.waypoints,
        }
    }

    fn publish(self, agents: usize) {
        UPDATED.add(agents);
        EXAMINED.add(self.examined);
        NEIGHBORS.add(self.neighbors);
        BUMPS.add(self.bumps);
        WAYPOINTS.add(self.waypoints);
        CROWDING.set(self.neighbors as f64 / agents.max(1) as f64);
    }
}

fn steer_range(surroundings: &Surroundings, range: std::ops::Range<usize>) -> (Vec<Agent>, Tally) {
    let _steering = STEERING.scope();
    let _memory = stats_memory::scope!("steering");
    let mut tally = Tally::default();
    let agents = range.map(|index| {
        let before = tally.neighbors;
        let agent = next_state(surroundings, index, &mut tally);
        CROWD.record(tally.neighbors - before);
        agent
    });
    let agents = agents.collect();
    (agents, tally)
}

fn next_state(surroundings: &Surroundings, index: usize, tally: &mut Tally) -> Agent {
    let mut agent = surroundings.agents[index];
    let wish = crowd(surroundings, index, &agent, tally)
        + purpose(surroundings, &mut agent, tally)
        + clearance(surroundings, &agent);
    let top = agent.kind.top_speed();
    agent.velocity = (agent.velocity + wish * STEP).clamp_length_max(top);
    advance(surroundings, &mut agent, tally);
    agent.cooldown = agent.cooldown.saturating_sub(1);
    agent.flash = agent.flash.saturating_sub(1);
    agent
}

/// Applies the three rules of Reynolds (1987): separation, alignment and cohesion.
fn crowd(surroundings: &Surroundings, index: usize, agent: &Agent, tally: &mut Tally) -> Vec2 {
    let (mut apart, mut along, mut together, mut like) = (Vec2::ZERO, Vec2::ZERO, Vec2::ZERO, 0.0);
    for other in surroundings
        .grid
        .near(agent.at, SIGHT)
        .filter(|&other| other != index)
    {
        tally.examined += 1;
        let other = &surroundings.agents[other];
        let offset = agent.at - other.at;
        let distance = offset.length();
        if distance > SIGHT {
            continue;
        }
        tally.neighbors += 1;
        let room = agent.kind.radius() + other.kind.radius() + 0.12;
        if distance < room {
            apart += offset / distance.max(0.01) * (1.0 - distance / room);
        }
        if other.kind == agent.kind {
            along += other.velocity;
            together -= offset;
            like += 1.0;
        }
    }
    let (alignment, cohesion) = if agent.kind == Kind::Mote {
        (1.8, 1.0)
    } else {
        (0.3, 0.1)
    };
    let flock = if like > 0.0 {
        (along / like - agent.velocity) * alignment + together / like * cohesion
    } else {
        Vec2::ZERO
    };
    apart * 26.0 + flock
}

/// Steers an agent toward its goal.
fn purpose(surroundings: &Surroundings, agent: &mut Agent, tally: &mut Tally) -> Vec2 {
    match agent.kind {
        Kind::Mote => orbit(surroundings, agent),
        Kind::Hunter if agent.at.distance_squared(surroundings.player) < 16.0 => {
            toward(agent, surroundings.player, 22.0)
        }
        Kind::Spitter if agent.at.distance_squared(surroundings.player) < 36.0 => {
            circle(agent, surroundings.player)
        }
        _ => follow(surroundings, agent, tally),
    }
}

/// Circles the beacon at a distance of its own, and flees from the player.
fn orbit(surroundings: &Surroundings, agent: &Agent) -> Vec2 {
    let home = surroundings
        .beacons
        .get(usize::from(agent.squad) % surroundings.beacons.len().max(1))
        .copied()
        .unwrap_or(agent.at);
    let offset = agent.at - home;
    let distance = offset.length().max(0.1);
    let ring = 1.6 + (agent.seed % 64) as f32 / 64.0 * 5.0;
    let swing = if agent.squad.is_multiple_of(2) {
        1.0
    } else {
        -1.0
    };
    let around = Vec2::new(-offset.y, offset.x) / distance * swing;
    let breath = ring + (surroundings.step as f32 * 0.01 + agent.seed as f32).sin() * 0.5;
    let inward = offset / distance * ((breath - distance) * 2.2).clamp(-5.0, 5.0);
    let flight = agent.at - surroundings.player;
    let fear = if flight.length_squared() < 9.0 {
        flight.normalize_or_zero() * 14.0
    } else {
        Vec2::ZERO
    };
    around * 4.0 + inward + fear
}

fn toward(agent: &Agent, target: Vec2, strength: f32) -> Vec2 {
    ((target - agent.at).normalize_or_zero() * agent.kind.top_speed() - agent.velocity)
        * (strength / 4.0)
}

fn circle(agent: &Agent, target: Vec2) -> Vec2 {
    let offset = agent.at - target;
    let distance = offset.length().max(0.1);
    let swing = if agent.seed.is_multiple_of(2) {
        1.0
    } else {
        -1.0
    };
    Vec2::new(-offset.y, offset.x) / distance * (5.0 * swing)
        + offset / distance * ((4.5 - distance) * 4.0)
}

/// Follows the path of the squad, tile by tile.
fn follow(surroundings: &Surroundings, agent: &mut Agent, tally: &mut Tally) -> Vec2 {
    let Some(Some(path)) = surroundings.paths.get(usize::from(agent.squad)) else {
        return agent.velocity * -2.0;
    };
    let Some(last) = path.len().checked_sub(1) else {
        return agent.velocity * -2.0;
    };
    let mut cursor = usize::from(agent.cursor).min(last);
    if center(path[cursor]).distance_squared(agent.at) > 25.0 {
        cursor = nearest(path, agent.at);
    }
    while cursor < last && center(path[cursor]).distance_squared(agent.at) < 0.9 {
        cursor += 1;
        tally.waypoints += 1;
    }
    agent.cursor = cursor as u16;
    toward(agent, center(path[cursor]), 20.0)
}

/// Returns the index of the tile of a path that is nearest to a point.
fn nearest(path: &Path, at: Vec2) -> usize {
    let distance = |index: usize| center(path[index]).distance_squared(at);
    (0..path.len())
        .min_by(|&a, &b| distance(a).total_cmp(&distance(b)))
        .unwrap_or(0)
}

/// Steers away from bodies, and from walls ahead.
fn clearance(surroundings: &Surroundings, agent: &Agent) -> Vec2 {
    let mut push = Vec2::ZERO;
    for (at, radius) in surroundings
        .body_grid
        .near(agent.at, 1.4)
        .map(|body| surroundings.bodies[body])
    {
        let offset = agent.at - at;
        let room = radius + agent.kind.radius() + 0.1;
        if offset.length_squared() < room * room {
            push += offset.normalize_or_zero() * 30.0;
        }
    }
    let ahead = agent.at + agent.velocity.normalize_or_zero() * 0.8;
    if !surroundings.map.is_open_at(ahead) {
        let side = Vec2::new(-agent.velocity.y, agent.velocity.x).normalize_or_zero();
        let left_is_free = surroundings.map.is_open_at(agent.at + side * 0.8);
        push += side * if left_is_free { 9.0 } else { -9.0 } - agent.velocity * 1.5;
    }
    push
}

/// Moves an agent by one step, axis by axis, so that it slides along what it hits.
fn advance(surroundings: &Surroundings, agent: &mut Agent, tally: &mut Tally) {
    let buried = !surroundings.map.is_open_at(agent.at);
    for axis in [Vec2::X, Vec2::Y] {
        let moved = agent.at + agent.velocity * axis * STEP;
        let skin = agent.velocity.signum() * axis * agent.kind.radius() * 0.7;
        if buried || surroundings.map.is_open_at(moved + skin) {
            agent.at = moved;
        } else {
            agent.velocity *= Vec2::ONE - axis * 1.4;
            tally.bumps += 1;
        }
    }
    if buried {
        // A gate slid over the agent: push it toward the nearest floor.
        if let Some(cell) = surroundings.map.nearest_open(agent.at) {
            agent.at += (center(cell) - agent.at).clamp_length_max(0.15);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::rng::Rng;

    fn surroundings(agents: Vec<Agent>) -> Surroundings {
        let map = Arc::new(TileMap::new(24, 16, vec![false; 24 * 16]));
        let grid = Arc::new(Grid::new(
            map.size(),
            2.0,
            agents.iter().map(|agent| agent.at),
        ));
        Surroundings {
            agents: Arc::new(agents),
            grid,
            bodies: Arc::default(),
            body_grid: Arc::new(Grid::new(map.size(), 2.0, std::iter::empty())),
            map,
            beacons: Arc::new([Vec2::new(12.0, 8.0)]),
            paths: Vec::new(),
            player: Vec2::new(-50.0, -50.0),
            step: 0,
        }
    }

    fn motes(count: u32) -> Vec<Agent> {
        let mut rng = Rng::new(5);
        (0..count)
            .map(|seed| {
                Agent::new(
                    Kind::Mote,
                    Vec2::new(rng.between(2.0, 22.0), rng.between(2.0, 14.0)),
                    0,
                    seed,
                )
            })
            .collect()
    }

    #[test]
    fn the_next_state_does_not_depend_on_the_number_of_workers() {
        let state = |workers| {
            let pool = Pool::new(workers);
            let mut agents = motes(200);
            for _ in 0..30 {
                agents = step(surroundings(agents), &pool);
            }
            agents
                .iter()
                .flat_map(|agent| [agent.at.x.to_bits(), agent.at.y.to_bits()])
                .collect::<Vec<_>>()
        };
        assert_eq!(state(1), state(5));
    }

    #[test]
    fn agents_stay_on_the_floor_and_below_their_top_speed() {
        let pool = Pool::new(2);
        let mut agents = motes(150);
        for _ in 0..120 {
            agents = step(surroundings(agents), &pool);
            for agent in &agents {
                assert!(
                    agent.at.x > 1.0 && agent.at.x < 23.0 && agent.at.y > 1.0 && agent.at.y < 15.0,
                    "{}",
                    agent.at
                );
                assert!(agent.velocity.length() <= agent.kind.top_speed() * 1.001);
            }
        }
    }

    #[test]
    fn two_agents_at_one_point_separate() {
        let agents = vec![
            Agent::new(Kind::Hunter, Vec2::new(8.0, 8.0), 0, 1),
            Agent::new(Kind::Hunter, Vec2::new(8.05, 8.0), 0, 2),
        ];
        let (pool, mut agents) = (Pool::new(1), agents);
        for _ in 0..60 {
            agents = step(surroundings(agents), &pool);
        }
        assert!(agents[0].at.distance(agents[1].at) > 0.4);
    }

    #[test]
    fn a_step_without_agents_returns_none() {
        assert!(step(surroundings(Vec::new()), &Pool::new(2)).is_empty());
    }
}
