//! Frames over budget: their spans, the keys that walk them, and the offer of another budget.

use egui::{Key, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{Source as _, counter};
use stats_overlay::{Action, FRAME_TIME, Mode, SavedPane};

use crate::allocations::fewest_in_a_frame;
use crate::host::{Host, click, harness, press, value_of};
use crate::painted::painted;

const SIZE: egui::Vec2 = vec2(1280.0, 800.0);
const OFFER: &str = "Set the budget to 50 ms";

/// 900 frames of a counter with a budget of 50. It is 60 in frames 400 to 599 and in frame 700, and
/// 400 in frame 800. Every second frame from 300 to 398 is over budget as well.
fn with_spans(path: &'static str) -> Harness<'static, Host> {
    let x = counter(path).budget(50.0);
    let mut host = Host::full(path);
    host.overlay.show_panes(&[SavedPane::new([path])]);
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    harness.state_mut().record(899, |frame| {
        x.add(match frame {
            300..400 if frame % 2 == 0 => 60,
            400..600 | 700 => 60,
            800 => 400,
            _ => 45,
        });
    });
    harness.run_steps(10);
    harness
}

/// Returns the frame whose values the legend shows.
fn at(harness: &mut Harness<'_, Host>, path: &str) -> String {
    harness.run_steps(8);
    let text = value_of(harness, &format!("legend {path}"));
    text.split_whitespace()
        .nth(1)
        .expect("a word after the first")
        .replace(',', "")
}

#[test]
fn keys_walk_the_beginnings_of_spans_over_budget() {
    let path = "over-keys/x";
    let mut harness = with_spans(path);
    for expected in ["800", "700", "400", "398"] {
        press(&mut harness, Key::OpenCurlyBracket);
        assert_eq!(at(&mut harness, path), expected);
    }
    assert!(harness.state().overlay.paused(), "the frame stays in view");
    for expected in ["400", "700", "800"] {
        press(&mut harness, Key::CloseCurlyBracket);
        assert_eq!(at(&mut harness, path), expected);
    }
    press(&mut harness, Key::CloseCurlyBracket);
    assert_eq!(
        value_of(&harness, "Notice"),
        "No later frames over budget in this pane"
    );
    // The keys of spikes skip them: only one frame stands out.
    press(&mut harness, Key::CloseBracket);
    assert_eq!(value_of(&harness, "Notice"), "No later spike in this pane");
    press(&mut harness, Key::Period);
    press(&mut harness, Key::OpenBracket);
    assert_eq!(at(&mut harness, path), "800");
    press(&mut harness, Key::OpenBracket);
    assert_eq!(
        value_of(&harness, "Notice"),
        "No earlier spike in this pane"
    );
}

#[test]
fn a_typed_brace_walks_spans_on_every_keyboard_layout() {
    let path = "over-typed/x";
    let mut harness = with_spans(path);
    harness.event(egui::Event::Text("{".to_owned()));
    harness.run_steps(2);
    assert_eq!(at(&mut harness, path), "800");
}

#[test]
fn spans_and_spikes_have_a_lane_each() {
    let path = "over-length/x";
    let mut harness = with_spans(path);
    let spans = value_of(&harness, "Over budget");
    assert!(
        spans.starts_with("over-length/x frame 300, frame 302, ")
            && spans.ends_with("and 45 more spans"),
        "{spans}"
    );
    assert_eq!(
        value_of(&harness, "Marked spikes"),
        "frame 800 over-length/x 400"
    );
    // Stacked series are not at their own height, and have no spans.
    harness.state_mut().overlay.act(Action::ToggleStacked);
    harness.run_steps(4);
    assert!(harness.query_by_label("Marked spikes").is_some());
}

#[test]
fn budgets_that_are_exceeded_pointed_at_or_alone_have_tags_before_others() {
    let paths = ["over", "a", "b", "c", "d", "within"].map(|name| format!("over-tag/{name}"));
    // Equal budgets share a tag.
    let counters: Vec<_> = (50..)
        .zip(&paths)
        .map(|(budget, path)| counter(path).budget(f64::from(budget)))
        .collect();
    let mut host = Host::full("over-tag");
    let pane = SavedPane::new(paths.iter().map(String::as_str));
    host.overlay.show_panes(&[pane]);
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    harness.state_mut().record(300, |frame| {
        counters.iter().for_each(|counter| counter.add(44));
        counters[0].add(if frame == 200 { 16 } else { 1 });
    });
    harness.run_steps(10);
    let has = |harness: &Harness<'_, Host>, path: &str| {
        let budget = 50 + paths.iter().position(|known| known == path).unwrap_or(0);
        let tag = format!("budget {budget} {path}");
        harness.query_by_label(&tag).is_some()
    };
    let [over, a, .., within] = &paths;
    assert!(has(&harness, over) && has(&harness, a) && !has(&harness, within));
    let tags = |harness: &Harness<'_, Host>| {
        let tags = harness.query_all_by_label_contains("budget 5");
        tags.count()
    };
    assert_eq!(
        tags(&harness),
        4,
        "other budgets have a tag if there are few"
    );
    let row = harness.get_by_label(&format!("Solo {within}")).rect();
    harness.hover_at(row.center());
    harness.run_steps(4);
    assert!(has(&harness, over) && has(&harness, within), "pointed at");
    assert_eq!(tags(&harness), 4);
    click(&mut harness, &format!("Solo {within}"));
    harness.hover_at(egui::pos2(2.0, 2.0));
    harness.run_steps(8);
    assert!(!has(&harness, over) && has(&harness, within), "alone");
}

