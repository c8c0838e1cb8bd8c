//! Hitches: the line of the HUD, the list of a pane, and when the overlay looks for them.

use egui::{Key, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{MarkEvent, Source, Unit, gauge, timer, up_down_counter};
use stats_overlay::{Action, Event, Mode, PaneView, RowAction, StatsOverlay};

use super::planted::{
    SIZE, end_frame, hitch_text, long_frame, play, shown, with_hitch, with_hitch_at,
};
use crate::allocations::fewest_in_a_frame;
use crate::host::{Host, click, harness, press, value_of};
use crate::painted::{elided, painted};

#[test]
fn the_hud_names_the_scope_that_made_a_frame_long() {
    let scope = "hitches-hud";
    let mut harness = with_hitch(scope, Mode::Hud);
    let text = "+12.0 ms: 100 % hitches-hud/ai/paths";
    assert_eq!(hitch_text(&harness), text);
    play(&mut harness, scope, 60);
    assert_eq!(hitch_text(&harness), text, "it stays");
    harness.state_mut().overlay.act(Action::ClearHistory);
    harness.run_steps(2);
    assert!(
        harness.query_by_label("Hitch").is_none(),
        "its frame was cleared"
    );
}

#[test]
fn the_program_takes_each_hitch_and_each_crossing_of_a_budget_once() {
    let scope = "hitches-events";
    let mut harness = with_hitch(scope, Mode::Hud);
    let overlay = &mut harness.state_mut().overlay;
    let events: Vec<Event> = std::iter::from_fn(|| overlay.poll_event()).collect();
    let texts: Vec<String> = events.iter().map(Event::to_string).collect();
    assert_eq!(
        texts,
        [
            "frame 100: frame time is over budget: 28.00 ms of 16.67 ms",
            "frame 100: +12.0 ms: 100 % hitches-events/ai/paths",
        ]
    );
    assert_eq!(overlay.poll_event(), None);
    // The path of a series is looked up when it crosses its budget.
    timer(&format!("{scope}/ai/paths")).budget(5.0);
    long_frame(&mut harness, scope);
    play(&mut harness, scope, 5);
    let overlay = &mut harness.state_mut().overlay;
    let events: Vec<Event> = std::iter::from_fn(|| overlay.poll_event()).collect();
    let texts: Vec<String> = events.iter().map(Event::to_string).collect();
    assert_eq!(
        texts,
        [
            "frame 141: hitches-events/ai/paths is over budget: 13.00 ms of 5.00 ms",
            "frame 141: +12.0 ms: 100 % hitches-events/ai/paths",
        ]
    );
}

#[test]
fn a_scope_that_merely_ended_in_a_long_frame_is_said_to_have_begun_before() {
    let scope = "hitches-load";
    let mut harness = harness(SIZE, Host::new(scope));
    harness.state_mut().overlay.set_mode(Mode::Hud);
    harness.run_steps(1);
    let load = timer(&format!("{scope}/load"));
    drop(load.scope());
    play(&mut harness, scope, 200);
    load.record_ms(300_000.0);
    end_frame(harness.state_mut(), scope, 120.0, 1.0);
    harness.run_steps(1);
    play(&mut harness, scope, 10);
    let text =
        "+104.0 ms: 100 % in no scope, or in hitches-load/load, which began before this frame";
    assert_eq!(hitch_text(&harness), text);
}

#[test]
fn without_a_hitch_there_is_no_line_and_no_row() {
    let scope = "hitches-none";
    let mut host = Host::new(scope);
    host.overlay.set_mode(Mode::Hud);
    host.overlay.set_view(PaneView::Hitches);
    let mut harness = harness(SIZE, host);
    play(&mut harness, scope, 150);
    assert!(harness.query_by_label("Hitch").is_none());
    harness.state_mut().overlay.set_mode(Mode::Full);
    harness.run_steps(3);
    let note = "No hitch so far: no frame took much longer than usual.";
    assert_eq!(value_of(&harness, "About hitches"), note);
}

#[test]
fn while_it_learns_it_says_how_long_instead_of_no_hitch() {
    let notes = |scope, mode, frames: usize, ms| -> Vec<String> {
        let mut host = Host::new(scope);
        host.overlay.set_mode(mode);
        host.overlay.set_view(PaneView::Hitches);
        let mut harness = harness(SIZE, host);
        let note = |_| {
            // A load screen, which is long.
            end_frame(harness.state_mut(), scope, ms, 1.0);
            harness.run_steps(1);
            let note = harness.query_by_label("About hitches")?.value();
            Some(note.unwrap_or_default())
        };
        let mut notes: Vec<String> = (0..frames).filter_map(note).collect();
        notes.dedup();
        notes
    };
    for (scope, mode) in [
        ("hitches-learn-full", Mode::Full),
        ("hitches-learn-watch", Mode::Watch),
    ] {
        let notes = notes(scope, mode, 80, 880.0);
        let (first, rest) = notes.split_first().unwrap();
        let until = "Until then, no frame counts as a hitch.";
        let note = format!("Learning what is usual: 60 more frames. {until}");
        assert_eq!(first, &note, "before the first frame");
        let left = (1..60).rev().map(|left: u32| {
            let s = if left == 1 { "" } else { "s" };
            let secs = (f64::from(left) * 0.88).ceil();
            format!("Learning what is usual: {left} more frame{s} ({secs} s). {until}")
        });
        let none = "No hitch so far: no frame took much longer than usual.".to_owned();
        assert_eq!(rest, left.chain([none]).collect::<Vec<_>>());
    }
    // The HUD refreshes ten times a second.
    let mut notes = notes("hitches-learn-hud", Mode::Hud, 200, 16.0);
    assert!(notes.len() > 5, "{notes:?}");
    assert_eq!(
        notes.pop().as_deref(),
        Some("No frame took much longer than usual")
    );
    let left = |note: &String| {
        let note = note.strip_prefix("Learning what is usual: ")?;
        note.split(' ').next()?.parse::<u32>().ok()
    };
    let left: Vec<u32> = notes.iter().map(|note| left(note).unwrap()).collect();
    assert!(left.is_sorted_by(|one, next| one > next), "{left:?}");
    assert!(left.last().is_some_and(|left| *left < 10), "{left:?}");
}

#[test]
fn frames_over_budget_in_the_hud_are_said_to_be_no_hitches() {
    let scope = "hitches-over-budget";
    let mut host = Host::new(scope);
    host.overlay.set_mode(Mode::Hud);
    let mut settings = host.overlay.settings().clone();
    settings.frame_budget_ms = Some(14.0);
    host.overlay.set_settings(&settings);
    let mut harness = harness(SIZE, host);
    // In the first 60 frames, what is usual was learned.
    let about = "Frames over budget, none much longer than usual";
    for (frames, about) in [(150, "No hitch since frame 61"), (550, about)] {
        play(&mut harness, scope, frames);
        assert!(value_of(&harness, "Frames over budget").ends_with(" over budget"));
        assert_eq!(value_of(&harness, "About hitches"), about);
    }
}

#[test]
fn a_hitch_that_is_no_longer_kept_is_not_denied() {
    let mut harness = with_hitch("hitches-denied", Mode::Full);
    harness.state_mut().overlay.act(Action::ClearHistory);
    harness.run_steps(2);
    let note = "No hitch in the frames that are kept. A longer history keeps more.";
    assert_eq!(value_of(&harness, "About hitches"), note);
}

#[test]
fn a_hidden_overlay_looks_for_hitches_only_if_the_settings_say_so() {
    for is_wanted in [false, true] {
        let scope = "hitches-hidden";
        let mut host = Host::new(scope);
        host.overlay.set_view(PaneView::Hitches);
        let mut settings = host.overlay.settings().clone();
        settings.hitches_while_hidden = is_wanted;
        host.overlay.set_settings(&settings);
        let mut harness = harness(SIZE, host);
        harness.run_steps(1);
        play(&mut harness, scope, 100);
        long_frame(&mut harness, scope);
        play(&mut harness, scope, 40);
        harness.state_mut().overlay.set_mode(Mode::Hud);
        harness.run_steps(2);
        let hitch = harness.query_by_label("Hitch");
        assert_eq!(hitch.is_some(), is_wanted);
        if is_wanted {
            let text = "+12.0 ms: 100 % hitches-hidden/ai/paths";
            assert_eq!(hitch_text(&harness), text);
        }
    }
}

#[test]
fn a_hidden_overlay_learns_and_finds_hitches_and_leaks_after_it_was_open() {
    let scope = "hitches-closed";
    let level = up_down_counter("hitches-closed/level").unit(Unit::Bytes);
    let mut host = Host::new(scope);
    let mut settings = host.overlay.settings().clone();
    settings.hitches_while_hidden = true;
    host.overlay.set_settings(&settings);
    let mut harness = harness(SIZE, host);
    play(&mut harness, scope, 100);
    // The first frame of the overlay takes longer than usual.
    harness.state_mut().overlay.set_mode(Mode::Full);
    play(&mut harness, scope, 2);
    harness.state_mut().overlay.set_mode(Mode::Hidden);
    for _ in 0..700 {
        level.add(20_480.0);
        play(&mut harness, scope, 1);
    }
    long_frame(&mut harness, scope);
    play(&mut harness, scope, 40);
    let overlay = &mut harness.state_mut().overlay;
    let events: Vec<Event> = std::iter::from_fn(|| overlay.poll_event()).collect();
    let hitches = |event: &&Event| matches!(event, Event::Hitch(hitch) if hitch.frame == 802);
    assert_eq!(events.iter().filter(hitches).count(), 1, "{events:?}");
    let is_leak = |event: &Event| matches!(event, Event::Leak { .. });
    assert!(events.iter().any(is_leak), "{events:?}");
}

#[test]
fn a_series_that_is_selected_late_has_its_past() {
    let scope = "hitches-past";
    let mut harness = with_hitch(scope, Mode::Full);
    let path = "hitches-past/ai/paths";
    harness.state_mut().overlay.select(path);
    play(&mut harness, scope, 20);
    let recorder = &mut harness.state_mut().recorder;
    let watch = recorder.watch(timer(path).id());
    let history = recorder.history(&watch, usize::MAX);
    assert_eq!(history.frames().end, recorder.frames().end);
    // The survey begins with the first pass, so its first values are those of the second frame.
    assert!(history.first_frame() <= 3, "{:?}", history.frames());
    let is_long = |(frame, ms): &(u64, f64)| *frame >= 5 && (ms - 1.0).abs() > 1e-9;
    let values = history.frames().zip(history.iter());
    let long: Vec<(u64, f64)> = values.filter(is_long).collect();
    assert_eq!(long.len(), 1, "{long:?}");
    assert!((long[0].1 - 13.0).abs() < 1e-9, "{long:?}");
    let frame = recorder.frame(long[0].0).expect("the frame is kept");
    assert!((frame.duration_ms - 28.0).abs() < 1e-6, "{frame:?}");
}

#[test]
fn the_first_hitch_moves_no_text_of_the_hud() {
    let scope = "hitches-still";
    let mut host = Host::new(scope);
    host.overlay.set_mode(Mode::Hud);
    host.overlay.pin("hitches-still/ai");
    let mut harness = harness(SIZE, host);
    play(&mut harness, scope, 100);
    let places = |harness: &Harness<'_, Host>| {
        ["Frame time", "Frames over budget", "hitches-still/ai"]
            .map(|name| harness.get_by_label(name).rect().top())
    };
    let before = places(&harness);
    long_frame(&mut harness, scope);
    play(&mut harness, scope, 10);
    assert!(harness.query_by_label("Hitch").is_some());
    assert_eq!(places(&harness), before);
}

