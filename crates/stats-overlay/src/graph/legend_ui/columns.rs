//! The columns of a legend that fit, and their places.

use std::borrow::Cow;

use egui::Rect;

use super::LegendUi;
use crate::graph::choices::ValueRange;
use crate::graph::legend::Cell;
use crate::graph::ranges::Side;
use stats_analysis::format::whole_text;

/// Room for the widest number, see [`CHARS`](crate::graph::legend::CHARS).
pub(super) const COLUMN: f32 = 84.0;
pub(super) const UNIT_COLUMN: f32 = 44.0;
pub(super) const RANGE_COLUMN: f32 = 150.0;
/// The minimum room for names.
pub(super) const MIN_NAME: f32 = 110.0;
pub(super) const REMOVE: f32 = 20.0;
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

/// The places of the legend's columns.
pub(super) struct Columns {
    name_left: f32,
    /// The columns that fit, and their right edges.
    pub(super) numbers: Vec<(Cell, f32)>,
    pub(super) unit_left: f32,
    pub(super) range_right: Option<f32>,
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
    pub(super) fn columns(&self, rect: Rect) -> Columns {
        let mut right = rect.right() - REMOVE - 4.0;
        let left = rect.left() + MIN_NAME.min(rect.width() * 0.45);
        let mut range_right = None;
        if self.has_ranges()
            && self.range_frames.is_none()
            && right - left > RANGE_COLUMN + UNIT_COLUMN + 2.0 * COLUMN
        {
            range_right = Some(right);
            right -= RANGE_COLUMN;
        }
        let unit_left = right - UNIT_COLUMN + 6.0;
        right -= UNIT_COLUMN;
        let room = ((right - left) / COLUMN).floor().max(1.0) as usize;
        let by_priority: &[Cell] = if self.range_frames.is_some() {
            &OF_SELECTED
        } else {
            &OF_VISIBLE
        };
        let applies = |cell: &Cell| self.has_baseline || *cell != Cell::Difference;
        let fitting = by_priority.iter().copied().filter(applies).take(room);
        let mut numbers: Vec<(Cell, f32)> = fitting.map(|cell| (cell, 0.0)).collect();
        numbers.sort_unstable_by_key(|&(cell, _)| cell as u8);
        let first = right - COLUMN * numbers.len() as f32;
        for (at, (_, right)) in numbers.iter_mut().enumerate() {
            *right = first + COLUMN * (at + 1) as f32;
        }
        let sign = if self.has_signs() { SIGN } else { 0.0 };
        Columns {
            name_left: rect.left() + 22.0 + sign,
            numbers,
            unit_left,
            range_right,
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
