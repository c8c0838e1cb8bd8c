//! The graph of frame times, and the ticks that mark frames over budget in all graphs of the HUD.

use egui::epaint::Mesh;
use egui::{Align2, Color32, Painter, Rect, Stroke, pos2};

use crate::data::selection::FRAME_TIME;
use crate::hud::numbers::FRAMES;
use crate::hud::ui::HudUi;
use crate::paint::scale::Scale;
use crate::paint::series_shape::{HITCH_MARK, LineStyle, push_hitch, push_series};
use stats_analysis::axis::Mapping;
use stats_analysis::buckets::{Bucket, bucket_width, thin};
use stats_ui::palette::preferred_slot;
use stats_ui::shapes;
use stats_ui::theme::{SMALL_SIZE, small_font};

/// The minimum number of frames in a column of the graph. It divides [`FRAMES`].
const BUCKET: u64 = 2;
/// The height of the tick of a frame over budget, in points.
const MARK: f32 = 3.0;
/// Room for the budget beside the right end of its line.
const BUDGET_WIDTH: f32 = 48.0;

impl HudUi<'_> {
    /// Returns the part of the graph's rectangle that the budget's label leaves free.
    fn plot(&self, rect: Rect) -> Rect {
        match self.state.budget_ms() {
            Some(_) => rect.with_max_x((rect.right() - BUDGET_WIDTH).max(rect.left())),
            None => rect,
        }
    }

    /// Draws the background of the graph, and the line of the budget.
    pub(super) fn budget_ui(&self, painter: &Painter, rect: Rect) {
        let (theme, plot) = (self.theme, self.plot(rect));
        painter.rect_filled(plot, 2.0, theme.plot.gamma_multiply(0.8));
        let Some(budget_ms) = self.state.budget_ms() else {
            return;
        };
        let scale = Scale::new(plot, (0.0, 1.0), (0.0, self.hud.top_ms), Mapping::Linear);
        // The line of a budget above the graph is at the upper edge.
        let y = scale.y(budget_ms).clamp(plot.top(), plot.bottom());
        let line = Stroke::new(1.0, theme.weak);
        painter.hline(plot.left()..=plot.right() + 3.0, y, line);
        let (top, bottom) = (rect.top(), rect.bottom());
        let half = SMALL_SIZE / 2.0;
        shapes::text_at(
            painter,
            pos2(rect.right(), y.clamp(top + half, bottom - half)),
            Align2::RIGHT_CENTER,
            &self.hud.budget,
            small_font(),
            theme.weak,
        );
    }

    /// Adds the frame times and the markers of hitches to the picture, unless it has them already.
    /// The newest frame of an odd number is left out, unless the HUD is paused, so every second frame
    /// changes nothing.
    pub(super) fn times_ui(&mut self, painter: &Painter, rect: Rect) {
        let plot = self.plot(rect);
        let (state, hud) = (self.state, &mut *self.hud);
        let times = self.data.frame_times();
        let end = times.frames().end;
        let end = if state.paused {
            end
        } else {
            end - end % BUCKET
        };
        let times = times.within(end.saturating_sub(FRAMES)..end);
        let of = Some((end, times.frames().start, self.card.revision()));
        if hud.picture.times_of == of {
            return;
        }
        hud.picture.times_of = of;
        let mesh = hud.picture.cut(hud.picture.sparks);
        let pixels = f64::from(plot.width() * painter.pixels_per_point());
        let width = bucket_width(FRAMES as f64, pixels).next_multiple_of(BUCKET);
        thin(times, width, &mut hud.buckets);
        let frames = (end as f64 - FRAMES as f64, end as f64 - 1.0);
        let scale = Scale::new(plot, frames, (0.0, hud.top_ms), Mapping::Linear);
        let over = |time_ms| state.is_over(time_ms);
        push_over_marks(mesh, &hud.buckets, width, &scale, self.theme.alert, over);
        // A frame above the graph ends at the upper edge.
        for bucket in &mut hud.buckets {
            for value in [&mut bucket.min, &mut bucket.max, &mut bucket.last] {
                *value = value.min(hud.top_ms);
            }
        }
        let style = LineStyle {
            color: self.theme.series(preferred_slot(FRAME_TIME)),
            width: 1.5,
            feather: 1.0 / painter.pixels_per_point(),
        };
        push_series(mesh, &hud.buckets, width, &scale, style);
        for frame in times.frames().filter(|frame| (self.is_hitch)(*frame)) {
            let Some(time_ms) = times.at(frame) else {
                continue;
            };
            let y = (scale.y(time_ms) - 1.0).max(plot.top() + HITCH_MARK);
            push_hitch(mesh, pos2(scale.x(frame as f64), y), self.theme.alert);
        }
    }
}

/// Adds a tick to each bucket of `bucket_width` frames that contains a frame over budget.
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
