//! Sorts the rows below one parent.

use super::merged::Merged;
use super::node::{Label, Node};
use super::order::{Order, SortBy};
use super::row::UNTRACKED;
use stats_ui::sort_key::push_sort_key;

/// Sorts rows. Equal rows are sorted by label and then by number, both ascending in either
/// direction of the order. Memory that is not tracked comes last, whatever the order: nobody of the
/// program's own code owns it.
pub(super) fn sort(rows: &mut [u32], nodes: &[Node], merged: &Merged, order: Order) {
    sort_all(rows, nodes, merged, order);
    rows.sort_by_key(|row| is_untracked(nodes[*row as usize].label, merged));
}

fn is_untracked(label: Label, merged: &Merged) -> bool {
    match label {
        Label::Group(name) => merged.text(name) == UNTRACKED,
        Label::Thread(name) => merged.text(name).is_empty(),
        _ => false,
    }
}

fn sort_all(rows: &mut [u32], nodes: &[Node], merged: &Merged, order: Order) {
    if order.by == SortBy::Label {
        return sort_by_label(rows, nodes, merged, order.descending);
    }
    let mut keyed: Vec<(i128, u32)> = rows
        .iter()
        .map(|&row| (figure(&nodes[row as usize], order), row))
        .collect();
    keyed.sort_unstable();
    rows.iter_mut()
        .zip(&keyed)
        .for_each(|(row, &(_, number))| *row = number);
    let mut rest = rows;
    for equal in keyed.chunk_by(|a, b| a.0 == b.0) {
        let (these, others) = rest.split_at_mut(equal.len());
        if these.len() > 1 {
            sort_by_label(these, nodes, merged, false);
        }
        rest = others;
    }
}

/// Returns the sort key of a figure: the lowest key comes first.
fn figure(node: &Node, order: Order) -> i128 {
    let sums = &node.sums;
    let figure = match order.by {
        SortBy::Label => 0,
        SortBy::Bytes => i128::from(sums.bytes),
        SortBy::Count => i128::from(sums.count),
        SortBy::BytesChange => sums.growth_bytes(),
        // The lowest number that has a negative one.
        SortBy::Growth => node.growth.map_or(-i128::MAX, |growth| growth.rank()),
        SortBy::CountChange => i128::from(sums.count) - i128::from(sums.count_before),
    };
    if order.descending { -figure } else { figure }
}

fn sort_by_label(rows: &mut [u32], nodes: &[Node], merged: &Merged, descending: bool) {
    // All keys share one buffer.
    let mut keys = Vec::new();
    let mut spans: Vec<(usize, usize, u32)> = Vec::with_capacity(rows.len());
    for &row in rows.iter() {
        let start = keys.len();
        push_key(nodes[row as usize].label, merged, &mut keys);
        spans.push((start, keys.len(), row));
    }
    spans.sort_unstable_by(|a, b| {
        let by_label = keys[a.0..a.1].cmp(&keys[b.0..b.1]);
        let by_label = if descending {
            by_label.reverse()
        } else {
            by_label
        };
        by_label.then(a.2.cmp(&b.2))
    });
    rows.iter_mut()
        .zip(spans)
        .for_each(|(row, (.., number))| *row = number);
}

/// Appends the sort key of a label: texts in natural order, then sizes by number.
fn push_key(label: Label, merged: &Merged, key: &mut Vec<u8>) {
    match label {
        Label::Total => {}
        Label::Thread(name) | Label::Group(name) | Label::Scope(name) | Label::Name(name) => {
            key.push(0);
            push_sort_key(merged.text(name), key);
        }
        Label::Size(bytes) => {
            key.push(1);
            key.extend_from_slice(&bytes.to_be_bytes());
        }
    }
}
