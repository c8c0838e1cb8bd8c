//! The graph over the game: plot and legend, painted without a widget.
//!
//! Grid, numbers and names are laid out when numbers are refreshed or something else about them
//! changes, and are painted again as they were in between.

use std::cell::RefCell;

use egui::{Align2, Color32, Rect, Shape, Stroke, pos2};
use egui_plot::{GridInput, PlotBounds, PlotTransform};

use crate::graph::axis::{marks, series_of_axis};
use crate::graph::marks_ui::NOTE_WIDTH;
use crate::graph::ui::{GraphUi, VALUE_AXIS, axis_style, item, mark_text};
use crate::graph::view::{Ranges, Shown};
use crate::graph::watch_legend_ui::{WatchLegend, parts};
use crate::paint::canvas::Canvas;
use stats_analysis::axis::{Mapping, on_axis};
use stats_ui::retained::text_revision;
use stats_ui::theme::{TEXT_GROUND, small_font};

/// A plot narrower than this, in points, has no numbers beside it.
const LEAST_WITH_AXIS: f32 = 200.0;
/// The least distance between two lines of the grid, in points.
const GRID_DISTANCE: f32 = 28.0;
/// The width of the bar in the color of the axis' series, in points.
const BAR: f32 = 3.0;

/// What is kept of a watched graph from pass to pass.
#[derive(Debug, Default)]
pub(super) struct Watched {
    of: Option<WatchedOf>,
    grid: Vec<Shape>,
    /// The texts beside the plot.
    texts: Vec<Shape>,
    legend: WatchLegend,
    /// The shapes of the series; empty between passes.
    series: Vec<Shape>,
}

/// Everything that grid and texts depend on besides the numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct WatchedOf {
    rect: Rect,
    revision: u64,
    /// The place of the series on the axis, and its range.
    axis: Option<(usize, (f64, f64))>,
    mapping: Mapping,
    ranges: Ranges,
    /// The place of the only series that is shown.
    solo: Option<usize>,
    marked: Option<u64>,
    text: Color32,
    text_revision: u64,
}

