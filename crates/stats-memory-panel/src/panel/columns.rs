//! The columns of the tree: which of them fit, and where they are.

use crate::tree::SortBy;

/// The minimum width of the names, in points.
const MIN_NAME: f32 = 144.0;
/// The maximum width of the names, in points, which keeps the figures near their names.
const MAX_NAME: f32 = 560.0;
/// The space between a figure and the edge of its column, in points.
pub(super) const PADDING: f32 = 8.0;
/// The width of the scroll bar, in points.
const SCROLL_BAR: f32 = 12.0;

/// The columns of figures from left to right, with their widths.
const FIGURES: [(SortBy, f32); 5] = [
    (SortBy::Bytes, 96.0),
    (SortBy::BytesChange, 132.0),
    (SortBy::Growth, 136.0),
    (SortBy::Count, 84.0),
    (SortBy::CountChange, 108.0),
];
/// The columns to leave out if not all of them fit, in this order.
const LEFT_OUT_FIRST: [SortBy; 4] = [
    SortBy::CountChange,
    SortBy::Count,
    SortBy::BytesChange,
    SortBy::Bytes,
];

/// A column of figures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Column {
    pub(super) by: SortBy,
    /// The distance from the left edge of the table, in points.
    pub(super) left: f32,
    pub(super) width: f32,
}

/// The columns that fit a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Columns {
    /// The width of the names, which are on the left.
    pub(super) name: f32,
    pub(super) figures: [Option<Column>; 5],
    /// The width of all columns and the scroll bar.
    pub(super) width: f32,
}

impl Columns {
    pub(super) fn fit(width: f32, is_comparison: bool) -> Self {
        let is_change = |by| {
            matches!(
                by,
                SortBy::BytesChange | SortBy::Growth | SortBy::CountChange
            )
        };
        let mut shown =
            FIGURES.map(|(by, width)| (is_comparison || !is_change(by)).then_some((by, width)));
        let free = (width - SCROLL_BAR).max(0.0);
        let name = |shown: &[Option<(SortBy, f32)>]| {
            free - shown.iter().flatten().map(|(_, width)| width).sum::<f32>()
        };
        for left_out in LEFT_OUT_FIRST {
            // One column of figures always remains: the growth, or else the size.
            if name(&shown) < MIN_NAME && shown.iter().flatten().count() > 1 {
                shown
                    .iter_mut()
                    .filter(|column| column.is_some_and(|(by, _)| by == left_out))
                    .for_each(|column| *column = None);
            }
        }
        let name = name(&shown).clamp(0.0, MAX_NAME);
        let mut left = name;
        let figures = shown.map(|column| {
            column.map(|(by, width)| {
                left += width;
                Column {
                    by,
                    left: left - width,
                    width,
                }
            })
        });
        Self {
            name,
            figures,
            width: left + SCROLL_BAR,
        }
    }
}

/// Returns the heading of a column.
pub(super) fn title(by: SortBy) -> &'static str {
    match by {
        SortBy::Label => "Name",
        SortBy::Bytes => "Size",
        SortBy::Count => "Count",
        SortBy::BytesChange => "Size change",
        SortBy::Growth => "Largest growth",
        SortBy::CountChange => "Count change",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(width: f32, is_comparison: bool) -> Vec<SortBy> {
        Columns::fit(width, is_comparison)
            .figures
            .into_iter()
            .flatten()
            .map(|column| column.by)
            .collect()
    }

    #[test]
    fn columns_are_left_out_to_make_room_for_names() {
        use SortBy::{Bytes, BytesChange, Count, CountChange, Growth};
        assert_eq!(
            shown(1000.0, true),
            [Bytes, BytesChange, Growth, Count, CountChange]
        );
        assert_eq!(shown(1000.0, false), [Bytes, Count]);
        assert_eq!(
            shown(390.0, true),
            [Bytes, Growth],
            "in a window of 420 points"
        );
        assert_eq!(shown(380.0, true), [Growth]);
        assert_eq!(shown(380.0, false), [Bytes, Count]);
        assert_eq!(shown(50.0, false), [Bytes]);
    }

    #[test]
    fn columns_are_adjacent_and_fit_the_width() {
        for width in 0..1500 {
            for is_comparison in [false, true] {
                let columns = Columns::fit(width as f32, is_comparison);
                let mut left = columns.name;
                for column in columns.figures.into_iter().flatten() {
                    assert_eq!(column.left, left);
                    left += column.width;
                }
                assert_eq!(columns.width, left + SCROLL_BAR);
                assert!(
                    width < 350 || columns.width <= width as f32 + 0.01,
                    "{width} {columns:?}"
                );
            }
        }
    }
}
