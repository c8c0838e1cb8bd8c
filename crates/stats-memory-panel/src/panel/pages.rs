//! The map of pages beside the rows: where its cells are, and their colors.
//!
//! The picture is made when the snapshot, the size or the colors change, and not in each frame.

use std::sync::Arc;

use egui::{Color32, Mesh, Pos2, Rect, Vec2, lerp, pos2, vec2};

use super::figures::{bytes_text, number_text};
use crate::pages::{Cell, Holder, LIMITS, PageMap};
use crate::snapshot::{MemorySnapshot, NO_SCOPES};
use stats_analysis::format::count_text;
use stats_ui::palette::preferred_slot;
use stats_ui::text::one_line;
use stats_ui::theme::Theme;

/// The minimum and the maximum length of the sides of a cell, in points.
const SIDES: [f32; 2] = [3.0, 14.0];
/// The space between cells, in points.
const GAP: f32 = 1.0;
/// The minimum opacity of a cell with an allocation, which tells it from an empty one.
const MIN_OPACITY: f32 = 0.2;
const NAME_CHARS: usize = 60;
/// The maximum number of owners of nearly empty pages.
const HOLDERS: usize = 10;

/// The picture of a map and its lines of text, and what they were made for.
#[derive(Debug, Default)]
pub(super) struct PagesPicture {
    /// The ordinal of the snapshot that the lines are about.
    described: Option<u32>,
    /// A name and a value for each figure.
    pub(super) figures: Vec<(&'static str, String)>,
    /// Who holds nearly empty pages, the most first.
    pub(super) holders: Vec<String>,
    /// The snapshot's ordinal, the size of the place, and the theme.
    of: Option<(u32, Vec2, Theme)>,
    grid: Grid,
    mesh: Arc<Mesh>,
    /// The corner that the mesh was made for.
    corner: Pos2,
}

/// The arrangement of cells in lines, from left to right and from top to bottom.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Grid {
    /// The length of the sides of a cell with the space after it, in points.
    pub(super) side: f32,
    /// The number of cells in a line.
    columns: usize,
}

impl Grid {
    /// Returns the grid with the largest cells that fit. If not even the smallest ones do, the last
    /// lines are cut off.
    pub(super) fn fit(cells: usize, size: Vec2) -> Self {
        let columns = |side: f32| ((size.x / side) as usize).max(1);
        let fits = |side: f32| {
            let lines = cells.div_ceil(columns(side));
            lines as f32 * side <= size.y
        };
        let [least, most] = SIDES.map(|side| side as u32);
        let mut sides = (least..=most).rev().map(|side| side as f32);
        let side = sides.find(|&side| fits(side)).unwrap_or(SIDES[0]);
        Self {
            side,
            columns: columns(side),
        }
    }

    /// Returns the place of a cell, from the corner of the grid.
    fn place(&self, cell: usize) -> Rect {
        let (line, column) = (cell / self.columns, cell % self.columns);
        let corner = pos2(column as f32, line as f32) * self.side;
        Rect::from_min_size(corner, Vec2::splat(self.side - GAP))
    }

    /// Returns the cell at a place, which may be beyond the last one.
    pub(super) fn cell_at(&self, place: Vec2) -> Option<usize> {
        let (line, column) = (place.y / self.side, place.x / self.side);
        let is_inside = place.min_elem() >= 0.0 && (column as usize) < self.columns;
        is_inside.then_some(line as usize * self.columns + column as usize)
    }

    pub(super) fn height(&self, cells: usize) -> f32 {
        cells.div_ceil(self.columns.max(1)) as f32 * self.side
    }
}

impl PagesPicture {
    /// Writes the lines about a snapshot. Does nothing if the last ones were about it.
    pub(super) fn describe(&mut self, number: u32, snapshot: &MemorySnapshot, map: &PageMap) {
        if self.described != Some(number) {
            self.described = Some(number);
            self.figures = figure_lines(map).into();
            let holders = map.holders.iter().take(HOLDERS);
            self.holders = holders
                .map(|holder| holder_line(snapshot, holder))
                .collect();
        }
    }

