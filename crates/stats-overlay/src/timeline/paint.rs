//! Paints the axis of time and the lanes.

use std::collections::HashMap;

use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{Align2, Color32, Painter, Rect, Shape, Stroke, pos2, vec2};
use foldhash::fast::FixedState;
use stats_analysis::axis::round_step;
use stats_analysis::format::{NumberStyle, value_text, whole_text};
use stats_core::timeline::{LaneKind, Scope};
use stats_core::{SeriesId, Unit};
use stats_ui::shapes;
use stats_ui::theme::{Theme, small_font};

use crate::data::selection::{SelectedSeries, slot_of};
use crate::data::shown_scopes::{ShownScopes, ShownSeries};
use crate::paint::canvas::Canvas;
use crate::search::query::Query;
use crate::timeline::calls::{Call, ms};
use crate::timeline::division::{add_division, ready_text};
use crate::timeline::lanes::{BAR, LEVEL, LaneRow, NAME, in_view, span_of, top_level_ns};
use crate::timeline::ui::{at_x, row_rect};
use crate::timeline::window::{PlacedFrame, Window};

/// The minimum distance between two numbers of the axis, in points.
const DISTANCE: f32 = 90.0;
/// The minimum width of a call with its name, in points.
const NAMED: f32 = 34.0;
/// The minimum width of a wait with stripes, in points.
const STRIPED: f32 = 6.0;
/// The distance of the stripes of a wait, in points.
const STRIPE: f32 = 6.0;
/// The opacity of a call that the search does not find.
const DIMMED: f32 = 0.2;
/// The part of the height of a level that several merged calls have.
const MERGED: f32 = 0.6;

/// The lanes of the visible frames.
pub(super) struct Picture<'a> {
    pub(super) theme: &'a Theme,
    pub(super) scopes: &'a ShownScopes,
    /// The series of the pane, whose calls have the colors of their graphs.
    pub(super) selected: &'a [SelectedSeries],
    pub(super) shown: &'a [PlacedFrame<'a>],
    pub(super) window: Window,
    /// The selected call. Other calls of its timer are outlined.
    pub(super) call: Option<Call>,
    /// The calls that it does not find are dimmed.
    pub(super) search: &'a Query,
}

/// How all calls of a series look.
struct Look<'a> {
    /// `None` if the source does not list it.
    series: Option<&'a ShownSeries>,
    /// Whether the search finds it, or searches for none.
    is_found: bool,
    /// Dimmed if the search does not find it.
    color: Color32,
}

/// Neighbors below a pixel, drawn as one.
#[derive(Clone, Copy, Debug)]
struct Merged {
    left: f32,
    right: f32,
    count: usize,
    color: Color32,
    is_mixed: bool,
    /// Whether the search finds one of them. The others then do not count for the color.
    is_found: bool,
}

