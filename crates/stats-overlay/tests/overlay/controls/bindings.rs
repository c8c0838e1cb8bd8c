//! Keys, buttons of game pads and the tap with three fingers, and what the user binds them to.

use std::collections::BTreeSet;

use egui::{Event, Key, TouchDeviceId, TouchId, TouchPhase, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_overlay::{Action, Bindings, Mode, PadButton, Press, Settings, StatsOverlay};

use crate::host::{Host, click, harness, press, value_of};

const PAGE: &str = include_str!("../../../../../docs/overlay.md");
/// What unfolds the list of bindings.
const LIST: &str = "keys, buttons of game pads, and the tap with three fingers";
const SIZE: egui::Vec2 = vec2(1280.0, 4000.0);

/// Opens the settings with the list of bindings.
fn settings(host: Host) -> Harness<'static, Host> {
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    harness.state_mut().overlay.act(Action::ToggleSettings);
    harness.run_steps(3);
    click(&mut harness, LIST);
    // The list opens slowly.
    harness.run_steps(60);
    harness
}

fn is_paused(harness: &Harness<'_, Host>) -> bool {
    harness.state().overlay.paused()
}

#[test]
fn a_key_bound_in_the_settings_takes_the_place_of_the_standard_one() {
    let mut host = Host::full("bindings-settings");
    host.record(50, |_| {});
    let mut harness = settings(host);
    click(&mut harness, "Keys of: pause or resume");
    press(&mut harness, Key::F5);
    assert!(
        !is_paused(&harness),
        "the key is bound, and does nothing else"
    );
    press(&mut harness, Key::Space);
    assert!(!is_paused(&harness));
    press(&mut harness, Key::F5);
    assert!(is_paused(&harness));
    let saved = harness.state().overlay.saved();
    let bindings = &saved.settings.bindings;
    assert_eq!(
        bindings.action(Press::key(Key::F5)),
        Some(Action::TogglePause)
    );
    assert_eq!(
        saved
            .to_string()
            .parse::<stats_overlay::SavedState>()
            .unwrap(),
        saved
    );

    click(&mut harness, "Standard: pause or resume");
    harness.run_steps(2);
    assert_eq!(
        harness.state().overlay.settings().bindings,
        Bindings::default()
    );
}

#[test]
fn a_key_of_another_action_stays_there_and_a_notice_says_so() {
    let mut harness = settings(Host::full("bindings-taken"));
    click(&mut harness, "Keys of: pause or resume");
    press(&mut harness, Key::R);
    harness.run_steps(2);
    assert_eq!(
        value_of(&harness, "Notice"),
        "R is bound to “back to the newest frames”; unbind it first, or choose another"
    );
    click(&mut harness, "Keys of: pause or resume");
    press(&mut harness, Key::Escape);
    assert_eq!(
        harness.state().overlay.settings().bindings,
        Bindings::default()
    );
    assert!(
        harness.query_by_label("Keys of: pause or resume").is_some(),
        "Esc only ends the choice"
    );
}

#[test]
fn a_press_in_the_game_is_not_bound() {
    let mut harness = settings(Host::full("bindings-hidden"));
    let south = Press::Pad(PadButton::South);
    click(&mut harness, "Keys of: hide the overlay");
    let overlay = &mut harness.state_mut().overlay;
    overlay.set_mode(Mode::Hidden);
    assert!(!overlay.press(south), "before the next pass");
    overlay.set_mode(Mode::Full);
    click(&mut harness, "Keys of: back to the newest frames");
    press(&mut harness, Key::F3);
    let overlay = &mut harness.state_mut().overlay;
    assert_eq!(overlay.mode(), Mode::Hidden);
    assert!(!overlay.press(south));
    overlay.set_mode(Mode::Full);
    harness.run_steps(2);
    press(&mut harness, Key::F5);
    assert_eq!(
        harness.state().overlay.settings().bindings,
        Bindings::default()
    );
}

#[test]
fn a_panel_of_the_host_binds_the_next_key() {
    let ui = |ui: &mut egui::Ui, overlay: &mut StatsOverlay| overlay.ui(ui);
    let mut harness = Harness::builder()
        .with_size(SIZE)
        .with_step_dt(1.0 / 60.0)
        .build_ui_state(ui, StatsOverlay::new());
    harness.run_steps(2);
    harness.state_mut().act(Action::ToggleSettings);
    harness.run_steps(3);
    for (label, steps) in [(LIST, 60), ("Keys of: pause or resume", 2)] {
        harness.get_by_label(label).click();
        harness.run_steps(steps);
    }
    harness.key_press(Key::F5);
    harness.run_steps(2);
    let bindings = &harness.state().settings().bindings;
    assert_eq!(
        bindings.action(Press::key(Key::F5)),
        Some(Action::TogglePause)
    );
}

#[test]
fn an_action_can_be_left_without_any_press() {
    let mut harness = settings(Host::full("bindings-none"));
    let name = "None: hidden, HUD, watch, full";
    click(&mut harness, name);
    let bindings = &harness.state().overlay.settings().bindings;
    assert_eq!(bindings.presses(Action::CycleMode).next(), None);
    assert!(harness.query_by_label(name).is_none());
}