impl GraphUi<'_> {
    /// Paints plot and legend into `rect`. The ground of the plot has this opacity.
    pub(crate) fn watch_ui(&mut self, canvas: &Canvas, rect: Rect, opacity: f32) {
        let painter = canvas.painter();
        let (place, legend) = parts(rect, self.pane.selected.len());
        let axis = if place.width() >= LEAST_WITH_AXIS {
            VALUE_AXIS
        } else {
            0.0
        };
        let (axis, plot) = place.split_left_right_at_x(place.left() + axis);
        let ground = |rect, opacity: f32| {
            painter.rect_filled(rect, 0.0, self.pane.theme.plot.gamma_multiply(opacity));
        };
        ground(plot, opacity);
        ground(axis, opacity.max(TEXT_GROUND));
        ground(legend, opacity.max(TEXT_GROUND));
        let frames = self.pane.timeline.visible(&self.pane.data.frames());
        let (mut shown, mut ranges) = self.view.shown(self.pane.data, self.pane.selected, frames);
        let mut stack = std::mem::take(&mut self.view.stack);
        let pixels = plot.width() * canvas.pixels_per_point();
        let stacks = self.fill_stack(&mut stack, frames, &mut shown, pixels);
        if stacks {
            ranges = Ranges::Shared;
        }
        self.read_legend(&shown);
        let transform = self.transform(plot, frames, &shown);
        self.lay_out(canvas, &transform, (axis, legend), &shown, ranges);
        let inside = painter.with_clip_rect(plot.intersect(painter.clip_rect()));
        inside.extend(self.view.watched.grid.iter().cloned());
        let bands = |row| stack.band(row).filter(|_| stacks);
        self.push_series(canvas.pixels_per_point(), &transform, &shown, bands);
        inside.extend(self.view.watched.series.drain(..));
        self.view.stack = stack;
        let series = shown.iter().filter(|shown| !shown.hidden).count();
        let note = if self.says_not_stacked(stacks) {
            NOTE_WIDTH
        } else {
            0.0
        };
        let names = self.frame_marks_ui(canvas, &transform, series, note);
        self.marks_ui(canvas, &transform);
        self.budget_labels_ui(canvas, &transform, &shown, names);
        self.paint_hint(canvas, plot, &shown, stacks);
        painter.extend(self.view.watched.texts.iter().cloned());
        let watched = &self.view.watched;
        watched.legend.legend_ui(canvas, self.pane.selected);
    }

    /// Returns the places of frames and of the values of the axis.
    fn transform(&self, plot: Rect, frames: (f64, f64), shown: &[Shown]) -> PlotTransform {
        let mapping = self.view.mapping();
        let (bottom, top) = series_of_axis(shown).map_or((0.0, 1.0), |at| shown[at].range);
        let bounds = PlotBounds::from_min_max(
            [frames.0, on_axis(mapping, bottom)],
            [frames.1, on_axis(mapping, top)],
        );
        PlotTransform::new(plot, bounds, false)
    }

    /// Adds the shapes of the series that are shown.
    fn push_series<'b>(
        &mut self,
        pixels_per_point: f32,
        transform: &PlotTransform,
        shown: &[Shown],
        band: impl Fn(usize) -> Option<stats_analysis::stack::StackedBand<'b>>,
    ) {
        let (theme, data, selected) = (self.pane.theme, self.pane.data, self.pane.selected);
        let mut pictures = std::mem::take(&mut self.view.pictures);
        pictures.truncate(selected.len());
        let pictures = RefCell::new(pictures);
        let seen = shown.iter().enumerate().filter(|(_, shown)| !shown.hidden);
        for (mark_row, (at, shown)) in seen.enumerate() {
            let mut item = item(theme, data, &selected[at], at, shown, &pictures);
            item.revision = self.pane.revision;
            item.mapping = self.view.mapping();
            item.mark_row = mark_row;
            item.band = band(mark_row);
            item.push_shapes(pixels_per_point, transform, &mut self.view.watched.series);
        }
        self.view.pictures = pictures.into_inner();
    }

    /// Lays out grid, axis and legend, if anything of them changed.
    fn lay_out(
        &mut self,
        canvas: &Canvas,
        transform: &PlotTransform,
        (axis, legend): (Rect, Rect),
        shown: &[Shown],
        ranges: Ranges,
    ) {
        let seen = || (0..shown.len()).filter(|&at| !shown[at].hidden);
        let of = WatchedOf {
            rect: axis.union(legend).union(*transform.frame()),
            revision: self.pane.revision,
            axis: series_of_axis(shown).map(|at| (at, shown[at].range)),
            mapping: self.view.mapping(),
            ranges,
            solo: seen().next().filter(|_| seen().count() < shown.len()),
            marked: self.pane.timeline.marked(),
            text: self.pane.theme.text,
            text_revision: text_revision(canvas.ctx()),
        };
        if self.view.watched.of == Some(of) && !self.pane.refresh {
            return;
        }
        let painter = canvas.painter();
        let mut watched = std::mem::take(&mut self.view.watched);
        watched.of = Some(of);
        watched.grid.clear();
        watched.texts.clear();
        self.lay_out_axis(canvas, transform, axis, (shown, ranges), &mut watched);
        let texts = self.view.legend.texts();
        watched
            .legend
            .lay_out(painter, &self.pane, legend, (shown, texts));
        self.view.watched = watched;
    }

    /// Lays out the lines of the grid, and their numbers in `axis` if that has any width.
    fn lay_out_axis(
        &self,
        canvas: &Canvas,
        transform: &PlotTransform,
        axis: Rect,
        (shown, ranges): (&[Shown], Ranges),
        watched: &mut Watched,
    ) {
        let Some(style) = axis_style(self.pane.selected, shown, ranges) else {
            return;
        };
        let (plot, bounds, theme) = (*transform.frame(), transform.bounds(), self.pane.theme);
        let (bottom, top) = (bounds.min()[1], bounds.max()[1]);
        let per_point = (top - bottom) / f64::from(plot.height().max(1.0));
        let input = GridInput {
            bounds: (bottom, top),
            base_step_size: per_point * f64::from(GRID_DISTANCE),
        };
        let least = input.base_step_size;
        for mark in marks(input, self.view.mapping(), style.grid_base()) {
            let y = transform.position_from_point_y(mark.value);
            if mark.step_size < least * (1.0 - 1e-9) || !plot.y_range().contains(y) {
                continue;
            }
            let line = [pos2(plot.left(), y), pos2(plot.right(), y)];
            let stroke = Stroke::new(1.0, theme.grid);
            watched.grid.push(Shape::line_segment(line, stroke));
            let text = mark_text(style, self.view.mapping(), &mark);
            let galley = canvas
                .painter()
                .layout_no_wrap(text, small_font(), theme.text);
            let half = galley.size().y / 2.0;
            let middle = y.clamp(
                plot.top() + half,
                (plot.bottom() - half).max(plot.top() + half),
            );
            let at =
                Align2::RIGHT_CENTER.anchor_size(pos2(axis.right() - 6.0, middle), galley.size());
            if axis.contains_rect(at) {
                watched
                    .texts
                    .push(Shape::galley(at.min, galley, theme.text));
            }
        }
        let several = shown.iter().filter(|shown| !shown.hidden).count() > 1;
        if let Some(at) = series_of_axis(shown).filter(|_| several && ranges == Ranges::Own) {
            let bar = axis.with_min_x((axis.right() - BAR).max(axis.left()));
            let color = theme.series(self.pane.selected[at].slot);
            watched.texts.push(Shape::rect_filled(bar, 0.0, color));
        }
    }
}
