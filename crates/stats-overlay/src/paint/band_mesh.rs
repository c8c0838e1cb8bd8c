//! A band of a stack as a mesh: the area between its two edges.

use egui::epaint::Mesh;
use egui::{Color32, Pos2, pos2};

use crate::paint::scale::Scale;
use stats_analysis::stack::StackedBand;

/// Returns the area between the edges of a band, with a gap at each bucket without an edge. The
/// edges are hard: a line with soft edges is drawn along the upper one.
pub(crate) fn band_mesh(band: &StackedBand<'_>, scale: &Scale, color: Color32) -> Mesh {
    let mut mesh = Mesh::default();
    mesh.reserve_vertices(band.upper.len() * 2);
    mesh.reserve_triangles(band.upper.len() * 2);
    let base = scale.y(0.0);
    let mut follows = false;
    for (at, top) in edge(band, scale).enumerate() {
        if top.y.is_nan() {
            follows = false;
            continue;
        }
        let below = band
            .lower
            .and_then(|lower| lower.get(at))
            .map_or(base, |&value| scale.y(value));
        mesh.colored_vertex(top, color);
        mesh.colored_vertex(pos2(top.x, below), color);
        if std::mem::replace(&mut follows, true) {
            let before = mesh.vertices.len() as u32 - 4;
            mesh.add_triangle(before, before + 1, before + 2);
            mesh.add_triangle(before + 1, before + 2, before + 3);
        }
    }
    mesh
}

/// Returns the upper edge: a point in the middle of every bucket. Its `y` is NaN if the bucket has
/// no edge.
pub(crate) fn edge(band: &StackedBand<'_>, scale: &Scale) -> impl Iterator<Item = Pos2> {
    let middle = band.first_frame as f64 + (band.width - 1) as f64 / 2.0;
    let width = band.width as f64;
    band.upper
        .iter()
        .enumerate()
        .map(move |(at, &top)| pos2(scale.x(middle + at as f64 * width), scale.y(top)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::raster::Raster;
    use egui::{Rect, vec2};
    use stats_analysis::axis::Mapping;

    fn scale() -> Scale {
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(100.0, 100.0));
        Scale::new(rect, (0.0, 100.0), (0.0, 100.0), Mapping::Linear)
    }

    #[test]
    fn a_bucket_without_an_edge_is_a_gap() {
        let scale = scale();
        let mut upper = vec![50.0; 100];
        upper[40..60].fill(f64::NAN);
        let band = StackedBand {
            lower: None,
            upper: &upper,
            first_frame: 0,
            width: 1,
        };
        let mesh = band_mesh(&band, &scale, Color32::WHITE);
        let raster = Raster::of(&mesh, 100, 100);
        let at = |x: f32| raster.most_around(pos2(x, 80.0));
        assert!(at(37.0) > 0.9 && at(62.0) > 0.9);
        assert_eq!(at(50.0), 0.0);
        assert!(mesh.is_valid() && mesh.vertices.iter().all(|vertex| !vertex.pos.any_nan()));
    }

    #[test]
    fn bands_fill_the_area_between_their_edges_and_touch() {
        let scale = scale();
        let lower: Vec<f64> = (0..100).map(|at| 20.0 + f64::from(at % 10)).collect();
        let upper: Vec<f64> = lower.iter().map(|value| value + 30.0).collect();
        let band = |lower, upper| StackedBand {
            lower,
            upper,
            first_frame: 0,
            width: 1,
        };
        let (first, second) = (band(None, &lower), band(Some(lower.as_slice()), &upper));
        let mut mesh = band_mesh(&first, &scale, Color32::WHITE);
        let first_covers = Raster::of(&mesh, 100, 100).sum();
        mesh.append(band_mesh(&second, &scale, Color32::WHITE));
        let both_cover = Raster::of(&mesh, 100, 100).sum();
        // 100 points have 99 columns between them. The edges are off by at most half a pixel.
        assert!((first_covers - 99.0 * 24.5).abs() < 60.0, "{first_covers}");
        assert!((both_cover - 99.0 * 54.5).abs() < 60.0, "{both_cover}");
    }
}