#[test]
fn an_overlay_that_is_hidden_or_has_hitches_turned_off_surveys_nothing() {
    let scope = "hitches-hidden";
    for (mode, is_on, surveys) in [
        (Mode::Hidden, true, false),
        (Mode::Hud, false, false),
        (Mode::Hud, true, true),
        (Mode::Watch, true, true),
        (Mode::Full, true, true),
    ] {
        let mut host = Host::new(scope);
        host.overlay.set_mode(mode);
        let mut settings = host.overlay.settings().clone();
        settings.hitches = is_on;
        host.overlay.set_settings(&settings);
        let mut harness = harness(SIZE, host);
        play(&mut harness, scope, 20);
        assert_eq!(
            harness.state().recorder.asked > 0,
            surveys,
            "{mode:?}, {is_on}"
        );
    }
}

#[test]
fn the_details_of_a_hitch_have_the_lines_of_the_log_before_it() {
    let scope = "hitches-log";
    let mut host = Host::new(scope);
    host.overlay.set_mode(Mode::Full);
    host.overlay.set_view(PaneView::Hitches);
    let mut harness = harness(SIZE, host);
    harness.run_steps(1);
    play(&mut harness, scope, 90);
    for name in ["log warn game::level: still\tloading", "loading"] {
        let recorder = &mut harness.state_mut().recorder;
        recorder.mark(name, MarkEvent::Point);
    }
    let frame = harness.state().recorder.frames().end;
    play(&mut harness, scope, 10);
    long_frame(&mut harness, scope);
    let recorder = &mut harness.state_mut().recorder;
    recorder.mark("log error game: too late", MarkEvent::Point);
    play(&mut harness, scope, 40);
    press(&mut harness, Key::ArrowDown);
    let title = format!("log in frame {frame}: warn game::level: still\\tloading");
    assert!(harness.query_by_label(&title).is_some(), "{title}");
    assert_eq!(
        harness.query_all_by_label_contains("log in frame").count(),
        1
    );
}

