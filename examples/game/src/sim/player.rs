//! The player's ship: its controls, weapons and hull. Its body is in [`bodies`](super::bodies).
use stats_core::{Counter, Gauge, Unit};

use super::Vec2;
use super::bodies::Bodies;
use super::particles::{Burst, Cause, Particles};
use super::projectiles::{Projectiles, Shot};

static X: Gauge = Gauge::new("player/x")
    .unit(Unit::Meters)
    .describe("position of the ship, from west to east");
static Y: Gauge = Gauge::new("player/y")
    .unit(Unit::Meters)
    .describe("position of the ship, from north to south");
static SPEED: Gauge = Gauge::new("player/speed")
    .unit(Unit::MetersPerSecond)
    .describe("speed of the ship");
static HULL: Gauge = Gauge::new("player/hull")
    .unit(Unit::Percent)
    .describe("condition of the ship's hull");
static SHOTS: Counter = Counter::new("player/shots").describe("shots that the player fired");
static NOVAS: Counter = Counter::new("player/novas").describe("novas set off");
static DAMAGE: Counter = Counter::new("player/damage").describe("hull points lost");
static DEATHS: Counter = Counter::new("player/deaths").describe("ships lost");

const FULL_HULL: f32 = 100.0;
/// Steps between two shots.
const FIRE_STEPS: u32 = 5;
/// Steps that the nova takes to recharge.
const NOVA_STEPS: u32 = 300;
/// Steps until a lost ship is replaced.
const RESPAWN_STEPS: u32 = 120;
const THRUST: f32 = 34.0;
/// The radius of the nova, in meters.
pub(crate) const NOVA_RADIUS: f32 = 6.5;

/// The controls of one step, from a person or from the autopilot. `aim` is a point in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Controls {
    pub(crate) thrust: Vec2,
    pub(crate) aim: Vec2,
    pub(crate) fire: bool,
    pub(crate) nova: bool,
}

/// The ship, without its body.
pub(crate) struct Player {
    pub(crate) hull: f32,
    pub(crate) aim: Vec2,
    pub(crate) thrust: Vec2,
    /// Steps until the nova is ready.
    pub(crate) nova_in: u32,
    /// Steps since the last nova, which drive its ring of light.
    pub(crate) nova_age: u32,
    /// Steps for which the ship still flashes after damage.
    pub(crate) flash: u8,
    fire_in: u32,
    respawn_in: u32,
    left_barrel: bool,
}

impl Player {
    pub(super) const fn new() -> Self {
        Self {
            hull: FULL_HULL,
            aim: Vec2::X,
            thrust: Vec2::ZERO,
            nova_in: 0,
            nova_age: 1_000,
            flash: 0,
            fire_in: 0,
            respawn_in: 0,
            left_barrel: false,
        }
    }

    pub(crate) const fn is_alive(&self) -> bool {
        self.respawn_in == 0
    }

    /// Returns the charge of the nova, from 0 to 1. It is ready at 1.
    pub(crate) const fn nova_charge(&self) -> f32 {
        1.0 - self.nova_in as f32 / NOVA_STEPS as f32
    }

    /// Carries out the controls. Returns whether a nova goes off.
    pub(super) fn obey(
        &mut self,
        controls: Controls,
        bodies: &mut Bodies,
        shots: &mut Projectiles,
        particles: &mut Particles,
        home: Vec2,
    ) -> bool {
        let _memory = stats_memory::scope!("player");
        self.tick();
        if !self.is_alive() {
            self.await_respawn(bodies, home);
            return false;
        }
        let ship = bodies.ship();
        self.aim = (controls.aim - ship.at).try_normalize().unwrap_or(self.aim);
        self.thrust = controls.thrust.clamp_length_max(1.0);
        bodies.thrust(self.thrust * THRUST);
        self.exhaust(ship.at, ship.velocity, particles);
        if controls.fire && self.fire_in == 0 {
            self.fire(ship.at, ship.velocity, shots);
        }
        let nova = controls.nova && self.nova_in == 0;
        if nova {
            (self.nova_in, self.nova_age) = (NOVA_STEPS, 0);
            NOVAS.increment();
        }
        nova
    }

    fn tick(&mut self) {
        self.fire_in = self.fire_in.saturating_sub(1);
        self.nova_in = self.nova_in.saturating_sub(1);
        self.nova_age = self.nova_age.saturating_add(1);
        self.flash = self.flash.saturating_sub(1);
        self.hull = (self.hull + 0.05).min(FULL_HULL);
    }

    fn await_respawn(&mut self, bodies: &mut Bodies, home: Vec2) {
        bodies.thrust(Vec2::ZERO);
        self.respawn_in -= 1;
        if self.respawn_in == 0 {
            self.hull = FULL_HULL;
            bodies.place_ship(home);
        }
    }

    fn fire(&mut self, at: Vec2, velocity: Vec2, shots: &mut Projectiles) {
        self.fire_in = FIRE_STEPS;
        self.left_barrel = !self.left_barrel;
        let side = Vec2::new(-self.aim.y, self.aim.x) * if self.left_barrel { 0.26 } else { -0.26 };
        shots.fire(
            Shot::Bolt,
            at + self.aim * 0.9 + side,
            self.aim * 24.0 + velocity * 0.4,
        );
        SHOTS.increment();
    }

    fn exhaust(&self, at: Vec2, velocity: Vec2, particles: &mut Particles) {
        if self.thrust.length_squared() > 0.01 {
            let back = self.thrust * -5.0 + velocity * 0.3;
            let color = [1.5, 0.62, 0.18];
            particles.burst(Burst {
                cause: Cause::Exhaust,
                count: 3,
                at: at - self.thrust * 0.7,
                velocity: back,
                spread: 1.2,
                color,
                size: 0.10,
                life: 0.45,
            });
        }
    }

    /// Takes damage. Returns whether the ship was lost.
    pub(super) fn hurt(&mut self, damage: f32) -> bool {
        if damage <= 0.0 || !self.is_alive() {
            return false;
        }
        DAMAGE.add(damage);
        self.hull -= damage;
        self.flash = 8;
        let lost = self.hull <= 0.0;
        if lost {
            (self.hull, self.respawn_in) = (0.0, RESPAWN_STEPS);
            DEATHS.increment();
        }
        lost
    }

    /// Sets the gauges at the end of a frame.
    pub(super) fn publish(&self, bodies: &Bodies) {
        let ship = bodies.ship();
        X.set(ship.at.x);
        Y.set(ship.at.y);
        SPEED.set(ship.velocity.length());
        HULL.set(self.hull);
    }
}
