//! Selects rows of the table by clicking, by dragging, and by keys.

use std::ops::Range;

use egui::{Event, Key, Modifiers, PointerButton, Rect, Response, Sense, Ui, vec2};

use crate::export::tsv::tsv;
use crate::table::ui::{ROW, TableUi};
use stats_ui::list::View;

/// The distance scrolled in a pass, as a share of the pointer's distance from the table.
const EDGE_SPEED: f32 = 0.3;

impl TableUi<'_> {
    /// Selects rows, and reports the frame under the pointer to the other panes. Returns that
    /// frame.
    pub(super) fn select_ui(&mut self, ui: &Ui, body: Rect, view: &View, rows: u64) -> Option<u64> {
        // Dragging scrolls on a touch screen.
        let touch = ui.input(|input| input.has_touch_screen());
        let sense = if touch {
            Sense::click()
        } else {
            Sense::click_and_drag()
        };
        let response = ui.interact(
            body.intersect(ui.clip_rect()),
            ui.make_persistent_id("all rows"),
            sense,
        );
        let held = self.pane.data.frames();
        self.take_keys(ui, &response, held.clone());
        let pointer = response.interact_pointer_pos().or(response.hover_pos());
        let frame = pointer.filter(|_| rows > 0).and_then(|at| {
            let row = view.row_at(at.y.min(body.bottom() - 1.0).max(body.top()), ROW);
            // There is no row to point at below the last one, but a drag may end there.
            let inside = row < rows as f64 || response.dragged();
            inside
                .then(|| self.view.frame_in((row.max(0.0) as u64).min(rows - 1)))
                .flatten()
        });
        if let Some(frame) = frame {
            self.select_with(ui, &response, frame);
        }
        let has_more = rows as f64 * f64::from(ROW) > f64::from(body.height());
        let is_dragged = has_more && response.dragged_by(PointerButton::Primary);
        if let Some(pointer) = pointer.filter(|_| is_dragged) {
            // Rows beyond an edge scroll in while the pointer is held there.
            let beyond = (body.top() - pointer.y).max(0.0) - (pointer.y - body.bottom()).max(0.0);
            ui.scroll_with_delta(vec2(0.0, beyond * EDGE_SPEED));
        }
        let pointed = frame.filter(|_| response.hovered() || response.dragged());
        if let Some(frame) = pointed {
            self.pane.frame_axis.point_at(frame);
            self.marks_hover_ui(ui, &response, frame);
            self.cell_hover_ui(&response, view.rect.left(), frame);
        }
        pointed
    }

    /// A click selects a frame; with Shift, it selects all frames up to it, as dragging does. The
    /// row on which the button was pressed counts, because new frames move the rows under the
    /// pointer.
    fn select_with(&mut self, ui: &Ui, response: &Response, frame: u64) {
        let (pressed, extends) =
            ui.input(|input| (input.pointer.primary_pressed(), input.modifiers.shift));
        if pressed && response.is_pointer_button_down_on() {
            self.view.pressed = Some(frame);
            response.request_focus();
        }
        if response.drag_started_by(PointerButton::Primary) && !extends {
            self.view.anchor_at(self.view.pressed.unwrap_or(frame));
        }
        if response.dragged_by(PointerButton::Primary) {
            self.view.extend_to(frame, self.pane.frame_axis);
        } else if response.clicked_by(PointerButton::Primary) {
            let frame = self.view.pressed.take().unwrap_or(frame);
            if extends {
                self.view.extend_to(frame, self.pane.frame_axis);
            } else {
                self.view.select(frame, self.pane.frame_axis);
            }
        }
    }

    /// Ctrl+A selects all frames and Ctrl+C copies the selected ones, while the pointer is over the
    /// table or after a click in it.
    fn take_keys(&mut self, ui: &Ui, response: &Response, held: Range<u64>) {
        if !response.has_focus() && (!response.hovered() || ui.ctx().text_edit_focused()) {
            return;
        }
        if ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::A)) {
            self.view.select_all(held.clone(), self.pane.frame_axis);
        }
        if ui.input(|input| input.events.contains(&Event::Copy)) {
            let frames = self.view.frames_to_copy(self.pane.frame_axis, held);
            ui.ctx()
                .copy_text(tsv(self.pane.data, self.pane.selected, &frames));
        }
    }
}
