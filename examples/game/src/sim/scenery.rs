//! The scenery of a level, which only a renderer needs: a distance field with masks, and a ground
//! texture. It is baked on the workers when the level is loaded.
use std::sync::Arc;

use stats_core::{Counter, Timer};

use super::Vec2;
use super::jobs::{Pool, split};
use super::level::Ground;
use super::map::TileMap;
use super::rng::{fractal, noise};

static BAKE: Timer = Timer::new("level/bake").describe("baking a level's scenery on the workers");
static TEXELS: Counter = Counter::new("level/baked-texels").describe("texels baked for levels");

/// Texels of the field per tile.
pub(crate) const FIELD_TEXELS: usize = 8;
/// The largest distance that the field can store, in meters.
pub(crate) const FIELD_REACH: f32 = 5.0;
/// The side of the ground texture, in texels. It repeats every [`GROUND_TILES`] tiles.
pub(crate) const GROUND_SIDE: usize = 512;
/// The side of one repetition of the ground texture, in tiles.
pub(super) const GROUND_TILES: usize = 16;

/// The baked textures of a level.
pub(crate) struct Scenery {
    pub(crate) field_size: (usize, usize),
    /// Red: distance to the nearest wall. Green: tint. Blue: glowing veins. Alpha: grime.
    pub(crate) field: Vec<[u8; 4]>,
    /// Red: lightness. Green and blue: slope. Alpha: wetness.
    pub(crate) ground: Vec<[u8; 4]>,
}

impl Scenery {
    pub(super) fn bake(
        ground: Ground,
        seed: u64,
        map: &Arc<TileMap>,
        hives: &[Vec2],
        pool: &Pool,
    ) -> Self {
        let _scope = stats_memory::scope!(BAKE);
        let field_size = (
            map.width() as usize * FIELD_TEXELS,
            map.height() as usize * FIELD_TEXELS,
        );
        let distances = Arc::new(distance_field(map, field_size));
        let hives: Arc<[Vec2]> = hives.into();
        let rows = split(field_size.1, pool.workers() * 2).map(|rows| {
            let (distances, hives) = (Arc::clone(&distances), Arc::clone(&hives));
            move || field_rows(ground, seed, field_size.0, rows, &distances, &hives)
        });
        let parts = pool.run(rows.collect());
        let field = {
            let _name = stats_memory::alloc_name!("distance field");
            parts.concat()
        };
        let rows = split(GROUND_SIDE, pool.workers() * 2)
            .map(|rows| move || ground_rows(ground, seed, rows));
        let ground = slopes(&pool.run(rows.collect()).concat());
        TEXELS.add(field.len() + ground.len());
        Self {
            field_size,
            field,
            ground,
        }
    }

    /// Returns the memory that it occupies, in bytes.
    pub(super) const fn bytes(&self) -> usize {
        (self.field.capacity() + self.ground.capacity()) * 4
    }
}

/// Encodes a distance as the field stores it.
pub(crate) fn encode_distance(meters: f32) -> u8 {
    (meters / FIELD_REACH * 255.0).clamp(0.0, 255.0) as u8
}

/// Returns the distance to the nearest wall in meters, by the exact two-pass transform of
/// Felzenszwalb and Huttenlocher (2012).
fn distance_field(map: &TileMap, (width, height): (usize, usize)) -> Vec<f32> {
    let _name = stats_memory::alloc_name!("distances");
    let wall =
        |x: usize, y: usize| map.is_wall(((x / FIELD_TEXELS) as i32, (y / FIELD_TEXELS) as i32));
    let far = (width * width + height * height) as f32;
    let mut squared: Vec<f32> = (0..width * height)
        .map(|at| {
            if wall(at % width, at / width) {
                0.0
            } else {
                far
            }
        })
        .collect();
    let mut line = vec![0.0; width.max(height)];
    for row in squared.chunks_mut(width) {
        line[..width].copy_from_slice(row);
        envelope(&line[..width], row);
    }
    let mut column = vec![0.0; height];
    for x in 0..width {
        for y in 0..height {
            line[y] = squared[y * width + x];
        }
        envelope(&line[..height], &mut column);
        for y in 0..height {
            squared[y * width + x] = column[y];
        }
    }
    squared
        .into_iter()
        .map(|squared| squared.sqrt() / FIELD_TEXELS as f32)
        .collect()
}

