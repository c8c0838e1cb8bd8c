//! The memory view: taking, showing, sorting and comparing snapshots.

use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Key, Modifiers, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable, by};
use stats_overlay::{Action, Mode, RowAction};

use super::dumps::{Program, game, later, line, lines};
use crate::host::{Host, click, harness_of_any_glyphs, press, value_of};
use crate::painted::elided;

const SIZE: Vec2 = vec2(1280.0, 800.0);

/// Returns the overlay in full mode with the memory view of a program open and one snapshot taken.
pub(crate) fn opened<'a>(scope: &'static str, dump: &str) -> (Harness<'a, Host>, Program) {
    opened_in(scope, dump, SIZE, 1.0)
}

/// Like [`opened`], in a window of another size.
pub(crate) fn opened_in<'a>(
    scope: &'static str,
    dump: &str,
    size: Vec2,
    pixels_per_point: f32,
) -> (Harness<'a, Host>, Program) {
    let program = Program::new(dump);
    let mut host = Host::full(scope);
    program.give_to(&mut host.overlay);
    // The icicle shows names of rows that are not open, which may be in any writing.
    let mut harness = harness_of_any_glyphs(size, pixels_per_point, host);
    harness.run_steps(2);
    press(&mut harness, Key::B);
    settle(&mut harness);
    (harness, program)
}

