//! The marks of the hitches and of the longest frame.

use egui::epaint::Mesh;
use egui::{Painter, Shape, Stroke, pos2, vec2};
use stats_core::FrameSlice;
use stats_ui::theme::Theme;

use crate::insight::findings::Findings;
use crate::paint::scale::Scale;
use crate::paint::series_shape::push_polygon;

/// The radius of the ring around the longest frame, in points.
pub(super) const RING: f32 = 3.5;
/// The height of a mark of a hitch, in points.
const HITCH: f32 = 6.0;

/// A frame and its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Longest {
    pub(super) frame: u64,
    pub(super) ms: f64,
}

/// Returns the longest of these frames; the first of several, as the statistics do.
pub(super) fn longest(times: FrameSlice<'_>) -> Option<Longest> {
    let mut longest: Option<Longest> = None;
    for (frame, ms) in times.frames().zip(times.iter()) {
        if ms > longest.map_or(0.0, |longest| longest.ms) {
            longest = Some(Longest { frame, ms });
        }
    }
    longest
}

/// Paints a triangle above each hitch that a player sees, and a ring around the longest frame. `width`
/// is the number of frames in a column.
pub(super) fn paint_marks(
    painter: &Painter,
    scale: &Scale,
    (times, width): (FrameSlice<'_>, u64),
    found: Option<&Findings>,
    longest: Option<Longest>,
    theme: &Theme,
) {
    let x_of = |frame: u64| {
        let first = frame - frame % width;
        scale.x(first as f64 + (width - 1) as f64 / 2.0)
    };
    let top = scale.rect.top();
    let mut mesh = Mesh::default();
    for frame in found
        .into_iter()
        .flat_map(|found| found.hitches(times.frames()))
    {
        let Some(ms) = times.at(frame) else { continue };
        let tip = pos2(x_of(frame), (scale.y(ms) - 1.0).max(top + HITCH));
        let corners = [tip + vec2(-4.0, -HITCH), tip + vec2(4.0, -HITCH), tip];
        push_polygon(&mut mesh, corners, theme.alert);
    }
    painter.add(Shape::mesh(mesh));
    if let Some(longest) = longest {
        let room = scale.rect.shrink(RING + 1.0);
        let center = pos2(
            x_of(longest.frame).min(room.right()).max(room.left()),
            scale.y(longest.ms).max(room.top()),
        );
        painter.circle_stroke(center, RING, Stroke::new(1.5, theme.text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equally_long_frames_is_the_longest() {
        let of = |times: &[f64]| longest(FrameSlice::new(7, times, &[]));
        let at = |frame, ms| Some(Longest { frame, ms });
        assert_eq!(of(&[16.0, 70.0, f64::NAN, 70.0, 17.0]), at(8, 70.0));
        assert_eq!(of(&[f64::NAN]), None);
        assert_eq!(of(&[]), None);
    }
}
