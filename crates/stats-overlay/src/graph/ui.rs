//! The layout of the graph: the plot over the frames that all panes share, and the legend.

use std::cell::RefCell;
use std::ops::RangeInclusive;

use egui::{Align2, Color32, Id, Rect, Ui, UiBuilder};
use egui_plot::{GridInput, GridMark, Plot, PlotItemBase};

use crate::data::pane_context::PaneContext;
use crate::data::selection::SelectedSeries;
use crate::data::view::Data;
use crate::graph::axis::{LEAST_DISTANCE, axis_style, marks, number, series_of_axis};
use crate::graph::item::GraphItem;
use crate::graph::legend::LegendOf;
use crate::graph::legend_ui::LegendUi;
use crate::graph::marks_ui::NOTE_WIDTH;
use crate::graph::picture_cache::PictureCache;
use crate::graph::ranges::Side;
use crate::graph::view::{GraphView, Shown};
use crate::paint::canvas::Canvas;
use crate::persist::saved::ValueRange;
use stats_analysis::axis::Mapping;
use stats_analysis::axis::on_axis;
use stats_analysis::buckets::bucket_width;
use stats_analysis::format::{NumberStyle, whole_text};
use stats_analysis::stack::Stack;
use stats_ui::theme::{Theme, small_font, text_font};

/// Room for the labels of the values, in points. It is the same in every pane, so that frames line
/// up.
pub(super) const VALUE_AXIS: f32 = 62.0;
/// The minimum height with room for the labels of frames, in points.
const LEAST_WITH_FRAMES: f32 = 90.0;
/// Room for half of the highest number of the axes, in points.
const HALF_NUMBER: f32 = 6.0;
/// Room for half of the last label of frames, in points.
const LAST_LABEL: f32 = 14.0;
/// A graph narrower than this, in points, has no axis at the right.
const LEAST_WITH_RIGHT_AXIS: f32 = 260.0;

/// Draws the graph of a pane.
pub(crate) struct GraphUi<'a> {
    pub(crate) pane: PaneContext<'a>,
    pub(crate) view: &'a mut GraphView,
    /// Whether there is room for an axis at the right.
    pub(crate) right_axis: bool,
}

