//! The card of the newest finding, and the forms of the HUD.

use egui::{Key, Rect};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{Timer, Unit, counter, timer, up_down_counter};
use stats_overlay::{Action, Event, HudSize, Mode, PaneView, Place, Settings};

use super::planted::{SIZE, end_frame, hitch_text, long_frame, play, shown, with_hitch};
use crate::host::{Host, harness, press, value_of};
use crate::painted::{painted, place_of};

/// Changes the settings.
fn set(harness: &mut Harness<'_, Host>, change: impl FnOnce(&mut Settings)) {
    let overlay = &mut harness.state_mut().overlay;
    let mut settings = overlay.settings().clone();
    change(&mut settings);
    overlay.set_settings(&settings);
}

#[test]
fn the_hud_and_the_panes_over_the_game_show_the_card_of_a_hitch() {
    for (scope, mode) in [("card-hud", Mode::Hud), ("card-watch", Mode::Watch)] {
        let mut harness = with_hitch(scope, mode);
        let text = format!("+12.0 ms, 100 % {scope}/ai/paths, frame 100, now");
        assert_eq!(value_of(&harness, "Card"), text);
        let card = harness.get_by_label("Card").rect();
        assert!(
            card.height() >= 90.0 && (250.0..=330.0).contains(&card.width()),
            "{card:?}"
        );
        let excess = place_of(&harness, "+12.0 ms").expect("it is painted");
        assert!(
            card.contains_rect(excess) && excess.height() > 12.0,
            "{excess:?}"
        );
        // 700 frames later, it is eleven seconds old, and has stayed.
        play(&mut harness, scope, 700);
        let text = format!("+12.0 ms, 100 % {scope}/ai/paths, frame 100, 10 s ago");
        assert_eq!(value_of(&harness, "Card"), text);
        assert_eq!(
            harness.get_by_label("Card").rect(),
            card,
            "it has not moved"
        );
        harness.state_mut().overlay.act(Action::ClearHistory);
        harness.run_steps(2);
        assert!(harness.query_by_label("Card").is_none());
    }
}

#[test]
fn the_card_names_a_count_that_moved_with_the_frame_unless_it_changed_little() {
    for (scope, in_long_frame, named) in [
        ("card-little", 21.0, ""),
        ("card-much", 170.0, ", with it card-much/ai/count 17 to 170"),
    ] {
        let mut host = Host::new(scope);
        host.overlay.set_mode(Mode::Hud);
        let mut harness = harness(SIZE, host);
        let count = counter(&format!("{scope}/ai/count"));
        harness.run_steps(1);
        for _ in 0..100 {
            count.add(17.0);
            play(&mut harness, scope, 1);
        }
        count.add(in_long_frame);
        long_frame(&mut harness, scope);
        for _ in 0..5 {
            count.add(17.0);
            play(&mut harness, scope, 1);
        }
        let text = format!("+12.0 ms, 100 % {scope}/ai/paths{named}, frame 100, now");
        assert_eq!(value_of(&harness, "Card"), text);
    }
}

#[test]
fn the_card_says_by_how_much_a_frame_was_longer_if_it_did_more_work_than_that() {
    let work = |longer: &str| format!(", 12.0 ms more work, {longer}");
    for (scope, frame_ms, line) in [
        ("card-same", 28.0, String::new()),
        ("card-nearly", 27.6, String::new()),
        ("card-longer", 24.0, work("8.0 ms longer")),
    ] {
        let mut harness = shown(scope, Mode::Hud);
        play(&mut harness, scope, 100);
        // The path search takes 12 ms more, and the frame waits for a part of them less in no scope.
        end_frame(harness.state_mut(), scope, frame_ms, 13.0);
        harness.run_steps(1);
        play(&mut harness, scope, 5);
        let text = format!("+12.0 ms, 100 % {scope}/ai/paths{line}, frame 100, now");
        assert_eq!(value_of(&harness, "Card"), text);
    }
}

