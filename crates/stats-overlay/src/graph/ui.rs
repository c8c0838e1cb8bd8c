//! The layout of the graph: the plot over the frames that all panes share, and the legend.

use std::cell::RefCell;
use std::ops::RangeInclusive;

use egui::{Align2, Color32, Id, Rect, Ui, UiBuilder};
use egui_plot::{GridInput, GridMark, Plot, PlotItemBase};

use crate::data::pane_context::PaneContext;
use crate::data::selection::SelectedSeries;
use crate::data::view::Data;
use crate::graph::axis::{marks, series_of_axis};
use crate::graph::item::GraphItem;
use crate::graph::legend::LegendOf;
use crate::graph::legend_ui::LegendUi;
use crate::graph::marks_ui::NOTE_WIDTH;
use crate::graph::picture_cache::PictureCache;
use crate::graph::view::{GraphView, Ranges, Shown};
use crate::paint::canvas::Canvas;
use stats_analysis::axis::Mapping;
use stats_analysis::axis::on_axis;
use stats_analysis::buckets::bucket_width;
use stats_analysis::format::{NumberStyle, value_text, whole_text};
use stats_analysis::stack::Stack;
use stats_ui::theme::{Theme, small_font, text_font};

/// Room for the labels of the values, in points. It is the same in every pane, so that frames line
/// up.
pub(super) const VALUE_AXIS: f32 = 62.0;
/// The least height that has room for the labels of frames, in points.
const LEAST_WITH_FRAMES: f32 = 90.0;

/// Draws the graph of a pane.
pub(crate) struct GraphUi<'a> {
    pub(crate) pane: PaneContext<'a>,
    pub(crate) view: &'a mut GraphView,
}

impl GraphUi<'_> {
    /// Draws plot and legend into `rect`. Returns the index of a series to deselect, if the legend
    /// was asked for that.
    pub(crate) fn graph_ui(&mut self, ui: &mut Ui, rect: Rect) -> Option<usize> {
        let (plot_rect, legend_rect) = LegendUi::split(rect, self.pane.selected.len());
        let mut plot_ui = ui.new_child(UiBuilder::new().id_salt("plot").max_rect(plot_rect));
        let (shown, ranges) = self.plot_ui(&mut plot_ui, plot_rect);
        self.read_legend(&shown);
        let own_ranges =
            (ranges == Ranges::Own && self.pane.selected.len() > 1).then_some(shown.as_slice());
        let legend = LegendUi {
            theme: self.pane.theme,
            data: self.pane.data,
            selected: self.pane.selected,
            texts: self.view.legend.texts(),
            own_ranges,
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

    /// Draws the plot into `rect`. Returns what it shows of every series, and whether they share a
    /// range.
    fn plot_ui(&mut self, ui: &mut Ui, rect: Rect) -> (Vec<Shown>, Ranges) {
        ui.set_clip_rect(rect.intersect(ui.clip_rect()));
        ui.style_mut()
            .text_styles
            .insert(egui::TextStyle::Body, small_font());
        let frames = self.pane.timeline.visible(&self.pane.data.frames());
        let (mut shown, mut ranges) = self.view.shown(self.pane.data, self.pane.selected, frames);
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
            ranges = Ranges::Shared;
        }
        // Room for half of the last label.
        let rect = rect.with_max_x(rect.right() - 14.0);
        let mut ui = ui.new_child(UiBuilder::new().id_salt("inner").max_rect(rect));
        let ui = &mut ui;
        let id = ui.make_persistent_id("graph");
        let axis = axis_style(self.pane.selected, &shown, ranges);
        let mapping = self.view.mapping();
        let plot = styled_plot(id, self.pane.theme, axis, mapping, rect);
        let (theme, data, selected) = (self.pane.theme, self.pane.data, self.pane.selected);
        let (bottom, top) = series_of_axis(&shown).map_or((0.0, 1.0), |at| shown[at].range);
        let response = plot.show(ui, |plot| {
            plot.set_plot_bounds_x(frames.0..=frames.1);
            plot.set_plot_bounds_y(on_axis(mapping, bottom)..=on_axis(mapping, top));
            let seen = shown.iter().enumerate().filter(|(_, shown)| !shown.hidden);
            for (mark_row, (at, shown)) in seen.enumerate() {
                let mut item = item(theme, data, &selected[at], at, shown, &pictures);
                item.revision = revision;
                item.mapping = mapping;
                item.mark_row = mark_row;
                item.band = stack.band(mark_row).filter(|_| stacks);
                plot.add(item);
            }
        });
        self.view.stack = stack;
        self.view.pictures = pictures.into_inner();
        let canvas = Canvas::within(ui, rect);
        let transform = response.transform;
        let series = shown.iter().filter(|shown| !shown.hidden).count();
        let note = if self.says_not_stacked(stacks) {
            NOTE_WIDTH
        } else {
            0.0
        };
        let names = self.frame_marks_ui(&canvas, &transform, series, note);
        self.axis_series_ui(ui, &transform, &shown, ranges);
        self.marks_ui(&canvas, &transform);
        self.budget_labels_ui(&canvas, &transform, &shown, names);
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
    pub(super) fn says_not_stacked(&self, stacks: bool) -> bool {
        self.view.stacked && !stacks && self.pane.selected.len() > 1
    }

    /// Draws what to do if there is nothing to see yet, and why series are not stacked.
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
        alert: theme.alert,
        range: shown.range,
        mapping: Mapping::Linear,
        budget_line: selected.budget().filter(|_| shown.budget_near),
        place: at,
        mark_row: 0,
        band: None,
        revision: 0,
        cache,
    }
}

/// Returns how the values along the axis are written: with a unit, unless series of different units
/// share a range.
pub(super) fn axis_style(
    selected: &[SelectedSeries],
    shown: &[Shown],
    ranges: Ranges,
) -> Option<NumberStyle> {
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

/// Returns the text of a mark on the axis of values.
pub(super) fn mark_text(style: NumberStyle, mapping: Mapping, mark: &GridMark) -> String {
    match mapping {
        Mapping::Linear => style.for_step(mark.step_size).text(mark.value),
        Mapping::Log => {
            let value = 10f64.powf(mark.value);
            value_text((value * 1e9).round() / 1e9, style.unit())
        }
    }
}

/// Returns a plot without interaction. What the pointer does in it is handled in `input`.
fn styled_plot<'a>(
    id: Id,
    theme: &Theme,
    style: Option<NumberStyle>,
    mapping: Mapping,
    rect: Rect,
) -> Plot<'a> {
    let text = move |mark: GridMark| {
        style.map_or_else(String::new, |style| mark_text(style, mapping, &mark))
    };
    let frame_text = |mark: GridMark, shown: &RangeInclusive<f64>| {
        // Not where the label would overlap the lowest label of the values.
        let first = shown.start() + (shown.end() - shown.start()) * 0.03;
        if mark.value < first.max(0.0) || mark.value.fract() != 0.0 {
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
        .grid_spacing(28.0..=140.0)
        .x_axis_formatter(move |mark, shown| frame_text(mark, shown))
        .y_axis_formatter(move |mark, _| text(mark))
}
