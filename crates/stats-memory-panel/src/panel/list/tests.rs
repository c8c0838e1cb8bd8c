//! Checks the list against its tree after random actions.

use super::*;
use crate::snapshot::MemorySnapshot;
use crate::tree::{Filter, Levels, RowKind};
use stats_testing::Random;

fn list(dump: &str) -> RowList {
    let snapshot = MemorySnapshot::read(dump.as_bytes()).unwrap();
    let mut list = RowList::default();
    list.set_tree(MemoryTree::new(
        &snapshot,
        None,
        Levels::default(),
        &Filter::default(),
    ));
    list.update();
    list
}

fn random_dump(random: &mut Random) -> String {
    let mut dump = String::new();
    for _ in 0..random.below(200) {
        let mut part = |names: u64| random.below(names);
        let (thread, group, bytes, outer, inner, name) =
            (part(3), part(3), part(90), part(3), part(4), part(5));
        dump.push_str(&format!(
            "0x1,t{thread},g{group},{bytes},s{outer}|s{inner},n{name}\n"
        ));
    }
    dump
}

#[test]
fn the_list_matches_the_tree_and_the_cursor_stays_with_its_row() {
    let mut random = Random::new(61);
    for _ in 0..60 {
        let mut list = list(&random_dump(&mut random));
        for _ in 0..60 {
            let key = list.base.cursor.map(|_| list.cursor_key);
            let moves = random.below(4) == 0;
            match (moves, random.below(6)) {
                (true, 0) => list.perform(RowAction::PageDown),
                (true, 1) => list.perform(RowAction::Up),
                (true, 2) => list.perform(RowAction::Open),
                (true, 3) => list.perform(RowAction::Close),
                (true, 4) => list.put_cursor(usize::MAX),
                (true, _) if random.below(2) == 0 => list.reveal_first(random.below(3) as usize),
                (true, _) => list.reveal_growth(),
                (_, 0) => list.click_head(SortBy::Count),
                (_, 1) => list.click_head(SortBy::Label),
                (_, 2) => list.close_all(),
                (_, 3) => list.open_below(random.below(10) as usize),
                (..) => list.toggle(random.below(20) as usize),
            }
            list.update();
            let mut expected = Vec::new();
            list.tree.visible(&list.open, list.order, &mut expected);
            assert_eq!(list.rows, expected);
            let row = list
                .base
                .cursor
                .map(|at| list.row(at).expect("the cursor is on a row").key);
            if let Some(key) = key.filter(|_| !moves) {
                let is_seen =
                    (0..list.len()).any(|at| list.row(at).is_some_and(|row| row.key == key));
                assert!(!is_seen || row == Some(key), "the cursor left its row");
            }
        }
    }
}

#[test]
fn open_below_opens_all_rows_below_and_no_others() {
    let mut random = Random::new(62);
    for _ in 0..40 {
        let mut list = list(&random_dump(&mut random));
        if list.len() == 0 {
            continue;
        }
        let at = random.below(list.len() as u64) as usize;
        let roots = list.len();
        list.open_below(at);
        let below = (at + 1..list.len())
            .take_while(|&at| list.row(at).is_some_and(|row| row.depth > 0))
            .count();
        assert_eq!(list.len(), roots + below);
        assert!((at..=at + below).all(|at| {
            list.row(at)
                .is_some_and(|row| !row.has_children || list.is_open(&row))
        }));
    }
}

#[test]
fn the_number_of_rows_opened_at_once_is_limited() {
    let dump: String = (0..30_000)
        .map(|number| format!("0x1,t,g,{},s{number},n\n", number % 9 + 1))
        .collect();
    let mut list = list(&dump);
    list.open_below(0);
    assert_eq!(list.open.len(), MAX_OPENED);
    list.close_all();
    list.update();
    assert_eq!(list.len(), 1);
}

#[test]
fn without_growth_the_first_row_of_each_level_is_opened() {
    let mut random = Random::new(63);
    for _ in 0..60 {
        let dump = random_dump(&mut random);
        let mut lists = [list(&dump), list(&dump)];
        let by = [SortBy::Label, SortBy::Bytes, SortBy::Count][random.below(3) as usize];
        lists.iter_mut().for_each(|list| list.click_head(by));
        let [revealed, opened] = &mut lists;
        // Nothing has grown.
        revealed.reveal_growth();
        opened.update();
        opened.open_below(0);
        let is_above = |at: &usize| opened.row(*at).is_some_and(|row| row.has_children);
        let way = (0..opened.len()).take_while(is_above).count();
        assert_eq!(revealed.base.cursor, Some(way).filter(|_| opened.len() > 0));
        let keys = |list: &RowList| {
            (0..=way)
                .map_while(|at| list.row(at).map(|row| row.key))
                .collect::<Vec<_>>()
        };
        assert_eq!(keys(revealed), keys(opened));
        assert_eq!(revealed.open.len(), way);
    }
}

