//! The list of a pane: the frames that the user asked about, leaks and periodic stalls, then
//! hitches, newest first.

use std::borrow::Cow;

use egui::{Align2, CursorIcon, Painter, Rect, Response, Sense, vec2};
use stats_ui::accessibility;
use stats_ui::list::{View, highlight};
use stats_ui::retained::Retained;
use stats_ui::shapes;
use stats_ui::theme::{DIMMED, small_font, text_font};
use stats_ui::tooltip;

use crate::hitches::row_ui::{AROUND, LINE, PICTURE, ROW, RowPaint, line_of, picture_of};
use crate::hitches::view::{HitchesView, RowKey};
use crate::input::key_hint::with_keys;
use crate::insight::findings::RowId;
use crate::paint::canvas::Canvas;
use crate::view::{PaneContext, PaneRequest};

/// The height of the line below the rows, in points.
const BELOW: f32 = 22.0;

/// The text for a source that knows only watched series.
#[cfg(target_family = "wasm")]
const WITHOUT_SURVEY: &str = "This source knows only watched series, and finds no hitches.";
#[cfg(not(target_family = "wasm"))]
const WITHOUT_SURVEY: &str = "Record a capture (V), and open it with stats view: this source knows only \
                              watched series, and finds no hitches.";

/// Draws the hitches view of a pane.
pub(super) struct HitchesUi<'a> {
    pub(super) pane: PaneContext<'a>,
    pub(super) view: &'a mut HitchesView,
}

