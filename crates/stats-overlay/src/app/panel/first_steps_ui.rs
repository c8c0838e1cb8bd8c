//! The first steps: a question on each card, and one click to what answers it.

use egui::{Rect, Sense, Ui, vec2};

use crate::app::first_steps::FirstStep;
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::theme::{Theme, small_font, text_font};
use stats_ui::tooltip;

/// The height of the cards with the gap below them, and of a card, in points.
pub(super) const HEIGHT: f32 = 56.0;
const CARD: f32 = 48.0;
const GAP: f32 = 6.0;
/// The width of the button that dismisses the cards, in points.
const DISMISS: f32 = 20.0;
/// The minimum size of the area in which the cards are shown, in points.
pub(super) const MIN_AREA: egui::Vec2 = vec2(420.0, 260.0);
const DISMISS_HINT: &str = "Not again. The settings can bring the cards back";

/// Draws the cards into the upper part of `rect`. Returns the one that was clicked, or `None` in
/// `Some` if they were dismissed.
pub(super) fn first_steps_ui(ui: &Ui, theme: &Theme, rect: Rect) -> Option<Option<FirstStep>> {
    let mut clicked = None;
    let row = rect.with_max_y(rect.top() + CARD);
    let count = FirstStep::ALL.len() as f32;
    let width = (row.width() - DISMISS - count * GAP) / count;
    for (at, step) in FirstStep::ALL.into_iter().enumerate() {
        let corner = row.left_top() + vec2(at as f32 * (width + GAP), 0.0);
        let card = Rect::from_min_size(corner, vec2(width, CARD));
        if card_ui(ui, theme, card, step) {
            clicked = Some(Some(step));
        }
    }
    let cross = row.with_min_x(row.right() - DISMISS);
    let id = ui.make_persistent_id("dismiss first steps");
    let response = ui.interact(cross, id, Sense::click());
    let color = theme.text_if(response.hovered());
    shapes::cross(ui.painter(), cross.center(), color);
    accessibility::describe_button(ui.ctx(), id, || "Dismiss the first steps".to_owned());
    tooltip::hint(&response, DISMISS_HINT);
    if response.clicked() {
        clicked = Some(None);
    }
    clicked
}

fn card_ui(ui: &Ui, theme: &Theme, card: Rect, step: FirstStep) -> bool {
    let (name, what) = step.texts();
    let id = ui.make_persistent_id(name);
    let response = ui.interact(card, id, Sense::click());
    let (ground, edge) = if response.hovered() {
        (theme.hover, theme.accent)
    } else {
        (theme.plot, theme.line)
    };
    let painter = ui.painter();
    shapes::plate(painter, card, 5.0, ground, edge);
    let inner = card.shrink2(vec2(9.0, 6.0));
    let (upper, lower) = inner.split_top_bottom_at_fraction(0.55);
    shapes::text_in(painter, upper, name, text_font(), theme.accent);
    shapes::text_in(painter, lower, what, small_font(), theme.weak);
    accessibility::describe_button(ui.ctx(), id, || name.to_owned());
    response.clicked()
}
