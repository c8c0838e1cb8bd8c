//! A button for one of several alternatives.

use egui::{Color32, Response, Sense, Stroke, Ui, pos2, vec2};
use stats_ui::accessibility;
use stats_ui::theme::{Theme, text_font};

/// Draws the button of one alternative, underlined if it is the chosen one.
///
/// It is painted here because `egui::Button` costs five times as much, and every pane has a dozen
/// of these.
pub(crate) fn choice(ui: &mut Ui, theme: &Theme, name: &str, chosen: bool) -> Response {
    let text = name.to_owned();
    let galley = ui
        .painter()
        .layout_no_wrap(text, text_font(), Color32::PLACEHOLDER);
    let padding = ui.spacing().button_padding;
    let height = ui.spacing().interact_size.y;
    let size = galley.size() + 2.0 * padding;
    let (rect, response) = ui.allocate_exact_size(vec2(size.x, size.y.max(height)), Sense::click());
    accessibility::describe_button(ui.ctx(), response.id, || name.to_owned());
    accessibility::describe_toggle(ui.ctx(), response.id, chosen, || name.to_owned());
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let visuals = ui.style().interact_selectable(&response, chosen);
    if response.hovered() || response.has_focus() {
        ui.painter().rect(
            rect,
            visuals.corner_radius,
            visuals.weak_bg_fill,
            visuals.bg_stroke,
            egui::StrokeKind::Inside,
        );
    }
    let color = if chosen { theme.text } else { theme.weak };
    let place = rect.center() - galley.size() / 2.0;
    ui.painter().galley(place, galley, color);
    if chosen {
        let y = rect.bottom() + 1.0;
        ui.painter().line_segment(
            [pos2(rect.left() + 4.0, y), pos2(rect.right() - 4.0, y)],
            Stroke::new(2.0, theme.accent),
        );
    }
    response
}
