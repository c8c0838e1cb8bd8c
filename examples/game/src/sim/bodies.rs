//! Rigid bodies, simulated by rapier: rocks and crates, the player's ship, gates, and walls.
use rapier2d::counters::Counters;
use rapier2d::prelude::{
    ColliderBuilder, PhysicsWorld, RigidBody, RigidBodyBuilder, RigidBodyHandle,
};
use stats_core::{Counter, Gauge, Timer, Unit, UpDownCounter};

use super::clock::measured;
use super::level::Level;
use super::map::{Cell, TileMap};
use super::rng::Rng;
use super::{STEP, Vec2};
use crate::memory::PHYSICS;

static STEPPING: Timer = Timer::new("bodies/step")
    .budget(3.0)
    .describe("the physics pipeline, one call per step");
static BROAD: Timer = Timer::new("bodies/pipeline/broad-phase")
    .describe("finding pairs that may touch, as measured by rapier");
static NARROW: Timer = Timer::new("bodies/pipeline/narrow-phase")
    .describe("computing contacts, as measured by rapier");
static ISLAND_TIME: Timer = Timer::new("bodies/pipeline/islands")
    .describe("grouping bodies into islands, as measured by rapier");
static SOLVER: Timer =
    Timer::new("bodies/pipeline/solver").describe("solving constraints, as measured by rapier");
static CCD: Timer = Timer::new("bodies/pipeline/ccd")
    .describe("continuous collision detection, as measured by rapier");
static USER: Timer = Timer::new("bodies/pipeline/user-changes")
    .describe("applying the changes of the game, as measured by rapier");
static DYNAMIC: UpDownCounter =
    UpDownCounter::new("bodies/dynamic").describe("rocks, crates and the ship");
static KINEMATIC: UpDownCounter = UpDownCounter::new("bodies/kinematic").describe("gates");
static COLLIDERS: Gauge =
    Gauge::new("bodies/colliders").describe("collision shapes, including walls");
static AWAKE: Gauge =
    Gauge::new("bodies/awake").describe("bodies that were active in the last step");
static ASLEEP: Gauge = Gauge::new("bodies/asleep").describe("dynamic bodies at rest");
static ISLANDS: Gauge = Gauge::new("bodies/islands").describe("groups of awake bodies that touch");
static PAIRS: Gauge = Gauge::new("bodies/contact-pairs").describe("pairs of shapes that may touch");
static CONTACTS: Counter =
    Counter::new("bodies/contacts").describe("contact points handed to the solver");
static CONSTRAINTS: Counter =
    Counter::new("bodies/constraints").describe("constraints handed to the solver");
static IMPULSES: Counter =
    Counter::new("bodies/impulses").describe("impulses from shots and explosions");
static ENERGY: Gauge = Gauge::new("bodies/kinetic-energy")
    .unit(Unit::Custom("J"))
    .describe("kinetic energy of all dynamic bodies");

/// The shape of a loose body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Rock,
    Crate,
}

/// A loose body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prop {
    handle: RigidBodyHandle,
    pub(crate) shape: Shape,
    pub(crate) radius: f32,
    pub(crate) seed: u32,
}

/// The position and motion of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pose {
    pub(crate) at: Vec2,
    pub(crate) velocity: Vec2,
    pub(crate) angle: f32,
    pub(crate) spin: f32,
}

/// The physics world.
pub(crate) struct Bodies {
    world: PhysicsWorld,
    ship: RigidBodyHandle,
    props: Vec<Prop>,
    gates: Vec<RigidBodyHandle>,
    /// Scratch memory for counting islands, kept so that counting does not allocate.
    islands: Vec<u32>,
}

