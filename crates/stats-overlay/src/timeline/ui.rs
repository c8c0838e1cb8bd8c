//! The line above, the axis of time, the lanes, and the line below with the times of one call.

use std::ops::Range;

use egui::{CursorIcon, PointerButton, Pos2, Rect, Response, Sense, pos2, vec2};
use stats_analysis::format::value_text;
use stats_core::Unit;
use stats_ui::accessibility;
use stats_ui::list::List;
use stats_ui::shapes;
use stats_ui::theme::{number_font, small_font, text_font};
use stats_ui::tooltip;

use crate::data::scope_series::ShownSeries;
use crate::paint::canvas::Canvas;
use crate::timeline::calls::{Call, CallFigures, frame_text, ms};
use crate::timeline::division::division_at;
use crate::timeline::lanes::{Hit, LEVEL, LaneRow, NAME, contents, in_view, span_of, visible};
use crate::timeline::paint::{Picture, lane_text, paint_axis};
use crate::timeline::view::{AxisKey, PictureKey, TimelineView};
use crate::timeline::window::{PlacedFrame, Window, placed};
use crate::view::{PaneContext, PaneRequest};

/// The heights of the line above the lanes, of the axis, and of the line below, in points.
const HEAD: f32 = 18.0;
const AXIS: f32 = 16.0;
const FOOT: f32 = 20.0;
/// The logarithm of the zoom per point of scrolling, as in graphs.
const WHEEL_ZOOM: f32 = 0.004;
/// A factor this close to 1 is not a zoom.
const NO_ZOOM: f64 = 1e-6;
/// A call that is at least this wide is described to screen readers, in points.
const DESCRIBED: f64 = 24.0;

/// Draws the timeline of a pane.
pub(super) struct TimelineUi<'a> {
    pub(super) pane: PaneContext<'a>,
    pub(super) view: &'a mut TimelineView,
}

