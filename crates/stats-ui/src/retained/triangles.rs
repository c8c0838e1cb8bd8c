//! Painted shapes as triangles.

use egui::emath::TSTransform;
use egui::epaint::{Mesh, TessellationOptions, Tessellator};
use egui::{Context, Id, LayerId, Order, Painter, Rect, Shape};

use super::clipped::ClippedShapes;

/// Adds what `paint` paints to `shapes`, for a layer with the given pixels per point and scale.
/// Takes a trait object, so that the many callers share its code.
pub(super) fn paint_triangles(
    ctx: &Context,
    (pixels_per_point, scale): (f32, f32),
    shapes: &mut ClippedShapes,
    paint: &mut dyn FnMut(&Painter),
) {
    let painted = painted_by(ctx, paint);
    let kept = take_tessellator(ctx, pixels_per_point);
    let mut collector = ShapeCollector {
        tessellator: kept.tessellator,
        keeps_texts: ctx.data(|data| data.get_temp(texts_id()).unwrap_or_default()),
        scale,
        shapes,
    };
    for clipped in painted.all_entries() {
        collector.add_shape(clipped.clip_rect, &clipped.shape);
    }
    let kept = KeptTessellator {
        of: kept.of,
        tessellator: collector.tessellator,
    };
    ctx.data_mut(|data| *data.get_temp_mut_or_default(tessellator_id()) = Some(kept));
}

/// From now on, keeps texts as text shapes instead of triangles, for tests that look for them among
/// the shapes of a pass.
pub fn keep_texts(ctx: &Context) {
    ctx.data_mut(|data| data.insert_temp(texts_id(), true));
}

/// Returns the shapes that `paint` paints.
fn painted_by(ctx: &Context, paint: &mut dyn FnMut(&Painter)) -> egui::layers::PaintList {
    let layer = LayerId::new(Order::Background, Id::NULL.with("stats retained"));
    let take = || ctx.graphics_mut(|graphics| std::mem::take(graphics.entry(layer)));
    // The current call may be nested in another one, whose shapes are being collected.
    let outer = take();
    paint(&Painter::new(ctx.clone(), layer, Rect::EVERYTHING));
    let painted = take();
    ctx.graphics_mut(|graphics| *graphics.entry(layer) = outer);
    painted
}

/// A tessellator, which is kept for the memory that it works in.
#[derive(Clone)]
struct KeptTessellator {
    of: (f32, TessellationOptions, [usize; 2]),
    tessellator: Tessellator,
}

fn tessellator_id() -> Id {
    Id::NULL.with("stats retained tessellator")
}

/// Takes the tessellator out of the memory of egui, or creates one.
fn take_tessellator(ctx: &Context, pixels_per_point: f32) -> KeptTessellator {
    let mut options = ctx.tessellation_options(|options| *options);
    options.coarse_tessellation_culling = false;
    let texture = ctx.fonts(|fonts| fonts.font_image_size());
    let of = (pixels_per_point, options, texture);
    let kept: Option<KeptTessellator> = ctx.data_mut(|data| {
        data.get_temp_mut_or_default::<Option<_>>(tessellator_id())
            .take()
    });
    let kept = kept.filter(|kept| kept.of == of);
    kept.unwrap_or_else(|| KeptTessellator {
        of,
        tessellator: Tessellator::new(pixels_per_point, options, texture, Vec::new()),
    })
}

fn texts_id() -> Id {
    Id::NULL.with("stats retained texts")
}

/// Collects shapes in the order in which they are painted.
struct ShapeCollector<'a> {
    tessellator: Tessellator,
    keeps_texts: bool,
    scale: f32,
    shapes: &'a mut ClippedShapes,
}

impl ShapeCollector<'_> {
    /// Adds a shape as triangles, if it has any.
    fn add_shape(&mut self, clip: Rect, shape: &Shape) {
        match shape {
            Shape::Noop => {}
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| self.add_shape(clip, shape)),
            Shape::Text(_) if self.keeps_texts => self.shapes.push(clip, shape.clone()),
            Shape::Callback(_) => self.shapes.push(clip, shape.clone()),
            _ => self.add_triangles(clip, shape),
        }
    }

    fn add_triangles(&mut self, clip: Rect, shape: &Shape) {
        let (texture, mut shape) = (shape.texture_id(), shape.clone());
        let (tessellator, scale) = (&mut self.tessellator, self.scale);
        self.shapes.add_triangles(clip, texture, |mesh| {
            if scale == 1.0 {
                return tessellator.tessellate_shape(shape, mesh);
            }
            // egui softens edges over one pixel, so tessellate at the size on the screen.
            shape.transform(TSTransform::from_scaling(scale));
            let mut scaled = Mesh::with_texture(texture);
            tessellator.tessellate_shape(shape, &mut scaled);
            scaled.transform(TSTransform::from_scaling(1.0 / scale));
            mesh.append(scaled);
        });
    }
}
