//! Shapes that are kept from pass to pass until their contents change.
//!
//! Laying out a text costs about a microsecond and a few allocations, and painting it again costs
//! neither. A view that shows the same hundred texts in most passes keeps their triangles: copying
//! triangles is the cheapest way to paint in egui.
//!
//! The shapes are first painted into a layer of their own and taken out of it. They therefore do
//! not depend on the layer that shows them: its opacity, scale and clip rectangle apply each time
//! they are painted.
//!
//! The key of the shapes includes everything they depend on. Without them, egui would lay out every
//! text and tessellate every shape in each pass, which takes more than half of the panel's time. A
//! test compares the whole picture with one drawn from scratch.

mod clipped;
mod joined;
mod triangles;

use egui::epaint::Mesh;
use egui::{Id, Painter, Pos2, Shape, Vec2};

use self::clipped::ClippedShapes;
use self::triangles::paint_triangles;
use crate::text_revision::text_revision;

pub use self::joined::Joined;
pub use self::triangles::keep_texts;

/// The shapes painted last, and the key of their contents.
///
/// The key must contain everything that the shapes depend on, except the fonts and the size of a
/// pixel, which are always compared.
#[derive(Clone, Debug)]
pub struct Retained<K> {
    key: Option<K>,
    painted: Painted,
}

impl<K> Default for Retained<K> {
    fn default() -> Self {
        Self {
            key: None,
            painted: Painted::default(),
        }
    }
}

/// The shapes without their key, and where they are. Not generic, so that all keys share its code.
#[derive(Clone, Debug, Default)]
struct Painted {
    state: Option<PainterState>,
    /// The origin at which the shapes were painted, and their movement since then.
    origin: Pos2,
    moved: Vec2,
    shapes: ClippedShapes,
}

impl Painted {
    /// Moves the shapes if their key `is_same`; otherwise paints them again. Returns whether they changed
    /// or moved.
    fn lay_out(
        &mut self,
        painter: &Painter,
        origin: Pos2,
        is_same: bool,
        paint: &mut dyn FnMut(&Painter),
    ) -> bool {
        let state = PainterState::of(painter);
        let moved = origin - self.origin;
        if !is_same || self.state != Some(state) || !state.is_whole(moved) {
            self.state = Some(state);
            (self.origin, self.moved) = (origin, Vec2::ZERO);
            self.shapes.clear();
            let size = (state.pixels_per_point, state.scale);
            paint_triangles(painter.ctx(), size, &mut self.shapes, paint);
            return true;
        }
        if moved == self.moved {
            return false;
        }
        self.shapes.translate(moved - self.moved);
        self.moved = moved;
        true
    }
}

/// The state of the painter that its shapes depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PainterState {
    text_revision: u64,
    /// The number of pixels per point, without the scale of the layer.
    pixels_per_point: f32,
    scale: f32,
}

impl PainterState {
    fn of(painter: &Painter) -> Self {
        let ctx = painter.ctx();
        let to_global = ctx.layer_transform_to_global(painter.layer_id());
        Self {
            text_revision: text_revision(ctx),
            pixels_per_point: painter.pixels_per_point(),
            scale: to_global.map_or(1.0, |to_global| to_global.scaling),
        }
    }

    /// Returns whether a distance is a whole number of pixels. Shapes look the same only after such
    /// a move, because texts begin at whole pixels.
    fn is_whole(&self, distance: Vec2) -> bool {
        let pixels = distance * self.pixels_per_point * self.scale;
        (pixels - pixels.round()).abs().max_elem() < 1e-3
    }
}

impl<K: PartialEq> Retained<K> {
    /// Paints the shapes of the previous call again if `key` is the same, and calls `paint`
    /// otherwise. Painting them again allocates nothing.
    ///
    /// The painter passed to `paint` has no clip rectangle. Its shapes are clipped like those of
    /// `painter`.
    pub fn paint(&mut self, painter: &Painter, key: K, paint: impl FnOnce(&Painter)) {
        self.paint_at(painter, Pos2::ZERO, key, paint);
    }

    /// Like [`paint`](Self::paint), for shapes that move with `origin`, such as those of a row that
    /// scrolls.
    pub fn paint_at(
        &mut self,
        painter: &Painter,
        origin: Pos2,
        key: K,
        paint: impl FnOnce(&Painter),
    ) {
        self.lay_out(painter, origin, key, paint);
        self.painted.shapes.paint(painter);
    }