/// A row with its place.
#[derive(Clone, Copy, Debug)]
struct Placed {
    /// Its index.
    at: usize,
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
        let pointed_in = (canvas.ui().filter(|ui| ui.rect_contains_pointer(rect)))
            .map(|ui| ui.ctx().cumulative_pass_nr());
        let (found, frames) = (self.pane.found, self.pane.data.frames());
        let listed = (frames, self.pane.search);
        (self.view.rows).update(found, listed, self.view.selected, pointed_in);
        if let Some(text) = self.note() {
            let text = match text {
                Cow::Borrowed(text) => with_keys(canvas.ctx(), text),
                Cow::Owned(text) => text.into(),
            };
            self.note_ui(canvas, rect.shrink2(vec2(8.0, 4.0)), &text);
            return None;
        }
        // What the search leaves out is said below the list for as long as the search lasts.
        let says_below = self.view.rows.waiting == 0 && self.view.rows.left_out > 0;
        let list_rect = match says_below {
            true => rect.with_max_y((rect.bottom() - BELOW).max(rect.top())),
            false => rect,
        };
        let (placed, height) = self.places();
        let mut list = std::mem::take(&mut self.view.list);
        let selected = self
            .view
            .selected
            .and_then(|row| self.view.rows.position(row));
        if let (Some(at), true) = (selected, std::mem::take(&mut list.has_moved)) {
            list.reveal(placed[at].top..placed[at].bottom(), list_rect.height());
        }
        // Over a game, the list begins at the top, or with the row before the selected one if that
        // would not fit.
        let top = selected
            .filter(|at| placed[*at].bottom() > f64::from(list_rect.height()))
            .map_or(0.0, |at| placed[at.saturating_sub(1)].top);
        let mut activated = None;
        canvas.list(list_rect, (&mut list, height, top), &mut |canvas, view| {
            activated = self.rows_ui(canvas, view, &placed);
        });
        self.view.list = list;
        self.waiting_ui(canvas, rect);
        activated
    }

    /// Says how many new rows wait for the pointer to leave, or how many the search leaves out.
    fn waiting_ui(&self, canvas: &Canvas<'_>, rect: Rect) {
        let rows = &self.view.rows;
        let text = &rows.not_shown;
        if text.is_empty() {
            return;
        }
        let note = match rows.waiting {
            0 => "",
            _ => "shown when the pointer leaves the list",
        };
        let galley = shapes::laid_out(canvas.painter(), text, small_font(), self.pane.theme.text);
        let corner = rect.right_bottom() - vec2(10.0, 4.0);
        let place = Align2::RIGHT_BOTTOM.anchor_size(corner, galley.size());
        let ground = place.expand2(vec2(5.0, 2.0));
        (canvas.painter()).rect_filled(ground, 3.0, self.pane.theme.hover);
        (canvas.painter()).galley(place.min, galley, self.pane.theme.text);
        let id = canvas.make_persistent_id("waiting");
        accessibility::describe(canvas.ctx(), id, ground, || (text.clone(), note.to_owned()));
    }

    /// Returns the text to show instead of rows.
    fn note(&self) -> Option<Cow<'_, str>> {
        if !self.pane.settings.hitches {
            return Some("Hitches are turned off in the settings.".into());
        }
        if !self.pane.found.can_tell() {
            return Some(WITHOUT_SURVEY.into());
        }
        if self.pane.found.has_too_many {
            let note = "The source has more than 262,144 series, too many to search for hitches.";
            return Some(note.into());
        }
        if self.view.rows.len() > 0 {
            return None;
        }
        if self.view.rows.left_out > 0 {
            return Some(self.view.rows.not_shown.as_str().into());
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
        let lines = self.view.details(self.pane.found, self.pane.data).len();
        let picture = selected.and_then(|row| self.pane.found.picture(row));
        let below = lines as f32 * LINE + picture.map_or(0.0, |_| PICTURE);
        let mut top = 0.0;
        let rows = self.view.rows.iter().enumerate();
        let placed = rows.map(|(at, listed)| {
            let height = ROW
                + if selected == Some(listed.row) {
                    below
                } else {
                    0.0
                };
            let row = listed.row;
            let placed = Placed {
                at,
                row,
                top,
                height,
            };
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
            let id = canvas.make_persistent_id(("row", place.at));
            let response = canvas.interact(head, id, Sense::click());
            let is_pointed = response.as_ref().is_some_and(Response::hovered);
            highlight(canvas.painter(), head, self.pane.theme, is_pointed, None);
            self.placed_ui(canvas.painter(), rect, place, slot);
            let Some(listed) = self.view.rows.get(place.at) else {
                continue;
            };
            let is_selected = self.view.selected == Some(place.row);
            let said = || {
                let texts = listed.texts(self.pane.found);
                let gone = if listed.is_gone {
                    ", no longer found"
                } else {
                    ""
                };
                (texts.label(place.row), format!("{}{gone}", texts.value()))
            };
            if response.is_some() {
                accessibility::describe_row(canvas.ctx(), id, (0, Some(is_selected)), said);
            } else {
                accessibility::describe(canvas.ctx(), id, rect, said);
            }
            let request = || listed.request(self.pane.found);
            let is_activated = response.as_ref().is_some_and(Response::double_clicked);
            activated = is_activated.then(request).or(activated);
            if let Some(response) = response.as_ref().filter(|row| row.hovered()) {
                let texts = listed.texts(self.pane.found);
                let paint = self.row_paint();
                if paint.is_cut(canvas.painter(), head, place.row, &texts) {
                    tooltip::beside(response, |ui| {
                        ui.label(&texts.verdict);
                    });
                }
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
        }
        activated
    }

    fn row_paint(&self) -> RowPaint<'_> {
        RowPaint {
            theme: self.pane.theme,
            found: self.pane.found,
            selected: self.pane.selected,
            times: self.pane.data.frame_times(),
        }
    }

    /// Paints a row with its details. `slot` is its index among the visible rows.
    fn placed_ui(&mut self, painter: &Painter, rect: Rect, place: Placed, slot: usize) {
        let row = place.row;
        let is_selected = self.view.selected == Some(row);
        let of_row = self.pane.found.frames_of(row);
        let around = if of_row.is_empty() {
            0..0
        } else {
            of_row.start.saturating_sub(AROUND)..of_row.start + AROUND + 1
        };
        let frames = self.pane.data.frame_times().within(around).frames();
        let key = RowKey {
            row,
            revisions: (self.pane.found.revision(), self.pane.revision),
            size: rect.size(),
            theme: *self.pane.theme,
            is_selected,
            is_gone: self
                .view
                .rows
                .get(place.at)
                .is_some_and(|listed| listed.is_gone),
            frames,
        };
        let mut painted = std::mem::take(&mut self.view.painted);
        if slot >= painted.len() {
            painted.resize_with(slot + 1, Retained::default);
        }
        if is_selected {
            self.view.details(self.pane.found, self.pane.data);
        }
        let (paint, view) = (self.row_paint(), &*self.view);
        painted[slot].paint_at(painter, rect.min, key, |painter| {
            let (head, below) = rect.split_top_bottom_at_y(rect.top() + ROW);
            if is_selected {
                painter.rect_filled(head, 2.0, paint.theme.hover);
            }
            let Some(listed) = view.rows.get(place.at) else {
                return;
            };
            let mut painter = painter.clone();
            if listed.is_gone {
                painter.multiply_opacity(DIMMED);
            }
            paint.row_ui(&painter, head, row, &listed.texts(paint.found));
            if is_selected {
                paint.details_ui(&painter, below, view.known_details());
                let place = picture_of(below, view.known_details().len());
                if let (Some(place), Some(picture)) = (place, paint.found.picture(row)) {
                    paint.picture_ui(&painter, place, picture);
                }
            }
        });
        self.view.painted = painted;
    }

    /// Describes the lines below the selected row to a screen reader.
    fn describe_details(&mut self, painter: &Painter, id: egui::Id, rect: Rect) {
        let below = rect.with_min_y(rect.top() + ROW);
        for (at, detail) in self
            .view
            .details(self.pane.found, self.pane.data)
            .iter()
            .enumerate()
        {
            let line = line_of(below, at);
            if line.bottom() <= below.bottom() + 1.0 {
                accessibility::describe(painter.ctx(), id.with(at), line, || detail.description());
            }
        }
        let picture = (self.view.selected).and_then(|row| self.pane.found.picture(row));
        let place = picture_of(below, self.view.known_details().len());
        if let (Some(place), Some(picture)) = (place, picture) {
            accessibility::describe(painter.ctx(), id.with("picture"), place, || {
                ("Picture".to_owned(), picture.caption())
            });
        }
    }
}

impl Placed {
    fn bottom(&self) -> f64 {
        self.top + f64::from(self.height)
    }
}