impl Picture<'_> {
    /// Paints a lane.
    pub(super) fn lane(&self, painter: &Painter, area: Rect, row: &LaneRow) {
        let rect = row_rect(area, row);
        let name = rect.with_max_y(rect.top() + NAME - BAR);
        let text = lane_text(self.scopes, row.lane, &in_view(self.shown, &self.window));
        shapes::text_in(painter, name, &text, small_font(), self.theme.weak);
        let mut mesh = Mesh::default();
        add_division(&mut mesh, self, area, row);
        let mut pending = vec![None; row.levels];
        // Looked up once for each series, not for each of many calls.
        let mut looks: HashMap<SeriesId, Look<'_>, FixedState> = HashMap::default();
        let (mut named, mut outlined) = (Vec::new(), Vec::new());
        for frame in self.shown {
            for scope in frame.copy.scopes_of(row.lane) {
                let (begin, end) = span_of(frame, scope);
                if end < self.window.left_ns || begin > self.window.right_ns() {
                    continue;
                }
                let left = at_x(area, &self.window, begin).max(area.left());
                let right = at_x(area, &self.window, end).min(area.right());
                let level = row.level(scope);
                let top = rect.top() + NAME + level as f32 * LEVEL;
                let id = scope.series();
                let Look {
                    series,
                    is_found,
                    color,
                } = *looks.entry(id).or_insert_with(|| self.look(id));
                if self.call.is_some_and(|call| call.series == id) {
                    let is_it = self.call == Some(Call::of(frame.copy.index, row.lane, scope));
                    outlined.push((left, right.max(left + 1.0), top, is_it));
                }
                let merged: &mut Option<Merged> = &mut pending[level];
                if right - left < 1.0 {
                    match merged {
                        Some(merged) if left <= merged.right + 1.0 => {
                            merged.right = right.max(merged.right);
                            merged.count += 1;
                            merged.add_color(color, is_found);
                        }
                        _ => {
                            let one = Merged {
                                left,
                                right,
                                count: 1,
                                color,
                                is_mixed: false,
                                is_found,
                            };
                            if let Some(before) = merged.replace(one) {
                                self.merged(&mut mesh, before, top);
                            }
                        }
                    }
                    continue;
                }
                if let Some(before) = merged.take() {
                    self.merged(&mut mesh, before, top);
                }
                // A gap of half a point keeps neighbors apart.
                let place = Rect::from_min_max(
                    pos2(left, top),
                    pos2((right - 0.5).max(left + 0.5), top + LEVEL - 1.0),
                );
                self.call_rect(&mut mesh, place, color, series, scope);
                if place.width() >= NAMED {
                    let is_wait = is_wait(series, scope);
                    let ink = match (is_found, is_wait) {
                        (false, _) => self.theme.weak,
                        (true, true) => self.theme.text,
                        (true, false) => ink(color),
                    };
                    named.push((place, ink, series, scope));
                }
            }
        }
        for (level, merged) in pending.into_iter().enumerate() {
            if let Some(merged) = merged {
                self.merged(&mut mesh, merged, rect.top() + NAME + level as f32 * LEVEL);
            }
        }
        painter.add(Shape::mesh(mesh));
        for (place, ink, series, scope) in named {
            name_call(painter, place, ink, series, scope);
        }
        for (left, right, top, is_it) in outlined {
            let place = Rect::from_min_max(pos2(left, top), pos2(right, top + LEVEL - 1.0));
            let stroke = Stroke::new(if is_it { 2.0 } else { 1.0 }, self.theme.text);
            painter.rect_stroke(place, 0.0, stroke, egui::StrokeKind::Inside);
        }
    }

    fn look(&self, id: SeriesId) -> Look<'_> {
        let series = self.scopes.series(id);
        let is_found = (self.search).matches_path(series.map_or("", |series| &series.path));
        let color = self.color_of_graph(series);
        let opacity = if is_found { 1.0 } else { DIMMED };
        Look {
            series,
            is_found,
            color: color.gamma_multiply(opacity),
        }
    }

    /// Returns the color of a series: that of its graph in the pane, or else that of its path.
    fn color_of_graph(&self, series: Option<&ShownSeries>) -> Color32 {
        let Some(series) = series else {
            return self.theme.weak;
        };
        self.theme
            .series(slot_of(self.selected, &series.path, series.slot))
    }

    /// Adds a call: a filled rectangle, with stripes if it waits.
    fn call_rect(
        &self,
        mesh: &mut Mesh,
        place: Rect,
        color: Color32,
        series: Option<&ShownSeries>,
        scope: &Scope,
    ) {
        if !is_wait(series, scope) {
            mesh.add_colored_rect(place, color);
        } else {
            // Weak enough for the name on it.
            mesh.add_colored_rect(place, color.gamma_multiply(0.25));
            if place.width() >= STRIPED {
                add_stripes(mesh, place, color.gamma_multiply(0.3));
            }
        }
        if scope.is_open() {
            // It goes on after the frame.
            let end = place.with_min_x((place.right() - 2.0).max(place.left()));
            mesh.add_colored_rect(end, self.theme.text);
        }
    }

    /// Adds neighbors below a pixel, lower than single calls if there are several.
    fn merged(&self, mesh: &mut Mesh, merged: Merged, top: f32) {
        let height = (LEVEL - 1.0) * if merged.count > 1 { MERGED } else { 1.0 };
        let color = match (merged.is_mixed, merged.is_found && self.search.has_terms()) {
            (false, _) => merged.color,
            (true, true) => self.theme.text,
            (true, false) => {
                self.theme
                    .weak
                    .gamma_multiply(if merged.is_found { 1.0 } else { DIMMED })
            }
        };
        let size = vec2((merged.right - merged.left).max(1.0), height);
        mesh.add_colored_rect(Rect::from_min_size(pos2(merged.left, top), size), color);
    }
}