#[test]
fn a_frame_that_did_more_work_but_took_no_longer_has_no_card_and_is_listed() {
    for (scope, frame_ms) in [
        ("card-no-longer", 16.0),
        ("card-shorter", 15.6),
        ("card-unseen", 19.5),
    ] {
        let mut harness = shown(scope, Mode::Hud);
        play(&mut harness, scope, 100);
        end_frame(harness.state_mut(), scope, frame_ms, 13.0);
        harness.run_steps(1);
        play(&mut harness, scope, 5);
        assert!(harness.query_by_label("Card").is_none(), "{scope}");
        assert!(harness.query_by_label("Hitch").is_none(), "{scope}");
        let overlay = &mut harness.state_mut().overlay;
        let mut events = std::iter::from_fn(|| overlay.poll_event());
        assert!(
            !events.any(|event| matches!(event, Event::Hitch(_))),
            "{scope}"
        );
        harness.state_mut().overlay.set_mode(Mode::Watch);
        harness.state_mut().overlay.set_view(PaneView::Hitches);
        harness.run_steps(3);
        let row = value_of(&harness, "Hitch in frame 100");
        assert!(row.contains("ai/paths"), "{scope} {row}");
        harness.state_mut().overlay.set_mode(Mode::Full);
        harness.run_steps(3);
        press(&mut harness, Key::ArrowDown);
        press(&mut harness, Key::Enter);
        harness.run_steps(3);
        assert!(!has_hitch_sign(&harness), "{scope}: no player sees it");
    }
}

#[test]
fn the_header_marks_a_hitch() {
    let mut harness = with_hitch("card-header", Mode::Hud);
    harness.state_mut().overlay.act(Action::GoToHitch);
    harness.run_steps(4);
    assert!(has_hitch_sign(&harness));
}

/// Returns whether the finding in the header begins with the sign of a hitch.
fn has_hitch_sign(harness: &Harness<'_, Host>) -> bool {
    let area = harness.get_by_label("Newest finding").rect();
    let texts = painted(harness).into_iter();
    let beside = texts.filter(|(text, _)| area.expand(2.0).contains(text.center()));
    let left = beside.map(|(text, _)| text.left()).reduce(f32::min);
    left.expect("a finding") > area.left() + 8.0
}

#[test]
fn the_card_names_a_count_that_moved_rather_than_by_how_much_the_frame_was_longer() {
    let scope = "card-room";
    let mut host = Host::new(scope);
    host.overlay.set_mode(Mode::Hud);
    let mut harness = harness(SIZE, host);
    let count = counter(&format!("{scope}/ai/count"));
    let other = timer(&format!("{scope}/ai/other"));
    harness.run_steps(1);
    let mut frame = |count_in_it, frame_ms, paths_ms, other_ms| {
        count.add(count_in_it);
        other.record_ms(other_ms);
        end_frame(harness.state_mut(), scope, frame_ms, paths_ms);
        harness.run_steps(1);
    };
    for at in 0..100 {
        // A scope says where it runs, as in `end_frame`.
        drop((at < 5).then(|| other.scope()));
        frame(17.0, 16.0, 1.0, 1.0);
    }
    frame(170.0, 24.0, 8.0, 6.0);
    for _ in 0..5 {
        frame(17.0, 16.0, 1.0, 1.0);
    }
    let parts = format!("58 % {scope}/ai/paths, 42 % {scope}/ai/other");
    let text = format!("+12.0 ms, {parts}, with it {scope}/ai/count 17 to 170, frame 100, now");
    assert_eq!(value_of(&harness, "Card"), text);
}

#[test]
fn a_hitch_noticed_right_before_the_overlay_was_hidden_has_the_age_of_the_hitch() {
    for passes in 0..4 {
        let scope = ["card-hide-0", "card-hide-1", "card-hide-2", "card-hide-3"][passes];
        let mut harness = shown(scope, Mode::Hud);
        play(&mut harness, scope, 100);
        long_frame(&mut harness, scope);
        play(&mut harness, scope, passes);
        harness.state_mut().overlay.set_mode(Mode::Hidden);
        play(&mut harness, scope, 600);
        harness.state_mut().overlay.set_mode(Mode::Hud);
        play(&mut harness, scope, 40);
        // A hitch that was not ranked when the overlay was hidden is not found.
        let card = harness.query_by_label("Card");
        let card = card.map(|_| value_of(&harness, "Card"));
        assert_eq!(card.is_some(), passes > 0, "after {passes} passes");
        let Some(card) = card else { continue };
        assert!(
            card.ends_with("frame 100, 10 s ago"),
            "after {passes} passes: {card}"
        );
    }
}

