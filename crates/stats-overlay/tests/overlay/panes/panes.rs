//! Several panes on one frame axis: adding, moving and removing them, the shared cursor, ranges,
//! presets and saved state.

use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, Shape, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::counter;
use stats_overlay::{Action, FRAME_TIME, MAX_PANES, Mode, PaneView, Preset, SavedPane, SavedState};

use crate::host::{Host, click, harness, press, unfold_help, value_of};
use crate::painted::texts;

const SIZE: egui::Vec2 = vec2(1280.0, 800.0);

/// Two panes, `a` above and `b` below, with 900 frames. `a` is the frame's number; `b` is 10, and
/// 400 in frame 700.
fn two_panes(scope: &'static str) -> Harness<'static, Host> {
    let (a, b) = (
        counter(&format!("{scope}/a")),
        counter(&format!("{scope}/b")),
    );
    let mut host = Host::full(scope);
    host.overlay.show_panes(&[
        SavedPane::new([&*format!("{scope}/a")]),
        SavedPane::new([&*format!("{scope}/b")]),
    ]);
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    harness.state_mut().record(899, |frame| {
        a.add(frame as f64);
        b.add(if frame == 700 { 400 } else { 10 });
    });
    harness.run_steps(10);
    harness
}

/// Returns a position inside the graph of a pane.
fn inside(harness: &Harness<'_, Host>, path: &str) -> Pos2 {
    let legend = harness.get_by_label(&format!("legend {path}")).rect();
    pos2(760.0, legend.top() - 60.0)
}

fn drag(
    harness: &mut Harness<'_, Host>,
    from: Pos2,
    by: egui::Vec2,
    button: PointerButton,
    modifiers: Modifiers,
) {
    let press = |pressed, pos| Event::PointerButton {
        pos,
        button,
        pressed,
        modifiers,
    };
    harness.event(Event::ModifiersChanged(modifiers));
    harness.event(Event::PointerMoved(from));
    harness.run_steps(1);
    harness.event(press(true, from));
    harness.run_steps(1);
    for step in 1..=5 {
        harness.event(Event::PointerMoved(from + by * (step as f32 / 5.0)));
        harness.run_steps(1);
    }
    harness.event(press(false, from + by));
    harness.run_steps(2);
    harness.event(Event::ModifiersChanged(Modifiers::NONE));
    harness.event(Event::PointerGone);
    harness.run_steps(8);
}

fn act(harness: &mut Harness<'_, Host>, action: Action) {
    harness.state_mut().overlay.act(action);
    harness.run_steps(2);
}

fn last(harness: &Harness<'_, Host>, path: &str) -> String {
    value_of(harness, &format!("legend {path}"))
        .split_whitespace()
        .nth(1)
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn panes_share_one_axis_of_frames() {
    let mut harness = two_panes("panes-axis");
    let before = last(&harness, "panes-axis/a");
    assert_eq!(before, "899");
    let below = inside(&harness, "panes-axis/b");
    drag(
        &mut harness,
        below,
        vec2(200.0, 0.0),
        PointerButton::Primary,
        Modifiers::NONE,
    );
    let after: f64 = last(&harness, "panes-axis/a").parse().unwrap();
    assert!(
        after < 850.0,
        "moving the lower graph moves the upper one: {after}"
    );
    press(&mut harness, Key::R);
    harness.run_steps(8);
    assert_eq!(last(&harness, "panes-axis/a"), "899");
}

#[test]
fn all_panes_show_the_frame_under_the_pointer() {
    let mut harness = two_panes("panes-cursor");
    let below = inside(&harness, "panes-cursor/b");
    harness.hover_at(below);
    harness.run_steps(3);
    let text = value_of(&harness, "legend panes-cursor/a");
    let mut words = text.split_whitespace();
    assert_eq!(words.next(), Some("at"));
    let (frame, value) = (words.next().unwrap(), words.next().unwrap());
    assert_eq!(
        frame, value,
        "the value of `a` is the number of its frame: {text}"
    );
}

#[test]
fn a_selected_range_has_the_statistics_of_exactly_its_frames() {
    let mut harness = two_panes("panes-range");
    let above = inside(&harness, "panes-range/a");
    drag(
        &mut harness,
        above,
        vec2(120.0, 0.0),
        PointerButton::Primary,
        Modifiers::SHIFT,
    );
    let range = harness.state().overlay.selected_frames().unwrap();
    let values: Vec<f64> = range.clone().map(|frame| frame as f64).collect();
    let (count, sum) = (values.len() as f64, values.iter().sum::<f64>());
    let text = value_of(&harness, "legend panes-range/a").replace(',', "");
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |name: &str| -> f64 {
        words[words.iter().position(|word| *word == name).unwrap() + 1]
            .parse()
            .unwrap()
    };
    assert!(count > 50.0, "{range:?}");
    assert_eq!(
        (number("min"), number("max"), number("sum")),
        (values[0], *values.last().unwrap(), sum)
    );
    assert!(
        (number("mean") - sum / count).abs() < 0.01
            && (number("median") - sum / count).abs() < 0.51,
        "{text}"
    );
    // New frames do not change it; a click in a graph, and Escape, end it.
    harness.state_mut().record(950, |_| {});
    harness.run_steps(10);
    assert_eq!(
        value_of(&harness, "legend panes-range/a").replace(',', ""),
        text
    );
    press(&mut harness, Key::Escape);
    assert_eq!(harness.state().overlay.selected_frames(), None);
    assert_eq!(
        harness.state().overlay.mode(),
        Mode::Full,
        "Escape only ends the selection"
    );
    press(&mut harness, Key::Escape);
    assert_eq!(harness.state().overlay.mode(), Mode::Full);
}

#[test]
fn the_strip_moves_and_selects_frames() {
    let mut harness = two_panes("panes-strip");
    let strip = harness.get_by_label("All frames").rect();
    harness.event(Event::PointerMoved(
        strip.left_center() + vec2(strip.width() * 0.4, 0.0),
    ));
    drag(
        &mut harness,
        strip.left_center() + vec2(strip.width() * 0.4, 0.0),
        vec2(-60.0, 0.0),
        PointerButton::Primary,
        Modifiers::NONE,
    );
    let moved: f64 = last(&harness, "panes-strip/a").parse().unwrap();
    assert!((500.0..700.0).contains(&moved), "{moved}");
    drag(
        &mut harness,
        strip.left_center() + vec2(strip.width() * 0.5, 0.0),
        vec2(100.0, 0.0),
        PointerButton::Primary,
        Modifiers::SHIFT,
    );
    let range = harness.state().overlay.selected_frames().unwrap();
    assert!(
        (440..460).contains(&range.start) && (500..580).contains(&range.end),
        "{range:?}"
    );
}

#[test]
fn a_box_zooms_both_axes_and_a_double_click_goes_back() {
    let mut harness = two_panes("panes-box");
    let above = inside(&harness, "panes-box/a");
    drag(
        &mut harness,
        above - vec2(100.0, 40.0),
        vec2(200.0, 60.0),
        PointerButton::Secondary,
        Modifiers::NONE,
    );
    click(&mut harness, "Options");
    assert!(harness.query_by_label("Unzoom").is_some());
    assert!(harness.query_by_label("Back to newest").is_some());
    click(&mut harness, "Back to newest");
    click(&mut harness, "Options");
    assert!(
        harness.query_by_label("Unzoom").is_none(),
        "both axes are restored"
    );
}

#[test]
fn keys_jump_to_spikes_and_the_legend_describes_them() {
    let mut harness = two_panes("panes-spike");
    press(&mut harness, Key::K);
    press(&mut harness, Key::OpenBracket);
    assert!(harness.state().overlay.paused(), "the frame stays in view");
    harness.run_steps(8);
    assert!(
        value_of(&harness, "legend panes-spike/b").starts_with("at 700 400 "),
        "{}",
        value_of(&harness, "legend panes-spike/b")
    );
    press(&mut harness, Key::OpenBracket);
    assert!(value_of(&harness, "Notice").contains("No earlier spike"));
    press(&mut harness, Key::Comma);
    harness.run_steps(8);
    assert!(value_of(&harness, "legend panes-spike/b").starts_with("at 699 10 "));
    press(&mut harness, Key::CloseBracket);
    assert!(value_of(&harness, "legend panes-spike/b").starts_with("at 700 400 "));
}

#[test]
fn panes_can_be_added_moved_and_removed_by_actions() {
    let mut harness = two_panes("panes-many");
    act(&mut harness, Action::AddPane);
    assert_eq!(
        (
            harness.state().overlay.pane_count(),
            harness.state().overlay.selected().count()
        ),
        (3, 0)
    );
    harness.state_mut().overlay.select("panes-many/a");
    act(&mut harness, Action::MovePaneUp);
    act(&mut harness, Action::MovePaneUp);
    act(&mut harness, Action::ToggleTable);
    let order: Vec<Vec<String>> = harness
        .state()
        .overlay
        .saved()
        .layout
        .panes
        .iter()
        .map(|pane| pane.paths.clone())
        .collect();
    assert_eq!(
        order,
        [["panes-many/a"], ["panes-many/a"], ["panes-many/b"]]
    );
    assert_eq!(
        harness.state().overlay.saved().layout.panes[0].view,
        PaneView::Table
    );
    act(&mut harness, Action::RemovePane);
    assert_eq!(harness.state().overlay.pane_count(), 2);
    for _ in 0..MAX_PANES + 3 {
        act(&mut harness, Action::AddPane);
    }
    assert_eq!(harness.state().overlay.pane_count(), MAX_PANES);
    assert!(value_of(&harness, "Notice").contains("already 16 panes"));
    for _ in 0..MAX_PANES + 3 {
        act(&mut harness, Action::RemovePane);
    }
    assert_eq!(harness.state().overlay.pane_count(), 1);
}

#[test]
fn a_solo_series_hides_the_others() {
    let mut harness = two_panes("panes-solo");
    harness.state_mut().overlay.select(FRAME_TIME);
    harness.run_steps(8);
    click(&mut harness, &format!("Solo {FRAME_TIME}"));
    let solo = |harness: &Harness<'_, Host>| {
        harness.state().overlay.saved().layout.panes[0]
            .graph
            .solo
            .clone()
    };
    assert_eq!(solo(&harness).as_deref(), Some(FRAME_TIME));
    click(&mut harness, &format!("Solo {FRAME_TIME}"));
    assert_eq!(solo(&harness), None);
}

#[test]
fn history_can_be_cleared_while_recording_continues() {
    let mut harness = two_panes("panes-clear");
    act(&mut harness, Action::ClearHistory);
    harness.run_steps(8);
    assert_eq!(
        value_of(&harness, "legend panes-clear/a"),
        "nothing recorded yet"
    );
    let a = counter("panes-clear/a");
    harness.state_mut().record(910, |frame| a.add(frame as f64));
    harness.run_steps(10);
    assert!(
        value_of(&harness, "legend panes-clear/a").contains("min 900 "),
        "{}",
        value_of(&harness, "legend panes-clear/a")
    );
}

/// A game elsewhere sends the first values some time after the overlay is drawn.
#[test]
fn numbers_are_there_as_soon_as_the_graph_is() {
    let mut harness = two_panes("panes-first");
    act(&mut harness, Action::ClearHistory);
    let a = counter("panes-first/a");
    let legend = "legend panes-first/a";
    for last in [900, 901] {
        harness.run_steps(8);
        harness
            .state_mut()
            .record(last, |frame| a.add(frame as f64));
        harness.step();
        assert!(value_of(&harness, legend).contains("min 900 "));
    }
}

#[test]
fn presets_and_pasted_lines_show_their_panes() {
    let mut harness = two_panes("panes-preset");
    let line = harness.state().overlay.view_line();
    harness
        .state_mut()
        .overlay
        .preset("AI", ["panes-preset/b", "panes-preset/later"]);
    assert!(
        harness.state_mut().overlay.show_preset("AI")
            && !harness.state_mut().overlay.show_preset("none")
    );
    harness.run_steps(8);
    assert_eq!(harness.state().overlay.pane_count(), 1);
    assert!(value_of(&harness, "legend panes-preset/later").starts_with("missing"));
    harness.event(Event::Paste(format!("> {line}\n")));
    harness.run_steps(4);
    assert_eq!(
        (
            harness.state().overlay.pane_count(),
            harness.state().overlay.view_line()
        ),
        (2, line)
    );
    harness.event(Event::Paste("a shopping list".to_owned()));
    harness.run_steps(2);
    assert_eq!(
        harness.state().overlay.pane_count(),
        2,
        "a text that is not a view changes nothing"
    );
    assert!(!value_of(&harness, "Notice").is_empty());
}

#[test]
fn restoring_a_saved_state_restores_everything() {
    let mut harness = two_panes("panes-saved");
    let overlay = &mut harness.state_mut().overlay;
    overlay.pin("panes-saved/b");
    overlay.act(Action::ToggleLog);
    overlay.act(Action::NextRange);
    harness.run_steps(2);
    let text = harness.state().overlay.saved().to_string();
    let saved: SavedState = text.parse().unwrap();
    let mut other = stats_overlay::StatsOverlay::new();
    other.restore(&saved);
    let back = other.saved();
    assert_eq!(back.to_string(), text);
    assert_eq!(other.pinned().collect::<Vec<_>>(), ["panes-saved/b"]);
    assert!(back.layout.panes[0].graph.log || back.layout.panes[1].graph.log);
}

#[test]
fn the_hud_shows_exactly_the_pinned_series() {
    let mut harness = two_panes("panes-pin");
    harness.state_mut().overlay.pin("panes-pin/b");
    harness.state_mut().overlay.set_mode(Mode::Hud);
    harness.run_steps(8);
    assert!(value_of(&harness, "panes-pin/b").starts_with("10"));
    assert!(harness.query_by_label("panes-pin/a").is_none());
    harness.state_mut().overlay.unpin("panes-pin/b");
    harness.run_steps(8);
    for path in ["panes-pin/a", "panes-pin/b"] {
        assert!(harness.query_by_label(path).is_none(), "{path}");
    }
}

#[test]
fn every_key_is_in_the_help_and_settings_open_beside_it() {
    let mut harness = two_panes("panes-help");
    press(&mut harness, Key::H);
    let adds = "help add a pane";
    assert!(harness.query_by_label(adds).is_none(), "it is folded");
    unfold_help(&mut harness);
    for what in [
        "next spike",
        "search counters",
        "add a pane",
        "save values as CSV",
        "hidden, HUD, watch, full",
        "watch while playing",
    ] {
        assert!(
            harness.query_by_label(&format!("help {what}")).is_some(),
            "{what}"
        );
    }
    for (what, keys) in [
        ("copy values as TSV", "Ctrl+C"),
        ("save values as CSV", "Ctrl+S"),
        ("copy the view as a line", "Shift+V"),
        ("show a pasted view", "Ctrl+V"),
    ] {
        assert_eq!(value_of(&harness, &format!("help {what}")), keys);
    }
    press(&mut harness, Key::O);
    assert!(
        harness
            .query_by_label_contains("for each watched series")
            .is_some()
    );
    press(&mut harness, Key::Escape);
    assert!(harness.query_by_label("legend panes-help/a").is_some());
    press(&mut harness, Key::O);
    click(&mut harness, "Back");
    assert!(harness.query_by_label("legend panes-help/a").is_some());
}

#[test]
fn an_overlay_over_its_budget_refreshes_less_often_and_says_so() {
    let mut harness = two_panes("panes-slow");
    let mut settings = harness.state().overlay.settings().clone();
    settings.overlay_budget_ms = 0.0;
    settings.frame_budget_ms = Some(10.0);
    harness.state_mut().overlay.set_settings(&settings);
    harness.run_steps(120);
    assert!(value_of(&harness, "Slowed").contains("graphs every"));
    let key = value_of(&harness, "Key of all frames");
    assert!(key.ends_with(", over budget"), "the key stays: {key}");
    settings.seconds = true;
    harness.state_mut().overlay.set_settings(&settings);
    let end_secs = 900.0 * 0.016 + 1.25;
    harness.state_mut().recorder.end_frame_at(end_secs);
    for width in (400..1280).step_by(20) {
        harness.set_size(vec2(width as f32, SIZE.y));
        harness.run_steps(9);
        let is_told = harness.query_by_label("Slowed").is_some();
        assert!(
            is_told,
            "{width} points: {}",
            value_of(&harness, "Key of all frames")
        );
    }
    settings.overlay_budget_ms = 100.0;
    harness.state_mut().overlay.set_settings(&settings);
    harness.run_steps(400);
    assert!(
        harness.query_by_label("Slowed").is_none(),
        "and refreshes every frame again within its budget"
    );
}

#[test]
fn notices_do_not_cover_the_lowest_axis() {
    for view in [PaneView::Graph, PaneView::Distribution] {
        let mut harness = two_panes("panes-notice");
        harness.state_mut().overlay.set_view(view);
        harness.run_steps(4);
        press(&mut harness, Key::CloseBracket);
        let notice = harness.get_by_label("Notice").rect();
        // The panel has a margin of 3 % or 24 points; labels are 16 points high, above a margin of
        // 6.
        assert!(
            notice.bottom() <= SIZE.y - (SIZE.y * 0.03 - 4.0).min(24.0) - 24.0,
            "{notice:?}"
        );
    }
}

#[test]
fn the_menu_and_its_entries_can_be_clicked() {
    let mut harness = two_panes("panes-menu");
    click(&mut harness, "Menu");
    harness.run_steps(4);
    harness.get_by_label_contains("Add a pane").click();
    harness.run_steps(3);
    assert_eq!(harness.state().overlay.pane_count(), 3);
    harness.state_mut().overlay.preset("AI", ["panes-menu/b"]);
    click(&mut harness, "Presets");
    harness.run_steps(4);
    click(&mut harness, "AI");
    assert_eq!(harness.state().overlay.pane_count(), 1);
}

#[test]
fn a_scaled_overlay_takes_clicks_where_it_is_drawn() {
    let mut harness = two_panes("panes-scale");
    let mut settings = harness.state().overlay.settings().clone();
    settings.scale = 1.5;
    harness.state_mut().overlay.set_settings(&settings);
    harness.run_steps(8);
    // The strip starts at 36 % of the width; a press in its middle moves the panes there.
    let strip = harness.get_by_label("All frames").rect();
    let middle = (strip.center().to_vec2() * 1.5).to_pos2();
    assert!(middle.x < SIZE.x, "{strip:?}");
    drag(
        &mut harness,
        middle,
        vec2(30.0, 0.0),
        PointerButton::Primary,
        Modifiers::SHIFT,
    );
    let range = harness.state().overlay.selected_frames().unwrap();
    assert!(
        (430..470).contains(&range.start) && range.end > range.start + 5,
        "{range:?}"
    );
}

#[test]
fn a_pane_has_a_name_and_only_the_active_one_and_the_one_under_the_pointer_have_controls() {
    let mut host = Host::full("panes-bar");
    for name in ["a/x", "a/y", "b"] {
        counter(&format!("panes-bar/{name}")).add(1);
    }
    let mut named = SavedPane::new(["panes-bar/b"]);
    named.name = "Bees".to_owned();
    let common = SavedPane::new(["panes-bar/a/x", "panes-bar/a/y"]);
    host.overlay.show_panes(&[common, named]);
    let mut harness = harness(SIZE, host);
    harness.run_steps(8);
    assert_eq!(value_of(&harness, "Pane 1"), "panes-bar/a x, y");
    assert_eq!(value_of(&harness, "Pane 2"), "Bees panes-bar/b");
    let controls = |harness: &Harness<'_, Host>| {
        let of = |name| harness.query_all_by_label(name).count();
        [of("Table"), of("Options"), of("Remove pane")]
    };
    harness.hover_at(pos2(4.0, 4.0));
    harness.run_steps(4);
    assert_eq!(controls(&harness), [1; 3]);
    let below = harness.get_by_label("Pane 2").rect().center() + vec2(0.0, 60.0);
    harness.hover_at(below);
    harness.run_steps(4);
    assert_eq!(controls(&harness), [2; 3]);
    let saved = &harness.state().overlay.saved().layout.panes;
    assert_eq!(saved[1].name, "Bees");
}

