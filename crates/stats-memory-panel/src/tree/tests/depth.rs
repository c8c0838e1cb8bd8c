//! Stacks with more scopes than a tree distinguishes.

use super::all_rows;
use crate::testing::{DumpEntry, snapshot};
use crate::tree::{Filter, Levels, MemoryTree, Order, RowKind, SortBy};

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
fn only_the_deepest_scope_of_a_cut_stack_is_marked_as_cut() {
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
