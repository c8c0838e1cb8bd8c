//! The growth of each row is that of the owner in it that grew most.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Label, ROUNDS, all_rows, changed, filter, levels, levels_of, order, passes, path};
use crate::snapshot::MemorySnapshot;
use crate::testing::{DumpEntry, entries, hostile, plain, snapshot};
use crate::tree::{Changes, Filter, Levels, MemoryTree, Order, SortBy};
use stats_testing::Random;

/// Returns, for each row, the typical and the whole growth of the owner in it that grew most, and
/// the number of steps in which it grew: a list, because several owners may have grown equally.
fn expected_growth(
    snapshots: &[Vec<DumpEntry>],
    levels: Levels,
    filter: &Filter,
) -> BTreeMap<Vec<Label>, (i128, i128, Vec<u8>)> {
    let ends = [&snapshots[0], &snapshots[snapshots.len() - 1]];
    let levels = levels_of(levels, ends.into_iter().flatten());
    let mut owners: BTreeMap<Vec<Label>, Vec<i128>> = BTreeMap::new();
    for (step, snapshot) in snapshots.iter().enumerate() {
        for entry in snapshot.iter().filter(|entry| passes(entry, filter)) {
            let bytes = owners
                .entry(path(entry, levels))
                .or_insert_with(|| vec![0; snapshots.len()]);
            bytes[step] += i128::from(entry.bytes);
        }
    }
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
fn each_row_has_the_growth_of_its_owner_that_grew_most() {
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
            let owner = if *whole > 0 { 1 } else { -1 };
            let rank = (owner << 126) + (typical << 64) + whole - i128::from(i64::MIN);
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

#[test]
fn what_snapshots_allocate_ranks_between_what_the_program_allocates_and_what_did_not_grow() {
    let dump = |of: [u32; 4]| {
        let [small, own, same, less] = of;
        let overlay = stats_ui::job::THREAD_NAME;
        let text = format!(
            "0x1,main,g,{small},s,n\n0x2,{overlay},g,{own},s,n\n0x3,worker-0,g,{same},s,n\n\
             0x4,worker-1,g,{less},s,n\n"
        );
        MemorySnapshot::read(text.as_bytes()).unwrap()
    };
    let levels = Levels {
        threads: true,
        groups: false,
        scopes: false,
        names: false,
        sizes: false,
    };
    let (now, before) = (dump([101, 97_000, 50, 40]), dump([100, 50, 50, 90]));
    let mut tree = MemoryTree::new(&now, Some(&before), levels, &Filter::default());
    let order = Order {
        by: SortBy::Growth,
        descending: true,
    };
    let rows: Vec<(String, bool)> = all_rows(&mut tree, order)
        .into_iter()
        .map(|(_, number)| tree.row(number))
        .map(|row| {
            let own = row.growth.is_some_and(|growth| growth.is_of_statistics());
            (row.text.to_owned(), own)
        })
        .collect();
    let of = |name: &str, own| (name.to_owned(), own);
    assert_eq!(
        rows,
        [
            of("main", false),
            of(stats_ui::job::THREAD_NAME, true),
            of("worker-0", false),
            of("worker-1", false),
        ]
    );
}
