//! Sizes, counts and changes as text.

use std::borrow::Cow;

use stats_core::Unit;

use crate::snapshot::MAX_SCOPES;
use crate::tree::{Change, Growth, Row, RowKind};
use stats_analysis::format::{count_text, exact_text, value_text, whole_text};
use stats_ui::text::one_line;

/// A number and its unit, which are painted separately.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Figure {
    pub(super) number: String,
    pub(super) unit: String,
}

/// Formats bytes with three or four digits.
pub(super) fn bytes_text(bytes: u64) -> String {
    value_text(bytes as f64, Unit::Bytes)
}

/// Formats bytes with the unit apart, so that digits align.
pub(super) fn bytes_figure(bytes: u64) -> Figure {
    split(bytes_text(bytes))
}

fn split(text: String) -> Figure {
    match text.rsplit_once(' ') {
        Some((number, unit)) => Figure {
            number: number.to_owned(),
            unit: unit.to_owned(),
        },
        None => Figure {
            number: text,
            unit: String::new(),
        },
    }
}

/// Formats a number of allocations.
pub(super) fn number_text(count: u64) -> String {
    whole_text(count as f64)
}

/// Returns `1 allocation` or `2 allocations`.
pub(super) fn allocations_text(count: u64) -> String {
    count_text(count, "allocation", "allocations")
}

/// Formats the change of a number of bytes with its sign; empty if there is none.
pub(super) fn bytes_change(now: u64, before: u64) -> Figure {
    signed(now, before, |change| value_text(change, Unit::Bytes))
        .map_or_else(Figure::default, split)
}

/// Formats the change of a number of allocations with its sign; empty if there is none.
pub(super) fn count_change(now: u64, before: u64) -> String {
    signed(now, before, whole_text).unwrap_or_default()
}

/// Formats a change as `+1 allocation` or `-2 allocations`; empty if there is none.
pub(super) fn allocations_change(now: u64, before: u64) -> String {
    let text = |change| count_text(change as u64, "allocation", "allocations");
    signed(now, before, text).unwrap_or_default()
}

/// Formats a difference. It is taken before rounding to a float, which would lose a byte among
/// exabytes.
fn signed(now: u64, before: u64, text: impl Fn(f64) -> String) -> Option<String> {
    let text = text(now.abs_diff(before) as f64);
    match now.cmp(&before) {
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(format!("+{text}")),
        std::cmp::Ordering::Less => Some(format!("-{text}")),
    }
}

/// Returns the word for a change that its sign does not express; empty for other changes.
pub(super) fn change_word(change: Change) -> &'static str {
    match change {
        Change::New => "new",
        Change::Gone => "gone",
        Change::Same | Change::Grown | Change::Shrunk => "",
    }
}

pub(super) fn kind_word(kind: RowKind) -> &'static str {
    match kind {
        RowKind::Thread => "thread",
        RowKind::Group => "group",
        RowKind::Scope => "scope",
        RowKind::Name => "name",
        RowKind::Size(_) => "size",
    }
}

/// Returns the text after the name of a row: its kind, and the size of its allocations if they
/// share one.
pub(super) fn kind_text(row: &Row<'_>) -> String {
    match (row.kind, row.size) {
        (RowKind::Size(_), _) => "each".to_owned(),
        (kind, _) if row.growth.is_some_and(|growth| growth.is_of_statistics()) => {
            format!("{}, of the statistics", kind_word(kind))
        }
        (kind, _) if row.is_untracked() => format!("{}, always last", kind_word(kind)),
        (kind, Some(size)) if row.sums.count > 1 => {
            format!("{}, {} each", kind_word(kind), bytes_text(size))
        }
        (kind, _) => kind_word(kind).to_owned(),
    }
}

/// Returns the name of a row, or a text such as `(no name)` if it is empty.
pub(super) fn row_name<'a>(row: &Row<'a>) -> Cow<'a, str> {
    match row.kind {
        RowKind::Size(bytes) => Cow::Owned(bytes_text(bytes)),
        _ if !row.text.is_empty() => Cow::Borrowed(row.text),
        RowKind::Thread => Cow::Borrowed("(no thread)"),
        RowKind::Group => Cow::Borrowed("(no group)"),
        RowKind::Scope => Cow::Borrowed("(no scope)"),
        RowKind::Name => Cow::Borrowed("(no name)"),
    }
}

/// Returns the kind and the name of a row, with `limit` characters of the name.
pub(super) fn named(row: &Row<'_>, limit: usize) -> String {
    format!(
        "{} {}",
        kind_word(row.kind),
        one_line(&row_name(row), limit)
    )
}

/// Returns the number of steps in which an owner grew, such as `3 of 4`. Empty if there is only one
/// step or none with growth, and for a size, whose steps are unknown.
pub(super) fn steps_text(growth: &Growth, steps: u8) -> String {
    if steps > 1 && growth.steps > 0 {
        format!("{} of {steps}", growth.steps)
    } else {
        String::new()
    }
}

