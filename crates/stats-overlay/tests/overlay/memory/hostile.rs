//! The memory view with extreme dumps, in windows of any size.

use egui::{Key, Pos2, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable, by};
use stats_overlay::{Action, RowAction};

use super::dumps::{hostile, line, lines};
use super::memory::{compare_with_now, figures, names, open, opened, opened_in, settle, totals};
use crate::host::{Host, click, press};
use crate::painted::assert_no_clash;

/// Performs actions and hovers, and asserts that no widgets overlap.
fn use_it(harness: &mut Harness<'_, Host>, size: Vec2) {
    for action in [
        Action::Rows(RowAction::Start),
        Action::Rows(RowAction::Open),
        Action::Rows(RowAction::Open),
        Action::Rows(RowAction::Open),
        Action::Rows(RowAction::End),
        Action::Search,
    ] {
        harness.state_mut().overlay.act(action);
        harness.run_steps(2);
        for share in [0.2, 0.5, 0.9] {
            harness.hover_at(Pos2::new(size.x * share, size.y * share));
            harness.run_steps(1);
            assert_no_clash(&harness.output().shapes, &format!("{action:?} at {size}"));
        }
    }
    press(harness, Key::Escape);
}

#[test]
fn all_names_and_numbers_fit_every_window() {
    for (size, pixels_per_point) in [
        (vec2(1280.0, 800.0), 1.0),
        (vec2(420.0, 320.0), 1.5),
        (vec2(90.0, 700.0), 1.0),
        (vec2(700.0, 60.0), 0.5),
        (vec2(1.0, 1.0), 1.0),
    ] {
        let (mut harness, program) =
            opened_in("memory-hostile", &hostile(), size, pixels_per_point);
        use_it(&mut harness, size);
        program.set(
            &(line("main", "g", 64, "s", "n") + ",,g,9223372036854775808,,,9223372036854775808\n"),
        );
        press(&mut harness, Key::C);
        settle(&mut harness);
        use_it(&mut harness, size);
    }
}

#[test]
fn equal_names_in_different_threads_are_separate_rows() {
    let dump: String = ["a", "b"]
        .map(|thread| lines(2, thread, "same", 64, "same|same", "same"))
        .concat();
    let (mut harness, _) = opened("memory-equal", &dump);
    for thread in ["a", "b"] {
        let at = names(&harness)
            .iter()
            .position(|name| *name == format!("thread {thread}"))
            .expect("the thread has a row");
        harness
            .state_mut()
            .overlay
            .act(Action::Rows(RowAction::Start));
        (0..at).for_each(|_| {
            harness
                .state_mut()
                .overlay
                .act(Action::Rows(RowAction::Down))
        });
        harness.run_steps(2);
        if harness
            .query_by_label(&format!("Open thread {thread}"))
            .is_some()
        {
            click(&mut harness, &format!("Open thread {thread}"));
        }
        (0..8).for_each(|_| {
            harness
                .state_mut()
                .overlay
                .act(Action::Rows(RowAction::Open))
        });
        harness.run_steps(3);
    }
    assert_no_clash(&harness.output().shapes, "equal names");
    let expected = ["group same", "scope same", "scope same", "name same"];
    let shown = names(&harness);
    assert_eq!(shown[0], "thread a");
    assert_eq!(shown[1..5], expected);
    assert_eq!(shown[5], "thread b");
    assert_eq!(shown[6..], expected);
}

#[test]
fn the_end_of_the_largest_growth_is_scrolled_into_view_from_anywhere() {
    // The largest row is deeper than the window is high: the list starts far down.
    let deep = line("main", "g", 1 << 30, &["deep"; 200].join("|"), "n");
    let (mut harness, program) = opened("memory-reveal", &deep);
    harness
        .state_mut()
        .overlay
        .act(Action::Rows(RowAction::End));
    harness.run_steps(3);
    assert!(!names(&harness).contains(&"thread main".to_owned()));
    program.set(&(deep + &line("audio", "g", 64, "a|b", "n")));
    compare_with_now(&mut harness);
    harness.run_steps(2);
    let shown = names(&harness);
    assert_eq!(
        shown[..5],
        ["thread audio", "group g", "scope a", "scope b", "name n"]
    );
}

#[test]
fn thousands_of_threads_and_groups_can_be_chosen_from() {
    let (mut harness, _) = opened("memory-many", &hostile());
    for (menu, first) in [
        ("Groups: all", "largest group"),
        ("Threads: all", "worker 4999"),
    ] {
        open(&mut harness, menu);
        let boxes = harness
            .query_all(by().role(egui::accesskit::Role::CheckBox))
            .count();
        assert!((8..30).contains(&boxes), "{boxes} of {menu} are laid out");
        assert!(harness.query_by_label(first).is_some(), "largest first");
        press(&mut harness, Key::Escape);
    }
}

#[test]
fn a_dump_of_tags_is_compared_with_one_of_allocations_on_their_common_levels() {
    let (mut harness, program) = opened("memory-mixed", ",,g,640,s,n,10\n,,h,64,s,n,1\n");
    program.set(
        &(lines(9, "main", "g", 64, "s", "n")
            + &lines(2, "other", "g", 32, "s", "n")
            + &line("main", "h", 94, "s", "n")),
    );
    compare_with_now(&mut harness);
    assert_eq!(
        names(&harness),
        [
            "group h", "scope s", "name n", "group g", "scope s", "name n"
        ]
    );
    assert_eq!(
        figures(&harness, "group h"),
        "94 B in 1 allocation, grown +30 B"
    );
    assert_eq!(
        figures(&harness, "group g"),
        "640 B in 11 allocations, unchanged, +1 allocation"
    );
    for level in ["level thread", "level size"] {
        assert!(
            harness.get_by_label(level).accesskit_node().is_disabled(),
            "{level}"
        );
    }
    // The newer one alone has all its levels.
    click(&mut harness, "Compare with");
    click(&mut harness, "none");
    settle(&mut harness);
    assert_eq!(names(&harness)[0], "thread main");
    assert_eq!(totals(&harness), "734 B in 12 allocations");
}
