//! Budgets that the user sets by hand: with keys, the pointer, a pad and code.

use egui::{Event, Key, Modifiers, OutputCommand, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{FRAME_TIME, counter, for_each_series, timer};
use stats_overlay::{Action, RowAction, SavedPane, StatsOverlay};

use crate::host::{Host, click, harness, press, secondary_click};

const SIZE: egui::Vec2 = vec2(1280.0, 800.0);

/// Returns the budget that every reader of the program sees.
fn budget_of(path: &str) -> Option<f64> {
    let mut found = None;
    for_each_series(|info| {
        if info.path == path {
            found = info.budget;
        }
    });
    found
}

/// Shows a counter with the budget 50 and a timer without one. The pane shows the counter.
fn shown(scope: &'static str) -> Harness<'static, Host> {
    counter(&format!("{scope}/x")).budget(50.0).add(1);
    timer(&format!("{scope}/t")).record_ms(3.0);
    let mut host = Host::full(scope);
    host.overlay
        .show_panes(&[SavedPane::new([format!("{scope}/x").as_str()])]);
    let mut harness = harness(SIZE, host);
    harness.run_steps(3);
    harness.state_mut().record(10, |_| {});
    harness.run_steps(3);
    harness
}

fn act(harness: &mut Harness<'_, Host>, action: Action) {
    harness.state_mut().overlay.act(action);
    harness.run_steps(3);
}

fn write(harness: &mut Harness<'_, Host>, text: &str) {
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.event(Event::Text(text.to_owned()));
    harness.run_steps(2);
    press(harness, Key::Enter);
}

#[test]
fn a_key_opens_the_budget_of_the_selected_series_and_enter_sets_it() {
    let mut harness = shown("budget-key");
    harness.key_press_modifiers(Modifiers::SHIFT, Key::L);
    harness.run_steps(3);
    write(&mut harness, "75.5");
    assert_eq!(budget_of("budget-key/x"), Some(75.5));
    let set: Vec<_> = harness.state().overlay.budgets().collect();
    assert_eq!(set, [("budget-key/x", 75.5)]);
    click(&mut harness, "Remove budget of budget-key/x");
    assert_eq!(budget_of("budget-key/x"), Some(50.0), "that of the program");
    assert_eq!(harness.state().overlay.budgets().count(), 0);
    click(&mut harness, "Back");
    assert!(harness.query_by_label("Copy for stats.toml").is_none());
}

#[test]
fn the_menus_of_the_tree_and_of_the_legend_open_the_budget_of_their_row() {
    let mut harness = shown("budget-menu");
    secondary_click(&mut harness, "budget-menu/t");
    click(&mut harness, "Set a budget…");
    write(&mut harness, "2500 µs");
    assert_eq!(
        budget_of("budget-menu/t"),
        Some(2.5),
        "in the unit of the series"
    );
    click(&mut harness, "Back");
    secondary_click(&mut harness, "Solo budget-menu/x");
    click(&mut harness, "Set a budget…");
    write(&mut harness, "60");
    assert_eq!(budget_of("budget-menu/x"), Some(60.0));
    click(&mut harness, "Copy for stats.toml");
    // The text is copied at the end of the pass.
    let text = "[budgets]\n\"budget-menu/t\" = \"2.5 ms\"\n\"budget-menu/x\" = \"60\"\n";
    assert_eq!(harness.state().overlay.budgets_toml(), text);
    harness.get_by_label("Copy for stats.toml").click();
    let copied = (0..3).find_map(|_| {
        harness.step();
        let commands = &harness.output().platform_output.commands;
        commands.iter().find_map(|command| match command {
            OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        })
    });
    assert_eq!(copied.as_deref(), Some(text));
    click(&mut harness, "Edit budget of budget-menu/t");
    click(&mut harness, "Remove");
    assert_eq!(budget_of("budget-menu/t"), None);
}

#[test]
fn a_pad_steps_to_a_budget_and_sets_it() {
    let mut harness = shown("budget-pad");
    act(&mut harness, Action::EditBudget);
    for _ in 0..3 {
        act(&mut harness, Action::Rows(RowAction::Up));
    }
    assert_eq!(budget_of("budget-pad/x"), Some(50.0), "not set yet");
    act(&mut harness, Action::Rows(RowAction::Activate));
    assert_eq!(budget_of("budget-pad/x"), Some(53.0));
    act(&mut harness, Action::EditBudget);
    assert!(harness.query_by_label("Copy for stats.toml").is_none());
}

#[test]
fn what_is_no_budget_gets_an_error_that_names_the_cure_and_sets_nothing() {
    let mut harness = shown("budget-wrong");
    act(&mut harness, Action::EditBudget);
    for (text, error) in [
        ("much", "\"much\" is not a number; write one, such as 200."),
        (
            "2 ms",
            "\"2 ms\" is in another unit than the series, which is in counts; write a number such as 200.",
        ),
    ] {
        harness.get_by_label("Budget").focus();
        harness.run_steps(2);
        write(&mut harness, text);
        assert!(harness.query_by_label(error).is_some(), "{text}");
    }
    assert_eq!(budget_of("budget-wrong/x"), Some(50.0));
    harness.state_mut().overlay.select("budget-wrong/t/calls");
    click(&mut harness, "Back");
    act(&mut harness, Action::EditBudget);
    let error = "budget-wrong/t/calls belongs to budget-wrong/t and has no budget of its own. Set \
                 one for budget-wrong/t.";
    assert!(harness.query_by_label(error).is_some());
}

#[test]
fn budgets_are_saved_and_travel_in_the_line_of_their_view() {
    let (x, other) = ("budget-saved/x", "budget-saved/other");
    counter(x).budget(50.0).add(1);
    counter(other).add(1);
    let mut overlay = StatsOverlay::new();
    overlay.select(x);
    overlay.set_budget(x, Some(70.0));
    overlay.set_budget(other, Some(5.0));
    overlay.set_budget("", Some(5.0));
    overlay.set_budget("budget-saved/nan", Some(f64::NAN));
    let (saved, line) = (overlay.saved(), overlay.view_line());
    assert_eq!(saved.to_string().parse().ok(), Some(saved.clone()));
    overlay.set_budget(x, None);
    overlay.set_budget(other, None);
    assert_eq!((budget_of(x), budget_of(other)), (Some(50.0), None));
    let mut second = StatsOverlay::new();
    second.show_view_line(&line).expect("a view");
    assert!(
        second.budgets().eq([(x, 70.0)]),
        "of the series in the panes"
    );
    assert_eq!((budget_of(x), budget_of(other)), (Some(70.0), None));
    second.restore(&saved);
    assert_eq!((budget_of(x), budget_of(other)), (Some(70.0), Some(5.0)));
    second.restore(&StatsOverlay::new().saved());
    assert_eq!((budget_of(x), budget_of(other)), (Some(50.0), None));
}

#[test]
fn the_budget_of_the_frame_time_is_a_setting() {
    let mut overlay = StatsOverlay::new();
    overlay.set_budget(FRAME_TIME, Some(8.0));
    assert_eq!(overlay.settings().frame_budget_ms, Some(8.0));
    assert_eq!(overlay.budgets().count(), 0);
    assert_eq!(overlay.budgets_toml(), "[budgets]\nframe = \"8 ms\"\n");
    overlay.set_budget(FRAME_TIME, Some(0.0));
    assert_eq!(overlay.settings().frame_budget_ms, Some(0.01));
    overlay.set_budget(FRAME_TIME, None);
    assert_eq!(overlay.settings().frame_budget_ms, None);
}
