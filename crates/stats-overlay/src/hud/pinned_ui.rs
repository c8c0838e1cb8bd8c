//! Paints the line of each pinned series: its name, a small graph and its value.

use egui::{Painter, Rect, pos2, vec2};

use crate::hud::graph_ui::push_over_marks;
use crate::hud::numbers::{LinePlace, Places};
use crate::hud::ui::{HudUi, hud_id};
use crate::paint::scale::Scale;
use crate::paint::series_shape::{LineStyle, push_series};
use crate::paint::sparkline::range_of;
use stats_analysis::axis::Mapping;
use stats_analysis::buckets::thin;
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::theme::{number_font, small_font, text_font};

/// The height of a line, in points.
pub(super) const LINE: f32 = 17.0;
/// The number of frames in a line's graph (two seconds at 60 fps), and in each of its columns.
const SPARK_FRAMES: u64 = 120;
const SPARK_BUCKET: u64 = 4;
const SPARK_WIDTH: f32 = 52.0;
/// The space to the left of a value for its over-budget sign, in points.
const SIGN: f32 = 13.0;
const SWATCH: f32 = 15.0;
/// The minimum width of a name beside a graph, in points. With less room, the line has no graph.
const LEAST_NAME: f32 = 56.0;

impl HudUi<'_> {
    /// Paints the names of the first `shown` pinned series below `top`, and the number of those
    /// that do not fit. Adds the places of the lines to `places`.
    pub(super) fn names_ui(
        &self,
        painter: &Painter,
        inner: Rect,
        top: f32,
        (shown, more): (usize, usize),
        places: &mut Places,
    ) {
        let glyph = shapes::laid_out(painter, "0", number_font(), self.theme.text)
            .size()
            .x;
        let value_width = (self.hud.value_chars as f32 * glyph).ceil();
        let mut line = Rect::from_min_size(pos2(inner.left(), top), vec2(inner.width(), LINE));
        let with_line = |at: &usize| !self.pinned[*at].is_clock();
        for at in (0..self.pinned.len()).filter(with_line).take(shown) {
            places
                .lines
                .push(self.name_ui(painter, line, value_width, at));
            line = line.translate(vec2(0.0, LINE));
        }
        if more > 0 {
            let text = format!("and {more} more");
            shapes::text_in(painter, line, &text, small_font(), self.theme.weak);
        }
    }

    /// Paints the name of a series. Returns the place of its line.
    fn name_ui(&self, painter: &Painter, line: Rect, value_width: f32, at: usize) -> LinePlace {
        let theme = self.theme;
        shapes::swatch(
            painter,
            pos2(line.left() + 5.0, line.center().y),
            theme.series(self.pinned[at].slot),
        );
        let value = line.with_min_x((line.right() - value_width).max(line.left() + SWATCH));
        let mut right = value.left() - SIGN;
        let graph = line
            .with_max_x(right)
            .with_min_x(right - SPARK_WIDTH)
            .shrink2(vec2(0.0, 2.0));
        let has_graph = graph.left() - line.left() - SWATCH >= LEAST_NAME;
        if has_graph {
            right = graph.left() - 6.0;
        }
        let place = line
            .with_min_x(line.left() + SWATCH)
            .with_max_x(right.max(line.left() + SWATCH));
        let name = self.hud.lines.get(at).map_or("", |line| &line.name);
        shapes::text_in(painter, place, name, text_font(), theme.text);
        LinePlace {
            at,
            line,
            graph: has_graph.then_some(graph),
            value,
        }
    }

    /// Paints the value of a series.
    pub(super) fn value_ui(&self, painter: &Painter, place: &LinePlace) {
        let Some(shown) = self.hud.lines.get(place.at) else {
            return;
        };
        let theme = self.theme;
        let color = match (self.pinned[place.at].is_missing(), shown.over) {
            (true, _) => theme.weak,
            (_, true) => theme.alert,
            _ => theme.text,
        };
        let number = shapes::number_in(painter, place.value, &shown.value, color);
        if shown.over {
            painter.add(shapes::over_budget_sign(
                pos2(number.left() - 8.0, place.line.center().y),
                theme.alert,
            ));
        }
    }

    /// Describes the lines to screen readers.
    pub(super) fn describe_lines(&self, painter: &Painter, places: &Places) {
        for &LinePlace { at, line, .. } in &places.lines {
            let Some(shown) = self.hud.lines.get(at) else {
                continue;
            };
            let id = hud_id().with(("value", at));
            accessibility::describe(painter.ctx(), id, line, || {
                let over = if shown.over { " over budget" } else { "" };
                (self.pinned[at].path.clone(), shown.value.clone() + over)
            });
        }
    }

    /// Adds the graphs of the lines to the picture, unless it has them already. The graphs show
    /// whole buckets, so most frames change nothing.
    pub(super) fn sparks_ui(&mut self, painter: &Painter, places: &Places) {
        let end = self.data.frames().end;
        let end = end - end % SPARK_BUCKET;
        let (data, hud) = (self.data, &mut *self.hud);
        let values = |at| {
            data.values(at)
                .within(end.saturating_sub(SPARK_FRAMES)..end)
        };
        let frames = places.lines.iter().map(|line| values(line.at).frames());
        let of = Some((end, frames.map(|frames| frames.start + frames.end).sum()));
        if hud.picture.sparks_of == of {
            return;
        }
        let mesh = hud.picture.cut(hud.picture.texts);
        for &LinePlace { at, graph, .. } in &places.lines {
            thin(values(at), SPARK_BUCKET, &mut hud.buckets);
            let Some(rect) = graph.filter(|_| !hud.buckets.is_empty()) else {
                continue;
            };
            let frames = (end as f64 - SPARK_FRAMES as f64, end as f64 - 1.0);
            let scale = Scale::new(rect, frames, range_of(&hud.buckets), Mapping::Linear);
            let selected = &self.pinned[at];
            let budget = selected.budget();
            let style = LineStyle {
                color: self.theme.series(selected.slot),
                width: 1.2,
                feather: 1.0 / painter.pixels_per_point(),
            };
            push_series(mesh, &hud.buckets, SPARK_BUCKET, &scale, style);
            let over = |value| budget.is_some_and(|budget| value > budget);
            let alert = self.theme.alert;
            push_over_marks(mesh, &hud.buckets, SPARK_BUCKET, &scale, alert, over);
        }
        (hud.picture.sparks_of, hud.picture.sparks) = (of, hud.picture.size());
        hud.picture.times_of = None;
    }
}
