//! Where calls are drawn, and what is said about them, compared with simpler computations.

use egui::{Color32, Context, Pos2, RawInput, Rect, Shape, vec2};
use stats_core::SeriesId;
use stats_core::timeline::{LaneKind, NewScope, Scope, Timeline};
use stats_testing::Random;
use stats_ui::theme::Theme;

use super::lane_mesh::LaneMemory;
use super::lanes::{LaneRow, Lanes, contents, span_of};
use super::paint::{Picture, paint_axis};
use super::view::TimelineView;
use super::window::{Window, placed};
use crate::data::frame_axis::FrameAxis;
use crate::data::shown_scopes::ShownScopes;
use crate::search::query::Query;
use crate::testing::{CALLS_FRAME_NS as FRAME_NS, Calls, large_calls, random_calls};
use crate::view::View;

#[test]
fn copies_equal_the_frames_of_the_source_whatever_was_copied_before() {
    let mut random = Random::new(41);
    let mut calls = random_calls(&mut random);
    let mut shown = ShownScopes::default();
    for _ in 0..200 {
        let start = random.below(12);
        let wanted = [start..start + random.below(5), 3..random.below(9)];
        shown.read(&mut calls, &wanted.clone().map(Into::into), None);
        for index in 0..12 {
            let is_wanted = wanted.iter().any(|range| range.contains(&index));
            let copy = shown.frame(index);
            assert_eq!(copy.is_some(), is_wanted, "{index} of {wanted:?}");
            let Some(copy) = copy else { continue };
            let frame = calls.timeline.frame(index).expect("it is kept");
            let of_copy: Vec<Scope> = (copy.lanes())
                .flat_map(|(_, scopes)| scopes.to_vec())
                .collect();
            assert_eq!(of_copy, frame.scopes());
            assert_eq!(copy.duration_ns, FRAME_NS);
        }
    }
    shown.read(&mut calls, &[], None);
    assert!(shown.frames().is_empty());
}

#[test]
fn a_chosen_frame_is_shown_however_many_scopes_its_neighbors_have() {
    const FRAMES: u64 = 5;
    let (mut calls, mut shown) = (large_calls(FRAMES), ShownScopes::default());
    let zoomed = Window {
        left_ns: 0.0,
        width_ns: 1000.0,
    };
    // Forward, and back to each one, so that others are copied before.
    for first in (0..FRAMES).chain((0..FRAMES).rev()) {
        for (before, window) in [(None, None), (Some((2, 1)), None), (None, Some(zoomed))] {
            let mut axis = FrameAxis::default();
            axis.select(first, first, &(0..FRAMES));
            let view = TimelineView {
                shown: before.or(Some((first, 1))),
                window,
                ..TimelineView::default()
            };
            let wanted = view.wanted_scopes(&axis, &(0..FRAMES));
            shown.read(&mut calls, &[wanted.expect("it shows a frame")], None);
            assert!(!placed(&shown, first).is_empty(), "{first}, {view:?}");
        }
    }
}

#[test]
fn the_scope_under_a_point_is_the_one_that_is_drawn_there() {
    let mut random = Random::new(42);
    let mut calls = random_calls(&mut random);
    let mut shown = ShownScopes::default();
    shown.read(&mut calls, &[(0..6).into(), (6..12).into()], None);
    let frames = placed(&shown, 4);
    assert_eq!(frames.len(), 12);
    let mut lanes = Lanes::default();
    lanes.update(&shown, &frames);
    for _ in 0..2000 {
        let frame = &frames[random.index(12)];
        let row = &lanes.rows()[random.index(lanes.rows().len())];
        let of_lane = frame.copy.scopes_of(row.lane);
        if of_lane.is_empty() {
            continue;
        }
        let scope = &of_lane[random.index(of_lane.len())];
        let (begin, end) = span_of(frame, scope);
        let y = row.top
            + super::lanes::NAME
            + (row.level(scope.depth()) as f32 + 0.5) * super::lanes::LEVEL;
        let hit = lanes.scope_at(&frames, (y, (begin + end) / 2.0, 0.0));
        let hit = hit.expect("a scope is drawn there");
        assert_eq!((hit.frame.copy.index, hit.scope), (frame.copy.index, scope));
    }
}

