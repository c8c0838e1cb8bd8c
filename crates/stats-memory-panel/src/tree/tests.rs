//! Checks the tree against one that is built by brute force from all entries.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use super::sums::Sums;
use super::{Change, Changes, Filter, Levels, MemoryTree, Order, Row, RowKind, SortBy};
use crate::snapshot::MemorySnapshot;
use crate::testing::{DumpEntry, entries, entry, hostile, plain, snapshot};
use stats_testing::Random;
use stats_ui::sort_key::push_sort_key;

const ROUNDS: usize = 3000;

/// A row's kind as a number, its text and its size.
type Label = (u8, String, u64);

/// The expected rows by their labels from the top level down, each with the size that all its
/// allocations have.
type Expected = BTreeMap<Vec<Label>, (Sums, Option<u64>)>;

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

fn passes(entry: &DumpEntry, filter: &Filter) -> bool {
    let holds = |text: &str, word: &str| text.to_lowercase().contains(&word.to_lowercase());
    (filter.threads.is_empty() || filter.threads.contains(&entry.thread))
        && (filter.groups.is_empty() || filter.groups.contains(&entry.group))
        && filter
            .scope
            .split_whitespace()
            .all(|word| entry.scopes.iter().any(|scope| holds(scope, word)))
        && filter
            .name
            .split_whitespace()
            .all(|word| holds(&entry.name, word))
}

fn sums(entry: &DumpEntry, is_before: bool) -> Sums {
    let &DumpEntry { bytes, count, .. } = entry;
    if is_before {
        Sums {
            bytes_before: bytes,
            count_before: count,
            ..Sums::default()
        }
    } else {
        Sums {
            bytes,
            count,
            ..Sums::default()
        }
    }
}

/// The sums of the allocations of each size; `None` if the size is unknown.
type BySize = BTreeMap<Option<u64>, Sums>;

fn expected(
    now: &[DumpEntry],
    before: Option<&[DumpEntry]>,
    levels: Levels,
    filter: &Filter,
) -> Expected {
    let all = || {
        now.iter()
            .map(|entry| (entry, false))
            .chain(before.unwrap_or_default().iter().map(|entry| (entry, true)))
    };
    let levels = Levels {
        threads: levels.threads && all().any(|(entry, _)| !entry.thread.is_empty()),
        groups: levels.groups && all().any(|(entry, _)| !entry.group.is_empty()),
        names: levels.names && all().any(|(entry, _)| !entry.name.is_empty()),
        ..levels
    };
    let mut units: BTreeMap<Vec<Label>, (Sums, BySize)> = BTreeMap::new();
    for (entry, is_before) in all().filter(|(entry, _)| passes(entry, filter)) {
        let (own, by_size) = units.entry(path(entry, levels)).or_default();
        own.add(sums(entry, is_before));
        by_size
            .entry(entry.size)
            .or_default()
            .add(sums(entry, is_before));
    }
    if before.is_some() {
        units.retain(|_, (own, _)| filter.changes.has(own.change()));
    }
    let mut rows = Expected::new();
    for (path, (own, _)) in &units {
        for len in 0..=path.len() {
            rows.entry(path[..len].to_vec()).or_default().0.add(*own);
        }
    }
    if levels.sizes {
        for (path, (_, by_size)) in &units {
            let is_parent = units
                .keys()
                .any(|other| other.len() > path.len() && other.starts_with(path));
            if by_size.len() == 1 && !is_parent && !path.is_empty() {
                rows.get_mut(path).unwrap().1 = *by_size.keys().next().unwrap();
                continue;
            }
            for (&size, &own) in by_size.iter().filter(|(size, _)| size.is_some()) {
                let below = [&path[..], &[(5, String::new(), size.unwrap())]].concat();
                rows.insert(below, (own, size));
            }
        }
    }
    if before.is_none() {
        for (sums, _) in rows.values_mut() {
            (sums.bytes_before, sums.count_before) = (sums.bytes, sums.count);
        }
    }
    rows
}