#[test]
fn conflicts_from_code_are_said_in_a_notice_and_in_the_settings() {
    let mut host = Host::full("bindings-conflicts");
    let mut settings = host.overlay.settings().clone();
    settings.key = Some(Key::F1);
    host.overlay.set_settings(&settings);
    let mut harness = harness(SIZE, host);
    harness.run_steps(3);
    let said =
        "F1 shows and hides the overlay, so it does not perform “this help”: bind another key";
    assert_eq!(value_of(&harness, "Notice"), said);
    harness.state_mut().overlay.act(Action::ToggleSettings);
    harness.run_steps(3);
    assert!(harness.query_by_label(said).is_some());
}

#[test]
fn the_first_steps_of_the_help_leave_room_for_the_way_back() {
    for width in [640.0, 800.0, 1280.0, 1920.0] {
        let size = vec2(width, 600.0);
        let mut harness = harness(size, Host::full("bindings-help-room"));
        harness.run_steps(2);
        harness.state_mut().overlay.act(Action::ToggleHelp);
        harness.run_steps(3);
        let back = harness.get_by_label("Back").rect();
        let steps = ["help hidden, HUD, watch, full", "help one step back"];
        for step in steps {
            let line = harness.get_by_label(step).rect();
            assert!(!line.intersects(back), "{width}: {line}, {back}");
        }
    }
}

#[test]
fn a_bound_key_is_in_the_help() {
    let mut host = Host::full("bindings-help");
    let mut settings = host.overlay.settings().clone();
    settings.bindings.unbind(Press::key(Key::Space));
    let bound = settings
        .bindings
        .bind(Press::key(Key::F6), Action::TogglePause);
    bound.expect("F6 is free");
    host.overlay.set_settings(&settings);
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    harness.state_mut().overlay.act(Action::ToggleHelp);
    harness.run_steps(3);
    assert_eq!(value_of(&harness, "help pause or resume"), "F6");
}

#[test]
fn over_the_game_a_pad_performs_only_what_makes_sense_there() {
    let taken = |mode: Mode| -> BTreeSet<String> {
        let of_mode = PadButton::ALL.iter().filter(|&&button| {
            let mut overlay = StatsOverlay::new();
            overlay.set_mode(mode);
            overlay.press(Press::Pad(button))
        });
        of_mode.map(|button| format!("{button:?}")).collect()
    };
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    assert_eq!(taken(Mode::Hidden), names(&["LeftThumb", "Select"]));
    assert_eq!(taken(Mode::Hud), taken(Mode::Hidden));
    assert_eq!(
        taken(Mode::Watch),
        names(&[
            "LeftThumb",
            "LeftTrigger",
            "RightTrigger",
            "Select",
            "Start"
        ])
    );
    assert_eq!(taken(Mode::Full).len(), PadButton::ALL.len());
}

#[test]
fn the_release_of_a_button_goes_to_the_side_of_its_press() {
    let mut overlay = StatsOverlay::new();
    let (select, south) = (Press::Pad(PadButton::Select), Press::Pad(PadButton::South));
    assert!(!overlay.press(south));
    for mode in [Mode::Hud, Mode::Watch, Mode::Full] {
        assert!(overlay.press(select));
        assert_eq!(overlay.mode(), mode);
    }
    assert!(!overlay.release(south), "the game saw it pressed");
    assert!(overlay.press(south));
    overlay.set_mode(Mode::Hidden);
    assert!(overlay.release(south), "the game did not see it pressed");
    assert!(!overlay.release(south));
    assert!(overlay.release(select));
}

#[test]
fn a_button_can_be_bound_or_left_to_the_game() {
    let mut overlay = StatsOverlay::new();
    let mut settings = Settings::default();
    settings.bindings.unbind(Press::Pad(PadButton::Select));
    let bound = (settings.bindings).bind(Press::Pad(PadButton::Mode), Action::ShowFull);
    bound.expect("it is free");
    overlay.set_settings(&settings);
    assert!(!overlay.press(Press::Pad(PadButton::Select)));
    assert!(overlay.press(Press::Pad(PadButton::Mode)));
    assert_eq!(overlay.mode(), Mode::Full);
}

/// Touches the screen with three fingers and lifts them.
fn tap(harness: &mut Harness<'_, Host>) {
    for phase in [TouchPhase::Start, TouchPhase::End] {
        for finger in 0..3 {
            harness.event(Event::Touch {
                device_id: TouchDeviceId(0),
                id: TouchId(finger),
                phase,
                pos: pos2(400.0 + finger as f32 * 50.0, 300.0),
                force: None,
            });
        }
    }
    harness.run_steps(1);
}

#[test]
fn a_tap_with_three_fingers_cycles_the_modes_without_code_of_the_host() {
    let mut harness = harness(vec2(1000.0, 700.0), Host::new("bindings-tap"));
    for mode in [Mode::Hud, Mode::Watch, Mode::Full, Mode::Hidden] {
        tap(&mut harness);
        assert_eq!(harness.state().overlay.mode(), mode);
    }
}