impl GraphUi<'_> {
    /// Draws plot and legend into `rect`. Returns the index of a series to deselect, if that was
    /// clicked in the legend.
    pub(crate) fn graph_ui(&mut self, ui: &mut Ui, rect: Rect) -> Option<usize> {
        let (plot_rect, legend_rect) = LegendUi::split(rect, self.pane.selected.len());
        self.right_axis &= plot_rect.width() >= LEAST_WITH_RIGHT_AXIS;
        let mut plot_ui = ui.new_child(UiBuilder::new().id_salt("plot").max_rect(plot_rect));
        let (shown, ranges) = self.plot_ui(&mut plot_ui, plot_rect);
        let added = self.view.legend.is_longer(self.pane.selected.len());
        self.read_legend(&shown);
        let legend = LegendUi {
            theme: self.pane.theme,
            data: self.pane.data,
            selected: self.pane.selected,
            texts: self.view.legend.texts(),
            shown: &shown,
            ranges,
            mapping: self.view.mapping(),
            added,
            solo: self.view.solo.as_deref(),
            range_frames: self
                .pane
                .timeline
                .selected_range
                .as_ref()
                .map(|range| range.end - range.start),
            cursor: self.pane.timeline.marked(),
            marks: self
                .pane
                .timeline
                .marked()
                .map_or_else(String::new, |frame| self.marks_of(frame)),
            newest: self.pane.timeline.follows(),
            absent: self.pane.absent,
        };
        let asked = legend.legend_ui(ui, legend_rect);
        if let Some(at) = asked.pointed.filter(|&at| shown[at].side == Side::Legend) {
            self.view.pointed_unit = Some(self.pane.selected[at].unit());
        }
        if let Some(at) = asked.solo {
            self.view.toggle_solo(&self.pane.selected[at].path);
        }
        asked.deselect
    }

    /// Updates the numbers of the legend, if that is due.
    pub(super) fn read_legend(&mut self, shown: &[Shown]) {
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
        self.view.legend.update(
            self.pane.data,
            self.pane.selected,
            shown,
            self.pane.refresh,
            of,
        );
    }

    /// Draws the plot into `rect`. Returns what it shows of every series, and which of them share a
    /// range.
    fn plot_ui(&mut self, ui: &mut Ui, rect: Rect) -> (Vec<Shown>, ValueRange) {
        ui.set_clip_rect(rect.intersect(ui.clip_rect()));
        ui.style_mut()
            .text_styles
            .insert(egui::TextStyle::Body, small_font());
        let frames = self.pane.timeline.visible(&self.pane.data.frames());
        let (mut shown, mut ranges) =
            self.view
                .shown(self.pane.data, self.pane.selected, frames, self.right_axis);
        let mut pictures = std::mem::take(&mut self.view.pictures);
        pictures.truncate(self.pane.selected.len());
        let (pictures, revision) = (RefCell::new(pictures), self.pane.revision);
        let mut stack = std::mem::take(&mut self.view.stack);
        let stacks = self.fill_stack(
            &mut stack,
            frames,
            &mut shown,
            rect.width() * ui.ctx().pixels_per_point(),
        );
        if stacks {
            ranges = ValueRange::Shared;
        }
        let room = if self.right_axis {
            VALUE_AXIS
        } else {
            LAST_LABEL
        };
        let rect = rect
            .with_max_x(rect.right() - room)
            .with_min_y(rect.top() + HALF_NUMBER);
        let mut ui = ui.new_child(UiBuilder::new().id_salt("inner").max_rect(rect));
        let ui = &mut ui;
        let id = ui.make_persistent_id("graph");
        let axis = axis_style(self.pane.selected, &shown, Side::Left);
        let mapping = self.view.mapping();
        let plot = styled_plot(id, self.pane.theme, axis, mapping, rect, self.right_axis);
        let (theme, data, selected) = (self.pane.theme, self.pane.data, self.pane.selected);
        let (bottom, top) =
            series_of_axis(&shown, Side::Left).map_or((0.0, 1.0), |at| shown[at].range);
        let response = plot.show(ui, |plot| {
            plot.set_plot_bounds_x(frames.0..=frames.1);
            plot.set_plot_bounds_y(on_axis(mapping, bottom)..=on_axis(mapping, top));
            let seen = shown.iter().enumerate().filter(|(_, shown)| !shown.hidden);
            for (layer, (at, shown)) in seen.enumerate() {
                let mut item = item(theme, data, &selected[at], at, shown, &pictures);
                item.revision = revision;
                item.mapping = mapping;
                item.band = stack.band(layer).filter(|_| stacks);
                plot.add(item);
            }
        });
        self.view.stack = stack;
        self.view.pictures = pictures.into_inner();
        let canvas = Canvas::within(ui, rect);
        let transform = response.transform;
        let note = if self.says_not_stacked(stacks) {
            NOTE_WIDTH
        } else {
            0.0
        };
        let mut taken = Vec::new();
        if !stacks {
            taken = self.over_budget_ui(&canvas, &transform, &shown);
        }
        self.spike_marks_ui(&canvas, &transform, &shown, stacks);
        taken.extend(self.frame_marks_ui(&canvas, &transform, note));
        taken.extend(self.axes_ui(ui, &transform, &shown, ranges));
        self.marks_ui(&canvas, &transform);
        self.budget_labels_ui(&canvas, &transform, &shown, taken);
        self.interact(ui, &response.response, &transform, &shown);
        self.cursor_ui(ui, &response.response, &transform);
        self.paint_hint(&canvas, *transform.frame(), &shown, stacks);
        (shown, ranges)
    }

    /// Stacks the visible series if the user asked for that and all have one unit. Each then gets
    /// the range of the whole stack. Returns whether they are stacked.
    pub(super) fn fill_stack(
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
        // The stack ends at the newest frame: missing values beyond it would be drawn as zero.
        let held = self.pane.data.frames();
        let within =
            held.start.max(frames.0.max(0.0) as u64)..held.end.min(frames.1.max(0.0) as u64 + 1);
        stack.fill(
            seen.iter()
                .map(|&at| (self.pane.data.values(at), self.pane.data.track(at))),
            within,
            width,
        );
        let unit = self.pane.selected[seen[0]].unit();
        let range = self.view.stacked_range(stack.highest(), unit);
        for &at in &seen {
            shown[at].range = range;
            shown[at].side = Side::Left;
            shown[at].budget_near = false;
        }
        true
    }

    /// Returns whether a note explains why series are not stacked.
    pub(super) fn says_not_stacked(&self, stacks: bool) -> bool {
        self.view.stacked && !stacks && self.pane.selected.len() > 1
    }

    /// Draws a hint if there is nothing to see yet, and why series are not stacked.
    pub(super) fn paint_hint(&self, ui: &Canvas, rect: Rect, shown: &[Shown], stacks: bool) {
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

/// Returns the plot item of a series, without what depends on the other series.
pub(super) fn item<'a>(
    theme: &Theme,
    data: &'a dyn Data,
    selected: &SelectedSeries,
    at: usize,
    shown: &Shown,
    cache: &'a RefCell<PictureCache>,
) -> GraphItem<'a> {
    GraphItem {
        base: PlotItemBase::new(selected.path.clone()),
        values: data.values(at),
        track: data.track(at),
        color: theme.series(selected.slot),
        range: shown.range,
        mapping: Mapping::Linear,
        budget_line: selected.budget().filter(|_| shown.budget_near),
        place: at,
        band: None,
        revision: 0,
        cache,
    }
}

