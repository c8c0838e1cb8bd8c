//! The marks of spikes in a graph, as one mesh: a triangle at the upper edge, and the spike itself
//! in the color of alarm.

use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{Color32, Pos2, Rect, pos2, vec2};

use crate::paint::scale::Scale;
use crate::paint::series_shape::is_line;
use stats_analysis::buckets::{Bucket, bucket_width};
use stats_analysis::spikes::SpikeTrack;

/// The least width of a cell, in points. A cell has one triangle, for its first spike.
const MARK_DISTANCE: f32 = 9.0;
/// The height of a row of triangles at the upper edge, in points, and the most rows. Each series
/// has its own row, so that the triangles of series are distinct.
const ROW_HEIGHT: f32 = 8.0;
const ROWS: f32 = 8.0;
/// The share of the graph's height that the rows take at most.
const ROWS_SHARE: f32 = 0.25;
/// The length of the tip of a spike's column that has the color of alarm, in points. The rest keeps
/// the color of the series.
const TIP: std::ops::RangeInclusive<f32> = 4.0..=14.0;
/// Half the height of the dot on a spike of a line, in points.
const DOT: f32 = 3.5;

/// Builds the marks of a series.
pub(super) struct SpikeMarks<'a> {
    pub(super) spikes: &'a SpikeTrack,
    /// The first frame that may be marked.
    pub(super) from: u64,
    /// The series as painted, in buckets of `width` frames.
    pub(super) buckets: &'a [Bucket],
    pub(crate) width: u64,
    pub(super) scale: &'a Scale,
    /// The color of the triangles, which is the series'.
    pub(crate) color: Color32,
    pub(super) alert: Color32,
    /// The row of this series' triangles.
    pub(super) row: usize,
    /// The size of a pixel, in points.
    pub(crate) feather: f32,
}

/// Returns the number of rows of triangles in a graph of this height.
fn triangle_rows(height: f32) -> usize {
    (height * ROWS_SHARE / ROW_HEIGHT).clamp(1.0, ROWS) as usize
}

/// Returns the height of the triangles of `series` series in a graph of this height, in points.
pub(super) fn triangle_rows_height(height: f32, series: usize) -> f32 {
    series.min(triangle_rows(height)) as f32 * ROW_HEIGHT
}

impl SpikeMarks<'_> {
    pub(super) fn push(&self, mesh: &mut Mesh) {
        self.push_spikes(mesh);
        self.push_triangles(mesh);
    }

    /// Adds the mark of every bucket with a spike: part of its column, or a dot on the line.
    fn push_spikes(&self, mesh: &mut Mesh) {
        let (Some(first), Some(last)) = (self.buckets.first(), self.buckets.last()) else {
            return;
        };
        let mut next = self.spikes.next_from(first.first_frame);
        while let Some(frame) = next.filter(|&frame| frame < last.first_frame + self.width) {
            let at = ((frame - first.first_frame) / self.width) as usize;
            if let Some(bucket) = self
                .buckets
                .get(at)
                .filter(|bucket| bucket.first_frame <= frame)
            {
                self.push_spike(mesh, bucket, frame);
            }
            next = self
                .spikes
                .next_from(first.first_frame + (at as u64 + 1) * self.width);
        }
    }

    fn push_spike(&self, mesh: &mut Mesh, bucket: &Bucket, frame: u64) {
        let (x, y) = (self.x(frame), self.scale.y(bucket.max));
        if is_line(self.width, self.scale) {
            let around = [
                vec2(0.0, -DOT),
                vec2(DOT, 0.0),
                vec2(0.0, DOT),
                vec2(-DOT, 0.0),
            ];
            push_convex(
                mesh,
                &around.map(|offset| pos2(x, y) + offset),
                self.alert,
                self.feather,
            );
            return;
        }
        let usual = self
            .spikes
            .over(frame)
            .map_or(bucket.max, |over| over.reference());
        let half = (self.scale.points_per_frame() * self.width as f32).max(1.5) / 2.0;
        let height = (self.scale.y(usual) - y).clamp(*TIP.start(), *TIP.end());
        mesh.add_colored_rect(
            Rect::from_min_max(pos2(x - half, y - 1.0), pos2(x + half, y + height)),
            self.alert,
        );
    }

    /// Adds a triangle for each cell with spikes. Like buckets, cells start at multiples of their
    /// width from frame 0 on, so that the same spikes have a triangle while the data scrolls.
    pub(super) fn push_triangles(&self, mesh: &mut Mesh) {
        let (Some(first), Some(last)) = (self.buckets.first(), self.buckets.last()) else {
            return;
        };
        let cell = bucket_width(
            f64::from(MARK_DISTANCE / self.scale.points_per_frame()),
            1.0,
        )
        .max(self.width);
        let rows = triangle_rows(self.scale.rect.height());
        let tip_y = self.scale.rect.top() + ROW_HEIGHT * (self.row % rows + 1) as f32;
        let mut next = self
            .spikes
            .next_from((first.first_frame - first.first_frame % cell).max(self.from));
        while let Some(frame) = next.filter(|&frame| frame < last.first_frame + self.width) {
            let tip = pos2(self.x(frame), tip_y);
            push_convex(
                mesh,
                &[tip + vec2(-4.0, -6.0), tip + vec2(4.0, -6.0), tip],
                self.color,
                self.feather,
            );
            next = self.spikes.next_from((frame / cell + 1) * cell);
        }
    }

    /// Returns the center of the bucket of a frame.
    fn x(&self, frame: u64) -> f32 {
        let first = frame - frame % self.width;
        self.scale.x(first as f64 + (self.width - 1) as f64 / 2.0)
    }
}

