//! The calls of a frame, and their costs, as a user sees them.

use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, kittest::NodeT as _};
use stats_core::timeline::{LaneKind, NewScope, Timeline};
use stats_core::{SeriesId, timer};
use stats_overlay::{Action, BaselineSeries, Mode, PaneView, StatsOverlay, Team};

use crate::allocations::fewest_in_a_frame;
use crate::hitches::planted::with_hitch;
use crate::host::{Host, click, harness, press, value_of};
use crate::painted::texts;
use crate::scoped::Calls;

const SIZE: egui::Vec2 = vec2(1000.0, 640.0);
/// The number of frames.
const FRAMES: u64 = 90;

/// Returns a host with [`FRAMES`] frames of 16 ms. In each, `sim` runs from 1 ms to 9 ms, and calls
/// `sim/paths` three times: from 2 ms for 1 ms, from 4 ms for 1 ms, and from 6 ms for 2 ms, in frame
/// 50 for 2.5 ms. A worker runs `job` for 4 ms, and waits for 10 ms.
pub(crate) fn host(scope: &'static str) -> Host {
    host_after(scope, |_| {})
}

/// Works like [`host`], and calls `prepare` before the first frame.
fn host_after(scope: &'static str, prepare: impl FnOnce(&mut Host)) -> Host {
    let mut host = Host::full(scope);
    prepare(&mut host);
    let path = |name: &str| format!("{scope}/{name}");
    let [sim, paths, job] = ["sim", "sim/paths", "job"].map(|name| timer(&path(name)));
    let wait = timer(&path("idle"));
    host.record(FRAMES - 1, |_| {});
    let mut timeline = Timeline::new(1 << 20, 1000);
    for frame in 0..FRAMES {
        let begin = frame as i64 * 16_000_000;
        timeline.push_frame(frame, begin..begin + 16_000_000);
        let last = if frame == 50 { 2.5 } else { 2.0 };
        for (lane, name, series, depth, (from, ms), is_wait) in [
            (1, "main", &sim, 0, (1.0, 8.0), false),
            (1, "main", &paths, 1, (2.0, 1.0), false),
            (1, "main", &paths, 1, (4.0, 1.0), false),
            (1, "main", &paths, 1, (6.0, last), false),
            (2, "worker", &job, 0, (0.0, 4.0), false),
            (2, "worker", &wait, 0, (5.0, 10.0), true),
        ] {
            let at = |ms: f64| begin + (ms * 1e6) as i64;
            timeline.add(NewScope {
                lane,
                lane_name: name,
                lane_kind: LaneKind::Thread,
                series: series.id(),
                depth,
                begin_ns: at(from),
                end_ns: Some(at(from + ms)),
                is_wait,
            });
        }
        timeline.settle();
    }
    host.recorder.calls = Calls::Are(Box::new(timeline));
    host
}

/// Returns a host whose system tells that in each frame the worker waited 3 ms for a processor, and was
/// blocked for 9 ms, and that the thread `main` waited 0.1 ms.
pub(crate) fn host_of_threads(scope: &'static str) -> Host {
    host_after(scope, |host| {
        for (name, ms) in [
            ("worker/ready", 3.0),
            ("worker/blocked", 9.0),
            ("main/ready", 0.1),
            ("main/blocked", 7.0),
        ] {
            let gauge = stats_core::gauge(&format!("{scope}/threads/{name}"));
            gauge.unit(stats_core::Unit::Milliseconds).set(ms);
            // Its frames are kept before a view asks for them.
            std::mem::forget(host.recorder.watch(gauge.id()));
        }
    })
}

fn shown<'a>(scope: &'static str, view: PaneView) -> Harness<'a, Host> {
    let mut host = host(scope);
    host.overlay.set_view(view);
    let mut harness = harness(SIZE, host);
    harness.run_steps(20);
    harness
}

/// Returns the values of all nodes with a label.
fn values(harness: &Harness<'_, Host>, label: &str) -> Vec<String> {
    let nodes = harness.get_all_by_label(label);
    nodes
        .filter_map(|node| node.accesskit_node().value())
        .collect()
}

