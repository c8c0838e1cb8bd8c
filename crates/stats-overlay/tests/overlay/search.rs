//! The search box.

use egui::{Event, Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable;
use stats_core::counter;

use crate::host::{Host, click, harness, press};

const SIZE: egui::Vec2 = vec2(1000.0, 700.0);

#[test]
fn a_slash_focuses_the_box_and_typing_narrows_the_tree() {
    let _ = counter("search-slash/alpha");
    let _ = counter("search-slash/beta");
    let mut harness = harness(SIZE, Host::full("search-slash"));
    harness.run_steps(3);
    harness.event(Event::Text("/".to_owned()));
    harness.run_steps(2);
    harness.event(Event::Text("SLASH alp".to_owned()));
    harness.run_steps(2);
    assert_eq!(
        harness.state().overlay.search(),
        "SLASH alp",
        "the slash itself is not typed"
    );
    assert!(harness.query_by_label("search-slash/alpha").is_some());
    assert!(harness.query_by_label("search-slash/beta").is_none());
    // Space is a space while one types.
    harness.key_down(Key::Space);
    harness.event(Event::Text(" ".to_owned()));
    harness.run_steps(2);
    assert!(!harness.state().overlay.paused());
    assert_eq!(harness.state().overlay.search(), "SLASH alp ");
}

#[test]
fn control_f_focuses_the_box() {
    let mut harness = harness(SIZE, Host::full("nothing"));
    harness.run_steps(3);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
    harness.run_steps(2);
    harness.event(Event::Text("xyz".to_owned()));
    harness.run_steps(2);
    assert_eq!(harness.state().overlay.search(), "xyz");
    assert!(harness.query_by_label("No counter matches “xyz”").is_some());
    click(&mut harness, "Clear search");
    assert_eq!(harness.state().overlay.search(), "");
}

#[test]
fn what_browsing_shows_is_untouched_by_a_search() {
    let _ = counter("search-fold/inner/a");
    let mut harness = harness(SIZE, Host::full("search-fold"));
    harness.run_steps(3);
    click(&mut harness, "Close search-fold/inner");
    harness.state_mut().overlay.set_search("search-fold");
    harness.run_steps(2);
    assert!(
        harness.query_by_label("search-fold/inner/a").is_some(),
        "results are open"
    );
    click(&mut harness, "Close search-fold");
    assert!(
        harness.query_by_label("search-fold/inner").is_none(),
        "results can be closed"
    );
    harness.state_mut().overlay.set_search("");
    harness.run_steps(2);
    assert!(harness.query_by_label("search-fold/inner").is_some());
    assert!(harness.query_by_label("search-fold/inner/a").is_none());
}

#[test]
fn new_counters_appear_in_a_standing_search() {
    let mut harness = harness(SIZE, Host::full("search-new"));
    harness.state_mut().overlay.set_search("search-new");
    harness.run_steps(2);
    assert!(harness.query_by_label("search-new/x").is_none());
    let _ = counter("search-new/x");
    harness.run_steps(2);
    assert!(harness.query_by_label("search-new/x").is_some());
}

#[test]
fn closed_results_stay_closed_when_counters_are_added() {
    let _ = counter("search-closed/inner/a");
    let mut harness = harness(SIZE, Host::full("search-closed"));
    harness.state_mut().overlay.set_search("search-closed");
    harness.run_steps(2);
    click(&mut harness, "Close search-closed/inner");
    let _ = counter("search-closed/another");
    harness.run_steps(2);
    assert!(harness.query_by_label("search-closed/another").is_some());
    assert!(harness.query_by_label("search-closed/inner/a").is_none());
}

#[test]
fn initials_find_what_is_alike() {
    let _ = counter("search-like/quick-zebra");
    let mut harness = harness(SIZE, Host::full("search-like"));
    harness.state_mut().overlay.set_search("slqz");
    harness.run_steps(2);
    assert!(harness.query_by_label("search-like/quick-zebra").is_some());
    press(&mut harness, Key::Escape);
}

#[test]
fn what_is_typed_in_the_frame_of_the_key_is_not_lost() {
    let mut harness = harness(SIZE, Host::full("nothing"));
    harness.run_steps(3);
    let find = Event::Key {
        key: Key::F,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::COMMAND,
    };
    let text = |text: &str| Event::Text(text.to_owned());
    harness
        .input_mut()
        .events
        .extend([text("x"), text("/"), text("a"), text("/b")]);
    harness.step();
    harness.run_steps(1);
    assert_eq!(harness.state().overlay.search(), "a/b");
    harness
        .input_mut()
        .events
        .extend([find.clone(), text("c"), text("d")]);
    harness.step();
    assert_eq!(
        harness.state().overlay.search(),
        "cd",
        "the old text is replaced"
    );
    click(&mut harness, "Table");
    harness
        .input_mut()
        .events
        .extend([text("x"), find, text("e")]);
    harness.step();
    harness.event(text("f"));
    harness.run_steps(2);
    assert_eq!(harness.state().overlay.search(), "ef");
}
