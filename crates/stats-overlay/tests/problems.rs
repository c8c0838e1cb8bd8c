//! The list of problems. Problems belong to the whole process, and their number is in the header of
//! every overlay, so this test has a process of its own.

#![cfg(feature = "enabled")]

use egui::{Key, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use stats_core::counter;
use stats_overlay::{Action, Mode, StatsOverlay};

/// Returns the texts copied in the last step.
fn copied(harness: &Harness<'_, StatsOverlay>) -> Vec<String> {
    let commands = harness.output().platform_output.commands.iter();
    let texts = commands.filter_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    texts.collect()
}

#[test]
fn the_list_shows_every_problem_in_full_and_copies_it() {
    let _ = counter("problems//empty segment");
    let long = format!("problems/{}", "a long name ".repeat(12).trim());
    counter(&long).add(f64::NAN);
    let line = line!() - 1;
    let mut overlay = StatsOverlay::new();
    overlay.set_mode(Mode::Full);
    let mut harness = Harness::builder()
        .with_size(vec2(640.0, 480.0))
        .build_ui_state(
            |ui, overlay: &mut StatsOverlay| overlay.show(ui.ctx()),
            overlay,
        );
    harness.run_steps(3);
    let texts: Vec<String> = stats_core::problems()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(texts.len(), 2);
    assert!(texts[1].contains(&long) && texts[1].contains(&format!("{}:{line}:", file!())));
    let is_listed =
        |harness: &Harness<'_, StatsOverlay>| harness.query_by_label("Copy all").is_some();
    // Opened and closed by a click, by the key and by code.
    harness.get_by_label("2 problems").click();
    harness.run_steps(2);
    assert!(is_listed(&harness));
    harness.key_press(Key::I);
    harness.run_steps(2);
    assert!(!is_listed(&harness));
    harness.state_mut().act(Action::ToggleProblems);
    harness.run_steps(2);
    assert!(is_listed(&harness));
    for (at, text) in texts.iter().enumerate() {
        let shown = harness.get_by_value(text);
        assert!(
            shown.rect().height() > 20.0,
            "in several lines: {}",
            shown.rect()
        );
        assert_eq!(shown.accesskit_node().value().as_ref(), Some(text));
        harness
            .get_by_label(&format!("Copy problem {}", at + 1))
            .click();
        let mut found = Vec::new();
        for _ in 0..3 {
            harness.step();
            found.extend(copied(&harness));
        }
        assert_eq!(found, std::slice::from_ref(text));
    }
    harness.get_by_label("Copy all").click();
    let mut found = Vec::new();
    for _ in 0..3 {
        harness.step();
        found.extend(copied(&harness));
    }
    assert_eq!(found, [texts.join("\n")]);
}
