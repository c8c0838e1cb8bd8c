//! The words of the search that ask what counters do.

use egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{Unit, counter, gauge};
use stats_overlay::Mode;

use crate::host::{Host, harness, value_of};

const SIZE: egui::Vec2 = vec2(1000.0, 900.0);

/// Pushes so many frames, calling `each` before each of them, with a step of the overlay after
/// each.
fn frames(harness: &mut Harness<'_, Host>, count: u64, mut each: impl FnMut(u64)) {
    for frame in 0..count {
        each(frame);
        let next = harness.state().recorder.frames().end;
        harness.state_mut().record(next, |_| {});
        harness.run_steps(1);
    }
}

/// Which of these paths are in the tree.
fn shown<'a>(harness: &Harness<'_, Host>, paths: &[&'a str]) -> Vec<&'a str> {
    paths
        .iter()
        .copied()
        .filter(|path| harness.query_by_label(path).is_some())
        .collect()
}

fn searching(scope: &'static str, typed: &str) -> Harness<'static, Host> {
    let mut host = Host::full(scope);
    host.overlay.set_search(typed);
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    harness
}

#[test]
fn changed_finds_what_moved_in_the_last_frames_and_its_opposite_the_rest() {
    let (moved, still) = (
        counter("behave-changed/moved"),
        gauge("behave-changed/still"),
    );
    const PATHS: [&str; 2] = ["behave-changed/moved", "behave-changed/still"];
    let _ = still;
    let mut harness = searching("behave-changed", "changed");
    assert_eq!(value_of(&harness, "Series"), "waiting for a frame to end");
    frames(&mut harness, 12, |frame| moved.add(u64::from(frame < 5)));
    assert_eq!(shown(&harness, &PATHS), ["behave-changed/moved"]);
    harness.state_mut().overlay.set_search("behave -changed");
    frames(&mut harness, 12, |_| {});
    assert_eq!(shown(&harness, &PATHS), ["behave-changed/still"]);
    harness.state_mut().overlay.set_search("changed still");
    frames(&mut harness, 12, |_| {});
    assert!(
        shown(&harness, &PATHS).is_empty(),
        "words and text hold together"
    );
    harness.state_mut().overlay.set_search("changed");
    frames(&mut harness, 70, |_| {});
    assert!(
        shown(&harness, &PATHS).is_empty(),
        "a second later it is not lately any more"
    );
    still.set(3.0);
    frames(&mut harness, 12, |_| {});
    assert_eq!(shown(&harness, &PATHS), ["behave-changed/still"]);
}

#[test]
fn zero_finds_what_the_newest_frame_had_none_of() {
    let (some, none) = (gauge("behave-zero/some"), counter("behave-zero/none"));
    some.set(1.0);
    none.add(7);
    let mut harness = searching("behave-zero", "zero");
    frames(&mut harness, 12, |_| {});
    assert_eq!(
        shown(&harness, &["behave-zero/none", "behave-zero/some"]),
        ["behave-zero/none"]
    );
    harness.state_mut().overlay.set_search("-zero");
    frames(&mut harness, 12, |_| {});
    assert_eq!(
        shown(&harness, &["behave-zero/none", "behave-zero/some"]),
        ["behave-zero/some"]
    );
}

#[test]
fn over_budget_finds_a_single_frame_for_a_second() {
    let (over, under) = (
        counter("behave-over/over").budget(10.0),
        counter("behave-over/under").budget(10.0),
    );
    let mut harness = searching("behave-over", "over-budget");
    frames(&mut harness, 12, |frame| {
        over.add(if frame == 3 { 11 } else { 10 });
        under.add(10);
    });
    assert_eq!(
        shown(&harness, &["behave-over/over", "behave-over/under"]),
        ["behave-over/over"]
    );
    frames(&mut harness, 70, |_| under.add(10));
    assert!(shown(&harness, &["behave-over/over", "behave-over/under"]).is_empty());
}

#[test]
fn a_budget_given_later_counts() {
    let late = counter("behave-late/x");
    let mut harness = searching("behave-late", "over-budget");
    frames(&mut harness, 12, |_| late.add(5));
    assert!(shown(&harness, &["behave-late/x"]).is_empty());
    let _ = late.budget(4.0);
    frames(&mut harness, 12, |_| late.add(5));
    assert_eq!(shown(&harness, &["behave-late/x"]), ["behave-late/x"]);
}

#[test]
fn spiking_finds_what_is_far_above_its_usual() {
    let (spiky, calm) = (gauge("behave-spike/spiky"), gauge("behave-spike/calm"));
    let paths = ["behave-spike/calm", "behave-spike/spiky"];
    let mut harness = searching("behave-spike", "spiking");
    frames(&mut harness, 80, |frame| {
        spiky.set(10.0 + (frame % 3) as f64);
        calm.set(10.0 + (frame % 3) as f64);
    });
    assert!(shown(&harness, &paths).is_empty());
    spiky.set(60.0);
    frames(&mut harness, 1, |_| {});
    spiky.set(10.0);
    frames(&mut harness, 12, |_| {});
    assert_eq!(shown(&harness, &paths), ["behave-spike/spiky"]);
}

#[test]
fn units_are_found_by_symbol_and_name() {
    let _ = counter("behave-unit/b").unit(Unit::Bytes);
    let _ = counter("behave-unit/n");
    let paths = ["behave-unit/b", "behave-unit/n", stats_overlay::FRAME_TIME];
    let mut harness = searching("behave-unit", "unit:Bytes");
    assert_eq!(shown(&harness, &paths), ["behave-unit/b"]);
    for (typed, wanted) in [
        ("unit:b", vec![paths[0]]),
        ("unit:count", vec![paths[1]]),
        ("-unit:bytes", vec![paths[1], paths[2]]),
        ("unit:ms", vec![paths[2]]),
        ("unit", vec![paths[0], paths[1]]),
    ] {
        harness.state_mut().overlay.set_search(typed);
        harness.run_steps(2);
        assert_eq!(shown(&harness, &paths), wanted, "{typed}");
    }
}

#[test]
fn a_source_that_cannot_tell_says_so() {
    let _ = counter("behave-cannot/x");
    let mut host = Host::full("behave-cannot");
    host.recorder.surveys = false;
    host.overlay.set_search("changed");
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    frames(&mut harness, 12, |_| {});
    assert_eq!(
        value_of(&harness, "Series"),
        "this source does not report what its counters do"
    );
    harness.state_mut().overlay.set_search("x");
    harness.run_steps(2);
    assert!(harness.query_by_label("behave-cannot/x").is_some());
}

#[test]
fn results_stand_still_while_paused() {
    let moved = counter("behave-pause/x");
    let mut harness = searching("behave-pause", "changed");
    frames(&mut harness, 12, |_| moved.add(1));
    harness.state_mut().overlay.set_paused(true);
    frames(&mut harness, 100, |_| {});
    assert!(harness.query_by_label("behave-pause/x").is_some());
    harness.state_mut().overlay.set_paused(false);
    frames(&mut harness, 12, |_| {});
    assert!(harness.query_by_label("behave-pause/x").is_none());
    harness.state_mut().overlay.set_mode(Mode::Hidden);
    harness.run_steps(2);
}
