//! The legend of a graph over the game: the newest value of each series, in columns below the plot,
//! or beside it if the pane is short.

use egui::{Color32, FontId, Painter, Rect, Shape, Stroke, StrokeKind, Vec2, pos2, vec2};

use crate::data::selection::SelectedSeries;
use crate::graph::legend::LegendTexts;
use crate::graph::view::Shown;
use crate::paint::canvas::Canvas;
use crate::view::PaneContext;
use stats_analysis::format::NO_VALUE;
use stats_ui::accessibility;
use stats_ui::retained::Retained;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{number_font, small_font, text_font};

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
/// The width of a swatch, and the room for it before the name, in points.
const SQUARE: f32 = 9.0;
const SWATCH: f32 = 14.0;
/// Room for the sign of a value over its budget, in points.
const SIGN: f32 = 14.0;
/// The step by which the column of values grows, in points.
const WIDTH_STEP: f32 = 12.0;

/// The legend as it was laid out last.
#[derive(Debug, Default)]
pub(super) struct WatchLegend {
    shapes: Vec<Shape>,
    kept: Retained<u64>,
    /// Changes with the shapes.
    revision: u64,
    /// The cell of each series that has room.
    cells: Vec<WatchCell>,
    /// The width of the widest value so far, and the revision of the selection that it belongs to.
    values: f32,
    values_of: u64,
}

/// A series in the legend.
#[derive(Debug)]
struct WatchCell {
    place: Rect,
    value: String,
    is_over: bool,
}

/// Returns the number of columns of a legend of `series` series: the fewest columns that do not
/// need an additional row.
fn columns(width: f32, series: usize) -> usize {
    let max = ((width / COLUMN) as usize).max(1);
    series.div_ceil(series.div_ceil(max).max(1)).max(1)
}

