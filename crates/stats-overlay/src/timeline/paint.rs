//! Paints the axis of time and the lanes.

use std::sync::Arc;

use egui::{Align2, Color32, Galley, Painter, Rect, Shape, Stroke, StrokeKind, pos2, vec2};
use stats_analysis::axis::round_step;
use stats_analysis::format::{NumberStyle, value_text, whole_text};
use stats_core::Unit;
use stats_core::timeline::LaneKind;
use stats_ui::shapes;
use stats_ui::theme::{Theme, small_font};

use crate::data::scope_series::ShownSeries;
use crate::data::selection::{SelectedSeries, slot_of};
use crate::data::shown_scopes::ShownScopes;
use crate::search::query::Query;
use crate::timeline::calls::{Call, ms};
use crate::timeline::division::ready_text;
use crate::timeline::lane_mesh::{LaneMemory, LaneMesh, Named};
use crate::timeline::lanes::{BAR, LaneRow, NAME, in_view};
use crate::timeline::ui::{at_x, row_rect};
use crate::timeline::window::{PlacedFrame, Window};

/// The minimum distance between two numbers of the axis, in points.
const DISTANCE: f32 = 90.0;
/// No time is narrower, in points.
const LEAST_TIME: f32 = 16.0;

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

impl<'a> Picture<'a> {
    /// Paints lanes.
    pub(super) fn lanes(
        &'a self,
        painter: &Painter,
        area: Rect,
        rows: &[&LaneRow],
        memory: &mut LaneMemory,
    ) {
        let LaneMemory { mesh, lists, names } = memory;
        let mut lanes = LaneMesh::new(self, area, Arc::make_mut(mesh), lists);
        rows.iter().for_each(|row| lanes.add_lane(row));
        painter.add(Shape::Mesh(Arc::clone(mesh)));
        for row in rows {
            let rect = row_rect(area, row);
            let name = rect.with_max_y(rect.top() + NAME - BAR);
            let text = lane_text(self.scopes, row.lane, &in_view(self.shown, &self.window));
            shapes::text_in(painter, name, &text, small_font(), self.theme.weak);
        }
        self.names(painter, &lists.named, names);
        for &(place, is_it) in &lists.outlined {
            let stroke = Stroke::new(if is_it { 2.0 } else { 1.0 }, self.theme.text);
            painter.rect_stroke(place, 0.0, stroke, StrokeKind::Inside);
        }
    }

    /// Writes the names of calls and, where there is room, their times.
    fn names(&self, painter: &Painter, calls: &[Named], names: &mut Vec<Option<Arc<Galley>>>) {
        names.clear();
        names.resize(self.scopes.series_places(), None);
        let lay_out = |text: &str| {
            // The color is that of the call.
            shapes::laid_out(painter, text, small_font(), Color32::PLACEHOLDER)
        };
        let dots = lay_out("…").size().x;
        for call in calls {
            let Some(name) = names.get_mut(call.series as usize) else {
                continue;
            };
            let series = self.scopes.series_at(call.series);
            let name = name.get_or_insert_with(|| lay_out(last_part(series)));
            let place = call.place.shrink2(vec2(3.0, 0.0));
            let rest = place.width() - name.size().x;
            if rest < 0.0 {
                let begin = lay_out(&begin_of(name, place.width() - dots));
                shapes::galley_in(painter, place, begin, call.ink);
                continue;
            }
            shapes::galley_in(painter, place, Arc::clone(name), call.ink);
            let rest = rest - 8.0;
            if rest < LEAST_TIME {
                continue;
            }
            let time = lay_out(&value_text(ms(call.duration_ns), Unit::Milliseconds));
            if time.size().x <= rest {
                let at = Align2::RIGHT_CENTER.anchor_size(place.right_center(), time.size());
                painter.galley(at.min, time, call.ink);
            }
        }
    }

    /// Returns the color of a series: the color of its graph in the pane, or one that its path determines.
    pub(super) fn color_of_graph(&self, series: Option<&ShownSeries>) -> Color32 {
        let Some(series) = series else {
            return self.theme.weak;
        };
        self.theme
            .series(slot_of(self.selected, &series.path, series.slot))
    }
}

fn last_part(series: Option<&ShownSeries>) -> &str {
    series.map_or("not listed", |series| {
        series.path.rsplit('/').next().unwrap_or(&series.path)
    })
}

