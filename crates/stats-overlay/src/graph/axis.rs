//! Chooses the numbers along the axes of values, and draws those of the right axis.
//!
//! Even the smallest graph has at least one number. `grid` draws the numbers of the left axis. If
//! an axis shows the range of a single series, a bar beside it has the color of that series. A
//! tooltip names the series of an axis. A note beside numbers without a unit says that they have none, if
//! the other axis has one, or that they stand for several units.

use std::borrow::Cow;

use egui::{Align2, Painter, Rect, Response, Sense, pos2, vec2};

use super::axis_marks::{GridInput, GridMark, MIN_DISTANCE, NUMBER_CHARS, marks, number};
use super::graph_ui::GraphUi;
use super::grid::{VALUE_AXIS, ValueAxis};
use super::ranges::Side;
use super::shown::Shown;
use super::transform::Transform;
use crate::data::selection::SelectedSeries;
use crate::graph::choices::ValueRange;
use crate::input::key_hint::with_keys;
use crate::paint::canvas::Canvas;
use stats_analysis::axis::on_axis;
use stats_analysis::format::NumberStyle;
use stats_core::Unit;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::small_font;
use stats_ui::tooltip;

/// The width of the bar in the color of the axis' series, in points.
const BAR: f32 = 3.0;
/// The maximum number of series that a tooltip names.
const MAX_NAMED: usize = 12;
/// The note on the axis if each series has its own range.
const OWN: &str = "own scales";
/// The note on an axis without a unit beside one that has a unit, and on one of several units.
const NO_UNIT: &str = "no unit";
const SEVERAL_UNITS: &str = "several units";

/// Returns the index of the series whose range the axis on `side` shows: the first series with
/// values, or else the first series. Returns `None` if the side has no axis.
pub(super) fn series_of_axis(shown: &[Shown], side: Side) -> Option<usize> {
    let seen = |at: &usize| !shown[*at].hidden && shown[*at].side == side;
    let with_values = |at: &usize| seen(at) && shown[*at].summary.is_some();
    let places = 0..shown.len();
    places
        .clone()
        .find(with_values)
        .or_else(|| places.clone().find(seen))
}

/// Returns the number style of an axis. It has a unit, unless series of different units share the
/// range. Returns `None` if the side has no axis.
pub(super) fn axis_style(
    selected: &[SelectedSeries],
    shown: &[Shown],
    side: Side,
) -> Option<NumberStyle> {
    let at = series_of_axis(shown, side)?;
    let (unit, range) = (selected[at].unit(), shown[at].range);
    let seen = selected.iter().zip(shown);
    let mut seen = seen.filter(|(_, shown)| !shown.hidden && shown.side == side);
    let unit = if seen.all(|(selected, _)| selected.unit() == unit) {
        unit
    } else {
        Unit::Count
    };
    Some(NumberStyle::for_axis(unit, range, NUMBER_CHARS))
}

