//! The layout of the graph: the plot over the frames that all panes share, and the legend.

use std::sync::Arc;

use egui::{Align2, Rect, Sense, Shape, Ui, UiBuilder};
use egui_plot::PlotTransform;

use crate::data::pane_context::PaneContext;
use crate::data::selection::SelectedSeries;
use crate::graph::axis::series_of_axis;
use crate::graph::grid::ValueAxis;
use crate::graph::item::GraphItem;
use crate::graph::legend::LegendOf;
use crate::graph::legend_ui::LegendUi;
use crate::graph::marks_ui::NOTE_WIDTH;
use crate::graph::picture::{Frame, Series};
use crate::graph::view::{GraphView, Ranges, Shown};
use crate::paint::canvas::{Canvas, emptied};
use crate::paint::scale::Scale;
use stats_analysis::axis::on_axis;
use stats_analysis::buckets::bucket_width;
use stats_analysis::format::NumberStyle;
use stats_analysis::stack::Stack;
use stats_ui::theme::{small_font, text_font};

/// Draws the graph of a pane.
pub(crate) struct GraphUi<'a> {
    pub(crate) pane: PaneContext<'a>,
    pub(crate) view: &'a mut GraphView,
}

/// What a plot shows.
struct Plotted {
    transform: PlotTransform,
    /// What it shows of every series.
    shown: Vec<Shown>,
    /// Whether the series share a range.
    ranges: Ranges,
}