/// Returns the beginning of a line that fits into a width, and ….
fn begin_of(line: &Galley, width: f32) -> String {
    let glyphs = line.rows.first().map_or(&[][..], |row| &row.glyphs);
    let fitting = glyphs.iter().take_while(|glyph| glyph.max_x() <= width);
    fitting.map(|glyph| glyph.chr).chain(['…']).collect()
}

/// Returns the name of a lane, with the time of its scopes in the frames.
pub(super) fn lane_text(scopes: &ShownScopes, lane: usize, frames: &[PlacedFrame<'_>]) -> String {
    let Some(shown) = scopes.lane(lane) else {
        return String::new();
    };
    let busy: i64 = frames
        .iter()
        .filter_map(|frame| frame.copy.run(lane))
        .map(|run| run.busy_ns)
        .sum();
    let time = value_text(ms(busy), Unit::Milliseconds);
    let kind = frames
        .iter()
        .find_map(|frame| frame.copy.run(lane).map(|run| run.kind))
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
    painter: &Painter,
    theme: &Theme,
    rect: Rect,
    window: &Window,
    shown: &[PlacedFrame<'_>],
    budget_ns: Option<f64>,
    body: Rect,
) {
    let most = (rect.width() / DISTANCE).max(1.0);
    let step_ms = round_step((window.width_ns * 1e-6 / f64::from(most)).max(1e-9), 10);
    let style = NumberStyle::for_axis(
        Unit::Milliseconds,
        (window.left_ns * 1e-6, window.right_ns() * 1e-6),
        9,
    )
    .for_step(step_ms);
    let words = budget_words(painter, theme, rect, window, shown, budget_ns);
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
        let text = shapes::laid_out(painter, &text, small_font(), theme.weak);
        let place = Align2::LEFT_CENTER.anchor_size(place, text.size());
        if !words.iter().any(|word| word.intersects(place)) {
            painter.galley(place.min, text, theme.weak);
        }
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
                shapes::text_at(painter, place, anchor, &text, small_font(), theme.weak);
            }
        }
        if let Some(budget_ns) = budget_ns.filter(|&budget| budget < frame.copy.duration_ns as f64)
        {
            let x = at_x(rect, window, frame.begin_ns + budget_ns);
            painter.vline(x, rect.y_range(), Stroke::new(1.5, theme.alert));
            painter.vline(x, body.y_range(), Stroke::new(1.0, theme.alert));
        }
    }
    let end = shown.last().map(|frame| at_x(rect, window, frame.end_ns()));
    if let Some(x) = end {
        painter.vline(x, body.y_range(), Stroke::new(1.5, theme.line));
    }
}

/// Writes what the line of a budget is into each frame that has room for it, on the left of the line or
/// else on its right. Returns the places of the words.
fn budget_words(
    painter: &Painter,
    theme: &Theme,
    rect: Rect,
    window: &Window,
    shown: &[PlacedFrame<'_>],
    budget_ns: Option<f64>,
) -> Vec<Rect> {
    let word = shapes::laid_out(painter, "budget", small_font(), theme.alert);
    let budgets = budget_ns.into_iter().flat_map(|budget_ns| {
        let is_over = move |frame: &&PlacedFrame<'_>| budget_ns < frame.copy.duration_ns as f64;
        let over = shown.iter().filter(is_over);
        over.map(move |frame| (frame, at_x(rect, window, frame.begin_ns + budget_ns)))
    });
    let places = budgets.filter_map(|(frame, x)| {
        let part = rect
            .with_min_x(at_x(rect, window, frame.begin_ns).max(rect.left()))
            .with_max_x(at_x(rect, window, frame.end_ns()).min(rect.right()));
        let sides = [(-3.0, Align2::RIGHT_CENTER), (3.0, Align2::LEFT_CENTER)];
        let places = sides
            .map(|(by, anchor)| anchor.anchor_size(pos2(x + by, rect.center().y), word.size()));
        let has_room = |place: &Rect| {
            part.x_range().contains(place.left()) && part.x_range().contains(place.right())
        };
        places.into_iter().find(has_room)
    });
    let places: Vec<Rect> = places.collect();
    for place in &places {
        painter.galley(place.min, Arc::clone(&word), theme.alert);
    }
    places
}