#[test]
fn a_key_shows_the_calls_of_the_newest_frame_lane_by_lane() {
    let scope = "timeline-calls";
    let mut harness = harness(SIZE, host(scope));
    press(&mut harness, Key::Z);
    harness.run_steps(20);
    assert_eq!(harness.state().overlay.view(), PaneView::Timeline);
    assert_eq!(
        value_of(&harness, "Shown frame"),
        "Frame 89 · 16.00 ms · 6 calls"
    );
    assert_eq!(values(&harness, "Call of timeline-calls/sim"), ["8.00 ms"]);
    assert_eq!(
        values(&harness, "Call of timeline-calls/sim/paths"),
        ["1.00 ms", "1.00 ms", "2.00 ms"]
    );
    assert_eq!(
        values(&harness, "Lane"),
        ["worker · 14.00 ms", "main · 8.00 ms"]
    );
}

#[test]
fn a_lane_tells_the_time_without_a_processor_if_it_is_a_part_of_the_frame() {
    let mut host = host_of_threads("timeline-ready");
    host.overlay.set_view(PaneView::Timeline);
    let mut harness = harness(SIZE, host);
    harness.run_steps(20);
    assert_eq!(
        values(&harness, "Lane"),
        [
            "worker · 14.00 ms · 3.00 ms without a processor",
            "main · 8.00 ms"
        ]
    );
    let lane = harness.get_all_by_label("Lane").next().unwrap().rect();
    harness.hover_at(lane.center_top() + vec2(0.0, 5.0));
    harness.run_steps(30);
    let told = "In frame 89, the thread ran 4.00 ms, was blocked 9.00 ms, and waited 3.00 ms for a \
                processor. The system does not tell when.";
    harness.get_by_label(told);
}

#[test]
fn nothing_is_told_of_two_threads_of_one_name() {
    let scope = "timeline-two";
    let mut host = host_of_threads(scope);
    if let Calls::Are(timeline) = &mut host.recorder.calls {
        let begin = (FRAMES as i64 - 1) * 16_000_000;
        timeline.add(NewScope {
            lane: 3,
            lane_name: "worker",
            lane_kind: LaneKind::Thread,
            series: timer(&format!("{scope}/job")).id(),
            depth: 0,
            begin_ns: begin + 1_000_000,
            end_ns: Some(begin + 2_000_000),
            is_wait: false,
        });
        timeline.settle();
    }
    host.overlay.set_view(PaneView::Timeline);
    let mut harness = harness(SIZE, host);
    harness.run_steps(20);
    let lanes = values(&harness, "Lane");
    assert_eq!(
        lanes,
        ["worker · 14.00 ms", "main · 8.00 ms", "worker · 1.00 ms"]
    );
}

