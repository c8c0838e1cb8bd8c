//! The list of a pane: the frames that the user asked about, leaks and periodic stalls, then
//! hitches, newest first.

use std::borrow::Cow;

use egui::{CursorIcon, Painter, Rect, ScrollArea, Sense, Ui, vec2};
use stats_ui::accessibility;
use stats_ui::retained::Retained;
use stats_ui::shapes;
use stats_ui::theme::text_font;

use crate::hitches::row_ui::{AROUND, LINE, ROW, RowPaint, line_of};
use crate::hitches::view::{HitchesView, RowKey, show};
use crate::insight::findings::RowId;
use crate::insight::row_texts::{Detail, RowTexts};
use crate::paint::canvas::clipped_child;
use crate::view::{PaneContext, PaneRequest};

/// Draws the hitches view of a pane.
pub(super) struct HitchesUi<'a> {
    pub(super) pane: PaneContext<'a>,
    pub(super) view: &'a mut HitchesView,
}

/// A row with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) row: RowId,
    pub(super) top: f32,
    pub(super) height: f32,
}

impl HitchesUi<'_> {
    /// Draws the list into `rect`. Returns the request to show a row that was activated.
    pub(super) fn hitches_ui(&mut self, ui: &mut Ui, rect: Rect) -> Option<PaneRequest> {
        ui.painter().rect_filled(rect, 0.0, self.pane.theme.plot);
        if let Some(text) = self.note() {
            let line = rect.shrink2(vec2(8.0, 4.0));
            self.note_ui(ui.painter(), ui.make_persistent_id("note"), line, &text);
            return None;
        }
        let mut ui = clipped_child(ui, "hitches", rect);
        let mut area = ScrollArea::vertical()
            .id_salt("rows")
            .auto_shrink([false, false])
            .animated(false);
        self.view.page_rows = (rect.height() / ROW).max(1.0) as usize;
        let (placed, height) = self.places();
        if std::mem::take(&mut self.view.has_moved)
            && let Some(offset) = self.offset_to_selected(&placed, rect.height())
        {
            area = area.vertical_scroll_offset(offset);
        }
        area.show(&mut ui, |ui| {
            let (_, area) = ui.allocate_space(vec2(ui.available_width(), height));
            self.view.scrolled = ui.clip_rect().top() - area.top();
            self.rows_ui(ui, area, &placed)
        })
        .inner
    }

    /// Returns the text to show instead of rows.
    pub(super) fn note(&self) -> Option<Cow<'static, str>> {
        if !self.pane.settings.hitches {
            return Some("Hitches are turned off in the settings.".into());
        }
        if !self.pane.found.can_tell() {
            let note =
                "This source knows only the values of watched series, so hitches cannot be found.";
            return Some(note.into());
        }
        if self.pane.found.has_too_many {
            let note = "The source has more than 262,144 series, too many to search for hitches.";
            return Some(note.into());
        }
        if self
            .pane
            .found
            .rows(self.pane.data.frames())
            .next()
            .is_some()
        {
            return None;
        }
        if let Some(to_learn) = self.pane.found.to_learn() {
            return Some((to_learn.text() + ". Until then, no frame counts as a hitch.").into());
        }
        Some(if self.pane.found.has_hitches() {
            "No hitch in the frames that are kept. A longer history keeps more.".into()
        } else {
            "No hitch so far: no frame took much longer than usual.".into()
        })
    }

    pub(super) fn note_ui(&self, painter: &Painter, id: egui::Id, rect: Rect, text: &str) {
        let line = rect.with_max_y((rect.top() + ROW).min(rect.bottom()));
        shapes::text_in(painter, line, text, text_font(), self.pane.theme.weak);
        accessibility::describe(painter.ctx(), id, line, || {
            ("About hitches".to_owned(), text.to_owned())
        });
    }

    /// Returns the places of all rows, and their height.
    pub(super) fn places(&mut self) -> (Vec<Placed>, f32) {
        let selected = self.view.selected;
        let below = self.view.details(self.pane.found).len() as f32 * LINE;
        let mut top = 0.0;
        let rows = self.pane.found.rows(self.pane.data.frames());
        let placed = rows.map(|row| {
            let height = ROW + if selected == Some(row) { below } else { 0.0 };
            let placed = Placed { row, top, height };
            top += height;
            placed
        });
        (placed.collect(), top)
    }

    /// Returns the scroll offset that shows the selected row; `None` if it is visible.
    fn offset_to_selected(&self, placed: &[Placed], height: f32) -> Option<f32> {
        let selected = |place: &&Placed| Some(place.row) == self.view.selected;
        let place = placed.iter().find(selected)?;
        let lowest = (place.top + place.height - height).min(place.top);
        let offset = self.view.scrolled.min(place.top).max(lowest);
        (offset != self.view.scrolled).then_some(offset)
    }

    fn rows_ui(&mut self, ui: &Ui, area: Rect, placed: &[Placed]) -> Option<PaneRequest> {
        let mut activated = None;
        let clip = ui.clip_rect();
        let rect_of = |place: &Placed| {
            let corner = area.min + vec2(0.0, place.top);
            Rect::from_min_size(corner, vec2(area.width(), place.height))
        };
        let visible = placed
            .iter()
            .filter(|place| clip.intersects(rect_of(place)));
        for (slot, place) in visible.enumerate() {
            let rect = rect_of(place);
            let head = rect.with_max_y(rect.top() + ROW);
            let id = ui.make_persistent_id(("row", place.identity()));
            let response = ui.interact(head, id, Sense::click());
            if response.hovered() {
                ui.painter().rect_filled(head, 2.0, self.pane.theme.hover);
            }
            self.placed_ui(ui.painter(), rect, place.row, slot);
            let is_selected = self.view.selected == Some(place.row);
            accessibility::describe_row(ui.ctx(), id, (0, Some(is_selected)), || {
                let texts = RowTexts::of(self.pane.found, place.row);
                (texts.label(place.row), texts.value())
            });
            if is_selected {
                self.describe_details(ui.painter(), id, rect);
            }
            let response = response.on_hover_cursor(CursorIcon::PointingHand);
            if response.clicked() {
                self.view.selected = Some(place.row);
            }
            if response.double_clicked() {
                activated = Some(show(self.pane.found, place.row));
            }
        }
        activated
    }

    /// Paints a row with its details. `slot` is its index among the visible rows.
    pub(super) fn placed_ui(&mut self, painter: &Painter, rect: Rect, row: RowId, slot: usize) {
        let times = self.pane.data.frame_times();
        let is_selected = self.view.selected == Some(row);
        let of_row = self.pane.found.frames_of(row);
        let around = if of_row.is_empty() {
            0..0
        } else {
            of_row.start.saturating_sub(AROUND)..of_row.start + AROUND + 1
        };
        let frames = times.within(around).frames();
        let key = RowKey {
            row,
            revision: self.pane.found.revision(),
            size: rect.size(),
            theme: *self.pane.theme,
            is_selected,
            frames,
        };
        let mut painted = std::mem::take(&mut self.view.painted);
        if slot >= painted.len() {
            painted.resize_with(slot + 1, Retained::default);
        }
        let paint = RowPaint {
            theme: self.pane.theme,
            found: self.pane.found,
            times,
        };
        let details: &[Detail] = if is_selected {
            self.view.details(self.pane.found)
        } else {
            &[]
        };
        painted[slot].paint_at(painter, rect.min, key, |painter| {
            let (head, below) = rect.split_top_bottom_at_y(rect.top() + ROW);
            paint.row_ui(painter, head, row, is_selected);
            paint.details_ui(painter, below, details);
        });
        self.view.painted = painted;
    }

    /// Describes the lines below the selected row to a screen reader.
    pub(super) fn describe_details(&mut self, painter: &Painter, id: egui::Id, rect: Rect) {
        let below = rect.with_min_y(rect.top() + ROW);
        for (at, detail) in self.view.details(self.pane.found).iter().enumerate() {
            let line = line_of(below, at);
            if line.bottom() <= below.bottom() + 1.0 {
                accessibility::describe(painter.ctx(), id.with(at), line, || detail.description());
            }
        }
    }
}

impl Placed {
    /// Returns a key that no other row has.
    fn identity(&self) -> (u8, u64) {
        match self.row {
            RowId::Leak(series) => (0, series.into()),
            RowId::Periodic(first) => (1, first),
            RowId::Hitch(frame) => (2, frame),
            RowId::Explained => (3, 0),
        }
    }
}