/// Returns the places of a plot and of the legend of `series` series. In a short pane, the legend
/// is beside the plot, or empty.
pub(super) fn parts(rect: Rect, series: usize) -> (Rect, Rect) {
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

impl WatchLegend {
    /// Lays out the names and values that have room in `rect`.
    pub(super) fn lay_out(
        &mut self,
        painter: &Painter,
        pane: &PaneContext<'_>,
        rect: Rect,
        (shown, texts): (&[Shown], &[LegendTexts]),
    ) {
        self.revision += 1;
        self.shapes.clear();
        if std::mem::replace(&mut self.values_of, pane.revision) != pane.revision {
            self.values = 0.0;
        }
        let rows = if rect.width() > 0.0 {
            (rect.height() / ROW) as usize
        } else {
            0
        };
        let count = pane.selected.len();
        let columns = columns(rect.width(), count);
        let fitting = if count <= rows * columns {
            count
        } else {
            // The last place shows the number of the other series.
            (rows * columns).saturating_sub(1)
        };
        let mut cells = std::mem::take(&mut self.cells);
        cells.resize_with(fitting, || WatchCell {
            place: rect,
            value: String::new(),
            is_over: false,
        });
        for (at, cell) in cells.iter_mut().enumerate() {
            cell.read(pane, at, &shown[at], texts.get(at));
            let color = pane.theme.text;
            let galley = shapes::laid_out(painter, &cell.value, number_font(), color);
            self.values = (self.values).max((galley.size().x / WIDTH_STEP).ceil() * WIDTH_STEP);
        }
        let size = vec2((rect.width() / columns as f32).min(MAX_COLUMN), ROW);
        let place = |at: usize| {
            let offset = vec2(
                (at % columns) as f32 * size.x,
                (at / columns) as f32 * size.y + 2.0,
            );
            Rect::from_min_size(rect.min + offset, size).shrink2(vec2(PADDING, 0.0))
        };
        for (at, cell) in cells.iter_mut().enumerate() {
            cell.place = place(at);
            self.lay_out_cell(painter, pane, at, cell, shown[at].hidden);
        }
        self.cells = cells;
        if fitting < count && rows > 0 {
            let more = format!("and {} more", count - fitting);
            self.push_text(
                painter,
                place(fitting),
                &more,
                (small_font(), pane.theme.text),
            );
        }
    }

    fn lay_out_cell(
        &mut self,
        painter: &Painter,
        pane: &PaneContext<'_>,
        at: usize,
        cell: &WatchCell,
        is_hidden: bool,
    ) {
        let (theme, selected) = (pane.theme, &pane.selected[at]);
        let (is_over, text, cell) = (cell.is_over, &cell.value, cell.place);
        let swatch = pos2(cell.left() + 4.5, cell.center().y);
        let color = theme.series(selected.slot);
        let square = Rect::from_center_size(swatch, Vec2::splat(SQUARE));
        self.shapes.push(if is_hidden {
            Shape::rect_stroke(square, 2.0, Stroke::new(1.0, color), StrokeKind::Inside)
        } else {
            Shape::rect_filled(square, 2.0, color)
        });
        let color = if is_over { theme.alert } else { theme.text };
        let room = cell.width() - SWATCH;
        let galley = shapes::fitted(painter, text, number_font(), color, room);
        let left = cell.right() - galley.size().x;
        let top = (cell.center().y - galley.size().y / 2.0).round();
        self.shapes
            .push(Shape::galley(pos2(left, top), galley, color));
        if is_over && left - cell.left() > SWATCH + SIGN {
            let sign = pos2(left - 8.0, cell.center().y);
            self.shapes
                .push(shapes::over_budget_sign(sign, theme.alert));
        }
        let name = cell
            .with_min_x(cell.left() + SWATCH)
            .with_max_x(cell.right() - self.values - SIGN);
        if name.width() > SWATCH {
            let whole = selected.frame_name();
            let text = one_line(&whole, 80);
            self.push_text(painter, name, &text, (text_font(), theme.text));
        }
    }

    fn push_text(
        &mut self,
        painter: &Painter,
        rect: Rect,
        text: &str,
        (font, color): (FontId, Color32),
    ) {
        let galley = shapes::fitted(painter, text, font, color, rect.width());
        let top = (rect.center().y - galley.size().y / 2.0).round();
        let shape = Shape::galley(pos2(rect.left(), top), galley, egui::Color32::PLACEHOLDER);
        self.shapes.push(shape);
    }

    /// Paints the legend as it was laid out.
    pub(super) fn legend_ui(&mut self, canvas: &Canvas<'_>, selected: &[SelectedSeries]) {
        let Self { kept, shapes, .. } = self;
        kept.paint(canvas.painter(), self.revision, |painter| {
            painter.extend(shapes.iter().cloned());
        });
        for (at, (cell, selected)) in self.cells.iter().zip(selected).enumerate() {
            let id = canvas.make_persistent_id(("value", at));
            accessibility::describe(canvas.ctx(), id, cell.place, || {
                let over = if cell.is_over { " over budget" } else { "" };
                (selected.path.clone(), cell.value.clone() + over)
            });
        }
    }
}

impl WatchCell {
    /// Reads the value of a series in the marked frame, or the newest visible one.
    fn read(
        &mut self,
        pane: &PaneContext<'_>,
        at: usize,
        shown: &Shown,
        texts: Option<&LegendTexts>,
    ) {
        let selected = &pane.selected[at];
        let value = match pane.timeline.marked() {
            Some(frame) => pane.data.values(at).at(frame),
            None => shown.summary.map(|summary| summary.now),
        };
        let value = value.zip(texts.and_then(|texts| texts.style));
        self.is_over =
            (value.zip(selected.limit())).is_some_and(|((value, _), limit)| value > limit);
        self.value.clear();
        match value {
            Some((value, style)) => style.write_text(value, &mut self.value),
            None if selected.is_missing() => self.value.push_str("missing"),
            None => self.value.push_str(NO_VALUE),
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
                    let (plot, legend) = parts(rect, series);
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
