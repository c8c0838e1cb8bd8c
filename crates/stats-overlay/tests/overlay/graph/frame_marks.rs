//! Frame marks in graph, table, strip and copied text.

use egui::{OutputCommand, Pos2, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use stats_core::MarkEvent::{Begin, End, Point};
use stats_core::counter;
use stats_overlay::{Mode, PaneView, StatsOverlay};

use crate::host::{Host, harness, harness_of_any_glyphs, value_of};

const SIZE: egui::Vec2 = vec2(1200.0, 800.0);

/// Returns a harness with 600 visible frames, a span from 100 to 199, a nested span, an open span
/// from 500 on, and a point.
fn with_marks(path: &'static str) -> Harness<'static, Host> {
    let mut host = Host::full(path);
    for frame in 0..600 {
        match frame {
            100 => host.recorder.mark("loading", Begin),
            140 => host.recorder.mark("textures", Begin),
            199 => ["textures", "loading"]
                .iter()
                .for_each(|name| host.recorder.mark(name, End)),
            300 => host.recorder.mark("level 2", Point),
            500 => host.recorder.mark("menu", Begin),
            _ => {}
        }
        host.record(frame, |_| {});
    }
    let mut harness = harness(SIZE, host);
    harness.run_steps(10);
    harness
}

/// Returns the visible names of marks with their positions.
fn names(harness: &Harness<'_, Host>) -> Vec<(String, egui::Rect)> {
    let nodes = harness.query_all_by_label_contains("mark ");
    nodes
        .map(|node| {
            (
                node.accesskit_node().label().unwrap_or_default(),
                node.rect(),
            )
        })
        .collect()
}

#[test]
fn a_graph_names_spans_and_points_over_their_frames() {
    let harness = with_marks("frame-marks-graph");
    assert_eq!(value_of(&harness, "mark loading"), "frames 100 to 199");
    assert_eq!(value_of(&harness, "mark textures"), "frames 140 to 199");
    assert_eq!(value_of(&harness, "mark level 2"), "frame 300");
    assert_eq!(value_of(&harness, "mark menu"), "from frame 500");
    let left = |name: &str| harness.get_by_label(name).rect().left();
    let (loading, textures, level, menu) = (
        left("mark loading"),
        left("mark textures"),
        left("mark level 2"),
        left("mark menu"),
    );
    // Frames have equal widths, so the positions of frames 100, 140 and 500 are proportional. A
    // point's name is beside its flag.
    let frame = (menu - loading) / 400.0;
    assert!(
        (textures - loading - 40.0 * frame).abs() < 1.0,
        "{loading} {textures} {menu}"
    );
    assert!(
        (8.0..=9.0).contains(&(level - loading - 200.0 * frame)),
        "{level}"
    );
    let top = |name: &str| harness.get_by_label(name).rect().top();
    assert!(
        top("mark textures") > top("mark loading"),
        "overlapping spans share a lane"
    );
    assert_eq!(top("mark menu"), top("mark loading"));
}

#[test]
fn more_spans_than_lanes_are_counted() {
    let mut host = Host::full("frame-marks-crowd");
    for frame in 0..600 {
        if (100..105).contains(&frame) {
            host.recorder.mark(&format!("span {frame}"), Begin);
        }
        host.record(frame, |_| {});
    }
    let mut harness = harness(SIZE, host);
    harness.run_steps(4);
    let seen: Vec<String> = names(&harness).into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        seen,
        ["mark span 100", "mark span 101", "mark span 102", "mark +2"]
    );
    let tops: Vec<f32> = names(&harness).iter().map(|(_, rect)| rect.top()).collect();
    assert!(
        tops.windows(2).all(|pair| pair[1] >= pair[0] + 10.0),
        "{tops:?}"
    );
}

#[test]
fn marks_outside_the_view_are_not_drawn() {
    let mut harness = with_marks("frame-marks-sight");
    let frames = harness.state().recorder.frames().end;
    harness.state_mut().record(frames + 600, |_| {});
    harness.run_steps(4);
    assert_eq!(
        names(&harness)
            .into_iter()
            .map(|(name, _)| name)
            .collect::<Vec<_>>(),
        ["mark menu"],
        "it is open"
    );
    harness.state_mut().recorder.mark("menu", End);
    harness.state_mut().record(frames + 1300, |_| {});
    harness.run_steps(4);
    assert_eq!(names(&harness), []);
}

#[test]
fn the_cursor_names_the_marks_of_its_frame() {
    let mut harness = with_marks("frame-marks-cursor");
    let at = harness.get_by_label("mark textures").rect();
    harness.hover_at(pos2(at.left() + 10.0, at.bottom() + 200.0));
    harness.run_steps(40);
    assert!(
        harness
            .query_by_label_contains(", loading, textures")
            .is_some()
    );
    let legend = value_of(&harness, "Frame at the cursor");
    assert!(
        legend.starts_with("frame 1") && legend.ends_with(", loading, textures"),
        "{legend}"
    );
    let at = harness.get_by_label("mark loading").rect();
    harness.hover_at(pos2(at.left() + 4.0, at.bottom() + 200.0));
    harness.run_steps(40);
    assert!(harness.query_by_label_contains(", textures").is_none());
    assert!(harness.query_by_label_contains(", loading").is_some());
}

#[test]
fn the_cursor_lists_the_lines_of_the_log_of_its_frame() {
    let mut host = Host::full("frame-marks-log");
    for frame in 0..600 {
        if frame == 300 {
            for name in ["log info game: one", "level 2", "log warn game::net: two"] {
                host.recorder.mark(name, Point);
            }
        }
        host.record(frame, |_| {});
    }
    let mut harness = harness(SIZE, host);
    harness.run_steps(10);
    // A person's mark names the flag, not the line before it.
    let at = harness.get_by_label("mark level 2 +2").rect();
    harness.hover_at(pos2(at.left() - 10.0, at.bottom() + 200.0));
    harness.run_steps(40);
    let legend = value_of(&harness, "Frame at the cursor");
    assert_eq!(legend, "frame 300, level 2, 2 lines of the log");
    for line in ["info game: one", "warn game::net: two"] {
        assert!(harness.query_by_label(line).is_some(), "{line}");
    }
}

#[test]
fn a_line_of_the_log_is_named_by_what_it_says() {
    let mut host = Host::full("frame-marks-line");
    for frame in 0..600 {
        if frame == 300 {
            (host.recorder).mark("log warn game::net: retrying in 2 s", Point);
        }
        host.record(frame, |_| {});
    }
    let mut harness = harness(SIZE, host);
    harness.run_steps(10);
    assert_eq!(value_of(&harness, "mark retrying in 2 s"), "frame 300");
}

#[test]
fn a_paused_graph_keeps_its_marks() {
    let mut harness = with_marks("frame-marks-paused");
    harness.state_mut().overlay.set_paused(true);
    harness.run_steps(2);
    harness.state_mut().recorder.mark("menu", End);
    harness.state_mut().recorder.mark("later", Point);
    harness.state_mut().record(700, |_| {});
    harness.run_steps(4);
    assert_eq!(value_of(&harness, "mark menu"), "from frame 500");
    assert!(harness.query_by_label("mark later").is_none());
}

#[test]
fn table_rows_name_their_marks() {
    let mut harness = with_marks("frame-marks-table");
    harness.state_mut().overlay.set_view(PaneView::Table);
    harness.state_mut().recorder.mark("menu", End);
    harness.state_mut().record(601, |_| {});
    harness.run_steps(10);
    assert_eq!(value_of(&harness, "frame 600"), "16.00, menu");
    assert_eq!(value_of(&harness, "frame 601"), "16.00");
    // Over its number a frame is named with them.
    let row = harness.get_by_label("frame 590").rect();
    harness.hover_at(row.left_center() + vec2(40.0, 0.0));
    harness.run_steps(40);
    assert!(harness.query_by_label("frame 590, menu").is_some());
    harness.hover_at(row.left_center() + vec2(140.0, 0.0));
    harness.run_steps(40);
    assert!(
        harness.query_by_label("frame 590, menu").is_none(),
        "it would hide the values"
    );
}

#[test]
fn the_strip_counts_the_marks_of_the_whole_history() {
    let harness = with_marks("frame-marks-strip");
    assert!(value_of(&harness, "All frames").ends_with(", marks: 4"));
}

#[test]
fn copied_tables_have_marks_in_the_last_column() {
    let mut harness = with_marks("frame-marks-copy");
    harness.state_mut().overlay.set_view(PaneView::Table);
    harness.run_steps(2);
    crate::host::click(&mut harness, "Options");
    harness.get_by_label("Copy as TSV").click();
    let mut copied = String::new();
    for _ in 0..3 {
        harness.run_steps(1);
        for command in &harness.output().platform_output.commands {
            if let OutputCommand::CopyText(text) = command {
                copied.clone_from(text);
            }
        }
    }
    let last = |line: usize| {
        copied
            .lines()
            .nth(line)
            .and_then(|line| line.split('\t').next_back())
    };
    let wanted = [
        (0, "marks"),
        (100, ""),
        (101, "loading"),
        (150, "loading; textures"),
        (200, "loading; textures"),
        (201, ""),
    ];
    for (line, text) in wanted.into_iter().chain([(301, "level 2"), (600, "menu")]) {
        assert_eq!(last(line), Some(text), "line {line}");
    }
}

#[test]
fn an_overlay_marks_its_own_recorder() {
    let mut overlay = StatsOverlay::new();
    overlay.mark("loading", Begin);
    overlay.mark("level 2", Point);
    let marks: Vec<&str> = overlay
        .recorder()
        .marks()
        .iter()
        .map(|mark| mark.name.as_str())
        .collect();
    assert_eq!(marks, ["loading", "level 2"]);
    assert!(overlay.recorder().marks()[0].is_open());
}

/// Returns a host with extreme marks: thousands of them, with odd names, nested and adjacent.
fn hostile(path: &'static str) -> Host {
    let handle = counter(&format!("{path}/x"));
    let mut host = Host::new(path);
    host.overlay.select(&format!("{path}/x"));
    let odd = [
        "two\nlines",
        "مرحبا\u{202e}",
        "日本語の名前",
        "",
        &"x".repeat(10_000),
        "\u{0}",
        "😀",
    ];
    for frame in 0..600_u64 {
        for number in 0..4 {
            let name = format!(
                "{}{frame}-{number}",
                odd[(frame as usize + number) % odd.len()]
            );
            host.recorder
                .mark(&name, if number < 2 { Point } else { Begin });
            if number == 3 {
                host.recorder.mark(&name, End);
            }
        }
        handle.add(frame);
        host.record(frame, |_| {});
    }
    host
}

#[test]
fn marks_can_be_anything_in_any_window() {
    let sizes = [
        (SIZE, 1.0),
        (vec2(420.0, 320.0), 1.0),
        (vec2(200.0, 150.0), 2.0),
        (vec2(1.0, 1.0), 1.0),
        (vec2(3840.0, 900.0), 0.5),
    ];
    for (at, (size, pixels_per_point)) in sizes.into_iter().enumerate() {
        let path = [
            "frame-marks-a",
            "frame-marks-b",
            "frame-marks-c",
            "frame-marks-d",
            "frame-marks-e",
        ][at];
        let mut harness = harness_of_any_glyphs(size, pixels_per_point, hostile(path));
        for (mode, view) in [
            (Mode::Full, PaneView::Graph),
            (Mode::Full, PaneView::Table),
            (Mode::Hud, PaneView::Graph),
        ] {
            harness.state_mut().overlay.set_mode(mode);
            harness.state_mut().overlay.set_view(view);
            harness.run_steps(3);
            for share in [0.3, 0.6, 0.9] {
                harness.hover_at(Pos2::new(size.x * share, size.y * share));
                harness.run_steps(20);
            }
            if mode == Mode::Full && view == PaneView::Graph {
                no_names_overlap(&harness);
            }
        }
    }
}

/// Asserts that no names overlap and none is outside the window.
fn no_names_overlap(harness: &Harness<'_, Host>) {
    let names = names(harness);
    for (at, (name, rect)) in names.iter().enumerate() {
        // Label backgrounds do not touch, except for rounding.
        let others = names[..at]
            .iter()
            .filter(|(_, other)| other.shrink(0.5).intersects(rect.shrink(0.5)));
        assert_eq!(others.count(), 0, "{name:.40} at {rect:?}");
    }
}

#[test]
fn names_do_not_overlap_while_frames_arrive() {
    let mut host = Host::full("frame-marks-live");
    let mut random = 3_u64;
    let mut next = move |below: u64| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    host.record(0, |_| {});
    let mut harness = harness(SIZE, host);
    for step in 0..40 {
        for frame in 0..20 {
            let name = ["loading", "a name of some length", "b", "c", "d", "e"][next(6) as usize];
            match next(12) {
                0 | 1 => harness.state_mut().recorder.mark(name, Begin),
                2 | 3 => harness.state_mut().recorder.mark(name, End),
                4 => harness.state_mut().recorder.mark(name, Point),
                _ => {}
            }
            harness.state_mut().record(1 + step * 20 + frame, |_| {});
        }
        harness.run_steps(1);
        no_names_overlap(&harness);
    }
    assert!(names(&harness).len() > 5);
    assert!(
        names(&harness)
            .iter()
            .any(|(name, _)| name.starts_with("mark +")),
        "no more than fit into the lanes"
    );
}

/// Scrolls the table down to the row of a frame.
fn scroll_to(harness: &mut Harness<'_, Host>, frame: u64) {
    harness.hover_at(pos2(600.0, 500.0));
    for _ in 0..60 {
        if harness.query_by_label(&format!("frame {frame}")).is_some() {
            break;
        }
        let (unit, delta, phase) = (
            egui::MouseWheelUnit::Point,
            vec2(0.0, -300.0),
            egui::TouchPhase::Move,
        );
        let (source, modifiers) = (egui::MouseWheelSource::Wheel, egui::Modifiers::NONE);
        harness.event(egui::Event::MouseWheel {
            unit,
            delta,
            phase,
            source,
            modifiers,
        });
        harness.run_steps(12);
    }
}

#[test]
fn pointing_at_lines_and_flags_of_the_table_names_them() {
    for paused in [true, false] {
        let path = ["frame-marks-gutter-live", "frame-marks-gutter"][usize::from(paused)];
        let mut harness = with_marks(path);
        harness.state_mut().overlay.set_view(PaneView::Table);
        harness.state_mut().overlay.set_paused(paused);
        harness.run_steps(4);
        for (frame, name) in [(300, "level 2"), (150, "loading, textures")] {
            scroll_to(&mut harness, frame);
            // From the number to the tip of a flag and the bottom of the third line.
            for x in [60.0, 88.0, 93.0, 95.0] {
                let row = harness.get_by_label(&format!("frame {frame}")).rect();
                harness.hover_at(row.left_center() + vec2(200.0, 30.0));
                harness.run_steps(4);
                let row = harness.get_by_label(&format!("frame {frame}")).rect();
                harness.hover_at(row.left_center() + vec2(x, 0.0));
                for _ in 0..40 {
                    let next = harness.state().recorder.frames().end;
                    harness.state_mut().record(next, |_| {});
                    harness.run_steps(1);
                }
                let is_named = harness
                    .query_by_label(&format!("frame {frame}, {name}"))
                    .is_some();
                assert!(is_named, "frame {frame} at {x}, paused: {paused}");
            }
        }
    }
}