#[test]
fn a_tap_counts_once_in_a_pass_that_shows_the_overlay_twice() {
    let shown = |ui: &mut egui::Ui, overlay: &mut StatsOverlay| {
        overlay.show(ui.ctx());
        overlay.show(ui.ctx());
    };
    let mut harness = Harness::builder()
        .with_step_dt(1.0 / 60.0)
        .build_ui_state(shown, StatsOverlay::new());
    for phase in [TouchPhase::Start, TouchPhase::End] {
        for finger in 0..3 {
            harness.event(Event::Touch {
                device_id: TouchDeviceId(0),
                id: TouchId(finger),
                phase,
                pos: pos2(100.0, 100.0),
                force: None,
            });
        }
    }
    harness.run_steps(1);
    assert_eq!(harness.state().mode(), Mode::Hud);
}

/// Returns the cells of the rows of the table that follows a line of the page.
fn table(after: &str) -> Vec<Vec<&'static str>> {
    let from = PAGE.find(after).expect(after);
    let lines = PAGE[from..]
        .lines()
        .skip_while(|line| !line.starts_with('|'));
    let rows = lines.take_while(|line| line.starts_with('|')).skip(2);
    let cells = |row: &'static str| row.trim_matches('|').split(" |").map(str::trim).collect();
    rows.map(cells).collect()
}

/// Returns the texts between backticks.
fn quoted(cell: &'static str) -> Vec<&'static str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// Returns the keys that a cell names: in backticks, or as words.
fn keys_of(cell: &str) -> Vec<Press> {
    let words = cell.split([' ', '\u{a0}']);
    let words = words
        .map(|word| word.trim_matches('`'))
        .map(|word| match word {
            "," => word.to_owned(),
            _ => word.trim_end_matches([',', '`']).to_owned(),
        });
    let words = words.filter(|word| !["", "or"].contains(&word.as_str()));
    let key = |word: String| {
        let word = word.replace('↑', "ArrowUp").replace('↓', "ArrowDown");
        let word = word.replace('←', "ArrowLeft").replace('→', "ArrowRight");
        word.parse()
            .unwrap_or_else(|error| panic!("{cell}: {error}"))
    };
    words.map(key).collect()
}

/// Returns the name of an action on the page as its name in saved settings.
fn name_on_page(text: &str, first: &str) -> String {
    let row = text.strip_prefix("Rows(RowAction::");
    match row.and_then(|row| row.strip_suffix(')')) {
        Some(row) => format!("Rows({row})"),
        None if first.starts_with("Rows(") && !text.starts_with("Rows(") => format!("Rows({text})"),
        None => text.to_owned(),
    }
}

#[test]
fn the_page_lists_every_action_with_its_keys() {
    let bindings = Bindings::default();
    let mut listed = BTreeSet::new();
    for row in table("| action | key | what it does |") {
        let quoted = quoted(row[0]);
        let Some(&first) = quoted.first() else {
            continue;
        };
        if first == "ToggleView(PaneView)" {
            continue;
        }
        let names = quoted.iter().map(|text| name_on_page(text, first));
        let actions: Vec<Action> = names
            .map(|name| Action::from_name(&name).unwrap_or_else(|| panic!("{name}?")))
            .collect();
        for action in &actions {
            assert!(listed.insert(action.name()), "{action:?} is listed twice");
        }
        if actions == [Action::CycleMode] {
            // Its key is a setting.
            continue;
        }
        let keys = keys_of(row[1]);
        for key in &keys {
            let action = bindings.action(*key);
            assert!(
                action.is_some_and(|of| actions.contains(&of)),
                "{row:?}: {key}"
            );
        }
        for action in &actions {
            let own = bindings.presses(*action);
            let own: Vec<Press> = own.filter(|of| matches!(of, Press::Key { .. })).collect();
            let is_listed = own.iter().any(|key| keys.contains(key));
            assert_eq!(is_listed, !own.is_empty(), "{row:?}: {action:?}");
        }
    }
    // The graph is what the other views return to.
    listed.insert(Action::ToggleView(stats_overlay::PaneView::Graph).name());
    let all: BTreeSet<&str> = Action::all().map(Action::name).collect();
    assert_eq!(listed, all);
}

#[test]
fn the_page_lists_every_button_of_a_pad_and_the_tap() {
    let listed: Vec<(Press, Action)> = table("| press | action |")
        .into_iter()
        .map(|row| {
            let (press, name) = (quoted(row[0])[0], quoted(row[1])[0]);
            let action = Action::from_name(&name_on_page(name, ""));
            (press.parse().expect(press), action.expect(name))
        })
        .collect();
    let bound = Bindings::default();
    let bound: Vec<(Press, Action)> = (bound.iter())
        .filter(|(press, _)| !matches!(press, Press::Key { .. }))
        .collect();
    assert_eq!(listed, bound);
}
