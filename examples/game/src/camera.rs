//! The camera: it follows the ship, looks ahead, zooms, and decides what is visible.
use stats_core::{Counter, CounterHandle, Gauge, Unit};

use crate::memory::RENDERING;
use crate::sim::map::Cell;
use crate::sim::{STEP, Sim, Vec2};

static X: Gauge = Gauge::new("camera/x")
    .unit(Unit::Meters)
    .describe("center of the view, from west to east");
static Y: Gauge = Gauge::new("camera/y")
    .unit(Unit::Meters)
    .describe("center of the view, from north to south");
static ZOOM: Gauge = Gauge::new("camera/zoom")
    .unit(Unit::Custom("px/m"))
    .describe("pixels per meter");
static SPEED: Gauge = Gauge::new("camera/speed")
    .unit(Unit::MetersPerSecond)
    .describe("speed of the view");
static TILES: Gauge = Gauge::new("camera/visible-tiles").describe("tiles in view");
static REGION: Gauge = Gauge::new("camera/region")
    .describe("region at the center of the view: 0, 1 or 2 from west to east");
static CROSSINGS: Counter = Counter::new("camera/region-changes")
    .describe("times that the center of the view entered another region");

/// Meters from the top to the bottom of the view, at first.
const HEIGHT: f32 = 21.0;
/// The range of that height that zooming allows.
const HEIGHTS: std::ops::RangeInclusive<f32> = 10.0..=64.0;
/// How far the camera looks toward the aim, in meters.
const LOOK_AHEAD: f32 = 2.2;

/// The position and the size of the view.
pub(crate) struct Camera {
    center: Vec2,
    velocity: Vec2,
    height: f32,
    aspect: f32,
    pixels: f32,
    region: usize,
    shake: f32,
    /// The number of the stage, and the counters of the frames over each of its regions.
    frames_over: Option<(u64, [CounterHandle; 3])>,
}

impl Camera {
    pub(crate) fn new(sim: &Sim) -> Self {
        let center = sim.stage.bodies.ship().at;
        Self {
            center,
            velocity: Vec2::ZERO,
            height: HEIGHT,
            aspect: 1.6,
            pixels: 800.0,
            region: 0,
            shake: 0.0,
            frames_over: None,
        }
    }

    pub(crate) const fn center(&self) -> Vec2 {
        self.center
    }

    /// Returns the center of the view, `lead` seconds after the last simulation step.
    pub(crate) fn center_ahead(&self, lead: f32) -> Vec2 {
        let shake =
            Vec2::new((self.shake * 91.0).sin(), (self.shake * 73.0).cos()) * self.shake * 0.05;
        self.center + self.velocity * lead + shake
    }

    /// Returns the normalized device units per meter.
    pub(crate) fn scale(&self) -> Vec2 {
        Vec2::new(2.0 / (self.height * self.aspect), 2.0 / self.height)
    }

    fn half(&self) -> Vec2 {
        Vec2::new(self.height * self.aspect, self.height) / 2.0
    }

    /// Sets the size of the window, in pixels.
    pub(crate) fn resize(&mut self, (width, height): (u32, u32)) {
        self.aspect = width.max(1) as f32 / height.max(1) as f32;
        self.pixels = height.max(1) as f32;
    }

    /// Zooms in by this many notches of the mouse wheel, or out if negative.
    pub(crate) fn zoom(&mut self, notches: f32) {
        self.height = (self.height * 0.9f32.powf(notches)).clamp(*HEIGHTS.start(), *HEIGHTS.end());
    }

    /// Returns the point of the world under a pixel.
    pub(crate) fn world_at(&self, pixel: Vec2) -> Vec2 {
        let per_pixel = self.height / self.pixels;
        self.center + (pixel - Vec2::new(self.pixels * self.aspect, self.pixels) / 2.0) * per_pixel
    }

    /// Follows the ship for one simulation step.
    pub(crate) fn follow(&mut self, sim: &Sim) {
        let ship = sim.stage.bodies.ship();
        let target = ship.at + ship.velocity * 0.25 + sim.player.aim * LOOK_AHEAD;
        let before = self.center;
        if target.distance(self.center) > 30.0 {
            self.center = target;
        } else {
            self.center += (target - self.center) * (3.0 * STEP);
        }
        // The view stays over the level, with a margin for the height of the walls.
        let (margin, size) = (self.half() - Vec2::splat(1.0), sim.stage.level.map.size());
        self.center = self
            .center
            .max(margin.min(size / 2.0))
            .min((size - margin).max(size / 2.0));
        self.velocity = ((self.center - before) / STEP).clamp_length_max(30.0);
        let jolt =
            f32::from(sim.player.flash) / 8.0 + if sim.player.nova_age < 12 { 1.5 } else { 0.0 };
        self.shake = (self.shake * 0.9).max(jolt.min(2.0));
    }

    /// Returns whether a disc may be in view. Allows a margin for the height of the walls and the
    /// shaking of the camera.
    pub(crate) fn sees(&self, at: Vec2, radius: f32) -> bool {
        let offset = (at - self.center).abs();
        let half = self.half() + Vec2::splat(radius + 0.6);
        offset.x < half.x && offset.y < half.y
    }

    /// Returns the northwestern and the southeastern tile in view.
    pub(crate) fn tiles(&self) -> (Cell, Cell) {
        let half = self.half() + Vec2::splat(0.5);
        (
            crate::sim::map::cell_of(self.center - half),
            crate::sim::map::cell_of(self.center + half),
        )
    }

    pub(crate) fn visible_tiles(&self) -> f32 {
        let (from, to) = self.tiles();
        ((to.0 - from.0 + 1) * (to.1 - from.1 + 1)) as f32
    }

    /// Sets the camera's gauges at the end of a frame.
    pub(crate) fn publish(&mut self, sim: &Sim) {
        let _memory = stats_memory::scope!("camera", group: RENDERING);
        let region = sim.stage.level.region_at(self.center);
        if std::mem::replace(&mut self.region, region) != region {
            CROSSINGS.increment();
        }
        self.frames_over(sim)[region].increment();
        X.set(self.center.x);
        Y.set(self.center.y);
        ZOOM.set(self.pixels / self.height);
        SPEED.set(self.velocity.length());
        TILES.set(self.visible_tiles());
        REGION.set(region);
    }

    /// Returns the counters of the level's regions, looked up once per level.
    fn frames_over(&mut self, sim: &Sim) -> [CounterHandle; 3] {
        let lookup = || {
            let counter = |name| {
                stats_core::counter(&format!("camera/frames-over/{name}"))
                    .describe("frames with this region at the center of the view")
            };
            (
                sim.stage_number,
                sim.stage.level.regions.map(|region| counter(region.name)),
            )
        };
        if self
            .frames_over
            .is_none_or(|(stage, _)| stage != sim.stage_number)
        {
            self.frames_over = Some(lookup());
        }
        self.frames_over.unwrap_or_else(lookup).1
    }
}
