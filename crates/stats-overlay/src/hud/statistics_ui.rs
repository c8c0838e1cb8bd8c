//! Paints the frame-time statistics of the HUD in three lines, and the names of the open spans.

use egui::{Align2, Color32, FontId, Painter, Rect, pos2, vec2};
use stats_core::Figure;

use crate::hud::ui::{HudUi, hud_id};
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::theme::{SMALL_SIZE, small_font};

/// The height of a line, in points.
const LINE: f32 = 14.0;
/// The height of all lines, in points.
pub(super) const HEIGHT: f32 = 3.0 * LINE;
/// Returns the name of the low, with its definition, because "1 % low" means different things in
/// other tools.
fn low_name() -> &'static str {
    Figure::find("p99-by-time")
        .and_then(|low| low.rate)
        .unwrap_or_default()
}

impl HudUi<'_> {
    /// Paints the lines below `top`.
    pub(super) fn statistics_ui(&self, painter: &Painter, inner: Rect, top: f32) {
        let (theme, all) = (self.theme, &self.hud.statistics);
        if all.frames.is_empty() {
            return;
        }
        let (weak, text, mono) = (theme.weak, theme.text, FontId::monospace(SMALL_SIZE));
        let over = if all.any_over { theme.alert } else { weak };
        let mut line = Rect::from_min_size(pos2(inner.left(), top), vec2(inner.width(), LINE));
        for (left, right) in [
            ((&*all.frames, small_font(), weak), (&*all.average, text)),
            ((low_name(), small_font(), weak), (&*all.low, text)),
            ((&*all.over_budget, mono, over), (&*all.over_60_ms, weak)),
        ] {
            Self::pair_ui(painter, line, left, right);
            line = line.translate(vec2(0.0, LINE));
        }
    }

    /// Describes the lines to screen readers.
    pub(super) fn describe_statistics(&self, painter: &Painter, inner: Rect, top: f32) {
        let all = &self.hud.statistics;
        if all.frames.is_empty() {
            return;
        }
        let whole = Rect::from_min_size(pos2(inner.left(), top), vec2(inner.width(), HEIGHT));
        for (name, text) in [
            ("average", &all.average),
            (low_name(), &all.low),
            ("Over budget", &all.over_budget),
            ("Frames over 60 ms", &all.over_60_ms),
        ] {
            accessibility::describe(painter.ctx(), hud_id().with(name), whole, || {
                let words: Vec<&str> = text.split_whitespace().collect();
                let label = if name == "average" {
                    all.frames.clone()
                } else {
                    name.to_owned()
                };
                (label, words.join(" "))
            });
        }
    }

    /// Paints a text on the left and a number on the right.
    fn pair_ui(
        painter: &Painter,
        line: Rect,
        left: (&str, FontId, Color32),
        right: (&str, Color32),
    ) {
        let font = FontId::monospace(SMALL_SIZE);
        let number = shapes::text_at(
            painter,
            line.right_center(),
            Align2::RIGHT_CENTER,
            right.0,
            font,
            right.1,
        );
        let name = line.with_max_x((number.left() - 4.0).max(line.left()));
        shapes::text_in(painter, name, left.0, left.1, left.2);
    }

    /// Paints the names of the open spans at the upper left of the graph.
    pub(super) fn open_ui(&self, painter: &Painter, graph: Rect) {
        let (theme, open) = (self.theme, &self.hud.statistics.open);
        if open.is_empty() {
            return;
        }
        let room = graph.width() * 0.6;
        let galley = shapes::fitted(painter, open, small_font(), theme.accent, room);
        let tag = Rect::from_min_size(graph.min + vec2(2.0, 2.0), galley.size() + vec2(8.0, 2.0));
        painter.rect_filled(tag, 2.0, theme.plot.gamma_multiply(0.85));
        shapes::galley_in(
            painter,
            tag.with_min_x(tag.left() + 4.0),
            galley,
            theme.accent,
        );
        accessibility::describe(painter.ctx(), hud_id().with("open"), tag, || {
            ("Open spans".to_owned(), open.clone())
        });
    }
}