#[test]
fn the_card_says_how_often_a_culprit_made_frames_long() {
    let scope = "card-repeat";
    let mut harness = with_hitch(scope, Mode::Hud);
    // Not at equal intervals.
    for frames in [61, 97, 30] {
        long_frame(&mut harness, scope);
        play(&mut harness, scope, frames);
    }
    let card = value_of(&harness, "Card");
    assert!(card.starts_with("+12.0 ms, 4th time, 100 % "), "{card}");
    let scope = "card-period";
    let mut harness = with_hitch(scope, Mode::Hud);
    for _ in 0..8 {
        long_frame(&mut harness, scope);
        play(&mut harness, scope, 74);
    }
    let card = value_of(&harness, "Card");
    assert!(
        card.starts_with("+12.0 ms, every 75 frames, 100 % "),
        "{card}"
    );
}

#[test]
fn a_slowdown_that_lasts_has_a_card_with_the_times_before_and_after() {
    let scope = "card-slow";
    let mut host = Host::new(scope);
    host.overlay.set_mode(Mode::Hud);
    let mut harness = harness(SIZE, host);
    play(&mut harness, scope, 600);
    for _ in 0..150 {
        end_frame(harness.state_mut(), scope, 28.0, 13.0);
        harness.run_steps(1);
    }
    let card = value_of(&harness, "Card");
    let parts: Vec<&str> = card.split(", ").collect();
    assert_eq!(parts[..2], ["16.0 to 28.0 ms", "slower"], "{card}");
    assert!(["1.7 ×", "1.8 ×"].contains(&parts[2]), "{card}");
    assert_eq!(parts[3], "100 % card-slow/ai/paths");
    assert!(parts[4].starts_with("frame 6"), "{card}");
    harness.state_mut().overlay.act(Action::GoToHitch);
    harness.run_steps(3);
    let overlay = &harness.state().overlay;
    assert!(overlay.paused() && overlay.selected().any(|path| path == "card-slow/ai/paths"));
    harness.state_mut().overlay.set_paused(false);
    harness.state_mut().overlay.set_mode(Mode::Hud);
    play(&mut harness, scope, 100);
    let card = value_of(&harness, "Card");
    assert!(
        card.starts_with("16.0 to 28.0 ms, 1."),
        "it has ended: {card}"
    );
}

#[test]
fn the_hud_has_any_corner_and_four_sizes() {
    let screen = Rect::from_min_size(Default::default(), SIZE);
    let mut harness = with_hitch("card-places", Mode::Hud);
    play(&mut harness, "card-places", 70);
    let mut widths = Vec::new();
    for size in [
        HudSize::Line,
        HudSize::Small,
        HudSize::Medium,
        HudSize::Large,
    ] {
        for (place, corner) in [
            (Place::TopLeft, screen.left_top()),
            (Place::TopRight, screen.right_top()),
            (Place::BottomLeft, screen.left_bottom()),
            (Place::BottomRight, screen.right_bottom()),
        ] {
            set(&mut harness, |settings| {
                (settings.hud_size, settings.hud_place) = (size, place);
            });
            harness.run_steps(6);
            let time = place_of(&harness, "16.00 ms").expect("the time is shown");
            let rate = place_of(&harness, "62.5 fps").expect("the rate is shown");
            let both = time.union(rate);
            assert!(screen.contains_rect(both), "{size:?} {place:?} {both:?}");
            // Where the screen ends, not in its middle.
            assert!(
                both.distance_to_pos(corner) < 340.0,
                "{size:?} {place:?} {both:?}"
            );
            if place == Place::TopLeft {
                widths.push(both.width());
            }
            let is_line = size == HudSize::Line;
            assert_eq!(harness.query_by_label("Card").is_none(), is_line);
            let hitch = "+12.0 ms: 100 % card-places/ai/paths";
            assert_eq!(hitch_text(&harness), hitch, "{size:?}");
        }
    }
    assert!(widths[1] < widths[2] && widths[2] < widths[3], "{widths:?}");
}

