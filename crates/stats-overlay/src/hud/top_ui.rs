//! Paints the most expensive timers, for a HUD to which nothing is pinned, and how to pin.

use egui::{Painter, Rect, vec2};
use stats_analysis::format::fixed_text;

use crate::hud::pinned_ui::LINE;
use crate::hud::ui::{HudUi, hud_id};
use crate::insight::findings::tail;
use crate::insight::top_timers::TOP;
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::theme::{small_font, text_font};

/// How to pin.
const HINT: &str = "P in the full overlay pins a series here";
/// The width of a bar, which shows the share of the mean frame, and of a value, in points.
const BAR: f32 = 52.0;
const VALUE: f32 = 64.0;
const SWATCH: f32 = 15.0;
/// The minimum width of a name beside a bar, in points.
const LEAST_NAME: f32 = 56.0;
/// The mean width of a character, in points.
const CHAR: f32 = 6.6;

impl HudUi<'_> {
    /// Returns the number of lines that the timers take. They are reserved before the timers are
    /// known.
    pub(super) fn top_lines(&self) -> usize {
        if self.pinned.is_empty() { TOP + 1 } else { 0 }
    }

    /// Paints the first `shown` of the lines below `top`.
    pub(super) fn top_ui(&self, painter: &Painter, inner: Rect, top: f32, shown: usize) {
        let theme = self.theme;
        let mut line = Rect::from_min_size(inner.min, vec2(inner.width(), LINE));
        line = line.translate(vec2(0.0, top - inner.top()));
        for timer in self.top.get().iter().take(shown.min(TOP)) {
            let color = theme.series((self.slot_of)(&timer.path));
            let middle = line.left_center() + vec2(5.0, 0.0);
            shapes::swatch(painter, middle, color);
            let value = line.with_min_x((line.right() - VALUE).max(line.left() + SWATCH));
            let text = format!("{} ms", fixed_text(timer.mean_ms, 2));
            shapes::number_in(painter, value, &text, theme.text);
            let mut right = value.left() - 6.0;
            if right - BAR - line.left() - SWATCH >= LEAST_NAME {
                let bar = line
                    .with_max_x(right)
                    .with_min_x(right - BAR)
                    .shrink2(vec2(0.0, 6.0));
                let share = timer.mean_ms / self.hud.mean_ms.max(f64::MIN_POSITIVE);
                shapes::share_bar(painter, (bar, 2.0), share as f32, color, theme);
                right = bar.left() - 6.0;
            }
            let left = line.left() + SWATCH;
            let name = line.with_min_x(left).with_max_x(right.max(left));
            let path = tail(&timer.path, (name.width() / CHAR) as usize);
            shapes::text_in(painter, name, &path, text_font(), theme.text);
            line = line.translate(vec2(0.0, LINE));
        }
        if shown > TOP {
            let unused = TOP - self.top.get().len().min(TOP);
            let hint = line.translate(vec2(0.0, LINE * unused as f32));
            shapes::text_in(painter, hint, HINT, small_font(), theme.weak);
        }
    }

    /// Describes the lines to screen readers.
    pub(super) fn describe_top(&self, painter: &Painter, inner: Rect, top: f32, shown: usize) {
        let timers = self.top.get().iter().take(shown.min(TOP)).enumerate();
        for (at, timer) in timers {
            let from = inner.left_top() + vec2(0.0, top - inner.top() + at as f32 * LINE);
            let line = Rect::from_min_size(from, vec2(inner.width(), LINE));
            let id = hud_id().with(("top", at));
            accessibility::describe(painter.ctx(), id, line, || {
                let value = format!("{} ms", fixed_text(timer.mean_ms, 2));
                (timer.path.clone(), value)
            });
        }
    }
}