#[test]
fn any_zooming_and_moving_keeps_a_part_of_the_frames_in_the_window() {
    let mut random = Random::new(44);
    let mut calls = random_calls(&mut random);
    let mut shown = ShownScopes::default();
    shown.read(&mut calls, &[(0..6).into(), (6..12).into()], None);
    let frames = placed(&shown, 4);
    let (first, last) = (frames[0].begin_ns, frames[11].end_ns());
    let mut window = Window::of_frames(&frames, 4, 1);
    for _ in 0..10_000 {
        window = match random.below(2) {
            0 => window.moved(random.value().clamp(-1e9, 1e9), &frames),
            _ => {
                let factor = 2f64.powf(random.below(40) as f64 - 20.0);
                window.zoomed(factor, random.below(FRAME_NS as u64) as f64, &frames)
            }
        };
        assert!(
            window.left_ns < last && window.right_ns() > first,
            "{window:?}"
        );
        assert!(window.width_ns >= 200.0 && window.width_ns.is_finite());
    }
}

#[test]
fn a_lane_of_the_gpu_stays_one_however_far_its_place_may_be_off() {
    let mut timeline = Timeline::new(1 << 20, 100);
    for frame in 0..12 {
        let begin = frame as i64 * FRAME_NS;
        timeline.push_frame(frame, begin..begin + FRAME_NS);
        timeline.add(NewScope {
            lane: 9,
            lane_name: "gpu",
            lane_kind: LaneKind::Gpu {
                off_by_ns: Some(100 + frame),
            },
            series: SeriesId::new(1),
            depth: 0,
            begin_ns: begin + 10,
            end_ns: Some(begin + 20),
            is_wait: false,
        });
    }
    timeline.settle();
    let (mut calls, mut shown) = (Calls::new(timeline), ShownScopes::default());
    shown.read(&mut calls, &[(0..6).into(), (6..12).into()], None);
    let mut lanes = Lanes::default();
    lanes.update(&shown, &placed(&shown, 4));
    assert_eq!(lanes.rows().len(), 1);
}

/// Adds a frame with a call in each of these lanes.
fn push(timeline: &mut Timeline, frame: u64, lanes: &[(u64, &str)]) {
    let begin = frame as i64 * FRAME_NS;
    timeline.push_frame(frame, begin..begin + FRAME_NS);
    for (lane, name) in lanes {
        timeline.add(call(*lane, name, begin));
    }
    timeline.settle();
}

fn call(lane: u64, lane_name: &str, begin_ns: i64) -> NewScope<'_> {
    NewScope {
        lane,
        lane_name,
        lane_kind: LaneKind::Thread,
        series: SeriesId::new(1),
        depth: 0,
        begin_ns,
        end_ns: Some(begin_ns + 100),
        is_wait: false,
    }
}

#[test]
fn lanes_of_threads_that_ended_leave_and_those_that_idle_stay() {
    const FRAMES: u64 = 10_000;
    let mut calls = Calls::new(Timeline::new(1 << 20, 300));
    let (mut shown, mut lanes) = (ShownScopes::default(), Lanes::default());
    let mut seldom = Vec::new();
    for frame in 2..FRAMES {
        // A thread for each frame, one that always runs, and one that runs in every hundredth frame.
        let short = format!("short {frame}");
        let names = [(0, "main"), (frame, &*short), (1, "seldom")];
        let has_seldom = frame % 100 == 0;
        push(
            &mut calls.timeline,
            frame,
            &names[..if has_seldom { 3 } else { 2 }],
        );
        shown.read(&mut calls, &[(frame - 2..frame + 1).into()], None);
        if frame % 20 != 0 {
            continue;
        }
        lanes.update(&shown, &placed(&shown, frame));
        assert!(lanes.rows().len() <= 160, "{} rows", lanes.rows().len());
        for row in lanes.rows() {
            let lane = shown.lane(row.lane).expect("a row has a lane");
            if lane.name == "seldom" {
                seldom.push(row.lane);
            }
        }
    }
    let known = (0..2 * FRAMES as usize).filter(|&lane| shown.lane(lane).is_some());
    assert!(known.count() <= 160);
    seldom.dedup();
    assert_eq!(seldom.len(), 1, "its lane stays");
}

