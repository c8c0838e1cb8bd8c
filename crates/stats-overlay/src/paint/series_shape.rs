//! A thinned series as one shape: a line if frames are far enough apart, filled columns otherwise.

use egui::epaint::Mesh;
use egui::{Color32, Shape, pos2};

use crate::paint::columns_mesh::columns_mesh;
use crate::paint::line_mesh::push_line;
use crate::paint::scale::Scale;
use stats_analysis::buckets::Bucket;

/// With fewer points per frame than this, a series is drawn as filled columns; with more, as a line
/// from frame to frame.
const LINE_FROM_POINTS_PER_FRAME: f32 = 1.0;

/// The style of a series.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineStyle {
    pub(crate) color: Color32,
    /// In points.
    pub(crate) width: f32,
    /// The width over which an edge fades, in points: one pixel.
    pub(crate) feather: f32,
}

/// Whether buckets of `width` frames are painted as a line.
pub(crate) fn is_line(width: u64, scale: &Scale) -> bool {
    width == 1 && scale.points_per_frame() >= LINE_FROM_POINTS_PER_FRAME
}

/// Returns the shape of buckets of `width` frames. Where buckets are missing, there is a gap.
pub(crate) fn series_shape(
    buckets: &[Bucket],
    width: u64,
    scale: &Scale,
    style: LineStyle,
) -> Shape {
    let follows = |a: &Bucket, b: &Bucket| b.first_frame - a.first_frame <= width;
    let mut runs = buckets.chunk_by(follows);
    match (runs.next(), runs.next()) {
        (Some(_), Some(_)) => {
            let runs = buckets.chunk_by(follows);
            Shape::Vec(
                runs.map(|run| run_shape(run, width, scale, style))
                    .collect(),
            )
        }
        _ => run_shape(buckets, width, scale, style),
    }
}