#[test]
fn a_frame_in_which_the_program_stood_still_is_no_hitch() {
    let scope = "hitches-stopped";
    let mut harness = shown(scope, Mode::Hud);
    play(&mut harness, scope, 100);
    let line = "log warn stats::stopped: the whole program stood still for 9.0 s";
    (harness.state_mut().recorder).mark(line, MarkEvent::Point);
    long_frame(&mut harness, scope);
    play(&mut harness, scope, 40);
    let overlay = &mut harness.state_mut().overlay;
    let events = std::iter::from_fn(|| overlay.poll_event());
    assert!(!events.into_iter().any(|event| event.name() == "hitch"));
    long_frame(&mut harness, scope);
    play(&mut harness, scope, 4);
    let overlay = &mut harness.state_mut().overlay;
    let events = std::iter::from_fn(|| overlay.poll_event());
    assert!(events.into_iter().any(|event| event.name() == "hitch"));
}

#[test]
fn a_series_that_is_computed_is_among_the_findings() {
    let scope = "hitches-computed";
    let (cost, agents) = (
        gauge("hitches-computed/cost"),
        gauge("hitches-computed/agents"),
    );
    let formula = "hitches-computed/cost / hitches-computed/agents";
    stats_overlay::define_series("hitches-computed/per agent", formula).expect("a new path");
    cost.set(12);
    agents.set(4);
    let mut harness = shown(scope, Mode::Hud);
    play(&mut harness, scope, 100);
    cost.set(400);
    end_frame(harness.state_mut(), scope, 28.0, 1.0);
    harness.run_steps(1);
    cost.set(12);
    play(&mut harness, scope, 10);
    let overlay = &mut harness.state_mut().overlay;
    let mut events = std::iter::from_fn(|| overlay.poll_event());
    let hitch = events.find_map(|event| match event {
        Event::Hitch(hitch) => Some(hitch),
        _ => None,
    });
    let findings = hitch.expect("a hitch").findings;
    let of = |path: &str| findings.iter().find(|finding| finding.path == path);
    let finding = of("hitches-computed/per agent").expect("a finding");
    assert_eq!((finding.value, finding.usual), (100.0, 3.0));
}

