//! Several retained parts as one shape.

use egui::{Painter, Shape};

use super::Retained;
use super::clipped::ClippedShapes;

/// Retained parts that are painted as one shape, such as the rows of a list.
///
/// egui copies each shape into one growing mesh. Joined parts are a single copy, which halves the
/// cost of long lists.
#[derive(Clone, Debug, Default)]
pub struct Joined {
    shapes: ClippedShapes,
}

impl Joined {
    /// Joins `parts` in the order in which they are painted. Call it when a part, or the number of
    /// parts, has changed.
    pub fn join<'a, K: 'a>(&mut self, parts: impl Iterator<Item = &'a Retained<K>>) {
        self.shapes.clear();
        for (clip, shape) in parts.flat_map(|part| part.painted.shapes.iter()) {
            match shape {
                Shape::Mesh(mesh) => {
                    self.shapes.add_triangles(*clip, mesh.texture_id, |all| {
                        all.append_ref(mesh);
                    });
                }
                _ => self.shapes.push(*clip, shape.clone()),
            }
        }
    }

    /// Paints all parts. Allocates nothing.
    pub fn paint(&self, painter: &Painter) {
        self.shapes.paint(painter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retained::tests::are_alike;
    use crate::theme::number_font;
    use egui::{Align2, Color32, Context, RawInput, Rect, Vec2, pos2};

    #[test]
    fn joined_parts_look_like_parts_painted_one_by_one() {
        let ctx = Context::default();
        let mut parts: [Retained<usize>; 5] = Default::default();
        let (mut joined, mut count) = (Joined::default(), 0);
        let mut pass = |wanted: &[usize], at: f32, is_joined: bool| {
            let mut is_new = std::mem::replace(&mut count, wanted.len()) != wanted.len();
            let mut output = ctx.run_ui(RawInput::default(), |ui| {
                let painter = ui.ctx().debug_painter();
                for (part, &key) in parts.iter_mut().zip(wanted) {
                    let origin = pos2(7.0 * key as f32, at);
                    is_new |= part.lay_out(&painter, origin, key, |painter| {
                        let square = Rect::from_min_size(origin, Vec2::splat(3.0));
                        let painter = painter.with_clip_rect(square.expand((key / 3) as f32));
                        painter.rect_filled(square, 1.0, Color32::RED);
                        let text = key.to_string();
                        painter.text(origin, Align2::LEFT_TOP, text, number_font(), Color32::RED);
                    });
                }
                let parts = parts[..wanted.len()].iter();
                if !is_joined {
                    return parts.for_each(|part| part.painted.shapes.paint(&painter));
                }
                if is_new {
                    joined.join(parts);
                }
                joined.paint(&painter);
            });
            output.textures_delta.clear();
            let shapes = std::mem::take(&mut output.shapes);
            (ctx.tessellate(shapes, output.pixels_per_point), is_new)
        };
        let mut were_new = 0;
        for (wanted, at) in [
            (&[1, 2, 3][..], 0.0),
            (&[1, 2, 3], 0.0),
            (&[1, 7, 3], 0.0),
            (&[1, 7], 0.0),
            (&[1, 7], 9.0),
            (&[4, 5, 6, 7, 8], 9.0),
            (&[], 9.0),
            (&[4, 5, 6, 7, 8], 9.0),
        ] {
            let (picture, is_new) = pass(wanted, at, true);
            were_new += usize::from(is_new);
            let (plain, _) = pass(wanted, at, false);
            assert!(are_alike(&picture, &plain), "{wanted:?} at {at}");
        }
        assert_eq!(were_new, 7, "joined again only when a part changed");
    }
}
