//! The cards of the first steps.

use egui::{Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{counter, timer};
use stats_overlay::{FRAME_TIME, PaneView};

use crate::host::{Host, click, harness, selected};

const SIZE: Vec2 = vec2(1280.0, 800.0);
const CARDS: [&str; 4] = [
    "It is slow",
    "It stutters",
    "Memory grows",
    "Too many draw calls",
];

/// Returns a full overlay that was never used, with two seconds of frames.
fn first(scope: &'static str) -> Harness<'static, Host> {
    let mut host = Host::full(scope);
    let mut settings = host.overlay.settings().clone();
    settings.first_steps = true;
    host.overlay.set_settings(&settings);
    let draws = counter(&format!("{scope}/draw-calls"));
    let [step, mix] = ["step", "mix"].map(|name| timer(&format!("{scope}/{name}")));
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    for frame in 0..130 {
        draws.add(10);
        step.record_ms(4.0);
        mix.record_ms(1.0);
        harness
            .state_mut()
            .recorder
            .end_frame_at(f64::from(frame) * 0.016);
        harness.run_steps(1);
    }
    harness
}

fn has_cards(harness: &Harness<'_, Host>) -> bool {
    let shown = CARDS.map(|card| harness.query_by_label(card).is_some());
    assert!(shown.iter().all(|one| *one == shown[0]), "{shown:?}");
    shown[0]
}

#[test]
fn one_click_answers_each_question_and_the_cards_do_not_come_back() {
    for card in CARDS {
        let mut harness = first("steps-all");
        assert!(has_cards(&harness));
        click(&mut harness, card);
        harness.run_steps(3);
        assert!(!has_cards(&harness), "{card}");
        assert!(!harness.state().overlay.saved().settings.first_steps);
        let overlay = &harness.state().overlay;
        let selected = selected(&harness);
        match card {
            "It is slow" => {
                assert_eq!(selected, ["steps-all/step", "steps-all/mix"]);
                assert_eq!(overlay.search(), "unit:ms");
            }
            "It stutters" => {
                assert_eq!(
                    (overlay.view(), overlay.pane_count()),
                    (PaneView::Hitches, 2)
                );
            }
            "Memory grows" => assert_eq!(overlay.search(), "unit:bytes"),
            _ => assert_eq!(selected, ["steps-all/draw-calls"]),
        }
    }
}

#[test]
fn the_cards_can_be_dismissed_and_small_windows_have_none() {
    let mut harness = first("steps-none");
    click(&mut harness, "Dismiss the first steps");
    harness.run_steps(2);
    assert!(!has_cards(&harness));
    assert_eq!(selected(&harness), [FRAME_TIME]);
    let mut harness = first("steps-small");
    harness.set_size(vec2(420.0, 300.0));
    harness.run_steps(3);
    assert!(!has_cards(&harness));
}
