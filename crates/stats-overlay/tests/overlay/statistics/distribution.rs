//! The distribution view: its frames, texts, choices, pointer and values of any magnitude.

use std::collections::BTreeSet;

use egui::{Key, Vec2, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{Unit, counter, gauge, histogram, timer};
use stats_overlay::{Action, FRAME_TIME, PaneLayout, PaneView, SavedPane, SavedState, ValueScale};

use crate::host::{Host, click, harness, harness_with_pictures, press, unfold_help, value_of};
use crate::painted::{elided, painted};

const SIZE: Vec2 = vec2(1280.0, 800.0);

/// 900 frames in which `a` is the frame's number. `b` is 10, and 400 in every hundredth frame, with
/// a budget of 50.
fn host(scope: &'static str) -> Host {
    let (a, b) = (
        counter(&format!("{scope}/a")),
        counter(&format!("{scope}/b")).budget(50.0),
    );
    let mut host = Host::full(scope);
    host.overlay.show_panes(&[SavedPane::new([
        &*format!("{scope}/a"),
        &*format!("{scope}/b"),
    ])]);
    let watches = [a.id(), b.id()].map(|id| host.recorder.watch(id));
    host.record(899, |frame| {
        a.add(frame as f64);
        b.add(if frame % 100 == 0 { 400 } else { 10 });
    });
    std::mem::forget(watches);
    host
}

fn shown(scope: &'static str, size: Vec2) -> Harness<'static, Host> {
    let mut harness = harness(size, host(scope));
    harness.run_steps(4);
    press(&mut harness, Key::D);
    harness.run_steps(8);
    harness
}

fn said(harness: &Harness<'_, Host>, path: &str) -> String {
    value_of(harness, &format!("distribution of {path}"))
}

fn view(harness: &Harness<'_, Host>) -> PaneView {
    harness.state().overlay.saved().layout.panes[0].view
}

#[test]
fn a_key_toggles_the_distribution_of_the_frames_on_screen() {
    let mut harness = shown("spread-key", SIZE);
    assert_eq!(view(&harness), PaneView::Distribution);
    // The ranks 300, 570 and 594 of the frames 300 to 899.
    let said = said(&harness, "spread-key/a");
    let expected = "600 frames on screen, median 599, 95 % of frames 869, 99 % of frames 893, mean 599.50 ± 173.20  min 300  max 899";
    assert_eq!(said, expected);
    press(&mut harness, Key::D);
    assert_eq!(view(&harness), PaneView::Graph);
    assert!(harness.query_by_label("legend spread-key/a").is_some());
    press(&mut harness, Key::H);
    unfold_help(&mut harness);
    assert_eq!(value_of(&harness, "help distribution or graph"), "D");
}

#[test]
fn selected_frames_take_precedence_over_frames_on_screen() {
    let mut harness = shown("spread-range", SIZE);
    harness.state_mut().overlay.select_frames(Some(120..300));
    harness.run_steps(2);
    let is_noun = |(_, text): &(_, String)| text == "frames";
    assert_eq!(painted(&harness).into_iter().filter(is_noun).count(), 2);
    let text = said(&harness, "spread-range/a");
    assert!(
        text.starts_with("selected frames 120..300, median 209, 95 % of frames 290, "),
        "{text}"
    );
    assert!(text.contains("180 values  mean 209.50 "), "{text}");
    assert!(
        said(&harness, "spread-range/b").contains("0.6 % over the budget of 50"),
        "{}",
        said(&harness, "spread-range/b")
    );
    harness.state_mut().overlay.select_frames(None);
    harness.run_steps(2);
    assert!(said(&harness, "spread-range/a").starts_with("600 frames on screen"));
}

#[test]
fn a_histogram_shows_its_samples_or_its_values_per_frame() {
    let samples = histogram("spread-samples/pack").unit(Unit::Milliseconds);
    let mut host = Host::full("spread-samples");
    host.overlay
        .show_panes(&[SavedPane::new([FRAME_TIME, "spread-samples/pack"])]);
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    press(&mut harness, Key::D);
    harness.run_steps(8);
    assert_eq!(
        said(&harness, "spread-samples/pack"),
        "no samples in this run yet"
    );
    harness.state_mut().record(99, |_| {
        [1.0, 2.0, 5.0]
            .into_iter()
            .for_each(|sample| samples.record(sample))
    });
    harness.run_steps(10);
    let text = said(&harness, "spread-samples/pack");
    assert!(
        text.starts_with("300 samples of the run, quantiles within 5 %, median ≈ 2.0"),
        "{text}"
    );
    assert!(
        text.contains("95 % of samples ≈ 5.0") && text.contains("min 1.00  max 5.00 ms"),
        "{text}"
    );
    assert!(said(&harness, FRAME_TIME).contains("frames on screen"));
    click(&mut harness, "Options");
    click(&mut harness, "Per frame");
    harness.run_steps(8);
    let text = said(&harness, "spread-samples/pack");
    assert!(
        text.contains("frames on screen") && text.contains("max 8 ms")
            || text.contains("max 8.00 ms"),
        "{text}"
    );
    click(&mut harness, "Samples");
    assert!(said(&harness, "spread-samples/pack").starts_with("300 samples"));
}

#[test]
fn choices_are_saved_with_the_pane() {
    let mut harness = shown("spread-saved", SIZE);
    let _ = histogram("spread-saved/samples");
    harness.state_mut().overlay.select("spread-saved/samples");
    harness.run_steps(8);
    click(&mut harness, "Options");
    for name in ["Linear", "Log counts", "Per frame"] {
        click(&mut harness, name);
    }
    let saved = harness
        .state()
        .overlay
        .saved()
        .to_string()
        .parse::<SavedState>()
        .unwrap();
    let pane = &saved.layout.panes[0];
    assert_eq!(
        (
            pane.distribution.scale,
            pane.distribution.log_counts,
            pane.distribution.per_frame,
            pane.graph.log
        ),
        (ValueScale::Linear, true, true, false)
    );
    assert_eq!(
        PaneLayout::from_line(&saved.layout.to_line()).unwrap(),
        saved.layout
    );
    for name in ["Auto", "Log counts", "Samples"] {
        click(&mut harness, name);
    }
    let pane = &harness.state().overlay.saved().layout.panes[0];
    assert_eq!(
        (
            pane.distribution.scale,
            pane.distribution.log_counts,
            pane.distribution.per_frame
        ),
        (ValueScale::Auto, false, false)
    );
    harness.state_mut().overlay.restore(&saved);
    harness.run_steps(8);
    assert_eq!(harness.state().overlay.saved().layout, saved.layout);
}

#[test]
fn a_paused_distribution_does_not_change() {
    let mut harness = shown("spread-pause", SIZE);
    harness.state_mut().overlay.set_paused(true);
    harness.run_steps(2);
    let before = said(&harness, "spread-pause/a");
    let a = counter("spread-pause/a");
    harness.state_mut().record(950, |_| a.add(5000));
    harness.run_steps(10);
    assert_eq!(said(&harness, "spread-pause/a"), before);
    harness.state_mut().overlay.set_paused(false);
    harness.run_steps(10);
    assert!(
        said(&harness, "spread-pause/a").contains("max 5,000"),
        "{}",
        said(&harness, "spread-pause/a")
    );
}

#[test]
fn pointing_at_a_bar_shows_its_contents() {
    let mut harness = shown("spread-hover", SIZE);
    harness.state_mut().overlay.deselect("spread-hover/a");
    harness.run_steps(8);
    // Buckets of five values from 0 on: the third contains 10.
    let row = harness
        .get_by_label("distribution of spread-hover/b")
        .rect();
    harness.hover_at(pos2(row.left() + 68.0, row.bottom() + 200.0));
    harness.run_steps(60);
    assert!(
        harness
            .query_by_label_contains("594 frames, 99.0 %")
            .is_some()
    );
    assert!(
        harness.query_by_label("10 … 14").is_some()
            && harness.query_by_label("99.0 % up to here").is_some()
    );
}

#[test]
fn a_series_can_be_deselected_and_many_series_scroll() {
    let mut harness = shown("spread-many", SIZE);
    click(&mut harness, "Deselect spread-many/a");
    assert_eq!(
        harness.state().overlay.selected().collect::<Vec<_>>(),
        ["spread-many/b"]
    );
    for number in 0..30 {
        counter(&format!("spread-many/more/{number}")).add(1);
        harness
            .state_mut()
            .overlay
            .select(&format!("spread-many/more/{number}"));
    }
    harness.run_steps(10);
    let rows = harness
        .query_all_by_label_contains("distribution of spread-many/")
        .count();
    assert!((4..=12).contains(&rows), "{rows} of 31 fit");
}

#[test]
fn values_of_any_magnitude_have_bars_at_any_scale_and_size() {
    let levels = ["huge", "tiny", "both", "zero", "one", "mixed"]
        .map(|name| gauge(&format!("spread-size/{name}")));
    for size in [
        vec2(1280.0, 800.0),
        vec2(420.0, 320.0),
        vec2(300.0, 200.0),
        vec2(1900.0, 160.0),
    ] {
        let mut host = Host::full("spread-size");
        let paths = ["huge", "tiny", "both", "zero", "one", "mixed"]
            .map(|name| format!("spread-size/{name}"));
        host.overlay
            .show_panes(&[SavedPane::new(paths.iter().map(String::as_str))]);
        let mut harness = harness(size, host);
        harness.run_steps(2);
        harness.state_mut().record(200, |frame| {
            let at = frame as f64;
            let values = [
                f64::MAX / (at + 1.0),
                1e-300 * at,
                1e300 * (at - 100.0),
                0.0,
                7.5,
                if frame % 3 == 0 { -at } else { 1e-9 },
            ];
            levels
                .iter()
                .zip(values)
                .for_each(|(level, value)| level.set(value));
        });
        harness.state_mut().overlay.act(Action::ToggleDistribution);
        for _ in 0..3 {
            harness.run_steps(8);
            assert!(
                harness
                    .query_all_by_label_contains("distribution of spread-size/")
                    .count()
                    > 0
                    || size.y < 300.0,
                "{size}"
            );
            press(&mut harness, Key::L);
        }
    }
}

#[test]
fn the_picture_is_unchanged() {
    let mut host = Host::full("spread-picture");
    let samples = histogram("spread-picture/io/pack").unit(Unit::Milliseconds);
    let paths = timer("spread-picture/ai/paths").budget(2.0);
    (0..3000_i32).for_each(|n| samples.record(0.4 * 1.0025_f64.powi(n * 7919 % 2003)));
    let mut pane = SavedPane::new([
        FRAME_TIME,
        "spread-picture/io/pack",
        "spread-picture/ai/paths",
    ]);
    pane.view = PaneView::Distribution;
    host.overlay.show_panes(&[pane]);
    let watch = host.recorder.watch(paths.id());
    let mut now = 0.0;
    for frame in 0..700_u32 {
        let t = f64::from(frame);
        paths.record_ms(0.8 + 0.3 * (t * 0.11).sin() + if frame % 97 == 50 { 1.6 } else { 0.0 });
        now += 0.0155 + f64::from(frame * 31 % 17) * 0.0001 + f64::from(frame * 7 % 23) * 0.00005;
        host.recorder.end_frame_at(now);
    }
    let mut harness = harness_with_pictures(vec2(960.0, 600.0), egui::Theme::Dark, host);
    harness.run_steps(12);
    harness.snapshot("distribution");
    drop(watch);
}

#[test]
fn a_narrow_head_leaves_out_figures_and_cuts_no_number() {
    let scope = "spread-narrow/a-series-whose-name-takes-half-of-the-line-above-its-bars";
    let mut with_budget = BTreeSet::new();
    for width in (700..1_500).step_by(100) {
        let harness = shown(scope, vec2(width as f32, 280.0));
        let cut = elided(&harness).into_iter();
        let cut: Vec<String> = cut.filter(|text| text.contains("mean ")).collect();
        assert!(cut.is_empty(), "{width}: {cut:?}");
        let mut heads = painted(&harness).into_iter();
        with_budget.insert(heads.any(|(_, text)| text.contains("over the budget of 50")));
    }
    assert_eq!(with_budget.len(), 2, "some heads have fewer figures");
}
