//! Generates the two kinds of ground: natural caves, and a planned foundry.
use super::Vec2;
use super::map::{Cell, TileMap, center};
use super::rng::Rng;

/// Generates caves with a cellular automaton: wide halls in the west, narrow passages in the east.
/// The discs in `keep` stay open.
pub(super) fn caves(rng: &mut Rng, width: i32, height: i32, keep: &[(Vec2, f32)]) -> TileMap {
    let _memory = stats_memory::scope!("terrain");
    let _name = stats_memory::alloc_name!("height map");
    let mut wall: Vec<bool> = (0..width * height)
        .map(|index| rng.chance(0.40 + 0.07 * (index % width) as f32 / width as f32))
        .collect();
    for _ in 0..5 {
        wall = grow(&wall, width, height);
    }
    finish(wall, width, height, keep)
}

/// Returns one generation of the cellular automaton: a tile is wall if most tiles around it are.
fn grow(wall: &[bool], width: i32, height: i32) -> Vec<bool> {
    let at = |x: i32, y: i32| {
        x < 0 || y < 0 || x >= width || y >= height || wall[(y * width + x) as usize]
    };
    let walls_nearby = |x: i32, y: i32| {
        (-1..=1)
            .flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)))
            .filter(|&(dx, dy)| at(x + dx, y + dy))
            .count()
    };
    (0..height)
        .flat_map(|y| (0..width).map(move |x| (x, y)))
        .map(|(x, y)| walls_nearby(x, y) >= 5)
        .collect()
}

/// Generates streets between blocks of machinery. Some blocks are yards with doors. The discs in
/// `keep` stay open.
pub(super) fn foundry(rng: &mut Rng, width: i32, height: i32, keep: &[(Vec2, f32)]) -> TileMap {
    let _memory = stats_memory::scope!("terrain");
    let _name = stats_memory::alloc_name!("height map");
    let mut wall = vec![false; (width * height) as usize];
    for rows in spans(rng, height) {
        for columns in spans(rng, width) {
            if rng.chance(0.82) {
                block(rng, &mut wall, width, columns, rows.clone());
            }
        }
    }
    finish(wall, width, height, keep)
}

/// Chooses the extents of the blocks along one axis, with streets of two to four tiles between
/// them.
fn spans(rng: &mut Rng, length: i32) -> Vec<std::ops::Range<i32>> {
    let mut at = 3;
    std::iter::from_fn(|| {
        let start = at;
        let end = start + 4 + rng.below(7) as i32;
        at = end + 2 + rng.below(3) as i32;
        (end < length - 3).then_some(start..end)
    })
    .collect()
}

fn block(
    rng: &mut Rng,
    wall: &mut [bool],
    width: i32,
    columns: std::ops::Range<i32>,
    rows: std::ops::Range<i32>,
) {
    let hollow = columns.len() >= 6 && rows.len() >= 6 && rng.chance(0.5);
    let door = (
        columns.start + columns.len() as i32 / 2,
        rows.start + rows.len() as i32 / 2,
    );
    let notch = (
        rng.below(columns.len()) as i32,
        rng.below(rows.len()) as i32,
    );
    for y in rows.clone() {
        for x in columns.clone() {
            let rim =
                x == columns.start || x == columns.end - 1 || y == rows.start || y == rows.end - 1;
            let in_door = (x - door.0).abs() <= 1 || (y - door.1).abs() <= 1;
            let corner = !hollow && x - columns.start > notch.0 + 2 && y - rows.start > notch.1 + 2;
            wall[(y * width + x) as usize] = if hollow { rim && !in_door } else { !corner };
        }
    }
}

/// Opens the discs in `keep` and connects them, then fills every pocket that cannot be reached from
/// the first.
fn finish(mut wall: Vec<bool>, width: i32, height: i32, keep: &[(Vec2, f32)]) -> TileMap {
    for (index, wall) in wall.iter_mut().enumerate() {
        let at = center((index as i32 % width, index as i32 / width));
        *wall &= keep
            .iter()
            .all(|&(middle, radius)| middle.distance(at) > radius);
    }
    for pair in keep.windows(2) {
        tunnel(&mut wall, width, pair[0].0, pair[1].0);
    }
    let map = TileMap::new(width, height, wall);
    let Some(&(first, _)) = keep.first() else {
        return map;
    };
    let reached = reachable(&map, super::map::cell_of(first));
    TileMap::new(
        width,
        height,
        reached.into_iter().map(|reached| !reached).collect(),
    )
}

/// Digs a passage, about three tiles wide.
fn tunnel(wall: &mut [bool], width: i32, from: Vec2, to: Vec2) {
    let height = wall.len() as i32 / width;
    let steps = (from.distance(to) * 2.0).ceil().max(1.0) as i32;
    for step in 0..=steps {
        let t = step as f32 / steps as f32;
        let bend = Vec2::new(0.0, (t * std::f32::consts::PI).sin() * 4.0);
        let (x, y) = super::map::cell_of(from.lerp(to, t) + bend);
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1), (-1, 0), (0, -1)] {
            let (x, y) = (x + dx, y + dy);
            if x > 0 && y > 0 && x < width - 1 && y < height - 1 {
                wall[(y * width + x) as usize] = false;
            }
        }
    }
}

/// Returns for each tile whether it can be reached from `from`.
pub(super) fn reachable(map: &TileMap, from: Cell) -> Vec<bool> {
    let mut reached = vec![false; (map.width() * map.height()) as usize];
    let mut open = vec![from];
    while let Some((x, y)) = open.pop() {
        if map.is_wall((x, y))
            || std::mem::replace(&mut reached[(y * map.width() + x) as usize], true)
        {
            continue;
        }
        open.extend([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]);
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_floor_tile_can_be_reached() {
        let keep = [(Vec2::new(10.0, 10.0), 4.0), (Vec2::new(50.0, 30.0), 5.0)];
        for (seed, make) in [
            (
                1,
                caves as fn(&mut Rng, i32, i32, &[(Vec2, f32)]) -> TileMap,
            ),
            (2, foundry),
        ] {
            let map = make(&mut Rng::new(seed), 64, 40, &keep);
            let reached = reachable(&map, (10, 10))
                .into_iter()
                .filter(|&reached| reached)
                .count();
            assert_eq!(reached, map.floor().count());
            assert!(map.is_open((50, 30)) && reached > 400, "{reached} tiles");
        }
    }
}
