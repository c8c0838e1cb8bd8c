//! The marks of frames in a graph. A span is a faint band with a bracket and its name; a point is a
//! dashed line with a flag.

use std::ops::Range;
use std::sync::Arc;

use egui::epaint::Mesh;
use egui::{Color32, Galley, Painter, Pos2, Rect, Shape, Vec2, pos2, vec2};
use stats_core::{LogLine, Mark};

use crate::data::mark_lanes::{LANES, MarkLanes, SeenPoint, SeenSpan, extent, label_place};
use crate::graph::graph_ui::GraphUi;
use crate::graph::spike_marks::SPIKE_LANE;
use crate::graph::transform::Transform;
use crate::paint::canvas::Canvas;
use crate::paint::scale::Scale;
use crate::paint::series_shape::push_polygon;
use stats_analysis::axis::Mapping;
use stats_analysis::buckets::bucket_width;
use stats_analysis::format::whole_text;
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{Theme, small_font};

/// The height of a row of names, in points.
const ROW: f32 = 16.0;
/// The maximum share of the graph's height for rows of names.
const ROWS_SHARE: f32 = 0.6;
/// Point marks closer to each other than this, in points, share a flag.
const POINT_DISTANCE: f32 = 12.0;
/// A span narrower than this, in points, has no edges.
const LEAST_WITH_EDGES: f32 = 3.0;
/// The length of a dash and the gap after it, in points. Dashes are longer if a line would
/// otherwise have more than [`DASHES`] of them.
const DASH: f32 = 10.0;
const DASHES: f32 = 40.0;
/// The size of a flag, in points.
const FLAG: egui::Vec2 = vec2(8.0, 8.0);
/// The maximum number of characters of a name that are laid out.
const NAME_CHARS: usize = 80;
/// The minimum width of a name that is cut, in points.
const LEAST_CUT: f32 = 44.0;
/// The width of the note that series are not stacked, in points.
pub(super) const NOTE_WIDTH: f32 = 240.0;

impl GraphUi<'_> {
    /// Draws the marks of the visible frames. Names leave `note` points free on the right. Returns
    /// the rectangles of the names.
    pub(super) fn frame_marks_ui(
        &mut self,
        ui: &Canvas<'_>,
        transform: &Transform,
        note: f32,
    ) -> Vec<Rect> {
        self.view.mark_lanes.read(self.pane.data.marks());
        let (plot, (left, right)) = (transform.plot(), transform.frames());
        let held = self.pane.data.frames();
        let frames = held.start.max((left + 0.5).max(0.0) as u64)
            ..held.end.min((right + 1.5).max(0.0) as u64);
        if self.pane.data.marks().is_empty() || frames.is_empty() || !plot.is_positive() {
            return Vec::new();
        }
        let painter = ui.painter_in(plot);
        let top = plot.top() + SPIKE_LANE;
        let drawn = Drawn {
            ui,
            painter,
            theme: self.pane.theme,
            marks: self.pane.data.marks(),
            lanes: &self.view.mark_lanes,
            frames,
            held,
            scale: Scale::new(plot, (left, right), (0.0, 1.0), Mapping::Linear),
            top,
            rows: ((plot.height() * ROWS_SHARE - (top - plot.top())) / ROW).max(0.0) as usize,
            visible: (plot.left(), plot.right() - note),
        };
        drawn.all_ui()
    }

    /// Returns the marks of a frame as a suffix for its number; empty if it has none.
    pub(super) fn marks_of(&self, frame: u64) -> String {
        self.view.mark_lanes.suffix(self.pane.data.marks(), frame)
    }
}

/// Draws marks.
struct Drawn<'a> {
    ui: &'a Canvas<'a>,
    painter: Painter,
    theme: &'a Theme,
    marks: &'a [Mark],
    lanes: &'a MarkLanes,
    /// The visible frames, and all frames of the history.
    frames: Range<u64>,
    held: Range<u64>,
    scale: Scale,
    /// The top of the first row of names.
    top: f32,
    /// The number of rows of names that fit.
    rows: usize,
    /// The left and right limits of names.
    visible: (f32, f32),
}

