//! The pointer in the overlay's own points, which a scale makes larger or smaller than the host's.

use egui::{Context, LayerId, Pos2, Ui, emath::TSTransform};

/// Shows a layer larger or smaller; says which part of the host's screen it has, in its own points.
pub fn scale_layer(ctx: &Context, layer: LayerId, scale: f32) -> egui::Rect {
    ctx.set_transform_layer(layer, TSTransform::from_scaling(scale));
    ctx.content_rect() / scale
}

/// Where the pointer is, in the points of `ui`'s layer.
pub fn pointer_pos(ui: &Ui) -> Option<Pos2> {
    ui.input(|input| input.pointer.interact_pos())
        .map(|at| in_layer(ui, at))
}

/// Where the button that is down was pressed, the same.
pub fn press_origin(ui: &Ui) -> Option<Pos2> {
    ui.input(|input| input.pointer.press_origin())
        .map(|at| in_layer(ui, at))
}

fn in_layer(ui: &Ui, at: Pos2) -> Pos2 {
    ui.ctx()
        .layer_transform_from_global(ui.layer_id())
        .map_or(at, |to_layer| to_layer * at)
}
