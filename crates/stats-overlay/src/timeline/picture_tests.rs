//! What is drawn of calls with any times, compared with the calls one by one, and after any walk with a
//! drawing from scratch.

use std::ops::Range;

use egui::epaint::{ClippedPrimitive, Mesh};
use egui::{Color32, Context, Id, Pos2, RawInput, Rect, Shape, pos2, vec2};
use stats_core::SeriesId;
use stats_core::timeline::{LaneKind, NewScope, Timeline};
use stats_testing::Random;
use stats_ui::theme::Theme;

use super::calls::Call;
use super::lane_mesh::LaneMemory;
use super::lanes::{LEVEL, LaneRow, Lanes, NAME, span_of, visible};
use super::paint::Picture;
use super::ui::at_x;
use super::view::TimelineView;
use super::window::{PlacedFrame, Window, placed};
use crate::baseline::marked::MarkedBaseline;
use crate::data::frame_axis::FrameAxis;
use crate::data::shown_scopes::ShownScopes;
use crate::input::settings::Settings;
use crate::insight::findings::Findings;
use crate::insight::frame_limit::{FrameLimit, LimitOf};
use crate::paint::canvas::Canvas;
use crate::search::query::Query;
use crate::testing::{CALLS_FRAME_NS as FRAME_NS, Calls, Paths, Values};
use crate::view::{PaneContext, View as _};

const FRAMES: u64 = 12;
const THREADS: u64 = 64;

/// Returns a source of frames of any length, whose clock steps back now and then. Each of 64 threads
/// runs in a part of the frames. Scopes begin before the first frame, are up to 100 deep, and many
/// begin at one moment, or take no time.
fn hostile_calls(random: &mut Random) -> Calls {
    let mut timeline = Timeline::new(4 << 20, 100);
    let lives: Vec<Range<u64>> = (0..THREADS)
        .map(|_| {
            let first = random.below(FRAMES);
            first..first + 1 + random.below(FRAMES)
        })
        .collect();
    let mut begin = 0;
    for frame in 0..FRAMES {
        let end = begin + 1 + random.below(2 * FRAME_NS as u64) as i64;
        timeline.push_frame(frame, begin..end);
        for (thread, _) in (0..).zip(&lives).filter(|(_, life)| life.contains(&frame)) {
            for _ in 0..1 + random.below(3) {
                let at = end - random.below(3 * FRAME_NS as u64) as i64;
                add_chain(random, &mut timeline, thread, at..end);
            }
        }
        timeline.settle();
        let step_back = random.below(4) == 0;
        begin = end - i64::from(step_back) * random.below(FRAME_NS as u64) as i64;
    }
    Calls::new(timeline)
}

/// Adds scopes, each inside the one before, the innermost first.
fn add_chain(random: &mut Random, timeline: &mut Timeline, lane: u64, time: Range<i64>) {
    let most = if random.below(8) == 0 { 100 } else { 5 };
    let depth = random.below(most) as u32;
    let is_open = random.below(9) == 0;
    let mut at = time;
    let mut chain = Vec::new();
    for depth in 0..=depth {
        chain.push((depth, at.clone()));
        let moment = |random: &mut Random| match random.below(3) {
            0 => 0,
            _ => random.below((at.end - at.start + 1) as u64) as i64,
        };
        let begin = at.start + moment(random);
        at = begin..begin + moment(random).min(at.end - begin);
    }
    for (depth, time) in chain.into_iter().rev() {
        timeline.add(NewScope {
            lane,
            lane_name: &format!("thread {}", lane % 9),
            lane_kind: LaneKind::Thread,
            series: SeriesId::new(random.below(8) as u32),
            depth,
            begin_ns: time.start,
            end_ns: (!is_open).then_some(time.end),
            is_wait: false,
        });
    }
}

