//! The picture of the strip, and what the pointer does in it.
//!
//! A press or a drag in the strip moves the panes there, and a drag with Shift selects frames. The
//! edges of the visible part can be dragged. A double click returns to the newest frames.

use std::ops::Range;

use egui::epaint::Mesh;
use egui::{
    CursorIcon, Painter, PointerButton, Pos2, Rect, Response, Sense, Shape, Stroke, StrokeKind, Ui,
    vec2,
};

use crate::data::frame_axis::{FrameAxis, MIN_SPAN};
use crate::data::mark_lanes::extent;
use crate::data::selection::FRAME_TIME;
use crate::data::view::Data;
use crate::graph::over_budget::SpansOver;
use crate::insight::findings::Findings;
use crate::paint::scale::Scale;
use crate::paint::series_shape::{LineStyle, push_series};
use crate::paint::sparkline::most_and_usual;
use crate::strip::caption::{CAPTION, Caption};
use crate::strip::hitch_marks::{Longest, longest, paint_marks};
use stats_analysis::axis::Mapping;
use stats_analysis::buckets::{Bucket, bucket_width};
use stats_analysis::format::whole_text;
use stats_analysis::track::thin_tracked;
use stats_ui::accessibility;
use stats_ui::palette::preferred_slot;
use stats_ui::pointer::press_origin;
use stats_ui::retained::Retained;
use stats_ui::theme::Theme;
use stats_ui::tooltip;

/// The width of a column of frame times, in pixels.
const COLUMN: f32 = 2.0;
/// What the marks mean, and what the pointer does.
const HINT: &str = "Triangles: hitches. Ring: the longest frame. Line at the top: frames over budget.\nDrag \
                    to move the panes, Shift+drag to select frames, double click for the newest";
/// The distance within which the pointer grabs an edge of the visible part, in points.
const EDGE: f32 = 5.0;

/// The state of the strip.
#[derive(Debug, Default)]
pub(crate) struct StripView {
    frames: Retained<StripKey>,
    /// The frame time at the upper edge of `frames`, in milliseconds.
    top: f64,
    longest: Option<Longest>,
    caption: Retained<(Rect, Caption, Theme)>,
    caption_width: f32,
    /// Reused memory.
    buckets: Vec<Bucket>,
    heights: Vec<f64>,
}

impl StripView {
    /// Returns the width of the caption, in points.
    pub(crate) fn caption_width(&self) -> f32 {
        self.caption_width
    }
}

/// The values that determine the picture of the frames, besides their times and the spans over
/// budget.
#[derive(Clone, Debug, PartialEq)]
struct StripKey {
    rect: Rect,
    frames: Range<u64>,
    budget_ms: Option<f64>,
    theme: Theme,
    /// The revision of the findings; `None` if they are not shown.
    found: Option<u64>,
    /// The number of marks, and the last one.
    marks: (usize, Option<Range<u64>>),
}

/// The visible frames, and the number of frames in a bucket. If several share one, only complete
/// buckets are shown, so the picture changes only when the next bucket is complete.
#[derive(Debug)]
struct Frames {
    range: Range<u64>,
    width: u64,
}

impl Frames {
    /// Returns the frames at the left and the right edge.
    fn edges(&self) -> (f64, f64) {
        let first = self.range.start as f64 - 0.5;
        (first, (self.range.end as f64 - 0.5).max(first + MIN_SPAN))
    }
}

/// Draws the strip and handles the pointer in it.
pub(crate) struct StripUi<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) data: &'a dyn Data,
    pub(crate) frame_axis: &'a mut FrameAxis,
    /// The frame budget, which is drawn as a line.
    pub(crate) budget_ms: Option<f64>,
    /// Whether the label gives the length of all frames in seconds.
    pub(crate) seconds: bool,
    /// The findings, whose hitches are marked; `None` while the search for them is off.
    pub(crate) found: Option<&'a Findings>,
    /// The width at the right end of the caption that is for a text of another view, in points.
    pub(crate) beside: f32,
    pub(crate) view: &'a mut StripView,
}

/// The part of the strip that is being dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Grip {
    /// The visible part as a whole.
    Middle,
    /// The left edge of the visible part.
    Left,
    /// The right edge of the visible part.
    Right,
    /// Selecting frames, starting at this one.
    Select(u64),
}

