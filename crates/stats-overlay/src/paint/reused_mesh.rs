//! A mesh that is rebuilt in every pass and reuses the memory of earlier passes.

use std::sync::Arc;

use egui::Shape;
use egui::epaint::Mesh;

/// The number of meshes that take turns: while one is painted, a host may still have the previous
/// one.
const TURNS: usize = 3;

/// Memory for a mesh. Allocates nothing in the steady state.
#[derive(Debug, Default)]
pub(crate) struct ReusedMesh {
    // `None` takes no memory, so that a view can be moved out of its place for a while.
    meshes: [Option<Arc<Mesh>>; TURNS],
}

impl ReusedMesh {
    /// Returns the shape of a mesh that `build` fills; it is empty at first.
    pub(crate) fn shape(&mut self, build: impl FnOnce(&mut Mesh)) -> Shape {
        self.meshes.rotate_left(1);
        let [mesh, ..] = &mut self.meshes;
        if mesh.as_mut().and_then(Arc::get_mut).is_none() {
            *mesh = None;
        }
        let mesh = mesh.get_or_insert_default();
        if let Some(mesh) = Arc::get_mut(mesh) {
            // `Mesh::clear` would drop the memory.
            mesh.indices.clear();
            mesh.vertices.clear();
            build(mesh);
        }
        Shape::Mesh(Arc::clone(mesh))
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
            // The host has the shapes of the last pass until the next one ends.
            painted.drain(..painted.len().saturating_sub(1));
        }
        places.sort_unstable();
        places.dedup();
        assert!(places.len() <= 2 * TURNS, "{places:?}");
    }
}