/// Steps until no snapshot is being taken and no tree is being built.
pub(crate) fn settle(harness: &mut Harness<'_, Host>) {
    let end = Instant::now() + Duration::from_secs(100);
    loop {
        harness.run_steps(3);
        let is_busy = |label: &str| {
            let mut nodes = harness.query_all_by_label(label);
            nodes.any(|node| {
                node.accesskit_node()
                    .value()
                    .unwrap_or_default()
                    .contains('…')
            })
        };
        if !is_busy("Memory") && !is_busy("Nothing to show") {
            return;
        }
        assert!(Instant::now() < end, "it never becomes idle");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Opens a menu, after showing the filters if they are hidden.
pub(crate) fn open(harness: &mut Harness<'_, Host>, menu: &str) {
    if harness.query_by_label(menu).is_none() {
        click(harness, "Filters");
    }
    click(harness, menu);
    harness.run_steps(2);
}

/// Clicks the button and waits for the comparison.
pub(crate) fn compare_with_now(harness: &mut Harness<'_, Host>) {
    click(harness, "Compare with now");
    settle(harness);
}

/// Returns the rows on screen from top to bottom: depth, name and figures.
pub(crate) fn rows(harness: &Harness<'_, Host>) -> Vec<(usize, String, String)> {
    let nodes = harness.query_all(by().role(Role::TreeItem));
    let mut rows: Vec<_> = nodes
        .map(|node| {
            let row = node.accesskit_node();
            let depth = row.level().unwrap_or_default() - 1;
            (
                node.rect().top() as i64,
                (
                    depth,
                    row.label().unwrap_or_default(),
                    row.value().unwrap_or_default(),
                ),
            )
        })
        .collect();
    rows.sort_by_key(|(top, _)| *top);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Returns the names of the rows on screen.
pub(crate) fn names(harness: &Harness<'_, Host>) -> Vec<String> {
    rows(harness).into_iter().map(|(_, name, _)| name).collect()
}

/// Returns the names of the top-level rows on screen.
fn roots(harness: &Harness<'_, Host>) -> Vec<String> {
    rows(harness)
        .into_iter()
        .filter(|(depth, ..)| *depth == 0)
        .map(|(_, name, _)| name)
        .collect()
}

/// Returns the figures of a row as a screen reader says them.
pub(crate) fn figures(harness: &Harness<'_, Host>, name: &str) -> String {
    let row = rows(harness).into_iter().find(|(_, of, _)| of == name);
    row.unwrap_or_else(|| panic!("no row {name} among {:?}", names(harness)))
        .2
}

/// Returns the note with the totals.
pub(crate) fn totals(harness: &Harness<'_, Host>) -> String {
    let mut notes = harness.query_all(by().label("Memory").role(Role::Status));
    notes
        .next()
        .and_then(|node| node.accesskit_node().value())
        .unwrap_or_default()
}

#[test]
fn the_icicle_cuts_no_size() {
    let (harness, _) = opened("memory-icicle", &game(0));
    let parts = harness.query_all_by_label_contains("memory of ");
    let sizes: Vec<String> = parts
        .map(|part| part.accesskit_node().value().unwrap_or_default())
        .collect();
    assert!(sizes.len() > 5, "{sizes:?}");
    let cut = elided(&harness);
    let has_size = |text: &&String| sizes.iter().any(|size| text.ends_with(size));
    assert_eq!(cut.iter().find(has_size), None);
}

#[test]
fn opening_the_view_takes_one_snapshot_and_shows_it() {
    let (mut harness, program) = opened("memory-open", &game(0));
    assert_eq!(program.taken(), 1);
    assert_eq!(totals(&harness), "262.4 MiB in 1,671 allocations");
    assert_eq!(
        roots(&harness),
        [
            "thread main",
            "thread audio",
            "thread worker 1",
            "thread worker 2",
            "thread unnamed"
        ]
    );
    assert_eq!(
        figures(&harness, "thread audio"),
        "25.0 MiB in 200 allocations"
    );
    assert!(
        names(&harness).contains(&"group rendering".to_owned()),
        "the largest row is open"
    );
    // Leaving and returning by key, button and mode takes no other snapshot.
    press(&mut harness, Key::B);
    assert!(names(&harness).is_empty());
    harness
        .get_by(|node| node.role() == Role::Button && node.label().as_deref() == Some("Memory"))
        .click();
    harness.run_steps(3);
    harness.state_mut().overlay.set_mode(Mode::Hidden);
    harness.run_steps(3);
    harness.state_mut().overlay.set_mode(Mode::Full);
    harness.run_steps(3);
    assert_eq!(roots(&harness).len(), 5, "it is still open");
    assert_eq!(program.taken(), 1);
    click(&mut harness, "Take snapshot");
    settle(&mut harness);
    assert_eq!(program.taken(), 2);
}

#[test]
fn every_column_sorts_and_a_second_click_reverses() {
    let dump = lines(3, "b", "g", 100, "s", "n")
        + &lines(1, "A", "g", 1000, "s", "n")
        + &lines(9, "c", "g", 10, "s", "n");
    let (mut harness, _) = opened("memory-sort", &dump);
    assert_eq!(
        roots(&harness),
        ["thread A", "thread b", "thread c"],
        "largest first"
    );
    assert_eq!(value_of(&harness, "Size"), "sorted descending");
    for (column, first, again) in [
        (
            "Size",
            ["thread c", "thread b", "thread A"],
            ["thread A", "thread b", "thread c"],
        ),
        (
            "Count",
            ["thread c", "thread b", "thread A"],
            ["thread A", "thread b", "thread c"],
        ),
        (
            "Name",
            ["thread A", "thread b", "thread c"],
            ["thread c", "thread b", "thread A"],
        ),
    ] {
        click(&mut harness, column);
        assert_eq!(roots(&harness), first, "{column}");
        click(&mut harness, column);
        assert_eq!(roots(&harness), again, "{column} again");
        assert!(value_of(&harness, column).starts_with("sorted "));
    }
    assert_eq!(value_of(&harness, "Size"), "");
}

#[test]
fn comparing_with_now_opens_the_path_of_the_largest_growth() {
    let (mut harness, program) = opened("memory-compare", &game(0));
    program.set(&later());
    compare_with_now(&mut harness);
    assert_eq!(program.taken(), 2);
    assert_eq!(value_of(&harness, "Largest growth"), "sorted descending");
    assert_eq!(
        figures(&harness, "name enemy"),
        "20.6 MiB in 901 allocations, grown +20.6 MiB, +900 allocations"
    );
    assert_eq!(
        figures(&harness, "group rendering"),
        "221.0 MiB in 440 allocations, shrunk -12.0 MiB, -3 allocations"
    );
    assert_eq!(
        figures(&harness, "thread unnamed"),
        "0 B in 0 allocations, gone -1.00 MiB, -1 allocation"
    );
    assert_eq!(
        figures(&harness, "thread audio"),
        "25.0 MiB in 200 allocations, unchanged"
    );
    click(&mut harness, "Open thread worker 2");
    assert_eq!(
        figures(&harness, "group cache"),
        "1.14 MiB in 30 allocations, new +1.14 MiB, +30 allocations"
    );
    assert!(
        totals(&harness).ends_with("; +8.74 MiB, +926 since 1: 0:00"),
        "{}",
        totals(&harness)
    );
    // Sorted by the change of the whole row, in reverse, and by the number of allocations.
    click(&mut harness, "Size change");
    click(&mut harness, "Size change");
    assert_eq!(roots(&harness)[0], "thread unnamed");
    click(&mut harness, "Count change");
    assert_eq!(roots(&harness)[0], "thread main");
}

#[test]
fn a_snapshot_has_the_time_at_which_it_was_started() {
    let (mut harness, _) = opened("memory-times", &lines(2, "main", "g", 64, "s", "n"));
    // Two seconds of the host's time, however long they take here.
    harness.run_steps(2 * 60);
    compare_with_now(&mut harness);
    assert!(
        totals(&harness).ends_with(" since 1: 0:00"),
        "{}",
        totals(&harness)
    );
    click(&mut harness, "Snapshot");
    assert!(
        harness.query_by_label_contains("2: 0:02 - ").is_some(),
        "the second snapshot is two seconds younger"
    );
}

#[test]
fn memory_of_the_view_itself_is_not_shown_as_the_largest_growth() {
    let (mut harness, program) = opened("memory-own", &lines(1, "main", "g", 64, "s", "n"));
    program.set(
        &(lines(3, "main", "g", 64, "s", "n")
            + &lines(1, "stats-overlay", "ungrouped", 1 << 20, "", "")),
    );
    compare_with_now(&mut harness);
    let shown = [
        "thread main",
        "group g",
        "scope s",
        "name n",
        "thread stats-overlay",
    ];
    assert_eq!(
        names(&harness),
        shown,
        "the row is there, but the path of another one is open"
    );
}

#[test]
fn a_comparison_can_be_chosen_and_ended() {
    let (mut harness, program) = opened("memory-choose", &lines(2, "main", "g", 64, "s", "n"));
    program.set(&lines(5, "main", "g", 64, "s", "n"));
    click(&mut harness, "Take snapshot");
    settle(&mut harness);
    assert_eq!(
        totals(&harness),
        "320 B in 5 allocations",
        "a second snapshot, not compared"
    );
    click(&mut harness, "Compare with");
    harness.get_by_label("1: 0:00 - 128 B").click();
    settle(&mut harness);
    assert_eq!(
        figures(&harness, "thread main"),
        "320 B in 5 allocations, grown +192 B, +3 allocations"
    );
    // Shows the older one: a snapshot is not compared with itself.
    click(&mut harness, "Snapshot");
    harness
        .get_by(|node| {
            node.label().as_deref() == Some("1: 0:00 - 128 B") && node.role() == Role::Button
        })
        .click();
    settle(&mut harness);
    assert_eq!(figures(&harness, "thread main"), "128 B in 2 allocations");
    assert!(harness.query_by_label("Size change").is_none());
}

#[test]
fn keys_move_through_the_rows_and_do_not_reach_the_panes() {
    let (mut harness, _) = opened("memory-keys", &game(0));
    let open = |harness: &Harness<'_, Host>| rows(harness).len();
    click(&mut harness, "Close all");
    assert_eq!(open(&harness), 5);
    press(&mut harness, Key::Home);
    press(&mut harness, Key::ArrowRight);
    assert!(open(&harness) > 5, "→ opens the first row");
    let opened = open(&harness);
    press(&mut harness, Key::ArrowRight);
    press(&mut harness, Key::Enter);
    assert!(
        open(&harness) > opened,
        "a second → moves to its child, Enter opens that"
    );
    press(&mut harness, Key::ArrowLeft);
    assert_eq!(open(&harness), opened);
    press(&mut harness, Key::ArrowLeft);
    press(&mut harness, Key::ArrowLeft);
    assert_eq!(open(&harness), 5, "← moves to the parent, and closes it");
    press(&mut harness, Key::End);
    press(&mut harness, Key::ArrowRight);
    assert!(names(&harness).contains(&"group ungrouped".to_owned()));
    let panes = harness.state().overlay.view_line();
    for key in [
        Key::R,
        Key::T,
        Key::N,
        Key::X,
        Key::J,
        Key::S,
        Key::D,
        Key::M,
        Key::P,
        Key::F,
        Key::OpenBracket,
    ] {
        press(&mut harness, key);
    }
    harness.key_press_modifiers(Modifiers::SHIFT, Key::R);
    harness.run_steps(2);
    assert_eq!(harness.state().overlay.view_line(), panes);
    press(&mut harness, Key::Space);
    assert!(harness.state().overlay.paused(), "Space pauses everywhere");
    press(&mut harness, Key::R);
    assert!(!harness.state().overlay.paused(), "R resumes everywhere");
    // A game pad has the same actions.
    harness
        .state_mut()
        .overlay
        .act(Action::Rows(RowAction::Start));
    harness
        .state_mut()
        .overlay
        .act(Action::Rows(RowAction::Activate));
    harness.state_mut().overlay.act(Action::TogglePause);
    harness.run_steps(3);
    assert!(names(&harness).contains(&"group rendering".to_owned()));
    assert!(harness.state().overlay.paused());
}

#[test]
fn escape_goes_back_one_step_at_a_time() {
    let (mut harness, _) = opened("memory-escape", &game(0));
    press(&mut harness, Key::H);
    assert!(harness.query_by_label("help one step back").is_some());
    assert!(names(&harness).is_empty(), "the help covers it");
    press(&mut harness, Key::N);
    assert_eq!(
        harness.state().overlay.pane_count(),
        1,
        "the panes are not beneath the help"
    );
    press(&mut harness, Key::Escape);
    assert!(!names(&harness).is_empty());
    press(&mut harness, Key::Escape);
    assert!(names(&harness).is_empty());
    assert_eq!(harness.state().overlay.mode(), Mode::Full);
    press(&mut harness, Key::B);
    click(&mut harness, "Back");
    assert!(names(&harness).is_empty());
    press(&mut harness, Key::N);
    assert_eq!(
        harness.state().overlay.pane_count(),
        2,
        "the panes have their keys again"
    );
    press(&mut harness, Key::Escape);
    assert_eq!(harness.state().overlay.mode(), Mode::Full);
}

#[test]
fn a_click_on_a_triangle_opens_a_row_and_a_shift_click_opens_all_below() {
    let (mut harness, _) = opened(
        "memory-fold",
        &line("main", "g", 64, "a|b|c", "n").repeat(2),
    );
    click(&mut harness, "Close all");
    click(&mut harness, "Open thread main");
    assert_eq!(names(&harness), ["thread main", "group g"]);
    click(&mut harness, "Close thread main");
    let at = harness.get_by_label("Open thread main").rect().center();
    harness.event(egui::Event::ModifiersChanged(Modifiers::SHIFT));
    for pressed in [true, false] {
        harness.event(egui::Event::PointerMoved(at));
        harness.event(egui::Event::PointerButton {
            pos: at,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: Modifiers::SHIFT,
        });
        harness.run_steps(1);
    }
    harness.run_steps(2);
    assert_eq!(
        names(&harness),
        [
            "thread main",
            "group g",
            "scope a",
            "scope b",
            "scope c",
            "name n"
        ]
    );
}

#[test]
fn damaged_lines_are_listed_by_number_and_skipped() {
    let dump = lines(3, "main", "g", 64, "s", "n") + "cut off\n" + &line("main", "g", 64, "s", "n");
    let (mut harness, program) = opened("memory-damage", &dump);
    assert_eq!(totals(&harness), "256 B in 4 allocations");
    click(&mut harness, "1 damaged line");
    let is_listed = harness
        .query_all(by().role(Role::Label))
        .filter_map(|node| node.accesskit_node().value())
        .any(|text| text.starts_with("line 4: "));
    assert!(is_listed, "the line and what is wrong with it");
    press(&mut harness, Key::Escape);
    program.set(&dump.replace("cut off", "cut off\nand again"));
    click(&mut harness, "Take snapshot");
    settle(&mut harness);
    assert!(harness.query_by_label("2 damaged lines").is_some());
}

#[test]
fn a_lower_refresh_rate_of_graphs_is_not_mentioned_in_the_memory_view() {
    let (mut harness, _) = opened("memory-slowed", &game(0));
    press(&mut harness, Key::B);
    let mut settings = harness.state().overlay.settings().clone();
    settings.overlay_budget_ms = 0.0;
    harness.state_mut().overlay.set_settings(&settings);
    harness.run_steps(120);
    assert!(harness.query_by_label("Slowed").is_some());
    press(&mut harness, Key::B);
    harness.run_steps(4);
    assert!(harness.query_by_label("Slowed").is_none());
}

#[test]
fn keys_of_an_open_menu_do_not_reach_the_rows() {
    let (mut harness, _) = opened("memory-menu-keys", &game(0));
    click(&mut harness, "Take snapshot");
    settle(&mut harness);
    click(&mut harness, "Close all");
    press(&mut harness, Key::Home);
    let closed = names(&harness);
    for menu in ["Compare with", "Snapshot", "Threads: all", "Groups: all"] {
        click(&mut harness, menu);
        for key in [
            Key::ArrowDown,
            Key::ArrowRight,
            Key::ArrowUp,
            Key::ArrowLeft,
            Key::ArrowDown,
        ] {
            press(&mut harness, key);
        }
        press(&mut harness, Key::Escape);
        assert_eq!(names(&harness), closed, "{menu}");
    }
    // The cursor has not moved, and keys act on the rows again.
    press(&mut harness, Key::ArrowRight);
    assert!(
        names(&harness)[1].starts_with("group"),
        "{:?}",
        names(&harness)
    );
}

#[test]
fn at_800_points_the_bar_and_the_filters_take_one_row_each() {
    let (mut harness, program) = opened_in("memory-bar", &game(0), vec2(800.0, 600.0), 1.0);
    program.set(&later());
    compare_with_now(&mut harness);
    let bars: Vec<_> = super::panel::bars(&harness)
        .into_iter()
        .filter(|row| !row.contains(&"Menu".to_owned()))
        .collect();
    assert_eq!(bars.len(), 2, "{bars:#?}");
    // Levels without room are in a menu.
    click(&mut harness, "Levels");
    click(&mut harness, "level thread");
    press(&mut harness, Key::Escape);
    settle(&mut harness);
    assert!(
        names(&harness)[0].starts_with("group"),
        "{:?}",
        names(&harness)
    );
}

#[test]
fn at_420_points_a_comparison_has_a_size_and_a_growth_column() {
    let (mut harness, program) = opened_in("memory-narrow", &game(0), vec2(420.0, 320.0), 1.0);
    program.set(&later());
    compare_with_now(&mut harness);
    for head in ["Size", "Largest growth"] {
        assert!(harness.query_by_label(head).is_some(), "{head}");
    }
}