#[test]
fn a_pane_lists_the_hitch_and_enter_goes_to_its_frame() {
    let scope = "hitches-pane";
    let mut harness = with_hitch(scope, Mode::Full);
    let verdict = "+12.0 ms: 100 % hitches-pane/ai/paths";
    assert_eq!(value_of(&harness, "Hitch in frame 100"), verdict);
    assert!(
        harness
            .query_by_label("culprit hitches-pane/ai/paths")
            .is_none()
    );
    press(&mut harness, Key::ArrowDown);
    let found = value_of(&harness, "culprit hitches-pane/ai/paths");
    assert_eq!(
        found,
        "100 %, 1.00 ms to 13.00 ms, usual frames reach 1.00 ms"
    );
    assert!(harness.query_by_label("via hitches-pane/ai").is_some());
    assert_eq!(value_of(&harness, "step usual frame"), "16.00 ms");
    assert_eq!(
        value_of(&harness, "step hitches-pane/ai/paths"),
        "+12.00 ms"
    );
    assert_eq!(value_of(&harness, "step this frame"), "28.00 ms");
    assert!(!harness.state().overlay.paused());
    press(&mut harness, Key::Enter);
    let overlay = &harness.state().overlay;
    assert!(overlay.paused());
    let selected: Vec<&str> = overlay.selected().collect();
    assert_eq!(
        selected,
        ["frame time", "hitches-pane/ai/paths", "hitches-pane/ai"]
    );
    assert_eq!(overlay.view(), PaneView::Hitches);
}

#[test]
fn the_newest_hitch_is_one_action_away_from_the_game() {
    let scope = "hitches-go-to";
    let mut harness = with_hitch(scope, Mode::Hud);
    harness.state_mut().overlay.act(Action::GoToHitch);
    harness.run_steps(4);
    let overlay = &harness.state().overlay;
    assert_eq!((overlay.mode(), overlay.paused()), (Mode::Full, true));
    assert_eq!(overlay.view(), PaneView::Graph);
    let selected: Vec<&str> = overlay.selected().collect();
    assert!(selected.contains(&"hitches-go-to/ai/paths"), "{selected:?}");
}

#[test]
fn the_pane_of_the_culprits_leaves_the_others_alone_and_the_header_is_of_the_frame_looked_at() {
    let scope = "hitches-own-pane";
    let mut harness = with_hitch(scope, Mode::Hud);
    let own = ["frame time", "hitches-own-pane/other"];
    harness.state_mut().overlay.select(own[1]);
    harness.state_mut().overlay.act(Action::GoToHitch);
    harness.run_steps(4);
    let shown = |harness: &Harness<'_, Host>| -> Vec<Vec<String>> {
        let panes = harness.state().overlay.saved().layout.panes;
        panes.into_iter().map(|pane| pane.paths).collect()
    };
    let culprits = [
        "frame time",
        "hitches-own-pane/ai/paths",
        "hitches-own-pane/ai",
    ];
    assert_eq!(shown(&harness), [&culprits[..], &own]);
    let of_first = "+12.0 ms: 100 % hitches-own-pane/ai/paths";
    assert_eq!(hitch_text(&harness), of_first);
    // A newer one, which is longer.
    play(&mut harness, scope, 60);
    end_frame(harness.state_mut(), scope, 40.0, 25.0);
    harness.run_steps(1);
    play(&mut harness, scope, 40);
    assert_eq!(
        hitch_text(&harness),
        of_first,
        "that of the frame on screen"
    );
    // It came after the pause.
    click(&mut harness, "Newest finding");
    harness.run_steps(4);
    assert!(harness.state().overlay.paused());
    assert_eq!(
        hitch_text(&harness),
        "+24.0 ms: 100 % hitches-own-pane/ai/paths"
    );
    let frames = value_of(&harness, "All frames");
    assert!(frames.contains("of 0 to 242"), "{frames}");
    assert_eq!(shown(&harness), [&culprits[..], &own]);
}