    /// Returns the picture of a snapshot's map in `rect`. Makes it if it is not the last one.
    pub(super) fn get(
        &mut self,
        number: u32,
        snapshot: &MemorySnapshot,
        map: &PageMap,
        theme: &Theme,
        rect: Rect,
    ) -> (Grid, Arc<Mesh>) {
        let of = Some((number, rect.size(), *theme));
        if self.of != of || self.corner != rect.min {
            self.of = of;
            self.corner = rect.min;
            self.grid = Grid::fit(map.cells.len(), rect.size());
            let mut mesh = Mesh::default();
            for (at, cell) in map.cells.iter().enumerate() {
                let place = self.grid.place(at).translate(rect.min.to_vec2());
                if place.bottom() <= rect.bottom() {
                    mesh.add_colored_rect(place, color(theme, snapshot, cell));
                }
            }
            self.mesh = Arc::new(mesh);
        }
        (self.grid, Arc::clone(&self.mesh))
    }
}

/// Returns the color of a cell: the color of the group that holds most of it. The more of the cell is used,
/// the stronger it is.
fn color(theme: &Theme, snapshot: &MemorySnapshot, cell: &Cell) -> Color32 {
    let Some(group) = cell.group else {
        return theme.grid;
    };
    let name = snapshot.contents.names.get(group);
    let opacity = lerp(MIN_OPACITY..=1.0, used_share(cell));
    theme
        .grid
        .lerp_to_gamma(theme.series(preferred_slot(name)), opacity)
}

fn used_share(cell: &Cell) -> f32 {
    (cell.used as f64 / cell.bytes.max(1) as f64) as f32
}