/// Runs one pass: computes the lower envelope of the parabolas that start at `heights`.
fn envelope(heights: &[f32], out: &mut [f32]) {
    let mut hulls: Vec<(usize, f32)> = Vec::with_capacity(heights.len());
    for (at, &height) in heights.iter().enumerate() {
        let mut start = f32::NEG_INFINITY;
        while let Some(&(top, from)) = hulls.last() {
            let (a, b) = (at as f32, top as f32);
            start = ((height + a * a) - (heights[top] + b * b)) / (2.0 * (a - b));
            if start > from {
                break;
            }
            hulls.pop();
            start = f32::NEG_INFINITY;
        }
        hulls.push((at, start));
    }
    let mut hull = 0;
    for (at, out) in out.iter_mut().enumerate() {
        while hulls
            .get(hull + 1)
            .is_some_and(|&(_, start)| start <= at as f32)
        {
            hull += 1;
        }
        let top = hulls[hull].0;
        *out = (at as f32 - top as f32).powi(2) + heights[top];
    }
}

fn field_rows(
    ground: Ground,
    seed: u64,
    width: usize,
    rows: std::ops::Range<usize>,
    distances: &[f32],
    hives: &[Vec2],
) -> Vec<[u8; 4]> {
    rows.flat_map(|y| (0..width).map(move |x| (x, y)))
        .map(|(x, y)| {
            let at = Vec2::new(x as f32, y as f32) / FIELD_TEXELS as f32;
            let tint = fractal(seed ^ 11, at * 0.06, 4);
            let grime = fractal(seed ^ 12, at * 0.35, 3);
            [
                encode_distance(distances[y * width + x]),
                byte(tint),
                byte(veins(ground, seed, at, hives)),
                byte(grime),
            ]
        })
        .collect()
}

/// Returns the glow of veins: ridges of noise in caves, channels of melt in a foundry. They are
/// dense around the hives.
fn veins(ground: Ground, seed: u64, at: Vec2, hives: &[Vec2]) -> f32 {
    let nearest = hives
        .iter()
        .map(|hive| hive.distance(at))
        .fold(f32::MAX, f32::min);
    let near = (1.0 - nearest / 15.0).max(0.0);
    let scale = if ground == Ground::Caves { 0.22 } else { 0.12 };
    let ridge = 1.0 - (2.0 * fractal(seed ^ 13, at * scale, 3) - 1.0).abs();
    let edge = if ground == Ground::Caves { 0.93 } else { 0.91 };
    let sharp = ((ridge - edge) / (1.0 - edge)).clamp(0.0, 1.0);
    let patch = ((noise(seed ^ 14, at * 0.05) - 0.62) / 0.2).clamp(0.0, 1.0);
    sharp * sharp * (near * 1.4 + patch * 0.6).min(1.0)
}

/// Returns the lightness and wetness of the ground texture.
fn ground_rows(ground: Ground, seed: u64, rows: std::ops::Range<usize>) -> Vec<[f32; 2]> {
    let tiles = GROUND_TILES as f32;
    rows.flat_map(|y| (0..GROUND_SIDE).map(move |x| (x, y)))
        .map(|(x, y)| {
            let at = Vec2::new(x as f32, y as f32) * (tiles / GROUND_SIDE as f32);
            let rock = repeating(seed ^ 21, at * 1.0, GROUND_TILES, 5);
            let wet = repeating(seed ^ 22, at * 0.5, GROUND_TILES / 2, 3);
            if ground == Ground::Caves {
                [rock, wet]
            } else {
                [plates(seed, at) * 0.75 + rock * 0.25, wet]
            }
        })
        .collect()
}

/// Fractal noise that repeats every `period` lattice cells.
fn repeating(seed: u64, at: Vec2, period: usize, octaves: u32) -> f32 {
    let (mut sum, mut weight, mut total) = (0.0, 0.5, 0.0);
    for octave in 0..octaves {
        let period = (period << octave) as f32;
        let p = at * (1 << octave) as f32;
        let cell = p.floor();
        let t = p - cell;
        let t = t * t * (Vec2::splat(3.0) - 2.0 * t);
        let value = |dx: f32, dy: f32| {
            super::rng::lattice(
                seed ^ u64::from(octave),
                (cell.x + dx).rem_euclid(period) as i32,
                (cell.y + dy).rem_euclid(period) as i32,
            )
        };
        let row = |dy| value(0.0, dy) + (value(1.0, dy) - value(0.0, dy)) * t.x;
        sum += weight * (row(0.0) + (row(1.0) - row(0.0)) * t.y);
        total += weight;
        weight *= 0.5;
    }
    sum / total
}

