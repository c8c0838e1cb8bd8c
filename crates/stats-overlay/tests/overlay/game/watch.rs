//! The panes over the game: what they show, where, and how they are reached.

use egui::{Key, Pos2, Rect, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{MarkEvent, counter};
use stats_overlay::{
    Action, FRAME_TIME, Mode, PaneLayout, PaneView, Place, Preset, SavedPane, Settings,
    StatsOverlay,
};

use crate::host::{Host, harness, harness_of_any_glyphs, press, value_of};
use crate::painted::{area_of, texts};

const SIZE: Vec2 = vec2(1000.0, 700.0);
const PLACES: [Place; 8] = [
    Place::Left,
    Place::Right,
    Place::Top,
    Place::Bottom,
    Place::TopLeft,
    Place::TopRight,
    Place::BottomLeft,
    Place::BottomRight,
];

/// Returns a watched host whose pane shows `x` and `later` of a scope, after 300 frames.
fn watched(scope: &'static str) -> Host {
    let x = counter(&format!("{scope}/x")).budget(80.0);
    let mut host = Host::new(scope);
    host.overlay.set_mode(Mode::Watch);
    for path in ["x", "later"] {
        host.overlay.select(&format!("{scope}/{path}"));
    }
    let watch = host.recorder.watch(x.id());
    host.record(299, |frame| x.add((frame % 90) as f64));
    std::mem::forget(watch);
    host
}

fn change(overlay: &mut StatsOverlay, change: impl FnOnce(&mut Settings)) {
    let mut settings = overlay.settings().clone();
    change(&mut settings);
    overlay.set_settings(&settings);
}

/// Returns every text of the overlay that lies in `within`, with its rectangle and its clip
/// rectangle.
fn texts_in(harness: &Harness<'_, Host>, within: Rect) -> Vec<(String, Rect, Rect)> {
    let texts = texts(&harness.output().shapes).into_iter();
    texts
        .map(|(text, clip)| (text.galley.text().to_owned(), area_of(text), clip))
        .filter(|(said, _, clip)| {
            within.contains_rect(*clip) && !said.is_empty() && !said.starts_with("Host")
        })
        .collect()
}

#[test]
fn a_watched_graph_has_the_newest_values_and_no_control() {
    let mut harness = harness(SIZE, watched("watch-values"));
    harness.run_steps(8);
    assert_eq!(value_of(&harness, "watch-values/x"), "29");
    assert_eq!(value_of(&harness, "watch-values/later"), "missing");
    assert_eq!(value_of(&harness, FRAME_TIME), "16.00 ms");
    for control in ["Search counters", "Title", "Graph", "Settings", "Watch"] {
        assert!(harness.query_by_label(control).is_none(), "{control}");
    }
    let x = counter("watch-values/x");
    harness.state_mut().record(300, |_| x.add(85.0));
    harness.run_steps(8);
    assert_eq!(value_of(&harness, "watch-values/x"), "85 over budget");
}

#[test]
fn every_mode_that_the_settings_keep_is_shown_in_turn() {
    for kept in 1..8_u32 {
        let stops = [Mode::Hud, Mode::Watch, Mode::Full];
        let keeps = |at: usize| kept & (1 << at) != 0;
        let mut expected: Vec<Mode> = (0..3).filter(|&at| keeps(at)).map(|at| stops[at]).collect();
        expected.push(Mode::Hidden);
        let mut harness = harness(SIZE, Host::new("nothing"));
        change(&mut harness.state_mut().overlay, |settings| {
            (
                settings.cycle_hud,
                settings.cycle_watch,
                settings.cycle_full,
            ) = (keeps(0), keeps(1), keeps(2));
        });
        for _ in 0..2 {
            for &mode in &expected {
                press(&mut harness, Key::F3);
                assert_eq!(harness.state().overlay.mode(), mode, "{kept:b}");
            }
        }
        for from in stops {
            let overlay = &mut harness.state_mut().overlay;
            overlay.set_mode(from);
            overlay.act(Action::CycleMode);
            let next = overlay.mode();
            assert!(
                expected.contains(&next) && next != from,
                "{kept:b} {from:?}"
            );
        }
    }
}

#[test]
fn settings_that_skip_every_mode_keep_the_full_overlay_and_say_so() {
    let mut harness = harness(SIZE, Host::new("nothing"));
    change(&mut harness.state_mut().overlay, |settings| {
        (
            settings.cycle_hud,
            settings.cycle_watch,
            settings.cycle_full,
        ) = (false, false, false);
    });
    assert!(harness.state().overlay.settings().cycle_full);
    press(&mut harness, Key::F3);
    assert_eq!(harness.state().overlay.mode(), Mode::Full);
    assert_eq!(
        value_of(&harness, "Notice"),
        "The settings skip every mode. The key shows the full overlay."
    );
}

#[test]
fn the_last_mode_cannot_be_unchecked() {
    let mut harness = harness(vec2(1280.0, 900.0), Host::full("nothing"));
    change(&mut harness.state_mut().overlay, |settings| {
        (settings.cycle_hud, settings.cycle_full) = (false, false);
    });
    harness.state_mut().overlay.act(Action::ToggleSettings);
    harness.run_steps(3);
    for name in ["watch", "HUD", "watch", "HUD"] {
        let role = egui::accesskit::Role::CheckBox;
        harness.get_by_role_and_label(role, name).click();
        harness.run_steps(3);
        let settings = harness.state().overlay.settings();
        assert!(settings.cycle_hud || settings.cycle_watch, "{name}");
    }
    let settings = harness.state().overlay.settings();
    assert!(settings.cycle_hud && !settings.cycle_watch);
}

#[test]
fn the_panes_are_at_their_place_and_never_beyond_their_share() {
    for place in PLACES {
        for share in [0.2, 0.5, 1.0] {
            let mut harness = harness(SIZE, watched("watch-place"));
            change(&mut harness.state_mut().overlay, |settings| {
                (settings.watch_place, settings.watch_share) = (place, share);
            });
            harness.run_steps(3);
            let painted: Vec<Rect> = texts_in(&harness, Rect::from_min_size(Pos2::ZERO, SIZE))
                .into_iter()
                .map(|(_, _, clip)| clip)
                .collect();
            let all = painted
                .iter()
                .fold(Rect::NOTHING, |all, clip| all.union(*clip));
            let name = format!("{place:?}");
            let (whole, most) = (SIZE - vec2(16.0, 16.0), (SIZE - vec2(16.0, 16.0)) * share);
            let is_wide = matches!(place, Place::Top | Place::Bottom);
            let is_high = matches!(place, Place::Left | Place::Right);
            assert!(
                all.width() <= if is_wide { whole.x } else { most.x } + 1.0,
                "{name} {all:?}"
            );
            assert!(
                all.height() <= if is_high { whole.y } else { most.y } + 1.0,
                "{name} {all:?}"
            );
            assert_eq!(
                name.contains("Left") || is_wide || share == 1.0,
                all.left() < 10.0,
                "{name}"
            );
            assert_eq!(
                name.contains("Right") || is_wide || share == 1.0,
                all.right() > SIZE.x - 10.0,
                "{name} {share} {all:?}"
            );
        }
    }
}

#[test]
fn no_text_is_cut_however_small_the_screen_is() {
    for (size, pixels_per_point) in [
        (vec2(640.0, 480.0), 1.0),
        (vec2(420.0, 320.0), 2.0),
        (vec2(1920.0, 1080.0), 1.0),
        (vec2(120.0, 90.0), 1.0),
        (vec2(30.0, 20.0), 1.0),
    ] {
        let mut host = watched("watch-small");
        host.recorder.mark("a mark with a name", MarkEvent::Begin);
        host.record(320, |_| {});
        let paths = (0..40).map(|number| format!("watch-small/{number}"));
        let named = [FRAME_TIME, "watch-small/x"].map(str::to_owned);
        let paths: Vec<String> = named.into_iter().chain(paths).collect();
        host.overlay.set_paused(true);
        let mut harness = harness_of_any_glyphs(size, pixels_per_point, host);
        for &view in PaneView::ALL {
            let mut pane = SavedPane::new(paths.iter().map(String::as_str));
            pane.view = view;
            let panes = [pane.clone(), pane];
            harness.state_mut().overlay.show_panes(&panes);
            for (place, share) in [
                (Place::Right, 0.2),
                (Place::Top, 0.3),
                (Place::BottomLeft, 0.5),
                (Place::Left, 1.0),
            ] {
                change(&mut harness.state_mut().overlay, |settings| {
                    (settings.watch_place, settings.watch_share) = (place, share);
                });
                harness.run_steps(3);
                let screen = Rect::from_min_size(Pos2::ZERO, size);
                for (text, rect, clip) in texts_in(&harness, screen) {
                    assert!(
                        clip.expand(1.0).contains_rect(rect),
                        "{size} {view:?} {place:?}: {text} at {rect:?} in {clip:?}"
                    );
                }
            }
        }
    }
}

/// Returns all texts on screen in the order in which they were painted.
fn painted(harness: &Harness<'_, Host>) -> Vec<String> {
    texts_in(harness, Rect::EVERYTHING)
        .into_iter()
        .map(|(text, rect, _)| format!("{text} {rect:?}"))
        .collect()
}

#[test]
fn nothing_is_lost_between_the_full_overlay_and_the_watched_panes() {
    let mut host = watched("watch-back");
    let pane_of = |&view: &PaneView| {
        let mut pane = SavedPane::new(["watch-back/x", FRAME_TIME]);
        pane.view = view;
        pane
    };
    let mut panes: Vec<SavedPane> = PaneView::ALL.iter().map(pane_of).collect();
    panes[0].graph.log = true;
    panes[1].table.sort = Some(stats_overlay::Sort::by("watch-back/x", true));
    host.overlay.show_panes(&panes);
    host.overlay.set_mode(Mode::Full);
    let mut harness = harness(vec2(1280.0, 900.0), host);
    harness.run_steps(4);
    let overlay = &mut harness.state_mut().overlay;
    overlay.act(Action::PreviousSpike);
    (0..3).for_each(|_| overlay.act(Action::ZoomIn));
    overlay.act(Action::PanLeft);
    overlay.select_frames(Some(120..140));
    harness.run_steps(10);
    let state = |harness: &Harness<'_, Host>| {
        let overlay = &harness.state().overlay;
        (
            overlay.saved(),
            overlay.selected_frames(),
            overlay.paused(),
            painted(harness),
        )
    };
    let before = state(&harness);
    for there in [
        Action::ShowWatch,
        Action::ShowHud,
        Action::Hide,
        Action::ShowWatch,
    ] {
        harness.state_mut().overlay.act(there);
        harness.run_steps(20);
        harness.state_mut().overlay.act(Action::ShowFull);
        harness.run_steps(10);
        assert_eq!(state(&harness), before, "{there:?}");
    }
}

