//! The marks of the hitches and of the longest frame.

use egui::epaint::Mesh;
use egui::{Painter, Shape, Stroke, pos2};
use stats_analysis::buckets::Bucket;
use stats_core::FrameSlice;
use stats_ui::theme::Theme;

use crate::insight::findings::Findings;
use crate::paint::scale::Scale;
use crate::paint::series_shape::{HITCH_MARK, push_hitch};

/// The radius of the ring around the longest frame, in points.
pub(super) const RING: f32 = 3.5;
/// The distance of the tip of a triangle from the middle of the ring below it, in points.
const ABOVE_RING: f32 = RING + 1.5;

/// A frame and its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Longest {
    pub(super) frame: u64,
    pub(super) ms: f64,
}

/// Returns the longest of these frames; the first of several, as the statistics do. Of all frames, reads
/// only those of the bucket that has it.
pub(super) fn longest(times: FrameSlice<'_>, buckets: &[Bucket], width: u64) -> Option<Longest> {
    let mut buckets = buckets.iter().filter(|bucket| bucket.max > 0.0);
    let first = buckets.next()?;
    let bucket = buckets.fold(
        first,
        |most, next| if next.max > most.max { next } else { most },
    );
    let of_bucket = times.within(bucket.first_frame..bucket.first_frame + width);
    let mut frames = of_bucket.frames().zip(of_bucket.iter());
    let (frame, ms) = frames.find(|(_, ms)| *ms == bucket.max)?;
    Some(Longest { frame, ms })
}

/// Paints a triangle above each hitch that a player sees, and a ring around the longest frame. If that is
/// a hitch, its triangle points at the ring. `width` is the number of frames in a column.
pub(super) fn paint_marks(
    painter: &Painter,
    scale: &Scale,
    (times, width): (FrameSlice<'_>, u64),
    found: Option<&Findings>,
    longest: Option<Longest>,
    theme: &Theme,
) {
    let room = scale.rect.shrink(RING + 1.0);
    let x_of = |frame: u64| {
        let first = frame - frame % width;
        let x = scale.x(first as f64 + (width - 1) as f64 / 2.0);
        x.min(room.right()).max(room.left())
    };
    let top = scale.rect.top() + HITCH_MARK;
    let is_longest = |frame: u64| longest.is_some_and(|longest| longest.frame == frame);
    let hitches = || {
        found
            .into_iter()
            .flat_map(|found| found.hitches(times.frames()))
    };
    let mut mesh = Mesh::default();
    for frame in hitches() {
        let Some(ms) = times.at(frame) else { continue };
        let above = if is_longest(frame) { ABOVE_RING } else { 1.0 };
        let tip = pos2(x_of(frame), (scale.y(ms) - above).max(top));
        push_hitch(&mut mesh, tip, theme.alert);
    }
    painter.add(Shape::mesh(mesh));
    if let Some(longest) = longest {
        let top = match hitches().any(is_longest) {
            true => top + ABOVE_RING,
            false => room.top(),
        };
        let center = pos2(x_of(longest.frame), scale.y(longest.ms).max(top));
        painter.circle_stroke(center, RING, Stroke::new(1.5, theme.text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_analysis::buckets::thin;

    #[test]
    fn the_first_of_equally_long_frames_is_the_longest() {
        let at = |frame, ms| Some(Longest { frame, ms });
        for width in [1, 2, 3, 64] {
            let of = |times: &[f64]| {
                let (times, mut buckets) = (FrameSlice::new(7, times, &[]), Vec::new());
                thin(times, width, &mut buckets);
                longest(times, &buckets, width)
            };
            assert_eq!(of(&[16.0, 70.0, f64::NAN, 70.0, 17.0]), at(8, 70.0));
            assert_eq!(of(&[17.0, 16.0, f64::NAN, 70.0, 70.0]), at(10, 70.0));
            assert_eq!(of(&[f64::NAN]), None);
            assert_eq!(of(&[]), None);
        }
    }

    #[test]
    fn only_the_frames_of_the_bucket_with_the_longest_one_are_read() {
        let times: Vec<f64> = (0..64).map(f64::from).collect();
        let mut buckets = Vec::new();
        thin(FrameSlice::new(0, &times, &[]), 8, &mut buckets);
        // Other frames are another picture by now.
        let other: Vec<f64> = times
            .iter()
            .map(|ms| if *ms < 56.0 { 99.0 } else { *ms })
            .collect();
        let found = longest(FrameSlice::new(0, &other, &[]), &buckets, 8);
        assert_eq!(
            found,
            Some(Longest {
                frame: 63,
                ms: 63.0
            })
        );
    }
}
