//! The memory view's filters and levels.

use egui::Key;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use stats_overlay::Action;

use super::dumps::{game, later, line, lines};
use super::memory::{compare_with_now, figures, names, opened, settle, totals};
use crate::host::{Host, click, press};

/// Types text into a field.
fn write(harness: &mut Harness<'_, Host>, field: &str, text: &str) {
    harness.get_by_label(field).focus();
    harness.run_steps(2);
    harness.event(egui::Event::Text(text.to_owned()));
    harness.run_steps(2);
    settle(harness);
}

fn roots(harness: &Harness<'_, Host>) -> Vec<String> {
    names(harness)
        .into_iter()
        .filter(|name| name.starts_with("thread"))
        .collect()
}

#[test]
fn filters_combine_and_are_cleared_together() {
    let (mut harness, _) = opened("memory-filters", &game(0));
    let is_disabled = |harness: &Harness<'_, Host>| {
        harness
            .get_by_label("Clear filters")
            .accesskit_node()
            .is_disabled()
    };
    assert!(is_disabled(&harness));
    click(&mut harness, "Threads: all");
    click(&mut harness, "worker 1");
    click(&mut harness, "worker 2");
    press(&mut harness, Key::Escape);
    assert_eq!(roots(&harness), ["thread worker 1", "thread worker 2"]);
    assert!(harness.query_by_label("Threads: 2").is_some());
    assert_eq!(totals(&harness), "3.13 of 262.4 MiB in 246 allocations");
    click(&mut harness, "Groups: all");
    click(&mut harness, "ui");
    press(&mut harness, Key::Escape);
    assert_eq!(roots(&harness), ["thread worker 1"]);
    write(&mut harness, "Scope filter", "CALL 10");
    assert_eq!(
        totals(&harness),
        "7.52 KiB of 262.4 MiB in 11 allocations",
        "words, in upper or lower case"
    );
    write(&mut harness, "Name filter", "mesh");
    assert!(names(&harness).is_empty());
    click(&mut harness, "Show everything");
    settle(&mut harness);
    assert_eq!(totals(&harness), "262.4 MiB in 1,671 allocations");
    assert!(is_disabled(&harness));
}

#[test]
fn the_search_key_focuses_the_name_filter() {
    let (mut harness, _) = opened("memory-search", &game(0));
    harness.event(egui::Event::Text("/".to_owned()));
    harness.run_steps(2);
    harness.event(egui::Event::Text("path node".to_owned()));
    harness.run_steps(2);
    settle(&mut harness);
    assert_eq!(totals(&harness), "65.6 KiB of 262.4 MiB in 700 allocations");
    harness.state_mut().overlay.act(Action::Search);
    harness.run_steps(3);
    assert!(harness.get_by_label("Name filter").is_focused());
}

#[test]
fn a_comparison_can_show_a_single_kind_of_change() {
    let (mut harness, program) = opened("memory-changes", &game(0));
    program.set(&later());
    compare_with_now(&mut harness);
    for (kind, shown) in [
        ("new", vec!["thread worker 2"]),
        ("gone", vec!["thread unnamed"]),
        ("grown", vec!["thread main", "thread worker 2"]),
        ("shrunk", vec!["thread unnamed", "thread main"]),
    ] {
        click(&mut harness, "Changes");
        click(&mut harness, kind);
        settle(&mut harness);
        assert_eq!(roots(&harness), shown, "{kind}");
    }
    // Without a comparison there are no changes.
    click(&mut harness, "Compare with");
    click(&mut harness, "none");
    settle(&mut harness);
    assert_eq!(roots(&harness).len(), 4);
    assert!(harness.query_by_label("Changes").is_none());
}

#[test]
fn owners_that_grew_in_every_step_can_be_shown_alone() {
    let owners = |leak, cache, jumpy| {
        [("leak", leak), ("cache", cache), ("jumpy", jumpy)]
            .map(|(name, count)| lines(count, "main", "g", 1000, "s", name))
            .concat()
    };
    let (mut harness, program) = opened("memory-every-step", &owners(1, 1, 1));
    for dump in [owners(2, 1, 9), owners(3, 5, 4), owners(4, 6, 9)] {
        program.set(&dump);
        click(&mut harness, "Take snapshot");
        settle(&mut harness);
    }
    click(&mut harness, "Compare with");
    let first = harness.query_all_by_label_contains("1: 0:00 - ").last();
    first.unwrap().click();
    settle(&mut harness);
    for (kind, shown) in [
        ("grown", vec!["name cache", "name jumpy", "name leak"]),
        ("grown in every step", vec!["name leak"]),
    ] {
        click(&mut harness, "Changes");
        click(&mut harness, kind);
        settle(&mut harness);
        let mut leaves = names(&harness);
        leaves.retain(|name| name.starts_with("name"));
        leaves.sort();
        assert_eq!(leaves, shown, "{kind}");
    }
}

#[test]
fn a_group_has_its_budget_beside_it_whatever_is_filtered() {
    let heading = "address,thread,group,bytes,scope|stack,name,ai=10000|ui=1000|idle=1\n";
    let dump = [
        lines(1, "main", "ai", 6000, "s", "n"),
        lines(1, "worker", "ai", 3001, "s", "n"),
        lines(1, "main", "ui", 1001, "s", "n"),
        lines(1, "main", "free", 1 << 30, "s", "n"),
    ]
    .concat();
    let (mut harness, _) = opened("memory-budgets", &format!("{heading}{dump}"));
    let said = |harness: &Harness<'_, Host>, name: &str| {
        let said = figures(harness, name);
        let at = said.find("the whole group").unwrap_or(said.len());
        said[at..].to_owned()
    };
    click(&mut harness, "level thread");
    settle(&mut harness);
    let ai = "the whole group has 8.79 KiB of 9.77 KiB, 90 % of budget: near the budget";
    assert_eq!(said(&harness, "group ai"), ai);
    assert_eq!(
        said(&harness, "group ui"),
        "the whole group has 1,001 B of 1,000 B, 101 % of budget: over budget"
    );
    assert_eq!(said(&harness, "group free"), "");
    click(&mut harness, "level thread");
    write(&mut harness, "Name filter", "n");
    settle(&mut harness);
    assert_eq!(said(&harness, "group ai"), ai, "on one thread");
}

