//! Shapes with their clip rectangles.

use std::slice;
use std::sync::Arc;

use egui::epaint::Mesh;
use egui::{Painter, Rect, Shape, TextureId, Vec2};

/// Meshes, texts and callbacks in the order in which they are painted, each with its clip rectangle
/// within that of the painter.
#[derive(Clone, Debug, Default)]
pub(super) struct ClippedShapes {
    shapes: Vec<(Rect, Shape)>,
    /// Cleared meshes for reuse. The last one belonged to the first shape.
    spare: Vec<Arc<Mesh>>,
}

impl ClippedShapes {
    pub(super) fn clear(&mut self) {
        self.spare.clear();
        for (_, shape) in self.shapes.drain(..).rev() {
            // A host that still draws the mesh keeps it.
            if let Shape::Mesh(mut mesh) = shape
                && let Some(free) = Arc::get_mut(&mut mesh)
            {
                // `Mesh::clear` would free the memory.
                free.vertices.clear();
                free.indices.clear();
                self.spare.push(mesh);
            }
        }
    }

    pub(super) fn iter(&self) -> slice::Iter<'_, (Rect, Shape)> {
        self.shapes.iter()
    }

    pub(super) fn push(&mut self, clip: Rect, shape: Shape) {
        self.shapes.push((clip, shape));
    }

    /// Adds triangles to the last shape if it is a mesh with the same clip rectangle and texture,
    /// or else to a new mesh.
    pub(super) fn add_triangles(
        &mut self,
        clip: Rect,
        texture: TextureId,
        add: impl FnOnce(&mut Mesh),
    ) {
        if let Some((of, Shape::Mesh(last))) = self.shapes.last_mut()
            && *of == clip
            && last.texture_id == texture
        {
            return add(Arc::make_mut(last));
        }
        let mut mesh = self.spare.pop().unwrap_or_default();
        let free = Arc::make_mut(&mut mesh);
        free.texture_id = texture;
        add(free);
        self.shapes.push((clip, Shape::Mesh(mesh)));
    }

    /// Paints all shapes. Allocates nothing.
    pub(super) fn paint(&self, painter: &Painter) {
        let shown = painter.clip_rect();
        for (clip, shape) in &self.shapes {
            let painter = painter.with_clip_rect(clip.intersect(shown));
            painter.add(shape.clone());
        }
    }

    /// Moves all shapes.
    pub(super) fn translate(&mut self, by: Vec2) {
        for (clip, shape) in &mut self.shapes {
            *clip = clip.translate(by);
            // `Shape::translate` copies the galley of a text.
            if let Shape::Text(text) = shape {
                text.pos += by;
            } else {
                shape.translate(by);
            }
        }
    }
}
