//! A mesh that is rebuilt in every pass and reuses the memory of earlier passes.

use std::sync::Arc;

use egui::Shape;
use egui::epaint::Mesh;

/// The number of meshes that take turns, because a host may still have the previous mesh while the
/// next one is built.
const TURNS: usize = 3;

/// A mesh that allocates nothing in the steady state.
#[derive(Debug, Default)]
pub(crate) struct ReusedMesh {
    // `None` allocates nothing, so `std::mem::take` of a view is free.
    meshes: [Option<Arc<Mesh>>; TURNS],
}

impl ReusedMesh {
    /// Lets `build` fill an empty mesh, and returns its shape.
    pub(crate) fn shape(&mut self, build: impl FnOnce(&mut Mesh)) -> Shape {
        let mesh = self.next();
        if let Some(mesh) = Arc::get_mut(mesh) {
            build(mesh);
        }
        Shape::Mesh(Arc::clone(mesh))
    }

    /// Returns an empty mesh that nobody else has.
    fn next(&mut self) -> &mut Arc<Mesh> {
        self.meshes.rotate_left(1);
        let [mesh, ..] = &mut self.meshes;
        if mesh.as_mut().and_then(Arc::get_mut).is_none() {
            *mesh = None;
        }
        let mesh = mesh.get_or_insert_default();
        if let Some(mesh) = Arc::get_mut(mesh) {
            // `Mesh::clear` would free the memory.
            mesh.indices.clear();
            mesh.vertices.clear();
        }
        mesh
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Color32, Rect, pos2};

    #[test]
    fn memory_is_reused_once_a_mesh_is_no_longer_painted() {
        let mut reused = ReusedMesh::default();
        let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        let mut painted: Vec<Shape> = Vec::new();
        let mut places = Vec::new();
        for pass in 0..12 {
            let shape = reused.shape(|mesh| {
                assert!(mesh.is_empty());
                (0..=pass % 2).for_each(|_| mesh.add_colored_rect(rect, Color32::RED));
            });
            let Shape::Mesh(mesh) = &shape else {
                panic!("no mesh")
            };
            assert_eq!(mesh.vertices.len(), 4 * (pass % 2 + 1));
            places.push(mesh.vertices.as_ptr());
            painted.push(shape);
            // The host holds the shapes of a pass until the next pass ends.
            painted.drain(..painted.len().saturating_sub(1));
        }
        places.sort_unstable();
        places.dedup();
        assert!(places.len() <= 2 * TURNS, "{places:?}");
    }
}