/// Returns the lightness of beveled steel plates with rivets. It varies from plate to plate.
fn plates(seed: u64, at: Vec2) -> f32 {
    let row = (at.y / 2.0).floor();
    let along = at.x + if row as i32 % 2 == 0 { 0.0 } else { 2.0 };
    let plate = ((along / 4.0).floor().rem_euclid(4.0), row);
    let inside = Vec2::new(along.rem_euclid(4.0), at.y.rem_euclid(2.0));
    let edge = inside
        .x
        .min(4.0 - inside.x)
        .min(inside.y)
        .min(2.0 - inside.y);
    let bevel = (edge / 0.09).clamp(0.0, 1.0);
    let corner =
        Vec2::new(inside.x.min(4.0 - inside.x), inside.y.min(2.0 - inside.y)) - Vec2::splat(0.22);
    let rivet = if corner.length() < 0.07 { 0.18 } else { 0.0 };
    let scratch = if repeating(
        seed ^ 23,
        Vec2::new(at.x * 1.0, at.y * 8.0),
        GROUND_TILES,
        2,
    ) > 0.72
    {
        0.06
    } else {
        0.0
    };
    bevel
        * (0.45
            + 0.3 * super::rng::lattice(seed ^ 24, plate.0 as i32, plate.1 as i32)
            + rivet
            + scratch)
}

/// Adds the slope of the lightness in green and blue, for light from the side.
fn slopes(ground: &[[f32; 2]]) -> Vec<[u8; 4]> {
    let _name = stats_memory::alloc_name!("ground");
    let at = |x: usize, y: usize| ground[(y % GROUND_SIDE) * GROUND_SIDE + x % GROUND_SIDE][0];
    (0..ground.len())
        .map(|index| {
            let (x, y) = (index % GROUND_SIDE, index / GROUND_SIDE);
            let slope = |d: f32| byte(0.5 + d * 3.0);
            let dx = at(x + GROUND_SIDE - 1, y) - at(x + 1, y);
            let dy = at(x, y + GROUND_SIDE - 1) - at(x, y + 1);
            [
                byte(ground[index][0]),
                slope(dx),
                slope(dy),
                byte(ground[index][1]),
            ]
        })
        .collect()
}

fn byte(unit: f32) -> u8 {
    (unit * 255.0).clamp(0.0, 255.0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_field_is_exact() {
        let mut wall = vec![false; 100];
        wall[55] = true;
        let map = TileMap::new(10, 10, wall);
        let (width, height) = (10 * FIELD_TEXELS, 10 * FIELD_TEXELS);
        let field = distance_field(&map, (width, height));
        let solid: Vec<(i32, i32)> = (0..(width * height) as i32)
            .map(|at| (at % width as i32, at / width as i32))
            .filter(|&(x, y)| map.is_wall((x / FIELD_TEXELS as i32, y / FIELD_TEXELS as i32)))
            .collect();
        for (x, y) in [(30, 30), (44, 12), (9, 70), (37, 41), (79, 0)] {
            let nearest = solid
                .iter()
                .map(|&(sx, sy)| (sx - x).pow(2) + (sy - y).pow(2))
                .min()
                .expect("the border is wall");
            let found = field[y as usize * width + x as usize] * FIELD_TEXELS as f32;
            assert!(
                (found - (nearest as f32).sqrt()).abs() < 1e-3,
                "at {x}, {y}: {found}"
            );
        }
    }

    #[test]
    fn the_ground_repeats_without_a_seam() {
        for y in [0.3, 5.7] {
            let (left, right) = (
                repeating(3, Vec2::new(0.0, y), 8, 3),
                repeating(3, Vec2::new(8.0, y), 8, 3),
            );
            assert!((left - right).abs() < 1e-5);
        }
    }
}