fn row_sums(row: &Row<'_>) -> Sums {
    let &Row {
        bytes,
        count,
        bytes_before,
        count_before,
        ..
    } = row;
    Sums {
        bytes,
        count,
        bytes_before,
        count_before,
    }
}

/// Opens everything, and returns the rows with their labels from the top level down.
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

/// Returns some of the entries from before, some of them changed, and some new ones.
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

#[test]
fn rows_add_up_all_entries() {
    let mut random = Random::new(71);
    for round in 0..ROUNDS {
        let name = [plain, plain, plain, hostile][round % 4];
        let before = entries(&mut random, 30, name);
        let now = changed(&mut random, &before, name);
        let (levels, filter) = (levels(&mut random), filter(&mut random, &now));
        let before = (random.below(3) > 0).then_some(&before[..]);
        let before_read = before.map(snapshot);
        let mut tree = MemoryTree::new(&snapshot(&now), before_read.as_ref(), levels, &filter);
        let mut expected = expected(&now, before, levels, &filter);
        let (total, _) = expected.remove(&vec![]).unwrap_or_default();
        assert_eq!(row_sums(&tree.total()), total);
        assert_eq!(tree.total().has_children, !expected.is_empty());
        let parents: HashSet<Vec<Label>> = expected
            .keys()
            .map(|path| path[..path.len() - 1].to_vec())
            .collect();
        let rows = all_rows(&mut tree, order(&mut random));
        assert_eq!(
            rows.len(),
            expected.len(),
            "{levels:?} {filter:?} {now:#?} {before:#?}"
        );
        let mut keys = HashSet::new();
        for (path, number) in rows {
            let row = tree.row(number);
            assert_eq!(
                Some(&(row_sums(&row), row.size)),
                expected.get(&path),
                "{path:?} {levels:?} {filter:?} {now:#?} {before:#?}"
            );
            assert_eq!(row.has_children, parents.contains(&path), "{path:?}");
            assert!(keys.insert(row.key), "two rows have the same key");
        }
    }
}

/// Returns the rank of a row's growth; 0 without a comparison.
fn rank(row: &Row<'_>) -> i128 {
    row.growth.map_or(0, |growth| growth.rank())
}

/// Returns, for each row, the typical growth and the whole growth of the owner below it that grew
/// most, and the numbers of steps in which it grew: one for each owner if several grew most.
fn expected_growth(
    snapshots: &[Vec<DumpEntry>],
    levels: Levels,
    filter: &Filter,
) -> BTreeMap<Vec<Label>, (i128, i128, Vec<u8>)> {
    let has = |text: fn(&DumpEntry) -> &String| {
        let ends = [snapshots.first(), snapshots.last()];
        let mut entries = ends.into_iter().flatten().flatten();
        entries.any(|entry| !text(entry).is_empty())
    };
    let levels = Levels {
        threads: levels.threads && has(|entry| &entry.thread),
        groups: levels.groups && has(|entry| &entry.group),
        names: levels.names && has(|entry| &entry.name),
        ..levels
    };
    let mut owners: BTreeMap<Vec<Label>, Vec<i128>> = BTreeMap::new();
    for (step, snapshot) in snapshots.iter().enumerate() {
        for entry in snapshot.iter().filter(|entry| passes(entry, filter)) {
            let bytes = owners
                .entry(path(entry, levels))
                .or_insert_with(|| vec![0; snapshots.len()]);
            bytes[step] += i128::from(entry.bytes);
        }
    }
    let ends = [&snapshots[0], &snapshots[snapshots.len() - 1]];
    owners.retain(|owner, _| {
        let mut entries = ends.into_iter().flatten();
        entries.any(|entry| passes(entry, filter) && path(entry, levels) == *owner)
    });
    let mut rows = BTreeMap::new();
    for (owner, bytes) in owners {
        let mut changes: Vec<i128> = bytes.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let steps = changes.iter().filter(|change| **change > 0).count() as u8;
        changes.sort_unstable();
        let whole = bytes[bytes.len() - 1] - bytes[0];
        let typical = changes[(changes.len() - 1) / 2].min(whole).max(0);
        for len in 1..=owner.len() {
            let best: &mut (i128, i128, Vec<u8>) = rows.entry(owner[..len].to_vec()).or_default();
            if best.2.is_empty() || (typical, whole) > (best.0, best.1) {
                *best = (typical, whole, vec![steps]);
            } else if (typical, whole) == (best.0, best.1) {
                best.2.push(steps);
            }
        }
    }
    rows
}