#[test]
fn a_click_tells_the_times_of_a_call_and_escape_deselects_it() {
    let scope = "timeline-click";
    let mut harness = shown(scope, PaneView::Timeline);
    let paths = harness.get_all_by_label("Call of timeline-click/sim/paths");
    let last = paths.last().unwrap().rect().center();
    harness.hover_at(last);
    harness.run_steps(2);
    for pressed in [true, false] {
        harness.event(egui::Event::PointerButton {
            pos: last,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
        harness.run_steps(1);
    }
    harness.run_steps(2);
    let text = value_of(&harness, "Selected call");
    assert_eq!(
        text,
        "timeline-click/sim/paths: 2.00 ms · call 3 of 3 in frame 89 · usually 1.00 ms"
    );
    // Left: the call before it. Up: the call around it.
    press(&mut harness, Key::ArrowLeft);
    assert!(value_of(&harness, "Selected call").contains("call 2 of 3"));
    press(&mut harness, Key::ArrowUp);
    let text = value_of(&harness, "Selected call");
    assert!(
        text.starts_with("timeline-click/sim: 8.00 ms, 4.00 ms in itself · the only call"),
        "{text}"
    );
    press(&mut harness, Key::Escape);
    assert_eq!(value_of(&harness, "Selected call"), "");
}

#[test]
fn the_frame_that_other_views_mark_is_the_one_that_is_shown() {
    let mut harness = shown("timeline-step", PaneView::Timeline);
    harness.state_mut().overlay.act(Action::StepBackward);
    harness.run_steps(3);
    for _ in 0..39 {
        harness.state_mut().overlay.act(Action::StepBackward);
        harness.run_steps(1);
    }
    harness.run_steps(3);
    let text = value_of(&harness, "Shown frame");
    assert!(text.starts_with("Frame 50"), "{text}");
    assert_eq!(
        values(&harness, "Call of timeline-step/sim/paths"),
        ["1.00 ms", "1.00 ms", "2.50 ms"]
    );
}

#[test]
fn zooming_shows_less_time_and_a_reset_shows_the_frame_again() {
    let mut harness = shown("timeline-zoom", PaneView::Timeline);
    let width = |harness: &Harness<'_, Host>| {
        let mut nodes = harness.get_all_by_label("Call of timeline-zoom/sim");
        nodes.next().unwrap().rect().width()
    };
    let before = width(&harness);
    let frames = |harness: &Harness<'_, Host>| harness.state().overlay.view_line();
    let axis = frames(&harness);
    harness.state_mut().overlay.act(Action::ZoomIn);
    harness.run_steps(3);
    assert!(
        width(&harness) > before * 1.4,
        "{before} {}",
        width(&harness)
    );
    harness.state_mut().overlay.act(Action::ResetView);
    harness.run_steps(20);
    assert!((width(&harness) - before).abs() < 0.5);
    assert_eq!(frames(&harness), axis);
}

#[test]
fn scopes_of_the_newest_frames_that_come_later_are_shown_then() {
    const LATE: u64 = 12;
    let scope = "timeline-late";
    let mut host = host(scope);
    host.recorder.calls = Calls::Are(Box::new(Timeline::new(1 << 20, 1000)));
    host.overlay.set_view(PaneView::Timeline);
    let mut harness = harness(SIZE, host);
    harness.run_steps(20);
    let series = timer(&format!("{scope}/sim")).id();
    // Also after a frame that is far away was shown, and after a hole.
    for is_far in [false, true] {
        if is_far {
            harness.state_mut().overlay.select_frames(Some(30..31));
            harness.state_mut().record(600, |_| {});
            harness.run_steps(3);
            harness.state_mut().overlay.select_frames(None);
        }
        for _ in 0..60 {
            let end = harness.state().recorder.frames().end;
            harness.state_mut().record(end, |_| {});
            harness.step();
            let recorder = &mut harness.state_mut().recorder;
            let late = recorder.frames().end - LATE;
            let Calls::Are(timeline) = &mut recorder.calls else {
                unreachable!("it was set");
            };
            let scope = NewScope {
                lane: 1,
                lane_name: "main",
                lane_kind: LaneKind::Thread,
                series,
                depth: 0,
                begin_ns: 1_000_000,
                end_ns: Some(9_000_000),
                is_wait: false,
            };
            timeline.put((late, 16_000_000, 0), [scope]);
            timeline.settle();
        }
        assert_eq!(
            values(&harness, &format!("Call of {scope}/sim")),
            ["8.00 ms"]
        );
        let frame = value_of(&harness, "Shown frame");
        let newest = harness.state().recorder.frames().end;
        let (_, number) = frame.split_once(' ').expect("it names the frame");
        let digits = number.split(|c: char| !c.is_ascii_digit());
        let number: u64 = digits.collect::<Vec<_>>()[0].parse().expect("a number");
        // Numbers are read again some times a second.
        assert!(
            number + LATE <= newest && number + LATE + 20 > newest,
            "{frame} of {newest}"
        );
    }
}

#[test]
fn costs_are_sums_over_the_newest_second_and_sorted_by_a_click() {
    let scope = "timeline-costs";
    let mut harness = shown(scope, PaneView::Costs);
    let title = value_of(&harness, "About the costs");
    assert_eq!(title, "Newest second: 63 frames of 16.00 ms");
    assert_eq!(
        value_of(&harness, "Cost of timeline-costs/sim"),
        "itself 3.99 ms, total 8.00 ms, share 50.0 %, calls 1.0, longest 8.00 ms, mean call 8.00 ms"
    );
    let paths = value_of(&harness, "Cost of timeline-costs/sim/paths");
    assert!(paths.contains("calls 3.0, longest 2.50 ms"), "{paths}");
    let top = |harness: &Harness<'_, Host>, name: &str| {
        harness
            .get_by_label(&format!("Cost of {scope}/{name}"))
            .rect()
            .top()
    };
    // Waits are last, however long they are.
    assert!(top(&harness, "sim") < top(&harness, "idle (wait)"));
    click(&mut harness, "calls");
    assert!(top(&harness, "sim/paths") < top(&harness, "job"));
    click(&mut harness, "timer");
    assert!(top(&harness, "job") < top(&harness, "sim"));
}

