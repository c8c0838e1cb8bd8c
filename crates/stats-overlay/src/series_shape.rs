//! A thinned series as one shape.

use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{Color32, Pos2, Rect, Shape, Stroke, pos2};

use crate::thin::Bucket;

/// Fewer points than this for a frame: its column is filled; more: a line goes from frame to frame.
const LINE_FROM_POINTS_PER_FRAME: f32 = 1.5;

/// How a series is painted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineStyle {
    pub(crate) color: Color32,
    /// In points.
    pub(crate) width: f32,
    /// How far an edge fades, in points: one pixel.
    pub(crate) feather: f32,
}

/// Maps frames and values to the screen.
pub(crate) struct Scale {
    /// Where it is painted.
    pub(crate) rect: Rect,
    /// The frames at the left and the right edge.
    pub(crate) frames: (f64, f64),
    /// The values at the bottom and the top edge.
    pub(crate) values: (f64, f64),
}

impl Scale {
    pub(crate) fn x(&self, frame: f64) -> f32 {
        let (left, right) = self.frames;
        let share = (frame - left) / (right - left).max(f64::MIN_POSITIVE);
        self.rect.left() + (share * f64::from(self.rect.width())) as f32
    }

    /// Kept near the screen: what is a million points away breaks the tessellation.
    pub(crate) fn y(&self, value: f64) -> f32 {
        let (bottom, top) = self.values;
        let share = (value - bottom) / (top - bottom).max(f64::MIN_POSITIVE);
        let y = f64::from(self.rect.bottom()) - share * f64::from(self.rect.height());
        let far = 2000.0;
        y.clamp(f64::from(self.rect.top()) - far, f64::from(self.rect.bottom()) + far) as f32
    }

    pub(crate) fn points_per_frame(&self) -> f32 {
        let (left, right) = self.frames;
        (f64::from(self.rect.width()) / (right - left).max(f64::MIN_POSITIVE)) as f32
    }
}

/// Paints buckets of `bucket_width` frames: a line where frames are wide enough apart, filled columns where not.
pub(crate) fn series_shape(buckets: &[Bucket], bucket_width: u64, scale: &Scale, style: LineStyle) -> Shape {
    if bucket_width == 1 && scale.points_per_frame() >= LINE_FROM_POINTS_PER_FRAME {
        line_shape(buckets, scale, style)
    } else {
        Shape::mesh(columns_mesh(buckets, bucket_width, scale, style))
    }
}

fn line_shape(buckets: &[Bucket], scale: &Scale, style: LineStyle) -> Shape {
    let points: Vec<Pos2> = buckets.iter().map(|bucket| pos2(scale.x(bucket.first_frame as f64), scale.y(bucket.last))).collect();
    match points[..] {
        // A single frame is a dot; a line needs two.
        [only] => Shape::circle_filled(only, style.width * 1.5, style.color),
        _ => Shape::line(points, Stroke::new(style.width, style.color)),
    }
}

/// One column per bucket from its minimum to its maximum, and on down to where its neighbours are: so all connect, and a
/// spike of one frame is one solid column.
fn columns_mesh(buckets: &[Bucket], bucket_width: u64, scale: &Scale, style: LineStyle) -> Mesh {
    let mut mesh = Mesh::default();
    mesh.reserve_vertices(buckets.len() * 4);
    mesh.reserve_triangles(buckets.len() * 2);
    let half = style.width / 2.0;
    // Neighbours of one height are one column.
    let mut run: Option<Column> = None;
    for (at, bucket) in buckets.iter().enumerate() {
        let before = at.checked_sub(1).map_or(bucket.first, |before| buckets[before].last);
        let after = buckets.get(at + 1).map_or(bucket.last, |after| after.first);
        let low = bucket.min.min(before).min(after);
        let high = bucket.max;
        let left = scale.x(bucket.first_frame as f64 - 0.5);
        let right = scale.x((bucket.first_frame + bucket_width) as f64 - 0.5);
        let (top, bottom) = (scale.y(high) - half, scale.y(low) + half);
        match &mut run {
            Some(run) if run.top == top && run.bottom == bottom => run.right = right,
            _ => {
                push_column(&mut mesh, run.replace(Column { left, right, top, bottom }), style);
            }
        }
    }
    push_column(&mut mesh, run, style);
    mesh
}

