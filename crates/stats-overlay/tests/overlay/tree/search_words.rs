//! Search words about a counter's behavior.

use egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{Unit, counter, gauge, timer};
use stats_overlay::Mode;

use crate::host::{Host, click, harness, value_of};

const SIZE: egui::Vec2 = vec2(1000.0, 900.0);

/// Records `count` frames. Calls `each` before each frame and steps the overlay after it.
fn frames(harness: &mut Harness<'_, Host>, count: u64, mut each: impl FnMut(u64)) {
    for frame in 0..count {
        each(frame);
        let next = harness.state().recorder.frames().end;
        harness.state_mut().record(next, |_| {});
        harness.run_steps(1);
    }
}

/// Returns the paths that the tree shows.
fn shown<'a>(harness: &Harness<'_, Host>, paths: &[&'a str]) -> Vec<&'a str> {
    paths
        .iter()
        .copied()
        .filter(|path| harness.query_by_label(path).is_some())
        .collect()
}

const NONE_OVER: &str = "No counter was over its budget in the last second";

/// Asserts that the tree says that it found nothing, above the whole tree.
fn assert_nothing_found(harness: &Harness<'_, Host>, text: &str, all: &[&str]) {
    assert!(harness.query_by_label(text).is_some(), "{text}");
    assert_eq!(shown(harness, all), all, "{text}");
}

fn searching(scope: &'static str, typed: &str) -> Harness<'static, Host> {
    let mut host = Host::full(scope);
    host.overlay.set_search(typed);
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    harness
}

#[test]
fn changed_finds_recent_changes_and_its_negation_the_rest() {
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
    let none = "No counter that matches the other words has changed in the last second";
    assert_nothing_found(&harness, none, &PATHS);
    harness.state_mut().overlay.set_search("changed");
    frames(&mut harness, 70, |_| {});
    assert!(
        shown(&harness, &PATHS).is_empty(),
        "a second later only the change of the frame time is recent"
    );
    still.set(3.0);
    frames(&mut harness, 12, |_| {});
    assert_eq!(shown(&harness, &PATHS), ["behave-changed/still"]);
}

#[test]
fn zero_finds_series_that_are_zero_in_the_newest_frame() {
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
    assert_nothing_found(
        &harness,
        NONE_OVER,
        &["behave-over/over", "behave-over/under"],
    );
}

#[test]
fn a_row_that_no_longer_matches_stays_dimmed_while_the_pointer_or_the_cursor_is_in_the_list() {
    let (over, other) = (
        counter("behave-dim/over").budget(10.0),
        counter("behave-dim/other").budget(10.0),
    );
    let row = "behave-dim/over";
    let mut harness = searching("behave-dim", "over-budget");
    for has_cursor in [false, true] {
        frames(&mut harness, 12, |_| over.add(11));
        assert_eq!(value_of(&harness, row), "11");
        match has_cursor {
            true => harness.key_press(egui::Key::ArrowDown),
            false => harness.hover_at(egui::pos2(60.0, 700.0)),
        }
        frames(&mut harness, 3, |_| over.add(11));
        let top = harness.get_by_label(row).rect().top();
        frames(&mut harness, 80, |_| other.add(11));
        assert_eq!(value_of(&harness, row), "0, no longer found");
        assert_eq!(harness.get_by_label(row).rect().top(), top);
        assert!(harness.query_by_label("behave-dim/other").is_none());
        // Closing and opening its folder keeps it, too.
        for _ in 0..2 {
            let is_open = harness.query_by_label(row).is_some();
            let verb = if is_open { "Close" } else { "Open" };
            click(&mut harness, &format!("{verb} behave-dim"));
            frames(&mut harness, 12, |_| {});
        }
        assert_eq!(value_of(&harness, row), "0, no longer found");
        harness.hover_at(egui::pos2(900.0, 850.0));
        // Another text releases the rows.
        for typed in ["", "over-budget"] {
            harness.state_mut().overlay.set_search(typed);
            harness.run_steps(1);
        }
        frames(&mut harness, 80, |_| {});
        assert_nothing_found(&harness, NONE_OVER, &["behave-dim/other", row]);
    }
}

#[test]
fn a_budget_set_later_takes_effect() {
    let late = counter("behave-late/x");
    let mut harness = searching("behave-late", "over-budget");
    frames(&mut harness, 12, |_| late.add(5));
    assert_nothing_found(&harness, NONE_OVER, &["behave-late/x"]);
    let _ = late.budget(4.0);
    frames(&mut harness, 12, |_| late.add(5));
    assert_eq!(shown(&harness, &["behave-late/x"]), ["behave-late/x"]);
}

/// Records frames with usual values, and then one in which `each` spikes.
fn spike(harness: &mut Harness<'_, Host>, mut each: impl FnMut(bool)) {
    frames(harness, 80, |_| each(false));
    frames(harness, 1, |_| each(true));
    frames(harness, 70, |_| each(false));
}

/// Returns the labels of these rows from the top to the bottom.
fn from_top<'a>(harness: &Harness<'_, Host>, paths: &[&'a str]) -> Vec<&'a str> {
    let mut shown = shown(harness, paths);
    shown.sort_by_key(|path| harness.get_by_label(path).rect().top() as i32);
    shown
}

#[test]
fn spiking_ranks_times_by_milliseconds_and_then_the_rest_by_multiples() {
    let (long, short, tiny) = (
        timer("behave-rank/long"),
        timer("behave-rank/short"),
        timer("behave-rank/tiny"),
    );
    let (calm, enemies) = (gauge("behave-rank/calm"), gauge("behave-rank/enemies"));
    let paths = [
        "behave-rank/calm",
        "behave-rank/enemies",
        "behave-rank/long",
        "behave-rank/short",
        "behave-rank/tiny",
    ];
    let mut harness = searching("behave-rank", "spiking");
    spike(&mut harness, |spikes| {
        let factor = if spikes { 4.0 } else { 1.0 };
        enemies.set(10.0 * factor);
        long.record_ms(2.0 * factor);
        short.record_ms(0.5 * factor);
        tiny.record_ms(0.01 * factor);
        calm.set(10.0);
    });
    assert_eq!(
        from_top(&harness, &paths),
        [
            "behave-rank/long",
            "behave-rank/short",
            "behave-rank/enemies"
        ]
    );
    assert_eq!(value_of(&harness, "Series"), "3 spiked in the last 2 s");
    assert_eq!(
        value_of(&harness, "behave-rank/long"),
        "peak 8.00 ms, +6.00 ms above usual, once, last 1 s ago"
    );
    assert_eq!(
        value_of(&harness, "behave-rank/enemies"),
        "peak 40, 4.0 × the usual value, once, last 1 s ago"
    );
    // A hit is selected like any other row, and stays for a minute.
    click(&mut harness, "behave-rank/short");
    let selected: Vec<&str> = harness.state().overlay.selected().collect();
    assert_eq!(selected, [stats_overlay::FRAME_TIME, "behave-rank/short"]);
    harness.state_mut().overlay.set_search("spiking short");
    harness.run_steps(2);
    assert_eq!(from_top(&harness, &paths), ["behave-rank/short"]);
    harness.state_mut().overlay.set_search("-spiking behave");
    frames(&mut harness, 12, |_| calm.set(10.0));
    let gauges = ["behave-rank/calm", "behave-rank/enemies"];
    assert_eq!(shown(&harness, &gauges), ["behave-rank/calm"]);
}

#[test]
fn spiking_knows_the_frames_before_it_was_typed() {
    let (spiked, calm) = (timer("behave-past/spiked"), timer("behave-past/calm"));
    let mut harness = searching("behave-past", "");
    spike(&mut harness, |spikes| {
        spiked.record_ms(if spikes { 9.0 } else { 1.0 });
        calm.record_ms(1.0);
    });
    for paused in [false, true] {
        harness.state_mut().overlay.set_search("");
        harness.run_steps(2);
        harness.state_mut().overlay.set_paused(paused);
        harness.state_mut().overlay.set_search("spiking");
        // No frame ends.
        harness.run_steps(3);
        assert_eq!(
            value_of(&harness, "behave-past/spiked"),
            "peak 9.00 ms, +8.00 ms above usual, once, last 1 s ago"
        );
        assert!(harness.query_by_label("behave-past/calm").is_none());
        assert_eq!(value_of(&harness, "Series"), "1 spiked in the last 2 s");
    }
}

/// Turns the search for hitches on or off.
fn set_hitches(harness: &mut Harness<'_, Host>, is_on: bool) {
    let overlay = &mut harness.state_mut().overlay;
    let mut settings = overlay.settings().clone();
    settings.hitches = is_on;
    overlay.set_settings(&settings);
}

#[test]
fn spiking_names_the_setting_that_it_needs() {
    let spiked = timer("behave-off/spiked");
    let mut harness = searching("behave-off", "spiking");
    let cure = "spiking needs the setting “find the causes of hitches”, which is off";
    for _ in 0..2 {
        set_hitches(&mut harness, false);
        frames(&mut harness, 20, |_| {});
        assert_eq!(value_of(&harness, "Series"), cure);
        assert!(harness.query_by_label(cure).is_some());
        set_hitches(&mut harness, true);
        spike(&mut harness, |spikes| {
            spiked.record_ms(if spikes { 9.0 } else { 1.0 })
        });
        let found = value_of(&harness, "behave-off/spiked");
        assert!(found.starts_with("peak 9.00 ms"), "{found}");
    }
    set_hitches(&mut harness, false);
    harness.state_mut().overlay.set_search("-spiking");
    frames(&mut harness, 20, |_| {});
    assert!(harness.query_by_label(cure).is_some());
    harness.state_mut().overlay.set_search("behave");
    frames(&mut harness, 20, |_| {});
    assert!(harness.query_by_label("behave-off/spiked").is_some());
}

#[test]
fn the_frame_time_is_ranked_too() {
    let mut harness = searching("behave-frame", "spiking");
    let at = |harness: &mut Harness<'_, Host>, secs: f64| {
        harness.state_mut().recorder.end_frame_at(secs);
        harness.run_steps(1);
    };
    let mut now = 0.0;
    for frame in 0..200 {
        now += if frame == 100 { 0.048 } else { 0.016 };
        at(&mut harness, now);
    }
    assert_eq!(
        value_of(&harness, stats_overlay::FRAME_TIME),
        "peak 48.00 ms, +32.00 ms above usual, once, last 1 s ago"
    );
}

#[test]
fn ranked_rows_stay_in_their_places_under_the_pointer() {
    let (a, b) = (timer("behave-hold/a"), timer("behave-hold/b"));
    let paths = ["behave-hold/a", "behave-hold/b"];
    let mut harness = searching("behave-hold", "spiking");
    spike(&mut harness, |spikes| {
        a.record_ms(if spikes { 8.0 } else { 1.0 });
        b.record_ms(if spikes { 5.0 } else { 1.0 });
    });
    assert_eq!(from_top(&harness, &paths), paths);
    // Below the rows, so that no help covers them.
    harness.hover_at(egui::pos2(60.0, 700.0));
    harness.run_steps(2);
    spike(&mut harness, |spikes| {
        a.record_ms(1.0);
        b.record_ms(if spikes { 50.0 } else { 1.0 });
    });
    assert_eq!(from_top(&harness, &paths), paths);
    assert!(value_of(&harness, paths[1]).starts_with("peak 50.00 ms"));
    harness.hover_at(egui::pos2(900.0, 850.0));
    frames(&mut harness, 70, |_| {
        a.record_ms(1.0);
        b.record_ms(1.0);
    });
    assert_eq!(from_top(&harness, &paths), [paths[1], paths[0]]);
}

#[test]
fn a_search_that_finds_nothing_names_the_behavior_that_no_counter_has() {
    let still = gauge("behave-nothing/x").budget(5.0);
    still.set(1.0);
    let mut host = Host::full("behave-nothing");
    // The frame time changes in every frame.
    host.recorder.has_clock = false;
    let mut harness = harness(SIZE, host);
    for (typed, text) in [
        ("spiking", "No counter has spiked in the last second"),
        ("changed", "No counter has changed in the last second"),
        (
            "over-budget",
            "No counter was over its budget in the last second",
        ),
        ("zero", "No counter is 0 in the newest frame"),
        (
            "changed x",
            "No counter that matches the other words has changed in the last second",
        ),
        ("xyz", "No counter matches “xyz”"),
    ] {
        harness.state_mut().overlay.set_search(typed);
        frames(&mut harness, 70, |_| {});
        assert!(harness.query_by_label(text).is_some(), "{typed}");
    }
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
fn a_source_without_surveys_says_so() {
    let _ = counter("behave-cannot/x");
    let mut host = Host::full("behave-cannot");
    host.recorder.surveys = false;
    let mut harness = harness(SIZE, host);
    for word in ["changed", "spiking"] {
        harness.state_mut().overlay.set_search(word);
        harness.run_steps(2);
        frames(&mut harness, 12, |_| {});
        assert_eq!(
            value_of(&harness, "Series"),
            "this source reports only the values of watched counters",
            "{word}"
        );
    }
    harness.state_mut().overlay.set_search("x");
    harness.run_steps(2);
    assert!(harness.query_by_label("behave-cannot/x").is_some());
}

#[test]
fn results_do_not_change_while_paused() {
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
