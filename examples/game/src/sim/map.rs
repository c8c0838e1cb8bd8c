//! The tile map: fixed walls, and obstacles that move over the floor.
use stats_core::{Counter, Gauge};

use super::Vec2;

static TILES: Gauge = Gauge::new("map/tiles").describe("tiles of the level");
static WALLS: Gauge = Gauge::new("map/walls").describe("tiles that are wall");
static OBSTRUCTED: Gauge =
    Gauge::new("map/obstructed").describe("floor tiles under a moving obstacle");
static CHANGES: Counter =
    Counter::new("map/changes").describe("tiles that an obstacle started or stopped covering");
static LOOKUPS: Counter = Counter::new("map/sight-lines").describe("lines of sight traced");

/// A tile by column and row.
pub(crate) type Cell = (i32, i32);

/// A rectangle of tiles, each one meter wide.
#[derive(Clone, Debug)]
pub(crate) struct TileMap {
    width: i32,
    height: i32,
    wall: Vec<bool>,
    covered: Vec<u8>,
    version: u32,
}

impl TileMap {
    /// Returns a map with these walls, row by row. The border is always wall.
    pub(super) fn new(width: i32, height: i32, mut wall: Vec<bool>) -> Self {
        let _name = stats_memory::alloc_name!("tiles");
        wall.resize((width * height) as usize, true);
        for (index, wall) in wall.iter_mut().enumerate() {
            let (x, y) = (index as i32 % width, index as i32 / width);
            *wall |= x == 0 || y == 0 || x == width - 1 || y == height - 1;
        }
        Self {
            width,
            height,
            covered: vec![0; wall.len()],
            wall,
            version: 0,
        }
    }

    pub(crate) const fn width(&self) -> i32 {
        self.width
    }

    pub(crate) const fn height(&self) -> i32 {
        self.height
    }

    pub(crate) const fn size(&self) -> Vec2 {
        Vec2::new(self.width as f32, self.height as f32)
    }

    /// Increases whenever an obstacle starts or stops covering a tile.
    pub(super) const fn version(&self) -> u32 {
        self.version
    }

    fn index(&self, (x, y): Cell) -> Option<usize> {
        (x >= 0 && y >= 0 && x < self.width && y < self.height)
            .then(|| (y * self.width + x) as usize)
    }

    /// Returns whether a tile is wall. Everything outside the map is wall.
    pub(crate) fn is_wall(&self, cell: Cell) -> bool {
        self.index(cell).is_none_or(|index| self.wall[index])
    }

    /// Returns whether a tile is floor that no obstacle covers.
    pub(super) fn is_open(&self, cell: Cell) -> bool {
        self.index(cell)
            .is_some_and(|index| !self.wall[index] && self.covered[index] == 0)
    }

    pub(super) fn is_open_at(&self, at: Vec2) -> bool {
        self.is_open(cell_of(at))
    }

    /// Records that one obstacle covers (`true`) or leaves a tile. Obstacles may overlap.
    pub(super) fn cover(&mut self, cell: Cell, on: bool) {
        let Some(index) = self.index(cell) else {
            return;
        };
        let before = self.covered[index];
        self.covered[index] = if on {
            before.saturating_add(1)
        } else {
            before.saturating_sub(1)
        };
        if (before == 0) != (self.covered[index] == 0) {
            self.version += 1;
            CHANGES.increment();
        }
    }

    /// Returns whether the line between two points is free, sampled every quarter of a tile.
    pub(super) fn sees(&self, from: Vec2, to: Vec2) -> bool {
        LOOKUPS.increment();
        let steps = (from.distance(to) * 4.0).ceil() as i32;
        (1..steps).all(|step| self.is_open_at(from.lerp(to, step as f32 / steps as f32)))
    }

    /// Returns all floor tiles, including covered ones.
    pub(super) fn floor(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..self.height)
            .flat_map(move |y| (0..self.width).map(move |x| (x, y)))
            .filter(|&cell| !self.is_wall(cell))
    }

    /// Returns the open tile nearest to a point, searched in growing squares around it.
    pub(super) fn nearest_open(&self, at: Vec2) -> Option<Cell> {
        let (cx, cy) = cell_of(at);
        (0..self.width.max(self.height)).find_map(|ring| {
            let edge = (-ring..=ring).flat_map(move |d| {
                [
                    (cx + d, cy - ring),
                    (cx + d, cy + ring),
                    (cx - ring, cy + d),
                    (cx + ring, cy + d),
                ]
            });
            edge.into_iter().find(|&cell| self.is_open(cell))
        })
    }

    /// Returns whether a tile is wall next to floor, so that it can be seen and touched.
    pub(super) fn is_edge(&self, (x, y): Cell) -> bool {
        self.is_wall((x, y))
            && (-1..=1).any(|dy| (-1..=1).any(|dx| !self.is_wall((x + dx, y + dy))))
    }

    /// Returns the memory that it occupies, in bytes.
    pub(super) const fn bytes(&self) -> usize {
        self.wall.capacity() + self.covered.capacity()
    }

    /// Sets the gauges of the map.
    pub(super) fn publish(&self) {
        TILES.set(self.wall.len());
        WALLS.set(self.wall.iter().filter(|&&wall| wall).count());
        OBSTRUCTED.set(
            self.covered
                .iter()
                .zip(&self.wall)
                .filter(|&(&covered, &wall)| covered > 0 && !wall)
                .count(),
        );
    }
}

/// Returns the tile under a point.
pub(crate) fn cell_of(at: Vec2) -> Cell {
    (at.x.floor() as i32, at.y.floor() as i32)
}

/// Returns the center of a tile.
pub(super) const fn center((x, y): Cell) -> Vec2 {
    Vec2::new(x as f32 + 0.5, y as f32 + 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(width: i32, height: i32) -> TileMap {
        TileMap::new(width, height, vec![false; (width * height) as usize])
    }

    #[test]
    fn the_border_and_everything_outside_are_wall() {
        let map = room(4, 3);
        assert!(
            map.is_wall((0, 1))
                && map.is_wall((3, 1))
                && map.is_wall((-5, 1))
                && map.is_wall((1, 99))
        );
        assert!(!map.is_wall((1, 1)) && map.is_open((2, 1)));
    }

    #[test]
    fn overlapping_obstacles_free_a_tile_only_when_all_have_left() {
        let mut map = room(5, 5);
        map.cover((2, 2), true);
        map.cover((2, 2), true);
        map.cover((2, 2), false);
        assert!(!map.is_open((2, 2)));
        map.cover((2, 2), false);
        assert!(map.is_open((2, 2)));
        assert_eq!(map.version(), 2);
    }

    #[test]
    fn a_wall_blocks_the_view() {
        let mut map = room(9, 9);
        let (a, b) = (Vec2::new(1.5, 4.5), Vec2::new(7.5, 4.5));
        assert!(map.sees(a, b));
        map.cover((4, 4), true);
        assert!(!map.sees(a, b));
    }

    #[test]
    fn the_nearest_open_tile_of_an_open_tile_is_itself() {
        let map = room(9, 9);
        assert_eq!(map.nearest_open(Vec2::new(3.2, 4.9)), Some((3, 4)));
        assert!(
            map.nearest_open(Vec2::new(-0.5, 4.5))
                .is_some_and(|cell| cell.0 == 1 && map.is_open(cell))
        );
        assert_eq!(
            TileMap::new(3, 3, vec![true; 9]).nearest_open(Vec2::new(1.0, 1.0)),
            None
        );
    }
}