/// Opens the path to the largest growth. Returns the rows, and the one at the cursor.
fn revealed(before: &str, now: &str, levels: Levels) -> (Vec<String>, String) {
    let [before, now] = [before, now].map(|dump| MemorySnapshot::read(dump.as_bytes()).unwrap());
    let mut list = RowList::default();
    list.set_tree(MemoryTree::new(
        &now,
        Some(&before),
        levels,
        &Filter::default(),
    ));
    list.set_order(Order {
        by: SortBy::Growth,
        descending: true,
    });
    list.reveal_growth();
    list.update();
    let texts: Vec<String> = (0..list.len())
        .filter_map(|at| list.row(at))
        .map(|row| row.text.to_owned())
        .collect();
    let at = list
        .base
        .cursor
        .and_then(|at| texts.get(at))
        .cloned()
        .unwrap_or_default();
    (texts, at)
}

#[test]
fn the_path_to_the_largest_growth_avoids_the_thread_of_the_panel() {
    let before = "0x1,a,g,10,s,n\n0x1,a,h,90,s,n\n0x1,b,g,50,s,n\n";
    let now = format!(
        "{before}0x1,{},g,999,s,n\n0x1,a,h,90,s,m\n0x1,b,g,50,s,n\n",
        stats_ui::job::THREAD_NAME
    );
    let (texts, at) = revealed(before, &now, Levels::default());
    assert_eq!(texts, ["a", "h", "s", "m", "n", "g", "b", "stats-overlay"]);
    assert_eq!(at, "m");
    let (texts, at) = revealed("", "0x1,stats-overlay,g,9,,\n", Levels::default());
    assert_eq!(
        (texts.len(), at.as_str()),
        (2, "g"),
        "without any other growth it is opened"
    );
}

#[test]
fn the_path_to_the_largest_growth_avoids_the_scope_of_the_tracker() {
    let before = ",,ungrouped,100,stats-memory,,1\n,,ungrouped,10,other,,1\n,,rendering,10,s,,1\n";
    // The first group grew most, but nearly all of its growth is that of the tracker.
    let now = ",,ungrouped,9000,stats-memory,,1\n,,ungrouped,20,other,,1\n,,rendering,40,s,,1\n";
    assert_eq!(revealed(before, now, Levels::default()).1, "s");
    assert_eq!(
        revealed(
            before,
            &now.replace(",20,other", ",80,other"),
            Levels::default()
        )
        .1,
        "other"
    );
    // The same with scopes as the only level.
    let scopes = Levels {
        groups: false,
        ..Levels::default()
    };
    assert_eq!(revealed(before, now, scopes).1, "s");
    // Memory that the tracker freed does not hide growth beside it.
    assert_eq!(
        revealed(
            before,
            &now.replace(",9000,", ",1,").replace(",20,", ",90,"),
            Levels::default()
        )
        .1,
        "other"
    );
    // Within another scope, a scope with that name belongs to the program.
    assert_eq!(
        revealed(
            "",
            ",,g,50,mine|stats-memory,,1\n,,g,40,other,,1\n",
            Levels::default()
        )
        .1,
        "stats-memory"
    );
}

#[test]
fn a_filter_opens_its_matches_and_clearing_it_restores_the_open_rows() {
    let mut random = Random::new(64);
    for _ in 0..60 {
        let dump = random_dump(&mut random);
        let mut list = list(&dump);
        (0..random.below(20)).for_each(|_| {
            list.toggle(random.below(20) as usize);
            list.update();
        });
        let before = list.open.clone();
        for _ in 0..2 {
            list.reveal_matches();
            list.update();
            let is_on_path = |row: &Row<'_>| row.has_children && row.kind != RowKind::Name;
            let all_open = (0..list.len())
                .filter_map(|at| list.row(at))
                .all(|row| list.is_open(&row) == is_on_path(&row));
            let opened = list.len();
            list.leave_matches();
            list.update();
            assert_eq!(list.open, before);
            (0..list.len()).rev().for_each(|at| list.open_below(at));
            let count = (0..list.len())
                .filter_map(|at| list.row(at))
                .filter(|row| !matches!(row.kind, RowKind::Size(_)))
                .count();
            assert_eq!(
                all_open,
                count <= MAX_MATCHES,
                "{count} rows, {opened} open"
            );
            list.open.clone_from(&before);
            list.is_stale = true;
            list.update();
        }
    }
    let many = |rows: usize| {
        (0..rows)
            .map(|number| format!("0x1,t,g,9,s,n{number}\n"))
            .collect::<String>()
    };
    for (names, open) in [
        (MAX_MATCHES - 3, MAX_MATCHES),
        (MAX_MATCHES, MAX_MATCHES + 3),
    ] {
        let mut list = list(&many(names));
        list.reveal_matches();
        assert_eq!(
            (list.len(), list.base.cursor),
            (open, Some(3)),
            "the path of the first rows, or all"
        );
    }
    let mut list = list(&(many(300).replace("0x1,t,", "0x1,u,") + &many(301)));
    list.reveal_matches();
    assert_eq!(list.len(), 2 + 2 + 301, "only along the largest rows");
}
