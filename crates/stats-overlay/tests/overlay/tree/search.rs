//! The search box.

use egui::{Event, Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable;
use stats_core::counter;
use stats_overlay::{Mode, PaneView};

use crate::host::{Host, click, harness, press, selected};

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
    // Space types a space while the box has the focus.
    harness.key_down(Key::Space);
    harness.event(Event::Text(" ".to_owned()));
    harness.run_steps(2);
    assert!(!harness.state().overlay.paused());
    assert_eq!(harness.state().overlay.search(), "SLASH alp ");
}

#[test]
fn a_host_that_requests_the_keyboard_in_every_frame_gets_no_letter() {
    for overlay_first in [false, true] {
        let mut host = Host::full("search/greedy");
        (host.overlay_first, host.requests_focus) = (overlay_first, true);
        let mut harness = harness(SIZE, host);
        harness.run_steps(3);
        for letter in "/nmt ab".chars() {
            (harness.input_mut().events).push(egui::Event::Text(letter.into()));
            harness.run_steps(2);
        }
        let host = harness.state();
        assert_eq!(host.overlay.search(), "nmt ab", "{overlay_first}");
        assert_eq!(host.text, "", "{overlay_first}");
        press(&mut harness, Key::Escape);
        harness.run_steps(2);
        assert_eq!(harness.state().overlay.search(), "", "Esc ends the search");
        assert_eq!(harness.state().overlay.mode(), Mode::Full);
        press(&mut harness, Key::T);
        harness.run_steps(2);
        assert_eq!(harness.state().overlay.view(), PaneView::Table);
    }
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
fn a_tree_without_rows_and_without_a_search_says_nothing_of_matches() {
    let mut host = Host::full("search-no-series");
    host.recorder.has_clock = false;
    let mut harness = harness(SIZE, host);
    harness.run_steps(3);
    assert!(harness.query_by_label_contains("No counter").is_none());
    harness.state_mut().overlay.set_search("xyz");
    harness.run_steps(2);
    assert!(harness.query_by_label("No counter matches “xyz”").is_some());
}

#[test]
fn a_search_does_not_change_the_browsing_state() {
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
fn new_counters_appear_in_an_active_search() {
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
fn initials_find_fuzzy_matches() {
    let _ = counter("search-like/quick-zebra");
    let mut harness = harness(SIZE, Host::full("search-like"));
    harness.state_mut().overlay.set_search("slqz");
    harness.run_steps(2);
    assert!(harness.query_by_label("search-like/quick-zebra").is_some());
    press(&mut harness, Key::Escape);
}

#[test]
fn letters_typed_in_the_frame_of_the_shortcut_are_not_lost() {
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

/// Returns the events of a key that types `character`: the key goes down, types and goes up. Some
/// hosts (bevy_egui) report the character before its key.
fn typed(character: char, text_first: bool) -> Vec<Event> {
    let key = |pressed| Event::Key {
        key: Key::from_name(&character.to_string()).expect("a key types the character"),
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    let text = Event::Text(character.to_string());
    if text_first {
        vec![text, key(true), key(false)]
    } else {
        vec![key(true), text, key(false)]
    }
}

#[test]
fn letters_typed_after_the_slash_never_act_however_the_events_are_spread_over_frames() {
    for text_first in [false, true] {
        let events: Vec<Event> = "/balls"
            .chars()
            .flat_map(|character| typed(character, text_first))
            .collect();
        // All in one frame; or the slash, parts of its key, and the first letter in the frame
        // before.
        for split in 0..=6 {
            let mut harness = harness(SIZE, Host::full("nothing"));
            harness.run_steps(3);
            let (before, panes) = (selected(&harness), harness.state().overlay.pane_count());
            for part in [&events[..split], &events[split..]] {
                harness.input_mut().events.extend_from_slice(part);
                harness.step();
            }
            harness.run_steps(2);
            let overlay = &harness.state().overlay;
            assert_eq!(overlay.search(), "balls", "split before event {split}");
            assert!(!overlay.paused());
            assert_eq!(overlay.view(), PaneView::Graph);
            assert_eq!(overlay.pane_count(), panes);
            assert_eq!(overlay.mode(), Mode::Full);
            assert_eq!(selected(&harness), before);
            assert!(
                harness.query_by_label("Search counters").is_some(),
                "the memory view did not open"
            );
        }
    }
}