    /// Like [`paint_at`](Self::paint_at), but paints nothing, because a [`Joined`] paints several
    /// parts at once. Returns whether the shapes changed or moved.
    pub fn lay_out(
        &mut self,
        painter: &Painter,
        origin: Pos2,
        key: K,
        paint: impl FnOnce(&Painter),
    ) -> bool {
        let is_same = self.key.as_ref() == Some(&key);
        self.key = Some(key);
        let mut paint = Some(paint);
        self.painted
            .lay_out(painter, origin, is_same, &mut |painter| {
                if let Some(paint) = paint.take() {
                    paint(painter);
                }
            })
    }
}

impl<K> Retained<K> {
    /// Adds the triangles of the last layout to a mesh, without their clip rectangles.
    pub fn add_to(&self, mesh: &mut Mesh) {
        for (_, shape) in self.painted.shapes.iter() {
            if let Shape::Mesh(part) = shape {
                mesh.append_ref(part);
            }
        }
    }

    /// Paints the texts that [`keep_texts`] keeps from becoming triangles.
    pub fn paint_texts(&self, painter: &Painter) {
        let texts = self.painted.shapes.iter().map(|(_, shape)| shape);
        let texts = texts.filter(|shape| matches!(shape, Shape::Text(_)));
        texts.for_each(|text| _ = painter.add(text.clone()));
    }
}