#[test]
fn all_levels_but_the_last_can_be_turned_off() {
    let (mut harness, _) = opened("memory-levels", &lines(4, "main", "g", 64, "a|b", "n"));
    for level in ["thread", "group", "scope"] {
        click(&mut harness, &format!("level {level}"));
    }
    settle(&mut harness);
    assert_eq!(names(&harness), ["name n"]);
    click(&mut harness, "level size");
    click(&mut harness, "level name");
    settle(&mut harness);
    assert_eq!(names(&harness), ["name n"], "the last one stays");
    click(&mut harness, "level scope");
    settle(&mut harness);
    assert_eq!(names(&harness)[0], "scope a");
}

#[test]
fn a_dump_by_tags_has_no_level_of_threads() {
    let dump = ",,rendering,640,Level,mesh,10\n,,ai,64,,,1\n";
    let (mut harness, _) = opened("memory-tags", dump);
    assert!(
        names(&harness)
            .iter()
            .all(|name| !name.starts_with("thread")),
        "{:?}",
        names(&harness)
    );
    assert_eq!(
        figures(&harness, "group rendering"),
        "640 B in 10 allocations"
    );
    let level = harness.get_by_label("level thread");
    assert!(level.accesskit_node().is_disabled());
    assert!(harness.query_by_label("Threads: all").is_none());
    assert!(harness.query_by_label("Hint").is_none());
    harness.run_steps(1);
}

#[test]
fn memory_of_the_tracker_in_a_dump_by_tags_is_not_shown_as_the_largest_growth() {
    let dump = ",,ungrouped,64,stats-memory,,1\n,,ai,640,Frame,enemy,10\n";
    let (mut harness, program) = opened("memory-tags-own", dump);
    program.set(&dump.replace(",64,", ",9000,").replace(",640,", ",700,"));
    compare_with_now(&mut harness);
    assert_eq!(
        names(&harness),
        ["group ai", "scope Frame", "name enemy", "group ungrouped"]
    );
}

#[test]
fn a_hint_appears_if_the_allocator_only_counts() {
    let (harness, _) = opened("memory-count", ",,ungrouped,640,,,10\n");
    let hint = harness
        .get_by_label("Hint")
        .accesskit_node()
        .value()
        .unwrap_or_default();
    assert!(hint.contains("Tags or Records"), "{hint}");
    assert_eq!(totals(&harness), "640 B in 10 allocations");
}

#[test]
fn a_row_can_be_filtered_for_from_its_menu() {
    let (mut harness, _) = opened(
        "memory-only",
        &(line("main", "g", 64, "s", "n") + &line("other", "g", 32, "s", "n")),
    );
    harness.get_by_label("thread other").click_secondary();
    harness.run_steps(2);
    click(&mut harness, "Filter for this");
    settle(&mut harness);
    assert_eq!(totals(&harness), "32 of 96 B in 1 allocation");
    assert!(harness.query_by_label("Threads: 1").is_some());
}

#[test]
fn a_filter_opens_its_matches_and_clearing_it_restores_the_rows() {
    let (mut harness, _) = opened("memory-filter-opens", &game(0));
    click(&mut harness, "Close all");
    click(&mut harness, "Open thread main");
    let before = names(&harness);
    for typed in ["path", " node"] {
        write(&mut harness, "Name filter", typed);
        assert_eq!(
            names(&harness),
            [
                "thread main",
                "group ai",
                "scope Frame",
                "scope AI",
                "scope paths",
                "name path node"
            ]
        );
    }
    // Rows that are closed while a filter is set are opened again by the next filter.
    click(&mut harness, "Close all");
    assert_eq!(names(&harness), ["thread main"]);
    click(&mut harness, "Clear filters");
    settle(&mut harness);
    assert_eq!(names(&harness), before, "restored");
    write(&mut harness, "Scope filter", "streams");
    assert_eq!(
        names(&harness),
        [
            "thread audio",
            "group audio",
            "scope Audio",
            "scope streams",
            "name ring"
        ]
    );
    click(&mut harness, "Clear filters");
    settle(&mut harness);
    for (menu, item, row) in [
        ("Threads: all", "worker 2", "scope broad phase"),
        ("Groups: all", "audio", "name ring"),
    ] {
        click(&mut harness, menu);
        click(&mut harness, item);
        press(&mut harness, Key::Escape);
        assert!(
            names(&harness).contains(&row.to_owned()),
            "{menu}: {:?}",
            names(&harness)
        );
        click(&mut harness, "Clear filters");
        settle(&mut harness);
        assert_eq!(names(&harness), before, "{menu}");
    }
}

#[test]
fn matches_stay_open_when_a_level_is_turned_off_and_on() {
    let (mut harness, _) = opened("memory-filter-levels", &game(0));
    write(&mut harness, "Name filter", "node");
    for _ in 0..2 {
        click(&mut harness, "level group");
        settle(&mut harness);
        assert_eq!(
            names(&harness).last().map(String::as_str),
            Some("name path node")
        );
    }
}
