//! Gathers the instances to draw in a frame: the parts of the simulation that the camera sees.
use stats_core::{Counter, Gauge, Timer};

use crate::camera::Camera;
use crate::sim::agents::Kind;
use crate::sim::bodies::Shape;
use crate::sim::player::NOVA_RADIUS;
use crate::sim::projectiles::Shot;
use crate::sim::{Sim, Vec2};

static EXTRACT: Timer = Timer::new("render/extract")
    .budget(3.0)
    .describe("gathering what the camera sees");
static AGENTS_SEEN: Counter = Counter::new("render/visible/agents").describe("agents drawn");
static AGENTS_CULLED: Counter = Counter::new("render/culled/agents").describe("agents out of view");
static BODIES_SEEN: Counter =
    Counter::new("render/visible/bodies").describe("rocks, crates and gates drawn");
static BODIES_CULLED: Counter =
    Counter::new("render/culled/bodies").describe("rocks, crates and gates out of view");
static PARTICLES_SEEN: Counter =
    Counter::new("render/visible/particles").describe("particles drawn");
static PARTICLES_CULLED: Counter =
    Counter::new("render/culled/particles").describe("particles out of view");
static WALLS_SEEN: Counter = Counter::new("render/visible/walls").describe("wall tiles drawn");
static LIGHTS_SEEN: Counter = Counter::new("render/visible/lights").describe("lights drawn");
static LIGHTS_CULLED: Counter = Counter::new("render/culled/lights").describe("lights out of view");
static SHADOWS: Counter =
    Counter::new("render/visible/shadow-lights").describe("lights drawn that cast shadows");
static DENSITY: Gauge =
    Gauge::new("camera/agents-per-tile").describe("agents drawn per visible tile");

/// An instance of the sprite shader.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct Sprite {
    pub(super) at: [f32; 2],
    pub(super) half: [f32; 2],
    pub(super) angle: f32,
    pub(super) height: f32,
    pub(super) shape: u32,
    pub(super) seed: f32,
    pub(super) color: [f32; 4],
}

/// An instance of the light shader.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct Light {
    pub(super) at: [f32; 2],
    pub(super) radius: f32,
    pub(super) size: f32,
    pub(super) color: [f32; 3],
    pub(super) steps: f32,
}

/// An instance of the particle shader.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct Spark {
    pub(super) at: [f32; 2],
    pub(super) direction: [f32; 2],
    pub(super) width: f32,
    pub(super) shape: f32,
    pub(super) color: [f32; 3],
}

/// An instance of the wall shader.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct WallTile {
    pub(super) at: [f32; 2],
    pub(super) sides: u32,
    pub(super) seed: f32,
}

/// The shapes of the sprite shader.
mod shape {
    pub(super) const MOTE: u32 = 0;
    pub(super) const HUNTER: u32 = 1;
    pub(super) const SPITTER: u32 = 2;
    pub(super) const CARRIER: u32 = 3;
    pub(super) const SHIP: u32 = 4;
    pub(super) const ROCK: u32 = 5;
    pub(super) const CRATE: u32 = 6;
    pub(super) const GATE: u32 = 7;
    pub(super) const HIVE: u32 = 8;
    pub(super) const BEACON: u32 = 9;
    pub(super) const SHADOW: u32 = 10;
}

/// The instances of a frame. The memory is reused from frame to frame, so that nothing is allocated
/// in the steady state.
#[derive(Default)]
pub(super) struct Scene {
    pub(super) shadows: Vec<Sprite>,
    pub(super) sprites: Vec<Sprite>,
    pub(super) lights: Vec<Light>,
    pub(super) sparks: Vec<Spark>,
    pub(super) walls: Vec<WallTile>,
}

/// The point of view of a frame: the camera, the seconds since the last simulation step, and the
/// number of steps of shadow marching.
#[derive(Clone, Copy)]
struct Eye<'a> {
    camera: &'a Camera,
    lead: f32,
    steps: f32,
}

