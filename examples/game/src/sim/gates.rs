//! The moving obstacles: gates that slide back and forth, and block the tiles under them.
use std::sync::Arc;

use stats_core::{Counter, Gauge, Timer};

use super::bodies::Bodies;
use super::level::{GateSite, Level};
use super::map::{Cell, TileMap, cell_of};
use super::{STEP, Vec2};

static MOVING: Timer =
    Timer::new("gates/move").describe("moving gates and marking the tiles under them");
static COUNT: Gauge = Gauge::new("gates/count").describe("gates of the level");
static TURNS: Counter =
    Counter::new("gates/turns").describe("gates that reached an end and turned back");
static COVERED: Gauge = Gauge::new("gates/covered-tiles").describe("tiles under gates");

/// The gates of a level, in the order of [`Level::gates`].
pub(crate) struct Gates {
    gates: Vec<Gate>,
}

/// The current state of one gate.
pub(crate) struct Gate {
    pub(crate) at: Vec2,
    pub(crate) half: Vec2,
    pub(crate) velocity: Vec2,
    /// The northwestern and the southeastern tile under the gate; `None` before its first step.
    covered: Option<(Cell, Cell)>,
    outward: bool,
}

impl Gates {
    pub(super) fn new(level: &Level) -> Self {
        COUNT.set(level.gates.len());
        let gate = |site: &GateSite| Gate {
            at: site.from,
            half: site.half,
            velocity: Vec2::ZERO,
            covered: None,
            outward: true,
        };
        Self {
            gates: level.gates.iter().map(gate).collect(),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Gate> {
        self.gates.iter()
    }

    /// Moves all gates to their positions at `time`, in the physics world and on the map.
    pub(super) fn step(&mut self, level: &mut Level, bodies: &mut Bodies, time: f32) {
        let _scope = stats_memory::scope!(MOVING);
        for (index, gate) in self.gates.iter_mut().enumerate() {
            let (to, outward) = position(&level.gates[index], time);
            if outward != std::mem::replace(&mut gate.outward, outward) {
                TURNS.increment();
            }
            gate.velocity = (to - gate.at) / STEP;
            gate.at = to;
            bodies.move_gate(index, to);
            gate.cover(&mut level.map);
        }
        COVERED.set(
            self.gates
                .iter()
                .map(|gate| gate.covered.map_or(0, area))
                .sum::<i32>(),
        );
    }
}

impl Gate {
    /// Updates the tiles under the gate, if they changed.
    fn cover(&mut self, map: &mut Arc<TileMap>) {
        let under = Some((cell_of(self.at - self.half), cell_of(self.at + self.half)));
        if under == self.covered {
            return;
        }
        // The workers have dropped their copies of the `Arc` by now, so this does not clone the
        // map.
        let map = Arc::make_mut(map);
        let left = std::mem::replace(&mut self.covered, under);
        under
            .into_iter()
            .flat_map(cells)
            .for_each(|cell| map.cover(cell, true));
        left.into_iter()
            .flat_map(cells)
            .for_each(|cell| map.cover(cell, false));
    }
}

/// Returns all tiles of the rectangle between two corners, inclusive.
fn cells((from, to): (Cell, Cell)) -> impl Iterator<Item = Cell> {
    (from.1..=to.1).flat_map(move |y| (from.0..=to.0).map(move |x| (x, y)))
}

const fn area((from, to): (Cell, Cell)) -> i32 {
    (to.0 - from.0 + 1) * (to.1 - from.1 + 1)
}

/// Returns the position of a gate at a time, and whether it is moving away from its start. A gate
/// rests briefly at both ends.
fn position(site: &GateSite, time: f32) -> (Vec2, bool) {
    let phase = (time / site.period + site.from.x * 0.37).fract() * 2.0;
    let (t, outward) = if phase < 1.0 {
        (phase, true)
    } else {
        (2.0 - phase, false)
    };
    let eased = ((t - 0.15) / 0.7).clamp(0.0, 1.0);
    (
        site.from.lerp(site.to, eased * eased * (3.0 - 2.0 * eased)),
        outward,
    )
}