/// Like [`Retained::paint`], with the shapes in egui's memory under `id`.
pub fn paint_kept<K>(painter: &Painter, id: Id, key: K, paint: impl FnOnce(&Painter))
where
    K: PartialEq + Clone + Send + Sync + 'static,
{
    let ctx = painter.ctx();
    let mut kept: Retained<K> =
        ctx.data_mut(|data| std::mem::take(data.get_temp_mut_or_default(id)));
    kept.paint(painter, key, paint);
    ctx.data_mut(|data| *data.get_temp_mut_or_default(id) = kept);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::number_font;
    use egui::emath::TSTransform;
    use egui::{Align2, Color32, Context, LayerId, Order, RawInput, Rect, Stroke, pos2, vec2};

    /// The contents of a pass.
    #[derive(Clone, Copy)]
    struct Row {
        text: &'static str,
        at: Pos2,
        clip: Rect,
        opacity: f32,
        /// Of the layer.
        scale: f32,
    }

    const ROW: Row = Row {
        text: "a",
        at: pos2(20.0, 30.0),
        clip: Rect::EVERYTHING,
        opacity: 1.0,
        scale: 1.0,
    };

    /// Returns the triangles of a pass that paints `before` rectangles and then the row, and
    /// whether the row was painted rather than repeated.
    fn pass(
        ctx: &Context,
        retained: Option<&mut Retained<&'static str>>,
        row: Row,
        before: usize,
    ) -> (Vec<egui::epaint::ClippedPrimitive>, bool) {
        let mut is_painted = false;
        let mut retained = retained;
        let mut output = ctx.run_ui(RawInput::default(), |ui| {
            // The revision changes after a pass that does not ask for it.
            text_revision(ui.ctx());
            let layer = LayerId::new(Order::Foreground, Id::NULL.with("row"));
            let mut painter = Painter::new(ui.ctx().clone(), layer, row.clip);
            painter.set_opacity(row.opacity);
            let to_global = TSTransform::from_scaling(row.scale);
            ui.ctx().set_transform_layer(layer, to_global);
            (0..before).for_each(|_| _ = painter.rect_filled(Rect::ZERO, 0.0, Color32::RED));
            let mut paint = |painter: &Painter| {
                is_painted = true;
                let sign = vec![row.at, row.at + vec2(8.0, 0.0), row.at + vec2(0.0, 8.0)];
                painter.add(Shape::convex_polygon(sign, Color32::BLUE, Stroke::NONE));
                let within = Rect::from_min_size(row.at, vec2(100.0, 12.0));
                let painter = painter.with_clip_rect(within.intersect(painter.clip_rect()));
                painter.text(
                    row.at,
                    Align2::LEFT_TOP,
                    row.text,
                    number_font(),
                    Color32::RED,
                );
            };
            match &mut retained {
                Some(retained) => retained.paint_at(&painter, row.at, row.text, paint),
                None => paint(&painter),
            }
        });
        output.textures_delta.clear();
        let shapes = std::mem::take(&mut output.shapes);
        (ctx.tessellate(shapes, output.pixels_per_point), is_painted)
    }

    /// Returns whether two pictures are equal up to rounding.
    pub(super) fn are_alike(
        one: &[egui::epaint::ClippedPrimitive],
        other: &[egui::epaint::ClippedPrimitive],
    ) -> bool {
        use egui::epaint::Primitive;
        one.len() == other.len()
            && one.iter().zip(other).all(|(one, other)| {
                let (Primitive::Mesh(a), Primitive::Mesh(b)) = (&one.primitive, &other.primitive)
                else {
                    return false;
                };
                let mut vertices = a.vertices.iter().zip(&b.vertices);
                one.clip_rect == other.clip_rect
                    && a.indices == b.indices
                    && vertices.all(|(a, b)| {
                        a.pos.distance(b.pos) < 0.01 && a.uv == b.uv && a.color == b.color
                    })
            })
    }

    #[test]
    fn shapes_are_repeated_until_their_key_or_the_fonts_change() {
        let (ctx, mut retained) = (Context::default(), Retained::default());
        let mut paint = |text| pass(&ctx, Some(&mut retained), Row { text, ..ROW }, 0);
        let (first, is_painted) = paint("a");
        assert!(is_painted && !first.is_empty());
        let (again, is_painted) = paint("a");
        assert!(!is_painted && are_alike(&again, &first));
        let (other, is_painted) = paint("b");
        assert!(is_painted && !are_alike(&other, &first));
        ctx.set_pixels_per_point(2.0);
        paint("b");
        assert!(paint("a").1, "another key");
        ctx.set_pixels_per_point(1.0);
        let painted = (0..2).filter(|_| paint("a").1);
        assert_eq!(painted.count(), 1, "once");
    }

    #[test]
    fn repeated_shapes_equal_freshly_painted_ones() {
        let (ctx, mut retained) = (Context::default(), Retained::default());
        let is_new = [0, 6, 7, 8];
        for (at, (x, y, clip, opacity, before, scale)) in [
            (20.0, 30.0, f32::INFINITY, 0.0, 0, 1.0),
            (20.0, 30.0, f32::INFINITY, 0.5, 3, 1.0),
            (20.0, 30.0, f32::INFINITY, 1.0, 1, 1.0),
            (21.0, 48.0, f32::INFINITY, 1.0, 0, 1.0),
            (21.0, 48.0, 25.0, 1.0, 2, 1.0),
            (20.0, -3.0, 300.0, 0.7, 2, 1.0),
            (20.0, 30.5, 300.0, 1.0, 2, 1.0),
            (20.0, 30.5, 300.0, 1.0, 2, 1.4),
            (20.0, 31.5, 300.0, 1.0, 2, 1.4),
            (20.0, 36.5, 300.0, 1.0, 0, 1.4),
        ]
        .into_iter()
        .enumerate()
        {
            let row = Row {
                at: pos2(x, y),
                clip: Rect::from_min_max(Pos2::ZERO, pos2(clip, clip)),
                opacity,
                scale,
                ..ROW
            };
            let (repeated, is_painted) = pass(&ctx, Some(&mut retained), row, before);
            assert_eq!(is_painted, is_new.contains(&at), "{x} {y} {clip} {scale}");
            let (plain, _) = pass(&ctx, None, row, before);
            assert!(
                are_alike(&repeated, &plain),
                "at {x} {y}, {clip}, {opacity}"
            );
        }
    }

    #[test]
    fn kept_shapes_may_contain_other_kept_shapes() {
        let (ctx, square) = (
            Context::default(),
            Rect::from_min_max(Pos2::ZERO, pos2(9.0, 9.0)),
        );
        let (mut outer, mut inner) = (Retained::default(), Retained::default());
        let mut counts = Vec::new();
        for _ in 0..2 {
            let mut output = ctx.run_ui(RawInput::default(), |ui| {
                let painter = ui.ctx().debug_painter();
                outer.paint(&painter, 1, |painter| {
                    painter.rect_filled(square, 0.0, Color32::RED);
                    inner.paint(painter, 1, |painter| {
                        painter.rect_filled(square, 0.0, Color32::BLUE);
                    });
                });
            });
            output.textures_delta.clear();
            counts.push(output.shapes.iter().filter(|clipped| {
                matches!(&clipped.shape, Shape::Mesh(mesh) if mesh.vertices.len() > 4)
            }).count());
        }
        assert_eq!(counts[0], counts[1]);
        assert!(counts[0] > 0);
    }
}