#[test]
fn a_finding_moves_no_number_of_the_one_line_form() {
    let scope = "card-line";
    for place in [Place::TopLeft, Place::TopRight] {
        let mut host = Host::new(scope);
        host.overlay.set_mode(Mode::Hud);
        let mut harness = harness(SIZE, host);
        set(&mut harness, |settings| {
            (settings.hud_size, settings.hud_place) = (HudSize::Line, place);
        });
        play(&mut harness, scope, 100);
        let places = |harness: &Harness<'_, Host>| {
            ["16.00 ms", "62.5 fps"].map(|text| place_of(harness, text).unwrap())
        };
        let before = places(&harness);
        long_frame(&mut harness, scope);
        play(&mut harness, scope, 70);
        let hitch = ", +12.0 ms: 100 % card-line/ai/paths";
        assert!(
            painted(&harness)
                .iter()
                .any(|(_, text)| text.ends_with(hitch))
        );
        assert_eq!(places(&harness), before);
    }
}

#[test]
fn without_pins_the_hud_shows_the_three_most_expensive_timers() {
    static WAIT: Timer = Timer::new("card-top/wait").wait();
    let scope = "card-top";
    let mut host = Host::new(scope);
    host.overlay.set_mode(Mode::Hud);
    let mut harness = harness(SIZE, host);
    for _ in 0..140 {
        WAIT.record_ms(9.0);
        timer("card-top/physics").record_ms(2.0);
        timer("card-top/audio").record_ms(0.25);
        play(&mut harness, scope, 1);
    }
    let order = [
        ("card-top/render", "6.00 ms"),
        ("card-top/physics", "2.00 ms"),
        ("card-top/ai/paths", "1.00 ms"),
    ];
    let mut top = f32::NEG_INFINITY;
    for (path, ms) in order {
        assert_eq!(value_of(&harness, path), ms);
        let line = harness.get_by_label(path).rect();
        assert!(line.top() > top, "{path}");
        top = line.top();
    }
    assert!(harness.query_by_label("card-top/wait").is_none());
    assert!(harness.query_by_label("card-top/audio").is_none());
    let hint = "P in the full overlay pins a series here";
    assert!(place_of(&harness, hint).is_some());
    harness.state_mut().overlay.pin("card-top/audio");
    harness.run_steps(3);
    assert!(harness.query_by_label("card-top/physics").is_none());
    assert!(harness.query_by_label("card-top/audio").is_some());
    assert!(place_of(&harness, hint).is_none());
}

#[test]
fn a_leak_has_a_card_with_its_slope_and_the_time_to_the_budget_and_goes_to_its_series() {
    let scope = "card-leak";
    let mut host = Host::new(scope);
    host.overlay.set_mode(Mode::Hud);
    let mut harness = harness(SIZE, host);
    let far = up_down_counter("card-leak/far")
        .unit(Unit::Bytes)
        .budget(1e12);
    for _ in 0..600 {
        far.add(20_480.0);
        play(&mut harness, scope, 1);
    }
    let level = up_down_counter("card-leak/level")
        .unit(Unit::Bytes)
        .budget(6e4 * 1024.0);
    for _ in 0..700 {
        [far, level].iter().for_each(|level| level.add(20_480.0));
        play(&mut harness, scope, 1);
    }
    let card = value_of(&harness, "Card");
    let parts: Vec<&str> = card.split(", ").collect();
    assert!(
        parts[0].starts_with("+1.2") && parts[0].ends_with(" MiB/s"),
        "{card}"
    );
    assert!(parts[1].starts_with("over budget in "), "{card}");
    assert!(parts[2].ends_with(" % card-leak/level"), "{card}");
    assert_eq!(parts[3], "of its budget of 58.6 MiB");
    assert_eq!(parts[4], "1 more grows alike");
    // The level has reached 14,000 of 60,000 KiB.
    let share: f64 = parts[2].split(' ').next().unwrap().parse().unwrap();
    assert!((share - 23.0).abs() <= 3.0, "{card}");
    harness.state_mut().overlay.act(Action::GoToHitch);
    harness.run_steps(3);
    let overlay = &harness.state().overlay;
    assert_eq!(overlay.mode(), Mode::Full);
    assert!(overlay.selected().any(|path| path == "card-leak/level"));
    assert!(!overlay.paused(), "a leak has no frame");
}
