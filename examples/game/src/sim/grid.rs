//! Finds neighbors: a counting sort puts points into square cells.
use stats_core::{Counter, Timer};

use super::Vec2;

static BUILD: Timer = Timer::new("grid/build")
    .budget(1.0)
    .describe("sorting agents and bodies into cells");
static INSERTED: Counter = Counter::new("grid/inserted").describe("points sorted into cells");
static CELLS: Counter = Counter::new("grid/cells").describe("cells of the grids that were built");

/// A set of points that can be searched by position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    cell: f32,
    columns: usize,
    rows: usize,
    starts: Vec<u32>,
    items: Vec<u32>,
    /// The index at which the next point of each cell is stored while the grid is being filled.
    fill: Vec<u32>,
}

impl Grid {
    /// Replaces the points. They are sorted into cells with sides of length `cell`, over the
    /// rectangle from the origin to `size`. Points outside go to the cells at the border. The
    /// memory of the previous points is reused.
    pub(super) fn refill(
        &mut self,
        size: Vec2,
        cell: f32,
        points: impl Iterator<Item = Vec2> + Clone,
    ) {
        let _build = BUILD.scope();
        self.cell = cell;
        (self.columns, self.rows) = (
            (size.x / cell).ceil().max(1.0) as usize,
            (size.y / cell).ceil().max(1.0) as usize,
        );
        let cells = self.columns * self.rows;
        self.starts.clear();
        self.starts.resize(cells + 1, 0);
        for point in points.clone() {
            let bucket = self.bucket(point);
            self.starts[bucket + 1] += 1;
        }
        for at in 1..self.starts.len() {
            self.starts[at] += self.starts[at - 1];
        }
        self.items.clear();
        self.items
            .resize(self.starts.last().map_or(0, |&end| end as usize), 0);
        self.fill.clone_from(&self.starts);
        for (index, point) in points.enumerate() {
            let bucket = self.bucket(point);
            let slot = &mut self.fill[bucket];
            self.items[*slot as usize] = index as u32;
            *slot += 1;
        }
        INSERTED.add(self.items.len());
        CELLS.add(cells);
    }

    /// Returns a new grid; see [`refill`](Self::refill).
    #[cfg(test)]
    pub(super) fn new(size: Vec2, cell: f32, points: impl Iterator<Item = Vec2> + Clone) -> Self {
        let mut grid = Self::default();
        grid.refill(size, cell, points);
        grid
    }

    fn column_row(&self, at: Vec2) -> (usize, usize) {
        // A float cast saturates, so negative and huge coordinates land on the border.
        (
            ((at.x / self.cell) as usize).min(self.columns - 1),
            ((at.y / self.cell) as usize).min(self.rows - 1),
        )
    }

    fn bucket(&self, at: Vec2) -> usize {
        let (column, row) = self.column_row(at);
        row * self.columns + column
    }

    /// Returns the indices of all points within `radius` of `at`, and of others in the same cells,
    /// in a fixed order.
    pub(super) fn near(&self, at: Vec2, radius: f32) -> impl Iterator<Item = usize> + '_ {
        let (left, top) = self.column_row(at - Vec2::splat(radius));
        let (right, bottom) = self.column_row(at + Vec2::splat(radius));
        (top..=bottom).flat_map(move |row| {
            let (first, last) = (row * self.columns + left, row * self.columns + right);
            let run = self.starts[first] as usize..self.starts[last + 1] as usize;
            self.items[run].iter().map(|&index| index as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::rng::Rng;

    #[test]
    fn near_finds_every_point_within_the_radius() {
        let mut rng = Rng::new(7);
        let points: Vec<Vec2> = (0..300)
            .map(|_| Vec2::new(rng.between(-2.0, 34.0), rng.between(-2.0, 22.0)))
            .collect();
        let grid = Grid::new(Vec2::new(32.0, 20.0), 3.0, points.iter().copied());
        for _ in 0..50 {
            let at = Vec2::new(rng.between(0.0, 32.0), rng.between(0.0, 20.0));
            let found: Vec<usize> = grid.near(at, 4.0).collect();
            for (index, point) in points
                .iter()
                .enumerate()
                .filter(|(_, p)| p.distance(at) <= 4.0)
            {
                assert!(found.contains(&index), "{point} near {at}");
            }
        }
    }

    #[test]
    fn a_refilled_grid_equals_a_new_one() {
        let mut rng = Rng::new(8);
        let mut grid = Grid::default();
        for (count, cell, size) in [
            (40, 3.0, 30.0),
            (7, 1.0, 60.0),
            (0, 2.0, 9.0),
            (90, 5.0, 20.0),
        ] {
            let points: Vec<Vec2> = (0..count)
                .map(|_| Vec2::new(rng.between(0.0, size), rng.between(0.0, size)))
                .collect();
            let size = Vec2::splat(size);
            grid.refill(size, cell, points.iter().copied());
            let new = Grid::new(size, cell, points.iter().copied());
            assert_eq!(
                (&grid.starts, &grid.items, grid.columns, grid.rows),
                (&new.starts, &new.items, new.columns, new.rows)
            );
        }
    }

    #[test]
    fn an_empty_grid_finds_nothing() {
        let grid = Grid::new(Vec2::new(4.0, 4.0), 1.0, std::iter::empty());
        assert_eq!(grid.near(Vec2::new(2.0, 2.0), 9.0).count(), 0);
    }
}
