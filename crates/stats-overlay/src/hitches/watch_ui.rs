//! The list over the game: the rows that fit, painted without a widget.

use egui::{Rect, vec2};
use stats_ui::accessibility;

use crate::hitches::ui::HitchesUi;
use crate::insight::row_texts::RowTexts;
use crate::paint::canvas::Canvas;

impl HitchesUi<'_> {
    /// Paints the first rows into `rect`. If the selected row would not fit, starts at the row
    /// before it.
    pub(super) fn watch_ui(&mut self, canvas: &Canvas<'_>, rect: Rect) {
        let painter = canvas.painter();
        let inner = rect.shrink2(vec2(4.0, 2.0));
        if let Some(text) = self.note() {
            return self.note_ui(painter, canvas.make_persistent_id("note"), inner, &text);
        }
        let (placed, _) = self.places();
        let at = placed
            .iter()
            .position(|place| Some(place.row) == self.view.selected);
        let end = at.map_or(0.0, |at| placed[at].top + placed[at].height);
        let first = match at {
            Some(at) if end > inner.height() => at.saturating_sub(1),
            _ => 0,
        };
        let from = placed.get(first).map_or(0.0, |place| place.top);
        for (slot, place) in placed[first..].iter().enumerate() {
            let corner = inner.min + vec2(0.0, place.top - from);
            let row = Rect::from_min_size(corner, vec2(inner.width(), place.height));
            if row.top() + place.height.min(super::row_ui::ROW) > inner.bottom() {
                break;
            }
            self.placed_ui(painter, row, place.row, slot);
            let id = canvas.make_persistent_id(("hitch", slot));
            accessibility::describe(canvas.ctx(), id, row.intersect(inner), || {
                let texts = RowTexts::of(self.pane.found, place.row);
                (texts.label(place.row), texts.value())
            });
            if self.view.selected == Some(place.row) {
                self.describe_details(painter, id, row.intersect(inner));
            }
        }
    }
}
