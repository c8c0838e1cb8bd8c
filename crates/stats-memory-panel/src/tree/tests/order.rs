//! The order of rows.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::{Label, ROUNDS, all_rows, changed, levels, order};
use crate::testing::{entries, plain, snapshot};
use crate::tree::{Filter, MemoryTree, Order, Row, RowKind, SortBy};
use stats_testing::Random;
use stats_ui::sort_key::push_sort_key;

/// Compares two rows by an order, and then by label.
fn compare(a: &Row<'_>, b: &Row<'_>, order: Order) -> Ordering {
    let key = |row: &Row<'_>| {
        let mut key = Vec::new();
        push_sort_key(row.text, &mut key);
        (
            row.size.filter(|_| matches!(row.kind, RowKind::Size(_))),
            key,
        )
    };
    let by_label = key(a).cmp(&key(b));
    let change = |row: &Row<'_>, by_count: bool| match by_count {
        false => i128::from(row.sums.bytes) - i128::from(row.sums.bytes_before),
        true => i128::from(row.sums.count) - i128::from(row.sums.count_before),
    };
    let ordering = match order.by {
        SortBy::Label => by_label,
        SortBy::Bytes => a.sums.bytes.cmp(&b.sums.bytes),
        SortBy::Count => a.sums.count.cmp(&b.sums.count),
        SortBy::BytesChange => change(a, false).cmp(&change(b, false)),
        SortBy::Growth => rank(a).cmp(&rank(b)),
        SortBy::CountChange => change(a, true).cmp(&change(b, true)),
    };
    if order.descending {
        ordering.reverse().then(by_label)
    } else {
        ordering.then(by_label)
    }
}

#[test]
fn the_order_of_rows_does_not_depend_on_earlier_orders() {
    let mut random = Random::new(72);
    for _ in 0..ROUNDS / 3 {
        let before = entries(&mut random, 40, plain);
        let (now, before) = (
            snapshot(&changed(&mut random, &before, plain)),
            snapshot(&before),
        );
        let levels = levels(&mut random);
        let mut tree = MemoryTree::new(&now, Some(&before), levels, &Filter::default());
        for _ in 0..4 {
            let order = order(&mut random);
            let rows = all_rows(&mut tree, order);
            let mut fresh = MemoryTree::new(&now, Some(&before), levels, &Filter::default());
            let paths = |rows: &[(Vec<Label>, u32)]| {
                rows.iter()
                    .map(|(path, _)| path.clone())
                    .collect::<Vec<_>>()
            };
            assert_eq!(
                paths(&rows),
                paths(&all_rows(&mut fresh, order)),
                "the order depends on earlier orders"
            );
            let mut siblings: BTreeMap<&[Label], Vec<u32>> = BTreeMap::new();
            for (path, row) in &rows {
                siblings
                    .entry(&path[..path.len() - 1])
                    .or_default()
                    .push(*row);
            }
            for rows in siblings.values() {
                for pair in rows.windows(2) {
                    // Memory that is not tracked comes last. Rows with equal labels are in order of
                    // creation.
                    let [first, second] = [tree.row(pair[0]), tree.row(pair[1])];
                    let ordering = (first.is_untracked().cmp(&second.is_untracked()))
                        .then_with(|| compare(&first, &second, order))
                        .then(pair[0].cmp(&pair[1]));
                    assert_eq!(
                        ordering,
                        Ordering::Less,
                        "{order:?} {:?} {:?}",
                        tree.row(pair[0]),
                        tree.row(pair[1])
                    );
                }
            }
        }
    }
}

/// Returns the rank of a row's growth; 0 without a comparison.
fn rank(row: &Row<'_>) -> i128 {
    row.growth.map_or(-i128::MAX, |growth| growth.rank())
}
