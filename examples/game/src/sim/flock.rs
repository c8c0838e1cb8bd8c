//! One step of all agents on the workers: flocking, following paths, keeping clear of walls and
//! bodies.
//!
//! Each agent's next state is a pure function of the last step's states, so chunks may be cut
//! anywhere.
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
    .describe("moving all agents: hand out, wait, merge");
static STEERING: Timer = Timer::new("flock/steering")
    .budget(8.0)
    .describe("steering, summed over the workers");
static UPDATED: Counter = Counter::new("flock/updated").describe("agents moved");
static EXAMINED: Counter =
    Counter::new("flock/neighbours-examined").describe("agents looked at as possible neighbours");
static NEIGHBOURS: Counter =
    Counter::new("flock/neighbours").describe("agents that were near enough to matter");
static BUMPS: Counter =
    Counter::new("flock/wall-bumps").describe("moves that a wall or an obstacle stopped");
static WAYPOINTS: Counter =
    Counter::new("flock/waypoints").describe("tiles of a path that an agent reached");
static CHUNKS: Counter =
    Counter::new("flock/chunks").describe("pieces that the agents were cut into");
static CROWD: Histogram = Histogram::new("flock/crowd")
    .unit(Unit::Custom("agents"))
    .describe("neighbours of each agent in each step");
static CROWDING: Gauge = Gauge::new("flock/mean-neighbours")
    .describe("neighbours of the average agent in the last step");

/// How far an agent looks, in metres.
const SIGHT: f32 = 1.6;

/// What agents know of the world while they step.
pub(crate) struct View {
    pub(crate) agents: Arc<Vec<Agent>>,
    pub(crate) grid: Arc<Grid>,
    pub(crate) bodies: Arc<Vec<(Vec2, f32)>>,
    pub(crate) body_grid: Arc<Grid>,
    pub(crate) map: Arc<TileMap>,
    pub(crate) beacons: Arc<[Vec2]>,
    pub(crate) paths: Vec<Option<Path>>,
    pub(crate) player: Vec2,
    pub(crate) step: u64,
}

#[derive(Default, Clone, Copy)]
struct Tally {
    examined: u64,
    neighbours: u64,
    bumps: u64,
    waypoints: u64,
}