#[test]
fn each_row_has_the_growth_of_the_owner_below_it_that_grew_most() {
    let mut random = Random::new(77);
    let small = |entries: &mut Vec<DumpEntry>| {
        for entry in entries {
            (entry.bytes, entry.size) = (entry.bytes % 1000, entry.size.map(|size| size % 1000));
            entry.count = 1;
        }
    };
    for round in 0..ROUNDS {
        let name = [plain, plain, plain, hostile][round % 4];
        let mut snapshots = vec![entries(&mut random, 30, name)];
        for _ in 0..=random.below(4) {
            let next = changed(&mut random, &snapshots[snapshots.len() - 1], name);
            snapshots.push(next);
        }
        snapshots.iter_mut().for_each(small);
        let levels = Levels {
            sizes: false,
            ..levels(&mut random)
        };
        let read: Vec<Arc<MemorySnapshot>> = snapshots
            .iter()
            .map(|entries| Arc::new(snapshot(entries)))
            .collect();
        let [before, between @ .., now] = &read[..] else {
            unreachable!("there are two snapshots at least");
        };
        let filter = Filter {
            changes: Changes::All,
            ..filter(&mut random, &snapshots[0])
        };
        let mut tree = MemoryTree::with_between(now, Some(before), between, levels, &filter);
        assert_eq!(usize::from(tree.steps()), snapshots.len() - 1);
        let expected = expected_growth(&snapshots, levels, &filter);
        for (path, number) in all_rows(&mut tree, order(&mut random)) {
            let growth = tree.row(number).growth.unwrap();
            let (typical, whole, steps) = &expected[&path];
            assert_eq!(i128::from(growth.bytes), *whole, "{path:?} {snapshots:#?}");
            assert!(steps.contains(&growth.steps), "{path:?} {snapshots:#?}");
            let rank = (1 << 126) + (typical << 64) + whole - i128::from(i64::MIN);
            assert_eq!(growth.rank(), rank, "{path:?}");
        }
    }
}

#[test]
fn a_thread_that_shrank_does_not_hide_growth_within_it() {
    let dump = |cache: u32, leak: u32, other: u32| {
        let text = format!(
            "0x1,main,g,{cache},s,cache\n0x2,main,g,{leak},s,leak\n0x3,loader,g,{other},s,file\n"
        );
        MemorySnapshot::read(text.as_bytes()).unwrap()
    };
    let mut tree = MemoryTree::new(
        &dump(10, 600, 150),
        Some(&dump(9000, 100, 100)),
        Levels {
            sizes: false,
            ..Levels::default()
        },
        &Filter::default(),
    );
    let order = Order {
        by: SortBy::Growth,
        descending: true,
    };
    let rows: Vec<String> = all_rows(&mut tree, order)
        .into_iter()
        .map(|(_, number)| tree.row(number).text.to_owned())
        .collect();
    assert_eq!(
        rows,
        [
            "main", "g", "s", "leak", "cache", "loader", "g", "s", "file"
        ]
    );
}