#[test]
fn costs_with_long_paths_keep_the_ends_of_their_names() {
    let scope =
        "costs-long/a schedule with a long name/a system with a long name/of a module/and another";
    let harness = shown(scope, PaneView::Costs);
    let texts = texts(&harness.output().shapes);
    for name in ["/sim", "/sim/paths", "/job", "/idle (wait)"] {
        let is_name = |text: &str| text.starts_with('…') && text.ends_with(name);
        assert!(
            texts.iter().any(|(text, _)| is_name(text.galley.text())),
            "{name}"
        );
    }
}

#[test]
fn costs_of_selected_frames_are_of_these_frames() {
    let mut harness = shown("timeline-selected", PaneView::Costs);
    harness.state_mut().overlay.select_frames(Some(50..52));
    harness.run_steps(3);
    assert_eq!(
        value_of(&harness, "About the costs"),
        "2 frames of 16.00 ms"
    );
    let paths = value_of(&harness, "Cost of timeline-selected/sim/paths");
    assert!(
        paths.contains("total 4.25 ms") && paths.contains("longest 2.50 ms"),
        "{paths}"
    );
}

#[test]
fn a_source_without_calls_says_so() {
    for (view, label) in [
        (PaneView::Timeline, "About the timeline"),
        (PaneView::Costs, "About the costs"),
    ] {
        let mut host = Host::full("timeline-none");
        host.recorder.calls = Calls::None;
        host.overlay.set_view(view);
        host.record(10, |_| {});
        let mut harness = harness(SIZE, host);
        harness.run_steps(10);
        let text = value_of(&harness, label);
        assert!(
            text.starts_with("This source has no single calls"),
            "{text}"
        );
    }
}

#[test]
fn a_view_line_carries_the_costs() {
    let mut overlay = StatsOverlay::new();
    overlay.set_view(PaneView::Costs);
    let mut other = StatsOverlay::new();
    other.show_view_line(&overlay.view_line()).unwrap();
    assert_eq!(other.view(), PaneView::Costs);
}

/// Returns the fewest allocations of a frame over the game, in which `timers` timers have calls.
fn allocations(scope: &'static str, view: PaneView, timers: usize) -> u64 {
    let mut host = Host::full(scope);
    host.overlay.set_view(view);
    host.overlay.set_mode(Mode::Watch);
    let timers: Vec<_> = (0..timers)
        .map(|at| timer(&format!("{scope}/timer {at}")))
        .collect();
    host.record(90, |_| {});
    host.recorder.calls = Calls::Are(Box::new(Timeline::new(1 << 20, 1000)));
    fewest_in_a_frame(&mut host, SIZE, |host| {
        let frame = host.recorder.frames().end;
        host.recorder.end_frame_at((frame + 1) as f64 * 0.016);
        let Calls::Are(timeline) = &mut host.recorder.calls else {
            unreachable!("it was set above");
        };
        let begin = frame as i64 * 16_000_000;
        timeline.push_frame(frame, begin..begin + 16_000_000);
        for (at, timer) in timers.iter().enumerate() {
            let begin_ns = begin + at as i64 * 100_000;
            timeline.add(NewScope {
                lane: 1,
                lane_name: "main",
                lane_kind: LaneKind::Thread,
                series: timer.id(),
                depth: 0,
                begin_ns,
                end_ns: Some(begin_ns + 90_000),
                is_wait: false,
            });
        }
        timeline.settle();
    })
}

