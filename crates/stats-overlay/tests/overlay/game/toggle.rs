//! One key cycles hidden → HUD → watch → full.

use egui::{Event, Key, Modifiers, OutputCommand, PointerButton, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::counter;
use stats_overlay::{Action, FRAME_TIME, Mode, StatsOverlay};

use crate::host::{Host, click, click_at, harness, press, value_of};
use crate::scoped::Scoped;

const SIZE: egui::Vec2 = vec2(1000.0, 700.0);

#[test]
fn one_key_cycles_hidden_hud_watch_full() {
    let mut harness = harness(SIZE, Host::new("nothing"));
    assert!(harness.query_by_label("Frame rate").is_none());
    press(&mut harness, Key::F3);
    assert_eq!(harness.state().overlay.mode(), Mode::Hud);
    assert!(harness.query_by_label("Frame rate").is_some());
    assert!(!harness.state().overlay.wants_input());
    press(&mut harness, Key::F3);
    assert_eq!(harness.state().overlay.mode(), Mode::Watch);
    assert!(harness.query_by_label("Frame rate").is_none());
    assert!(harness.query_by_label(FRAME_TIME).is_some());
    assert!(harness.query_by_label("Search counters").is_none());
    assert!(!harness.state().overlay.wants_input());
    press(&mut harness, Key::F3);
    assert_eq!(harness.state().overlay.mode(), Mode::Full);
    assert!(harness.state().overlay.wants_input());
    assert!(harness.query_by_label("Search counters").is_some());
    assert_eq!(value_of(&harness, "Title"), "overlay");
    press(&mut harness, Key::F3);
    assert_eq!(harness.state().overlay.mode(), Mode::Hidden);
    assert!(harness.query_by_label("Title").is_none());
}

#[test]
fn only_a_fresh_press_of_the_bare_key_counts() {
    let mut harness = harness(SIZE, Host::new("nothing"));
    for _ in 0..3 {
        harness.key_down(Key::F3);
        harness.run_steps(1);
        assert_eq!(
            harness.state().overlay.mode(),
            Mode::Hud,
            "held down it repeats"
        );
    }
    harness.key_up(Key::F3);
    harness.key_press_modifiers(Modifiers::ALT, Key::F3);
    harness.run_steps(3);
    assert_eq!(
        harness.state().overlay.mode(),
        Mode::Hud,
        "with Alt it is the host's"
    );
}

#[test]
fn the_toggle_key_can_be_changed_or_removed() {
    let mut harness = harness(SIZE, Host::new("nothing"));
    harness.state_mut().overlay.set_key(Some(Key::F10));
    press(&mut harness, Key::F3);
    assert_eq!(harness.state().overlay.mode(), Mode::Hidden);
    press(&mut harness, Key::F10);
    assert_eq!(harness.state().overlay.mode(), Mode::Hud);
    harness.state_mut().overlay.set_key(None);
    press(&mut harness, Key::F10);
    assert_eq!(harness.state().overlay.mode(), Mode::Hud);
}

#[test]
fn the_close_button_hides_it() {
    let mut harness = harness(SIZE, Host::full("nothing"));
    harness.run_steps(3);
    click(&mut harness, "Close");
    assert_eq!(harness.state().overlay.mode(), Mode::Hidden);
}

#[test]
fn the_hud_shows_rate_time_and_pinned_values() {
    let mut host = Host::new("toggle/hud");
    let counter = stats_core::counter("toggle/hud/things");
    host.overlay.set_mode(Mode::Hud);
    host.overlay.pin("toggle/hud/things");
    host.overlay.pin("toggle/hud/later");
    let mut harness = harness(SIZE, host);
    harness.run_steps(1);
    // After frame 0, 59 frames of 16 ms and one of 56 ms: one second.
    let state = harness.state_mut();
    state.record(30, |_| counter.add(7));
    let mut now = 31.0 * 0.016 + 0.056;
    for _ in 31..61 {
        counter.add(8);
        state.recorder.end_frame_at(now);
        now += 0.016;
    }
    harness.run_steps(10);
    assert_eq!(value_of(&harness, "Frame rate"), "60.0 fps");
    assert_eq!(value_of(&harness, "Frame time"), "16.67 ms");
    assert_eq!(value_of(&harness, "toggle/hud/things"), "8");
    assert_eq!(value_of(&harness, "toggle/hud/later"), "missing");
}

#[test]
fn time_before_the_first_call_is_not_a_frame() {
    let mut overlay = StatsOverlay::new();
    overlay.set_mode(Mode::Hud);
    // The game loads.
    std::thread::sleep(std::time::Duration::from_millis(50));
    let loaded = std::time::Instant::now();
    let mut harness = Harness::builder().build_ui_state(
        |ui, overlay: &mut StatsOverlay| overlay.show(ui.ctx()),
        overlay,
    );
    harness.run_steps(10);
    let recorder = harness.state().recorder();
    let first = recorder.frame(0).expect("two calls end a frame");
    let all_ms: f64 = recorder.frame_times(usize::MAX).iter().sum();
    assert!(first.start_secs >= 0.05, "{first:?}");
    assert!(all_ms <= loaded.elapsed().as_secs_f64() * 1e3, "{all_ms}");
}

/// Presses and releases the key above Tab as a window reports it: the key, then the character.
fn press_backtick(harness: &mut Harness<'_, Host>) {
    harness.key_down(Key::Backtick);
    harness.event(Event::Text("`".to_owned()));
    harness.run_steps(1);
    harness.key_up(Key::Backtick);
    harness.run_steps(1);
}

#[test]
fn a_printable_toggle_key_types_nothing_into_a_focused_field() {
    let mut host = Host::new("nothing");
    host.overlay.set_key(Some(Key::Backtick));
    host.overlay_first = true;
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    let field = harness.state().field.center();
    click_at(&mut harness, field);
    harness.event(Event::Text("a".to_owned()));
    press_backtick(&mut harness);
    assert_eq!(harness.state().overlay.mode(), Mode::Hud);
    assert_eq!(
        harness.state().text,
        "a",
        "the field has the keyboard, and only the key's own character is taken"
    );
    harness.state_mut().overlay.set_mode(Mode::Full);
    harness.run_steps(2);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
    harness.run_steps(2);
    harness.event(Event::Text("b".to_owned()));
    press_backtick(&mut harness);
    assert_eq!(harness.state().overlay.mode(), Mode::Hidden);
    assert_eq!(harness.state().overlay.search(), "b");
}

#[test]
fn the_hud_never_shows_a_value_beside_the_name_of_another_series() {
    let first = stats_core::counter("toggle/swap/first");
    let _ = stats_core::counter("toggle/swap/second");
    let mut host = Host::new("toggle/swap");
    host.overlay.set_mode(Mode::Hud);
    host.overlay.pin("toggle/swap/first");
    let mut harness = harness(SIZE, host);
    harness.run_steps(1);
    harness.state_mut().record(5, |_| first.add(7));
    harness.run_steps(10);
    assert_eq!(value_of(&harness, "toggle/swap/first"), "7");
    for _ in 0..6 {
        harness.state_mut().overlay.unpin("toggle/swap/first");
        harness.state_mut().overlay.pin("toggle/swap/second");
        harness.run_steps(1);
        assert_eq!(value_of(&harness, "toggle/swap/second"), "–");
    }
}

#[test]
fn each_press_within_one_frame_counts() {
    let mut harness = harness(SIZE, Host::new("nothing"));
    let key = |pressed| Event::Key {
        key: Key::F3,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    for pressed in [true, false, true, false] {
        harness.input_mut().events.push(key(pressed));
    }
    harness.step();
    assert_eq!(harness.state().overlay.mode(), Mode::Watch);
}

#[test]
fn the_full_mode_ends_a_drag_in_the_host() {
    let state = (StatsOverlay::new(), 0.0_f32, Scoped::new("nothing"));
    let mut harness = Harness::builder().with_size(SIZE).build_ui_state(
        |ui, (overlay, value, recorder): &mut (StatsOverlay, f32, Scoped)| {
            ui.add(
                egui::Slider::new(value, 0.0..=100.0)
                    .show_value(false)
                    .text("Level"),
            );
            overlay.show_with(ui.ctx(), recorder);
        },
        state,
    );
    harness.state_mut().0.set_mode(Mode::Watch);
    harness.run_steps(2);
    let start = harness
        .get_by_role(egui::accesskit::Role::Slider)
        .rect()
        .center();
    harness.event(Event::PointerMoved(start));
    harness.event(Event::PointerButton {
        pos: start,
        button: PointerButton::Primary,
        pressed: true,
        modifiers: Modifiers::NONE,
    });
    harness.run_steps(2);
    harness.event(Event::PointerMoved(start + vec2(10.0, 0.0)));
    harness.run_steps(2);
    let dragged = harness.state().1;
    assert!(dragged > 50.0);
    harness.key_press(Key::F3);
    harness.run_steps(2);
    assert_eq!(harness.state().0.mode(), Mode::Full);
    harness.event(Event::PointerMoved(start - vec2(30.0, 0.0)));
    harness.run_steps(3);
    assert_eq!(harness.state().1, dragged);
}

#[test]
fn a_toggle_key_that_types_nothing_consumes_no_text() {
    let mut host = Host::new("nothing");
    host.overlay_first = true;
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    let field = harness.state().field.center();
    click_at(&mut harness, field);
    harness.key_down(Key::F3);
    harness.run_steps(1);
    // egui has no key for the letters of many keyboard layouts.
    harness.event(Event::Text("é".to_owned()));
    harness.run_steps(1);
    harness.key_up(Key::F3);
    harness.run_steps(1);
    assert_eq!(
        (
            harness.state().overlay.mode(),
            harness.state().text.as_str()
        ),
        (Mode::Hud, "é")
    );
}

#[test]
fn actions_of_a_hidden_overlay_see_the_newest_frames_and_copy_at_once() {
    let a = counter("toggle-hidden/a");
    let mut host = Host::full("toggle-hidden");
    host.overlay.select("toggle-hidden/a");
    let mut harness = harness(vec2(800.0, 600.0), host);
    harness.run_steps(2);
    harness.state_mut().record(9, |_| a.add(1u64));
    harness.run_steps(2);
    harness.state_mut().overlay.set_mode(Mode::Hidden);
    harness.run_steps(2);
    harness.state_mut().record(29, |_| a.add(1u64));
    harness.run_steps(2);
    harness.state_mut().overlay.act(Action::CopyTsv);
    harness.step();
    let commands = &harness.output().platform_output.commands;
    let copied = commands.iter().find_map(|command| match command {
        OutputCommand::CopyText(text) => Some(text),
        _ => None,
    });
    // A head and 30 frames.
    assert_eq!(copied.map(|text| text.lines().count()), Some(31));
}
