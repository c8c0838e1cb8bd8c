//! The figures of each row are the sums of all entries below it.

use std::collections::{BTreeMap, HashSet};

use super::{Label, ROUNDS, all_rows, changed, filter, levels, levels_of, order, passes, path};
use crate::testing::{DumpEntry, entries, hostile, plain, snapshot};
use crate::tree::sums::Sums;
use crate::tree::{Filter, Levels, MemoryTree};
use stats_testing::Random;

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
        assert_eq!(tree.total().sums, total);
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
                Some(&(row.sums, row.size)),
                expected.get(&path),
                "{path:?} {levels:?} {filter:?} {now:#?} {before:#?}"
            );
            assert_eq!(row.has_children, parents.contains(&path), "{path:?}");
            assert!(keys.insert(row.key), "two rows have the same key");
        }
    }
}

/// The expected rows by their labels, from the top level down, each with the size that all its
/// allocations share.
type Expected = BTreeMap<Vec<Label>, (Sums, Option<u64>)>;

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
    let levels = levels_of(levels, all().map(|(entry, _)| entry));
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