#[test]
fn calls_and_rows_allocate_nothing_in_frames_without_new_numbers() {
    for (scope, view) in [
        ("timeline-allocate", PaneView::Timeline),
        ("costs-allocate", PaneView::Costs),
    ] {
        let few = allocations(scope, view, 1);
        assert_eq!(allocations(scope, view, 8), few, "{view:?}");
    }
}

#[test]
fn a_search_tells_only_the_calls_and_the_costs_that_it_finds() {
    let scope = "timeline-search";
    let mut harness = shown(scope, PaneView::Timeline);
    let calls = |harness: &Harness<'_, Host>| {
        ["sim", "sim/paths", "job"].map(|name| {
            let label = format!("Call of {scope}/{name}");
            harness.query_all_by_label(&label).count()
        })
    };
    assert_eq!(calls(&harness), [1, 3, 1]);
    harness.state_mut().overlay.set_search("SIM/paths");
    harness.run_steps(20);
    assert_eq!(calls(&harness), [0, 3, 0]);
    harness.state_mut().overlay.set_view(PaneView::Costs);
    harness.run_steps(20);
    let costs = |harness: &Harness<'_, Host>| {
        ["sim", "sim/paths", "job"].map(|name| {
            let label = format!("Cost of {scope}/{name}");
            harness.query_all_by_label(&label).count()
        })
    };
    assert_eq!(costs(&harness), [0, 1, 0]);
    let title = value_of(&harness, "About the costs");
    assert!(title.ends_with(" · the search finds 1 row"), "{title}");
    harness.state_mut().overlay.set_search("no-such-timer");
    harness.run_steps(3);
    assert_eq!(
        value_of(&harness, "About the costs"),
        "The search finds no timer that ran in these frames."
    );
    harness.state_mut().overlay.set_search("");
    harness.run_steps(3);
    assert_eq!(costs(&harness), [1, 1, 1]);
}

#[test]
fn teams_that_own_other_series_than_before_change_costs_and_timeline_at_once() {
    let scope = "timeline-teams";
    let mut harness = shown(scope, PaneView::Costs);
    let owns = |begin: &'static str| {
        let begin = format!("{scope}/{begin}");
        [Team::new("ai", move |path| path.starts_with(&begin))]
    };
    let found = |harness: &mut Harness<'_, Host>, team, view, kind: &str| {
        let overlay = &mut harness.state_mut().overlay;
        overlay.set_teams(team);
        overlay.set_view(view);
        harness.run_steps(20);
        ["sim", "job"].map(|name| {
            let label = format!("{kind} of {scope}/{name}");
            harness.query_all_by_label(&label).count() > 0
        })
    };
    let overlay = &mut harness.state_mut().overlay;
    overlay.select_frames(Some(50..52));
    overlay.set_search("team:ai");
    for (view, kind) in [(PaneView::Costs, "Cost"), (PaneView::Timeline, "Call")] {
        let sim = found(&mut harness, owns("sim"), view, kind);
        assert_eq!(sim, [true, false], "{kind}");
        let job = found(&mut harness, owns("job"), view, kind);
        assert_eq!(job, [false, true], "{kind}");
    }
}

/// Adds a frame of 28 ms.
fn push_frame(timeline: &mut Timeline, frame: i64) {
    let begin_ns = frame * 30_000_000;
    timeline.push_frame(frame as u64, begin_ns..begin_ns + 28_000_000);
}

