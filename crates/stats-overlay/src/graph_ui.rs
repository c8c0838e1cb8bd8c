//! The graph: the ticked series on one axis of frames, with a cursor and a legend.

use egui::{Align2, Color32, Id, PointerButton, Rect, Response, Stroke, TextWrapMode, Ui, UiBuilder, pos2, vec2};
use egui_plot::{GridMark, Plot, PlotItemBase, PlotTransform, log_grid_spacer};

use crate::color::series_color;
use crate::data::Data;
use crate::format::{NO_VALUE, NumberStyle, exact_text, whole_text};
use crate::graph_item::{Budget, GraphItem};
use crate::graph_view::{GraphView, Ranges, Shown, shown};
use crate::legend_ui::LegendUi;
use crate::names::one_line;
use crate::selection::Ticked;
use crate::series_shape::Scale;
use crate::theme::{Theme, small_font, text_font};

/// How far one notch of the wheel zooms.
const WHEEL_ZOOM: f32 = 0.004;

/// What the graph draws from and changes.
pub(crate) struct GraphUi<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) view: &'a mut GraphView,
    pub(crate) data: &'a dyn Data,
    pub(crate) ticked: &'a [Ticked],
    /// What stands in the legend instead of numbers, for a series without values.
    pub(crate) absent: &'a dyn Fn(&Ticked) -> &'static str,
    /// Whether the numbers of the legend are to be read anew.
    pub(crate) refresh: bool,
    /// Changes when other series are ticked.
    pub(crate) revision: u64,
}