impl Merged {
    /// Adds the color of another call.
    fn add_color(&mut self, color: Color32, is_found: bool) {
        if is_found == self.is_found {
            self.is_mixed |= self.color != color;
        } else if is_found {
            (self.color, self.is_mixed, self.is_found) = (color, false, true);
        }
    }
}

fn is_wait(series: Option<&ShownSeries>, scope: &Scope) -> bool {
    scope.is_wait() || series.is_some_and(|series| series.is_wait)
}

/// Adds diagonal stripes.
fn add_stripes(mesh: &mut Mesh, place: Rect, color: Color32) {
    let (height, width) = (place.height(), STRIPE / 2.0);
    let mut x = place.left() - height;
    while x < place.right() {
        // The stripe leads from the bottom at `x` to the top at `x + height`.
        let at = |x: f32, y: f32| pos2(x.clamp(place.left(), place.right()), y);
        let cut = |from: f32| {
            let low = (place.left() - from).clamp(0.0, height);
            let high = (place.right() - from).clamp(0.0, height);
            (
                at(from + low, place.bottom() - low),
                at(from + high, place.bottom() - high),
            )
        };
        let ((a, b), (c, d)) = (cut(x), cut(x + width));
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend([a, b, d, c].map(|pos| Vertex {
            pos,
            uv: WHITE_UV,
            color,
        }));
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first, first + 2, first + 3);
        x += STRIPE;
    }
}

/// Writes the name of a call and, if there is room, its time.
fn name_call(
    painter: &Painter,
    place: Rect,
    color: Color32,
    series: Option<&ShownSeries>,
    scope: &Scope,
) {
    let name = series.map_or("not listed", |series| {
        series.path.rsplit('/').next().unwrap_or(&series.path)
    });
    let place = place.shrink2(vec2(3.0, 0.0));
    let width = shapes::text_in(painter, place, name, small_font(), color);
    let rest = place.with_min_x(place.left() + width + 8.0);
    let time = value_text(ms(scope.duration_ns()), Unit::Milliseconds);
    let galley = shapes::laid_out(painter, &time, small_font(), color);
    if galley.size().x <= rest.width() {
        let at = Align2::RIGHT_CENTER.anchor_size(rest.right_center(), galley.size());
        painter.galley(at.min, galley, color);
    }
}

/// Returns black or white, whichever is easier to read on a color.
fn ink(color: Color32) -> Color32 {
    let [red, green, blue, _] = color.to_array().map(f32::from);
    // The luma of ITU-R BT.601.
    let luma = 0.299 * red + 0.587 * green + 0.114 * blue;
    if luma > 140.0 {
        Color32::BLACK
    } else {
        Color32::WHITE
    }
}

