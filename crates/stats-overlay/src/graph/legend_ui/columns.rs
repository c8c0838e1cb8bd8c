//! The columns of a legend that fit, and their places.

use std::borrow::Cow;

use egui::{FontId, Painter, Rect};
use stats_analysis::sort::sort_by;

use super::LegendUi;
use crate::graph::choices::ValueRange;
use crate::graph::legend::Cell;
use crate::graph::ranges::Side;
use stats_analysis::format::whole_text;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{SMALL_SIZE, number_font, small_font, text_font};

/// Room for the widest number, see [`CHARS`](crate::graph::legend::CHARS).
pub(super) const COLUMN: f32 = 84.0;
pub(super) const UNIT_COLUMN: f32 = 44.0;
/// The width of the ranges beside at least two numbers, and beside a single one.
const RANGE_COLUMN: f32 = 150.0;
const NARROW_RANGE: f32 = 100.0;
/// The minimum room for names.
pub(super) const MIN_NAME: f32 = 110.0;
pub(super) const REMOVE: f32 = 20.0;
/// The minimum room for a name that is shortened for a number, and the minimum width of a column.
const MIN_CUT_NAME: f32 = 44.0;
const MIN_COLUMN: f32 = 36.0;
/// The minimum room for a name that is shortened for a range.
const MIN_NAME_BESIDE_RANGE: f32 = 64.0;
/// The space between a name, a number and its unit.
const GAP: f32 = 8.0;
/// Room for the sign of the axis, if there are two.
const SIGN: f32 = 12.0;

/// The columns for visible frames, by priority.
const OF_VISIBLE: [Cell; 6] = [
    Cell::Now,
    Cell::Difference,
    Cell::Max,
    Cell::Min,
    Cell::Mean,
    Cell::Deviation,
];
/// The columns for selected frames, by priority.
const OF_SELECTED: [Cell; 9] = [
    Cell::Mean,
    Cell::Difference,
    Cell::Max,
    Cell::Median,
    Cell::P95,
    Cell::Min,
    Cell::Spikes,
    Cell::Deviation,
    Cell::Sum,
];

/// The widest texts of a legend, in points.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Widest {
    /// The names of the series.
    pub(super) name: f32,
    /// The numbers of the column that comes first by priority, and its head.
    pub(super) number: f32,
    pub(super) unit: f32,
}

impl Widest {
    /// Returns the widths of a single narrow column of numbers and of their units.
    fn narrow_column(self) -> (f32, f32) {
        let unit = if self.unit > 0.0 {
            self.unit + GAP
        } else {
            0.0
        };
        ((self.number + GAP).clamp(MIN_COLUMN, COLUMN), unit)
    }
}

/// The places of the legend's columns.
pub(super) struct Columns {
    name_left: f32,
    /// The width of a column of numbers.
    pub(super) width: f32,
    /// The columns that fit, and their right edges.
    pub(super) numbers: Vec<(Cell, f32)>,
    pub(super) unit_left: f32,
    pub(super) range_right: Option<f32>,
    /// The width of the ranges.
    pub(super) range: f32,
    pub(super) name_right: f32,
}

impl Columns {
    /// Returns the place of the name in a row.
    pub(super) fn name(&self, row: Rect) -> Rect {
        row.with_min_x(self.name_left)
            .with_max_x(self.name_right - 4.0)
    }
}