/// Returns a window of any place and width that shows a part of the frames.
fn any_window(random: &mut Random, frames: &[PlacedFrame<'_>]) -> Window {
    let mut window = Window::of_frames(frames, random.below(FRAMES), 1 + random.below(4));
    for _ in 0..random.below(4) {
        let factor = 2f64.powf(random.below(12) as f64 - 4.0);
        window = window.zoomed(factor, random.below(FRAME_NS as u64) as f64, frames);
        let by = window.width_ns * (random.below(200) as f64 / 100.0 - 1.0);
        window = window.moved(by, frames);
    }
    window
}

const AREA: Rect = Rect {
    min: pos2(3.0, 7.0),
    max: pos2(903.0, 40_007.0),
};

/// Returns the rectangles of a picture with their colors.
fn drawn(picture: &Picture<'_>, rows: &[&LaneRow]) -> Vec<(Rect, Color32)> {
    let mut memory = LaneMemory::default();
    let mut output = Context::default().run_ui(RawInput::default(), |ui| {
        picture.lanes(ui.painter(), AREA, rows, &mut memory);
    });
    output.textures_delta.clear();
    // The mark of an open call has the color of text.
    let is_call = |(_, color): &(Rect, Color32)| *color != picture.theme.text;
    let rects = memory.mesh.vertices.chunks(4).map(|corners| {
        let place = Rect::from_min_max(corners[0].pos, corners[3].pos);
        (place, corners[0].color)
    });
    rects.filter(is_call).collect()
}

/// Checks the rectangles of a level of a lane against its calls, each with its sides and its color.
fn assert_level(rects: &[(Rect, Color32)], calls: &[(f32, f32, Color32)], what: &str) {
    let is_in = |call: &(f32, f32, Color32), rect: &Rect| {
        let begins = rect.left() - 0.01..=rect.right() + 0.01;
        begins.contains(&call.0) && call.1 - 0.51 <= rect.right()
    };
    for call in calls {
        let (left, right, color) = *call;
        let own = |(rect, of): &(Rect, Color32)| {
            let end = (right - 0.5).max(left + 0.5);
            (rect.left() - left).abs() < 0.01 && (rect.right() - end).abs() < 0.01 && *of == color
        };
        let is_drawn = rects.iter().any(|(rect, _)| is_in(call, rect));
        assert!(is_drawn, "{call:?} is missing in {rects:?}, {what}");
        // Rounding decides about a call that is almost as wide as a pixel.
        let is_wide = right - left >= 1.01;
        assert!(
            !is_wide || rects.iter().any(own),
            "{call:?} has no own place, {what}"
        );
    }
    for (rect, color) in rects {
        let mut inside: Vec<_> = calls.iter().filter(|call| is_in(call, rect)).collect();
        inside.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert!(!inside.is_empty(), "{rect:?} is of no call, {what}");
        let is_merged = rect.height() < LEVEL - 2.0;
        assert!(
            !is_merged || inside.len() > 1,
            "{rect:?} is of one call, {what}"
        );
        let mut end = rect.left();
        for call in &inside {
            assert!(
                call.0 <= end + 1.01,
                "nothing runs after {end} in {rect:?}, {what}"
            );
            end = end.max(call.1);
        }
        assert!(
            rect.right() <= end.max(rect.left() + 1.0) + 0.01,
            "{rect:?}, {what}"
        );
        let of_one_color = inside.iter().all(|call| call.2 == inside[0].2);
        assert!(!of_one_color || inside[0].2 == *color, "{rect:?}, {what}");
    }
}

#[test]
fn every_call_is_drawn_where_it_ran_and_nothing_else_is() {
    let mut random = Random::new(61);
    let theme = Theme::new(true);
    let search = Query::default();
    for round in 0..6 {
        let mut calls = hostile_calls(&mut random);
        let mut shown = ShownScopes::default();
        shown.read(&mut calls, &[(0..FRAMES).into()], None);
        let all = placed(&shown, random.below(FRAMES));
        assert_eq!(all.len() as u64, FRAMES);
        let mut lanes = Lanes::default();
        for _ in 0..4 {
            let window = any_window(&mut random, &all);
            let frames = visible(&all, &window);
            lanes.update(&shown, &frames);
            let picture = Picture {
                theme: &theme,
                scopes: &shown,
                selected: &[],
                shown: &frames,
                window,
                call: None,
                search: &search,
            };
            let rows: Vec<&LaneRow> = lanes.rows().iter().collect();
            let rects = drawn(&picture, &rows);
            let mut checked = 0;
            for row in rows {
                for level in 0..row.levels {
                    let top = AREA.top() + row.top + NAME + level as f32 * LEVEL;
                    let is_here = |rect: &&(Rect, Color32)| (rect.0.top() - top).abs() < 0.1;
                    let here: Vec<_> = rects.iter().filter(is_here).copied().collect();
                    let mut of_level = Vec::new();
                    for frame in &frames {
                        for scope in frame.copy.scopes_of(row.lane) {
                            let (begin, end) = span_of(frame, scope);
                            // The window ends between two nanoseconds.
                            let is_seen =
                                end >= window.left_ns.floor() && begin <= window.right_ns().ceil();
                            if row.level(scope.depth()) == level && is_seen {
                                let left = at_x(AREA, &window, begin).max(AREA.left());
                                let right = at_x(AREA, &window, end).min(AREA.right());
                                let series = shown.series(scope.series());
                                of_level.push((left, right, picture.color_of_graph(series)));
                            }
                        }
                    }
                    checked += here.len();
                    assert_level(&here, &of_level, &format!("round {round}, {window:?}"));
                }
            }
            assert_eq!(checked, rects.len(), "each rectangle is on a level");
        }
    }
}

/// A timeline alone.
struct Bench {
    ctx: Context,
    view: TimelineView,
    axis: FrameAxis,
    data: Values,
    theme: Theme,
    search: Query,
}

impl Bench {
    /// Returns the picture of a pass.
    fn pass(&mut self, scopes: &ShownScopes, revision: u64) -> Vec<ClippedPrimitive> {
        let Self {
            ctx,
            view,
            axis,
            data,
            theme,
            search,
        } = self;
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(700.0, 900.0)));
        let input = RawInput {
            screen_rect,
            ..RawInput::default()
        };
        let mut output = ctx.run_ui(input, |ui| {
            stats_ui::text_revision::text_revision(ui.ctx());
            let rect = ui.max_rect();
            let pane = PaneContext {
                theme,
                frame_axis: axis,
                data,
                scopes,
                selected: &[],
                absent: &|_| "",
                refresh: true,
                revision,
                settings: &Settings::default(),
                found: &Findings::default(),
                limit: LimitOf {
                    limit: &FrameLimit::default(),
                    source: &Paths::default(),
                },
                baseline: &MarkedBaseline::default(),
                search,
                aligned: Default::default(),
            };
            let id = Id::NULL.with("timeline");
            view.draw(
                &mut Canvas::over_game(ui.painter().clone(), id, 1.0),
                rect,
                pane,
            );
        });
        output.textures_delta.clear();
        let shapes = std::mem::take(&mut output.shapes);
        assert!(
            !shapes
                .iter()
                .any(|shape| matches!(shape.shape, Shape::Noop))
        );
        ctx.tessellate(shapes, 1.0)
    }
}