impl TimelineUi<'_> {
    pub(super) fn timeline_ui(
        &mut self,
        canvas: &mut Canvas<'_>,
        rect: Rect,
    ) -> Option<PaneRequest> {
        canvas.ground(rect, self.pane.theme);
        self.view.is_pointed_at = false;
        let scopes = self.pane.scopes;
        let (first, frames) = self.view.shown.unwrap_or_default();
        let placed = placed(scopes, first);
        let rect = rect.shrink2(vec2(6.0, 2.0));
        if let Some(note) = self.note(&placed, first..first + frames.max(1)) {
            let line = rect.with_max_y((rect.top() + FOOT).min(rect.bottom()));
            let style = (text_font(), canvas.weak(self.pane.theme));
            canvas.label(("note", "About the timeline"), line, note, style);
            return None;
        }
        let window =
            (self.view.window).unwrap_or_else(|| Window::of_frames(&placed, first, frames));
        let shown = visible(&placed, &window);
        self.view.lanes.update(scopes, &shown);
        let (head, rest) = rect.split_top_bottom_at_y(rect.top() + HEAD);
        let (axis, rest) = rest.split_top_bottom_at_y(rest.top() + AXIS);
        let (body, foot) = rest.split_top_bottom_at_y((rest.bottom() - FOOT).max(rest.top()));
        self.head_ui(canvas, head, &placed, first);
        self.axis_ui(canvas, (axis, body), &shown, window);
        let request = self.body_ui(canvas, body, &shown, (&placed, window));
        self.foot_ui(canvas, foot);
        request
    }

    /// Returns the text to show instead of lanes.
    fn note(&self, placed: &[PlacedFrame<'_>], frames: Range<u64>) -> Option<&str> {
        let scopes = self.pane.scopes;
        if !scopes.can_tell() || placed.is_empty() {
            let is_newest = scopes.frames().is_empty() && self.pane.frame_axis.follows();
            return Some(scopes.why_nothing(frames, is_newest));
        }
        let is_empty = placed.iter().all(|frame| frame.copy.len() == 0);
        is_empty.then_some("No timer ran in this frame.")
    }

    fn head_ui(&self, canvas: &Canvas<'_>, rect: Rect, placed: &[PlacedFrame<'_>], first: u64) {
        let Some(frame) = placed.iter().find(|frame| frame.copy.index == first) else {
            return;
        };
        let style = (text_font(), self.pane.theme.text);
        canvas.label(
            ("frame", "Shown frame"),
            rect,
            &frame_text(frame.copy),
            style,
        );
    }

    fn axis_ui(
        &mut self,
        canvas: &Canvas<'_>,
        (rect, body): (Rect, Rect),
        shown: &[PlacedFrame<'_>],
        window: Window,
    ) {
        let (scopes, theme) = (self.pane.scopes, self.pane.theme);
        let budget_ns = self.pane.settings.frame_budget_ms.map(|ms| ms * 1e6);
        let key = AxisKey {
            contents: contents(scopes, shown, &[]),
            window,
            sizes: [rect.size(), body.size()],
            budget_ns,
            theme: *theme,
        };
        let painter = canvas.painter_in(rect.union(body));
        let painted = &mut self.view.axis;
        painted.paint_at(&painter, rect.min, key, |painter| {
            paint_axis(painter, theme, rect, &window, shown, budget_ns, body);
        });
    }

    /// Draws the lanes. Returns the request of a double click on a call.
    fn body_ui(
        &mut self,
        canvas: &mut Canvas<'_>,
        rect: Rect,
        shown: &[PlacedFrame<'_>],
        (placed, window): (&[PlacedFrame<'_>], Window),
    ) -> Option<PaneRequest> {
        let mut list = std::mem::take(&mut self.view.list);
        if std::mem::take(&mut list.has_moved) {
            self.reveal_selected(&mut list, rect.height());
        }
        let (mut request, height) = (None, self.view.lanes.height());
        let whole = (&mut list, f64::from(height), 0.0);
        canvas.list(rect, whole, &mut |canvas, view| {
            let area = view.place(0.0, height.max(rect.height()));
            self.paint(canvas, area, shown, window);
            self.describe(canvas, area, shown, window);
            let id = canvas.make_persistent_id("calls");
            if let Some(response) = canvas.interact(area, id, Sense::click_and_drag()) {
                request = self.pointer_ui(canvas, response, area, shown, (placed, window));
            }
        });
        self.view.list = list;
        request
    }

    /// Scrolls to the selected call.
    fn reveal_selected(&self, list: &mut List, height: f32) {
        let of_call = |call: Call| {
            let mut rows = self.view.lanes.rows().iter();
            let row = rows.find(|row| row.lane == call.lane)?;
            let level = row.level(call.depth) as f32;
            Some((row.top, row.top + NAME + (level + 1.0) * LEVEL))
        };
        if let Some((top, bottom)) = self.view.selected.and_then(of_call) {
            list.reveal(f64::from(top)..f64::from(bottom), height);
        }
    }

    fn paint(
        &mut self,
        canvas: &Canvas<'_>,
        area: Rect,
        shown: &[PlacedFrame<'_>],
        window: Window,
    ) {
        let clip = canvas.painter().clip_rect();
        let rows = self.view.lanes.rows();
        let is_on_screen = |row: &&LaneRow| {
            let (top, bottom) = (area.top() + row.top, area.top() + row.bottom());
            bottom >= clip.top() && top <= clip.bottom()
        };
        let on_screen: Vec<&LaneRow> = rows.iter().filter(is_on_screen).collect();
        let key = PictureKey {
            contents: contents(self.pane.scopes, shown, &on_screen),
            window,
            size: area.size(),
            visible: (
                on_screen.first().map_or(0.0, |row| row.top),
                on_screen.last().map_or(0.0, |row| row.bottom()),
            ),
            theme: *self.pane.theme,
            selected: self.view.selected,
            search: self.pane.search.terms_key(),
            of_pane: self.pane.revision,
        };
        let picture = Picture {
            theme: self.pane.theme,
            scopes: self.pane.scopes,
            selected: self.pane.selected,
            shown,
            window,
            call: self.view.selected,
            search: self.pane.search,
        };
        let (painted, memory) = (&mut self.view.painted, &mut self.view.memory);
        painted.paint_at(canvas.painter(), area.min, key, |painter| {
            picture.lanes(painter, area, &on_screen, memory);
        });
    }

    /// Describes the lanes and the wide calls to a screen reader: during a search, those that it
    /// finds.
    fn describe(&self, canvas: &Canvas<'_>, area: Rect, shown: &[PlacedFrame<'_>], window: Window) {
        if !accessibility::is_on(canvas.ctx()) {
            return;
        }
        let to_x = |ns: f64| at_x(area, &window, ns);
        for row in self.view.lanes.rows() {
            let id = canvas.make_persistent_id(("lane", row.lane));
            let rect = row_rect(area, row);
            accessibility::describe(canvas.ctx(), id, rect, || {
                let text = lane_text(self.pane.scopes, row.lane, &in_view(shown, &window));
                ("Lane".to_owned(), text)
            });
            for (place, frame) in shown.iter().enumerate() {
                for (at, scope) in frame.copy.scopes_of(row.lane).iter().enumerate() {
                    let (begin, end) = span_of(frame, scope);
                    let seen = end.min(window.right_ns()) - begin.max(window.left_ns);
                    let points = seen / window.width_ns * f64::from(area.width());
                    let series = self.pane.scopes.series(scope.series());
                    let is_told =
                        |series: &&ShownSeries| self.pane.search.matches_path(&series.path);
                    let series = series.filter(|_| points >= DESCRIBED);
                    if let Some(series) = series.filter(is_told) {
                        let top =
                            area.top() + row.top + NAME + row.level(scope.depth()) as f32 * LEVEL;
                        let rect = Rect::from_min_max(
                            pos2(to_x(begin), top),
                            pos2(to_x(end), top + LEVEL),
                        );
                        canvas.describe((place, row.lane, at), rect, || {
                            let time = value_text(ms(scope.duration_ns()), Unit::Milliseconds);
                            (format!("Call of {}", series.path), time)
                        });
                    }
                }
            }
        }
    }

    /// Selects, moves and zooms with the pointer.
    fn pointer_ui(
        &mut self,
        canvas: &Canvas<'_>,
        response: Response,
        area: Rect,
        shown: &[PlacedFrame<'_>],
        (placed, window): (&[PlacedFrame<'_>], Window),
    ) -> Option<PaneRequest> {
        let per_point = window.width_ns / f64::from(area.width().max(1.0));
        self.view.is_pointed_at = response.contains_pointer() || response.dragged();
        let pointer = response.hover_pos().or(response.interact_pointer_pos())?;
        let at_ns = window.left_ns + f64::from(pointer.x - area.left()) * per_point;
        if response.dragged_by(PointerButton::Primary) {
            let by = -f64::from(response.drag_delta().x) * per_point;
            self.view.window = Some(window.moved(by, placed));
        }
        let (scroll, pinch, modifiers) = canvas.ctx().input(|input| {
            (
                input.smooth_scroll_delta,
                input.zoom_delta(),
                input.modifiers,
            )
        });
        // While all lanes fit, the wheel has nothing to scroll.
        let clip = canvas.painter().clip_rect();
        let fits = self.view.lanes.height() <= clip.height() + 1.0;
        let wheel = if fits && !modifiers.command {
            scroll.y
        } else {
            0.0
        };
        let factor = f64::from((wheel * WHEEL_ZOOM).exp() * pinch);
        if (factor - 1.0).abs() >= NO_ZOOM {
            self.view.window = Some(window.zoomed(factor, at_ns, placed));
        }
        if scroll.x != 0.0 {
            let by = -f64::from(scroll.x) * per_point;
            self.view.window = Some(window.moved(by, placed));
        }
        let frame = shown.iter().find(|frame| frame.end_ns() > at_ns);
        if let Some(frame) = frame {
            self.pane.frame_axis.point_at(frame.copy.index);
        }
        let y = pointer.y - area.top();
        let hit = self.view.lanes.scope_at(shown, (y, at_ns, per_point / 2.0));
        if response.clicked() {
            self.view.selected = hit.map(|hit| Call::of(hit.frame.copy.index, hit.lane, hit.scope));
        }
        if response.double_clicked() && hit.is_none() {
            self.view.window = None;
            self.pane.frame_axis.wants_newest = true;
        }
        let Some(hit) = hit else {
            if let Some(text) = division_at(&self.view.lanes, shown, (y, at_ns)) {
                tooltip::at_pointer(response, &mut |ui| _ = ui.label(&text));
            }
            return None;
        };
        self.hover_ui(canvas, response.clone(), area, hit, (pointer, window));
        let series = self.pane.scopes.series(hit.scope.series())?;
        let frame = hit.frame.copy.index;
        let show = || PaneRequest::show(&series.path, frame..frame + 1);
        response.double_clicked().then(show)
    }

    /// Outlines the call under the pointer, and shows its times.
    fn hover_ui(
        &self,
        canvas: &Canvas<'_>,
        response: Response,
        area: Rect,
        hit: Hit<'_>,
        (_, window): (Pos2, Window),
    ) {
        let Some(row) = (self.view.lanes.rows().iter()).find(|row| row.lane == hit.lane) else {
            return;
        };
        let (begin, end) = span_of(&hit.frame, hit.scope);
        let top = area.top() + row.top + NAME + row.level(hit.scope.depth()) as f32 * LEVEL;
        let right = at_x(area, &window, end).max(at_x(area, &window, begin) + 1.0);
        let rect = Rect::from_min_max(
            pos2(at_x(area, &window, begin), top),
            pos2(right, top + LEVEL - 1.0),
        );
        canvas.painter().rect_stroke(
            rect.intersect(area),
            1.0,
            egui::Stroke::new(1.5, self.pane.theme.text),
            egui::StrokeKind::Outside,
        );
        let call = Call::of(hit.frame.copy.index, hit.lane, hit.scope);
        tooltip::at_pointer(
            response.on_hover_cursor(CursorIcon::PointingHand),
            &mut |ui| _ = ui.label(self.text_of(&call).unwrap_or_default()),
        );
    }

    /// Returns the path and the figures of a call.
    fn text_of(&self, call: &Call) -> Option<String> {
        let scopes = self.pane.scopes;
        let frame = scopes.frame(call.frame)?;
        let figures = CallFigures::of(scopes, frame, call.lane, call.index(scopes)?)?;
        let series = scopes.series(call.series)?;
        Some(format!("{}: {}", series.path, figures.text(call.frame)))
    }

    fn foot_ui(&mut self, canvas: &Canvas<'_>, rect: Rect) {
        let selected = self.view.selected;
        let made_of = selected.map(|call| (call, self.pane.scopes.revision()));
        // The usual time depends on all copied calls, so it is read again when numbers are refreshed.
        let call_of = |made_of: Option<(Call, u64)>| made_of.map(|(call, _)| call);
        let is_other = call_of(self.view.line.0) != selected;
        if is_other || made_of.is_none() || self.view.line.0 != made_of && self.pane.refresh {
            let text = selected.and_then(|call| self.text_of(&call));
            let is_there = text.is_some();
            self.view.line = (made_of, text.unwrap_or_default());
            if !is_there {
                self.view.selected = None;
            }
        }
        let (text, color, font) = if self.view.line.1.is_empty() {
            if canvas.is_over_game() {
                return;
            }
            let hint = "Click a call for its times. The wheel zooms, and dragging moves.";
            (hint, self.pane.theme.weak, small_font())
        } else {
            (
                self.view.line.1.as_str(),
                self.pane.theme.text,
                number_font(),
            )
        };
        shapes::text_in(canvas.painter(), rect, text, font, color);
        canvas.describe("call", rect, || {
            ("Selected call".to_owned(), self.view.line.1.clone())
        });
    }
}

/// Returns the x coordinate of a time.
pub(super) fn at_x(area: Rect, window: &Window, ns: f64) -> f32 {
    let share = (ns - window.left_ns) / window.width_ns;
    // Far outside, `f32` has no exact points left, and nothing is visible anyway.
    area.left() + (share.clamp(-1.0, 2.0) * f64::from(area.width())) as f32
}

/// Returns the place of a lane.
pub(super) fn row_rect(area: Rect, row: &LaneRow) -> Rect {
    let corner = area.min + vec2(0.0, row.top);
    Rect::from_min_size(corner, vec2(area.width(), row.height()))
}
