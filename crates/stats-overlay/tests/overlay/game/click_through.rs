//! Pointer and keyboard input: the game below the HUD and the watched panes receives it, and the
//! overlay in full mode takes it.

use egui::{Event, Key, Modifiers, Pos2, vec2};
use egui_kittest::Harness;
use stats_overlay::Mode;

use crate::host::{Host, click_at, harness, press};

const SIZE: egui::Vec2 = vec2(1000.0, 700.0);

fn scroll_at(harness: &mut Harness<'_, Host>, pos: Pos2) {
    harness.hover_at(pos);
    harness.run_steps(1);
    harness.event(Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(0.0, -100.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
    harness.run_steps(10);
}

fn type_text(harness: &mut Harness<'_, Host>, text: &str) {
    harness.event(Event::Text(text.to_owned()));
    harness.run_steps(2);
}

#[test]
fn widgets_below_the_hud_and_watched_panes_take_clicks_scrolling_and_typing() {
    let modes = [Mode::Hud, Mode::Watch];
    for (mode, overlay_first) in modes
        .into_iter()
        .flat_map(|mode| [(mode, false), (mode, true)])
    {
        let mut host = Host {
            overlay_first,
            ..Host::new("nothing")
        };
        host.overlay.set_mode(mode);
        let mut settings = host.overlay.settings().clone();
        settings.watch_share = 1.0;
        host.overlay.set_settings(&settings);
        // Enough series that the HUD extends to the bottom.
        for number in 0..60 {
            host.overlay.select(&format!("nothing/{number}"));
        }
        let mut harness = harness(SIZE, host);
        harness.run_steps(3);
        let (button, list) = (harness.state().button.center(), harness.state().list);
        click_at(&mut harness, button);
        assert_eq!(harness.state().clicks, 1);
        // The HUD covers the upper part of the list.
        scroll_at(&mut harness, list.center_top() + vec2(0.0, 60.0));
        let scrolled = harness.state().scrolled;
        assert!(scrolled > 10.0, "{mode:?} swallowed the wheel");
        scroll_at(&mut harness, list.center());
        assert!(
            harness.state().scrolled > scrolled + 10.0,
            "{mode:?} swallowed the wheel below"
        );
        assert!(!harness.state().overlay.wants_input());
        let field = harness.state().field.center();
        click_at(&mut harness, field);
        type_text(&mut harness, "w");
        assert_eq!(harness.state().text, "w");
    }
}

#[test]
fn in_full_mode_no_input_reaches_the_host() {
    for overlay_first in [false, true] {
        let mut harness = harness(
            SIZE,
            Host {
                overlay_first,
                ..Host::new("nothing")
            },
        );
        harness.run_steps(2);
        let field = harness.state().field.center();
        click_at(&mut harness, field);
        type_text(&mut harness, "a");
        harness.state_mut().overlay.set_mode(Mode::Full);
        harness.run_steps(3);
        type_text(&mut harness, "b");
        press(&mut harness, Key::Backspace);
        assert_eq!(
            harness.state().text,
            "a",
            "the host's field still had the keyboard"
        );
        let (button, list) = (
            harness.state().button.center(),
            harness.state().list.center(),
        );
        click_at(&mut harness, button);
        click_at(&mut harness, field);
        type_text(&mut harness, "c");
        assert_eq!(
            (harness.state().clicks, harness.state().text.as_str()),
            (0, "a")
        );
        scroll_at(&mut harness, list);
        assert!(harness.state().scrolled < 1.0, "the host's list scrolled");
        for _ in 0..12 {
            press(&mut harness, Key::Tab);
        }
        type_text(&mut harness, "d");
        press(&mut harness, Key::Enter);
        assert_eq!(
            (harness.state().clicks, harness.state().text.as_str()),
            (0, "a"),
            "Tab walked into the host"
        );
        assert!(harness.ctx.egui_wants_keyboard_input() && harness.ctx.egui_wants_pointer_input());
    }
}

#[test]
fn closing_the_overlay_returns_all_input_to_the_host() {
    let mut harness = harness(SIZE, Host::full("nothing"));
    harness.run_steps(3);
    press(&mut harness, Key::F3);
    harness.run_steps(3);
    let button = harness.state().button.center();
    click_at(&mut harness, button);
    assert_eq!(harness.state().clicks, 1);
    harness.hover_at(Pos2::new(300.0, 400.0));
    harness.run_steps(2);
    assert!(!harness.ctx.egui_wants_keyboard_input());
}

#[test]
fn the_toggle_key_works_while_a_field_of_the_host_has_the_keyboard() {
    for overlay_first in [false, true] {
        let mut harness = harness(
            SIZE,
            Host {
                overlay_first,
                ..Host::new("nothing")
            },
        );
        harness.run_steps(2);
        let field = harness.state().field.center();
        click_at(&mut harness, field);
        press(&mut harness, Key::F3);
        assert_eq!(harness.state().overlay.mode(), Mode::Hud);
        assert_eq!(
            harness.state().saw_key,
            !overlay_first,
            "only widgets before the overlay see the key"
        );
    }
}

#[test]
fn the_overlay_does_not_move_the_host() {
    let mut harness = harness(SIZE, Host::new("nothing"));
    harness.run_steps(3);
    let before = (
        harness.state().button,
        harness.state().field,
        harness.state().list,
    );
    for mode in [Mode::Hud, Mode::Watch, Mode::Full] {
        harness.state_mut().overlay.set_mode(mode);
        harness.run_steps(3);
        assert_eq!(
            (
                harness.state().button,
                harness.state().field,
                harness.state().list
            ),
            before,
            "{mode:?}"
        );
    }
}

#[test]
fn closing_the_overlay_gives_the_keyboard_back_to_the_field_that_had_it() {
    for overlay_first in [false, true] {
        for leave in [Mode::Hidden, Mode::Hud, Mode::Watch] {
            let host = Host {
                overlay_first,
                ..Host::new("nothing")
            };
            let mut harness = harness(SIZE, host);
            harness.run_steps(2);
            let field = harness.state().field.center();
            click_at(&mut harness, field);
            type_text(&mut harness, "a");
            harness.state_mut().overlay.set_mode(Mode::Full);
            harness.run_steps(3);
            harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
            harness.run_steps(2);
            type_text(&mut harness, "typed into the search");
            assert_eq!(harness.state().text, "a");
            harness.state_mut().overlay.set_mode(leave);
            harness.run_steps(2);
            type_text(&mut harness, "b");
            assert_eq!(harness.state().text, "ab", "{overlay_first} {leave:?}");
            harness.run_steps(30);
            type_text(&mut harness, "c");
            assert_eq!(harness.state().text, "abc", "{overlay_first} {leave:?}");
        }
    }
}

#[test]
fn a_host_without_focus_has_none_after_the_overlay_closes() {
    let mut harness = harness(SIZE, Host::full("nothing"));
    harness.run_steps(3);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
    harness.run_steps(2);
    harness.state_mut().overlay.set_mode(Mode::Watch);
    harness.run_steps(3);
    assert!(!harness.ctx.egui_wants_keyboard_input());
}
