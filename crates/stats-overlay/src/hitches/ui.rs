//! The list of a pane: the frames that the user asked about, leaks and periodic stalls, then
//! hitches, newest first.

use std::borrow::Cow;

use egui::{CursorIcon, Painter, Rect, Response, Sense, vec2};
use stats_ui::accessibility;
use stats_ui::list::{View, highlight};
use stats_ui::retained::Retained;
use stats_ui::shapes;
use stats_ui::theme::text_font;

use crate::hitches::row_ui::{AROUND, LINE, ROW, RowPaint, line_of};
use crate::hitches::view::{HitchesView, RowKey, show};
use crate::insight::findings::RowId;
use crate::insight::row_texts::{Detail, RowTexts};
use crate::paint::canvas::Canvas;
use crate::view::{PaneContext, PaneRequest};

/// Draws the hitches view of a pane.
pub(super) struct HitchesUi<'a> {
    pub(super) pane: PaneContext<'a>,
    pub(super) view: &'a mut HitchesView,
}

/// A row with its place.
#[derive(Clone, Copy, Debug)]
struct Placed {
    row: RowId,
    top: f64,
    height: f32,
}

impl HitchesUi<'_> {
    /// Draws the list into `rect`. Returns the request to show a row that was activated.
    pub(super) fn hitches_ui(
        &mut self,
        canvas: &mut Canvas<'_>,
        rect: Rect,
    ) -> Option<PaneRequest> {
        canvas.ground(rect, self.pane.theme);
        if let Some(text) = self.note() {
            self.note_ui(canvas, rect.shrink2(vec2(8.0, 4.0)), &text);
            return None;
        }
        let (placed, height) = self.places();
        let mut list = std::mem::take(&mut self.view.list);
        let selected = |place: &Placed| Some(place.row) == self.view.selected;
        let selected = placed.iter().position(selected);
        if let (Some(at), true) = (selected, std::mem::take(&mut list.has_moved)) {
            list.reveal(placed[at].top..placed[at].bottom(), rect.height());
        }
        // Over a game, the list begins at the top, or with the row before the selected one if that
        // would not fit.
        let top = selected
            .filter(|at| placed[*at].bottom() > f64::from(rect.height()))
            .map_or(0.0, |at| placed[at.saturating_sub(1)].top);
        let mut activated = None;
        canvas.list(rect, (&mut list, height, top), &mut |canvas, view| {
            activated = self.rows_ui(canvas, view, &placed);
        });
        self.view.list = list;
        activated
    }

    /// Returns the text to show instead of rows.
    fn note(&self) -> Option<Cow<'static, str>> {
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

    fn note_ui(&self, canvas: &Canvas<'_>, rect: Rect, text: &str) {
        let line = rect.with_max_y((rect.top() + ROW).min(rect.bottom()));
        let weak = canvas.weak(self.pane.theme);
        shapes::text_in(canvas.painter(), line, text, text_font(), weak);
        let id = canvas.make_persistent_id("note");
        accessibility::describe(canvas.ctx(), id, line, || {
            ("About hitches".to_owned(), text.to_owned())
        });
    }

    /// Returns the places of all rows, and their height.
    fn places(&mut self) -> (Vec<Placed>, f64) {
        let selected = self.view.selected;
        let below = self.view.details(self.pane.found).len() as f32 * LINE;
        let mut top = 0.0;
        let rows = self.pane.found.rows(self.pane.data.frames());
        let placed = rows.map(|row| {
            let height = ROW + if selected == Some(row) { below } else { 0.0 };
            let placed = Placed { row, top, height };
            top = placed.bottom();
            placed
        });
        (placed.collect(), top)
    }

    fn rows_ui(
        &mut self,
        canvas: &Canvas<'_>,
        view: &View,
        placed: &[Placed],
    ) -> Option<PaneRequest> {
        let mut activated = None;
        let rect_of = |place: &Placed| {
            let whole = view.place(place.top, place.height);
            Some((*place, canvas.row(whole, ROW)?))
        };
        for (slot, (place, rect)) in placed.iter().filter_map(rect_of).enumerate() {
            let head = rect.with_max_y(rect.top() + ROW);
            let id = canvas.make_persistent_id(("row", place.identity()));
            let response = canvas.interact(head, id, Sense::click());
            let is_pointed = response.as_ref().is_some_and(Response::hovered);
            highlight(canvas.painter(), head, self.pane.theme, is_pointed, None);
            self.placed_ui(canvas.painter(), rect, place.row, slot);
            let is_selected = self.view.selected == Some(place.row);
            let said = || {
                let texts = RowTexts::of(self.pane.found, place.row);
                (texts.label(place.row), texts.value())
            };
            if response.is_some() {
                accessibility::describe_row(canvas.ctx(), id, (0, Some(is_selected)), said);
            } else {
                accessibility::describe(canvas.ctx(), id, rect, said);
            }
            if is_selected {
                self.describe_details(canvas.painter(), id, rect);
            }
            let Some(response) = response else {
                continue;
            };
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
    fn placed_ui(&mut self, painter: &Painter, rect: Rect, row: RowId, slot: usize) {
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
    fn describe_details(&mut self, painter: &Painter, id: egui::Id, rect: Rect) {
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
    fn bottom(&self) -> f64 {
        self.top + f64::from(self.height)
    }

    /// Returns a key that no other row has.
    fn identity(&self) -> (u8, u64) {
        match self.row {
            RowId::Leak(series) => (0, series.into()),
            RowId::Periodic(first) => (1, first),
            RowId::Hitch(frame) => (2, frame),
            RowId::Explained => (3, 0),
            RowId::Slowdown(first) => (4, first),
        }
    }
}