#[test]
fn the_picture_depends_on_the_frames_that_are_shown_and_on_no_others() {
    let mut calls = Calls::new(Timeline::new(1 << 20, 300));
    for frame in 0..20 {
        push(&mut calls.timeline, frame, &[(0, "main"), (1, "worker")]);
    }
    let (mut shown, mut rows) = (ShownScopes::default(), Lanes::default());
    let mut read = |calls: &mut Calls, copied: std::ops::Range<u64>, frame: u64| {
        shown.read(calls, &[copied.into()], None);
        let frames = placed(&shown, frame);
        let frame = frames.iter().filter(|placed| placed.copy.index == frame);
        let frame: Vec<_> = frame.copied().collect();
        rows.update(&shown, &frame);
        contents(&shown, &frame, &rows.rows().iter().collect::<Vec<_>>())
    };
    let of_3 = read(&mut calls, 2..5, 3);
    assert_eq!(read(&mut calls, 2..5, 3), of_3);
    assert_eq!(read(&mut calls, 1..19, 3), of_3, "others are copied");
    assert_eq!(read(&mut calls, 3..4, 3), of_3, "others are gone");
    assert_ne!(read(&mut calls, 3..9, 4), of_3, "another frame");
    assert_eq!(read(&mut calls, 3..9, 3), of_3);
    calls.timeline.add(call(1, "worker", 3 * FRAME_NS + 700));
    calls.timeline.settle();
    let with_late = read(&mut calls, 3..9, 3);
    assert_ne!(with_late, of_3, "a late call");
    calls.timeline.add(call(2, "new", 3 * FRAME_NS + 700));
    calls.timeline.settle();
    assert_ne!(read(&mut calls, 3..9, 3), with_late, "another lane");
}

#[test]
fn a_series_that_is_listed_later_is_named_in_the_picture_and_asked_for_only_after_a_change() {
    let mut calls = Calls::new(Timeline::new(1 << 20, 300));
    push(&mut calls.timeline, 0, &[(0, "main"), (1, "worker")]);
    (calls.listed, calls.generation) = (0, 1);
    let (mut shown, mut rows) = (ShownScopes::default(), Lanes::default());
    let mut read = |calls: &mut Calls| {
        shown.read(calls, &[(0..1).into()], None);
        let frames = placed(&shown, 0);
        rows.update(&shown, &frames);
        let contents = contents(&shown, &frames, &rows.rows().iter().collect::<Vec<_>>());
        let mut scopes = frames[0].copy.lanes().flat_map(|(_, scopes)| scopes);
        let are_named = scopes.all(|scope| shown.series(scope.series()).is_some());
        (are_named, shown.revision(), contents, calls.lists.get())
    };
    let before = read(&mut calls);
    assert!(!before.0 && before.3 > 0);
    assert_eq!(read(&mut calls), before, "nothing changed");
    (calls.listed, calls.generation) = (8, 2);
    let after = read(&mut calls);
    assert!(after.0 && after.1 > before.1 && after.2 != before.2);
    calls.generation = 3;
    assert_eq!(read(&mut calls), after, "all are named");
}

#[test]
fn a_search_dims_the_calls_that_it_does_not_find() {
    let mut calls = random_calls(&mut Random::new(45));
    let (mut shown, mut lanes) = (ShownScopes::default(), Lanes::default());
    shown.read(&mut calls, &[(0..6).into(), (6..12).into()], None);
    let frames = placed(&shown, 4);
    lanes.update(&shown, &frames);
    let theme = Theme::new(true);
    let colors = |row: &LaneRow, search: &str| -> Vec<Color32> {
        let search = Query::new(search);
        let mut output = Context::default().run_ui(RawInput::default(), |ui| {
            let picture = Picture {
                theme: &theme,
                scopes: &shown,
                selected: &[],
                shown: &frames[4..5],
                window: Window::of_frames(&frames, 4, 1),
                call: None,
                search: &search,
            };
            // So wide that no two calls are merged.
            let area = Rect::from_min_size(Pos2::ZERO, vec2(1e6, 500.0));
            picture.lanes(ui.painter(), area, &[row], &mut LaneMemory::default());
        });
        output.textures_delta.clear();
        let mut meshes = output.shapes.iter().filter_map(|shape| match &shape.shape {
            Shape::Mesh(mesh) => Some(mesh),
            _ => None,
        });
        let mesh = meshes.next().expect("there are calls");
        mesh.vertices.chunks(4).map(|call| call[0].color).collect()
    };
    for row in lanes.rows() {
        let of_lane = frames[4].copy.scopes_of(row.lane);
        let closed = of_lane.iter().filter(|scope| !scope.is_open());
        if closed.count() != of_lane.len() {
            continue;
        }
        let all = colors(row, "");
        assert_eq!(all.len(), of_lane.len());
        for (search, is_found) in [("timer/3", 3..4), ("timer", 0..8), ("-timer", 0..0)] {
            let expected = of_lane.iter().zip(&all).map(|(scope, color)| {
                if is_found.contains(&scope.series().number()) {
                    *color
                } else {
                    color.gamma_multiply(0.2)
                }
            });
            assert_eq!(
                colors(row, search),
                expected.collect::<Vec<_>>(),
                "{search}"
            );
        }
    }
}

