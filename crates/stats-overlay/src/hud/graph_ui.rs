//! Adds the small graphs of the HUD to a mesh. Frames over budget have a tick at the lower edge.

use egui::epaint::Mesh;
use egui::{Color32, Rect};

use crate::paint::scale::Scale;
use crate::paint::series_shape::{LineStyle, push_series};
use stats_analysis::buckets::Bucket;
use stats_ui::theme::Theme;

/// The height of the tick of a frame over budget, in points.
const MARK: f32 = 3.0;

/// A small graph of the newest frames of one series.
pub(super) struct HudGraph<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) color: Color32,
    /// Maps frames and values to the screen.
    pub(super) scale: &'a Scale,
    /// The line width and the size of a pixel, in points.
    pub(crate) width: f32,
    pub(super) pixel: f32,
    /// Whether a value is over the budget.
    pub(super) over: &'a dyn Fn(f64) -> bool,
}

impl HudGraph<'_> {
    /// Adds buckets of `width` frames.
    pub(super) fn push(&self, mesh: &mut Mesh, buckets: &[Bucket], width: u64) {
        let style = LineStyle {
            color: self.color,
            width: self.width,
            feather: self.pixel,
        };
        push_series(mesh, buckets, width, self.scale, style);
    }

    /// Adds the ticks of buckets with a frame over budget.
    pub(super) fn push_marks(&self, mesh: &mut Mesh, buckets: &[Bucket], bucket_width: u64) {
        let rect = self.scale.rect;
        // Wide enough to be visible and, if there is room, with a gap to the next one.
        let width = (self.scale.points_per_frame() * bucket_width as f32 * 0.8).max(2.0);
        for bucket in buckets.iter().filter(|bucket| (self.over)(bucket.max)) {
            let x = self.scale.x(bucket.first_frame as f64);
            let mark = Rect::from_x_y_ranges(x..=x + width, rect.bottom() - MARK..=rect.bottom());
            mesh.add_colored_rect(mark.intersect(rect), self.theme.alert);
        }
    }
}