/// Adds calls to a frame of [`push_frame`]: from when, in milliseconds, and how long. All after
/// the first one are inside it.
fn add_calls(timeline: &mut Timeline, frame: i64, calls: &[(SeriesId, i64, i64)]) {
    for (at, &(series, from_ms, ms)) in calls.iter().enumerate() {
        let begin_ns = frame * 30_000_000 + from_ms * 1_000_000;
        timeline.add(NewScope {
            lane: 1,
            lane_name: "main",
            lane_kind: LaneKind::Thread,
            series,
            depth: at.min(1) as u32,
            begin_ns,
            end_ns: Some(begin_ns + ms * 1_000_000),
            is_wait: false,
        });
    }
    timeline.settle();
}

#[test]
fn the_timeline_of_a_hitch_selects_its_culprit_once_it_is_known() {
    let scope = "timeline-late-culprit";
    let mut harness = with_hitch(scope, Mode::Full);
    let [ai, paths] = ["ai", "ai/paths"].map(|name| timer(&format!("{scope}/{name}")).id());
    let mut timeline = Timeline::new(1 << 20, 1000);
    for frame in 98..103 {
        push_frame(&mut timeline, frame);
        add_calls(&mut timeline, frame, &[(ai, 0, 14)]);
    }
    let state = harness.state_mut();
    state.recorder.calls = Calls::Are(Box::new(timeline));
    state.overlay.select_frames(Some(5..20));
    press(&mut harness, Key::ArrowDown);
    press(&mut harness, Key::Z);
    harness.run_steps(3);
    assert!(value_of(&harness, "Shown frame").starts_with("Frame 100 "));
    let Calls::Are(timeline) = &mut harness.state_mut().recorder.calls else {
        unreachable!("they were given");
    };
    add_calls(timeline, 100, &[(ai, 14, 1), (paths, 1, 3)]);
    harness.run_steps(3);
    let call = value_of(&harness, "Selected call");
    assert!(call.starts_with(&format!("{scope}/ai/paths: ")), "{call}");
}

#[test]
fn the_timeline_of_an_explanation_selects_the_longest_call_of_all_its_frames() {
    let scope = "timeline-explained";
    let mut harness = with_hitch(scope, Mode::Full);
    let [ai, paths] = ["ai", "ai/paths"].map(|name| timer(&format!("{scope}/{name}")).id());
    let mut timeline = Timeline::new(1 << 20, 1000);
    for frame in 98..103 {
        push_frame(&mut timeline, frame);
        let ms = if frame == 100 { 9 } else { 2 };
        add_calls(&mut timeline, frame, &[(ai, 0, 14), (paths, 1, ms)]);
    }
    let state = harness.state_mut();
    state.recorder.calls = Calls::Are(Box::new(timeline));
    state.overlay.select_frames(Some(99..102));
    press(&mut harness, Key::E);
    harness.run_steps(2);
    press(&mut harness, Key::Z);
    harness.run_steps(3);
    let call = value_of(&harness, "Selected call");
    assert!(call.contains("ai/paths: 9.00 ms"), "{call}");
}

#[test]
fn the_timeline_of_a_hitch_selects_the_longest_call_of_its_culprit() {
    let scope = "timeline-culprit";
    let mut harness = with_hitch(scope, Mode::Full);
    let [ai, paths] = ["ai", "ai/paths"].map(|name| timer(&format!("{scope}/{name}")).id());
    let mut timeline = Timeline::new(1 << 20, 1000);
    for frame in 98..103 {
        push_frame(&mut timeline, frame);
        let calls = [(ai, 0, 14), (paths, 0, 1), (paths, 1, 9), (paths, 10, 3)];
        add_calls(&mut timeline, frame, &calls);
    }
    harness.state_mut().recorder.calls = Calls::Are(Box::new(timeline));
    press(&mut harness, Key::ArrowDown);
    press(&mut harness, Key::Z);
    harness.run_steps(3);
    assert!(value_of(&harness, "Shown frame").starts_with("Frame 100 "));
    assert_eq!(
        value_of(&harness, "Selected call"),
        "timeline-culprit/ai/paths: 9.00 ms · call 2 of 3 in frame 100 · usually 3.00 ms"
    );
}

