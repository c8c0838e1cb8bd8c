//! Chooses the numbers along the axes of values, and draws those of the right axis.
//!
//! Even the smallest graph has at least one number. `grid` draws the numbers of the left axis. If
//! an axis shows the range of a single series, a bar beside it has the color of that series. A
//! tooltip names the series of an axis.

use egui::{Align2, Painter, Rect, Response, Sense, pos2, vec2};

use super::grid::{VALUE_AXIS, ValueAxis};
use super::ranges::Side;
use super::transform::Transform;
use super::ui::GraphUi;
use super::view::Shown;
use crate::data::selection::SelectedSeries;
use crate::graph::choices::ValueRange;
use crate::paint::canvas::Canvas;
use stats_analysis::axis::{Mapping, log_marks, on_axis};
use stats_analysis::format::{NumberStyle, value_text};
use stats_core::Unit;
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::small_font;
use stats_ui::tooltip;

/// The width of the bar in the color of the axis' series, in points.
const BAR: f32 = 3.0;
/// The minimum distance between two numbers of an axis, in points.
pub(super) const MIN_DISTANCE: f32 = 36.0;
/// The maximum width of a number, in characters without the unit.
const CHARS: usize = 9;
/// The maximum number of series that a tooltip names.
const MAX_NAMED: usize = 12;
/// The note on the axis if each series has its own range.
const OWN: &str = "own scales";

/// A line of a grid, and its number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GridMark {
    /// The value in the units of the axis.
    pub(super) value: f64,
    /// The distance to the next line of its kind, on the axis.
    pub(super) step_size: f64,
    /// The number that the line stands for.
    pub(super) number: f64,
    /// The number is a multiple of this one; 0 if it is a power of ten, or a part of one.
    pub(super) number_step: f64,
}

impl GridMark {
    fn linear(value: f64, step_size: f64) -> Self {
        Self {
            value,
            step_size,
            number: value,
            number_step: step_size,
        }
    }
}

/// The inputs from which the lines of a grid are computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct GridInput {
    /// The ends of the axis.
    pub(super) bounds: (f64, f64),
    /// The minimum distance between two lines, on the axis.
    pub(super) least: f64,
}

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
    Some(NumberStyle::for_axis(unit, range, CHARS))
}

/// Returns the text of a mark on an axis.
pub(super) fn number(mark: GridMark, style: NumberStyle) -> String {
    if mark.number_step > 0.0 {
        return style.for_step(mark.number_step).text(mark.number);
    }
    value_text((mark.number * 1e9).round() / 1e9, style.unit())
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
        let own = (ranges == ValueRange::Own && several).then(|| OWN.to_owned());
        let [left, right] = [Side::Left, Side::Right].map(|side| self.offset_text(shown, side));
        let left = match (left, own) {
            (Some(left), Some(own)) => Some(format!("{left}   {own}")),
            (left, own) => left.or(own),
        };
        self.notes_ui(canvas.painter(), plot, [left, right])
    }

    /// Returns what to add to the numbers of an axis; `None` if there is nothing to add.
    fn offset_text(&self, shown: &[Shown], side: Side) -> Option<String> {
        axis_style(self.pane.selected, shown, side)?.offset_text()
    }

    /// Paints notes into the lower left and the lower right corner of the plot. Returns their
    /// places.
    fn notes_ui(
        &self,
        painter: &Painter,
        plot: Rect,
        [left, right]: [Option<String>; 2],
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
            "\nToo flat? Press L for a logarithmic axis or Y for own ranges."
        } else {
            ""
        };
        let response = canvas.interact(area, canvas.make_persistent_id(id), Sense::hover());
        if let Some(response) = response.filter(Response::hovered) {
            tooltip::with(response, &mut |ui| _ = ui.label(named() + hint));
        }
        let id = canvas.make_persistent_id(label);
        accessibility::describe(canvas.ctx(), id, area, || (label.to_owned(), named()));
    }
}

/// Returns the marks of an axis. They are multiples of one round step. On a logarithmic axis, they
/// are powers of ten, with finer marks if a narrow range would have fewer than two numbers.
pub(super) fn marks(input: GridInput, mapping: Mapping, base: i64) -> Vec<GridMark> {
    let (bottom, top) = input.bounds;
    let least = input.least;
    let marks: Vec<GridMark> = match mapping {
        Mapping::Linear => {
            let step_size = round_step(least, base);
            let values = multiples(input.bounds, step_size);
            let mark = |value| GridMark::linear(value, step_size);
            values.map(mark).collect()
        }
        Mapping::Log => log_axis_marks(input, base),
    };
    if !marks.is_empty() {
        return marks;
    }
    // The axis is too short for a round number, so it shows the value at its lower edge.
    match mapping {
        Mapping::Linear => vec![GridMark::linear(bottom, top - bottom)],
        Mapping::Log => vec![power_mark((bottom, top - bottom))],
    }
}

fn log_axis_marks(input: GridInput, base: i64) -> Vec<GridMark> {
    let ((bottom, top), least) = (input.bounds, input.least);
    let powers: Vec<GridMark> = log_marks(input.bounds).map(power_mark).collect();
    // A mark has a number if its step is wide enough.
    let numbered =
        |mark: &&GridMark| (bottom..=top).contains(&mark.value) && mark.step_size >= least;
    if powers.iter().filter(numbered).count() > 1 {
        return powers;
    }
    let (low, high) = (10f64.powf(bottom), 10f64.powf(top));
    let step = round_step(least * (high - low) / (top - bottom), base);
    let values = multiples((low, high), step).filter(|&value| value > 0.0);
    values
        .map(|value| GridMark {
            value: on_axis(Mapping::Log, value),
            step_size: least,
            number: value,
            number_step: step,
        })
        .collect()
}

