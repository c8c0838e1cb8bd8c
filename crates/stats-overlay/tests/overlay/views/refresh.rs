//! How far figures may lag behind their frames, for any speed of the program and any refresh rate
//! of the overlay.

use egui::{Key, Pos2, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_overlay::{Action, Mode, PaneView};

use crate::host::{Host, harness_at, press, value_of};
use crate::painted::painted;

const SIZE: Vec2 = vec2(1280.0, 800.0);
/// The overlay's refresh levels.
const LEVELS: [&str; 3] = ["2nd", "4th", "8th"];

/// Records one frame of `step_secs` and draws the next.
fn pass(harness: &mut Harness<'_, Host>, step_secs: f64) {
    let host = harness.state_mut();
    let next = host.recorder.frames().end;
    host.recorder.end_frame_at((next + 1) as f64 * step_secs);
    harness.run_steps(1);
}

/// Returns a host in full mode whose overlay is over its budget until it draws only every
/// `level`-th frame and says so.
fn slowed(
    scope: &'static str,
    view: PaneView,
    step_secs: f64,
    name: &str,
) -> Harness<'static, Host> {
    let mut host = Host::full(scope);
    host.overlay.set_view(view);
    let mut settings = host.overlay.settings().clone();
    settings.overlay_budget_ms = 0.01;
    host.overlay.set_settings(&settings);
    let mut harness = harness_at(SIZE, step_secs as f32, host);
    for _ in 0..400 {
        pass(&mut harness, step_secs);
        let is_slowed = harness.query_by_label("Slowed").is_some();
        if is_slowed
            && value_of(&harness, "Slowed").ends_with(&format!("graphs every {name} frame"))
        {
            return harness;
        }
    }
    panic!("never every {name} frame");
}

#[test]
fn a_debug_build_explains_why_the_overlay_is_slow_and_names_the_cure() {
    let step_secs = 0.016;
    let mut harness = slowed("refresh-hint", PaneView::Graph, step_secs, "8th");
    let text = harness.get_by_label("Slowed").rect();
    let strip = harness.get_by_label("All frames").rect();
    assert!(
        strip.expand(2.0).contains_rect(text),
        "{text} is in the caption of the strip"
    );
    let is_cure = |(_, text): &(_, String)| text.ends_with("in this debug build: opt-level = 2");
    let has_cure = painted(&harness).iter().any(is_cure);
    assert_eq!(has_cure, cfg!(debug_assertions));
    harness.hover_at(text.center());
    for _ in 0..100 {
        pass(&mut harness, step_secs);
    }
    let hint = harness.query_by_label_contains("opt-level = 2 for egui");
    assert_eq!(hint.is_some(), cfg!(debug_assertions));
}

#[test]
fn the_line_over_the_game_says_what_the_overlay_takes_as_far_as_it_has_room() {
    let mut harness = slowed("refresh-watch", PaneView::Graph, 0.016, "8th");
    for (width, starts_with) in [(1280.0, "overlay "), (420.0, "graphs every ")] {
        harness.set_size(vec2(width, 800.0));
        harness.state_mut().overlay.set_mode(Mode::Watch);
        (0..40).for_each(|_| pass(&mut harness, 0.016));
        let painted = painted(&harness);
        let mut texts = painted.iter().map(|(_, text)| text);
        let said = texts.find(|text| text.contains("graphs every"));
        let said = said.expect("it is slowed");
        assert!(said.starts_with(starts_with), "{said} at {width}");
        let whole = value_of(&harness, "Watch");
        assert!(whole.starts_with("overlay ") && !whole.contains("opt-level"));
    }
}

/// Returns the number of frames that the statistics title names.
fn counted(harness: &Harness<'_, Host>) -> u64 {
    let text = value_of(harness, "Frames");
    let digits = text
        .chars()
        .take_while(|&letter| letter != ' ')
        .filter_map(|letter| letter.to_digit(10));
    digits.fold(0, |number, digit| number * 10 + u64::from(digit))
}

/// Returns the maximum number of frames that figures may lag: the frames of 0.2 s, and one more.
fn most_behind(step_secs: f64) -> u64 {
    (0.2 / step_secs) as u64 + 1
}

#[test]
fn figures_keep_up_with_their_frames_at_any_frame_rate() {
    for step_secs in [0.25, 0.1, 0.03, 0.016] {
        for level in LEVELS {
            let mut harness = slowed("refresh-none", PaneView::Statistics, step_secs, level);
            for at in 0..24 {
                pass(&mut harness, step_secs);
                // Frame 0 is left out; at most 600 frames are on screen.
                let expected = (harness.state().recorder.frames().end - 1).min(600);
                let behind = expected.saturating_sub(counted(&harness));
                assert!(
                    behind <= most_behind(step_secs),
                    "{behind} frames at {step_secs} s, every {level}, pass {at}"
                );
            }
        }
    }
}

#[test]
fn figures_keep_up_while_the_pointer_moves() {
    for level in LEVELS {
        let mut harness = slowed("refresh-none", PaneView::Statistics, 0.016, level);
        for at in 0..40 {
            harness.hover_at(Pos2::new(400.0 + at as f32, 500.0));
            pass(&mut harness, 0.016);
            let expected = (harness.state().recorder.frames().end - 1).min(600);
            let behind = expected.saturating_sub(counted(&harness));
            assert!(
                behind <= most_behind(0.016),
                "{behind} frames, every {level}, pass {at}"
            );
        }
    }
}

#[test]
fn values_in_tree_and_legend_keep_up_too() {
    let level = stats_core::gauge("refresh-values/level");
    for of in LEVELS {
        let mut harness = slowed("refresh-values", PaneView::Graph, 0.25, of);
        for at in 0..20 {
            level.set(at * 10);
            pass(&mut harness, 0.25);
            assert_eq!(
                value_of(&harness, "refresh-values/level"),
                (at * 10).to_string()
            );
        }
        assert!(value_of(&harness, "legend frame time").starts_with("now 250"));
        harness.state_mut().recorder.end_frame_at(1e4);
        harness.run_steps(1);
        assert!(!value_of(&harness, "legend frame time").starts_with("now 250"));
    }
}

#[test]
fn a_request_takes_effect_in_the_next_pass() {
    for level in LEVELS {
        let mut harness = slowed("refresh-none", PaneView::Statistics, 0.016, level);
        for _ in 0..700 {
            pass(&mut harness, 0.016);
        }
        press(&mut harness, Key::Space);
        assert!(harness.state().overlay.paused());
        harness.run_steps(3);
        let mut before = counted(&harness);
        assert!(before.abs_diff(600) <= 1, "{before}");
        // At every position between two full refreshes.
        for zoom in 0..9 {
            harness.state_mut().overlay.act(Action::ZoomIn);
            harness.run_steps(2);
            let now = counted(&harness);
            let expected = 600.0 / 1.25_f64.powi(zoom + 1);
            assert!(
                now < before && (now as f64 - expected).abs() <= 2.0,
                "{now} of {expected}, every {level}"
            );
            before = now;
        }
        harness.state_mut().overlay.act(Action::ZoomOut);
        harness.run_steps(2);
        assert!(counted(&harness) > before);
        harness.state_mut().overlay.select_frames(Some(100..142));
        harness.run_steps(1);
        assert!(value_of(&harness, "Frames").starts_with("selected frames 100 to 141: 42 frames"));
    }
}