#[test]
fn tags_in_a_narrow_graph_have_the_name_of_their_series_only_under_the_pointer() {
    let paths = ["low", "high"].map(|name| format!("over-narrow/{name}"));
    let budgets = [25.0, 50.0];
    let counters = [0, 1].map(|at| counter(&paths[at]).budget(budgets[at]));
    let mut host = Host::full("over-narrow");
    let pane = SavedPane::new(paths.iter().map(String::as_str));
    host.overlay.show_panes(&[pane]);
    let mut harness = harness(vec2(800.0, 600.0), host);
    harness.run_steps(2);
    harness.state_mut().record(300, |_| {
        let counted = counters.iter().zip(budgets);
        counted.for_each(|(counter, budget)| counter.add(budget as i64 - 5));
    });
    harness.run_steps(10);
    let tag = |harness: &Harness<'_, Host>, at: usize| {
        let label = format!("budget {} {}", budgets[at], paths[at]);
        harness.get_by_label(&label).rect()
    };
    let texts = |harness: &Harness<'_, Host>, at: usize| {
        let texts = painted(harness).into_iter();
        let tag = tag(harness, at);
        let texts = texts.filter(|(area, text)| tag.contains(area.center()) && !text.is_empty());
        texts.map(|(_, text)| text).collect::<Vec<_>>()
    };
    assert_eq!([0, 1].map(|at| texts(&harness, at)), [["25"], ["50"]]);
    let low = tag(&harness, 0);
    harness.hover_at(egui::pos2(low.right() + 60.0, low.center().y));
    harness.run_steps(4);
    let named = format!("budget 25 {}", paths[0]);
    assert_eq!(texts(&harness, 0), [named.as_str()], "pointed at");
    assert_eq!(texts(&harness, 1), ["50"]);
}

#[test]
fn the_tags_of_more_budgets_allocate_no_more() {
    let allocations = |scope: &'static str, budgets: usize| {
        let mut host = Host::full(scope);
        let paths: Vec<String> = (0..4).map(|at| format!("{scope}/{at}")).collect();
        for (at, path) in paths.iter().enumerate() {
            let of = counter(path);
            let budget = 50.0 + at as f64;
            let of = if at < budgets { of.budget(budget) } else { of };
            of.add(44);
        }
        let pane = SavedPane::new(paths.iter().map(String::as_str));
        host.overlay.show_panes(&[pane]);
        host.overlay.set_mode(Mode::Watch);
        fewest_in_a_frame(&mut host, SIZE, |host| {
            let frame = host.recorder.frames().end;
            paths.iter().for_each(|path| counter(path).add(44));
            host.recorder.end_frame_at((frame + 1) as f64 * 0.016);
        })
    };
    let one = allocations("over-steady-one", 1);
    let four = allocations("over-steady-four", 4);
    assert!(four <= one, "{one} with one tag, {four} with four");
}

#[test]
fn another_budget_finds_other_spans_also_while_paused() {
    let mut harness = harness(SIZE, Host::full("over-change"));
    harness.run_steps(2);
    harness.state_mut().record(600, |_| {});
    harness.run_steps(10);
    harness.state_mut().overlay.set_paused(true);
    harness.run_steps(4);
    press(&mut harness, Key::OpenCurlyBracket);
    assert_eq!(
        value_of(&harness, "Notice"),
        "No earlier frames over budget in this pane"
    );
    let mut settings = harness.state().overlay.settings().clone();
    settings.frame_budget_ms = Some(10.0);
    harness.state_mut().overlay.set_settings(&settings);
    harness.run_steps(4);
    press(&mut harness, Key::OpenCurlyBracket);
    assert_eq!(at(&mut harness, FRAME_TIME), "1", "frame 0 does not count");
}

/// Returns a program whose frames take 44 ms.
fn slow(scope: &'static str) -> Harness<'static, Host> {
    let mut host = Host::full(scope);
    (1..400).for_each(|frame| host.recorder.end_frame_at(f64::from(frame) * 0.044));
    let mut harness = harness(SIZE, host);
    harness.run_steps(4);
    harness
}

#[test]
fn a_program_that_is_always_over_budget_is_offered_another_budget() {
    let mut harness = slow("over-offer");
    assert!(harness.query_by_label(OFFER).is_some());
    click(&mut harness, OFFER);
    harness.run_steps(4);
    assert!(harness.query_by_label(OFFER).is_none());
    let overlay = &harness.state().overlay;
    assert_eq!(overlay.settings().frame_budget_ms, Some(50.0));
    assert_eq!(overlay.saved().settings.frame_budget_ms, Some(50.0));
    assert_eq!(
        value_of(&harness, "Notice"),
        "The frame budget is now 50 ms. You can change it in the settings."
    );
    press(&mut harness, Key::A);
    assert_eq!(value_of(&harness, "Notice"), "No budget is offered");
}

#[test]
fn an_offer_can_be_accepted_by_a_key_or_dismissed() {
    let mut harness = slow("over-key");
    press(&mut harness, Key::A);
    let budget_ms = harness.state().overlay.settings().frame_budget_ms;
    assert_eq!(budget_ms, Some(50.0));
    let mut harness = slow("over-dismiss");
    click(&mut harness, "Dismiss");
    harness.run_steps(200);
    assert!(harness.query_by_label(OFFER).is_none());
    let budget_ms = harness.state().overlay.settings().frame_budget_ms;
    assert_eq!(budget_ms, Some(1000.0 / 60.0));
}

#[test]
fn a_healthy_program_is_offered_nothing() {
    let mut harness = harness(SIZE, Host::full("over-healthy"));
    harness.run_steps(2);
    harness.state_mut().record(900, |_| {});
    harness.run_steps(100);
    assert!(harness.query_by_label_contains("Typical frame").is_none());
}
