//! A small generator of reproducible numbers (SplitMix64): one stream for each system, so that they
//! do not disturb each other.
use super::Vec2;

/// A stream of pseudo-random numbers, wholly decided by its seed.
#[derive(Clone, Debug)]
pub(crate) struct Rng {
    state: u64,
}

impl Rng {
    #[cfg(test)]
    pub(crate) const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// An independent stream named by `label`.
    pub(crate) const fn stream(seed: u64, label: u64) -> Self {
        Self {
            state: mix(seed ^ mix(label.wrapping_add(0x9e37_79b9_7f4a_7c15))),
        }
    }

    pub(crate) const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// Uniform in `0.0..1.0`.
    pub(crate) const fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Uniform between two numbers.
    pub(crate) const fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// Uniform in `0..below`; 0 when `below` is 0.
    pub(crate) const fn below(&mut self, below: usize) -> usize {
        if below == 0 {
            0
        } else {
            (self.next() % below as u64) as usize
        }
    }

    /// Whether an event of this probability happens.
    pub(crate) const fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    /// A point within the disc around the origin.
    pub(crate) fn in_disc(&mut self, radius: f32) -> Vec2 {
        let (angle, distance) = (
            self.between(0.0, std::f32::consts::TAU),
            self.unit().sqrt() * radius,
        );
        Vec2::new(angle.cos(), angle.sin()) * distance
    }

    /// The state, for a hash of the simulation.
    pub(crate) const fn state(&self) -> u64 {
        self.state
    }
}

/// The finaliser of SplitMix64: every input bit reaches every output bit.
pub(crate) const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A value in `0.0..1.0` for a lattice point: the ground of all noise.
pub(crate) const fn lattice(seed: u64, x: i32, y: i32) -> f32 {
    let z =
        mix(seed ^ ((x as u32 as u64) << 32 | y as u32 as u64).wrapping_mul(0xd6e8_feb8_6659_fd93));
    (z >> 40) as f32 / (1u64 << 24) as f32
}

/// Smooth value noise in `0.0..1.0`.
pub(crate) fn noise(seed: u64, at: Vec2) -> f32 {
    let cell = at.floor();
    let (x, y) = (cell.x as i32, cell.y as i32);
    let t = at - cell;
    let t = t * t * (Vec2::splat(3.0) - 2.0 * t);
    let row = |y| lattice(seed, x, y) + (lattice(seed, x + 1, y) - lattice(seed, x, y)) * t.x;
    row(y) + (row(y + 1) - row(y)) * t.y
}

/// Several octaves of [`noise`], in `0.0..1.0`.
pub(crate) fn fractal(seed: u64, at: Vec2, octaves: u32) -> f32 {
    let (mut sum, mut weight, mut total) = (0.0, 0.5, 0.0);
    for octave in 0..octaves {
        sum += weight * noise(seed ^ u64::from(octave), at * (1 << octave) as f32);
        total += weight;
        weight *= 0.5;
    }
    sum / total
}
