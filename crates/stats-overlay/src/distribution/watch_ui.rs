//! The distributions over the game: name, quantiles and bars of each series that fits, painted
//! without a widget.

use egui::{Align2, Rect, Stroke, pos2, vec2};

use crate::distribution::paint::{Picture, PictureOf, x_at};
use crate::distribution::row::Row;
use crate::distribution::ui::DistributionUi;
use crate::paint::canvas::Canvas;
use stats_analysis::distribution::SHARES;
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{small_font, text_font};

/// The minimum height of a series, in points.
const MIN_ROW: f32 = 66.0;
/// The height of a line of text, and of the values along the axis.
const LINE: f32 = 17.0;
const AXIS: f32 = 15.0;
const PADDING: f32 = 8.0;
/// A row narrower than this, in points, has its figures below its name.
const WIDE: f32 = 420.0;

impl DistributionUi<'_> {
    /// Paints as many series as fit into `rect`, and the number of the remaining series.
    pub(super) fn watch_ui(&mut self, canvas: &Canvas<'_>, rect: Rect) {
        let painter = canvas.painter();
        let count = self.pane.selected.len();
        let stamp = self.view.begin(&self.pane);
        let fitting = ((rect.height() / MIN_ROW) as usize).min(count);
        let more = count - fitting;
        let foot = if more > 0 { LINE } else { 0.0 };
        let (rows, foot) = rect.split_top_bottom_at_y(rect.bottom() - foot.min(rect.height()));
        let size = vec2(rows.width(), rows.height() / fitting.max(1) as f32);
        for at in 0..fitting {
            let place = rows.min + vec2(0.0, at as f32 * size.y);
            self.watch_row_ui(canvas, Rect::from_min_size(place, size), at, stamp);
        }
        if more > 0 {
            let text = format!("and {more} more");
            let foot = foot.shrink2(vec2(PADDING, 0.0));
            shapes::text_in(painter, foot, &text, small_font(), self.pane.theme.text);
        }
    }

    fn watch_row_ui(&mut self, canvas: &Canvas<'_>, rect: Rect, at: usize, stamp: u64) {
        let painter = canvas.painter();
        let head = if rect.width() < WIDE {
            2.0 * LINE
        } else {
            LINE
        };
        let inner = rect.shrink2(vec2(PADDING, 2.0));
        let (head, below) = inner.split_top_bottom_at_y(inner.top() + head);
        let (plot, _) = below.split_top_bottom_at_y((below.bottom() - AXIS).max(below.top() + 1.0));
        let mut row = std::mem::take(&mut self.view.rows[at]);
        self.update_row(&mut row, at, plot, stamp);
        self.watch_head_ui(canvas, head, at, &row);
        let Row { bars, picture, .. } = &mut row;
        let theme = self.pane.theme;
        let line = Stroke::new(1.0, theme.line);
        painter.hline(plot.x_range(), plot.bottom(), line);
        if let Some(bars) = bars {
            let of = PictureOf {
                plot,
                bars_top: plot.top() + 2.0,
                color: theme.series(self.pane.selected[at].slot),
                dark: theme.dark,
                log_counts: self.view.choices.log_counts,
                pixels_per_point: painter.pixels_per_point(),
            };
            let end = pos2(inner.right(), plot.bottom() + 1.0);
            let free = self.offset_ui(painter, inner.left(), end, bars);
            let mut right = f32::NEG_INFINITY;
            for mark in &bars.marks {
                let x = x_at(plot, mark.share, of.pixels_per_point);
                let text = mark.text.clone();
                let galley = painter.layout_no_wrap(text, small_font(), theme.text);
                let place =
                    Align2::CENTER_TOP.anchor_size(pos2(x, plot.bottom() + 1.0), galley.size());
                if place.left() > right + PADDING
                    && inner.x_range().contains(place.left())
                    && inner.x_range().contains(place.right())
                    && place.right() <= free
                {
                    right = place.right();
                    painter.galley(place.min, galley, theme.text);
                }
            }
            painter.add(Picture::shape(picture, bars, of, theme));
        }
        self.view.rows[at] = row;
    }

    /// Paints the name and the quantiles, in one line or two.
    fn watch_head_ui(&self, canvas: &Canvas<'_>, rect: Rect, at: usize, row: &Row) {
        let (theme, selected) = (self.pane.theme, &self.pane.selected[at]);
        let painter = canvas.painter();
        let (first, second) = rect.split_top_bottom_at_y(rect.top() + LINE);
        let swatch = pos2(first.left() + 4.5, first.center().y);
        shapes::swatch(painter, swatch, theme.series(selected.slot));
        let name = first.with_min_x(first.left() + 15.0);
        let name = if second.height() < LINE {
            name.with_max_x(name.left() + name.width() * 0.5)
        } else {
            name
        };
        let text = one_line(&selected.name, 120);
        let width = shapes::text_in(painter, name, &text, text_font(), theme.text);
        let figures = match &row.bars {
            Some(_) => row.texts.quantiles([false; SHARES.len()]),
            None => self.absent_text(at).to_owned(),
        };
        let rest = if second.height() < LINE {
            first.with_min_x(name.left() + width + 12.0)
        } else {
            second
        };
        shapes::text_in(painter, rest, &figures, small_font(), theme.text);
        let id = canvas.make_persistent_id(("said", at));
        accessibility::describe(canvas.ctx(), id, rect, || {
            (format!("distribution of {}", selected.path), figures)
        });
    }
}