/// Returns the shape of buckets that follow each other.
fn run_shape(buckets: &[Bucket], width: u64, scale: &Scale, style: LineStyle) -> Shape {
    let point = |bucket: &Bucket| pos2(scale.x(bucket.first_frame as f64), scale.y(bucket.last));
    match buckets {
        // A single frame is a dot, since a line needs two.
        [only] if is_line(width, scale) => {
            Shape::circle_filled(point(only), style.width * 1.5, style.color)
        }
        _ if is_line(width, scale) => {
            let mut mesh = Mesh::default();
            push_line(&mut mesh, buckets.iter().map(point), style);
            Shape::mesh(mesh)
        }
        _ => Shape::mesh(columns_mesh(buckets, width, scale, style)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::raster::Raster;
    use egui::{Rect, Vec2, vec2};
    use stats_analysis::axis::Mapping;
    use stats_analysis::buckets::bucket_width;
    use stats_analysis::track::{Track, thin_tracked};
    use stats_core::FrameSlice;
    use stats_testing::ring;

    const STYLE: LineStyle = LineStyle {
        color: Color32::WHITE,
        width: 1.5,
        feather: 1.0,
    };
    const SIZE: Vec2 = vec2(331.0, 60.0);

    /// Paints the visible part of a history as the graph draws it.
    fn picture(window: FrameSlice<'_>, track: &Track, frames: (f64, f64)) -> Raster {
        let scale = Scale::new(
            Rect::from_min_size(egui::Pos2::ZERO, SIZE),
            frames,
            (0.0, 10.0),
            Mapping::Linear,
        );
        let width = bucket_width(frames.1 - frames.0, f64::from(SIZE.x));
        let from = frames.0 as u64 / width * width;
        let to = (frames.1 as u64 / width + 1) * width;
        let mut buckets = Vec::new();
        thin_tracked(Some(track), window.within(from..to), width, &mut buckets);
        let Shape::Mesh(mesh) = series_shape(&buckets, width, &scale, STYLE) else {
            panic!("not one mesh")
        };
        Raster::of(&mesh, SIZE.x as usize, SIZE.y as usize)
    }

    /// Returns how opaque a spike is near its tip, and how many pixels wide it is at half its
    /// height.
    fn seen(raster: &Raster) -> (f32, f32) {
        // 9 of 10 is 6 pixels below the upper edge.
        (raster.row_most(8), raster.row_sum(30))
    }

    #[test]
    fn a_spike_of_one_frame_is_visible_at_every_zoom_and_scroll_position() {
        let mut values = vec![1.0; 100_000];
        values[61_234] = 9.0;
        let window = FrameSlice::new(0, &values, &[]);
        let mut track = Track::default();
        (0..2).for_each(|_| track.update(window, None, &mut 0));
        let mut span = 20.0_f64;
        while span < 110_000.0 {
            for step in 0..23 {
                // From the left edge to the right, by whole frames and by fractions of one.
                let left = (61_234.0 - span * (0.02 + 0.96 * f64::from(step) / 22.0)).max(0.0);
                let (tip, wide) = seen(&picture(window, &track, (left, left + span)));
                assert!(tip > 0.4, "{tip} of it at {left} + {span}");
                // In the line of a wide zoom, it has two flanks.
                assert!((0.9..8.0).contains(&wide), "{wide} wide at {left} + {span}");
            }
            span *= 1.37;
        }
    }

    #[test]
    fn a_spike_does_not_flicker_while_data_scrolls() {
        let mut values = vec![1.0; 70_000];
        values[40_000] = 9.0;
        for span in [300.0, 500.0, 1000.0, 5000.0, 20_000.0, 30_000.0] {
            let mut track = Track::default();
            for end in (40_003..).step_by((span / 60.0) as usize | 1).take(45) {
                let (older, newer, start) = ring(&values, 0, end, 32_000);
                let window = FrameSlice::new(start, &older, &newer);
                track.update(window, None, &mut 0);
                let newest = end as f64 - 1.0;
                let (tip, wide) = seen(&picture(
                    window,
                    &track,
                    (newest - span + 1.0, newest + span * 0.004),
                ));
                assert!(tip > 0.8, "{tip} of it at frame {end} of {span}");
                // A column is a pixel or one and a half wide, and its flanks add as much at half
                // the height.
                assert!(
                    (1.9..=3.1).contains(&wide),
                    "{wide} wide at frame {end} of {span}"
                );
            }
        }
    }

    #[test]
    fn values_that_are_not_known_leave_a_gap() {
        let value = |frame| {
            if (40..60).contains(&frame) {
                f64::NAN
            } else {
                5.0
            }
        };
        let values: Vec<f64> = (0..100).map(value).collect();
        let rect = Rect::from_min_size(egui::Pos2::ZERO, SIZE);
        let scale = Scale::new(rect, (0.0, 100.0), (0.0, 10.0), Mapping::Linear);
        for width in [1, 4] {
            let mut buckets = Vec::new();
            stats_analysis::buckets::thin(FrameSlice::new(0, &values, &[]), width, &mut buckets);
            let Shape::Vec(parts) = series_shape(&buckets, width, &scale, STYLE) else {
                panic!("one part on each side of the gap")
            };
            let sides = parts.iter().map(Shape::visual_bounding_rect);
            let (left, right) = (scale.x(41.0), scale.x(59.0));
            assert!(
                sides
                    .clone()
                    .all(|part| part.max.x < left || part.min.x > right)
            );
            assert_eq!(sides.count(), 2);
        }
    }

    #[test]
    fn a_single_frame_is_a_dot() {
        let bucket = Bucket {
            first_frame: 3,
            min: 1.0,
            max: 1.0,
            first: 1.0,
            last: 1.0,
        };
        let scale = Scale::new(
            Rect::from_min_size(egui::Pos2::ZERO, SIZE),
            (0.0, 10.0),
            (0.0, 10.0),
            Mapping::Linear,
        );
        assert!(matches!(
            series_shape(&[bucket], 1, &scale, STYLE),
            Shape::Circle(_)
        ));
    }
}