/// Adds a convex polygon with soft edges.
fn push_convex(mesh: &mut Mesh, points: &[Pos2], color: Color32, feather: f32) {
    let first = mesh.vertices.len() as u32;
    let count = points.len() as u32;
    let center = points
        .iter()
        .fold(egui::Vec2::ZERO, |sum, point| sum + point.to_vec2())
        / points.len().max(1) as f32;
    for &point in points {
        let outwards = (point.to_vec2() - center).normalized() * feather;
        mesh.vertices.push(Vertex {
            pos: point,
            uv: WHITE_UV,
            color,
        });
        mesh.vertices.push(Vertex {
            pos: point + outwards,
            uv: WHITE_UV,
            color: Color32::TRANSPARENT,
        });
    }
    for at in 0..count {
        let (this, next) = (first + 2 * at, first + 2 * ((at + 1) % count));
        mesh.indices.extend_from_slice(&[
            first,
            this,
            next,
            this,
            this + 1,
            next,
            this + 1,
            next,
            next + 1,
        ]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_analysis::axis::Mapping;
    use stats_analysis::buckets::thin;
    use stats_core::FrameSlice;

    const RECT: Rect = Rect {
        min: Pos2::ZERO,
        max: Pos2::new(300.0, 100.0),
    };

    /// Returns the marks of a history of 6,000 frames with these spikes, of which `span` frames
    /// from `left` on are visible.
    fn marks(spikes: impl IntoIterator<Item = usize>, left: f64, span: f64) -> Mesh {
        let mut values = vec![1.0; 6000];
        spikes.into_iter().for_each(|frame| values[frame] = 9.0);
        let window = FrameSlice::new(0, &values, &[]);
        let mut track = SpikeTrack::default();
        track.update(window, Some(5.0), &mut usize::MAX.clone());
        let width = bucket_width(span, 300.0);
        let scale = Scale::new(RECT, (left, left + span), (0.0, 10.0), Mapping::Linear);
        let from = left as u64 / width * width;
        let mut buckets = Vec::new();
        thin(
            window.within(from..((left + span) as u64 / width + 1) * width),
            width,
            &mut buckets,
        );
        let (color, alert) = (Color32::BLUE, Color32::RED);
        let marks = SpikeMarks {
            spikes: &track,
            from: 0,
            buckets: &buckets,
            width,
            scale: &scale,
            color,
            alert,
            row: 0,
            feather: 1.0,
        };
        let mut mesh = Mesh::default();
        marks.push(&mut mesh);
        assert!(mesh.is_valid());
        mesh
    }

    /// Returns the frames of the triangles of a mesh with these visible frames.
    fn tips(mesh: &Mesh, left: f64, span: f64) -> Vec<u64> {
        let tips = mesh
            .vertices
            .iter()
            .filter(|vertex| vertex.color == Color32::BLUE && vertex.pos.y == 8.0);
        tips.map(|tip| (left + f64::from(tip.pos.x) * span / 300.0 + 0.1) as u64)
            .collect()
    }

    #[test]
    fn every_spike_has_a_triangle_and_is_red_itself() {
        for span in [40.0, 150.0, 250.0, 900.0, 5900.0] {
            let mesh = marks([1010], 1000.0 - span * 0.1, span);
            let [tip] = tips(&mesh, 1000.0 - span * 0.1, span)[..] else {
                panic!("not one triangle at {span}")
            };
            assert!(
                tip.abs_diff(1010) as f64 <= span / 300.0 + 1.0,
                "{tip} at {span}"
            );
            let red: Vec<Pos2> = mesh
                .vertices
                .iter()
                .filter(|vertex| vertex.color == Color32::RED)
                .map(|red| red.pos)
                .collect();
            assert_eq!(red.len(), 4);
            assert!(
                red.iter().any(|at| (at.y - 10.0).abs() < 4.0),
                "at its tip: {red:?}"
            );
            // Of a column, the tip is red, which has some height.
            assert!(
                span < 300.0 || red.iter().any(|at| at.y == 24.0),
                "down from its tip: {red:?}"
            );
        }
        assert!(marks([], 0.0, 600.0).is_empty());
    }

    #[test]
    fn dense_spikes_keep_their_triangles_while_data_scrolls() {
        let span = 500.0;
        let spikes = || (100..5900).step_by(7);
        let mut all: Vec<u64> = Vec::new();
        for step in 0..300 {
            let left = 2000.0 + f64::from(step) * 3.0;
            let seen = tips(&marks(spikes(), left, span), left, span);
            assert!((10..=34).contains(&seen.len()), "{} triangles", seen.len());
            all.extend(seen);
        }
        all.sort_unstable();
        all.dedup();
        // The same spikes have triangles in all pictures: in total there is at most one per cell.
        assert!(all.windows(2).all(|pair| pair[1] - pair[0] > 7), "{all:?}");
    }

    #[test]
    fn a_series_that_is_always_over_budget_costs_no_more_than_the_picture() {
        let mesh = marks(0..6000, 0.0, 6000.0);
        assert!(
            mesh.vertices.len() < 300 * 4 + 40 * 6,
            "{}",
            mesh.vertices.len()
        );
    }
}