#[test]
fn the_panes_of_a_preset_have_its_name() {
    let mut host = Host::full("panes-preset");
    let preset = Preset::new("Draw calls", vec![SavedPane::new(["panes-preset/x"])]);
    host.overlay.add_preset(preset);
    assert!(host.overlay.show_preset("Draw calls"));
    let mut harness = harness(SIZE, host);
    harness.run_steps(8);
    assert!(value_of(&harness, "Pane 1").starts_with("Draw calls "));
}

#[test]
fn seconds_are_shown_beside_frames_on_request() {
    let mut host = Host::full("panes-seconds");
    host.overlay
        .show_panes(&[FRAME_TIME, FRAME_TIME].map(|path| SavedPane::new([path])));
    host.overlay.set_view(PaneView::Table);
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    harness.state_mut().record(400, |_| {});
    harness.run_steps(10);
    let texts = |harness: &Harness<'_, Host>| -> Vec<String> {
        let texts = texts(&harness.output().shapes).into_iter();
        texts
            .map(|(text, _)| text.galley.text().to_owned())
            .collect()
    };
    let row = |harness: &Harness<'_, Host>| value_of(harness, "frame 399");
    assert!(!row(&harness).contains(" s |"));
    assert!(!texts(&harness).iter().any(|text| text.ends_with(" s")));
    harness.key_press_modifiers(Modifiers::SHIFT, Key::T);
    harness.run_steps(10);
    assert!(harness.state().overlay.settings().seconds);
    assert!(row(&harness).contains(" s | "), "{}", row(&harness));
    let seconds: Vec<String> = texts(&harness)
        .into_iter()
        .filter(|text| text.ends_with(" s"))
        .collect();
    assert!(
        seconds.iter().any(|text| text.starts_with("200 · ")),
        "{seconds:?}"
    );
    assert!(
        texts(&harness)
            .iter()
            .any(|text| text.contains("all frames, "))
    );
}