#[test]
fn paused_panes_stay_and_say_so() {
    let mut harness = harness(SIZE, watched("watch-paused"));
    harness.run_steps(8);
    harness.state_mut().overlay.act(Action::TogglePause);
    harness.run_steps(8);
    assert_eq!(value_of(&harness, "Watch"), "PAUSED at frame 299");
    let before = value_of(&harness, "watch-paused/x");
    let x = counter("watch-paused/x");
    harness.state_mut().record(350, |_| x.add(3.0));
    harness.run_steps(20);
    assert_eq!(value_of(&harness, "watch-paused/x"), before);
    // The first step marks the newest frame.
    (0..2).for_each(|_| harness.state_mut().overlay.act(Action::StepBackward));
    harness.run_steps(2);
    assert_eq!(value_of(&harness, "Watch"), "PAUSED at frame 298");
    assert_eq!(value_of(&harness, "watch-paused/x"), "28");
    harness.state_mut().overlay.act(Action::TogglePause);
    harness.state_mut().overlay.act(Action::ResetView);
    harness.run_steps(8);
    assert!(harness.query_by_label("Watch").is_none());
    assert_eq!(value_of(&harness, "watch-paused/x"), "3");
}

#[test]
fn actions_keys_presets_and_view_lines_can_change_the_mode() {
    let mut harness = harness(SIZE, watched("watch-ways"));
    let overlay = &mut harness.state_mut().overlay;
    for (action, mode) in [
        (Action::ShowFull, Mode::Full),
        (Action::ShowWatch, Mode::Watch),
        (Action::ShowHud, Mode::Hud),
        (Action::Hide, Mode::Hidden),
    ] {
        overlay.act(action);
        assert_eq!(overlay.mode(), mode);
    }
    let pane = || SavedPane::new(["watch-ways/x"]);
    overlay.add_preset(Preset::new("drive", vec![pane()]).in_mode(Mode::Watch));
    overlay.add_preset(Preset::new("any", vec![pane()]));
    assert!(overlay.show_preset("any") && overlay.mode() == Mode::Hidden);
    assert!(overlay.show_preset("drive") && overlay.mode() == Mode::Watch);
    let (line, saved) = (overlay.view_line(), overlay.saved());
    let layout = PaneLayout::from_line(&line).unwrap();
    assert_eq!(
        (layout.mode, &layout.panes),
        (Some(Mode::Watch), &saved.layout.panes)
    );
    overlay.set_mode(Mode::Hidden);
    let mut without_mode = layout;
    without_mode.mode = None;
    overlay.show_view_line(&without_mode.to_line()).unwrap();
    assert_eq!(overlay.mode(), Mode::Hidden);
    overlay.show_view_line(&line).unwrap();
    assert_eq!(overlay.mode(), Mode::Watch);
    overlay.set_mode(Mode::Full);
    assert_eq!(overlay.saved().layout.mode, None);
    overlay.restore(&saved);
    assert_eq!(overlay.mode(), Mode::Watch);
    overlay.set_mode(Mode::Full);
    harness.run_steps(3);
    press(&mut harness, Key::W);
    assert_eq!(harness.state().overlay.mode(), Mode::Watch);
}
