//! The buckets of a series as a mesh: a line if frames are far enough apart, filled columns
//! otherwise.

use std::f32::consts::TAU;

use egui::epaint::Mesh;
use egui::{Color32, Pos2, Vec2, pos2, vec2};

use crate::paint::columns_mesh::push_columns;
use crate::paint::line_mesh::push_line;
use crate::paint::scale::Scale;
use stats_analysis::buckets::Bucket;

/// The minimum points per frame for a line from frame to frame. With fewer, a series is drawn as
/// filled columns.
pub(crate) const LINE_FROM_POINTS_PER_FRAME: f32 = 1.0;

/// The style of a series.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineStyle {
    pub(crate) color: Color32,
    /// The width of a line, in points.
    pub(crate) width: f32,
    /// The width over which an edge fades, in points; usually one pixel.
    pub(crate) feather: f32,
}

/// Returns whether buckets of `width` frames are painted as a line.
pub(crate) fn is_line(width: u64, scale: &Scale) -> bool {
    width == 1 && scale.points_per_frame() >= LINE_FROM_POINTS_PER_FRAME
}

/// Adds buckets of `width` frames, with a gap where buckets are missing.
pub(crate) fn push_series(
    mesh: &mut Mesh,
    buckets: &[Bucket],
    width: u64,
    scale: &Scale,
    style: LineStyle,
) {
    let point = |bucket: &Bucket| pos2(scale.x(bucket.first_frame as f64), scale.y(bucket.last));
    match buckets {
        // A single frame is a dot, since a line needs two.
        [only] if is_line(width, scale) => push_dot(mesh, point(only), style),
        _ => {
            let is_next = |a: &Bucket, b: &Bucket| a.first_frame + width == b.first_frame;
            for run in buckets.chunk_by(is_next) {
                if !is_line(width, scale) {
                    push_columns(mesh, run, width, scale, style);
                } else if let [only] = run {
                    let (at, half) = (point(only), vec2(style.width / 2.0, 0.0));
                    push_line(mesh, [at - half, at + half].into_iter(), style);
                } else {
                    push_line(mesh, run.iter().map(point), style);
                }
            }
        }
    }
}

fn push_dot(mesh: &mut Mesh, at: Pos2, style: LineStyle) {
    let radius = style.width * 1.5;
    let corner = |number: u8| at + Vec2::angled(f32::from(number) * TAU / 8.0) * radius;
    push_polygon(mesh, (0..8).map(corner), style.color);
}

/// Adds a convex polygon with hard edges.
pub(crate) fn push_polygon(
    mesh: &mut Mesh,
    corners: impl IntoIterator<Item = Pos2>,
    color: Color32,
) {
    let first = mesh.vertices.len() as u32;
    for corner in corners {
        mesh.colored_vertex(corner, color);
    }
    (first + 2..mesh.vertices.len() as u32).for_each(|at| mesh.add_triangle(first, at - 1, at));
}

/// The height of the mark of a hitch, in points.
pub(crate) const HITCH_MARK: f32 = 6.0;

/// Adds the mark of a hitch, a triangle that points down at `tip`, as
/// [`hitch_sign`](stats_ui::shapes::hitch_sign) does.
pub(crate) fn push_hitch(mesh: &mut Mesh, tip: Pos2, color: Color32) {
    let corners = [vec2(-4.0, -HITCH_MARK), vec2(4.0, -HITCH_MARK), Vec2::ZERO];
    push_polygon(mesh, corners.map(|corner| tip + corner), color);
}

/// Fills the area between two consecutive rungs of `count` vertices each, the first of which begins
/// at vertex `first`.
pub(super) fn connect_rungs(mesh: &mut Mesh, first: u32, count: u32) {
    for at in first..first + count - 1 {
        let (next, above) = (at + count, at + 1);
        (mesh.indices).extend_from_slice(&[at, above, next, above, next, next + 1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::raster::{Raster, STYLE};
    use egui::{Rect, vec2};
    use stats_analysis::axis::Mapping;
    use stats_analysis::buckets::bucket_width;
    use stats_analysis::track::{Track, thin_tracked};
    use stats_core::FrameSlice;
    use stats_testing::ring;

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
        let mut mesh = Mesh::default();
        push_series(&mut mesh, &buckets, width, &scale, STYLE);
        Raster::of(&mesh, SIZE.x as usize, SIZE.y as usize)
    }

    /// Returns how opaque a spike is near its tip, and how many pixels wide it is at half its
    /// height.
    fn seen(raster: &Raster) -> (f32, f32) {
        // The value 9 of 10 is 6 pixels below the upper edge.
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
                // The spike moves from the left edge to the right, by whole frames and by fractions
                // of a frame.
                let left = (61_234.0 - span * (0.02 + 0.96 * f64::from(step) / 22.0)).max(0.0);
                let (tip, wide) = seen(&picture(window, &track, (left, left + span)));
                assert!(tip > 0.4, "{tip} of it at {left} + {span}");
                // Zoomed in, it is a line with two flanks.
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
                // A column is 1 to 1.5 pixels wide, and its flanks add as much at half the height.
                assert!(
                    (1.9..=3.1).contains(&wide),
                    "{wide} wide at frame {end} of {span}"
                );
            }
        }
    }

    #[test]
    fn frames_without_values_are_gaps_at_every_zoom() {
        let mut values = vec![5.0; 4000];
        values[1000..2000].fill(f64::NAN);
        values[2010..3000].fill(f64::NAN);
        let window = FrameSlice::new(0, &values, &[]);
        let mut track = Track::default();
        track.update(window, None, &mut 0);
        for span in [90.0, 400.0, 1500.0] {
            for hole in [(1000.0, 2000.0), (2010.0, 3000.0)] {
                let left = f64::max(hole.0 - span / 2.0, 0.0);
                let raster = picture(window, &track, (left, left + span));
                let column = |frame: f64| ((frame - left) / span * f64::from(SIZE.x)) as i32;
                let is_painted = |x: i32| {
                    let at = |y| pos2(x as f32, y as f32);
                    (0..SIZE.y as i32).any(|y| raster.most_around(at(y)) > 0.3)
                };
                let (begin, end) = (column(hole.0), column(hole.1).min(SIZE.x as i32));
                let near = 4 + (2.0 * f64::from(SIZE.x) / span) as i32;
                let is_before = (begin - near..begin).any(&is_painted);
                assert!(is_before, "{span} before {hole:?}");
                let hidden = begin + near..end - near;
                let painted: Vec<i32> = hidden.filter(|x| is_painted(*x)).collect();
                assert_eq!(painted, [0; 0], "{span} in {hole:?}");
            }
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
        let mut mesh = Mesh::default();
        push_series(&mut mesh, &[bucket], 1, &scale, STYLE);
        let area = Raster::of(&mesh, SIZE.x as usize, SIZE.y as usize).sum();
        assert!((9.0..20.0).contains(&area), "{area}");
    }
}
