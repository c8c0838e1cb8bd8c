//! Tooltips of rows, which never cover their row, and of widgets that are drawn in every pass.
//!
//! egui's functions are generic over the contents, and each of their instances takes as long to
//! compile as a long file. Callers of the functions in this module share one instance.

use egui::{RectAlign, Response, Tooltip, Ui};

use crate::accessibility;

/// The maximum width of a tooltip, in points.
const MAX_WIDTH: f32 = 420.0;
/// The minimum width to the right of a row at which its tooltip is shown there, in points.
const MIN_WIDTH: f32 = 200.0;
/// The width of a tooltip's frame plus its distance from the row, in points.
const AROUND: f32 = 24.0;

/// Shows `text` while the pointer is on a widget, and describes the widget with it to a screen
/// reader. Does nothing if `text` is empty.
///
/// `Response::on_hover_text` does the same, but allocates in every pass.
pub fn hint(response: &Response, text: &str) {
    if text.is_empty() {
        return;
    }
    if response.hovered() {
        with_text(response.clone(), text);
    } else {
        accessibility::explain(&response.ctx, response.id, text);
    }
}

/// Like `Response::on_hover_text`.
pub fn with_text(response: Response, text: &str) -> Response {
    response.on_hover_text(text)
}

/// Like `Response::on_disabled_hover_text`.
pub fn while_disabled(response: Response, text: &str) -> Response {
    response.on_disabled_hover_text(text)
}

/// Like `Response::on_hover_ui`.
pub fn with(response: Response, contents: &mut dyn FnMut(&mut Ui)) -> Response {
    response.on_hover_ui(contents)
}

/// Like `Response::on_hover_ui_at_pointer`.
pub fn at_pointer(response: Response, contents: &mut dyn FnMut(&mut Ui)) -> Response {
    response.on_hover_ui_at_pointer(contents)
}

/// Shows a tooltip while the pointer is on a row of a list: to the right of the row, or else below
/// or above it. If there is room to the right, the other rows stay readable, too.
pub fn beside(response: &Response, contents: impl FnOnce(&mut Ui)) {
    // egui's own test for this costs more than the row.
    if !response.hovered() {
        return;
    }
    let mut contents = Some(contents);
    show_beside(response, &mut |ui| {
        if let Some(contents) = contents.take() {
            contents(ui);
        }
    });
}

/// Shows the tooltip of a row. Takes a trait object, so that all callers share egui's code.
fn show_beside(response: &Response, contents: &mut dyn FnMut(&mut Ui)) {
    const ELSEWHERE: [RectAlign; 4] = [
        RectAlign::BOTTOM_START,
        RectAlign::TOP_START,
        RectAlign::BOTTOM_END,
        RectAlign::TOP_END,
    ];
    let ctx = &response.ctx;
    let screen = ctx.content_rect();
    let right = match ctx.layer_transform_to_global(response.layer_id) {
        Some(to_global) => (to_global * response.rect).right(),
        None => response.rect.right(),
    };
    let room = screen.right() - right - AROUND;
    let (align, width) = if room >= MIN_WIDTH {
        (RectAlign::RIGHT_START, room)
    } else {
        (ELSEWHERE[0], screen.width() - AROUND)
    };
    let mut tooltip = Tooltip::for_enabled(response).gap(6.0);
    tooltip.popup = tooltip.popup.align(align).align_alternatives(&ELSEWHERE);
    let contents: &mut dyn FnMut(&mut Ui) = &mut |ui| {
        ui.set_max_width(width.min(MAX_WIDTH));
        contents(ui);
    };
    tooltip.show(contents);
}
