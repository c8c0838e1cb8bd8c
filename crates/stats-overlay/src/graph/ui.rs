//! The layout of the graph: the plot over the frames that all panes share, and the legend.

use egui::{Align2, Painter, Rect, Response, Sense, Shape};

use crate::graph::axis::{axis_style, series_of_axis};
use crate::graph::choices::ValueRange;
use crate::graph::graph_ui::GraphUi;
use crate::graph::grid::{HALF_NUMBER, VALUE_AXIS, ValueAxis};
use crate::graph::legend::LegendOf;
use crate::graph::legend_ui::{LegendClicks, LegendUi, RangeOf};
use crate::graph::marks_ui::NOTE_WIDTH;
use crate::graph::picture::{BUCKETS_BESIDE, Frame, VisibleSeries};
use crate::graph::ranges::Side;
use crate::graph::shown::Shown;
use crate::graph::transform::Transform;
use crate::graph::underlay::{Underlay, baseline_in_view, label_baseline};
use crate::graph::usual::UsualOf;
use crate::paint::canvas::Canvas;
use crate::paint::scale::Scale;
use crate::view::PaneRequest;
use stats_analysis::axis::on_axis;
use stats_analysis::buckets::bucket_width;
use stats_analysis::stack::Stack;
use stats_ui::shapes;
use stats_ui::theme::{small_font, text_font};

/// Room for half of the last label of frames, in points.
const LAST_LABEL: f32 = 14.0;
/// A graph narrower than this, in points, has no axis on the right.
const LEAST_WITH_RIGHT_AXIS: f32 = 260.0;
const LEAST_WITH_RIGHT_AXIS_OVER_GAME: f32 = 320.0;
/// Over a game, a graph narrower than this, in points, has no numbers of values.
const LEAST_WITH_AXIS_OVER_GAME: f32 = 200.0;

/// The first pass that draws the series into the grid, and the first one that draws the legend,
/// without its rows.
const SERIES_FROM: u8 = 2;
const LEGEND_FROM: u8 = 3;
/// The number of rows of the legend that appear in a later pass.
const ROWS_IN_A_PASS: usize = 2;