impl Bodies {
    /// Creates the walls, the gates, the ship and `props` loose bodies of a level.
    pub(super) fn new(level: &Level, rng: &mut Rng, props: usize) -> Self {
        let _memory = stats_memory::scope!("bodies", group: PHYSICS);
        let mut world = PhysicsWorld {
            gravity: Vec2::ZERO,
            ..Default::default()
        };
        world.integration_parameters.dt = STEP;
        world.physics_pipeline.counters.enable();
        for (from, to) in wall_boxes(&level.map) {
            let half = (to - from) / 2.0;
            world.insert_collider(
                ColliderBuilder::cuboid(half.x, half.y)
                    .translation(from + half)
                    .friction(0.4),
                None,
            );
        }
        let ship = RigidBodyBuilder::dynamic()
            .translation(level.landing)
            .linear_damping(3.2)
            .lock_rotations()
            .can_sleep(false)
            .ccd_enabled(true);
        let (ship, _) = world.insert(
            ship,
            ColliderBuilder::ball(0.42)
                .density(3.0)
                .restitution(0.3)
                .friction(0.0),
        );
        let gates = level.gates.iter().map(|site| {
            let body = RigidBodyBuilder::kinematic_position_based().translation(site.from);
            world
                .insert(body, ColliderBuilder::cuboid(site.half.x, site.half.y))
                .0
        });
        let gates: Vec<_> = gates.collect();
        KINEMATIC.add(gates.len());
        DYNAMIC.increment();
        let mut bodies = Self {
            world,
            ship,
            props: Vec::new(),
            gates,
            islands: Vec::new(),
        };
        for _ in 0..props {
            bodies.scatter(level, rng);
        }
        COLLIDERS.set(bodies.world.colliders.len());
        bodies
    }

    /// Adds a rock or a crate at a random position, usually in the middle region.
    fn scatter(&mut self, level: &Level, rng: &mut Rng) {
        let region = level.regions[if rng.chance(0.7) { 1 } else { rng.below(3) }];
        for _ in 0..40 {
            let at = Vec2::new(
                rng.between(region.left, region.right),
                rng.between(2.0, level.map.size().y - 2.0),
            );
            let radius = rng.between(0.28, 0.75);
            let free = [Vec2::ZERO, Vec2::X, -Vec2::X, Vec2::Y, -Vec2::Y]
                .iter()
                .all(|&direction| level.map.is_open_at(at + direction * (radius + 0.2)));
            if free && at.distance(level.landing) > 3.0 {
                let shape = if rng.chance(level.crate_share) {
                    Shape::Crate
                } else {
                    Shape::Rock
                };
                return self.add_prop(at, shape, radius, rng);
            }
        }
    }

    fn add_prop(&mut self, at: Vec2, shape: Shape, radius: f32, rng: &mut Rng) {
        let body = RigidBodyBuilder::dynamic()
            .translation(at)
            .rotation(rng.between(0.0, std::f32::consts::TAU))
            .linear_damping(0.9)
            .angular_damping(0.9);
        let body = body.linvel(rng.in_disc(1.5)).angvel(rng.between(-1.0, 1.0));
        let collider = match shape {
            Shape::Rock => ColliderBuilder::ball(radius),
            Shape::Crate => ColliderBuilder::cuboid(radius * 0.88, radius * 0.88),
        };
        let (handle, _) = self
            .world
            .insert(body, collider.density(1.0).restitution(0.35));
        DYNAMIC.increment();
        self.props.push(Prop {
            handle,
            shape,
            radius,
            seed: rng.next() as u32,
        });
    }

    /// Simulates one step.
    pub(super) fn step(&mut self) {
        let _memory = stats_memory::scope!("bodies", group: PHYSICS);
        STEPPING.time(|| self.world.step());
        record_pipeline(&self.world.physics_pipeline.counters);
    }

    pub(crate) fn props(&self) -> &[Prop] {
        &self.props
    }

    pub(crate) fn prop_pose(&self, prop: &Prop) -> Pose {
        pose(&self.world.bodies[prop.handle])
    }

    pub(crate) fn ship(&self) -> Pose {
        pose(&self.world.bodies[self.ship])
    }

    pub(super) fn thrust(&mut self, force: Vec2) {
        let ship = &mut self.world.bodies[self.ship];
        ship.reset_forces(true);
        let mass = ship.mass();
        ship.add_force(force * mass, true);
    }