/// Returns a plot without interaction. What the pointer does in it is handled in `input`.
fn styled_plot<'a>(
    id: Id,
    theme: &Theme,
    style: Option<NumberStyle>,
    mapping: Mapping,
    rect: Rect,
    right_axis: bool,
) -> Plot<'a> {
    let text =
        move |mark: GridMark| style.map_or_else(String::new, |style| number(mark, style, mapping));
    let frame_text = move |mark: GridMark, shown: &RangeInclusive<f64>| {
        // No label where it would overlap the lowest label of the values.
        let margin = (shown.end() - shown.start()) * 0.03;
        let first = (shown.start() + margin).max(0.0);
        let last = shown.end() - if right_axis { margin } else { 0.0 };
        if !(first..=last).contains(&mark.value) || mark.value.fract() != 0.0 {
            String::new()
        } else {
            whole_text(mark.value)
        }
    };
    let base = style.map_or(10, NumberStyle::grid_base);
    let spacer = move |input: GridInput| marks(input, mapping, base);
    Plot::new("graph")
        .id(id)
        .width(rect.width())
        .height(rect.height())
        .allow_drag([false, false])
        .allow_zoom([false, false])
        .allow_scroll([false, false])
        .allow_axis_zoom_drag([false, false])
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .show_x(false)
        .show_y(false)
        .show_crosshair(false)
        .cursor_color(Color32::TRANSPARENT)
        .show_axes([rect.height() >= LEAST_WITH_FRAMES, true])
        .y_axis_min_width(VALUE_AXIS)
        .grid_color(theme.grid)
        .grid_fade(0.35)
        .y_grid_spacer(spacer)
        .grid_spacing(LEAST_DISTANCE..=100.0)
        .x_axis_formatter(move |mark, shown| frame_text(mark, shown))
        .y_axis_formatter(move |mark, _| text(mark))
}