impl GraphUi<'_> {
    /// Draws the numbers of the right axis, and the bars and tooltips that identify the series of
    /// both axes. Returns the rectangles of the notes: that each series has its own scale, and what
    /// to add to the numbers of an axis.
    pub(super) fn axes_ui(
        &mut self,
        canvas: &Canvas<'_>,
        rect: Rect,
        transform: &Transform,
        shown: &[Shown],
        ranges: ValueRange,
    ) -> Vec<Rect> {
        let plot = transform.plot();
        let (left, right) = (plot.left(), plot.right());
        let numbers = plot.with_min_x(right).with_max_x(right + VALUE_AXIS);
        self.right_numbers_ui(canvas, numbers, shown);
        let left_numbers = plot.with_max_x(left).with_min_x(rect.left());
        self.axis_ui(canvas, left_numbers, left - BAR, shown, Side::Left, ranges);
        self.axis_ui(canvas, numbers, right, shown, Side::Right, ranges);
        let several = shown.iter().filter(|shown| !shown.hidden).count() > 1;
        let own = (ranges == ValueRange::Own && several).then_some(OWN);
        let notes = [(Side::Left, own), (Side::Right, None)].map(|(side, own)| {
            let offset = axis_style(self.pane.selected, shown, side)?.offset_text();
            let note = own
                .or_else(|| self.unit_note(shown, side))
                .map(Cow::Borrowed);
            match (offset, note) {
                (Some(offset), Some(note)) => Some(format!("{offset}   {note}").into()),
                (offset, note) => offset.map(Cow::Owned).or(note),
            }
        });
        self.notes_ui(canvas.painter(), plot, notes)
    }

    /// Returns what the numbers of an axis without a unit stand for, if that is not clear.
    fn unit_note(&self, shown: &[Shown], side: Side) -> Option<&'static str> {
        let unit = |side| Some(axis_style(self.pane.selected, shown, side)?.unit());
        if unit(side)? != Unit::Count {
            return None;
        }
        let seen = self.pane.selected.iter().zip(shown);
        let mut of_side = seen.filter(|(_, shown)| !shown.hidden && shown.side == side);
        if of_side.any(|(selected, _)| selected.unit() != Unit::Count) {
            return Some(SEVERAL_UNITS);
        }
        let other = match side {
            Side::Left => Side::Right,
            Side::Right | Side::Legend => Side::Left,
        };
        unit(other).map(|_| NO_UNIT)
    }

    /// Paints notes into the lower left and the lower right corner of the plot. Returns their
    /// places.
    fn notes_ui(
        &self,
        painter: &Painter,
        plot: Rect,
        [left, right]: [Option<Cow<'static, str>>; 2],
    ) -> Vec<Rect> {
        let notes = [(left, Align2::LEFT_BOTTOM), (right, Align2::RIGHT_BOTTOM)];
        let inner = plot.shrink2(vec2(4.0, 2.0));
        let mut free = inner.width();
        let mut places = Vec::new();
        for (text, corner) in notes {
            let Some(text) = text else { continue };
            let color = self.pane.theme.accent;
            let galley = shapes::fitted(painter, &text, small_font(), color, free.max(0.0));
            free -= galley.size().x + 8.0;
            let place = corner.anchor_size(corner.pos_in_rect(&inner), galley.size());
            let plate = self.pane.theme.plot.gamma_multiply(0.85);
            painter.rect_filled(place.expand2(vec2(2.0, 0.0)), 2.0, plate);
            painter.galley(place.min, galley, color);
            places.push(place);
        }
        places
    }

    fn right_numbers_ui(&mut self, canvas: &Canvas<'_>, area: Rect, shown: &[Shown]) {
        let (Some(at), Some(style)) = (
            series_of_axis(shown, Side::Right),
            axis_style(self.pane.selected, shown, Side::Right),
        ) else {
            return;
        };
        let (theme, mapping) = (self.pane.theme, self.view.mapping());
        let (bottom, top) = shown[at].range;
        let bounds = (on_axis(mapping, bottom), on_axis(mapping, top));
        let axis = ValueAxis {
            range: bounds,
            mapping,
            style: Some(style),
            height: area.height(),
            width: area.width(),
            is_sparse: canvas.is_over_game(),
        };
        let kept = &mut self.view.right_numbers;
        kept.paint(canvas.painter(), (area, axis, *theme), |painter| {
            let least = axis.least(MIN_DISTANCE);
            let input = GridInput { bounds, least };
            let numbered = |mark: &GridMark| {
                let is_inside = (bounds.0..=bounds.1).contains(&mark.value);
                is_inside && mark.step_size >= least * (1.0 - 1e-9)
            };
            let marks = marks(input, mapping, style.grid_base());
            let only = marks.len() == 1;
            for mark in marks.into_iter().filter(|mark| only || numbered(mark)) {
                let share = (mark.value - bounds.0) / (bounds.1 - bounds.0);
                let y = area.bottom() - (share * f64::from(area.height())) as f32;
                let tick = area.left()..=area.left() + BAR + 1.0;
                painter.hline(tick, y, (1.0, theme.weak));
                let line = Rect::from_min_max(
                    pos2(area.left() + BAR + 4.0, y - 7.0),
                    pos2(area.right(), y + 7.0),
                );
                let text = number(mark, style);
                shapes::text_in(painter, line, &text, small_font(), theme.text);
            }
        });
    }

    /// Names the series of an axis, and paints the bar if there is only one series. The bar begins
    /// at `x`.
    fn axis_ui(
        &self,
        canvas: &Canvas<'_>,
        area: Rect,
        x: f32,
        shown: &[Shown],
        side: Side,
        ranges: ValueRange,
    ) {
        let Some(style) = axis_style(self.pane.selected, shown, side) else {
            return;
        };
        let visible = (0..shown.len()).filter(|&at| !shown[at].hidden);
        let several = visible.clone().count() > 1;
        let of = visible.filter(|&at| shown[at].side == side);
        let only = of.clone().next().filter(|_| of.clone().count() == 1);
        if let Some(at) = only.filter(|_| several) {
            let color = self.pane.theme.series(self.pane.selected[at].slot);
            let bar = Rect::from_min_max(pos2(x, area.top()), pos2(x + BAR, area.bottom()));
            canvas.painter().rect_filled(bar, 0.0, color);
        }
        let own = ranges == ValueRange::Own && several;
        let named = || {
            let unit = match style.symbol() {
                none if none.is_empty() => "no unit".to_owned(),
                symbol => symbol,
            };
            let scales = if own { ", own scales" } else { "" };
            let offset = style.offset_text();
            let offset = offset.map_or_else(String::new, |offset| format!(" {offset}"));
            let name = |at: usize| one_line(&self.pane.selected[at].frame_name(), 60).into_owned();
            let names: Vec<String> = of.clone().take(MAX_NAMED).map(name).collect();
            let more = of.clone().count().saturating_sub(MAX_NAMED);
            let more = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            format!("{unit}{offset}{scales}: {}{more}", names.join(", "))
        };
        let (label, id) = match side {
            Side::Right => ("right value axis", "right value axis tip"),
            Side::Left | Side::Legend => ("value axis", "value axis tip"),
        };
        let hint = if own {
            "\nEvery series has its own scale; the legend shows them all."
        } else if several {
            "\nToo flat? Use a logarithmic axis (L) or own ranges (Y)."
        } else {
            ""
        };
        let response = canvas.interact(area, canvas.make_persistent_id(id), Sense::hover());
        if let Some(response) = response.filter(Response::hovered) {
            let hint = with_keys(&response.ctx, hint).into_owned();
            tooltip::with(response, &mut |ui| _ = ui.label(named() + &hint));
        }
        canvas.describe(label, area, || (label.to_owned(), named()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_belongs_to_the_first_series_with_values() {
        let shown = |has_values: bool, hidden| Shown {
            summary: has_values.then(Default::default),
            range: (0.0, 1.0),
            side: Side::Left,
            budget_near: false,
            hidden,
            frames: (0, 0),
        };
        let of = |shown: &[Shown]| series_of_axis(shown, Side::Left);
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[shown(false, false), shown(true, false)]), Some(1));
        assert_eq!(of(&[shown(true, true), shown(false, false)]), Some(1));
        assert_eq!(series_of_axis(&[shown(true, false)], Side::Right), None);
    }
}