impl Scene {
    /// Gathers what is visible, `lead` seconds after the last simulation step.
    pub(super) fn gather(&mut self, sim: &Sim, camera: &Camera, lead: f32, shadow_steps: f32) {
        let _extract = EXTRACT.scope();
        let _memory = stats_memory::scope!("extract");
        self.shadows.clear();
        self.sprites.clear();
        self.lights.clear();
        self.sparks.clear();
        self.walls.clear();
        let eye = Eye {
            camera,
            lead,
            steps: shadow_steps,
        };
        self.walls(sim, camera);
        self.sites(sim, eye);
        self.bodies(sim, eye);
        self.agents(sim, eye);
        self.ship(sim, eye);
        self.shots(sim, eye);
        self.particles(sim, eye);
        SHADOWS.add(self.lights.iter().filter(|light| light.size > 0.0).count());
    }

    fn walls(&mut self, sim: &Sim, camera: &Camera) {
        let map = &sim.stage.level.map;
        let (from, to) = camera.tiles();
        for y in from.1..=to.1 {
            for x in from.0..=to.0 {
                if map.is_wall((x, y))
                    && x >= -2
                    && y >= -2
                    && x < map.width() + 2
                    && y < map.height() + 2
                {
                    let open = [(1, 0), (-1, 0), (0, 1), (0, -1)]
                        .map(|(dx, dy)| !map.is_wall((x + dx, y + dy)));
                    let sides = (0..4).map(|side| u32::from(open[side]) << side).sum();
                    let seed = (x.wrapping_mul(73_856_093) ^ y.wrapping_mul(19_349_663))
                        .rem_euclid(997) as f32
                        / 997.0;
                    self.walls.push(WallTile {
                        at: [x as f32, y as f32],
                        sides,
                        seed,
                    });
                }
            }
        }
        WALLS_SEEN.add(self.walls.len());
    }

    fn sites(&mut self, sim: &Sim, eye: Eye<'_>) {
        let stage = &sim.stage;
        for (index, &at) in stage.level.beacons.iter().enumerate() {
            self.sprite(
                eye,
                at,
                0.7,
                0.0,
                0.02,
                shape::BEACON,
                index as f32 * 0.1,
                [0.25, 1.5, 1.2, 1.0],
            );
            self.light(eye, at, 8.5, 0.35, [0.16, 0.85, 0.72]);
        }
        for (index, hive) in stage
            .hives
            .iter()
            .enumerate()
            .filter(|(_, hive)| hive.health > 0)
        {
            let glow = 1.0 + f32::from(hive.flash) * 0.8;
            self.shadow(eye, hive.at, 1.7);
            self.sprite(
                eye,
                hive.at,
                1.3,
                0.0,
                0.10,
                shape::HIVE,
                index as f32 * 0.17,
                [1.9, 0.22, 0.55, glow],
            );
            self.light(eye, hive.at, 10.0, 0.6, [1.15, 0.16, 0.38]);
        }
        let home = stage.level.landing;
        self.sprite(
            eye,
            home,
            1.1,
            0.3,
            0.01,
            shape::BEACON,
            0.9,
            [1.8, 1.1, 0.4, 0.8],
        );
        self.light(eye, home, 11.0, 0.5, [1.5, 0.95, 0.45]);
    }

