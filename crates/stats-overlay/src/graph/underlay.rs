//! The shapes below the lines of a graph: the bands of baseline A, and the lines of budgets.

use egui::epaint::Mesh;
use egui::{Color32, Painter, Rect, pos2, vec2};
use stats_ui::shapes;
use stats_ui::theme::small_font;

use crate::baseline::saved::BaselineSeries;
use crate::paint::scale::Scale;

/// The maximum width of the name of a baseline, as a share of the graph.
const MOST: f32 = 0.5;
/// The height of the marks and of the numbers of cut values at the upper edge of a graph, in points.
const BELOW_MARKS: f32 = 36.0;
/// What the band of a baseline is, from the longest name to the shortest.
const NAMES: [&str; 3] = ["baseline A: 90 % of its frames", "baseline A", "A"];

/// The length of a dash of a budget's line and of the gap after it, in points.
const DASH: (f32, f32) = (6.0, 4.0);
/// The opacity of the band of a baseline.
const BASELINE_OPACITY: f32 = 0.14;

/// The parts of a series below its line.
pub(super) struct Underlay {
    pub(super) color: Color32,
    pub(super) scale: Scale,
    /// The size of a pixel, in points.
    pub(super) pixel: f32,
}

impl Underlay {
    /// Adds the band of a baseline, from the 5th to the 95th percentile, over the whole width.
    pub(super) fn push_baseline(&self, mesh: &mut Mesh, marked: &BaselineSeries) {
        let (top, bottom) = (self.scale.y(marked.p95), self.scale.y(marked.p5));
        let band = Rect::from_x_y_ranges(
            self.scale.rect.x_range(),
            top..=bottom.max(top + self.pixel),
        );
        mesh.add_colored_rect(band, self.color.gamma_multiply(BASELINE_OPACITY));
    }

    /// Adds the dashed line of a budget.
    pub(super) fn push_budget(&self, mesh: &mut Mesh, budget: f64) {
        let color = self.color.gamma_multiply(0.85);
        // On whole pixels, so that all dashes look alike.
        let top = (self.scale.y(budget) / self.pixel).round() * self.pixel;
        let mut left = self.scale.rect.left();
        while left < self.scale.rect.right() {
            let right = (left + DASH.0).min(self.scale.rect.right());
            mesh.add_colored_rect(
                Rect::from_min_max(pos2(left, top), pos2(right, top + self.pixel.max(1.0))),
                color,
            );
            left += DASH.0 + DASH.1;
        }
    }
}

/// Returns the part in view of the band of a baseline; `None` if it is out of view.
pub(super) fn baseline_in_view(scale: &Scale, marked: &BaselineSeries) -> Option<Rect> {
    let (plot, ends) = (scale.rect, [marked.p95, marked.p5].map(|end| scale.y(end)));
    let (top, bottom) = (ends[0].max(plot.top()), ends[1].min(plot.bottom()));
    (top <= bottom).then(|| Rect::from_x_y_ranges(plot.x_range(), top..=bottom))
}

/// Says what the band of a baseline is, at its right end: the tags of budgets are at the left.
pub(super) fn label_baseline(
    painter: &Painter,
    plot: Rect,
    band: Rect,
    (color, ground): (Color32, Color32),
) {
    let mut names = NAMES
        .iter()
        .map(|name| shapes::laid_out(painter, name, small_font(), color));
    let room = plot.width() * MOST;
    let Some(galley) = names.find(|galley| galley.size().x <= room) else {
        return;
    };
    let size = galley.size();
    let lowest = (band.bottom() - size.y).max(plot.top());
    let top = (band.top().max(plot.top() + BELOW_MARKS)).min(lowest);
    let corner = pos2(plot.right() - size.x - 6.0, top);
    let plate = Rect::from_min_size(corner, size).expand2(vec2(2.0, 0.0));
    painter.rect_filled(plate, 2.0, ground.gamma_multiply(0.85));
    painter.galley(corner, galley, color);
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_analysis::axis::Mapping;

    #[test]
    fn the_band_of_a_baseline_goes_from_percentile_to_percentile() {
        let rect = Rect::from_min_max(pos2(10.0, 0.0), pos2(110.0, 100.0));
        let underlay = Underlay {
            color: Color32::WHITE,
            scale: Scale::new(rect, (0.0, 1.0), (0.0, 50.0), Mapping::Linear),
            pixel: 0.5,
        };
        let bounds = |p5, p95| {
            let mut mesh = Mesh::default();
            let marked = BaselineSeries {
                p5,
                p95,
                ..BaselineSeries::default()
            };
            underlay.push_baseline(&mut mesh, &marked);
            mesh.calc_bounds()
        };
        let band = |top, bottom| Rect::from_x_y_ranges(10.0..=110.0, top..=bottom);
        assert_eq!(bounds(10.0, 25.0), band(50.0, 80.0));
        assert_eq!(
            bounds(25.0, 25.0),
            band(50.0, 50.5),
            "equal values are a line"
        );
    }
}