impl GraphUi<'_> {
    /// Draws the plot and the legend into `rect`. Returns the request to deselect a series, if the
    /// user clicked its cross in the legend.
    pub(super) fn graph_ui(&mut self, canvas: &mut Canvas<'_>, rect: Rect) -> Option<PaneRequest> {
        let (over_game, selected) = (canvas.is_over_game(), self.pane.selected);
        let aligned = &mut self.pane.aligned;
        let (plot, legend) = match over_game {
            true => LegendUi::split_over_game(rect, selected.len()),
            false => LegendUi::split(rect, selected.len(), aligned.legend_beside),
        };
        aligned.right_axis = match over_game {
            false => aligned.right_axis && plot.width() >= LEAST_WITH_RIGHT_AXIS,
            true => {
                plot.width() >= LEAST_WITH_RIGHT_AXIS_OVER_GAME
                    && self.view.has_right_axis(selected)
            }
        };
        let passes = if over_game {
            u8::MAX
        } else {
            self.view.passes = self.view.passes.saturating_add(1);
            self.view.passes
        };
        let (shown, ranges) = canvas.part("plot", plot, |canvas| {
            self.plot_ui(canvas, plot, passes >= SERIES_FROM)
        });
        if passes < LEGEND_FROM {
            return None;
        }
        let added = self.view.legend.first_added(selected.len());
        self.read_legend(&shown);
        let mut shapes = std::mem::take(&mut self.view.legend_shapes);
        let mut compact = std::mem::take(&mut self.view.compact_legend);
        let cursor = self.pane.frame_axis.marked();
        let range = self.pane.frame_axis.selected_range.as_ref();
        let legend_ui = LegendUi {
            theme: self.pane.theme,
            data: self.pane.data,
            selected,
            texts: self.view.legend.texts(),
            numbers: self.view.legend.revision,
            shown: &shown,
            ranges,
            mapping: self.view.mapping(),
            added,
            has_baseline: !self.pane.baseline.is_empty(),
            solo: self.view.choices.solo.as_deref(),
            range: range.map(|range| RangeOf {
                frames: range.end - range.start,
                hitches: match self.pane.settings.hitches {
                    true => self.pane.found.hitches(range.clone()).count(),
                    false => 0,
                },
            }),
            cursor,
            marks: cursor.map_or_else(String::new, |frame| self.marks_of(frame)),
            newest: self.pane.frame_axis.follows(),
            absent: self.pane.absent,
            max_rows: usize::from(passes - LEGEND_FROM) * ROWS_IN_A_PASS,
        };
        let mut clicks = LegendClicks::default();
        match canvas.ui() {
            Some(ui) => clicks = legend_ui.legend_ui(ui, legend, &mut shapes),
            None => {
                canvas.ground(legend, self.pane.theme);
                let of = (self.pane.revision, self.pane.refresh);
                legend_ui.compact_ui(canvas, legend, of, &mut compact);
            }
        }
        (self.view.legend_shapes, self.view.compact_legend) = (shapes, compact);
        self.view.pointed = clicks.pointed;
        if let Some(at) = clicks.pointed.filter(|&at| shown[at].side == Side::Legend) {
            self.view.pointed_unit = Some(selected[at].unit());
        }
        if let Some(at) = clicks.solo {
            self.view.toggle_solo(&selected[at].path);
        }
        let path = |at: usize| selected[at].path.clone();
        let edited = clicks.budget.map(path).map(PaneRequest::EditBudget);
        edited.or(clicks.deselect.map(path).map(PaneRequest::Deselect))
    }

    /// Updates the numbers of the legend if a refresh is due.
    fn read_legend(&mut self, shown: &[Shown]) {
        let selected_range = self.pane.frame_axis.selected_range.clone();
        let tracks = (0..self.pane.selected.len()).filter_map(|at| self.pane.data.track(at));
        // Only the search for spikes changes the numbers of selected frames.
        let end = selected_range.as_ref().map_or(0, |range| range.end);
        let searched = tracks.map(|track| track.spikes.seen_until().min(end)).sum();
        let of = LegendOf {
            revision: self.pane.revision,
            selected_range,
            searched,
            baseline: self.pane.baseline.revision(),
        };
        self.view.legend.update(
            self.pane.data,
            (self.pane.selected, self.pane.baseline),
            shown,
            self.pane.refresh,
            of,
        );
    }

    /// Draws the plot into `rect`. Returns the visible part of every series, and which of them
    /// share a range.
    fn plot_ui(
        &mut self,
        canvas: &mut Canvas<'_>,
        rect: Rect,
        has_series: bool,
    ) -> (Vec<Shown>, ValueRange) {
        let (theme, over_game) = (self.pane.theme, canvas.is_over_game());
        let (frames, span) = self.pane.frame_axis.drawn(&self.pane.data.frames());
        let (mut shown, mut ranges) = self.view.shown(
            self.pane.data,
            self.pane.selected,
            frames,
            UsualOf {
                refresh: self.pane.refresh,
                revision: self.pane.revision,
                left: self.pane.frame_axis.left,
                span,
                columns: rect.width() * canvas.pixels_per_point(),
            },
            self.pane.aligned.right_axis,
        );
        let mut stack = std::mem::take(&mut self.view.stack);
        let (left, right) = match (over_game, self.pane.aligned.right_axis) {
            (true, _) if rect.width() < LEAST_WITH_AXIS_OVER_GAME => (0.0, 0.0),
            (_, true) => (VALUE_AXIS, VALUE_AXIS),
            (true, false) => (VALUE_AXIS, 0.0),
            (false, false) => (VALUE_AXIS, LAST_LABEL),
        };
        let pixels = (rect.width() - left - right) * canvas.pixels_per_point();
        let stacks = self.fill_stack(&mut stack, (frames, span), &mut shown, pixels);
        if stacks {
            ranges = ValueRange::Shared;
        }
        // The canvas includes the upper half of the topmost number.
        let inner = rect.with_max_x(rect.right() - right);
        let still = canvas.still(inner);
        let inner = inner.with_min_y(inner.top() + HALF_NUMBER);
        let axis = ValueAxis {
            range: self.left_range(&shown),
            mapping: self.view.mapping(),
            style: axis_style(self.pane.selected, &shown, Side::Left),
            height: 0.0,
            width: left,
            is_sparse: over_game,
        };
        let transform = self.view.grid.lay_out(&still, inner, frames, axis);
        if over_game {
            let plot = transform.plot();
            let (above, rest) = rect.split_top_bottom_at_y(plot.top());
            let (middle, below) = rest.split_top_bottom_at_y(plot.bottom());
            let (before, rest) = middle.split_left_right_at_x(plot.left());
            let (_, after) = rest.split_left_right_at_x(plot.right());
            for part in [above, below, before, after] {
                canvas.ground(part, theme);
            }
        }
        let has_right = self.pane.aligned.right_axis;
        let data = self.pane.data;
        let secs = |frame| data.frame(frame).map(|frame| frame.start_secs);
        let secs: Option<&dyn Fn(u64) -> Option<f64>> = match self.pane.settings.seconds {
            true => Some(&secs),
            false => None,
        };
        let grid = &mut self.view.grid;
        grid.paint(&still, theme, &transform, has_right, secs);
        if has_series {
            self.paint_series(&still, (&transform, span), &shown, stacks.then_some(&stack));
        }
        self.view.stack = stack;
        let id = canvas.make_persistent_id("graph");
        let response = canvas.interact(transform.plot(), id, Sense::click_and_drag());
        let mut taken = self.marked_ui(&still, &transform, &shown, stacks);
        taken.extend(self.axes_ui(canvas, rect, &transform, &shown, ranges));
        self.marks_ui(&still, &transform);
        let pointer = response.as_ref().and_then(Response::hover_pos);
        if !stacks {
            self.budget_tags_ui(&still, &transform, &shown, pointer, &taken);
        }
        if let (Some(ui), Some(response)) = (canvas.ui(), response) {
            self.interact(ui, &response, &transform, &shown);
            self.cursor_ui(ui, &response, &transform);
        }
        self.paint_hint(&still, transform.plot(), &shown, stacks);
        (shown, ranges)
    }

    /// Draws spans over budget, spikes, marks and values beyond the axis. Returns the places of their texts.
    fn marked_ui(
        &mut self,
        canvas: &Canvas<'_>,
        transform: &Transform,
        shown: &[Shown],
        stacks: bool,
    ) -> Vec<Rect> {
        let says_not_stacked = self.says_not_stacked(stacks);
        let note = if says_not_stacked { NOTE_WIDTH } else { 0.0 };
        if !stacks {
            self.over_budget_ui(canvas, transform, shown);
        }
        self.spike_marks_ui(canvas, transform, shown, stacks);
        let mut taken = self.frame_marks_ui(canvas, transform, note);
        if !stacks {
            taken.extend(self.cuts_ui(canvas, transform, shown, &taken));
        }
        taken
    }

    /// Returns the ends of the left axis: values, or their logarithms.
    fn left_range(&self, shown: &[Shown]) -> (f64, f64) {
        let mapping = self.view.mapping();
        let range = series_of_axis(shown, Side::Left).map_or((0.0, 1.0), |at| shown[at].range);
        (on_axis(mapping, range.0), on_axis(mapping, range.1))
    }

    /// Paints the visible series above the bands of the baseline and the lines of their budgets. If
    /// there is a `stack`, paints the series as its bands.
    fn paint_series(
        &mut self,
        canvas: &Canvas<'_>,
        (transform, span): (&Transform, f64),
        shown: &[Shown],
        stack: Option<&Stack>,
    ) {
        let (theme, data, selected) = (self.pane.theme, self.pane.data, self.pane.selected);
        let (mapping, plot, baseline) = (self.view.mapping(), transform.plot(), self.pane.baseline);
        let painter = canvas.painter_in(plot);
        let frames = transform.frames();
        let seen = || (0..shown.len()).filter(|&at| !shown[at].hidden);
        let pixels_per_point = canvas.pixels_per_point();
        let below = self.view.below.shape(|mesh| {
            for at in seen() {
                let underlay = Underlay {
                    color: theme.series(selected[at].slot),
                    scale: Scale::new(plot, frames, shown[at].range, mapping),
                    pixel: 1.0 / pixels_per_point,
                };
                // The bands of a stack begin at different heights.
                if let Some(marked) = baseline.of(&selected[at]).filter(|_| stack.is_none()) {
                    underlay.push_baseline(mesh, marked);
                }
                if let Some(budget) = selected[at].budget().filter(|_| shown[at].budget_near) {
                    underlay.push_budget(mesh, budget);
                }
            }
        });
        if !matches!(&below, Shape::Mesh(mesh) if mesh.is_empty()) {
            painter.add(below);
        }
        let frame = Frame {
            rect: plot,
            pixels_per_point,
            max_side: canvas.ctx().input(|input| input.max_texture_side),
            left: frames.0,
            span,
            mapping,
            line_width: if canvas.is_over_game() { 2.0 } else { 1.5 },
            revision: self.pane.revision,
        };
        let series = seen().map(|at| VisibleSeries {
            at,
            values: data.values(at),
            track: data.track(at),
            color: theme.series(selected[at].slot),
            range: shown[at].range,
        });
        self.view.picture.read(&frame, series, stack);
        self.view.picture.paint(&painter, &frame, stack);
        if stack.is_none() {
            self.name_baseline(&painter, transform, shown);
        }
    }

    /// Says at the tallest band of the baseline what all of them are.
    fn name_baseline(&self, painter: &Painter, transform: &Transform, shown: &[Shown]) {
        let (theme, selected, plot) = (self.pane.theme, self.pane.selected, transform.plot());
        let band = |at: usize| {
            let (range, mapping) = (shown[at].range, self.view.mapping());
            let scale = Scale::new(plot, transform.frames(), range, mapping);
            let band = baseline_in_view(&scale, self.pane.baseline.of(&selected[at])?)?;
            Some((band, theme.series(selected[at].slot)))
        };
        let seen = (0..shown.len()).filter(|&at| !shown[at].hidden);
        let tallest = seen
            .filter_map(band)
            .max_by(|a, b| a.0.height().total_cmp(&b.0.height()));
        if let Some((band, color)) = tallest {
            label_baseline(painter, plot, band, (color, theme.plot));
        }
    }

    /// Stacks the visible series if the user turned stacking on and all have the same unit. Each
    /// series then gets the range of the whole stack. Returns whether they are stacked.
    fn fill_stack(
        &self,
        stack: &mut Stack,
        (frames, span): ((f64, f64), f64),
        shown: &mut [Shown],
        pixels: f32,
    ) -> bool {
        if !self.view.is_stacked() {
            return false;
        }
        let seen: Vec<usize> = (0..shown.len()).filter(|&at| !shown[at].hidden).collect();
        let same_unit = seen
            .windows(2)
            .all(|pair| self.pane.selected[pair[0]].unit() == self.pane.selected[pair[1]].unit());
        if !same_unit || seen.len() < 2 {
            return false;
        }
        let width = bucket_width(span, f64::from(pixels));
        let visible = frames.0.max(0.0) as u64..frames.1.max(0.0) as u64 + 1;
        // The picture also needs the buckets beside those on screen.
        let beside = width * BUCKETS_BESIDE;
        // The stack ends at the newest frame: missing values beyond it would be drawn as zero.
        let held = self.pane.data.frames();
        let within = held.start.max(visible.start.saturating_sub(beside))
            ..held.end.min(visible.end + beside);
        stack.fill(
            seen.iter()
                .map(|&at| (self.pane.data.values(at), self.pane.data.track(at))),
            within,
            width,
        );
        let unit = self.pane.selected[seen[0]].unit();
        let range = self.view.stacked_range(stack.highest(visible), unit);
        for &at in &seen {
            shown[at].range = range;
            shown[at].side = Side::Left;
            shown[at].budget_near = false;
        }
        true
    }

    /// Returns whether a note explains why series are not stacked.
    fn says_not_stacked(&self, stacks: bool) -> bool {
        self.view.is_stacked() && !stacks && self.pane.selected.len() > 1
    }

    /// Draws a hint if there is nothing to see yet, and a note if series are not stacked.
    fn paint_hint(&self, ui: &Canvas<'_>, rect: Rect, shown: &[Shown], stacks: bool) {
        let (painter, weak) = (ui.painter(), self.pane.theme.weak);
        if self.says_not_stacked(stacks) {
            let note = "not stacked: series of different units";
            let corner = rect.right_top() + egui::vec2(-6.0, 22.0);
            painter.text(corner, Align2::RIGHT_TOP, note, small_font(), weak);
        }
        let text = if self.pane.selected.is_empty() {
            "Select counters in the tree to see them here, or drag them in"
        } else if shown.iter().all(|shown| shown.summary.is_none()) {
            "No frames here"
        } else {
            return;
        };
        let galley = shapes::fitted(painter, text, text_font(), weak, rect.width() - 8.0);
        let place = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size());
        painter.galley(place.min, galley, weak);
    }
}
