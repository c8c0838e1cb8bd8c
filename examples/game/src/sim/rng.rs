//! A small generator of reproducible pseudo-random numbers (SplitMix64), and noise built on it.
//! Each system has a stream of its own, so that one does not affect another.
use super::Vec2;

/// A stream of pseudo-random numbers that depends on its seed alone.
#[derive(Clone, Debug)]
pub(crate) struct Rng {
    state: u64,
}

impl Rng {
    #[cfg(test)]
    pub(super) const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Returns the stream number `label` of a seed. Streams of different labels are independent.
    pub(super) const fn stream(seed: u64, label: u64) -> Self {
        Self {
            state: mix(seed ^ mix(label.wrapping_add(0x9e37_79b9_7f4a_7c15))),
        }
    }

    /// Returns 64 uniform bits.
    pub(super) const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// Returns a number that is uniform in `0.0..1.0`.
    pub(super) const fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Returns a number that is uniform between two bounds.
    pub(super) const fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// Returns a number that is uniform in `0..below`, or 0 if `below` is 0.
    pub(super) const fn below(&mut self, below: usize) -> usize {
        if below == 0 {
            0
        } else {
            (self.next() % below as u64) as usize
        }
    }

    /// Returns `true` with this probability.
    pub(super) const fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    /// Returns a point that is uniform in the disc around the origin.
    pub(super) fn in_disc(&mut self, radius: f32) -> Vec2 {
        let (angle, distance) = (
            self.between(0.0, std::f32::consts::TAU),
            self.unit().sqrt() * radius,
        );
        Vec2::new(angle.cos(), angle.sin()) * distance
    }

    /// Returns the state, for a digest of the simulation.
    pub(super) const fn state(&self) -> u64 {
        self.state
    }
}

/// Applies the finalizer of SplitMix64: each input bit affects each output bit.
pub(super) const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns the value of a lattice point, in `0.0..1.0`. All noise interpolates between such values.
pub(super) const fn lattice(seed: u64, x: i32, y: i32) -> f32 {
    let z =
        mix(seed ^ ((x as u32 as u64) << 32 | y as u32 as u64).wrapping_mul(0xd6e8_feb8_6659_fd93));
    (z >> 40) as f32 / (1u64 << 24) as f32
}

/// Smooth value noise, in `0.0..1.0`.
pub(super) fn noise(seed: u64, at: Vec2) -> f32 {
    let cell = at.floor();
    let (x, y) = (cell.x as i32, cell.y as i32);
    let t = at - cell;
    let t = t * t * (Vec2::splat(3.0) - 2.0 * t);
    let row = |y| lattice(seed, x, y) + (lattice(seed, x + 1, y) - lattice(seed, x, y)) * t.x;
    row(y) + (row(y + 1) - row(y)) * t.y
}

/// Returns the sum of several octaves of [`noise`], in `0.0..1.0`.
pub(super) fn fractal(seed: u64, at: Vec2, octaves: u32) -> f32 {
    let (mut sum, mut weight, mut total) = (0.0, 0.5, 0.0);
    for octave in 0..octaves {
        sum += weight * noise(seed ^ u64::from(octave), at * (1 << octave) as f32);
        total += weight;
        weight *= 0.5;
    }
    sum / total
}