    pub(crate) fn place_ship(&mut self, at: Vec2) {
        let ship = &mut self.world.bodies[self.ship];
        ship.set_translation(at, true);
        ship.set_linvel(Vec2::ZERO, true);
    }

    pub(super) fn move_gate(&mut self, gate: usize, to: Vec2) {
        self.world.bodies[self.gates[gate]].set_next_kinematic_translation(to);
    }

    /// Pushes a loose body.
    pub(super) fn push(&mut self, prop: usize, impulse: Vec2) {
        IMPULSES.increment();
        let spin = (self.props[prop].seed % 7) as f32 * 0.02 - 0.06;
        let body = &mut self.world.bodies[self.props[prop].handle];
        body.apply_impulse(impulse, true);
        body.apply_torque_impulse(impulse.length() * spin, true);
    }

    /// Sets the gauges at the end of a frame.
    pub(super) fn publish(&mut self) {
        let _memory = stats_memory::scope!("bodies", group: PHYSICS);
        let (world, islands) = (&self.world, &mut self.islands);
        let awake = world.islands.num_active_bodies();
        islands.clear();
        islands.extend(
            world
                .islands
                .active_bodies()
                .filter_map(|body| world.islands.persistent_island_of(&world.bodies, body)),
        );
        islands.sort_unstable();
        islands.dedup();
        AWAKE.set(awake);
        ASLEEP.set(
            world
                .bodies
                .iter()
                .filter(|(_, body)| body.is_dynamic() && body.is_sleeping())
                .count(),
        );
        ISLANDS.set(islands.len());
        PAIRS.set(world.narrow_phase.contact_pairs().count());
        ENERGY.set(
            world
                .bodies
                .iter()
                .filter(|(_, body)| body.is_dynamic())
                .map(|(_, body)| body.kinetic_energy())
                .sum::<f32>(),
        );
    }
}

impl Drop for Bodies {
    fn drop(&mut self) {
        KINEMATIC.add(-(self.gates.len() as f64));
        DYNAMIC.add(-(self.props.len() as f64 + 1.0));
    }
}

fn pose(body: &RigidBody) -> Pose {
    Pose {
        at: body.translation(),
        velocity: body.linvel(),
        angle: body.rotation().angle(),
        spin: body.angvel(),
    }
}

fn record_pipeline(counters: &Counters) {
    BROAD.record(measured(counters.cd.broad_phase_time.time()));
    NARROW.record(measured(counters.cd.narrow_phase_time.time()));
    ISLAND_TIME.record(measured(counters.stages.island_construction_time.time()));
    SOLVER.record(measured(counters.stages.solver_time.time()));
    CCD.record(measured(counters.stages.ccd_time.time()));
    USER.record(measured(counters.stages.user_changes.time()));
    CONTACTS.add(counters.solver.ncontacts);
    CONSTRAINTS.add(counters.solver.nconstraints);
}

/// Merges the wall tiles that can be touched into boxes, row by row: far fewer shapes than tiles.
fn wall_boxes(map: &TileMap) -> Vec<(Vec2, Vec2)> {
    let mut boxes = Vec::new();
    for y in 0..map.height() {
        let mut start: Option<i32> = None;
        for x in 0..=map.width() {
            let edge = x < map.width() && map.is_edge((x, y) as Cell);
            match (edge, start) {
                (true, None) => start = Some(x),
                (false, Some(from)) => {
                    boxes.push((
                        Vec2::new(from as f32, y as f32),
                        Vec2::new(x as f32, (y + 1) as f32),
                    ));
                    start = None;
                }
                _ => {}
            }
        }
    }
    boxes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wall_boxes_have_the_area_of_the_edge_tiles() {
        let map = TileMap::new(12, 9, (0..108).map(|at| at % 5 == 0).collect());
        let area: f32 = wall_boxes(&map)
            .iter()
            .map(|(from, to)| (*to - *from).element_product())
            .sum();
        let edges = (0..9)
            .flat_map(|y| (0..12).map(move |x| (x, y)))
            .filter(|&cell| map.is_edge(cell))
            .count();
        assert_eq!(area, edges as f32);
    }
}
