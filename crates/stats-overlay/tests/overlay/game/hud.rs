//! The HUD: its texts, that its numbers change only at refreshes, and that it stays on the screen.

use egui::{Key, Rect, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{Unit, counter, gauge, histogram};
use stats_overlay::{HudSize, Mode};

use crate::host::{Host, harness, press, value_of};
use crate::painted::{has_text, place_of, texts};

const SIZE: Vec2 = vec2(1000.0, 700.0);

/// Returns a harness whose HUD shows these series of a scope.
fn with_hud(scope: &'static str, series: &[&str], size: Vec2) -> Harness<'static, Host> {
    let mut host = Host::new(scope);
    host.overlay.set_mode(Mode::Hud);
    for name in series {
        host.overlay.pin(&format!("{scope}/{name}"));
        host.overlay.select(&format!("{scope}/{name}"));
    }
    let mut harness = harness(size, host);
    harness.run_steps(2);
    harness
}

#[test]
fn a_value_over_its_budget_says_so() {
    let draws = counter("hud-budget/draws").budget(100.0);
    let mut harness = with_hud("hud-budget", &["draws", "later"], SIZE);
    harness.state_mut().record(20, |_| draws.add(100));
    harness.run_steps(8);
    assert_eq!(value_of(&harness, "hud-budget/draws"), "100");
    assert_eq!(value_of(&harness, "hud-budget/later"), "missing");
    harness.state_mut().record(21, |_| draws.add(101));
    harness.run_steps(8);
    assert_eq!(value_of(&harness, "hud-budget/draws"), "101 over budget");
}

#[test]
fn frames_over_the_budget_are_counted() {
    let mut harness = with_hud("hud-frames", &[], SIZE);
    let mut now = 0.0;
    for frame in 0..101 {
        // Frame 0 does not count; of the others every twentieth is slow.
        now += if frame % 20 == 10 { 0.040 } else { 0.016 };
        harness.state_mut().recorder.end_frame_at(now);
    }
    harness.run_steps(8);
    let over = value_of(&harness, "Frames over budget");
    assert_eq!(over, "5 of 100 over budget");
    // 55 frames of 16 ms and three of 40 ms take one second.
    assert_eq!(value_of(&harness, "Frame time"), "17.24 ms");
    // All of the last second are slow.
    for _ in 0..40 {
        now += 0.030;
        harness.state_mut().recorder.end_frame_at(now);
    }
    harness.run_steps(8);
    assert_eq!(value_of(&harness, "Frame time"), "30.00 ms over budget");
    // The budget has a unit.
    assert!(has_text(&harness, "16.7 ms"));
}

#[test]
fn a_histogram_is_shown_by_its_samples_and_its_frames_as_sums() {
    let length = histogram("hud-samples/length").unit(Unit::Meters);
    let _ = histogram("hud-samples/empty");
    let mut harness = with_hud("hud-samples", &["length", "empty"], SIZE);
    // Each frame has the samples 0 to 25, whose sum is 325.
    harness.state_mut().record(20, |_| {
        (0..=25).for_each(|sample| length.record(f64::from(sample)));
    });
    harness.run_steps(8);
    let samples = "12.50 p99 25.00 m";
    assert_eq!(value_of(&harness, "hud-samples/length"), samples);
    assert_eq!(value_of(&harness, "hud-samples/empty"), "–");
    harness.state_mut().overlay.set_mode(Mode::Full);
    harness.run_steps(8);
    assert_eq!(
        value_of(&harness, "hud-samples/length"),
        samples,
        "in the tree"
    );
    let legend = value_of(&harness, "legend hud-samples/length");
    assert!(legend.contains("now 325"), "the graph shows sums: {legend}");
    let is_painted = |wanted| has_text(&harness, wanted);
    assert!(is_painted("sum of length") || is_painted("sum of hud-samples/length"));
    // A pause keeps both.
    press(&mut harness, Key::Space);
    length.record(1e6);
    harness.run_steps(8);
    assert_eq!(value_of(&harness, "hud-samples/length"), samples, "paused");
}

#[test]
fn numbers_change_ten_times_a_second_at_most() {
    let x = gauge("hud-steady/x").unit(Unit::Meters);
    let mut harness = with_hud("hud-steady", &["x"], SIZE);
    let (mut changes, mut before) = (0, String::new());
    for step in 0..60 {
        harness
            .state_mut()
            .record(step, |frame| x.set(frame as f64 / 3.0));
        harness.run_steps(1);
        let now = value_of(&harness, "hud-steady/x");
        assert!(
            now == "–"
                || now
                    .split_once('.')
                    .is_some_and(|(_, decimals)| decimals.len() == 4),
            "{now}: two decimals, m"
        );
        changes += usize::from(now != before);
        before = now;
    }
    assert!((8..=12).contains(&changes), "{changes} changes in a second");
}

#[test]
fn a_notice_is_shown_in_a_hud_of_every_size_and_for_a_while() {
    for (scope, size) in [
        ("hud-notice-small", HudSize::Small),
        ("hud-notice-medium", HudSize::Medium),
        ("hud-notice-large", HudSize::Large),
        ("hud-notice-line", HudSize::Line),
    ] {
        let mut harness = with_hud(scope, &[], SIZE);
        let mut settings = harness.state().overlay.settings().clone();
        settings.hud_size = size;
        harness.state_mut().overlay.set_settings(&settings);
        harness.state_mut().record(40, |_| {});
        harness.run_steps(8);
        assert!(harness.query_by_label("Notice").is_none(), "{size:?}");
        harness.state_mut().overlay.mark_moment("the bridge");
        harness.run_steps(2);
        let said = "Marked moment 1: the bridge";
        assert_eq!(value_of(&harness, "Notice"), said, "{size:?}");
        assert!(has_text(&harness, said), "{size:?}");
        // Seven seconds.
        harness.run_steps(420);
        assert!(harness.query_by_label("Notice").is_none(), "{size:?}");
    }
}

#[test]
fn a_notice_grows_old_while_the_overlay_is_hidden() {
    for (scope, steps, is_shown) in [
        ("hud-notice-young", 60, true),
        ("hud-notice-old", 420, false),
    ] {
        let mut harness = with_hud(scope, &[], SIZE);
        harness.state_mut().record(40, |_| {});
        harness.state_mut().overlay.set_mode(Mode::Hidden);
        harness.state_mut().overlay.mark_moment("the bridge");
        harness.run_steps(steps);
        harness.state_mut().overlay.set_mode(Mode::Hud);
        harness.run_steps(8);
        let notice = harness.query_by_label("Notice");
        assert_eq!(notice.is_some(), is_shown, "after {steps} steps");
    }
}

/// Returns the rectangles of all pinned series in the HUD.
fn lines(harness: &Harness<'_, Host>, scope: &str) -> Vec<Rect> {
    (0..60)
        .filter_map(|number| Some(harness.query_by_label(&format!("{scope}/{number}"))?.rect()))
        .collect()
}

#[test]
fn a_hud_with_many_pins_stays_on_the_screen() {
    for (scope, size, least) in [
        ("hud-many-a", vec2(420.0, 320.0), 8),
        ("hud-many-b", vec2(1280.0, 800.0), 30),
        ("hud-many-c", vec2(120.0, 100.0), 0),
        ("hud-many-d", vec2(20.0, 10.0), 0),
    ] {
        let names: Vec<String> = (0..60).map(|number| number.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let counters: Vec<_> = names
            .iter()
            .map(|name| counter(&format!("{scope}/{name}")).unit(Unit::Bytes))
            .collect();
        let mut harness = with_hud(scope, &names, size);
        harness.state_mut().record(150, |frame| {
            counters
                .iter()
                .for_each(|counter| counter.add(frame * 1_000_003))
        });
        harness.run_steps(8);
        let lines = lines(&harness, scope);
        assert!(
            lines.len() >= least && lines.len() < 60,
            "{} lines at {size}",
            lines.len()
        );
        let screen = Rect::from_min_size(egui::Pos2::ZERO, size);
        assert!(
            lines.iter().all(|line| screen.contains_rect(*line)),
            "{lines:?} at {size}"
        );
    }
}

#[test]
fn the_numbers_at_the_head_do_not_overlap_in_a_narrow_window() {
    for width in [200.0, 240.0, 276.0, 400.0] {
        let mut harness = with_hud("hud-narrow", &[], vec2(width, 300.0));
        harness.state_mut().recorder.end_frame_at(0.0);
        for frame in 1..20 {
            let now = f64::from(frame) * 0.9;
            harness.state_mut().recorder.end_frame_at(now);
        }
        harness.run_steps(8);
        let text =
            |wanted: &str| place_of(&harness, wanted).unwrap_or_else(|| panic!("no {wanted}"));
        let (time, rate) = (text("900.00 ms"), text("1.1 fps"));
        // The sign of a value over its budget takes 20 points.
        assert!(time.right() + 18.0 < rate.left(), "{time:?}, {rate:?}");
    }
}

#[test]
fn lines_that_do_not_fit_are_left_out() {
    for (size, has_statistics) in [
        (vec2(200.0, 150.0), false),
        (vec2(200.0, 400.0), false),
        (vec2(400.0, 130.0), false),
        (vec2(400.0, 150.0), true),
    ] {
        let draws = counter("hud-fits/draws");
        let mut harness = with_hud("hud-fits", &["draws"], size);
        harness.state_mut().record(60, |_| draws.add(1));
        harness.run_steps(8);
        let statistics = harness.query_by_label("Frames over budget");
        assert_eq!(statistics.is_some(), has_statistics, "{size}");
        for (text, clip) in texts(&harness.output().shapes) {
            if clip.is_positive() && text.galley.text().starts_with(|first: char| first != 'H') {
                let bottom = text.visual_bounding_rect().bottom();
                assert!(bottom <= size.y, "{} at {size}", text.galley.text());
            }
        }
    }
}

#[test]
fn hostile_values_and_names_do_not_break_the_layout() {
    let name = "n".repeat(3000);
    let huge = gauge(&format!("hud-hostile/{name}"));
    let mut harness = with_hud("hud-hostile", &[&name, "a\nb"], vec2(420.0, 320.0));
    for (last, value) in [
        (50, f64::MAX),
        (100, f64::MIN),
        (150, -0.0),
        (200, f64::MIN_POSITIVE),
    ] {
        harness.state_mut().record(last, |_| huge.set(value));
        harness.run_steps(8);
        assert!(value_of(&harness, &format!("hud-hostile/{name}")).len() < 40);
    }
}
