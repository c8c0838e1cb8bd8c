//! The columns of numbers.

use egui::Rect;

use crate::costs::choices::CostColumn;

/// The minimum width of the column of names, in points.
const MIN_NAME: f32 = 150.0;

/// The columns of numbers, the most important first: those that do not fit are left out from the end.
pub(super) const COLUMNS: &[Column] = &[ITSELF, TOTAL, SHARE, CALLS, LONGEST, MEAN];
/// The same with a baseline.
pub(super) const COMPARED: &[Column] = &[ITSELF, TOTAL, CHANGE, SHARE, CALLS, LONGEST, MEAN];

const ITSELF: Column = Column {
    of: CostColumn::Itself,
    name: "itself",
    help: "Time in the timer outside the timers inside it, per frame",
    width: 84.0,
};
const TOTAL: Column = Column {
    of: CostColumn::Total,
    name: "total",
    help: "Time in the timer, per frame",
    width: 84.0,
};
const CHANGE: Column = Column {
    of: CostColumn::Change,
    name: "vs A",
    help: "The total minus that of baseline A, per frame",
    width: 84.0,
};
const SHARE: Column = Column {
    of: CostColumn::Share,
    name: "share",
    help: "The total as a part of the frame time. Threads that run at the same time add up to \
           more than 100 %.",
    width: 64.0,
};
const CALLS: Column = Column {
    of: CostColumn::Calls,
    name: "calls",
    help: "Calls per frame",
    width: 72.0,
};
const LONGEST: Column = Column {
    of: CostColumn::Longest,
    name: "longest",
    help: "The longest call",
    width: 84.0,
};
const MEAN: Column = Column {
    of: CostColumn::Mean,
    name: "mean call",
    help: "The mean time of a call",
    width: 84.0,
};

/// A column of numbers.
pub(super) struct Column {
    pub(super) of: CostColumn,
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    width: f32,
}

/// Returns the first columns, which fit into a width beside the names.
pub(super) fn fitting(columns: &'static [Column], room: f32) -> &'static [Column] {
    let fits = |&count: &usize| width(&columns[..count]) + MIN_NAME <= room;
    let count = (1..=columns.len()).rev().find(fits).unwrap_or(1);
    &columns[..count]
}

pub(super) fn width(columns: &[Column]) -> f32 {
    columns.iter().map(|column| column.width).sum()
}

/// Returns the columns with their cells at the right of a row.
pub(super) fn places(row: Rect, columns: &[Column]) -> impl Iterator<Item = (&Column, Rect)> {
    let mut left = row.right() - width(columns);
    columns.iter().map(move |column| {
        let cell = Rect::from_x_y_ranges(left..=left + column.width - 6.0, row.y_range());
        left += column.width;
        (column, cell)
    })
}