/// All agents one step later, in the same order.
pub(crate) fn step(view: View, pool: &Pool) -> Vec<Agent> {
    let _stepping = STEPPING.scope();
    let _memory = stats_memory::scope!("flock");
    let (count, view) = (view.agents.len(), Arc::new(view));
    // Two chunks a worker even out dense and sparse stretches.
    let jobs = split(count, pool.workers() * 2).map(|range| {
        let view = Arc::clone(&view);
        move || steer_range(&view, range)
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
    total.report(count);
    agents
}

impl Tally {
    const fn plus(self, other: Self) -> Self {
        Self {
            examined: self.examined + other.examined,
            neighbours: self.neighbours + other.neighbours,
            bumps: self.bumps + other.bumps,
            waypoints: self.waypoints + other.waypoints,
        }
    }

    fn report(self, agents: usize) {
        UPDATED.add(agents);
        EXAMINED.add(self.examined);
        NEIGHBOURS.add(self.neighbours);
        BUMPS.add(self.bumps);
        WAYPOINTS.add(self.waypoints);
        CROWDING.set(self.neighbours as f64 / agents.max(1) as f64);
    }
}

fn steer_range(view: &View, range: std::ops::Range<usize>) -> (Vec<Agent>, Tally) {
    let _steering = STEERING.scope();
    let _memory = stats_memory::scope!("steering");
    let mut tally = Tally::default();
    let agents = range.map(|index| {
        let before = tally.neighbours;
        let agent = stepped(view, index, &mut tally);
        CROWD.record(tally.neighbours - before);
        agent
    });
    let agents = agents.collect();
    (agents, tally)
}

fn stepped(view: &View, index: usize, tally: &mut Tally) -> Agent {
    let mut agent = view.agents[index];
    let wish = crowd(view, index, &agent, tally)
        + purpose(view, &mut agent, tally)
        + clearance(view, &agent);
    let top = agent.kind.top_speed();
    agent.velocity = (agent.velocity + wish * STEP).clamp_length_max(top);
    advance(view, &mut agent, tally);
    agent.cooldown = agent.cooldown.saturating_sub(1);
    agent.flash = agent.flash.saturating_sub(1);
    agent
}

/// The three rules of Reynolds (1987): keep apart, go along, stay together.
fn crowd(view: &View, index: usize, agent: &Agent, tally: &mut Tally) -> Vec2 {
    let (mut apart, mut along, mut together, mut like) = (Vec2::ZERO, Vec2::ZERO, Vec2::ZERO, 0.0);
    for other in view
        .grid
        .near(agent.at, SIGHT)
        .filter(|&other| other != index)
    {
        tally.examined += 1;
        let other = &view.agents[other];
        let offset = agent.at - other.at;
        let distance = offset.length();
        if distance > SIGHT {
            continue;
        }
        tally.neighbours += 1;
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
    let (go, stay) = if agent.kind == Kind::Mote {
        (1.8, 1.0)
    } else {
        (0.3, 0.1)
    };
    let flock = if like > 0.0 {
        (along / like - agent.velocity) * go + together / like * stay
    } else {
        Vec2::ZERO
    };
    apart * 26.0 + flock
}

fn purpose(view: &View, agent: &mut Agent, tally: &mut Tally) -> Vec2 {
    match agent.kind {
        Kind::Mote => orbit(view, agent),
        Kind::Hunter if agent.at.distance_squared(view.player) < 16.0 => {
            toward(agent, view.player, 22.0)
        }
        Kind::Spitter if agent.at.distance_squared(view.player) < 36.0 => {
            circle(agent, view.player)
        }
        _ => follow(view, agent, tally),
    }
}

/// Around the beacon in a ring of its own, and away from the player.
fn orbit(view: &View, agent: &Agent) -> Vec2 {
    let home = view
        .beacons
        .get(usize::from(agent.squad) % view.beacons.len().max(1))
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
    let breath = ring + (view.step as f32 * 0.01 + agent.seed as f32).sin() * 0.5;
    let inward = offset / distance * ((breath - distance) * 2.2).clamp(-5.0, 5.0);
    let flight = agent.at - view.player;
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

/// Along the squad's path, tile by tile.
fn follow(view: &View, agent: &mut Agent, tally: &mut Tally) -> Vec2 {
    let Some(Some(path)) = view.paths.get(usize::from(agent.squad)) else {
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

/// Where on a path one who strayed should join it.
fn nearest(path: &Path, at: Vec2) -> usize {
    let distance = |index: usize| center(path[index]).distance_squared(at);
    (0..path.len())
        .min_by(|&a, &b| distance(a).total_cmp(&distance(b)))
        .unwrap_or(0)
}

/// Away from bodies, and from walls ahead.
fn clearance(view: &View, agent: &Agent) -> Vec2 {
    let mut push = Vec2::ZERO;
    for (at, radius) in view
        .body_grid
        .near(agent.at, 1.4)
        .map(|body| view.bodies[body])
    {
        let offset = agent.at - at;
        let room = radius + agent.kind.radius() + 0.1;
        if offset.length_squared() < room * room {
            push += offset.normalize_or_zero() * 30.0;
        }
    }
    let ahead = agent.at + agent.velocity.normalize_or_zero() * 0.8;
    if !view.map.is_open_at(ahead) {
        let side = Vec2::new(-agent.velocity.y, agent.velocity.x).normalize_or_zero();
        let left_is_free = view.map.is_open_at(agent.at + side * 0.8);
        push += side * if left_is_free { 9.0 } else { -9.0 } - agent.velocity * 1.5;
    }
    push
}

/// Moves by one step, axis by axis, so that an agent slides along what it hits.
fn advance(view: &View, agent: &mut Agent, tally: &mut Tally) {
    let buried = !view.map.is_open_at(agent.at);
    for way in [Vec2::X, Vec2::Y] {
        let moved = agent.at + agent.velocity * way * STEP;
        let skin = agent.velocity.signum() * way * agent.kind.radius() * 0.7;
        if buried || view.map.is_open_at(moved + skin) {
            agent.at = moved;
        } else {
            agent.velocity *= Vec2::ONE - way * 1.4;
            tally.bumps += 1;
        }
    }
    if buried {
        // A gate slid over it: it is pushed to the nearest floor.
        if let Some(cell) = view.map.nearest_open(agent.at) {
            agent.at += (center(cell) - agent.at).clamp_length_max(0.15);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::rng::Rng;

    fn view(agents: Vec<Agent>) -> View {
        let map = Arc::new(TileMap::new(24, 16, vec![false; 24 * 16]));
        let grid = Arc::new(Grid::new(
            map.size(),
            2.0,
            agents.iter().map(|agent| agent.at),
        ));
        View {
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
                agents = step(view(agents), &pool);
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
            agents = step(view(agents), &pool);
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
    fn two_agents_on_one_spot_part() {
        let agents = vec![
            Agent::new(Kind::Hunter, Vec2::new(8.0, 8.0), 0, 1),
            Agent::new(Kind::Hunter, Vec2::new(8.05, 8.0), 0, 2),
        ];
        let (pool, mut agents) = (Pool::new(1), agents);
        for _ in 0..60 {
            agents = step(view(agents), &pool);
        }
        assert!(agents[0].at.distance(agents[1].at) > 0.4);
    }

    #[test]
    fn nobody_steps_when_there_is_nobody() {
        assert!(step(view(Vec::new()), &Pool::new(2)).is_empty());
    }
}
