//! The legend over a game: the newest value of each series, in columns below the plot, or beside it
//! if the pane is short.

use egui::{Painter, Rect, pos2, vec2};

use super::{LegendKey, LegendUi, Pointed};
use crate::paint::canvas::Canvas;
use stats_analysis::format::NO_VALUE;
use stats_ui::retained::Retained;
use stats_ui::shapes;
use stats_ui::theme::small_font;

const ROW: f32 = 17.0;
/// The minimum and maximum width of a column, in points.
const COLUMN: f32 = 176.0;
const MAX_COLUMN: f32 = 260.0;
/// The width of a legend beside the plot, in points.
const BESIDE: f32 = 200.0;
/// The maximum share of a pane's height for a legend below the plot.
const BELOW_SHARE: f32 = 0.4;
/// A pane shorter than this, in points, has no legend below its plot.
const MIN_BELOW: f32 = 110.0;
/// A pane narrower than this, in points, has no legend beside its plot.
const MIN_BESIDE: f32 = 420.0;
const PADDING: f32 = 6.0;
/// Room for a swatch before the name, and for the sign of a value over its budget, in points.
const SWATCH: f32 = 14.0;
const SIGN: f32 = 14.0;
/// The space between a name and its value, in points.
const GAP: f32 = 8.0;

/// The values of a legend over a game, kept until the next refresh.
#[derive(Debug, Default)]
pub(in crate::graph) struct CompactLegend {
    /// The value of each series, and whether it is over its budget.
    values: Vec<(String, bool)>,
    /// The revision of the selection, and the frame at the cursor.
    of: Option<(u64, Option<u64>)>,
    /// Changes with the values.
    revision: u64,
    shapes: Retained<LegendKey>,
}

/// Returns the number of columns of a legend of `series` series: the fewest columns that do not
/// need an additional row.
fn columns(width: f32, series: usize) -> usize {
    let max = ((width / COLUMN) as usize).max(1);
    series.div_ceil(series.div_ceil(max).max(1)).max(1)
}

/// Returns the places of a plot and of the legend of `series` series. In a short pane, the legend
/// is beside the plot, or empty.
pub(super) fn split(rect: Rect, series: usize) -> (Rect, Rect) {
    if rect.height() >= MIN_BELOW {
        let max_rows = (rect.height() * BELOW_SHARE / ROW).floor().max(1.0);
        let rows = (series.div_ceil(columns(rect.width(), series)) as f32).min(max_rows);
        let height = if rows > 0.0 && rect.width() >= COLUMN / 2.0 {
            rows * ROW + 4.0
        } else {
            0.0
        };
        return rect.split_top_bottom_at_y(rect.bottom() - height);
    }
    let has_room = rect.width() >= MIN_BESIDE && rect.height() >= ROW && series > 0;
    rect.split_left_right_at_x(rect.right() - if has_room { BESIDE } else { 0.0 })
}

impl LegendUi<'_> {
    /// Draws the names and values that have room in `rect`. `revision` is that of the selection, and
    /// `refresh` says whether to read the values again.
    pub(in crate::graph) fn compact_ui(
        &self,
        canvas: &Canvas<'_>,
        rect: Rect,
        (revision, refresh): (u64, bool),
        compact: &mut CompactLegend,
    ) {
        let of = Some((revision, self.cursor));
        if refresh || compact.of != of {
            self.read_values(compact);
            compact.of = of;
        }
        let rows = if rect.width() > 0.0 {
            (rect.height() / ROW) as usize
        } else {
            0
        };
        let count = self.selected.len();
        let columns = columns(rect.width(), count);
        let fitting = if count <= rows * columns {
            count
        } else {
            // The last place shows the number of the other series.
            (rows * columns).saturating_sub(1)
        };
        let size = vec2((rect.width() / columns as f32).min(MAX_COLUMN), ROW);
        let place = |at: usize| {
            let (column, row) = ((at % columns) as f32, (at / columns) as f32);
            let offset = vec2(column * size.x, row * size.y + 2.0);
            Rect::from_min_size(rect.min + offset, size).shrink2(vec2(PADDING, 0.0))
        };
        let mut key = self.key(rect, 0..fitting, Pointed::default());
        key.numbers = compact.revision;
        let values = &compact.values;
        compact.shapes.paint(canvas.painter(), key, |painter| {
            for (at, value) in values[..fitting].iter().enumerate() {
                self.paint_cell(painter, place(at), at, value);
            }
            if fitting < count && rows > 0 {
                let (more, color) = (format!("and {} more", count - fitting), self.theme.text);
                shapes::text_in(painter, place(fitting), &more, small_font(), color);
            }
        });
        for (at, (value, is_over)) in values[..fitting].iter().enumerate() {
            canvas.describe(("value", at), place(at), || {
                let over = if *is_over { " over budget" } else { "" };
                (self.selected[at].path.clone(), format!("{value}{over}"))
            });
        }
    }

    /// Reads the values at the cursor, or the newest visible ones.
    fn read_values(&self, compact: &mut CompactLegend) {
        compact.revision += 1;
        let count = self.selected.len();
        compact.values.resize_with(count, Default::default);
        for (at, (text, is_over)) in compact.values.iter_mut().enumerate() {
            let selected = &self.selected[at];
            let value = match self.cursor {
                Some(frame) => self.data.values(at).at(frame),
                None => self.shown[at].summary.map(|summary| summary.now),
            };
            let value = value.zip(self.texts.get(at).and_then(|texts| texts.style));
            *is_over =
                (value.zip(selected.limit())).is_some_and(|((value, _), limit)| value > limit);
            text.clear();
            match value {
                Some((value, style)) => style.write_text(value, text),
                None if selected.is_missing() => text.push_str("missing"),
                None => text.push_str(NO_VALUE),
            }
        }
    }

    fn paint_cell(
        &self,
        painter: &Painter,
        cell: Rect,
        at: usize,
        (value, is_over): &(String, bool),
    ) {
        let (theme, selected) = (self.theme, &self.selected[at]);
        let swatch = pos2(cell.left() + 4.5, cell.center().y);
        let color = theme.series(selected.slot);
        if self.shown[at].hidden {
            shapes::swatch_outline(painter, swatch, color);
        } else {
            shapes::swatch(painter, swatch, color);
        }
        let color = if *is_over { theme.alert } else { theme.text };
        let number = cell.with_min_x(cell.left() + SWATCH);
        let mut left = shapes::number_in(painter, number, value, color).left();
        if *is_over && left - cell.left() > SWATCH + SIGN {
            let sign = pos2(left - 8.0, cell.center().y);
            painter.add(shapes::over_budget_sign(sign, theme.alert));
            left -= SIGN;
        }
        let name = number.with_max_x(left - GAP);
        if name.width() > SWATCH {
            self.paint_name(painter, name, at, theme.text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_legend_shrinks_and_disappears_before_the_plot() {
        for width in (20..2000).step_by(37) {
            for height in (10..1200).step_by(23) {
                for series in [0, 1, 8, 256] {
                    let size = vec2(width as f32, height as f32);
                    let rect = Rect::from_min_size(pos2(5.0, 7.0), size);
                    let (plot, legend) = split(rect, series);
                    assert!(
                        plot.height() >= rect.height() * (1.0 - BELOW_SHARE) - 4.0
                            && plot.width() >= rect.width() * 0.5,
                        "{rect:?} {series}: {plot:?}"
                    );
                    assert!(rect.contains_rect(plot) && rect.contains_rect(legend));
                    assert!(series > 0 || legend.area() == 0.0);
                }
            }
        }
    }
}