fn meshes(picture: &[ClippedPrimitive]) -> impl Iterator<Item = (Rect, &Mesh)> {
    picture.iter().filter_map(|part| match &part.primitive {
        egui::epaint::Primitive::Mesh(mesh) => Some((part.clip_rect, mesh)),
        egui::epaint::Primitive::Callback(_) => None,
    })
}

#[test]
fn the_picture_after_any_walk_is_the_one_that_is_drawn_from_scratch() {
    let mut random = Random::new(62);
    for _ in 0..3 {
        let mut calls = hostile_calls(&mut random);
        let mut shown = ShownScopes::default();
        let mut bench = Bench {
            ctx: Context::default(),
            view: TimelineView::default(),
            axis: FrameAxis::default(),
            data: Values::of(vec![1.0; FRAMES as usize]),
            theme: Theme::new(true),
            search: Query::default(),
        };
        let mut different = 0;
        let mut before = Vec::new();
        for step in 0..60 {
            match random.below(8) {
                0 => {
                    let first = random.below(FRAMES);
                    let last = first + random.below(3);
                    bench.axis.select(first, last, &(0..FRAMES));
                }
                1 => {
                    let first = bench.view.shown.unwrap_or_default().0;
                    let frames = placed(&shown, first);
                    let window = (!frames.is_empty()).then(|| any_window(&mut random, &frames));
                    bench.view.window = window;
                }
                2 => bench.view.window = None,
                3 => {
                    let words = ["", "timer/3", "-timer/3", "timer"];
                    bench.search = Query::new(words[random.index(words.len())]);
                }
                4 => bench.theme = Theme::new(random.below(2) == 0),
                5 => {
                    let frame = shown.frames().get(random.index(FRAMES as usize));
                    let call = frame.and_then(|frame| {
                        let (lane, scopes) = frame.lanes().next()?;
                        Some(Call::of(frame.index, lane, scopes.first()?))
                    });
                    bench.view.selected = call;
                }
                6 => {
                    let newest = calls
                        .timeline
                        .frames()
                        .last()
                        .map_or(0, |frame| frame.duration_ns());
                    add_chain(&mut random, &mut calls.timeline, 3, 0..newest);
                    calls.timeline.settle();
                }
                _ => {}
            }
            let first = random.below(3);
            shown.read(&mut calls, &[(first..FRAMES).into()], None);
            // In the first pass, new glyphs and the frame to show settle.
            bench.pass(&shown, 1);
            let kept = bench.pass(&shown, 1);
            bench.view.free_pictures();
            let anew = bench.pass(&shown, 1);
            assert!(meshes(&kept).eq(meshes(&anew)), "step {step}");
            different += usize::from(!meshes(&kept).eq(meshes(&before)));
            before = kept;
        }
        assert!(
            different > 10,
            "{different} pictures differ from the one before"
        );
    }
}