#[test]
fn a_lane_begins_with_the_outermost_scopes_that_are_known() {
    let mut calls = Calls::new(Timeline::new(1 << 20, 300));
    calls.timeline.push_frame(0, 0..FRAME_NS);
    // The scopes around these began before any were collected.
    for depth in [2, 3] {
        calls.timeline.add(NewScope {
            depth,
            ..call(0, "main", 0)
        });
    }
    calls.timeline.settle();
    let (mut shown, mut lanes) = (ShownScopes::default(), Lanes::default());
    let mut update = |calls: &mut Calls| {
        shown.read(calls, &[(0..1).into()], None);
        lanes.update(&shown, &placed(&shown, 0));
        let row = &lanes.rows()[0];
        let levels = shown.frames()[0].scopes_of(row.lane).iter();
        (
            row.levels,
            levels.map(|scope| row.level(scope.depth())).collect(),
        )
    };
    assert_eq!(update(&mut calls), (2, vec![0, 1]));
    // One of them ends.
    calls.timeline.add(NewScope {
        depth: 1,
        ..call(0, "main", 0)
    });
    calls.timeline.settle();
    assert_eq!(update(&mut calls), (3, vec![0, 1, 2]));
}

#[test]
fn the_words_of_the_axis_never_overlap_and_budgets_are_whole() {
    let mut random = Random::new(46);
    let mut calls = random_calls(&mut random);
    let mut shown = ShownScopes::default();
    shown.read(&mut calls, &[(0..6).into(), (6..12).into()], None);
    let frames = placed(&shown, 4);
    let theme = Theme::new(true);
    let (mut words, mut without) = (0, 0);
    for _ in 0..500 {
        let window = Window::of_frames(&frames, random.below(12), 1);
        let factor = 2f64.powf(random.below(8) as f64 - 4.0);
        let window = window.zoomed(factor, random.below(FRAME_NS as u64) as f64, &frames);
        let budget_ns = random.below(FRAME_NS as u64) as f64;
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(850.0, 16.0));
        let mut output = Context::default().run_ui(RawInput::default(), |ui| {
            let body = rect.translate(vec2(0.0, 100.0));
            let budget_ns = Some(budget_ns);
            paint_axis(
                ui.painter(),
                &theme,
                rect,
                &window,
                &frames,
                budget_ns,
                body,
            );
        });
        output.textures_delta.clear();
        let texts = output.shapes.iter().filter_map(|shape| match &shape.shape {
            Shape::Text(text) => {
                Some((text.galley.text() == "budget", text.visual_bounding_rect()))
            }
            _ => None,
        });
        let texts: Vec<_> = texts.filter(|(_, place)| place.top() < 50.0).collect();
        for (at, (is_budget, place)) in texts.iter().enumerate() {
            assert!(
                !is_budget
                    || rect.x_range().contains(place.left())
                        && rect.x_range().contains(place.right())
            );
            for (_, other) in &texts[..at] {
                assert!(!other.intersects(*place), "{other:?} and {place:?}");
            }
        }
        let budgets = texts.iter().filter(|(is_budget, _)| *is_budget).count();
        words += budgets;
        without += usize::from(budgets == 0);
    }
    assert!(
        words > 300 && without < 250,
        "{words} words, {without} without"
    );
}
