//! The ticks of frames over budget at the lower edge of the HUD's small graphs.

use egui::epaint::Mesh;
use egui::{Color32, Rect};

use crate::paint::scale::Scale;
use stats_analysis::buckets::Bucket;

/// The height of the tick of a frame over budget, in points.
const MARK: f32 = 3.0;

/// Adds the ticks of the buckets of `bucket_width` frames that have a frame over budget.
pub(super) fn push_over_marks(
    mesh: &mut Mesh,
    buckets: &[Bucket],
    bucket_width: u64,
    scale: &Scale,
    color: Color32,
    over: impl Fn(f64) -> bool,
) {
    let rect = scale.rect;
    // Wide enough to be visible and, if there is room, with a gap to the next one.
    let width = (scale.points_per_frame() * bucket_width as f32 * 0.8).max(2.0);
    for bucket in buckets.iter().filter(|bucket| over(bucket.max)) {
        let x = scale.x(bucket.first_frame as f64);
        let mark = Rect::from_x_y_ranges(x..=x + width, rect.bottom() - MARK..=rect.bottom());
        mesh.add_colored_rect(mark.intersect(rect), color);
    }
}
