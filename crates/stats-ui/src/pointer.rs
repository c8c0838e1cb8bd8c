//! The pointer in the points of a scaled layer.
//!
//! A panel may be drawn larger or smaller than the host's interface. Its points then differ from
//! the host's points, in which egui reports the pointer.

use egui::{Context, LayerId, Pos2, Ui, emath::TSTransform};

/// Scales a layer, and returns the area it has on the host's screen, in the layer's own points.
pub fn scale_layer(ctx: &Context, layer: LayerId, scale: f32) -> egui::Rect {
    ctx.set_transform_layer(layer, TSTransform::from_scaling(scale));
    ctx.content_rect() / scale
}

/// Returns the position of the pointer in the points of `ui`'s layer; `None` if there is none.
pub fn pointer_pos(ui: &Ui) -> Option<Pos2> {
    ui.input(|input| input.pointer.interact_pos())
        .map(|at| in_layer(ui, at))
}

/// Returns the position at which the pressed button went down, in the points of `ui`'s layer;
/// `None` if no button is down.
pub fn press_origin(ui: &Ui) -> Option<Pos2> {
    ui.input(|input| input.pointer.press_origin())
        .map(|at| in_layer(ui, at))
}

fn in_layer(ui: &Ui, at: Pos2) -> Pos2 {
    ui.ctx()
        .layer_transform_from_global(ui.layer_id())
        .map_or(at, |to_layer| to_layer * at)
}