impl GraphUi<'_> {
    /// Draws plot and legend into `rect`, and does what the pointer demands. Returns the index of a
    /// series to deselect, if the legend was asked for that.
    pub(crate) fn graph_ui(&mut self, ui: &mut Ui, rect: Rect) -> Option<usize> {
        let (plot_rect, legend_rect) = LegendUi::split(rect, self.pane.selected.len());
        let mut plot_ui = ui.new_child(UiBuilder::new().id_salt("plot").max_rect(plot_rect));
        plot_ui.set_clip_rect(plot_rect.intersect(ui.clip_rect()));
        let plotted = self.paint_plot(&Canvas::within(&plot_ui, plot_rect), plot_rect);
        self.pointer_ui(&plot_ui, &plotted);
        self.read_legend(&plotted);
        let mut kept = std::mem::take(&mut self.view.legend_shapes);
        let asked = self.legend(&plotted).legend_ui(ui, legend_rect, &mut kept);
        self.view.legend_shapes = kept;
        if let Some(at) = asked.solo {
            self.view.toggle_solo(&self.pane.selected[at].path);
        }
        asked.deselect
    }

    /// Paints plot and legend into `rect`. Nothing in them reacts to the pointer.
    #[expect(
        dead_code,
        reason = "for views without a pointer, such as one over a running game"
    )]
    pub(crate) fn paint(&mut self, canvas: &Canvas, rect: Rect) {
        let (plot_rect, legend_rect) = LegendUi::split(rect, self.pane.selected.len());
        let plotted = self.paint_plot(canvas, plot_rect);
        self.read_legend(&plotted);
        let mut kept = std::mem::take(&mut self.view.legend_shapes);
        self.legend(&plotted).paint(canvas, legend_rect, &mut kept);
        self.view.legend_shapes = kept;
    }

    /// Paints the plot into `rect`.
    fn paint_plot(&mut self, canvas: &Canvas, rect: Rect) -> Plotted {
        let frames = self.pane.timeline.visible(&self.pane.data.frames());
        let (mut shown, mut ranges) = self.view.shown(self.pane.data, self.pane.selected, frames);
        let mut stack = std::mem::take(&mut self.view.stack);
        let pixels = rect.width() * canvas.ctx().pixels_per_point();
        let stacks = self.fill_stack(&mut stack, frames, &mut shown, pixels);
        if stacks {
            ranges = Ranges::Shared;
        }
        let transform = self.lay_out(canvas, rect, frames, &shown, ranges);
        self.view.grid.paint(canvas, self.pane.theme, &transform);
        self.paint_series(canvas, &transform, &shown, stacks.then_some(&stack));
        self.view.stack = stack;
        let series = shown.iter().filter(|shown| !shown.hidden).count();
        let note = if self.says_not_stacked(stacks) {
            NOTE_WIDTH
        } else {
            0.0
        };
        let names = self.frame_marks_ui(canvas, &transform, series, note);
        self.axis_series_ui(canvas, &transform, &shown, ranges);
        self.marks_ui(canvas, &transform);
        self.budget_labels_ui(canvas, &transform, &shown, names);
        self.paint_hint(canvas, *transform.frame(), &shown, stacks);
        Plotted {
            transform,
            shown,
            ranges,
        }
    }

    /// Lays out the axes. Returns the place of the plot between them.
    fn lay_out(
        &mut self,
        canvas: &Canvas,
        rect: Rect,
        frames: (f64, f64),
        shown: &[Shown],
        ranges: Ranges,
    ) -> PlotTransform {
        // Room for half of the last number.
        let rect = rect.with_max_x(rect.right() - 14.0);
        let mapping = self.view.mapping();
        let (bottom, top) = series_of_axis(shown).map_or((0.0, 1.0), |at| shown[at].range);
        let axis = ValueAxis {
            range: (on_axis(mapping, bottom), on_axis(mapping, top)),
            mapping,
            style: axis_style(self.pane.selected, shown, ranges),
            height: 0.0,
        };
        self.view.grid.lay_out(canvas, rect, frames, axis)
    }

    /// Paints the visible series: first the lines of their budgets, last the marks of spikes.
    fn paint_series(
        &mut self,
        canvas: &Canvas,
        transform: &PlotTransform,
        shown: &[Shown],
        stack: Option<&Stack>,
    ) {
        let (theme, data, selected) = (self.pane.theme, self.pane.data, self.pane.selected);
        let (mapping, plot) = (self.view.mapping(), *transform.frame());
        let painter = canvas.painter();
        let painter = painter.with_clip_rect(plot.intersect(painter.clip_rect()));
        let frames = (transform.bounds().min()[0], transform.bounds().max()[0]);
        let seen = || (0..shown.len()).filter(|&at| !shown[at].hidden);
        let frame = Frame {
            rect: plot,
            pixels_per_point: canvas.pixels_per_point(),
            left: frames.0,
            span: self.pane.timeline.visible_span(),
            mapping,
            revision: self.pane.revision,
        };
        let series = seen().map(|at| Series {
            values: data.values(at),
            track: data.track(at),
            color: theme.series(selected[at].slot),
            range: shown[at].range,
        });
        let width = self.view.picture.read(&frame, series);
        let [below, above] = &mut self.view.meshes;
        let [below, above] = [emptied(below), emptied(above)];
        for (mark_row, at) in seen().enumerate() {
            let item = GraphItem {
                color: theme.series(selected[at].slot),
                alert: theme.alert,
                scale: Scale::new(plot, frames, shown[at].range, mapping),
                pixel: 1.0 / frame.pixels_per_point,
                mark_row,
                buckets: self.view.picture.buckets(mark_row),
                width,
            };
            if let Some(budget) = selected[at].budget().filter(|_| shown[at].budget_near) {
                item.push_budget(below, budget);
            }
            if let Some(band) = stack.and_then(|stack| stack.band(mark_row)) {
                item.push_band(below, &band);
            }
            if let Some(track) = data.track(at) {
                let from = data.values(at).first_frame();
                item.push_spikes(above, track, from, stack.is_some());
            }
        }
        let [below, above] = &self.view.meshes;
        painter.add(Shape::Mesh(Arc::clone(below)));
        match stack {
            Some(_) => self.view.picture.forget(),
            None => self.view.picture.paint(&painter, &frame),
        }
        painter.add(Shape::Mesh(Arc::clone(above)));
    }

    /// Does what the pointer demands, and shows what it points at.
    fn pointer_ui(&mut self, ui: &Ui, plotted: &Plotted) {
        let Plotted {
            transform,
            shown,
            ranges,
        } = plotted;
        let id = ui.make_persistent_id("graph");
        let response = ui.interact(*transform.frame(), id, Sense::click_and_drag());
        self.axis_tip_ui(ui, transform, shown, *ranges);
        self.interact(ui, &response, transform, shown);
        self.cursor_ui(ui, &response, transform);
    }

    /// Updates the numbers of the legend.
    fn read_legend(&mut self, plotted: &Plotted) {
        let selected_range = self.pane.timeline.selected_range.clone();
        let tracks = (0..self.pane.selected.len()).filter_map(|at| self.pane.data.track(at));
        // Only the numbers of selected frames are kept, and only the search among those frames can
        // change them.
        let end = selected_range.as_ref().map_or(0, |range| range.end);
        let searched = tracks.map(|track| track.spikes.seen_until().min(end)).sum();
        let of = LegendOf {
            revision: self.pane.revision,
            selected_range,
            searched,
        };
        let (data, selected) = (self.pane.data, self.pane.selected);
        let refresh = self.pane.refresh;
        self.view
            .legend
            .update(data, selected, &plotted.shown, refresh, of);
    }

    /// Returns the legend of a plot.
    fn legend<'a>(&'a self, plotted: &'a Plotted) -> LegendUi<'a> {
        let several = self.pane.selected.len() > 1;
        let timeline = &self.pane.timeline;
        LegendUi {
            theme: self.pane.theme,
            data: self.pane.data,
            selected: self.pane.selected,
            texts: self.view.legend.texts(),
            numbers: self.view.legend.revision(),
            revision: self.pane.revision,
            own_ranges: (plotted.ranges == Ranges::Own && several)
                .then_some(plotted.shown.as_slice()),
            solo: self.view.solo.as_deref(),
            range_frames: timeline
                .selected_range
                .as_ref()
                .map(|range| range.end - range.start),
            cursor: timeline.marked(),
            marks: timeline
                .marked()
                .map_or_else(String::new, |frame| self.marks_of(frame)),
            newest: timeline.follows(),
            absent: self.pane.absent,
        }
    }

    /// Stacks the visible series if the user asked for that and all have one unit. Each then gets
    /// the range of the whole stack. Returns whether they are stacked.
    fn fill_stack(
        &self,
        stack: &mut Stack,
        frames: (f64, f64),
        shown: &mut [Shown],
        pixels: f32,
    ) -> bool {
        let seen: Vec<usize> = (0..shown.len()).filter(|&at| !shown[at].hidden).collect();
        let same_unit = seen
            .windows(2)
            .all(|pair| self.pane.selected[pair[0]].unit() == self.pane.selected[pair[1]].unit());
        if !self.view.stacked || !same_unit || seen.len() < 2 {
            return false;
        }
        let width = bucket_width(frames.1 - frames.0, f64::from(pixels));
        // Not beyond the newest frame: missing values there would be drawn as zero.
        let held = self.pane.data.frames();
        let within =
            held.start.max(frames.0.max(0.0) as u64)..held.end.min(frames.1.max(0.0) as u64 + 1);
        stack.fill(
            seen.iter()
                .map(|&at| (self.pane.data.values(at), self.pane.data.track(at))),
            within,
            width,
        );
        let range = self.view.stacked_range(stack.highest());
        for &at in &seen {
            shown[at].range = range;
            shown[at].budget_near = false;
        }
        true
    }

    /// Returns whether a note explains why series are not stacked.
    fn says_not_stacked(&self, stacks: bool) -> bool {
        self.view.stacked && !stacks && self.pane.selected.len() > 1
    }

    /// Draws what to do if there is nothing to see yet, and why series are not stacked.
    fn paint_hint(&self, ui: &Canvas, rect: Rect, shown: &[Shown], stacks: bool) {
        if self.says_not_stacked(stacks) {
            let note = "not stacked: series of different units";
            ui.painter().text(
                rect.right_top() + egui::vec2(-6.0, 22.0),
                Align2::RIGHT_TOP,
                note,
                small_font(),
                self.pane.theme.weak,
            );
        }
        let text = if self.pane.selected.is_empty() {
            "Select counters in the tree to see them here, or drag them in"
        } else if shown.iter().all(|shown| shown.summary.is_none()) {
            "No frames here"
        } else {
            return;
        };
        ui.painter().text(
            rect.center(),
            Align2::CENTER_CENTER,
            text,
            text_font(),
            self.pane.theme.weak,
        );
    }
}

/// Returns how the values along the axis are written: with a unit, unless series of different units
/// share a range.
fn axis_style(selected: &[SelectedSeries], shown: &[Shown], ranges: Ranges) -> Option<NumberStyle> {
    let at = series_of_axis(shown)?;
    let (unit, range) = (selected[at].unit(), shown[at].range);
    let mut seen = selected
        .iter()
        .zip(shown)
        .filter(|(_, shown)| !shown.hidden);
    let unit = if ranges == Ranges::Own || seen.all(|(selected, _)| selected.unit() == unit) {
        unit
    } else {
        stats_core::Unit::Count
    };
    Some(NumberStyle::new(
        unit,
        range.0.abs().max(range.1.abs()),
        false,
    ))
}