impl GraphUi<'_> {
    /// Draws graph and legend into `rect`; returns the place of a series that the legend was asked to untick.
    pub(crate) fn graph_ui(&mut self, ui: &mut Ui, rect: Rect) -> Option<usize> {
        let legend_height = LegendUi::height(self.ticked.len(), rect.height());
        let (plot_rect, legend_rect) = rect.split_top_bottom_at_y(rect.bottom() - legend_height);
        let mut plot_ui = ui.new_child(UiBuilder::new().id_salt("plot").max_rect(plot_rect));
        let (shown, ranges) = self.plot_ui(&mut plot_ui, plot_rect);
        let texts = self.view.legend(self.ticked, &shown, self.refresh, self.revision).to_vec();
        let legend =
            LegendUi { theme: self.theme, ticked: self.ticked, texts: &texts, newest: self.view.follows, absent: self.absent };
        let own_ranges = (ranges == Ranges::Own && self.ticked.len() > 1).then_some(shown.as_slice());
        legend.legend_ui(ui, legend_rect, own_ranges)
    }

    fn plot_ui(&mut self, ui: &mut Ui, rect: Rect) -> (Vec<Shown>, Ranges) {
        ui.set_clip_rect(rect.intersect(ui.clip_rect()));
        ui.style_mut().text_styles.insert(egui::TextStyle::Body, small_font());
        let id = ui.make_persistent_id("graph");
        let frames = self.visible_frames(ui, id);
        let (shown, ranges) = shown(self.data, self.ticked, frames, self.view.chosen);
        let axis = axis_style(self.ticked, &shown, ranges);
        // Room for half of the first and the last label; beside an axis of values there is enough at the left.
        let left = if axis.is_some() { 0.0 } else { 14.0 };
        let rect = rect.with_min_x(rect.left() + left).with_max_x(rect.right() - 14.0);
        let mut ui = ui.new_child(UiBuilder::new().id_salt("inner").max_rect(rect));
        let ui = &mut ui;
        let plot = styled_plot(id, self.theme, axis, rect);
        let (theme, data, ticked) = (self.theme, self.data, self.ticked);
        let (follows, range) = (self.view.follows, axis_range(&shown, ranges));
        let items = &shown;
        let response = plot.show(ui, |plot| {
            if follows {
                plot.set_plot_bounds_x(frames.0..=frames.1);
            }
            plot.set_plot_bounds_y(range.0..=range.1);
            let mut mark_row = 0;
            for (at, shown) in items.iter().enumerate() {
                plot.add(item(theme, data, &ticked[at], at, shown, mark_row));
                mark_row += usize::from(ticked[at].budget().is_some());
            }
        });
        self.budget_labels_ui(ui, &response.transform, &shown);
        self.interact(ui, &response.response);
        self.cursor_ui(ui, &response.response, &response.transform);
        self.paint_hint(ui, *response.transform.frame(), &shown);
        (shown, ranges)
    }

    /// The frames at the left and right edge: the newest ones, or where the user moved to.
    fn visible_frames(&mut self, ui: &Ui, id: Id) -> (f64, f64) {
        let held = self.data.frames();
        let followed = self.view.followed(&held);
        let memory = egui_plot::PlotMemory::load(ui.ctx(), id);
        let Some(memory) = memory.filter(|_| !self.view.follows) else { return followed };
        let bounds = memory.bounds();
        (bounds.min()[0], bounds.max()[0])
    }

    /// Dragging stops following, the wheel zooms, a double click starts over.
    fn interact(&mut self, ui: &Ui, response: &Response) {
        if response.dragged_by(PointerButton::Primary) {
            self.view.follows = false;
        }
        if response.double_clicked() {
            self.view.reset();
        }
        let Some(pointer) = response.hover_pos() else { return };
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta.y, input.zoom_delta()));
        let factor = f64::from((scroll * WHEEL_ZOOM).exp() * pinch);
        if (factor - 1.0).abs() < 1e-6 {
            return;
        }
        if self.view.follows {
            let held = self.data.frames();
            self.view.zoom(factor, held.end - held.start);
        } else {
            self.zoom_around(ui, response, pointer.x, factor);
        }
    }

    fn zoom_around(&self, ui: &Ui, response: &Response, x: f32, factor: f64) {
        let Some(mut memory) = egui_plot::PlotMemory::load(ui.ctx(), response.id) else { return };
        let mut transform = memory.transform();
        transform.zoom(vec2(factor as f32, 1.0), pos2(x, response.rect.center().y));
        if transform.bounds().width() >= 4.0 && transform.bounds().width() <= 1e9 {
            memory.set_transform(transform);
            memory.store(ui.ctx(), response.id);
        }
    }

    /// A vertical line through the frame under the pointer, and its exact values.
    fn cursor_ui(&self, ui: &Ui, response: &Response, transform: &PlotTransform) {
        let Some(pointer) = response.hover_pos() else { return };
        let at = transform.value_from_position(pointer).x.round();
        let Some(frame) = (at >= 0.0).then_some(at as u64).and_then(|at| self.data.frame(at)) else { return };
        let x = transform.position_from_point_x(frame.index as f64);
        let painter = ui.painter().with_clip_rect(*transform.frame());
        painter.vline(x, transform.frame().y_range(), Stroke::new(1.0, self.theme.weak));
        response.clone().on_hover_ui_at_pointer(|ui| {
            // One line for each series, name and value side by side.
            ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
            ui.strong(format!("frame {}", whole_text(frame.index as f64)));
            ui.label(format!("frame time  {}", exact_text(round_us(frame.duration_ms), stats_core::Unit::Milliseconds)));
            for (at, ticked) in self.ticked.iter().enumerate().filter(|(_, ticked)| !ticked.is_frame_time()) {
                self.value_ui(ui, ticked, self.data.values(at).at(frame.index));
            }
        });
    }

    /// The names of the budgets at the left of their lines, each on a plate above the series.
    fn budget_labels_ui(&self, ui: &Ui, transform: &PlotTransform, shown: &[Shown]) {
        let frame = *transform.frame();
        let painter = ui.painter().with_clip_rect(frame.intersect(ui.clip_rect()));
        for (ticked, shown) in self.ticked.iter().zip(shown) {
            let Some(budget) = ticked.budget().filter(|_| shown.budget_near) else { continue };
            let value = NumberStyle::new(ticked.unit(), budget, budget.fract() == 0.0).text(budget);
            let text = format!("budget {value} {}", one_line(&ticked.name, 40));
            let color = series_color(ticked.slot, self.theme.dark);
            let galley = painter.layout_no_wrap(text, small_font(), color);
            let y = Scale { rect: frame, frames: (0.0, 1.0), values: shown.range }.y(budget);
            // Below the line where above it would leave the plot.
            let above = y - galley.size().y - 2.0;
            let top = if above > frame.top() + 8.0 { above } else { y + 2.0 };
            let rect = Rect::from_min_size(pos2(frame.left() + 6.0, top), galley.size());
            painter.rect_filled(rect.expand2(vec2(3.0, 0.0)), 2.0, self.theme.plot.gamma_multiply(0.8));
            painter.galley(rect.min, galley, color);
        }
    }

    fn value_ui(&self, ui: &mut Ui, ticked: &Ticked, value: Option<f64>) {
        let text = value.map_or(NO_VALUE.to_owned(), |value| exact_text(value, ticked.unit()));
        let over = matches!((value, ticked.budget()), (Some(value), Some(budget)) if value > budget);
        let note = if over { "  over budget" } else { "" };
        let color = series_color(ticked.slot, ui.visuals().dark_mode);
        ui.colored_label(color, format!("{}  {text}{note}", one_line(&ticked.name, 60)));
    }

    /// What to do when there is nothing to see yet.
    fn paint_hint(&self, ui: &Ui, rect: Rect, shown: &[Shown]) {
        let text = if self.ticked.is_empty() {
            "Tick counters in the tree to see them here"
        } else if shown.iter().all(|shown| shown.summary.is_none()) {
            "No frames here"
        } else {
            return;
        };
        ui.painter().text(rect.center(), Align2::CENTER_CENTER, text, text_font(), self.theme.weak);
    }
}

