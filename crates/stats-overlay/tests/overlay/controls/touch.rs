//! Fingers on a screen, with the events that egui-winit makes of them.

use egui::{Event, Modifiers, PointerButton, Pos2, TouchDeviceId, TouchId, TouchPhase, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::counter;

use crate::host::{Host, harness, selected, value_of};

const SIZE: egui::Vec2 = vec2(1000.0, 700.0);

/// Sends what a finger does. The first one also moves the pointer.
fn touch(harness: &mut Harness<'_, Host>, finger: u64, phase: TouchPhase, pos: Pos2) {
    harness.event(Event::Touch {
        device_id: TouchDeviceId(0),
        id: TouchId(finger),
        phase,
        pos,
        force: None,
    });
    if finger == 0 {
        if phase != TouchPhase::End {
            harness.event(Event::PointerMoved(pos));
        }
        if phase != TouchPhase::Move {
            harness.event(Event::PointerButton {
                pos,
                button: PointerButton::Primary,
                pressed: phase == TouchPhase::Start,
                modifiers: Modifiers::NONE,
            });
        }
        if phase == TouchPhase::End {
            harness.event(Event::PointerGone);
        }
    }
    harness.run_steps(1);
}

/// Moves fingers in small steps, each from one position to another.
fn swipe(harness: &mut Harness<'_, Host>, fingers: &[[Pos2; 2]]) {
    let each = |harness: &mut Harness<'_, Host>, phase, part: f32| {
        for (finger, [from, to]) in (0..).zip(fingers) {
            touch(harness, finger, phase, from.lerp(*to, part));
        }
    };
    each(harness, TouchPhase::Start, 0.0);
    (1..=20).for_each(|step| each(harness, TouchPhase::Move, step as f32 / 20.0));
    each(harness, TouchPhase::End, 1.0);
    harness.run_steps(20);
}

fn center(harness: &Harness<'_, Host>, label: &str) -> Pos2 {
    harness.get_by_label(label).rect().center()
}

#[test]
fn a_tap_selects_a_series_and_a_finger_scrolls_the_tree() {
    for number in 0..100 {
        let _ = counter(&format!("touch-tree-{number:03}"));
    }
    let mut harness = harness(SIZE, Host::full("touch-tree"));
    harness.run_steps(3);
    let from = center(&harness, "touch-tree-010");
    swipe(&mut harness, &[[from, from]]);
    assert!(selected(&harness).contains(&"touch-tree-010".to_owned()));
    swipe(&mut harness, &[[from, from - vec2(0.0, 200.0)]]);
    assert!(harness.query_by_label("touch-tree-000").is_none());
    assert_eq!(selected(&harness).len(), 2, "a swipe is no tap");
}

#[test]
fn a_long_touch_opens_the_menu_of_a_row() {
    let _ = counter("touch-menu/a");
    let mut harness = harness(SIZE, Host::full("touch-menu"));
    harness.run_steps(3);
    let at = center(&harness, "touch-menu/a");
    touch(&mut harness, 0, TouchPhase::Start, at);
    harness.run_steps(90);
    touch(&mut harness, 0, TouchPhase::End, at);
    harness.run_steps(5);
    assert!(harness.query_by_label("Pin to HUD").is_some());
    assert!(!selected(&harness).contains(&"touch-menu/a".to_owned()));
}

/// Returns the number of visible frames, as the strip says.
fn visible(harness: &Harness<'_, Host>) -> f64 {
    let said = value_of(harness, "All frames").replace(',', "");
    let numbers = said.split(' ').filter_map(|word| word.parse().ok());
    let numbers: Vec<f64> = numbers.collect();
    numbers[1] - numbers[0]
}

#[test]
fn one_finger_moves_the_frames_of_a_graph_and_two_zoom() {
    let mut harness = harness(SIZE, Host::full("touch-graph"));
    harness.state_mut().record(1999, |_| {});
    harness.run_steps(5);
    let middle = harness.get_by_label("value axis").rect().center() + vec2(200.0, 0.0);
    let before = visible(&harness);
    swipe(&mut harness, &[[middle, middle + vec2(150.0, 0.0)]]);
    assert_eq!(visible(&harness), before);
    assert!(harness.query_by_label("Back to newest").is_some());
    let apart = |by: f32| [middle - vec2(by, 0.0), middle + vec2(by, 0.0)];
    let [left, right] = apart(40.0);
    let [outer_left, outer_right] = apart(160.0);
    swipe(&mut harness, &[[left, outer_left], [right, outer_right]]);
    let zoomed = visible(&harness);
    assert!(zoomed < before * 0.5, "{before} to {zoomed}");
}