#[test]
fn the_strip_counts_the_hitches_that_the_list_names_and_names_the_longest_frame() {
    let scope = "hitches-strip";
    let mut harness = with_hitch(scope, Mode::Full);
    let caption = |harness: &Harness<'_, Host>| value_of(harness, "Key of all frames");
    let with_one = "all frames, longest 28.00 ms in frame 100, 1 hitch, over budget";
    assert_eq!(caption(&harness), with_one);
    play(&mut harness, scope, 60);
    end_frame(harness.state_mut(), scope, 40.0, 25.0);
    harness.run_steps(1);
    play(&mut harness, scope, 40);
    let text = caption(&harness);
    assert!(
        text.starts_with("all frames, longest 40.00 ms in frame "),
        "{text}"
    );
    assert!(text.ends_with(", 2 hitches, over budget"), "{text}");
    let mut settings = harness.state().overlay.settings().clone();
    settings.hitches = false;
    harness.state_mut().overlay.set_settings(&settings);
    harness.run_steps(2);
    assert!(!caption(&harness).contains("hitch"), "the search is off");
}

#[test]
fn the_legend_counts_the_hitches_of_selected_frames_while_the_search_is_on() {
    let mut harness = with_hitch("hitches-legend", Mode::Full);
    for is_on in [true, false] {
        let overlay = &mut harness.state_mut().overlay;
        let mut settings = overlay.settings().clone();
        settings.hitches = is_on;
        overlay.set_settings(&settings);
        overlay.set_view(PaneView::Graph);
        overlay.select_frames(Some(90..111));
        harness.run_steps(3);
        let texts = painted(&harness);
        let title = if is_on {
            "of 21 frames, 1 hitch"
        } else {
            "of 21 frames"
        };
        assert!(texts.iter().any(|(_, text)| text == title), "{texts:?}");
    }
}

#[test]
fn without_a_hitch_the_mode_stays() {
    let mut harness = harness(SIZE, Host::new("hitches-go-nowhere"));
    harness.state_mut().overlay.set_mode(Mode::Hud);
    harness.run_steps(4);
    harness.state_mut().overlay.act(Action::GoToHitch);
    harness.run_steps(4);
    assert_eq!(harness.state().overlay.mode(), Mode::Hud);
}

#[test]
fn a_click_selects_a_row_and_a_double_click_goes_to_its_frame() {
    let mut harness = with_hitch("hitches-click", Mode::Full);
    click(&mut harness, "Hitch in frame 100");
    assert!(
        harness
            .query_by_label("culprit hitches-click/ai/paths")
            .is_some()
    );
    assert!(!harness.state().overlay.paused());
    for _ in 0..2 {
        harness.get_by_label("Hitch in frame 100").click();
        harness.run_steps(1);
    }
    harness.run_steps(2);
    assert!(harness.state().overlay.paused());
}

#[test]
fn hitches_are_listed_over_the_game_as_well() {
    let mut harness = with_hitch("hitches-watch", Mode::Watch);
    let verdict = "+12.0 ms: 100 % hitches-watch/ai/paths";
    assert_eq!(value_of(&harness, "Hitch in frame 100"), verdict);
    let overlay = &mut harness.state_mut().overlay;
    overlay.act(Action::Rows(RowAction::Down));
    harness.run_steps(2);
    assert!(
        harness
            .query_by_label("culprit hitches-watch/ai/paths")
            .is_some()
    );
}

#[test]
fn hitches_during_a_pause_are_listed_after_it() {
    let scope = "hitches-pause";
    let mut harness = with_hitch(scope, Mode::Full);
    harness.state_mut().overlay.set_paused(true);
    play(&mut harness, scope, 20);
    let frame = harness.state().recorder.frames().end;
    long_frame(&mut harness, scope);
    play(&mut harness, scope, 10);
    let label = format!("Hitch in frame {frame}");
    assert!(harness.query_by_label(&label).is_none());
    harness.state_mut().overlay.set_paused(false);
    harness.run_steps(2);
    assert!(harness.query_by_label(&label).is_some());
}

#[test]
fn growing_levels_and_periodic_stalls_are_rows_above_the_hitches() {
    let scope = "hitches-certain";
    let level = up_down_counter("hitches-certain/level")
        .unit(Unit::Bytes)
        .budget(1e8);
    level.add(6e6);
    let mut host = Host::new(scope);
    host.overlay.set_mode(Mode::Watch);
    host.overlay.set_view(PaneView::Hitches);
    let mut harness = harness(SIZE, host);
    for frame in 0..900 {
        level.add(1000.0);
        if frame % 90 == 80 {
            long_frame(&mut harness, scope);
        } else {
            play(&mut harness, scope, 1);
        }
    }
    let top = |label: &str| harness.get_by_label_contains(label).rect().top();
    let leak = top("Growing level hitches-certain/level, over budget in ");
    let comb = top("Periodic stall every 90 frames since frame 80: hitches-certain/ai/paths");
    assert!(leak < comb);
    assert!(comb < top("Hitch in frame 890"));
    assert!(top("Hitch in frame 890") < top("Hitch in frame 800"));
}

