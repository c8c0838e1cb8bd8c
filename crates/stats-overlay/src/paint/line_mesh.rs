//! A line as one mesh with soft edges.
//!
//! The mesh is a ladder: every point has a rung of vertices across the line, and each segment fills
//! the strip between two rungs. If the line turns by less than a right angle, the rung is the
//! miter. If it turns by more, as at a spike, the point has two rungs, one for each segment, and
//! the strip between them fills the outside of the corner.

use egui::epaint::{Mesh, Vertex};
use egui::{Color32, Pos2, Vec2};

use crate::paint::series_shape::{LineStyle, connect_rungs};

/// The vertices across a line: their distances from its middle, and their colors.
struct Rung {
    offsets: [(f32, Color32); 4],
    count: usize,
}

impl Rung {
    fn new(
        LineStyle {
            color,
            width,
            feather,
        }: LineStyle,
    ) -> Self {
        let (inner, outer) = ((width - feather) / 2.0, (width + feather) / 2.0);
        let clear = Color32::TRANSPARENT;
        if width > 2.0 * feather {
            return Self {
                offsets: [
                    (-outer, clear),
                    (-inner, color),
                    (inner, color),
                    (outer, clear),
                ],
                count: 4,
            };
        }
        // A line this thin has little more than its edges. The edges meet in the middle, and are
        // wide enough to give the line its weight. A line thinner than the feather is fainter
        // instead.
        let (outer, color) = (
            width.max(feather),
            color.gamma_multiply((width / feather).clamp(0.0, 1.0)),
        );
        Self {
            offsets: [(-outer, clear), (0.0, color), (outer, clear), (0.0, clear)],
            count: 3,
        }
    }

    fn push(&self, mesh: &mut Mesh, at: Pos2, across: Vec2) {
        let vertices = self.offsets[..self.count].iter();
        mesh.vertices.extend(
            vertices.map(|&(offset, color)| Vertex::untextured(at + across * offset, color)),
        );
    }

    /// Fills the strips between all rungs in the mesh from vertex `first` on.
    fn connect(&self, mesh: &mut Mesh, first: u32) {
        let count = self.count as u32;
        let rungs = (mesh.vertices.len() as u32 - first) / count;
        mesh.reserve_triangles(rungs as usize * 2 * (self.count - 1));
        for rung in 1..rungs {
            connect_rungs(mesh, first + (rung - 1) * count, count);
        }
    }
}

/// Adds a line through `points` to the mesh, with a gap at each point whose `y` is NaN. Fewer than
/// two different points add nothing.
pub(crate) fn push_line(mesh: &mut Mesh, points: impl Iterator<Item = Pos2>, style: LineStyle) {
    let rung = Rung::new(style);
    let mut first = mesh.vertices.len() as u32;
    mesh.reserve_vertices(points.size_hint().0 * rung.count);
    let mut last: Option<Pos2> = None;
    let mut normal: Option<Vec2> = None;
    for point in points {
        if point.y.is_nan() {
            if let (Some(end), Some(normal)) = (last.take(), normal.take()) {
                rung.push(mesh, end, normal);
            }
            rung.connect(mesh, first);
            first = mesh.vertices.len() as u32;
            continue;
        }
        let Some(from) = last else {
            last = Some(point);
            continue;
        };
        let Some(next) = normal_of(from, point) else {
            continue;
        };
        push_corner(mesh, &rung, from, normal, next);
        (last, normal) = (Some(point), Some(next));
    }
    if let (Some(end), Some(normal)) = (last, normal) {
        rung.push(mesh, end, normal);
    }
    rung.connect(mesh, first);
}

/// Adds the rungs of the corner at `at`, given the normals of the segments before and after it.
fn push_corner(mesh: &mut Mesh, rung: &Rung, at: Pos2, before: Option<Vec2>, after: Vec2) {
    match before {
        None => rung.push(mesh, at, after),
        // The line goes straight on, so the segment continues.
        Some(before) if before == after => {}
        Some(before) => {
            let sum = before + after;
            if before.dot(after) > 0.0 {
                rung.push(mesh, at, sum * (2.0 / sum.length_sq()));
            } else {
                rung.push(mesh, at, before);
                rung.push(mesh, at, after);
            }
        }
    }
}