impl LegendUi<'_> {
    /// Returns the widest texts.
    pub(super) fn widest(&self, painter: &Painter) -> Widest {
        let mut widest = Widest::default();
        let width = |text: &str, font| {
            let galley = shapes::laid_out(painter, text, font, self.theme.text);
            galley.size().x.ceil()
        };
        let cell = self.by_priority()[0];
        // All digits have the same width.
        widest.number = width(&self.name_of(cell), FontId::monospace(SMALL_SIZE));
        for (at, selected) in self.selected.iter().enumerate() {
            let name = selected.frame_name();
            widest.name = widest.name.max(width(&one_line(&name, 120), text_font()));
            if let Some(texts) = self.numbers_of(at) {
                let number = width(&texts.cells[cell as usize], number_font());
                widest.number = widest.number.max(number);
                widest.unit = widest.unit.max(width(&texts.unit, small_font()));
            }
        }
        widest
    }

    fn by_priority(&self) -> &'static [Cell] {
        match self.range {
            Some(_) => &OF_SELECTED,
            None => &OF_VISIBLE,
        }
    }

    /// Returns the columns that fit beside the names. If not even one fits beside whole names, the
    /// names are shortened, down to [`MIN_CUT_NAME`], for one narrow column.
    pub(super) fn columns(&self, rect: Rect, widest: Widest) -> Columns {
        let sign = if self.has_signs() { SIGN } else { 0.0 };
        let name_left = rect.left() + 22.0 + sign;
        let mut right = rect.right() - REMOVE - 4.0;
        let left = name_left + (widest.name + GAP).clamp(MIN_NAME - 22.0, rect.width() * 0.6);
        let mut range_right = None;
        let mut range = RANGE_COLUMN;
        if self.has_ranges() && self.range.is_none() {
            // A series without an axis has its only numbers here.
            let wanted = [(RANGE_COLUMN, 2.0), (NARROW_RANGE, 1.0)];
            let fits = |(range, numbers): &(f32, f32)| {
                right - left > range + UNIT_COLUMN + numbers * COLUMN
            };
            // A range tells more than a whole name, even beside only one narrow column.
            let (width, unit) = widest.narrow_column();
            let narrow = right - name_left - NARROW_RANGE - unit - width >= MIN_NAME_BESIDE_RANGE;
            let width = wanted.into_iter().find(fits).map(|(width, _)| width);
            if let Some(width) = width.or(narrow.then_some(NARROW_RANGE)) {
                (range, range_right) = (width, Some(right));
                right -= width;
            }
        }
        let (mut width, mut unit) = (COLUMN, UNIT_COLUMN);
        let mut room = ((right - unit - left) / COLUMN).floor().max(0.0) as usize;
        if room == 0 {
            (width, unit) = widest.narrow_column();
            room = usize::from(right - unit - width >= name_left + widest.name.min(MIN_CUT_NAME));
            if room == 0 {
                unit = 0.0;
            }
        }
        let unit_left = right - unit + 6.0;
        right -= unit;
        let applies = |cell: &Cell| self.has_baseline || *cell != Cell::Difference;
        let by_priority = self.by_priority().iter().copied();
        let mut numbers: Vec<(Cell, f32)> = by_priority
            .filter(applies)
            .take(room)
            .map(|cell| (cell, 0.0))
            .collect();
        sort_by(&mut numbers, |a, b| (a.0 as u8).cmp(&(b.0 as u8)));
        let first = right - width * numbers.len() as f32;
        for (at, (_, right)) in numbers.iter_mut().enumerate() {
            *right = first + width * (at + 1) as f32;
        }
        Columns {
            name_left,
            width,
            numbers,
            unit_left,
            range_right,
            range,
            name_right: first,
        }
    }

    /// Returns whether the legend shows the range of each series, which it does if an axis cannot
    /// show all of them.
    pub(super) fn has_ranges(&self) -> bool {
        let visible = self.shown.iter().filter(|shown| !shown.hidden);
        visible.clone().count() > 1
            && (self.ranges == ValueRange::Own
                || visible.clone().any(|shown| shown.side == Side::Legend))
    }

    /// Returns whether rows have the sign of their axis, which they do if there are two axes.
    pub(super) fn has_signs(&self) -> bool {
        let mut visible = self.shown.iter().filter(|shown| !shown.hidden);
        visible.any(|shown| shown.side == Side::Right)
    }

    /// Returns the name of a column.
    pub(super) fn name_of(&self, cell: Cell) -> Cow<'static, str> {
        match (cell, self.cursor) {
            (Cell::Now, Some(frame)) => format!("at {}", whole_text(frame as f64)).into(),
            (Cell::Now, None) if !self.newest => "last".into(),
            _ => cell.name().into(),
        }
    }
}