#[test]
fn enter_goes_to_the_newest_stall_of_a_period_and_to_no_frame_of_a_leak() {
    let scope = "hitches-lasting";
    let level = up_down_counter("hitches-lasting/level").unit(Unit::Bytes);
    let mut host = Host::new(scope);
    host.overlay.set_mode(Mode::Full);
    host.overlay.set_view(PaneView::Hitches);
    let mut harness = harness(SIZE, host);
    for frame in 0..900 {
        level.add(1000.0);
        if frame % 90 == 80 {
            long_frame(&mut harness, scope);
        } else {
            play(&mut harness, scope, 1);
        }
    }
    click(&mut harness, "Growing level hitches-lasting/level");
    press(&mut harness, Key::Enter);
    let overlay = &harness.state().overlay;
    assert!(
        !overlay.paused()
            && overlay
                .selected()
                .any(|path| path == "hitches-lasting/level")
    );
    let stall = "Periodic stall every 90 frames since frame 80: hitches-lasting/ai/paths";
    click(&mut harness, stall);
    press(&mut harness, Key::Enter);
    assert!(harness.state().overlay.paused());
}

#[test]
fn the_line_shows_the_period_of_a_recurring_stall() {
    let scope = "hitches-returns";
    let mut host = Host::new(scope);
    host.overlay.set_mode(Mode::Hud);
    let mut harness = harness(SIZE, host);
    let hitch = "+12.0 ms: 100 % hitches-returns/ai/paths";
    for frame in 0..900 {
        if frame % 90 == 80 {
            long_frame(&mut harness, scope);
        } else {
            play(&mut harness, scope, 1);
        }
        if frame == 100 {
            assert_eq!(hitch_text(&harness), hitch);
        }
    }
    let line = format!("every 90 frames, {hitch}");
    assert_eq!(hitch_text(&harness), line);
}

#[test]
fn the_line_says_that_a_level_will_soon_be_over_its_budget() {
    let scope = "hitches-urgent";
    let mut host = Host::new(scope);
    host.overlay.set_mode(Mode::Hud);
    let mut harness = harness(SIZE, host);
    let far = up_down_counter("hitches-urgent/far")
        .unit(Unit::Bytes)
        .budget(1e9);
    let without = up_down_counter("hitches-urgent/without").unit(Unit::Bytes);
    for _ in 0..600 {
        [far, without].iter().for_each(|level| level.add(20.0));
        play(&mut harness, scope, 1);
    }
    assert!(harness.query_by_label("Hitch").is_none());
    let near = up_down_counter("hitches-urgent/near")
        .unit(Unit::Bytes)
        .budget(6e4);
    for _ in 0..700 {
        [far, without, near]
            .iter()
            .for_each(|level| level.add(20.0));
        play(&mut harness, scope, 1);
    }
    let line = value_of(&harness, "Hitch");
    let is_near = line.contains("/s: hitches-urgent/near, over budget in ");
    assert!(is_near, "{line}");
}

