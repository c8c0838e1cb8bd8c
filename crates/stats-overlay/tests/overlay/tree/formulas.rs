//! Series that the user computes from others.

use std::ops::ControlFlow;

use egui::{Event, Key, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::source::Listed;
use stats_core::{Recorder, Source, Unit, counter, find, gauge};
use stats_overlay::{Action, SavedPane, StatsOverlay};

use crate::host::{Host, click, harness, press, secondary_click, value_of};

/// Shows a pane of one series, with series in two units.
fn shown(scope: &'static str) -> Harness<'static, Host> {
    counter(&format!("{scope}/bytes")).unit(Unit::Bytes).add(1);
    gauge(&format!("{scope}/ms"))
        .unit(Unit::Milliseconds)
        .set(2);
    gauge(&format!("{scope}/agents")).set(4);
    let mut host = Host::full(scope);
    host.overlay
        .show_panes(&[SavedPane::new([format!("{scope}/bytes").as_str()])]);
    let mut harness = harness(vec2(1280.0, 800.0), host);
    harness.run_steps(3);
    harness
}

fn search(harness: &mut Harness<'_, Host>, text: &str) {
    harness.state_mut().overlay.act(Action::Search);
    harness.run_steps(2);
    harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    harness.event(Event::Text(text.to_owned()));
    harness.run_steps(3);
}

#[test]
fn a_formula_in_the_search_box_adds_a_series_to_the_pane() {
    let mut harness = shown("formula-add");
    search(&mut harness, "= formula-add/bytes / 2");
    assert_eq!(
        value_of(&harness, "Series"),
        "Enter adds derived/bytes per 2"
    );
    search(&mut harness, "= formula-add/bytes /");
    assert!(
        value_of(&harness, "Series").starts_with("a series is missing at byte 19"),
        "{}",
        value_of(&harness, "Series")
    );
    search(
        &mut harness,
        "formula-add/per agent = formula-add/bytes / formula-add/agents",
    );
    assert_eq!(
        value_of(&harness, "Series"),
        "Enter adds formula-add/per agent"
    );
    press(&mut harness, Key::Enter);
    assert_eq!(
        value_of(&harness, "Notice"),
        "Added formula-add/per agent, in the active pane"
    );
    let id = find("formula-add/per agent").expect("it was added");
    harness.state_mut().record(5, |frame| {
        counter("formula-add/bytes").add(frame);
    });
    harness.run_steps(3);
    // In the pane, and in the tree.
    assert!(
        harness
            .query_by_label("Solo formula-add/per agent")
            .is_some()
    );
    let overlay = &harness.state().overlay;
    assert_eq!(
        overlay.formulas().collect::<Vec<_>>(),
        [(
            "formula-add/per agent",
            "formula-add/bytes / formula-add/agents"
        )]
    );
    // Every other reader has it.
    let mut recorder = Recorder::new();
    let watch = recorder.watch(id);
    counter("formula-add/bytes").add(12);
    recorder.end_frame();
    assert_eq!(recorder.history(&watch, 1).last(), Some(3.0));
    // It can be removed, and added again.
    search(&mut harness, "per agent");
    secondary_click(&mut harness, "formula-add/per agent");
    click(&mut harness, "Remove its formula");
    assert!(
        harness
            .query_by_label("Solo formula-add/per agent")
            .is_none()
    );
    assert_eq!(harness.state().overlay.formulas().count(), 0);
    search(
        &mut harness,
        "formula-add/per agent = formula-add/bytes / formula-add/agents",
    );
    press(&mut harness, Key::Enter);
    harness.run_steps(3);
    assert!(
        harness
            .query_by_label("Solo formula-add/per agent")
            .is_some()
    );
    // Another formula needs another path.
    search(
        &mut harness,
        "formula-add/per agent = formula-add/agents / formula-add/bytes",
    );
    press(&mut harness, Key::Enter);
    assert_eq!(
        value_of(&harness, "Notice"),
        "Not added: \"formula-add/per agent\" keeps its formula until the program ends, even if it is \
         removed; choose another path"
    );
}

#[test]
fn a_wrong_formula_stays_in_the_box_and_says_what_to_write() {
    let mut harness = shown("formula-wrong");
    for (text, notice) in [
        (
            "= formula-wrong/bytes + formula-wrong/ms",
            "formula-wrong/bytes is in B and formula-wrong/ms is in ms",
        ),
        (
            "own = formula-wrong/bites / 2",
            "there is no series \"formula-wrong/bites\"; write a path that the tree shows",
        ),
        (
            "formula-wrong/ms = formula-wrong/bytes",
            "is the path of another series",
        ),
        ("a//b = 1", "cannot be the path of a derived series"),
        ("= median(formula-wrong/ms)", "\"median\" is not a function"),
    ] {
        search(&mut harness, text);
        press(&mut harness, Key::Enter);
        harness.run_steps(2);
        let shown = value_of(&harness, "Notice");
        assert!(
            shown.starts_with("Not added: ") && shown.contains(notice),
            "{text}: {shown}"
        );
        assert_eq!(harness.state().overlay.formulas().count(), 0);
    }
}

#[test]
fn formulas_are_saved_and_travel_in_the_line_of_their_view() {
    let _ = gauge("formula-saved/x");
    let mut overlay = StatsOverlay::new();
    let mut saved = overlay.saved();
    for (path, formula) in [
        ("formula-saved/twice", "formula-saved/x * 2"),
        ("formula-saved/four", "formula-saved/twice * 2"),
        ("formula-saved/other", "formula-saved/x + 1"),
        // A part of the path of another.
        ("saved/tw", "formula-saved/x + 2"),
        ("formula-saved/wrong", "formula-saved/x +"),
    ] {
        saved
            .layout
            .formulas
            .insert(path.to_owned(), formula.to_owned());
    }
    saved.layout.panes = vec![SavedPane::new(["formula-saved/four"])];
    assert_eq!(saved.to_string().parse().ok(), Some(saved.clone()));
    overlay.restore(&saved);
    let paths = |overlay: &StatsOverlay| -> Vec<String> {
        overlay
            .formulas()
            .map(|(path, _)| path.to_owned())
            .collect()
    };
    assert_eq!(
        paths(&overlay),
        [
            "formula-saved/four",
            "formula-saved/other",
            "formula-saved/twice",
            "saved/tw"
        ],
        "not the wrong one"
    );
    let mut second = StatsOverlay::new();
    second.show_view_line(&overlay.view_line()).expect("a view");
    assert_eq!(
        paths(&second),
        ["formula-saved/four", "formula-saved/twice"]
    );
    let mut recorder = Recorder::new();
    let watch = recorder.watch(find("formula-saved/four").expect("it was added"));
    gauge("formula-saved/x").set(5);
    for _ in 0..2 {
        recorder.end_frame();
    }
    assert_eq!(recorder.history(&watch, 1).last(), Some(20.0));
    second.restore(&StatsOverlay::new().saved());
    assert_eq!(second.formulas().count(), 0);
}

#[test]
fn a_series_of_the_program_stays_available_after_its_formula_was_removed() {
    let _ = gauge("formula-program/x");
    let path = |name: &str| format!("formula-program/{name}");
    let text = "formula-program/x * 3";
    stats_overlay::define_series(&path("its"), text).expect("it is new");
    let (mut overlay, before) = (StatsOverlay::new(), StatsOverlay::new().saved());
    let mut saved = overlay.saved();
    for name in ["its", "own"] {
        saved.layout.formulas.insert(path(name), text.to_owned());
    }
    let reason = |name: &str| {
        let (mut reason, path) = (None, path(name));
        let _ = Recorder::new().list(Listed::All, &mut |info| {
            if info.path == path {
                reason = Some(info.unavailable.map(str::to_owned));
            }
            ControlFlow::Continue(())
        });
        reason.expect("it is listed")
    };
    overlay.restore(&saved);
    assert_eq!(overlay.formulas().count(), 2);
    overlay.restore(&before);
    assert_eq!(overlay.formulas().count(), 0);
    assert!(reason("own").is_some_and(|why| why.contains("was removed")));
    assert_eq!(reason("its"), None);
    // What the program says stays, too.
    stats_core::set_unavailable(find(&path("its")).expect("it is defined"), Some("paused"));
    overlay.restore(&saved);
    assert_eq!(reason("own"), None);
    assert_eq!(reason("its").as_deref(), Some("paused"));
}
