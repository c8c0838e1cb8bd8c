//! Draws the map of pages with its figures.

use egui::{CursorIcon, Rect, Sense, Shape, Ui, vec2};

use super::memory_panel::{MemoryKind, MemoryPanel};
use super::pages::{cell_lines, map_size};
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::theme::{Theme, small_font};
use stats_ui::tooltip;

/// The minimum size of a place for the map beside the rows, in points.
const MIN_WIDTH: f32 = 280.0;
const MIN_HEIGHT: f32 = 200.0;
/// The space around the map, in points.
const MARGIN: f32 = 8.0;
/// The height of a line of text, in points.
const LINE: f32 = 16.0;

/// What the figures mean.
const HELP: [&str; 4] = [
    "Bytes that belong to no tracked allocation, in pages of 4 KiB that hold one, and in those between them that are in memory, if the dump tells. They include headers and rounding of the allocator",
    "The free bytes by the length of the run that they are in. What is below 32 B is mostly headers and rounding; a longer run can take another allocation",
    "The longest run of free bytes in consecutive pages",
    "Pages of which an eighth or less is used. Their owners are below; a page counts for each of its owners",
];

impl MemoryPanel {
    /// Returns whether the shown snapshot has a map of pages.
    pub(super) fn has_pages(&self) -> bool {
        let shown = self.snapshots.shown();
        self.kind == MemoryKind::Main && shown.is_some_and(|kept| kept.snapshot.pages.is_some())
    }

    /// Returns whether the map is on screen.
    pub(super) fn is_pages_shown(&self) -> bool {
        self.shows_pages && self.has_pages()
    }

    /// Draws the map beside the rows, or in their place if there is no room. Returns whether there is
    /// room for the rows.
    pub(super) fn pages_ui(&mut self, ui: &mut Ui, theme: &Theme, all: Rect, beside: Rect) -> bool {
        let is_beside = beside.width() >= MIN_WIDTH && beside.height() >= MIN_HEIGHT;
        let rect = if is_beside { beside } else { all };
        let rect = rect.with_min_x(rect.left() + MARGIN).shrink(4.0);
        let Some(shown) = self.snapshots.shown() else {
            return is_beside;
        };
        let Some(map) = &shown.snapshot.pages else {
            return is_beside;
        };
        let picture = &mut self.pages_picture;
        picture.describe(shown.number, &shown.snapshot, map);
        let mut lines = rect.with_max_y(rect.top());
        let mut next_line = || {
            lines = Rect::from_min_size(lines.left_bottom(), vec2(rect.width(), LINE));
            lines
        };
        // Returns where the text ends.
        let text = |place: Rect, text: &str, color| {
            if rect.contains_rect(place) {
                place.left() + shapes::text_in(ui.painter(), place, text, small_font(), color)
            } else {
                place.right()
            }
        };
        for ((name, value), help) in picture.figures.iter().zip(HELP) {
            let (place, id) = (next_line(), self.id.with(("pages", name)));
            let end = text(place, name, theme.weak);
            text(place.with_min_x(end + MARGIN), value, theme.text);
            accessibility::describe(ui.ctx(), id, place, || ((*name).to_owned(), value.clone()));
            let response = ui.interact(place, id, Sense::hover());
            tooltip::at_pointer(response, &mut |ui| {
                ui.label(value);
                ui.label(help);
            });
        }
        for (at, held) in picture.holders.iter().enumerate() {
            let place = next_line();
            text(place.with_min_x(place.left() + MARGIN), held, theme.text);
            let id = self.id.with(("holder", at));
            accessibility::describe(ui.ctx(), id, place, || {
                ("holds nearly empty pages".to_owned(), held.clone())
            });
        }
        let place = rect.with_min_y(lines.bottom() + MARGIN);
        if place.height() < LINE {
            return is_beside;
        }
        let place = Rect::from_min_size(place.min, map_size(map.cells.len(), place.size()));
        let (grid, mesh) = self
            .pages_picture
            .get(shown.number, &shown.snapshot, map, theme, place);
        ui.painter().add(Shape::mesh(mesh));
        let response = ui.interact(place, self.id.with("pages"), Sense::hover());
        let at = response
            .hover_pos()
            .and_then(|at| grid.cell_at(at - place.min));
        if let Some(cell) = at.and_then(|at| map.cells.get(at)) {
            let lines = cell_lines(&shown.snapshot, cell);
            let response = response.on_hover_cursor(CursorIcon::Crosshair);
            tooltip::at_pointer(response, &mut |ui| {
                lines.iter().for_each(|line| _ = ui.label(line));
            });
        }
        is_beside
    }
}