/// Compares two rows in an order, without a tie-break.
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
        false => i128::from(row.bytes) - i128::from(row.bytes_before),
        true => i128::from(row.count) - i128::from(row.count_before),
    };
    let ordering = match order.by {
        SortBy::Label => by_label,
        SortBy::Bytes => a.bytes.cmp(&b.bytes),
        SortBy::Count => a.count.cmp(&b.count),
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
                    // Equal rows come in order of creation.
                    let ordering = compare(&tree.row(pair[0]), &tree.row(pair[1]), order)
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

#[test]
fn only_children_of_open_rows_are_visible() {
    let mut random = Random::new(74);
    for _ in 0..ROUNDS / 3 {
        let mut tree = MemoryTree::new(
            &snapshot(&entries(&mut random, 40, plain)),
            None,
            Levels::default(),
            &Filter::default(),
        );
        let order = order(&mut random);
        let all = all_rows(&mut tree, order);
        let open: HashSet<u64> = all
            .iter()
            .map(|&(_, row)| tree.row(row).key)
            .filter(|_| random.below(2) == 0)
            .collect();
        let opened: BTreeSet<&[Label]> = all
            .iter()
            .filter(|(_, row)| open.contains(&tree.row(*row).key))
            .map(|(path, _)| &path[..])
            .collect();
        let is_seen = |path: &[Label]| (1..path.len()).all(|len| opened.contains(&path[..len]));
        let seen: Vec<u32> = all
            .iter()
            .filter(|(path, _)| is_seen(path))
            .map(|&(_, row)| row)
            .collect();
        let mut rows = Vec::new();
        tree.visible(&open, order, &mut rows);
        assert_eq!(rows, seen);
    }
}

#[test]
fn a_row_has_the_same_key_in_the_tree_of_another_snapshot() {
    let mut random = Random::new(75);
    for _ in 0..ROUNDS / 3 {
        let before = entries(&mut random, 30, plain);
        let now = changed(&mut random, &before, plain);
        let order = order(&mut random);
        let keys = |entries: &[DumpEntry]| -> BTreeMap<Vec<Label>, u64> {
            let mut tree = MemoryTree::new(
                &snapshot(entries),
                None,
                Levels {
                    sizes: false,
                    ..Levels::default()
                },
                &Filter::default(),
            );
            let rows = all_rows(&mut tree, order);
            rows.into_iter()
                .map(|(path, row)| (path, tree.row(row).key))
                .collect()
        };
        let (one, other) = (keys(&now), keys(&before));
        assert!(
            one.iter()
                .all(|(path, key)| other.get(path).is_none_or(|other| other == key))
        );
    }
}

#[test]
fn the_change_of_a_row_is_judged_by_bytes() {
    let cases = [
        ((0, 0, 0, 0), Change::Same),
        ((5, 1, 5, 1), Change::Same),
        ((5, 2, 5, 1), Change::Same),
        ((6, 1, 5, 2), Change::Grown),
        ((4, 3, 5, 2), Change::Shrunk),
        ((4, 1, 0, 0), Change::New),
        ((0, 1, 0, 0), Change::New),
        ((0, 0, 4, 1), Change::Gone),
        ((0, 0, 0, 1), Change::Gone),
        ((0, 1, 4, 1), Change::Shrunk),
    ];
    for ((bytes, count, bytes_before, count_before), expected) in cases {
        assert_eq!(
            Sums {
                bytes,
                count,
                bytes_before,
                count_before
            }
            .change(),
            expected
        );
    }
}

#[test]
fn a_site_that_grew_passes_with_all_its_sizes() {
    let entry = |size: u64| DumpEntry {
        thread: "t".to_owned(),
        group: "g".to_owned(),
        scopes: vec!["s".to_owned()],
        name: "n".to_owned(),
        size: Some(size),
        bytes: size,
        count: 1,
    };
    let (now, before) = (snapshot(&[entry(128)]), snapshot(&[entry(64)]));
    for changes in [Changes::Grown, Changes::Shrunk, Changes::New, Changes::Gone] {
        let filter = Filter {
            changes,
            ..Filter::default()
        };
        let mut tree = MemoryTree::new(&now, Some(&before), Levels::default(), &filter);
        let rows = all_rows(
            &mut tree,
            Order {
                by: SortBy::Label,
                descending: false,
            },
        );
        // Thread, group, scope, name and two sizes.
        assert_eq!(rows.len(), if changes == Changes::Grown { 6 } else { 0 });
    }
}

#[test]
fn a_job_that_moved_between_threads_has_not_changed_if_threads_are_hidden() {
    let mut random = Random::new(76);
    for _ in 0..200 {
        let before: Vec<DumpEntry> = entries(&mut random, 10, plain)
            .into_iter()
            .filter(|entry| entry.bytes > 0)
            .collect();
        let now: Vec<DumpEntry> = before
            .iter()
            .map(|entry| DumpEntry {
                thread: format!("{}2", entry.thread),
                ..entry.clone()
            })
            .collect();
        let (now, before) = (snapshot(&now), snapshot(&before));
        for (changes, threads) in [
            (Changes::New, true),
            (Changes::Gone, true),
            (Changes::New, false),
            (Changes::Grown, false),
        ] {
            let filter = Filter {
                changes,
                ..Filter::default()
            };
            let tree = MemoryTree::new(
                &now,
                Some(&before),
                Levels {
                    threads,
                    ..Levels::default()
                },
                &filter,
            );
            assert_eq!(tree.total().has_children, threads && before.entries() > 0);
        }
    }
}

#[test]
fn a_stack_of_ten_thousand_scopes_has_256_rows() {
    let entry = DumpEntry {
        thread: "t".to_owned(),
        group: "g".to_owned(),
        scopes: vec!["s".to_owned(); 10_000],
        name: "n".to_owned(),
        size: Some(1),
        bytes: 1,
        count: 1,
    };
    let contents = snapshot(&[entry]);
    let mut tree = MemoryTree::new(
        &contents,
        Some(&contents),
        Levels::default(),
        &Filter::default(),
    );
    let rows = all_rows(
        &mut tree,
        Order {
            by: SortBy::Bytes,
            descending: true,
        },
    );
    assert_eq!(rows.len(), 2 + 256 + 1);
    assert!(
        rows.iter()
            .map(|&(_, row)| tree.row(row).depth)
            .eq(0..rows.len() as u32),
        "each below the one before"
    );
}

#[test]
fn only_the_deepest_scope_of_a_cut_stack_is_cut() {
    let dump = |depth: usize| format!("0x1,t,g,64,{},n\n", vec!["s"; depth].join("|"));
    let cut_rows = |now: &str, before: Option<&str>| {
        let [now, before] = [Some(now), before].map(|dump| dump.map(crate::testing::read));
        let mut tree = MemoryTree::new(
            &now.unwrap(),
            before.as_ref(),
            Levels::default(),
            &Filter::default(),
        );
        let (open, mut rows) = (tree.keys_to_open(1000).unwrap(), Vec::new());
        tree.visible(&open, Order::default(), &mut rows);
        let is_cut = |&&row: &&u32| tree.row(row).is_cut;
        rows.iter()
            .filter(is_cut)
            .map(|&row| (tree.row(row).depth, tree.row(row).kind))
            .collect::<Vec<_>>()
    };
    let deepest = vec![(257, RowKind::Scope)];
    assert_eq!(cut_rows(&dump(256), None), []);
    assert_eq!(cut_rows(&dump(257), None), deepest);
    assert_eq!(cut_rows(&dump(257), Some(&dump(256))), deepest);
    assert_eq!(cut_rows(&dump(256), Some(&dump(257))), deepest);
    assert_eq!(cut_rows(&dump(2), Some(&dump(257))), deepest);
    assert_eq!(cut_rows(&dump(256), Some(&dump(256))), []);
}
