//! Extreme names, values, amounts and window sizes.

use egui::{Event, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::kittest::Queryable;
use stats_core::{counter, gauge, timer};
use stats_overlay::{MAX_SELECTED, Mode, PaneView};

use crate::host::{Host, harness, harness_of_any_glyphs};

/// Shows every mode and view for a few frames while the pointer moves.
fn look_at_everything(size: egui::Vec2, pixels_per_point: f32, host: Host) {
    let mut harness = harness_of_any_glyphs(size, pixels_per_point, host);
    for (mode, view) in [
        (Mode::Hud, PaneView::Graph),
        (Mode::Full, PaneView::Graph),
        (Mode::Full, PaneView::Table),
    ] {
        harness.state_mut().overlay.set_mode(mode);
        harness.state_mut().overlay.set_view(view);
        harness.run_steps(3);
        for share in [0.1, 0.35, 0.6, 0.9] {
            harness.hover_at(Pos2::new(size.x * share, size.y * share));
            harness.run_steps(2);
        }
        harness
            .state_mut()
            .overlay
            .set_paused(view == PaneView::Table);
        harness.run_steps(2);
    }
}

#[test]
fn names_can_contain_any_text() {
    let names = [
        "hostile/new\nline\tand tab".to_owned(),
        "hostile/مرحبا/\u{202e}gnp.exe".to_owned(),
        "hostile/😀/🏳️‍🌈".to_owned(),
        format!("hostile/{}", "x".repeat(10_000)),
        format!("hostile-deep/{}", vec!["d"; 1000].join("/")),
        "hostile/\u{0}\u{1}".to_owned(),
        "hostile/İstanbul ẞ ﬁ".to_owned(),
    ];
    for search in ["", "hostile", "i s", "é/\u{202e}"] {
        let mut host = Host::new("hostile");
        for name in &names {
            let _ = counter(name).describe("a\nb").budget(1.0);
            host.overlay.select(name);
        }
        host.overlay.set_search(search);
        host.record(5, |frame| {
            names.iter().for_each(|name| counter(name).add(frame))
        });
        look_at_everything(vec2(1000.0, 700.0), 1.0, host);
    }
}

#[test]
fn values_can_be_anything() {
    let values = [
        f64::MAX,
        f64::MIN,
        1e300,
        -1e300,
        0.0,
        -0.0,
        f64::MIN_POSITIVE,
        1e-300,
        5.0,
        5.0,
    ];
    for constant in [false, true] {
        let gauge = gauge(&format!("hostile-values/{constant}")).budget(f64::MAX);
        let mut host = Host::new("hostile-values");
        host.overlay.select(&format!("hostile-values/{constant}"));
        let mut harness = harness(vec2(1000.0, 700.0), host);
        harness.run_steps(2);
        for frame in 0..40_usize {
            gauge.set(if constant {
                f64::MAX
            } else {
                values[frame % values.len()]
            });
            harness.state_mut().record(frame as u64, |_| {});
            harness
                .state_mut()
                .overlay
                .set_mode([Mode::Hud, Mode::Full][frame % 2]);
            harness
                .state_mut()
                .overlay
                .set_view([PaneView::Graph, PaneView::Table][frame / 2 % 2]);
            harness.run_steps(2);
        }
    }
}

#[test]
fn every_view_works_with_zero_frames_and_with_one() {
    for frames in 0..3 {
        let mut host = Host::new("hostile-few");
        host.overlay.select("hostile-few/x");
        for frame in 0..frames {
            host.record(frame, |_| {});
        }
        look_at_everything(vec2(800.0, 600.0), 1.0, host);
    }
}

#[test]
fn every_view_works_without_a_selection() {
    let mut host = Host::full("hostile-none");
    host.overlay.deselect(stats_overlay::FRAME_TIME);
    host.record(10, |_| {});
    look_at_everything(vec2(800.0, 600.0), 1.0, host);
}

#[test]
fn windows_can_have_any_size_and_scale() {
    for (size, pixels_per_point) in [
        (vec2(200.0, 150.0), 1.0),
        (vec2(1.0, 1.0), 1.0),
        (vec2(640.0, 200.0), 0.5),
        (vec2(1280.0, 720.0), 3.0),
        (vec2(3840.0, 2160.0), 1.0),
    ] {
        let mut host = Host::new("hostile-size");
        let work = timer("hostile-size/work").budget(1.0);
        host.overlay.select("hostile-size/work");
        host.overlay.select("hostile-size/work/calls");
        host.record(700, |frame| work.record_ms(frame as f64 % 7.0));
        look_at_everything(size, pixels_per_point, host);
    }
}

#[test]
fn selecting_a_folder_of_thousands_stops_at_the_limit() {
    for number in 0..2000 {
        let _ = counter(&format!("hostile-many/{number}"));
    }
    let mut host = Host::full("hostile-many");
    host.overlay.set_search("hostile-many");
    let mut harness = harness(vec2(1000.0, 700.0), host);
    harness.run_steps(3);
    harness.get_by_label("hostile-many").click();
    harness.run_steps(3);
    assert_eq!(harness.state().overlay.selected().count(), MAX_SELECTED);
    harness.get_by_label("hostile-many").click();
    harness.run_steps(3);
    assert_eq!(
        harness.state().overlay.selected().count(),
        1,
        "no more fit, so a click deselects"
    );
    harness.get_by_label("hostile-many").click();
    harness.run_steps(3);
    assert_eq!(harness.state().overlay.selected().count(), MAX_SELECTED);
    harness.state_mut().record(3, |_| {});
    harness.run_steps(3);
    harness.state_mut().overlay.set_view(PaneView::Table);
    harness.run_steps(3);
    harness.state_mut().overlay.set_mode(Mode::Hud);
    harness.run_steps(3);
}

#[test]
fn the_host_may_jump_between_modes_views_and_searches() {
    let mut random = 1_u64;
    let mut harness = harness(vec2(900.0, 600.0), Host::new("hostile-jump"));
    for step in 0..stats_testing::rounds(300) as u64 {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let choice = (random >> 33) as usize;
        let overlay = &mut harness.state_mut().overlay;
        match choice % 7 {
            0 => overlay.set_mode([Mode::Hidden, Mode::Hud, Mode::Full][choice / 7 % 3]),
            1 => overlay.set_view([PaneView::Graph, PaneView::Table][choice / 7 % 2]),
            2 => overlay.set_search(["", "a", "hostile", "/", "   ", "ü"][choice / 7 % 6]),
            3 => overlay.set_paused((choice / 7).is_multiple_of(2)),
            4 if (choice / 14).is_multiple_of(2) => {
                overlay.select(["hostile-jump/a", "hostile-jump/b"][choice / 7 % 2]);
            }
            4 => overlay.deselect(["hostile-jump/a", "hostile-jump/b"][choice / 7 % 2]),
            5 => drop(counter(
                ["hostile-jump/a", "hostile-jump/b"][choice / 7 % 2],
            )),
            _ => harness.hover_at(Pos2::new(
                (choice % 900) as f32,
                (choice / 900 % 600) as f32,
            )),
        }
        harness.state_mut().record(step, |_| {});
        harness.run_steps(1);
    }
}

#[test]
fn any_saved_state_can_be_restored() {
    for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 0.0, 1e30] {
        let mut host = Host::full("hostile-restored");
        let mut saved = host.overlay.saved();
        saved.layout.tree_share = odd;
        saved.layout.active = usize::MAX;
        saved.layout.panes[0].weight = odd;
        (
            saved.settings.scale,
            saved.settings.opacity,
            saved.settings.refresh_hz,
        ) = (odd, odd, odd);
        host.overlay.restore(&saved);
        let mut harness = harness(vec2(1000.0, 700.0), host);
        harness.run_steps(3);
        let share = harness.state().overlay.saved().layout.tree_share;
        assert!((0.1..=0.8).contains(&share), "{odd} became {share}");
    }
}

#[test]
fn a_table_may_shrink_to_its_head_while_rows_are_selected_by_dragging() {
    let mut host = Host::full("hostile-low");
    host.overlay.set_view(PaneView::Table);
    host.record(50, |_| {});
    let mut harness = harness(vec2(1000.0, 700.0), host);
    harness.run_steps(3);
    let pos = harness.get_by_label("frame 45").rect().center();
    let button = |pressed| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    harness.event(Event::PointerMoved(pos));
    harness.event(button(true));
    harness.run_steps(2);
    for height in (80..140).rev().step_by(2) {
        harness.set_size(vec2(1000.0, height as f32));
        harness.event(Event::PointerMoved(pos - vec2(0.0, height as f32 / 10.0)));
        harness.run_steps(1);
    }
    harness.event(button(false));
    harness.run_steps(2);
}
