//! Checks the tree against one built by brute force from all entries.
//!
//! - `sums`: the figures of each row;
//! - `growth`: the growth of each row;
//! - `changes`: rows that grew, shrank, are new or are gone;
//! - `order`, `visible` and `depth`: the order of rows, which of them are visible, and deep stacks.

use std::collections::HashSet;

use super::{Changes, Filter, Levels, MemoryTree, Order, Row, RowKind, SortBy};
use crate::testing::{DumpEntry, entry};
use stats_testing::Random;

mod changes;
mod depth;
mod growth;
mod order;
mod sums;
mod visible;

const ROUNDS: usize = 3000;

/// A row's kind as a number, its text and its size.
type Label = (u8, String, u64);

fn label(row: &Row<'_>) -> Label {
    let (kind, size) = match row.kind {
        RowKind::Thread => (1, 0),
        RowKind::Group => (2, 0),
        RowKind::Scope => (3, 0),
        RowKind::Name => (4, 0),
        RowKind::Size(bytes) => (5, bytes),
    };
    (kind, row.text.to_owned(), size)
}

/// Returns the labels of an entry's row, from the top level down.
fn path(entry: &DumpEntry, levels: Levels) -> Vec<Label> {
    let mut path = Vec::new();
    let mut push = |is_level: bool, kind: u8, text: &str| {
        if is_level {
            path.push((kind, text.to_owned(), 0));
        }
    };
    push(levels.threads, 1, &entry.thread);
    push(levels.groups, 2, &entry.group);
    entry
        .scopes
        .iter()
        .for_each(|scope| push(levels.scopes, 3, scope));
    push(levels.names, 4, &entry.name);
    path
}

/// Returns `levels` without those for which no entry has a text.
fn levels_of<'a>(levels: Levels, entries: impl Iterator<Item = &'a DumpEntry> + Clone) -> Levels {
    let has = |text: fn(&DumpEntry) -> &String| {
        let mut entries = entries.clone();
        entries.any(|entry| !text(entry).is_empty())
    };
    Levels {
        threads: levels.threads && has(|entry| &entry.thread),
        groups: levels.groups && has(|entry| &entry.group),
        names: levels.names && has(|entry| &entry.name),
        ..levels
    }
}

fn passes(entry: &DumpEntry, filter: &Filter) -> bool {
    let contains = |text: &str, word: &str| text.to_lowercase().contains(&word.to_lowercase());
    (filter.threads.is_empty() || filter.threads.contains(&entry.thread))
        && (filter.groups.is_empty() || filter.groups.contains(&entry.group))
        && filter
            .scope
            .split_whitespace()
            .all(|word| entry.scopes.iter().any(|scope| contains(scope, word)))
        && filter
            .name
            .split_whitespace()
            .all(|word| contains(&entry.name, word))
}

/// Opens everything, and returns the rows with their labels, from the top level down.
fn all_rows(tree: &mut MemoryTree, order: Order) -> Vec<(Vec<Label>, u32)> {
    let (mut open, mut rows) = (HashSet::new(), Vec::new());
    loop {
        tree.visible(&open, order, &mut rows);
        let known = open.len();
        open.extend(
            rows.iter()
                .map(|&row| tree.row(row))
                .filter(|row| row.has_children)
                .map(|row| row.key),
        );
        if open.len() == known {
            break;
        }
    }
    let mut path: Vec<Label> = Vec::new();
    let with_path = |&number: &u32| {
        let row = tree.row(number);
        path.truncate(row.depth as usize);
        path.push(label(&row));
        (path.clone(), number)
    };
    rows.iter().map(with_path).collect()
}

fn order(random: &mut Random) -> Order {
    use SortBy::{Bytes, BytesChange, Count, CountChange, Growth, Label};
    let all = [Label, Bytes, Count, BytesChange, Growth, CountChange];
    let by = all[random.below(6) as usize];
    Order {
        by,
        descending: random.below(2) == 0,
    }
}

fn levels(random: &mut Random) -> Levels {
    let mut level = || random.below(3) > 0;
    Levels {
        threads: level(),
        groups: level(),
        scopes: level(),
        names: level(),
        sizes: level(),
    }
}

fn filter(random: &mut Random, entries: &[DumpEntry]) -> Filter {
    let mut filter = Filter::default();
    let mut some = |of: fn(&DumpEntry) -> &str| {
        let wanted = if random.below(4) == 0 {
            random.below(3)
        } else {
            0
        };
        (0..wanted)
            .map(|_| {
                entries
                    .get(random.below(entries.len() as u64) as usize)
                    .map_or("none", of)
                    .to_owned()
            })
            .collect()
    };
    filter.threads = some(|entry| &entry.thread);
    filter.groups = some(|entry| &entry.group);
    let mut words =
        || ["", "", "", "a", "A b", " x ", "load /", "Ü"][random.below(8) as usize].to_owned();
    (filter.scope, filter.name) = (words(), words());
    filter.changes = [
        Changes::All,
        Changes::Grown,
        Changes::Shrunk,
        Changes::New,
        Changes::Gone,
    ][random.below(5) as usize];
    filter
}

/// Returns a later state of entries: some are gone, some have doubled, and some are new.
fn changed(
    random: &mut Random,
    before: &[DumpEntry],
    name: fn(&mut Random) -> String,
) -> Vec<DumpEntry> {
    let mut now: Vec<DumpEntry> = before
        .iter()
        .filter(|_| random.below(3) > 0)
        .cloned()
        .collect();
    for entry in &mut now {
        if random.below(4) == 0 {
            entry.bytes = entry.bytes.saturating_mul(2);
            entry.size = entry.size.map(|_| entry.bytes);
        }
    }
    now.extend((0..random.below(6)).map(|_| entry(random, name)));
    now
}