impl Drawn<'_> {
    /// Draws all bands before the names, so that none covers a name.
    fn all_ui(&self) -> Vec<Rect> {
        self.painter.add(Shape::mesh(self.bands()));
        self.painter.add(Shape::mesh(self.lines()));
        let mut taken = Vec::new();
        self.span_names_ui(&mut taken);
        self.crowds_ui(&mut taken);
        self.point_names_ui(&mut taken);
        taken
    }

    fn row_top(&self, row: usize) -> Option<f32> {
        (row < self.rows).then_some(self.top + row as f32 * ROW)
    }

    /// Returns the bands of spans, their edges and their brackets. Leaves out spans that share a
    /// pixel with an earlier span of their lane.
    fn bands(&self) -> Mesh {
        let mut mesh = Mesh::default();
        let mut painted = [f32::NEG_INFINITY; LANES];
        let (plot, pixel) = (self.scale.rect, 1.0 / self.painter.pixels_per_point());
        let (band, edge) = (
            self.theme.text.gamma_multiply(0.055),
            self.theme.weak.gamma_multiply(0.55),
        );
        let mut add = |x: (f32, f32), y: (f32, f32), color| {
            mesh.add_colored_rect(Rect::from_x_y_ranges(x.0..=x.1, y.0..=y.1), color)
        };
        for span in self.lanes.spans(self.marks, self.frames.clone()) {
            let (left, right) = self.scale.edges(&span.frames, 1.0);
            let left = left.max(painted[span.lane]);
            if right - left < pixel * 0.5 {
                continue;
            }
            painted[span.lane] = right;
            add((left, right), (plot.top(), plot.bottom()), band);
            let has_edges = right - left >= LEAST_WITH_EDGES;
            for (x, _) in [(left, span.edges[0]), (right - pixel, span.edges[1])]
                .into_iter()
                .filter(|edge| edge.1 && has_edges)
            {
                add((x, x + pixel), (plot.top(), plot.bottom()), edge);
            }
            if let Some(top) = self.row_top(self.lanes.row_of(span.lane)) {
                // Leave a pixel between consecutive spans.
                let bracket = if has_edges {
                    (left + pixel, right - pixel)
                } else {
                    (left, right)
                };
                add(bracket, (top, top + 2.0), self.theme.weak);
            }
        }
        mesh
    }

    /// Returns the dashed lines of points, and their flags.
    fn lines(&self) -> Mesh {
        let mut mesh = Mesh::default();
        let plot = self.scale.rect;
        let dash = DASH.max(plot.height() / DASHES);
        for point in self.points() {
            let x = self.scale.x(point.mark.frames.start as f64);
            let mut y = plot.top();
            while y < plot.bottom() {
                let rect = Rect::from_x_y_ranges(
                    x - 0.5..=x + 0.5,
                    y..=(y + dash * 0.5).min(plot.bottom()),
                );
                mesh.add_colored_rect(rect, self.theme.weak);
                y += dash;
            }
            if let Some(top) = self.row_top(0) {
                push_flag(&mut mesh, pos2(x, top + 3.0), self.theme.text);
            }
        }
        mesh
    }

    fn points(&self) -> impl Iterator<Item = SeenPoint<'_>> {
        let cell = bucket_width(
            f64::from(POINT_DISTANCE / self.scale.points_per_frame()),
            1.0,
        );
        self.lanes
            .points(self.marks, self.frames.clone(), self.held.clone(), cell)
    }

    /// Shows the names of spans. A name may extend beyond its span, up to the next one in its lane.
    fn span_names_ui(&self, taken: &mut Vec<Rect>) {
        let left = |span: &SeenSpan<'_>| self.scale.edges(&span.frames, 1.0).0;
        let mut name_ui = |span: SeenSpan<'_>, limit: f32| {
            if let (Some(top), Some(place)) = (
                self.row_top(self.lanes.row_of(span.lane)),
                label_place(left(&span), limit, self.visible),
            ) {
                let name = one_line(&span.mark.name, NAME_CHARS);
                self.name_ui(span.at, &name, place, top, taken);
            }
        };
        // The last span of each lane so far.
        let mut last: [Option<SeenSpan<'_>>; LANES] = Default::default();
        for span in self.lanes.spans(self.marks, self.frames.clone()) {
            let (lane, limit) = (span.lane, left(&span));
            if let Some(before) = last[lane].replace(span) {
                name_ui(before, limit);
            }
        }
        for span in last.into_iter().flatten() {
            name_ui(span, f32::INFINITY);
        }
    }

    /// Shows the number of spans for which no lane has room.
    fn crowds_ui(&self, taken: &mut Vec<Rect>) {
        let Some(top) = self.row_top(self.lanes.row_of(LANES)) else {
            return;
        };
        let mut free_from = f32::NEG_INFINITY;
        let crowds = self.lanes.crowds(self.marks, self.frames.clone());
        for (at, crowd) in crowds.enumerate() {
            let (left, _) = self.scale.edges(&crowd.frames, 1.0);
            // The text may be wider than the spans it counts.
            if let Some((left, room)) = label_place(left, f32::INFINITY, self.visible)
                .filter(|&(left, _)| left >= free_from)
            {
                let text = format!("+{}", whole_text(crowd.count as f64));
                let galley = self.fitted(&text, room);
                free_from = left + galley.size().x + 8.0;
                let rect = self.plate_ui(galley, pos2(left, top + 2.0), taken);
                self.ui.describe(("crowd", at), rect, || {
                    (format!("mark {text}"), "more spans".to_owned())
                });
            }
        }
    }

    /// Shows the names of points, each cut before the next flag.
    fn point_names_ui(&self, taken: &mut Vec<Rect>) {
        let Some(top) = self.row_top(0) else { return };
        let mut points = self.points().peekable();
        while let Some(point) = points.next() {
            let x = |point: &SeenPoint<'_>| self.scale.x(point.mark.frames.start as f64);
            let next = points.peek().map_or(f32::INFINITY, x);
            if let Some(place) = label_place(x(&point) + FLAG.x, next, self.visible) {
                // What a line of the log begins with is the same for many.
                let text = LogLine::of_mark(&point.mark.name).map(|line| line.text);
                let name = text.filter(|text| !text.is_empty());
                let name = name.unwrap_or(&point.mark.name);
                self.name_ui(
                    point.at,
                    &(one_line(name, NAME_CHARS) + point.others().as_str()),
                    place,
                    top,
                    taken,
                );
            }
        }
    }

    /// Shows a name on a plate. A name that would be cut after a few characters says nothing, and is
    /// left out; the tooltip of the frame has it.
    fn name_ui(
        &self,
        at: usize,
        name: &str,
        (left, room): (f32, f32),
        top: f32,
        taken: &mut Vec<Rect>,
    ) {
        let galley = self.fitted(name, room);
        if galley.elided && room < LEAST_CUT {
            return;
        }
        let rect = self.plate_ui(galley, pos2(left, top + 2.0), taken);
        accessibility::describe(
            self.ui.ctx(),
            self.ui.make_persistent_id(("mark", at)),
            rect,
            || self.described(name, at),
        );
    }

    fn fitted(&self, text: &str, room: f32) -> Arc<Galley> {
        shapes::fitted(&self.painter, text, small_font(), self.theme.text, room)
    }

    fn plate_ui(&self, galley: Arc<Galley>, place: Pos2, taken: &mut Vec<Rect>) -> Rect {
        let rect = Rect::from_min_size(place, galley.size()).expand2(vec2(2.0, 0.0));
        self.painter
            .rect_filled(rect, 2.0, self.theme.plot.gamma_multiply(0.8));
        self.painter.galley(place, galley, self.theme.text);
        taken.push(rect);
        rect
    }

    fn described(&self, name: &str, at: usize) -> (String, String) {
        let mark = &self.marks[at];
        let frames = extent(mark);
        let said = match (mark.is_point, mark.is_open()) {
            (true, _) => format!("frame {}", frames.start),
            (false, true) => format!("from frame {}", frames.start),
            (false, false) => format!(
                "frames {} to {}",
                frames.start,
                frames.end.saturating_sub(1)
            ),
        };
        (format!("mark {name}"), said)
    }
}

/// Adds the flag of a point, with its left edge on the line.
fn push_flag(mesh: &mut Mesh, place: Pos2, color: Color32) {
    let corners = [Vec2::ZERO, vec2(FLAG.x, FLAG.y / 2.0), vec2(0.0, FLAG.y)];
    push_polygon(mesh, corners.map(|corner| place + corner), color);
}
