//! Which rows are visible, and the keys by which they stay open.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::{Label, ROUNDS, all_rows, changed, order};
use crate::testing::{DumpEntry, entries, plain, snapshot};
use crate::tree::{Filter, Levels, MemoryTree};
use stats_testing::Random;

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