/// Where a column is filled.
#[derive(Clone, Copy, Debug)]
struct Column {
    left: f32,
    right: f32,
    top: f32,
    bottom: f32,
}

/// Columns higher than this, in feathers, have hard ends: nobody sees them, and that halves what must be tessellated.
const SOFT_UP_TO: f32 = 5.0;

fn push_column(mesh: &mut Mesh, column: Option<Column>, style: LineStyle) {
    let Some(Column { left, right, top, bottom }) = column else { return };
    let base = mesh.vertices.len() as u32;
    let mut push_level = |y: f32, color: Color32| {
        mesh.vertices.push(Vertex { pos: pos2(left, y), uv: WHITE_UV, color });
        mesh.vertices.push(Vertex { pos: pos2(right, y), uv: WHITE_UV, color });
    };
    let soft = bottom - top <= style.feather * SOFT_UP_TO;
    if soft {
        let fade = style.feather / 2.0;
        push_level(top - fade, Color32::TRANSPARENT);
        push_level(top + fade, style.color);
        push_level(bottom - fade, style.color);
        push_level(bottom + fade, Color32::TRANSPARENT);
    } else {
        push_level(top, style.color);
        push_level(bottom, style.color);
    }
    for level in 0..if soft { 3 } else { 1 } {
        let at = base + 2 * level;
        mesh.indices.extend_from_slice(&[at, at + 1, at + 2, at + 1, at + 2, at + 3]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thin::thin;
    use stats_core::Window;

    fn scale(frames: f64) -> Scale {
        let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(100.0, 100.0));
        Scale { rect, frames: (0.0, frames), values: (0.0, 10.0) }
    }

    const STYLE: LineStyle = LineStyle { color: Color32::RED, width: 1.0, feather: 1.0 };

    #[test]
    fn a_spike_reaches_its_height_however_thin_it_is() {
        let mut values = vec![1.0; 4000];
        values[1234] = 9.0;
        let mut buckets = Vec::new();
        thin(Window::new(0, &values, &[]), 40, &mut buckets);
        let Shape::Mesh(mesh) = series_shape(&buckets, 40, &scale(4000.0), STYLE) else { panic!("not one mesh") };
        let top = mesh.vertices.iter().map(|vertex| vertex.pos.y).fold(f32::INFINITY, f32::min);
        assert!((top - 9.0).abs() < 2.0, "{top}");
    }

    #[test]
    fn columns_connect() {
        let mut buckets = Vec::new();
        let values: Vec<f64> = (0..400).map(|frame| f64::from(frame) / 40.0).collect();
        thin(Window::new(0, &values, &[]), 4, &mut buckets);
        let mesh = columns_mesh(&buckets, 4, &scale(400.0), STYLE);
        // From left to right: what a column covers touches what the one before covered.
        let mut covered: Vec<(f32, f32, f32)> = Vec::new();
        for vertex in &mesh.vertices {
            match covered.last_mut() {
                Some((left, top, bottom)) if *left == vertex.pos.x || vertex.pos.x < *left + 1.001 => {
                    (*top, *bottom) = (top.min(vertex.pos.y), bottom.max(vertex.pos.y));
                }
                _ => covered.push((vertex.pos.x, vertex.pos.y, vertex.pos.y)),
            }
        }
        for pair in covered.windows(2) {
            assert!(pair[0].1 <= pair[1].2 + 0.01 && pair[1].1 <= pair[0].2 + 0.01, "a gap: {pair:?}");
        }
    }

    #[test]
    fn no_value_leaves_the_neighbourhood_of_the_screen() {
        for value in [f64::MAX, f64::MIN, 0.0] {
            assert!(scale(10.0).y(value).abs() < 10_000.0);
        }
    }
}
