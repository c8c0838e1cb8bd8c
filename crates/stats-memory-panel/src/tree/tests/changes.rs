//! Rows that grew, shrank, are new or are gone.

use super::all_rows;
use crate::testing::{DumpEntry, entries, plain, snapshot};
use crate::tree::sums::Sums;
use crate::tree::{Change, Changes, Filter, Levels, MemoryTree, Order, SortBy};
use stats_testing::Random;

#[test]
fn a_row_grows_or_shrinks_by_bytes_not_by_count() {
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