    fn bodies(&mut self, sim: &Sim, eye: Eye<'_>) {
        let bodies = &sim.stage.bodies;
        for prop in bodies.props() {
            let pose = bodies.prop_pose(prop);
            let (shape, seed) = (
                if prop.shape == Shape::Rock {
                    shape::ROCK
                } else {
                    shape::CRATE
                },
                (prop.seed % 1000) as f32 / 1000.0,
            );
            let at = pose.at + pose.velocity * eye.lead;
            self.shadow(eye, at, prop.radius * 1.25);
            let seen = self.sprite(
                eye,
                at,
                prop.radius,
                pose.angle + pose.spin * eye.lead,
                0.08,
                shape,
                seed,
                [0.0; 4],
            );
            (if seen { &BODIES_SEEN } else { &BODIES_CULLED }).increment();
        }
        for gate in sim.stage.gates.iter() {
            let at = gate.at + gate.velocity * eye.lead;
            let seen = eye.camera.sees(at, gate.half.max_element() + 1.0);
            (if seen { &BODIES_SEEN } else { &BODIES_CULLED }).increment();
            if seen {
                let sprite = Sprite {
                    at: at.into(),
                    half: gate.half.into(),
                    angle: 0.0,
                    height: 0.45,
                    shape: shape::GATE,
                    seed: 0.0,
                    color: [0.0; 4],
                };
                self.sprites.push(sprite);
            }
        }
    }

    fn agents(&mut self, sim: &Sim, eye: Eye<'_>) {
        let mut seen = 0;
        for agent in sim.stage.agents.iter() {
            let at = agent.at + agent.velocity * eye.lead;
            if !eye.camera.sees(at, 1.0) {
                continue;
            }
            seen += 1;
            let angle = agent.velocity.y.atan2(agent.velocity.x);
            let glow = 1.0 + f32::from(agent.flash) * 0.6;
            let seed = (agent.seed % 1000) as f32 / 1000.0;
            let (shape, half, color) = match agent.kind {
                Kind::Mote => (shape::MOTE, 0.21, mote_color(agent.squad, seed)),
                Kind::Hunter => (shape::HUNTER, 0.46, [2.2, 0.42, 0.10]),
                Kind::Spitter => (shape::SPITTER, 0.50, [1.9, 0.30, 1.3]),
                Kind::Carrier => (shape::CARRIER, 0.55, [1.35, 0.85, 0.20]),
            };
            if agent.kind != Kind::Mote {
                self.shadow(eye, at, half * 1.2);
            }
            self.sprite(
                eye,
                at,
                half,
                angle,
                0.12,
                shape,
                seed,
                [color[0], color[1], color[2], glow],
            );
            match agent.kind {
                Kind::Spitter => self.light(eye, at, 2.6, 0.0, [0.20, 0.035, 0.14]),
                Kind::Carrier => self.light(
                    eye,
                    at + agent.velocity * 0.4,
                    2.4,
                    0.0,
                    [0.085, 0.060, 0.016],
                ),
                Kind::Hunter => self.light(eye, at, 1.6, 0.0, [0.12, 0.028, 0.008]),
                Kind::Mote => {}
            }
        }
        AGENTS_SEEN.add(seen);
        AGENTS_CULLED.add(sim.stage.agents.len() - seen);
        DENSITY.set(seen as f32 / eye.camera.visible_tiles().max(1.0));
    }

    fn ship(&mut self, sim: &Sim, eye: Eye<'_>) {
        let (player, pose) = (&sim.player, sim.stage.bodies.ship());
        if !player.is_alive() {
            return;
        }
        let at = pose.at + pose.velocity * eye.lead;
        let engine = 0.4 + player.thrust.length() * 2.2;
        self.shadow(eye, at, 0.95);
        let heat = f32::from(player.flash) * 0.25;
        self.sprite(
            eye,
            at,
            0.92,
            player.aim.y.atan2(player.aim.x),
            0.20,
            shape::SHIP,
            0.0,
            [2.2 + heat, 0.9, 0.3, engine],
        );
        self.light(eye, at, 14.0, 0.30, [0.62, 0.68, 0.78]);
        self.light(eye, at + player.aim * 3.5, 6.5, 0.0, [0.24, 0.29, 0.36]);
        let age = player.nova_age as f32 / 34.0;
        if age < 1.0 {
            let (fade, radius) = (
                (1.0 - age) * (1.0 - age),
                NOVA_RADIUS * (1.0 - (1.0 - age).powi(3)),
            );
            self.sparks.push(Spark {
                at: at.into(),
                direction: [0.0; 2],
                width: radius,
                shape: 2.0,
                color: [0.8 * fade, 2.2 * fade, 3.4 * fade],
            });
            self.light(eye, at, 15.0, 0.5, [1.0 * fade, 2.4 * fade, 3.4 * fade]);
        }
    }