/// Returns the unit vector across the line from one point to another; `None` if both are the same.
fn normal_of(from: Pos2, to: Pos2) -> Option<Vec2> {
    let along = to - from;
    // `Vec2::length` also guards against overflow, which screen coordinates never cause.
    let length = along.length_sq().sqrt();
    (length > 1e-6).then(|| Vec2::new(-along.y, along.x) / length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::raster::{Raster, STYLE};
    use egui::pos2;
    use stats_testing::Random;

    fn line(points: &[Pos2], style: LineStyle) -> Mesh {
        let mut mesh = Mesh::default();
        push_line(&mut mesh, points.iter().copied(), style);
        assert!(mesh.is_valid());
        mesh
    }

    #[test]
    fn a_line_has_its_width_in_every_direction() {
        for width in [1.0, 1.5, 3.0, 6.0] {
            for angle in 0..12 {
                let along = Vec2::angled(angle as f32 * 0.31);
                let mesh = line(
                    &[
                        pos2(50.0, 50.0) - along * 30.0,
                        pos2(50.0, 50.0) + along * 30.0,
                    ],
                    LineStyle { width, ..STYLE },
                );
                let covered = Raster::of(&mesh, 100, 100).sum() / 60.0;
                assert!(
                    (covered - width).abs() <= 0.3,
                    "{width} at {angle}: {covered}"
                );
            }
        }
    }

    #[test]
    fn corners_have_no_gaps_and_no_horns() {
        let mut random = Random::new(3);
        for _ in 0..100 {
            let mut points: Vec<Pos2> = Vec::new();
            for at in 0..20 {
                points.push(pos2(10.0 + at as f32 * 4.0, 10.0 + random.below(80) as f32));
            }
            let raster = Raster::of(&line(&points, STYLE), 100, 100);
            for pair in points.windows(2) {
                for step in 0..=20 {
                    let at = pair[0].lerp(pair[1], step as f32 / 20.0);
                    assert!(
                        raster.most_around(at) > 0.5,
                        "a gap at {at:?} of {points:?}"
                    );
                }
            }
            let highest = points
                .iter()
                .map(|point| point.y)
                .fold(f32::INFINITY, f32::min);
            assert!(
                line(&points, STYLE)
                    .vertices
                    .iter()
                    .all(|vertex| vertex.pos.y > highest - 2.0),
                "a horn"
            );
        }
    }

    #[test]
    fn points_on_a_straight_line_add_no_vertices() {
        let points: Vec<Pos2> = (0..500).map(|at| pos2(at as f32, 7.0)).collect();
        assert_eq!(line(&points, STYLE).vertices.len(), 6);
    }

    #[test]
    fn a_line_has_a_gap_where_a_height_is_unknown() {
        let at = |x: f32, y: f32| pos2(x, y);
        let hole = at(50.0, f32::NAN);
        let mesh = line(
            &[
                hole,
                at(10.0, 50.0),
                at(40.0, 50.0),
                hole,
                hole,
                at(60.0, 20.0),
                at(90.0, 20.0),
                hole,
                at(95.0, 80.0),
            ],
            STYLE,
        );
        let raster = Raster::of(&mesh, 100, 100);
        assert!(raster.most_around(at(38.0, 50.0)) > 0.5);
        assert!(raster.most_around(at(62.0, 20.0)) > 0.5);
        assert!(
            (44..57).all(|x| (0..100).all(|y| raster.most_around(at(x as f32, y as f32)) == 0.0))
        );
        assert!(mesh.vertices.iter().all(|vertex| !vertex.pos.any_nan()));
    }

    #[test]
    fn a_line_needs_two_points() {
        assert!(line(&[], STYLE).is_empty());
        assert!(line(&[pos2(1.0, 1.0)], STYLE).is_empty());
        assert!(line(&[pos2(1.0, 1.0), pos2(1.0, 1.0)], STYLE).is_empty());
    }
}