/// Returns `largest growth +1.5 MiB, in 4 of 4 steps`; `None` if nothing in the row grew, or if
/// this says no more than the change of the row.
pub(super) fn growth_line(row: &Row<'_>, steps: u8) -> Option<String> {
    let growth = row.growth.filter(|growth| growth.bytes > 0)?;
    let bytes = value_text(growth.bytes as f64, Unit::Bytes);
    let within = steps_text(&growth, steps);
    let is_change =
        i128::from(row.sums.bytes) - i128::from(row.sums.bytes_before) == growth.bytes.into();
    if within.is_empty() && is_change {
        return None;
    }
    Some(if within.is_empty() {
        format!("largest growth +{bytes}")
    } else {
        format!("largest growth +{bytes}, in {within} steps")
    })
}

/// Returns the lines of a row's tooltip, with exact figures.
pub(super) fn row_lines(row: &Row<'_>, is_comparison: bool) -> Vec<String> {
    let exact = |bytes: u64| exact_text(bytes as f64, Unit::Bytes);
    let mut lines = vec![format!(
        "{} in {}",
        exact(row.sums.bytes),
        allocations_text(row.sums.count)
    )];
    if row.sums.count > 1 {
        let average = row.sums.bytes as f64 / row.sums.count as f64;
        lines.push(format!(
            "{} each on average",
            value_text(average, Unit::Bytes)
        ));
    }
    if is_comparison {
        lines.push(format!(
            "before: {} in {}",
            exact(row.sums.bytes_before),
            allocations_text(row.sums.count_before)
        ));
        let (bytes, count) = (
            bytes_change(row.sums.bytes, row.sums.bytes_before),
            allocations_change(row.sums.count, row.sums.count_before),
        );
        let bytes = format!("{} {}", bytes.number, bytes.unit);
        let parts = [change_name(row.sums.change()), bytes.trim(), &count].map(str::to_owned);
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        lines.push(parts.join(", "));
    }
    if row.is_cut {
        lines.push(format!(
            "includes all deeper scopes: at most {MAX_SCOPES} scopes of a stack are distinguished"
        ));
    }
    lines
}

pub(super) fn change_name(change: Change) -> &'static str {
    match change {
        Change::Same => "unchanged",
        Change::Grown => "grown",
        Change::Shrunk => "shrunk",
        Change::New => "new",
        Change::Gone => "gone",
    }
}

/// Formats a share as `12.3 of 813.4 MiB in 1,204 allocations`.
pub(super) fn share_text(bytes: u64, all: u64, count: u64) -> String {
    let (part, whole) = (bytes_figure(bytes), bytes_figure(all));
    let unit = if part.unit == whole.unit {
        String::new()
    } else {
        format!(" {}", part.unit)
    };
    format!(
        "{}{unit} of {} {} in {}",
        part.number,
        whole.number,
        whole.unit,
        allocations_text(count)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;
    use crate::tree::{Filter, Levels, MemoryTree, Order};

    #[test]
    fn changes_have_signs_and_are_not_lost_to_rounding() {
        let change = |now, before| {
            let figure = bytes_change(now, before);
            format!("{} {}", figure.number, figure.unit)
        };
        assert_eq!(change(3 << 20, 1 << 20), "+2.00 MiB");
        assert_eq!(change(0, u64::MAX), "-16.0 EiB");
        assert_eq!(change((1 << 60) + 1, 1 << 60), "+1 B");
        assert_eq!(bytes_change(7, 7), Figure::default());
        assert_eq!(
            (
                count_change(1204, 4),
                count_change(4, 5),
                count_change(4, 4)
            ),
            ("+1,200".into(), "-1".into(), String::new())
        );
    }

    #[test]
    fn the_tooltip_of_a_cut_scope_names_the_limit() {
        for depth in [256, 257] {
            let dump = format!("0x1,t,g,64,{},n\n", vec!["s"; depth].join("|"));
            let snapshot = read(&dump);
            let mut tree = MemoryTree::new(&snapshot, None, Levels::default(), &Filter::default());
            let (open, mut rows) = (tree.keys_to_open(1000).unwrap(), Vec::new());
            tree.visible(&open, Order::default(), &mut rows);
            for row in rows {
                let row = tree.row(row);
                let is_named = row_lines(&row, false)
                    .iter()
                    .any(|line| line.contains("256"));
                let is_deepest = row.depth == 257 && row.kind == RowKind::Scope;
                assert_eq!(is_named, is_deepest && depth > 256, "{row:?}");
            }
        }
    }

    #[test]
    fn a_share_is_in_one_unit_if_possible() {
        assert_eq!(
            share_text(12 << 20, 813 << 20, 1204),
            "12.0 of 813.0 MiB in 1,204 allocations"
        );
        assert_eq!(
            share_text(12 << 10, 813 << 20, 1),
            "12.0 KiB of 813.0 MiB in 1 allocation"
        );
        assert_eq!(share_text(0, 0, 0), "0 of 0 B in 0 allocations");
    }
}