#[test]
fn the_timeline_after_the_key_of_the_card_selects_the_culprit_of_its_hitch() {
    let scope = "timeline-card";
    let mut harness = with_hitch(scope, Mode::Hud);
    let paths = timer(&format!("{scope}/ai/paths")).id();
    let mut timeline = Timeline::new(1 << 20, 1000);
    for frame in 98..103 {
        push_frame(&mut timeline, frame);
        add_calls(&mut timeline, frame, &[(paths, 0, 1), (paths, 1, 9)]);
    }
    harness.state_mut().recorder.calls = Calls::Are(Box::new(timeline));
    harness.state_mut().overlay.act(Action::GoToHitch);
    harness.run_steps(2);
    press(&mut harness, Key::Z);
    harness.run_steps(3);
    assert!(value_of(&harness, "Shown frame").starts_with("Frame 100 "));
    let call = value_of(&harness, "Selected call");
    assert!(
        call.starts_with("timeline-card/ai/paths: 9.00 ms"),
        "{call}"
    );
}

#[test]
fn costs_name_the_frames_whose_calls_have_no_room() {
    let scope = "costs-left-out";
    let series = timer(&format!("{scope}/step")).id();
    let shown = |crowded: &[(u64, i64)]| {
        let mut host = host(scope);
        let mut timeline = Timeline::new(64 << 20, 1000);
        for frame in 0..FRAMES {
            let begin = frame as i64 * 16_000_000;
            timeline.push_frame(frame, begin..begin + 16_000_000);
            let of_frame = crowded.iter().find(|of| of.0 == frame);
            for call in 0..of_frame.map_or(1, |of| of.1) {
                timeline.add(NewScope {
                    lane: 1,
                    lane_name: "main",
                    lane_kind: LaneKind::Thread,
                    series,
                    depth: 0,
                    begin_ns: begin + call,
                    end_ns: Some(begin + call + 1),
                    is_wait: false,
                });
            }
            timeline.settle();
        }
        host.recorder.calls = Calls::Are(Box::new(timeline));
        host.overlay.set_view(PaneView::Costs);
        let mut harness = harness(SIZE, host);
        harness.run_steps(20);
        harness
    };
    let mut harness = shown(&[(70, 262_145)]);
    let about = |harness: &Harness<'_, Host>| value_of(harness, "About the costs");
    assert_eq!(
        about(&harness),
        "Newest second: 62 frames of 16.00 ms · left out: frame 70 with 262,145 calls"
    );
    harness.state_mut().overlay.select_frames(Some(69..72));
    harness.run_steps(3);
    assert_eq!(
        about(&harness),
        "2 frames of 16.00 ms · left out: frame 70 with 262,145 calls"
    );
    harness.state_mut().overlay.select_frames(Some(71..73));
    harness.run_steps(3);
    assert_eq!(about(&harness), "2 frames of 16.00 ms");
    // The newest frames that fit are summed up.
    let harness = shown(&[(70, 262_145), (80, 100_000), (81, 100_000), (82, 100_000)]);
    assert_eq!(
        about(&harness),
        "Newest second: 61 frames of 16.00 ms · left out: 2 frames with 362,145 calls together"
    );
}

#[test]
fn costs_are_compared_with_the_baseline_while_there_is_one() {
    let scope = "costs-baseline";
    let mut harness = shown(scope, PaneView::Costs);
    let label = format!("Cost of {scope}/sim");
    assert!(!value_of(&harness, &label).contains("vs A"));
    let mut marked = BaselineSeries::default();
    marked.path = format!("{scope}/sim");
    marked.unit = "ms".to_owned();
    marked.mean = 6.5;
    harness.state_mut().overlay.set_baseline(vec![marked]);
    harness.run_steps(3);
    let text = value_of(&harness, &label);
    assert!(
        text.contains("total 8.00 ms, vs A +1.50 ms, share"),
        "{text}"
    );
    let text = value_of(&harness, &format!("Cost of {scope}/job"));
    assert!(text.contains("vs A –, share"), "{text}");
    harness.state_mut().overlay.set_baseline(Vec::new());
    harness.run_steps(3);
    assert!(!value_of(&harness, &label).contains("vs A"));
}
