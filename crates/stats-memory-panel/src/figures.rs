//! Sizes, counts and changes as text.

use std::borrow::Cow;

use stats_core::Unit;

use super::stacks::MAX_SCOPES;
use super::tree::{Change, Kind, Row};
use stats_analysis::format::{exact_text, value_text, whole_text};

/// A figure, and the unit behind it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Figure {
    pub(super) number: String,
    pub(super) unit: String,
}

/// Bytes, with three or four digits.
pub(super) fn bytes_text(bytes: u64) -> String {
    value_text(bytes as f64, Unit::Bytes)
}

/// The same, the unit apart, so that digits stand below digits.
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

/// A number of allocations.
pub(super) fn count_text(count: u64) -> String {
    whole_text(count as f64)
}

/// `1 allocation`, `2 allocations`.
pub(super) fn allocations_text(count: u64) -> String {
    format!("{} {}", count_text(count), noun(count))
}

fn noun(count: u64) -> &'static str {
    if count == 1 {
        "allocation"
    } else {
        "allocations"
    }
}

/// By how much a number of bytes changed, with its sign; nothing where it did not.
pub(super) fn bytes_change(now: u64, before: u64) -> Figure {
    signed(now, before, |change| value_text(change, Unit::Bytes))
        .map_or_else(Figure::default, split)
}

/// The same of a number of allocations.
pub(super) fn count_change(now: u64, before: u64) -> String {
    signed(now, before, whole_text).unwrap_or_default()
}

/// `+1 allocation`, `-2 allocations`; nothing where their number did not change.
pub(super) fn allocations_change(now: u64, before: u64) -> String {
    let change = count_change(now, before);
    if change.is_empty() {
        change
    } else {
        format!("{change} {}", noun(now.abs_diff(before)))
    }
}

/// The difference is taken before it is rounded to a float: one byte more in many gigabytes is a
/// change.
fn signed(now: u64, before: u64, text: impl Fn(f64) -> String) -> Option<String> {
    let text = text(now.abs_diff(before) as f64);
    match now.cmp(&before) {
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(format!("+{text}")),
        std::cmp::Ordering::Less => Some(format!("-{text}")),
    }
}

/// What became of a row, where that needs a word beside the sign.
pub(super) fn change_word(change: Change) -> &'static str {
    match change {
        Change::New => "new",
        Change::Gone => "gone",
        Change::Same | Change::Grown | Change::Shrunk => "",
    }
}

/// What a row is about, in a word.
pub(super) fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Thread => "thread",
        Kind::Group => "group",
        Kind::Scope => "scope",
        Kind::Name => "name",
        Kind::Size(_) => "size",
    }
}

/// The same behind a name, with the size of its allocations where they have one.
pub(super) fn kind_text(row: &Row<'_>) -> String {
    match (row.kind, row.size) {
        (Kind::Size(_), _) => "each".to_owned(),
        (kind, Some(size)) if row.count > 1 => {
            format!("{}, {} each", kind_word(kind), bytes_text(size))
        }
        (kind, _) => kind_word(kind).to_owned(),
    }
}

/// What a row is called.
pub(super) fn row_name<'a>(row: &Row<'a>) -> Cow<'a, str> {
    match row.kind {
        Kind::Size(bytes) => Cow::Owned(bytes_text(bytes)),
        _ if !row.text.is_empty() => Cow::Borrowed(row.text),
        Kind::Thread => Cow::Borrowed("(no thread)"),
        Kind::Group => Cow::Borrowed("(no group)"),
        Kind::Scope => Cow::Borrowed("(no scope)"),
        Kind::Name => Cow::Borrowed("(no name)"),
    }
}

/// All that is known of a row, a line each, with exact figures.
pub(super) fn row_lines(row: &Row<'_>, is_comparison: bool) -> Vec<String> {
    let exact = |bytes: u64| exact_text(bytes as f64, Unit::Bytes);
    let mut lines = vec![format!(
        "{} in {}",
        exact(row.bytes),
        allocations_text(row.count)
    )];
    if row.count > 1 {
        let average = row.bytes as f64 / row.count as f64;
        lines.push(format!(
            "{} each on average",
            value_text(average, Unit::Bytes)
        ));
    }
    if is_comparison {
        lines.push(format!(
            "before: {} in {}",
            exact(row.bytes_before),
            allocations_text(row.count_before)
        ));
        let (bytes, count) = (
            bytes_change(row.bytes, row.bytes_before),
            allocations_change(row.count, row.count_before),
        );
        let bytes = format!("{} {}", bytes.number, bytes.unit);
        let parts = [change_name(row.change()), bytes.trim(), &count].map(str::to_owned);
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        lines.push(parts.join(", "));
    }
    if row.is_cut {
        lines.push(format!(
            "with all scopes below it: no more than {MAX_SCOPES} of a stack are told apart"
        ));
    }
    lines
}

/// What became of a row, in a word.
pub(super) fn change_name(change: Change) -> &'static str {
    match change {
        Change::Same => "unchanged",
        Change::Grown => "grown",
        Change::Shrunk => "shrunk",
        Change::New => "new",
        Change::Gone => "gone",
    }
}

/// `12.3 of 813.4 MiB in 1,204 allocations`.
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

    #[test]
    fn changes_have_signs_and_none_is_lost_in_rounding() {
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
    fn what_is_shown_of_how_much_is_said_in_one_unit_where_it_can_be() {
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