/// Returns the places of all texts that contain another one.
fn places_of(harness: &Harness<'_, Host>, part: &str) -> Vec<Rect> {
    let texts = texts(&harness.output().shapes).into_iter();
    let found = texts.filter(|(text, _)| text.galley.text().contains(part));
    found.map(|(text, _)| text.visual_bounding_rect()).collect()
}

#[test]
fn the_caption_of_the_strip_is_above_its_frames() {
    let mut host = Host::full("panes-caption");
    host.record(399, |_| {});
    let mut harness = harness(SIZE, host);
    harness.run_steps(3);
    let strip = harness.get_by_label("All frames").rect();
    let captions = places_of(&harness, "all frames");
    let [caption] = captions.as_slice() else {
        panic!("{captions:?}");
    };
    assert!(strip.contains_rect(*caption), "{caption} in {strip}");
    // The frame of the visible part is as tall as the frames.
    let shapes = harness.output().shapes.iter();
    let frames = shapes.filter_map(|clipped| match &clipped.shape {
        Shape::Rect(shape) if strip.contains_rect(shape.rect) => Some(shape.rect),
        _ => None,
    });
    let frames: Vec<Rect> = frames.filter(|rect| rect.height() > 20.0).collect();
    assert!(!frames.is_empty());
    let is_below = |rect: &Rect| rect.top() >= caption.bottom();
    assert!(frames.iter().all(is_below), "{frames:?}, {caption}");
}

#[test]
fn a_legend_without_entries_takes_no_room() {
    let mut host = Host::full("panes-no-legend");
    host.overlay.set_view(PaneView::Graph);
    let mut harness = harness(SIZE, host);
    harness.state_mut().record(99, |_| {});
    harness.run_steps(10);
    assert_eq!(
        places_of(&harness, "std dev").len(),
        1,
        "the head of the legend"
    );
    harness.state_mut().overlay.deselect(FRAME_TIME);
    harness.run_steps(10);
    assert!(places_of(&harness, "std dev").is_empty());
}