/// Plays a pane of graphs, with half a millisecond more in frame 100: too little for a hitch.
fn with_long_frame(scope: &'static str) -> Harness<'static, Host> {
    let mut harness = shown(scope, Mode::Full);
    play(&mut harness, scope, 100);
    end_frame(harness.state_mut(), scope, 16.5, 1.5);
    harness.run_steps(1);
    play(&mut harness, scope, 40);
    harness
}

#[test]
fn e_explains_the_marked_frame_the_selected_ones_or_the_newest_one() {
    let mut harness = with_long_frame("hitches-explain");
    let overlay = &mut harness.state_mut().overlay;
    overlay.select_frames(Some(100..101));
    press(&mut harness, Key::E);
    let verdict = "+0.5 ms: 100 % hitches-explain/ai/paths";
    assert_eq!(value_of(&harness, "Explained 100"), verdict);
    let found = value_of(&harness, "culprit hitches-explain/ai/paths");
    assert_eq!(
        found,
        "100 %, 1.00 ms to 1.50 ms, usual frames reach 1.00 ms"
    );
    assert_eq!(harness.state().overlay.view(), PaneView::Hitches);

    let overlay = &mut harness.state_mut().overlay;
    overlay.select_frames(Some(99..101));
    press(&mut harness, Key::E);
    let verdict = "+0.2 ms: 100 % hitches-explain/ai/paths";
    let mean = value_of(&harness, "Explained 99 to 100");
    assert!(
        mean == verdict || mean == verdict.replace('2', "3"),
        "{mean}"
    );

    press(&mut harness, Key::Enter);
    let overlay = &mut harness.state_mut().overlay;
    assert!(overlay.paused(), "Enter goes to the first of the frames");
    assert!(
        overlay
            .selected()
            .any(|path| path == "hitches-explain/ai/paths")
    );
    overlay.select_frames(None);
    overlay.act(Action::ResetView);
    harness.run_steps(1);
    press(&mut harness, Key::E);
    let newest = harness.state().recorder.frames().end - 1;
    let verdict = value_of(&harness, &format!("Explained {newest}"));
    assert!(
        verdict.ends_with("not longer than the frames around it"),
        "{verdict}"
    );
}

#[test]
fn e_lists_what_it_explains_while_the_pointer_is_in_the_list() {
    let mut harness = with_long_frame("hitches-explain-pointed");
    harness.state_mut().overlay.select_frames(Some(100..101));
    press(&mut harness, Key::E);
    let row = harness.get_by_label("Explained 100").rect().center();
    harness.event(egui::Event::PointerMoved(row));
    harness.run_steps(3);
    harness.state_mut().overlay.select_frames(Some(99..101));
    press(&mut harness, Key::E);
    let verdict = value_of(&harness, "Explained 99 to 100");
    assert!(verdict.starts_with("+0."), "{verdict}");
}

#[test]
fn frames_that_cannot_be_explained_cause_a_notice() {
    let mut harness = with_long_frame("hitches-unexplained");
    harness.state_mut().overlay.select_frames(Some(0..1));
    press(&mut harness, Key::E);
    let notice = value_of(&harness, "Notice");
    assert!(notice.starts_with("Only the last 1"), "{notice}");
    assert_eq!(harness.state().overlay.view(), PaneView::Graph);
    let overlay = &mut harness.state_mut().overlay;
    let mut settings = overlay.settings().clone();
    settings.hitches = false;
    overlay.set_settings(&settings);
    press(&mut harness, Key::E);
    let notice = value_of(&harness, "Notice");
    assert_eq!(
        notice,
        "Hitches are turned off. The settings can turn them on."
    );
}

#[test]
fn a_source_without_a_survey_says_so_and_where_the_hitches_are() {
    let scope = "hitches-no-survey";
    let mut host = Host::full(scope);
    host.recorder.surveys = false;
    host.overlay.act(Action::ToggleHitches);
    let mut harness = harness(SIZE, host);
    play(&mut harness, scope, 10);
    let note = value_of(&harness, "About hitches");
    assert!(
        note.starts_with("Record a capture (V)") && note.contains("only watched series"),
        "{note}"
    );
}

#[test]
fn a_view_line_carries_the_hitches_view() {
    let mut overlay = StatsOverlay::new();
    overlay.set_view(PaneView::Hitches);
    let line = overlay.view_line();
    let mut other = StatsOverlay::new();
    other.show_view_line(&line).unwrap();
    assert_eq!(other.view(), PaneView::Hitches);
}

/// Returns the fewest allocations of a frame of the HUD.
fn allocations(scope: &'static str, hitches: bool) -> u64 {
    let mut host = Host::new(scope);
    host.overlay.set_mode(Mode::Hud);
    let mut settings = host.overlay.settings().clone();
    settings.hitches = hitches;
    host.overlay.set_settings(&settings);
    fewest_in_a_frame(&mut host, SIZE, |host| end_frame(host, scope, 16.0, 1.0))
}

#[test]
fn looking_for_hitches_allocates_nothing() {
    let without = allocations("hitches-allocate", false);
    assert_eq!(allocations("hitches-allocate", true), without);
}

#[test]
fn a_hitch_under_the_hud_keeps_its_own_series_for_120_frames_and_no_others() {
    let scope = "hitches-after";
    let mut harness = with_hitch(scope, Mode::Hud);
    play(&mut harness, scope, 160);
    let end = harness.state().recorder.frames().end;
    let hitch = (0..end).rev().find(|frame| {
        (harness.state().recorder.frame(*frame)).is_some_and(|f| f.duration_ms > 20.0)
    });
    let hitch = hitch.expect("there is a long frame");
    harness.state_mut().overlay.set_mode(Mode::Full);
    let known = |harness: &mut Harness<'_, Host>, name: &str| -> Vec<(u64, f64)> {
        let path = format!("{scope}/{name}");
        let host = harness.state_mut();
        host.overlay.select(&path);
        harness.run_steps(1);
        let host = harness.state_mut();
        let id = host.recorder.find(&path).expect("it is registered");
        let watch = host.recorder.watch(id);
        let values = host.recorder.history(&watch, usize::MAX);
        let values = (values.first_frame()..).zip(values.iter());
        values.filter(|(_, value)| !value.is_nan()).collect()
    };
    let paths = known(&mut harness, "ai/paths");
    let after: Vec<(u64, f64)> = paths
        .into_iter()
        .filter(|(frame, _)| *frame < end)
        .collect();
    let frames: Vec<u64> = after.iter().map(|(frame, _)| *frame).collect();
    assert_eq!(frames, (hitch..=hitch + 120).collect::<Vec<_>>());
    let is_right = |(frame, ms): &(u64, f64)| {
        let expected_ms = if *frame == hitch { 13.0 } else { 1.0 };
        (ms - expected_ms).abs() < 1e-6
    };
    assert!(after.iter().all(is_right), "{after:?}");
    // The frame times before the hitch are those of the recorder.
    let times = harness.state().recorder.frame_times(usize::MAX);
    assert_eq!(times.first_frame(), 0);
    let others = known(&mut harness, "render");
    assert!(others.iter().all(|(frame, _)| *frame >= end), "{others:?}");
}