/// Returns the mark of a power of ten, or of a part of one, on a logarithmic axis.
fn power_mark((value, step_size): (f64, f64)) -> GridMark {
    GridMark {
        value,
        step_size,
        number: 10f64.powf(value),
        number_step: 0.0,
    }
}

/// Returns the smallest round step of at least `least`: 1, 2 or 5 times a power of ten, or 1 or 2
/// times a power of four.
fn round_step(least: f64, base: i64) -> f64 {
    let power = (base as f64).powf(least.log(base as f64).floor());
    let parts: &[f64] = if base == 10 {
        &[1.0, 2.0, 5.0]
    } else {
        &[1.0, 2.0]
    };
    let mut steps = parts.iter().map(|part| part * power);
    steps
        .find(|step| *step >= least)
        .unwrap_or(power * base as f64)
}

/// Returns the multiples of `step` within a range, at most a hundred.
fn multiples((bottom, top): (f64, f64), step: f64) -> impl Iterator<Item = f64> {
    let first = (bottom / step).ceil();
    let values = (0..100).map(move |number| (first + f64::from(number)) * step);
    values.take_while(move |value| *value <= top)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::view::Shown;
    use stats_analysis::axis::close_range;
    use stats_testing::Random;

    #[test]
    fn every_axis_has_numbers() {
        let mut random = Random::new(8);
        for round in 0..20_000 {
            let size = 10f64.powi(random.below(40) as i32 - 9);
            let bottom = size * random.below(1000) as f64 / 300.0;
            let span = size * (1 + random.below(1000)) as f64 / 100.0;
            let height = (37 + random.below(600)) as f64;
            let (mapping, bounds) = if round % 2 == 0 {
                (Mapping::Linear, (bottom, bottom + span))
            } else {
                let low = random.below(900) as f64 / 100.0 - 3.0;
                (
                    Mapping::Log,
                    (low, low + (1 + random.below(900)) as f64 / 100.0),
                )
            };
            let base_step_size = (bounds.1 - bounds.0) * f64::from(MIN_DISTANCE) / height;
            for base in [4, 10] {
                let input = GridInput {
                    bounds,
                    least: base_step_size,
                };
                let marks = marks(input, mapping, base);
                let numbers = marks.iter().filter(|mark| {
                    (bounds.0..=bounds.1).contains(&mark.value)
                        && mark.step_size >= base_step_size * (1.0 - 1e-9)
                });
                assert!(numbers.count() > 0, "{mapping:?} {bounds:?} {height}");
                let gaps = marks.windows(2).map(|pair| pair[1].value - pair[0].value);
                let least = gaps.fold(f64::INFINITY, f64::min);
                assert!(mapping == Mapping::Log || least >= base_step_size * (1.0 - 1e-9));
                assert!(marks.len() < 1500, "{} marks", marks.len());
            }
        }
    }

    #[test]
    fn numbers_of_an_axis_differ_however_narrow_it_is() {
        let mut random = Random::new(12);
        let mut offsets = 0;
        for round in 0..20_000 {
            let unit = [Unit::Count, Unit::Bytes, Unit::Milliseconds][round % 3];
            let lo = 10f64.powf(random.below(1800) as f64 / 100.0);
            let span = lo * 10f64.powf(-(random.below(1300) as f64) / 100.0);
            let range = close_range(lo, lo + span, unit == Unit::Bytes);
            // The smallest unit of a byte is a byte, and clocks are no finer than that.
            let finest = if unit == Unit::Bytes { 100.0 } else { 1e-6 };
            if range.1 - range.0 < finest {
                continue;
            }
            let style = NumberStyle::for_axis(unit, range, CHARS);
            offsets += usize::from(style.offset_text().is_some());
            let height = (60 + random.below(700)) as f64;
            let least = (range.1 - range.0) * f64::from(MIN_DISTANCE) / height;
            let input = GridInput {
                bounds: range,
                least,
            };
            let marks = marks(input, Mapping::Linear, style.grid_base());
            let mut texts: Vec<String> = marks.iter().map(|mark| number(*mark, style)).collect();
            let count = texts.len();
            assert!(
                texts.iter().all(|text| text.len() < 20),
                "{range:?} {texts:?}"
            );
            texts.sort_unstable();
            texts.dedup();
            assert_eq!(texts.len(), count, "{range:?} {texts:?}");
        }
        assert!(offsets > 5000, "{offsets}");
    }

    #[test]
    fn numbers_of_a_narrow_logarithmic_axis_differ() {
        for (unit, range) in [
            (Unit::Bytes, (24e9, 24.1e9)),
            (Unit::Count, (1.7e12, 1.7e12 + 5e6)),
            (Unit::Milliseconds, (16.0, 16.4)),
        ] {
            let style = NumberStyle::for_axis(unit, range, CHARS);
            let bounds = (range.0.log10(), range.1.log10());
            let least = (bounds.1 - bounds.0) * 0.2;
            let input = GridInput { bounds, least };
            let marks = marks(input, Mapping::Log, style.grid_base());
            let mut texts: Vec<String> = marks.iter().map(|mark| number(*mark, style)).collect();
            texts.dedup();
            assert!(marks.len() > 1 && texts.len() == marks.len(), "{texts:?}");
            assert!(texts.iter().all(|text| text.len() < 14), "{texts:?}");
        }
    }

    #[test]
    fn a_short_axis_has_more_numbers_than_zero() {
        let input = GridInput {
            bounds: (0.0, 60.0),
            least: 60.0 * 28.0 / 110.0,
        };
        let values: Vec<f64> = marks(input, Mapping::Linear, 10)
            .iter()
            .map(|mark| mark.value)
            .collect();
        assert_eq!(values, [0.0, 20.0, 40.0, 60.0]);
    }

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
