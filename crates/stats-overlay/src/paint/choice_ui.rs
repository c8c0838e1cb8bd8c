//! A button for one of several alternatives.

use egui::{Button, Response, Stroke, Ui, pos2};
use stats_ui::theme::Theme;

/// Draws the button of one alternative, underlined if it is the chosen one.
pub(crate) fn choice(ui: &mut Ui, theme: &Theme, name: &str, chosen: bool) -> Response {
    let color = if chosen { theme.text } else { theme.weak };
    let response = ui.add(
        Button::new(egui::RichText::new(name).color(color))
            .selected(chosen)
            .frame_when_inactive(false),
    );
    if chosen {
        let rect = response.rect;
        let y = rect.bottom() + 1.0;
        ui.painter().line_segment(
            [pos2(rect.left() + 4.0, y), pos2(rect.right() - 4.0, y)],
            Stroke::new(2.0, theme.accent),
        );
    }
    response
}