    fn shots(&mut self, sim: &Sim, eye: Eye<'_>) {
        for shot in sim.stage.shots.as_slice() {
            let at = shot.at + shot.velocity * eye.lead;
            if !eye.camera.sees(at, 1.0) {
                continue;
            }
            let (direction, width, light) = match shot.shot {
                Shot::Bolt => (shot.velocity * 0.016, 0.17, [0.07, 0.30, 0.44]),
                Shot::Orb => (Vec2::ZERO, 0.34, [0.55, 0.10, 0.22]),
            };
            self.sparks.push(Spark {
                at: at.into(),
                direction: direction.into(),
                width,
                shape: 1.0,
                color: shot.shot.color().map(|c| c * 1.5),
            });
            self.light(eye, at, 3.4, 0.0, light);
        }
    }

    fn particles(&mut self, sim: &Sim, eye: Eye<'_>) {
        let mut seen = 0;
        for particle in sim.stage.particles.as_slice() {
            if !eye.camera.sees(particle.at, 0.5) {
                continue;
            }
            seen += 1;
            let fresh = particle.freshness();
            let at = particle.at + particle.velocity * eye.lead;
            let color = particle.color.map(|c| c * fresh * fresh.sqrt() * 0.8);
            let width = particle.size * (0.6 + 0.6 * fresh);
            self.sparks.push(Spark {
                at: at.into(),
                direction: (particle.velocity * 0.02).into(),
                width,
                shape: 0.0,
                color,
            });
        }
        PARTICLES_SEEN.add(seen);
        PARTICLES_CULLED.add(sim.stage.particles.as_slice().len() - seen);
    }

    /// Adds a light if it is in view.
    fn light(&mut self, eye: Eye<'_>, at: Vec2, radius: f32, size: f32, color: [f32; 3]) {
        if eye.camera.sees(at, radius) {
            LIGHTS_SEEN.increment();
            self.lights.push(Light {
                at: at.into(),
                radius,
                size,
                color,
                steps: eye.steps,
            });
        } else {
            LIGHTS_CULLED.increment();
        }
    }

    /// Adds the shadow of a disc if it is in view.
    fn shadow(&mut self, eye: Eye<'_>, at: Vec2, radius: f32) {
        if eye.camera.sees(at, radius) {
            let half = [radius; 2];
            let at = (at + Vec2::new(0.10, 0.14)).into();
            self.shadows.push(Sprite {
                at,
                half,
                angle: 0.0,
                height: 0.01,
                shape: shape::SHADOW,
                seed: 0.0,
                color: [0.0; 4],
            });
        }
    }

    /// Adds a sprite if it is in view, and returns whether it is.
    #[expect(
        clippy::too_many_arguments,
        reason = "one argument for each field of the instance"
    )]
    fn sprite(
        &mut self,
        eye: Eye<'_>,
        at: Vec2,
        half: f32,
        angle: f32,
        height: f32,
        shape: u32,
        seed: f32,
        color: [f32; 4],
    ) -> bool {
        let seen = eye.camera.sees(at, half * 1.3);
        if seen {
            self.sprites.push(Sprite {
                at: at.into(),
                half: [half; 2],
                angle,
                height,
                shape,
                seed,
                color,
            });
        }
        seen
    }
}

/// Returns the color of a mote: that of its flock, slightly varied.
fn mote_color(flock: u16, seed: f32) -> [f32; 3] {
    let base = match flock % 4 {
        0 => [0.15, 1.25, 1.00],
        1 => [0.20, 0.75, 1.45],
        2 => [0.75, 1.20, 0.25],
        _ => [1.15, 0.45, 1.25],
    };
    base.map(|c: f32| c * (0.7 + 0.6 * seed))
}
