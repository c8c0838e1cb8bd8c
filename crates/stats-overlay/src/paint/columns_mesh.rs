//! Consecutive buckets as one mesh of columns, each from the minimum to the maximum of its bucket.
//!
//! Neighboring columns share the edge between them, which covers the extremes of both. All columns
//! therefore connect, and each covers its extremes over its whole width. At any scroll position, a
//! spike of one frame is at least a pixel wide up to its tip, with flanks over the neighboring
//! columns. Steps would need twice as many vertices, which account for most of a graph's cost.

use egui::epaint::{Mesh, Vertex};
use egui::{Color32, pos2};

use crate::paint::scale::Scale;
use crate::paint::series_shape::{LineStyle, connect_rungs};
use stats_analysis::buckets::Bucket;

/// Columns higher than this, in feathers, have hard ends. Soft ends are invisible there, and take
/// three times as many triangles.
const SOFT_UP_TO: f32 = 5.0;

/// A filled part of a vertical line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) top: f32,
    pub(super) bottom: f32,
}

impl Span {
    pub(super) fn of(bucket: &Bucket, scale: &Scale, style: LineStyle) -> Self {
        let half = style.width / 2.0;
        Self {
            top: scale.y(bucket.max) - half,
            bottom: scale.y(bucket.min) + half,
        }
    }

    /// Returns the smallest span that contains both.
    pub(super) fn hull(self, other: Self) -> Self {
        // These comparisons are faster than `f32::min` and `f32::max`.
        let top = if other.top < self.top {
            other.top
        } else {
            self.top
        };
        let bottom = if other.bottom > self.bottom {
            other.bottom
        } else {
            self.bottom
        };
        Self { top, bottom }
    }

    /// Returns the span at `share` of the way to another one.
    pub(super) fn lerp(self, other: Self, share: f32) -> Self {
        Self {
            top: self.top + (other.top - self.top) * share,
            bottom: self.bottom + (other.bottom - self.bottom) * share,
        }
    }

    fn is_soft(self, style: LineStyle) -> bool {
        self.bottom - self.top <= style.feather * SOFT_UP_TO
    }
}

/// Adds the columns of consecutive buckets of `width` frames.
pub(super) fn push_columns(
    mesh: &mut Mesh,
    buckets: &[Bucket],
    width: u64,
    scale: &Scale,
    style: LineStyle,
) {
    let Some(first) = buckets.first() else {
        return;
    };
    let mut strip = Strip::new(mesh, buckets.len(), style);
    let mut column = Span::of(first, scale, style);
    let mut left = column;
    for (at, bucket) in buckets.iter().enumerate() {
        let next = buckets
            .get(at + 1)
            .map_or(column, |next| Span::of(next, scale, style));
        let right = column.hull(next);
        let x = |frame: u64| scale.x(frame as f64 - 0.5);
        strip.begin(
            || x(bucket.first_frame),
            left,
            left.hull(right).is_soft(style),
        );
        strip.go_to(x(bucket.first_frame + width), right);
        (column, left) = (next, right);
    }
}

/// A strip that grows to the right by rungs of two vertices, or of four if its ends are soft.
struct Strip<'a> {
    mesh: &'a mut Mesh,
    style: LineStyle,
    soft: Option<bool>,
    /// The spans of the last two rungs.
    spans: [Option<Span>; 2],
}

impl<'a> Strip<'a> {
    fn new(mesh: &'a mut Mesh, columns: usize, style: LineStyle) -> Self {
        mesh.reserve_vertices(2 * columns + 2);
        mesh.reserve_triangles(2 * columns);
        Self {
            mesh,
            style,
            soft: None,
            spans: [None; 2],
        }
    }

    /// Starts with a rung, unless the strip already ends there and has the same kind of ends.
    fn begin(&mut self, x: impl FnOnce() -> f32, span: Span, soft: bool) {
        if self.soft != Some(soft) {
            self.soft = Some(soft);
            self.spans = [None, Some(span)];
            self.push(x(), span);
        }
    }

    /// Extends the strip to a rung. If the span is unchanged, moves the last rung instead.
    fn go_to(&mut self, x: f32, span: Span) {
        let count = if self.soft == Some(true) { 4 } else { 2 };
        let first = self.mesh.vertices.len() - count;
        if self.spans == [Some(span); 2] {
            self.mesh.vertices[first..]
                .iter_mut()
                .for_each(|vertex| vertex.pos.x = x);
            return;
        }
        self.spans = [self.spans[1], Some(span)];
        self.push(x, span);
        connect_rungs(self.mesh, first as u32, count as u32);
    }

    fn push(&mut self, x: f32, Span { top, bottom }: Span) {
        let (color, clear) = (self.style.color, Color32::TRANSPARENT);
        let vertex = |y: f32, color: Color32| Vertex::untextured(pos2(x, y), color);
        if self.soft == Some(true) {
            let fade = self.style.feather / 2.0;
            let ends = [vertex(top - fade, clear), vertex(top + fade, color)];
            self.mesh.vertices.extend_from_slice(&[
                ends[0],
                ends[1],
                vertex(bottom - fade, color),
                vertex(bottom + fade, clear),
            ]);
        } else {
            self.mesh
                .vertices
                .extend_from_slice(&[vertex(top, color), vertex(bottom, color)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::raster::{self, Raster};
    use egui::{Pos2, Rect, vec2};
    use stats_analysis::axis::Mapping;
    use stats_analysis::buckets::thin;
    use stats_core::FrameSlice;
    use stats_testing::Random;

    const STYLE: LineStyle = LineStyle {
        width: 1.0,
        ..raster::STYLE
    };

    /// Returns the columns of values from 0 to 10. Each column is four frames, or one pixel, wide.
    fn columns(values: &[f64]) -> (Vec<Bucket>, Scale, Mesh) {
        let mut buckets = Vec::new();
        thin(FrameSlice::new(0, values, &[]), 4, &mut buckets);
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(100.0, 100.0));
        let scale = Scale::new(rect, (-0.5, 399.5), (0.0, 10.0), Mapping::Linear);
        let mut mesh = Mesh::default();
        push_columns(&mut mesh, &buckets, 4, &scale, STYLE);
        assert!(mesh.is_valid());
        (buckets, scale, mesh)
    }

    #[test]
    fn columns_cover_their_extremes_and_connect() {
        let mut random = Random::new(19);
        for amplitude in [1, 10, 100, 1000] {
            let values: Vec<f64> = (0..400)
                .map(|at| f64::from(at) / 50.0 + random.below(amplitude) as f64 / 1000.0)
                .collect();
            let (buckets, scale, mesh) = columns(&values);
            let raster = Raster::of(&mesh, 100, 100);
            for (x, bucket) in buckets.iter().enumerate() {
                // The column starts where the previous one ends.
                let low = x
                    .checked_sub(1)
                    .map_or(bucket.min, |before| bucket.min.min(buckets[before].max));
                for y in scale.y(bucket.max) as usize + 1..scale.y(low) as usize {
                    assert!(
                        raster.most_around(pos2(x as f32, y as f32)) > 0.9,
                        "a gap at {x}, {y}"
                    );
                }
            }
        }
    }

    #[test]
    fn equal_columns_are_one_piece() {
        assert_eq!(columns(&[5.0; 400]).2.vertices.len(), 8);
        let mut spike = vec![5.0; 400];
        spike[200] = 9.0;
        assert_eq!(
            columns(&spike).2.vertices.len(),
            8 + 8 + 8,
            "flat, flank and tip and flank, flat"
        );
    }
}