/// Returns the name of a lane, with the time of its scopes in the frames.
pub(super) fn lane_text(scopes: &ShownScopes, lane: usize, frames: &[PlacedFrame<'_>]) -> String {
    let Some(shown) = scopes.lane(lane) else {
        return String::new();
    };
    let busy: i64 = frames
        .iter()
        .map(|frame| top_level_ns(frame.copy.scopes_of(lane)))
        .sum();
    let time = value_text(ms(busy), Unit::Milliseconds);
    let kind = frames
        .iter()
        .find_map(|frame| frame.copy.kind_of(lane))
        .unwrap_or(shown.kind);
    let note = match kind {
        LaneKind::OtherProfiler => " · timed by another profiler".to_owned(),
        LaneKind::Gpu { off_by_ns: None } => " · when it ran in the frame is not known".to_owned(),
        LaneKind::Gpu {
            off_by_ns: Some(off),
        } => format!(" · ± {}", value_text(off as f64 * 1e-6, Unit::Milliseconds)),
        _ if scopes.is_frame_thread(lane) => " · the thread of the frame".to_owned(),
        _ => String::new(),
    };
    let ready = ready_text(lane, frames);
    format!("{} · {time}{note}{ready}", shown.name)
}

/// Paints the times above the lanes, and the borders and budgets of the frames over the lanes.
pub(super) fn paint_axis(
    canvas: &Canvas<'_>,
    theme: &Theme,
    rect: Rect,
    window: &Window,
    shown: &[PlacedFrame<'_>],
    budget_ns: Option<f64>,
    body: Rect,
) {
    let painter = canvas.painter_in(rect.union(body));
    let most = (rect.width() / DISTANCE).max(1.0);
    let step_ms = round_step((window.width_ns * 1e-6 / f64::from(most)).max(1e-9), 10);
    let style = NumberStyle::for_axis(
        Unit::Milliseconds,
        (window.left_ns * 1e-6, window.right_ns() * 1e-6),
        9,
    )
    .for_step(step_ms);
    let first = (window.left_ns * 1e-6 / step_ms).ceil() as i64;
    for at in (first..).take(most as usize + 2) {
        let value = at as f64 * step_ms;
        let x = at_x(rect, window, value * 1e6);
        if x > rect.right() {
            break;
        }
        painter.vline(x, body.y_range(), Stroke::new(1.0, theme.grid));
        let place = pos2(x + 3.0, rect.center().y);
        let text = style.text(value);
        shapes::text_at(
            &painter,
            place,
            Align2::LEFT_CENTER,
            &text,
            small_font(),
            theme.weak,
        );
    }
    let are_several = in_view(shown, window).len() > 1;
    for frame in shown {
        let x = at_x(rect, window, frame.begin_ns);
        painter.vline(x, rect.y_range(), Stroke::new(1.5, theme.text));
        painter.vline(x, body.y_range(), Stroke::new(1.5, theme.line));
        if are_several {
            let text = whole_text(frame.copy.index as f64);
            let width = at_x(rect, window, frame.end_ns()) - x;
            if width > 60.0 {
                let place = pos2(x + 3.0, body.bottom() - 2.0);
                let anchor = Align2::LEFT_BOTTOM;
                shapes::text_at(&painter, place, anchor, &text, small_font(), theme.weak);
            }
        }
        if let Some(budget_ns) = budget_ns.filter(|&budget| budget < frame.copy.duration_ns as f64)
        {
            let x = at_x(rect, window, frame.begin_ns + budget_ns);
            painter.vline(x, rect.y_range(), Stroke::new(1.5, theme.alert));
            painter.vline(x, body.y_range(), Stroke::new(1.0, theme.alert));
            let place = pos2(x - 3.0, rect.center().y);
            let anchor = Align2::RIGHT_CENTER;
            shapes::text_at(&painter, place, anchor, "budget", small_font(), theme.alert);
        }
    }
    let end = shown.last().map(|frame| at_x(rect, window, frame.end_ns()));
    if let Some(x) = end {
        painter.vline(x, body.y_range(), Stroke::new(1.5, theme.line));
    }
}