impl StripUi<'_> {
    /// Draws the strip into `rect`: a caption, and the frames below it.
    pub(crate) fn strip_ui(&mut self, ui: &mut Ui, rect: Rect) {
        let (caption, plot) = rect.split_top_bottom_at_y(rect.top() + CAPTION);
        let inner = plot.shrink2(vec2(1.0, 3.0));
        let frames = self.frames(ui, inner);
        let (first, last) = frames.edges();
        ui.painter().rect_filled(plot, 2.0, self.theme.plot);
        let id = ui.make_persistent_id("strip");
        let response = ui.interact(plot, id, Sense::click_and_drag());
        self.interact(
            ui,
            &response,
            (first, last),
            &Scale::new(inner, (first, last), (0.0, 1.0), Mapping::Linear),
        );
        self.frames_ui(ui, inner, &frames);
        self.visible_ui(ui, plot, (first, last));
        accessibility::describe(ui.ctx(), id.with("described"), rect, || {
            let held = self.data.frames();
            let (left, right) = self.frame_axis.visible(&held);
            let text = |at: f64| whole_text(at.clamp(held.start as f64, held.end as f64));
            let marks = self
                .data
                .marks()
                .iter()
                .filter(|mark| mark.frames.start < held.end && extent(mark).end > held.start)
                .count();
            let marks = if marks > 0 {
                format!(", marks: {marks}")
            } else {
                String::new()
            };
            (
                "All frames".to_owned(),
                format!(
                    "{} to {} of {} to {}{marks}",
                    text(left),
                    text(right),
                    held.start,
                    held.end
                ),
            )
        });
        tooltip::hint(&response, HINT);
        self.caption_ui(ui, caption, frames.range);
    }

    /// Draws the caption.
    fn caption_ui(&mut self, ui: &Ui, rect: Rect, frames: Range<u64>) {
        let rect = rect.with_max_x((rect.right() - self.beside).max(rect.left()));
        let track = self.data.frame_time_track();
        let over = self.budget_ms.and(track).map(|track| &track.over_budget);
        let caption = Caption {
            secs: self.length_secs().filter(|_| self.seconds),
            longest: self.view.longest,
            top_ms: self.view.top,
            hitches: self
                .found
                .map_or(0, |found| found.hitches(frames.clone()).count()),
            is_over: over.is_some_and(|over| over.within(frames).next().is_some()),
        };
        let id = ui.make_persistent_id("strip").with("caption");
        accessibility::describe(ui.ctx(), id, rect, || {
            ("Key of all frames".to_owned(), caption.text())
        });
        let theme = self.theme;
        let StripView {
            caption: kept,
            caption_width,
            ..
        } = &mut *self.view;
        kept.paint(ui.painter(), (rect, caption, *theme), |painter| {
            let place = rect.shrink2(vec2(4.0, 0.0));
            *caption_width = caption.paint(painter, place, theme);
        });
    }

    /// Returns the length of all frames in whole tenths of a second.
    fn length_secs(&self) -> Option<f64> {
        let held = self.data.frames();
        let (first, last) = (held.start, held.end.checked_sub(1)?);
        let (first, last) = self.data.frame(first).zip(self.data.frame(last))?;
        let secs = last.start_secs + last.duration_ms / 1000.0 - first.start_secs;
        Some((secs * 10.0).round() / 10.0)
    }

    /// Returns the frames to show.
    fn frames(&self, ui: &Ui, rect: Rect) -> Frames {
        let range = self.data.frames();
        let count = range.end - range.start;
        let columns = f64::from(rect.width() * ui.ctx().pixels_per_point() / COLUMN);
        let width = bucket_width(count as f64, columns);
        if width == 1 {
            return Frames { range, width };
        }
        let end = range.end - range.end % width;
        let start = end - (count / width - 1) * width;
        let range = start..end;
        Frames { range, width }
    }

    /// Draws the frame times, the budget, the spans over it, and the marks.
    fn frames_ui(&mut self, ui: &Ui, rect: Rect, frames: &Frames) {
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        let marks = self.data.marks();
        let key = StripKey {
            rect,
            frames: frames.range.clone(),
            budget_ms: self.budget_ms,
            theme: *self.theme,
            found: self.found.map(Findings::revision),
            marks: (marks.len(), marks.last().map(|mark| mark.frames.clone())),
        };
        let mut kept = std::mem::take(&mut self.view.frames);
        kept.paint(&painter, key, |painter| {
            self.paint_frames(painter, rect, frames);
        });
        self.view.frames = kept;
    }

    fn paint_frames(&mut self, painter: &Painter, rect: Rect, frames: &Frames) {
        let StripView {
            buckets, heights, ..
        } = &mut *self.view;
        let times = self.data.frame_times().within(frames.range.clone());
        thin_tracked(self.data.frame_time_track(), times, frames.width, buckets);
        let top = top_of(buckets, self.budget_ms, heights);
        let scale = Scale::new(rect, frames.edges(), (0.0, top), Mapping::Linear);
        if let Some(budget_ms) = self.budget_ms {
            let line = Stroke::new(1.0, self.theme.line);
            painter.hline(rect.x_range(), scale.y(budget_ms), line);
        }
        let style = LineStyle {
            color: self.theme.series(preferred_slot(FRAME_TIME)),
            width: 1.0,
            // Columns need no soft ends, which would take most of their vertices.
            feather: if frames.width == 1 {
                1.0 / painter.pixels_per_point()
            } else {
                0.0
            },
        };
        let mut mesh = Mesh::default();
        push_series(&mut mesh, buckets, frames.width, &scale, style);
        (self.view.top, self.view.longest) = (top, longest(times, buckets, frames.width));
        self.push_over_budget(&mut mesh, painter, scale, frames);
        painter.add(Shape::mesh(mesh));
        let of = (times, frames.width);
        paint_marks(
            painter,
            &scale,
            of,
            self.found,
            self.view.longest,
            self.theme,
        );
        let mut mesh = Mesh::default();
        self.push_marks(&mut mesh, rect, &scale, &frames.range);
        painter.add(Shape::mesh(mesh));
    }

    /// Adds the marks of frames at the lower edge: bars for spans, and taller ticks for points.
    fn push_marks(&self, mesh: &mut Mesh, rect: Rect, scale: &Scale, held: &Range<u64>) {
        let mut painted = [f32::NEG_INFINITY; 2];
        for mark in self.data.marks() {
            let frames = extent(mark);
            let frames = frames.start.max(held.start)..frames.end.min(held.end);
            if frames.is_empty() {
                continue;
            }
            let (width, height, color) = if mark.is_point {
                (1.5, 9.0, self.theme.text)
            } else {
                (1.0, 3.0, self.theme.weak)
            };
            let (left, right) = scale.edges(&frames, 0.0);
            let painted = &mut painted[usize::from(mark.is_point)];
            let (left, right) = (left.max(*painted), right.max(left + width));
            // Marks that would cover earlier ones are left out, so only some of the points in a
            // dense run are painted.
            if right - left > 0.25 && (!mark.is_point || left >= *painted + width) {
                mesh.add_colored_rect(
                    Rect::from_x_y_ranges(left..=right, rect.bottom() - height..=rect.bottom()),
                    color,
                );
                *painted = right;
            }
        }
    }

    /// Adds the lane of the spans over budget.
    fn push_over_budget(&self, mesh: &mut Mesh, painter: &Painter, scale: Scale, frames: &Frames) {
        let Some((_, track)) = self.budget_ms.zip(self.data.frame_time_track()) else {
            return;
        };
        let spans = SpansOver {
            spans: &track.over_budget,
            frames: frames.range.clone(),
            scale,
            color: self.theme.alert,
        };
        spans.push(mesh, 1.0 / painter.pixels_per_point());
    }

    /// Draws the visible part and the selected frames, and dims the rest.
    fn visible_ui(&self, ui: &Ui, rect: Rect, (first, last): (f64, f64)) {
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        let x = |frame: f64| rect.left() + ((frame - first) / (last - first)) as f32 * rect.width();
        let (left, right) = self.frame_axis.visible(&self.data.frames());
        let seen = Rect::from_x_y_ranges(x(left.max(first))..=x(right.min(last)), rect.y_range());
        let dim = self.theme.sheet.gamma_multiply(0.55);
        painter.rect_filled(rect.with_max_x(seen.left()), 0.0, dim);
        painter.rect_filled(rect.with_min_x(seen.right()), 0.0, dim);
        if let Some(range) = &self.frame_axis.selected_range {
            let band = Rect::from_x_y_ranges(
                x(range.start as f64)..=x(range.end as f64).max(x(range.start as f64) + 2.0),
                rect.y_range(),
            );
            painter.rect_filled(band, 0.0, self.theme.accent.gamma_multiply(0.25));
        }
        let edge = Stroke::new(1.0, self.theme.accent);
        painter.rect_stroke(seen, 2.0, edge, StrokeKind::Inside);
        if let Some(frame) = self.frame_axis.marked() {
            let line = Stroke::new(1.0, self.theme.text);
            painter.vline(x(frame as f64), rect.y_range(), line);
        }
    }

    /// Moves the panes and selects frames with the pointer. egui remembers the dragged part from
    /// pass to pass.
    fn interact(&mut self, ui: &Ui, response: &Response, frames: (f64, f64), scale: &Scale) {
        let held = self.data.frames();
        let frame_at = |at: Pos2| {
            let share = f64::from((at.x - scale.rect.left()) / scale.rect.width().max(1.0));
            frames.0 + share * (frames.1 - frames.0)
        };
        if let Some(pointer) = response.hover_pos() {
            self.frame_axis.point_at(
                (frame_at(pointer).round().max(0.0) as u64)
                    .clamp(held.start, held.end.max(held.start + 1) - 1),
            );
        }
        if response.double_clicked() {
            self.frame_axis.wants_newest = true;
            return;
        }
        let Some(pointer) = response.interact_pointer_pos() else {
            if response.hovered() {
                ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
            }
            return;
        };
        let id = response.id.with("grip");
        let origin = press_origin(ui).unwrap_or(pointer);
        if response.drag_started_by(PointerButton::Primary)
            || response.clicked_by(PointerButton::Primary)
        {
            let shift = ui.input(|input| input.modifiers.shift);
            let grip = if shift {
                Grip::Select(frame_at(origin).round().max(0.0) as u64)
            } else {
                self.grip_at(scale, origin)
            };
            ui.data_mut(|data| data.insert_temp(id, grip));
        }
        let grip = ui.data(|data| data.get_temp(id)).unwrap_or(Grip::Middle);
        if response.dragged_by(PointerButton::Primary)
            || response.clicked_by(PointerButton::Primary)
        {
            self.move_to(grip, frame_at(pointer));
        }
    }

    /// Returns the part that a press at `at` grabs.
    fn grip_at(&self, scale: &Scale, at: Pos2) -> Grip {
        let (left, right) = self.frame_axis.visible(&self.data.frames());
        let near = |frame: f64| (scale.x(frame) - at.x).abs() <= EDGE;
        // If the visible part is too narrow to tell its edges apart, a press grabs the middle.
        match scale.x(right) - scale.x(left) > 4.0 * EDGE {
            true if near(left) => Grip::Left,
            true if near(right) => Grip::Right,
            _ => Grip::Middle,
        }
    }

    /// Moves the grabbed part to a frame.
    fn move_to(&mut self, grip: Grip, frame: f64) {
        let held = self.data.frames();
        let (left, right) = self.frame_axis.visible(&held);
        match grip {
            Grip::Select(from) => {
                self.frame_axis
                    .select(from, frame.round().max(0.0) as u64, &held)
            }
            Grip::Left => self.frame_axis.show((frame.min(right - MIN_SPAN), right)),
            Grip::Right => self.frame_axis.show((left, frame.max(left + MIN_SPAN))),
            Grip::Middle => {
                let half = (right - left) / 2.0;
                self.frame_axis.show((frame - half, frame + half));
            }
        }
    }
}

