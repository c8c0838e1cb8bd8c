//! Particles: sparks, smoke and glow, moved on the workers. They are visual only and do not affect
//! the game.
use stats_core::{Counter, Timer, UpDownCounter};

use super::jobs::{Pool, split};
use super::rng::Rng;
use super::{STEP, Vec2};

static STEPPING: Timer = Timer::new("particles/step")
    .budget(2.0)
    .describe("moving all particles: handing out, waiting, merging");
static MOVING: Timer =
    Timer::new("particles/moving").describe("moving particles, summed over the workers");
static ALIVE: UpDownCounter = UpDownCounter::new("particles/alive")
    .budget(10_000.0)
    .describe("live particles");
static DIED: Counter = Counter::new("particles/died").describe("particles that burned out");
static DROPPED: Counter = Counter::new("particles/dropped")
    .describe("particles not spawned because the limit was reached");
static EXHAUST: Counter =
    Counter::new("particles/spawned/exhaust").describe("particles from the ship's engine");
static TRAIL: Counter =
    Counter::new("particles/spawned/trail").describe("particles behind projectiles");
static SPARK: Counter = Counter::new("particles/spawned/spark").describe("particles from hits");
static BLAST: Counter =
    Counter::new("particles/spawned/blast").describe("particles from deaths and explosions");
static SPORE: Counter =
    Counter::new("particles/spawned/spore").describe("particles from hives and beacons");
static NOVA: Counter =
    Counter::new("particles/spawned/nova").describe("particles from the ship's nova");

/// The maximum number of live particles.
pub(super) const LIMIT: usize = 12_000;

/// The event that spawned a particle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    Exhaust,
    Trail,
    Spark,
    Blast,
    Spore,
    Nova,
}

impl Cause {
    const fn counter(self) -> &'static Counter {
        match self {
            Self::Exhaust => &EXHAUST,
            Self::Trail => &TRAIL,
            Self::Spark => &SPARK,
            Self::Blast => &BLAST,
            Self::Spore => &SPORE,
            Self::Nova => &NOVA,
        }
    }
}

/// One glowing dot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Particle {
    pub(crate) at: Vec2,
    pub(crate) velocity: Vec2,
    pub(crate) color: [f32; 3],
    pub(crate) size: f32,
    /// Seconds left to live.
    pub(crate) life: f32,
    /// Seconds to live when it was spawned.
    pub(crate) span: f32,
    pub(crate) drag: f32,
}

impl Particle {
    /// Returns the share of its life that is left, from 1 down to 0.
    pub(crate) fn freshness(&self) -> f32 {
        (self.life / self.span).clamp(0.0, 1.0)
    }
}

/// A number of particles to spawn at one point, and their appearance.
#[derive(Clone, Copy)]
pub(super) struct Burst {
    pub(super) cause: Cause,
    pub(super) count: usize,
    pub(super) at: Vec2,
    pub(super) velocity: Vec2,
    pub(super) spread: f32,
    pub(super) color: [f32; 3],
    pub(super) size: f32,
    pub(super) life: f32,
}

/// All particles.
pub(crate) struct Particles {
    particles: Vec<Particle>,
    rng: Rng,
}

impl Particles {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            particles: Vec::new(),
            rng: Rng::stream(seed, 7),
        }
    }

    pub(crate) fn as_slice(&self) -> &[Particle] {
        &self.particles
    }

    /// Spawns the particles of a burst, as far as the limit allows.
    pub(super) fn burst(&mut self, burst: Burst) {
        let count = burst.count.min(LIMIT - self.particles.len());
        DROPPED.add(burst.count - count);
        burst.cause.counter().add(count);
        ALIVE.add(count);
        let _name = stats_memory::alloc_name!("particles");
        for _ in 0..count {
            let life = burst.life * self.rng.between(0.4, 1.0);
            self.particles.push(Particle {
                at: burst.at,
                velocity: burst.velocity + self.rng.in_disc(burst.spread),
                color: burst.color.map(|c| c * self.rng.between(0.6, 1.3)),
                size: burst.size * self.rng.between(0.5, 1.4),
                life,
                span: life,
                drag: self.rng.between(1.0, 3.2),
            });
        }
    }

    /// Simulates one step on the workers.
    pub(super) fn step(&mut self, pool: &Pool) {
        let _scope = stats_memory::scope!(STEPPING);
        let before = self.particles.len();
        let all = std::mem::take(&mut self.particles);
        let chunks: Vec<Vec<Particle>> = split(before, pool.workers())
            .map(|range| all[range].to_vec())
            .collect();
        self.particles = all;
        self.particles.clear();
        for part in pool.run(
            chunks
                .into_iter()
                .map(|chunk| move || advance(chunk))
                .collect(),
        ) {
            self.particles.extend(part);
        }
        DIED.add(before - self.particles.len());
        ALIVE.add(-((before - self.particles.len()) as f64));
    }
}

impl Drop for Particles {
    fn drop(&mut self) {
        ALIVE.add(-(self.particles.len() as f64));
    }
}

fn advance(mut particles: Vec<Particle>) -> Vec<Particle> {
    let _moving = MOVING.scope();
    for particle in &mut particles {
        particle.at += particle.velocity * STEP;
        particle.velocity *= 1.0 - particle.drag * STEP;
        particle.life -= STEP;
    }
    particles.retain(|particle| particle.life > 0.0);
    particles
}

#[cfg(test)]
mod tests {
    use super::*;

    const BURST: Burst = Burst {
        cause: Cause::Spark,
        count: 100,
        at: Vec2::ZERO,
        velocity: Vec2::ZERO,
        spread: 1.0,
        color: [1.0; 3],
        size: 0.1,
        life: 0.5,
    };

    #[test]
    fn particles_die_at_the_end_of_their_life() {
        let (pool, mut particles) = (Pool::new(2), Particles::new(1));
        particles.burst(BURST);
        assert_eq!(particles.as_slice().len(), 100);
        for _ in 0..31 {
            particles.step(&pool);
        }
        assert!(particles.as_slice().is_empty());
    }

    #[test]
    fn a_burst_never_exceeds_the_limit() {
        let mut particles = Particles::new(1);
        particles.burst(Burst {
            count: LIMIT + 5,
            ..BURST
        });
        particles.burst(BURST);
        assert_eq!(particles.as_slice().len(), LIMIT);
    }
}