/// Microseconds are as exact as a clock is worth.
fn round_us(time_ms: f64) -> f64 {
    (time_ms * 1000.0).round() / 1000.0
}

fn item<'a>(theme: &Theme, data: &'a dyn Data, ticked: &Ticked, at: usize, shown: &Shown, mark_row: usize) -> GraphItem<'a> {
    let budget = ticked.budget().map(|value| Budget { value, mark_row, line: shown.budget_near });
    GraphItem {
        base: PlotItemBase::new(ticked.path.clone()),
        values: data.values(at),
        color: series_color(ticked.slot, theme.dark),
        range: shown.range,
        budget,
    }
}

/// How the values along the axis are written: with a unit when all series have that one, not at all when they share no range.
fn axis_style(ticked: &[Ticked], shown: &[Shown], ranges: Ranges) -> Option<NumberStyle> {
    let (first, range) = (ticked.first()?, shown.first()?.range);
    let same = ticked.iter().all(|ticked| ticked.unit() == first.unit());
    if ranges == Ranges::Own && ticked.len() > 1 {
        return None;
    }
    let unit = if same { first.unit() } else { stats_core::Unit::Count };
    Some(NumberStyle::new(unit, range.0.abs().max(range.1.abs()), false))
}

/// The plot's own range of values: that which is shared, or the share of each series' range.
fn axis_range(shown: &[Shown], ranges: Ranges) -> (f64, f64) {
    match (ranges, shown.first()) {
        (Ranges::Shared, Some(shown)) => shown.range,
        (Ranges::Own, Some(only)) if shown.len() == 1 => only.range,
        _ => (0.0, 1.0),
    }
}

fn styled_plot<'a>(id: Id, theme: &Theme, style: Option<NumberStyle>, rect: Rect) -> Plot<'a> {
    let text = move |mark: GridMark| style.map_or(String::new(), |style| style.for_step(mark.step_size).text(mark.value));
    let base = style.map_or(10, NumberStyle::grid_base);
    let frame_text = |mark: GridMark| {
        if mark.value < 0.0 || mark.value.fract() != 0.0 { String::new() } else { whole_text(mark.value) }
    };
    Plot::new("graph")
        .id(id)
        .width(rect.width())
        .height(rect.height())
        .allow_drag([true, false])
        .allow_zoom([false, false])
        .allow_scroll([false, false])
        .allow_axis_zoom_drag([false, false])
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .show_x(false)
        .show_y(false)
        .show_crosshair(false)
        .cursor_color(Color32::TRANSPARENT)
        .show_axes([true, style.is_some()])
        .y_axis_min_width(62.0)
        .grid_color(theme.grid)
        .grid_fade(0.35)
        .y_grid_spacer(log_grid_spacer(base))
        .grid_spacing(28.0..=140.0)
        .x_axis_formatter(move |mark, _| frame_text(mark))
        .y_axis_formatter(move |mark, _| text(mark))
}