/// Returns the frame time at the upper edge. The strip always includes the budget, and cuts off a
/// single frame that is far slower than the rest. `times` is reused memory.
fn top_of(buckets: &[Bucket], budget_ms: Option<f64>, times: &mut Vec<f64>) -> f64 {
    times.clear();
    times.extend(buckets.iter().map(|bucket| bucket.max));
    let (most, usual) = most_and_usual(times);
    (most * 1.1)
        .min(usual * 5.0)
        .max(budget_ms.unwrap_or(0.0) * 1.5)
        .max(0.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the upper edge for frames of these times, one in each bucket.
    fn edge(times_ms: &[f64], budget_ms: Option<f64>) -> f64 {
        let buckets = times_ms.iter().map(|&max| Bucket {
            first_frame: 0,
            min: 0.0,
            max,
            first: 0.0,
            last: 0.0,
        });
        top_of(&buckets.collect::<Vec<_>>(), budget_ms, &mut Vec::new())
    }

    #[test]
    fn usual_frames_fill_the_strip_and_a_hitch_is_cut_off() {
        assert!((edge(&[10.0; 9], None) - 11.0).abs() < 1e-9);
        assert!((edge(&[10.0, 10.0, 30.0], None) - 33.0).abs() < 1e-9);
        assert_eq!(edge(&[10.0, 10.0, 5000.0], None), 50.0);
        assert_eq!(edge(&[10.0; 9], Some(20.0)), 30.0);
    }

    #[test]
    fn the_upper_edge_is_above_zero_without_frames() {
        assert_eq!((edge(&[], None), edge(&[0.0; 5], None)), (0.1, 0.1));
    }
}