#[test]
fn the_flight_recorder_keeps_the_scopes_of_hitches_while_it_is_on() {
    use stats_core::Source;
    let scope = "hitches-flight";
    let kept = timer("hitches-flight/kept");
    for is_on in [false, true] {
        let mut host = Host::new(scope);
        let mut settings = host.overlay.settings().clone();
        settings.flight_recorder = is_on;
        host.overlay.set_settings(&settings);
        let mut harness = harness(SIZE, host);
        play(&mut harness, scope, 100);
        kept.time(|| {});
        long_frame(&mut harness, scope);
        play(&mut harness, scope, 10);
        settings.flight_recorder = false;
        harness.state_mut().overlay.set_settings(&settings);
        // The scopes of other frames leave when nobody has asked for a while.
        play(&mut harness, scope, 130);
        let timeline = harness.state_mut().recorder.timeline(&[]);
        let timeline = timeline.expect("a recorder has one");
        let frames: Vec<_> = timeline.frames().collect();
        let has_scope = |frame: &stats_core::timeline::FrameScopes<'_>| {
            let mut scopes = frame.scopes().iter();
            scopes.any(|scope| scope.series() == kept.id())
        };
        assert_eq!(frames.iter().any(has_scope), is_on);
        assert_eq!(frames.len(), if is_on { 7 } else { 0 });
        assert_eq!(timeline.bytes() > 0, is_on);
    }
}

/// Returns the visible texts beside the newest finding in the header.
fn header_texts(harness: &Harness<'_, Host>) -> Vec<String> {
    let verdict = harness.get_by_label("Newest finding").rect();
    let texts = painted(harness).into_iter();
    let beside = texts.filter(|(area, _)| (area.center().y - verdict.center().y).abs() < 10.0);
    beside.map(|(_, text)| text).collect()
}

#[test]
fn the_header_shows_the_culprit_at_any_width_whatever_else_it_has_to_say() {
    let scope = "hitches-header";
    for width in [1920.0, 1280.0, 800.0] {
        for (is_slow, is_paused) in [(false, false), (true, false), (false, true)] {
            let mut harness = with_hitch_at(vec2(width, 600.0), scope, Mode::Full);
            let overlay = &mut harness.state_mut().overlay;
            overlay.set_program("A Game of a Long Name", "0.1.0 (debug)");
            if is_paused {
                overlay.act(Action::TogglePause);
            }
            if is_slow {
                let mut settings = overlay.settings().clone();
                settings.overlay_budget_ms = 0.01;
                overlay.set_settings(&settings);
            }
            play(&mut harness, scope, 40);
            let texts = header_texts(&harness);
            let said = format!("{width}, slow {is_slow}, paused {is_paused}: {texts:?}");
            assert_eq!(
                harness.query_by_label("Slowed").is_some(),
                is_slow,
                "{said}"
            );
            assert!(
                texts
                    .iter()
                    .any(|text| text.contains("100 % hitches-header/ai/paths")),
                "{said}"
            );
            let has = |start| texts.iter().any(|text: &String| text.starts_with(start));
            assert!(!is_paused || has("PAUSED"), "{said}");
            assert!(!has("graphs every") && !has("overlay "), "{said}");
        }
    }
}

#[test]
fn a_verdict_that_is_cut_in_the_list_is_whole_at_the_pointer() {
    let scope = "hitches-cut/a-game-of-several-worlds-with-long-names";
    let culprit = format!("100 % {scope}/ai/paths");
    let whole = |harness: &Harness<'_, Host>| {
        let of_culprit = |text: &String| text.contains(&culprit);
        let texts = painted(harness).into_iter().map(|(_, text)| text);
        let cut = elided(harness).into_iter();
        texts.filter(of_culprit).count() - cut.filter(of_culprit).count()
    };
    for (width, fits) in [(1280.0, true), (640.0, false)] {
        let mut harness = with_hitch_at(vec2(width, 600.0), scope, Mode::Full);
        let shown = whole(&harness);
        assert_eq!(shown, usize::from(fits), "{width}");
        let row = harness.get_by_label_contains("Hitch in frame").rect();
        harness.hover_at(row.center());
        harness.run_steps(60);
        assert_eq!(whole(&harness), 1, "{width}");
    }
}