/// Formats a share with one decimal.
fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// Returns the figures of a map: a name and a value for each line.
fn figure_lines(map: &PageMap) -> [(&'static str, String); 4] {
    let figures = &map.figures;
    let free = format!(
        "{} of {} ({})",
        bytes_text(figures.free_bytes),
        bytes_text(figures.touched_bytes),
        percent(figures.free_bytes, figures.touched_bytes)
    );
    let mut classes = String::new();
    for (limit, bytes) in LIMITS.iter().zip(map.runs.bytes) {
        let share = percent(bytes, figures.free_bytes);
        classes += &match *limit {
            u64::MAX => format!("longer {share}"),
            limit if limit < 1024 => format!("< {limit} B {share}, "),
            limit => format!("< {} KiB {share}, ", limit / 1024),
        };
    }
    let nearly_empty = number_text(figures.nearly_empty_pages);
    [
        ("Free in touched pages", free),
        ("Free by length of run", classes),
        (
            "Largest free run",
            bytes_text(figures.largest_free_run_bytes),
        ),
        ("Nearly empty pages", nearly_empty),
    ]
}

/// Returns the line about an owner of bytes in nearly empty pages.
fn holder_line(snapshot: &MemorySnapshot, holder: &Holder) -> String {
    let contents = &snapshot.contents;
    let site = contents.sites[holder.site as usize];
    let mut scopes = Vec::new();
    let mut stack = site.stack;
    while stack != NO_SCOPES {
        let scope = contents.stacks.get(stack);
        scopes.push(contents.names.get(scope.name));
        stack = scope.parent;
    }
    scopes.reverse();
    let (group, name) = (
        contents.names.get(site.group),
        contents.names.get(site.name),
    );
    let owner = [group, &scopes.join(" › "), name];
    let owner: Vec<_> = owner.into_iter().filter(|part| !part.is_empty()).collect();
    format!(
        "{}, {}: {}",
        count_text(holder.pages, "page", "pages"),
        bytes_text(holder.bytes),
        one_line(&owner.join(", "), 3 * NAME_CHARS)
    )
}

/// Returns the lines of a cell's tooltip.
pub(super) fn cell_lines(snapshot: &MemorySnapshot, cell: &Cell) -> Vec<String> {
    let mut lines = vec![
        format!("{} from 0x{:012x}", bytes_text(cell.bytes), cell.address),
        format!(
            "{} in use ({})",
            bytes_text(cell.used),
            percent(cell.used, cell.bytes)
        ),
    ];
    lines.push(match cell.group {
        Some(group) => {
            let name = snapshot.contents.names.get(group);
            format!("most of it: group {}", one_line(name, NAME_CHARS))
        }
        None => "nothing that is tracked".to_owned(),
    });
    lines
}

/// Returns the size of a place for a map with `cells` cells that is at most `size`.
pub(super) fn map_size(cells: usize, size: Vec2) -> Vec2 {
    vec2(size.x, Grid::fit(cells, size).height(cells).min(size.y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    /// Returns a dump of two threads: pages that are full, and pages with one block of a name.
    fn dump() -> MemorySnapshot {
        let mut dump = String::new();
        for page in 0..6 {
            dump += &format!("0x{:x},main,rendering,4096,Level|Load,mesh\n", page << 12);
        }
        for page in 6..10 {
            let thread = if page % 2 == 0 { "main" } else { "worker" };
            dump += &format!("0x{:x},{thread},ai,64,paths,node\n", page << 12);
        }
        read(&dump)
    }

    #[test]
    fn figures_and_owners_are_named() {
        let snapshot = dump();
        let map = snapshot.pages.as_ref().expect("it has addresses");
        let lines = figure_lines(map).map(|(name, value)| format!("{name}: {value}"));
        assert_eq!(
            lines,
            [
                "Free in touched pages: 15.8 of 40.0 KiB (39.4 %)".replace("15.8 of", "15.8 KiB of"),
                "Free by length of run: < 32 B 0.0 %, < 256 B 0.0 %, < 1 KiB 0.0 %, < 4 KiB 100.0 %, \
                 longer 0.0 %"
                    .to_owned(),
                "Largest free run: 3.94 KiB".to_owned(),
                "Nearly empty pages: 4".to_owned(),
            ]
        );
        let holders: Vec<_> = map
            .holders
            .iter()
            .map(|holder| holder_line(&snapshot, holder))
            .collect();
        assert_eq!(holders, ["4 pages, 256 B: ai, paths, node"]);
        let lines = cell_lines(&snapshot, &map.cells[7]);
        assert_eq!(
            lines,
            [
                "4.00 KiB from 0x000000007000",
                "64 B in use (1.6 %)",
                "most of it: group ai"
            ]
        );
    }

    #[test]
    fn all_cells_fit_if_there_is_room_for_the_smallest_ones() {
        for cells in [1, 2, 7, 100, 1000, 2048] {
            for size in [vec2(280.0, 120.0), vec2(400.0, 60.0), vec2(900.0, 700.0)] {
                let grid = Grid::fit(cells, size);
                let last = grid.place(cells - 1);
                let most = (size.x / SIDES[0]).floor() * (size.y / SIDES[0]).floor();
                if cells as f32 <= most {
                    assert!(last.bottom() <= size.y, "{cells} in {size}: {grid:?}");
                }
                assert!(grid.place(grid.columns - 1).right() <= size.x);
                for cell in [0, cells / 2, cells - 1] {
                    let center = grid.place(cell).center().to_vec2();
                    assert_eq!(grid.cell_at(center), Some(cell));
                }
                assert_eq!(grid.cell_at(vec2(size.x + 20.0, 1.0)), None);
                assert_eq!(grid.cell_at(vec2(-1.0, 1.0)), None);
            }
        }
    }

    #[test]
    fn a_picture_is_made_once_and_is_stronger_where_more_is_used() {
        let snapshot = dump();
        let map = snapshot.pages.clone().expect("it has addresses");
        let theme = Theme::new(true);
        let (full, little, none) = (map.cells[0], map.cells[7], Cell::default());
        let color = |cell| color(&theme, &snapshot, &cell);
        assert_eq!(color(full), theme.series(preferred_slot("rendering")));
        assert_eq!(color(none), theme.grid);
        assert!(
            color(little) != theme.grid
                && color(little)
                    != color(Cell {
                        used: 4096,
                        ..little
                    })
        );
        let mut picture = PagesPicture::default();
        let rect = Rect::from_min_size(pos2(10.0, 20.0), vec2(300.0, 200.0));
        let first = picture.get(1, &snapshot, &map, &theme, rect).1;
        assert_eq!(first.vertices.len(), 4 * map.cells.len());
        assert!(Arc::ptr_eq(
            &first,
            &picture.get(1, &snapshot, &map, &theme, rect).1
        ));
        for (number, rect) in [(2, rect), (2, rect.translate(vec2(5.0, 0.0)))] {
            let next = picture.get(number, &snapshot, &map, &theme, rect).1;
            assert!(!Arc::ptr_eq(&first, &next));
        }
    }
}
