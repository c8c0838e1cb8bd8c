//! One pane: its bar, and its series as a graph or a table.

use egui::{
    Align, Button, CursorIcon, DragAndDrop, Layout, Rect, Response, Sense, Stroke, StrokeKind, Ui,
    UiBuilder, pos2, vec2,
};
use stats_core::Source;

use crate::app::views::{Sheet, Views, with_data};
use crate::data::pane_context::PaneContext;
use crate::data::selection::SelectedSeries;
use crate::distribution::ui::DistributionUi;
use crate::graph::ui::GraphUi;
use crate::graph::view::Ranges;
use crate::input::mode::PaneView;
use crate::statistics::ui::{Goal, StatisticsUi};
use crate::table::ui::TableUi;
use crate::tree::request::Dragged;
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{Theme, small_font};

/// The height of the bar above a pane.
pub(crate) const BAR: f32 = 26.0;
/// A pane less wide than this has its choices in a menu.
const LEAST_FOR_CHOICES: f32 = 560.0;

/// What a pane can be, by the name on its bar.
const VIEWS: [(PaneView, &str, &str); 4] = [
    (PaneView::Graph, "Graph", "Lines over the frames (T)"),
    (
        PaneView::Table,
        "Table",
        "A line of numbers for each frame (T)",
    ),
    (
        PaneView::Distribution,
        "Distribution",
        "Bars: how often which values occurred (D)",
    ),
    (
        PaneView::Statistics,
        "Statistics",
        "The frame times in figures: percentiles, lows, hitches, stutter (M)",
    ),
];

/// What the pointer carries while a pane is being moved: its id.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovedPane(pub(crate) u64);

/// One pane of the views.
pub(crate) struct PaneUi<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) views: &'a mut Views,
    pub(crate) source: &'a dyn Source,
    /// Its place among the panes.
    pub(crate) at: usize,
    /// Whether numbers are to be read anew.
    pub(crate) refresh: bool,
}

impl PaneUi<'_> {
    /// Draws the pane; returns whether it is to be removed.
    pub(crate) fn pane_ui(&mut self, ui: &mut Ui, rect: Rect) -> bool {
        let several = self.views.panes.len() > 1;
        let active = several && self.views.panes.active_at() == self.at;
        let (bar, rest) = rect.split_top_bottom_at_y(rect.top() + BAR.min(rect.height()));
        ui.painter().rect_filled(
            bar,
            0.0,
            self.theme
                .bar
                .gamma_multiply(if active { 1.0 } else { 0.55 }),
        );
        if active {
            ui.painter().vline(
                bar.left() + 1.0,
                bar.y_range(),
                Stroke::new(3.0, self.theme.accent),
            );
        }
        let removed = self.bar_ui(ui, bar.shrink2(vec2(6.0, 0.0)), several);
        let inner = rest.shrink2(vec2(4.0, 2.0));
        if inner.width() >= 30.0 && inner.height() >= 24.0 {
            self.content_ui(ui, inner);
        }
        self.drop_ui(ui, rect);
        if ui.input(|input| input.pointer.any_pressed()) && ui.rect_contains_pointer(rect) {
            self.views.panes.activate(self.at);
        }
        removed
    }

    /// The graph or the table.
    fn content_ui(&mut self, ui: &mut Ui, rect: Rect) {
        let mut ui = ui.new_child(UiBuilder::new().id_salt("content").max_rect(rect));
        let Views {
            panes,
            paused,
            linked,
            frames,
            tracks,
            settings,
            ..
        } = &mut *self.views;
        let pane = &mut panes.list_mut()[self.at];
        let (selected, revision, paused) = (
            pane.selection.selected(),
            pane.selection.revision(),
            paused.as_ref(),
        );
        let nothing = |selected: &SelectedSeries| match paused {
            _ if selected.is_missing() => "missing: nothing of this path is registered yet",
            // Of a histogram samples may be known from before, but not which of them.
            Some(snapshot) if !snapshot.had(&selected.path) => "selected after the pause",
            Some(snapshot) if !snapshot.holds(&selected.path) => "recorded after the pause",
            _ => "nothing recorded yet",
        };
        let absent: &dyn Fn(&SelectedSeries) -> &str = &|selected| match selected.unavailable() {
            "" => nothing(selected),
            why => why,
        };
        let (theme, refresh) = (self.theme, self.refresh);
        let mut goal = None;
        let deselected = with_data(
            paused,
            self.source,
            selected,
            tracks,
            frames.clone(),
            |data| {
                let context = PaneContext {
                    theme,
                    linked,
                    data,
                    selected,
                    absent,
                    refresh,
                    revision,
                };
                match pane.view {
                    PaneView::Graph => GraphUi {
                        pane: context,
                        view: &mut pane.graph,
                    }
                    .graph_ui(&mut ui, rect),
                    PaneView::Table => {
                        let spike = |at: usize, frame: u64| {
                            data.track(at)
                                .is_some_and(|track| track.spikes.is_spike(frame))
                        };
                        TableUi {
                            pane: context,
                            view: &mut pane.table,
                            spike: &spike,
                        }
                        .table_ui(&mut ui, rect);
                        None
                    }
                    PaneView::Distribution => DistributionUi {
                        pane: context,
                        view: &mut pane.distribution,
                    }
                    .distribution_ui(&mut ui, rect),
                    PaneView::Statistics => {
                        goal = StatisticsUi {
                            pane: context,
                            view: &mut pane.statistics,
                            settings,
                        }
                        .statistics_ui(&mut ui, rect);
                        None
                    }
                }
            },
        );
        if let Some(at) = deselected {
            let path = selected[at].path.clone();
            pane.selection.set(&path, false);
        }
        match goal {
            Some(Goal::Frame(frame)) => {
                // Live it would soon be gone.
                self.views.set_paused(true, Some(self.source));
                self.views.look_at(frame, self.source);
            }
            Some(Goal::Settings) => self.views.sheet = Some(Sheet::Settings),
            None => {}
        }
    }

    /// What is chosen above a pane; returns whether it is to be removed.
    fn bar_ui(&mut self, ui: &mut Ui, rect: Rect, several: bool) -> bool {
        let mut removed = false;
        let mut right = ui.new_child(
            UiBuilder::new()
                .id_salt("end")
                .max_rect(rect)
                .layout(Layout::right_to_left(Align::Center)),
        );
        right.set_clip_rect(rect.intersect(ui.clip_rect()));
        if several {
            removed = cross_ui(&mut right, self.theme)
                .on_hover_text("Remove this pane")
                .clicked();
        }
        let grip_right = right.min_rect().left() - 4.0;
        let mut left = ui.new_child(
            UiBuilder::new()
                .id_salt("bar")
                .max_rect(rect.with_max_x(grip_right))
                .layout(Layout::left_to_right(Align::Center)),
        );
        left.set_clip_rect(rect.with_max_x(grip_right).intersect(ui.clip_rect()));
        let view = self.views.panes.list()[self.at].view;
        for (of, name, help) in VIEWS {
            if choice(&mut left, self.theme, name, view == of)
                .on_hover_text(help)
                .clicked()
            {
                self.views.panes.list_mut()[self.at].view = of;
            }
        }
        left.add_space(10.0);
        match view {
            PaneView::Graph if rect.width() < LEAST_FOR_CHOICES => {
                _ = left.menu_button("Ranges", |ui| self.graph_choices_ui(ui))
            }
            PaneView::Graph => self.graph_choices_ui(&mut left),
            PaneView::Table => self.table_choices_ui(&mut left),
            PaneView::Distribution => self.views.panes.list_mut()[self.at]
                .distribution
                .choices_ui(&mut left, self.theme),
            PaneView::Statistics => self.views.panes.list_mut()[self.at]
                .statistics
                .choices_ui(&mut left, self.theme),
        }
        let title = rect
            .with_min_x(left.min_rect().right() + 12.0)
            .with_max_x(grip_right);
        if several && title.width() > 30.0 {
            self.title_ui(ui, title);
        }
        removed
    }

    /// The names of the series; the pane can be moved by it.
    fn title_ui(&mut self, ui: &Ui, rect: Rect) {
        let pane = &self.views.panes.list()[self.at];
        let id = ui.make_persistent_id("title");
        let response = ui.interact(rect, id, Sense::click_and_drag());
        let color = if response.hovered() {
            self.theme.text
        } else {
            self.theme.weak
        };
        let names: Vec<&str> = pane
            .selection
            .selected()
            .iter()
            .map(|selected| selected.name.as_str())
            .take(8)
            .collect();
        let text = if names.is_empty() {
            "empty".to_owned()
        } else {
            one_line(&names.join(", "), 160)
        };
        shapes::grip(
            ui.painter(),
            pos2(rect.left() + 4.0, rect.center().y),
            color,
        );
        shapes::text_in(
            ui.painter(),
            rect.with_min_x(rect.left() + 14.0),
            &text,
            small_font(),
            color,
        );
        accessibility::describe_button(ui.ctx(), id, || format!("Move pane {}", self.at + 1));
        if response.drag_started() {
            DragAndDrop::set_payload(ui.ctx(), MovedPane(pane.id));
        }
        response.on_hover_cursor(CursorIcon::Grab);
    }

    /// Ranges, logarithm, stacking.
    fn graph_choices_ui(&mut self, ui: &mut Ui) {
        let theme = self.theme;
        let pane = &mut self.views.panes.list_mut()[self.at];
        let chosen = pane.graph.chosen;
        for (ranges, name, help) in [
            (
                None,
                "Auto",
                "One range for all while units and values allow, otherwise each its own (Y)",
            ),
            (
                Some(Ranges::Shared),
                "Shared range",
                "All series on one axis (Y)",
            ),
            (
                Some(Ranges::Own),
                "Own ranges",
                "Each series over its own range, which the legend tells (Y)",
            ),
        ] {
            if choice(ui, theme, name, chosen == ranges)
                .on_hover_text(help)
                .clicked()
            {
                pane.graph.chosen = ranges;
            }
        }
        ui.add_space(10.0);
        if choice(ui, theme, "Log", pane.graph.log)
            .on_hover_text("Logarithmic values (L)")
            .clicked()
        {
            pane.graph.toggle_log();
        }
        if choice(ui, theme, "Stacked", pane.graph.stacked)
            .on_hover_text("Stacked areas, of series of one unit (S)")
            .clicked()
        {
            pane.graph.toggle_stacked();
        }
        if pane.graph.is_zoomed()
            && ui
                .button("Unzoom")
                .on_hover_text("Ranges of values that follow from the data again")
                .clicked()
        {
            pane.graph.unzoom();
        }
    }

    /// Getting the values out.
    fn table_choices_ui(&mut self, ui: &mut Ui) {
        if ui
            .button("Copy as TSV")
            .on_hover_text("The selected frames, or all, for a spreadsheet (Ctrl+C)")
            .clicked()
        {
            self.views.panes.activate(self.at);
            self.views.copy_tsv(self.source);
        }
        if ui
            .button("Save as CSV")
            .on_hover_text("The selected frames, or all, as a file (Ctrl+S)")
            .clicked()
        {
            self.views.panes.activate(self.at);
            self.views.save_csv(self.source);
        }
    }

    /// Takes counters that are dropped on the pane.
    fn drop_ui(&mut self, ui: &Ui, rect: Rect) {
        if !DragAndDrop::has_payload_of_type::<Dragged>(ui.ctx()) || !ui.rect_contains_pointer(rect)
        {
            return;
        }
        let stroke = Stroke::new(2.0, self.theme.accent);
        ui.painter().rect(
            rect,
            2.0,
            self.theme.accent.gamma_multiply(0.08),
            stroke,
            StrokeKind::Inside,
        );
        if ui.input(|input| input.pointer.any_released())
            && let Some(dragged) = DragAndDrop::take_payload::<Dragged>(ui.ctx())
        {
            let pane = &mut self.views.panes.list_mut()[self.at];
            dragged
                .paths
                .iter()
                .for_each(|path| pane.selection.set(path, true));
            self.views.panes.activate(self.at);
        }
    }
}

/// The cross that removes something.
fn cross_ui(ui: &mut Ui, theme: &Theme) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(20.0, 20.0), Sense::click());
    let color = if response.hovered() {
        theme.text
    } else {
        theme.weak
    };
    shapes::cross(ui.painter(), rect.center(), color);
    accessibility::describe_button(ui.ctx(), response.id, || "Remove pane".to_owned());
    response
}

/// One of several alternatives, underlined when it is the one.
pub(crate) fn choice(ui: &mut Ui, theme: &Theme, name: &str, chosen: bool) -> Response {
    let color = if chosen { theme.text } else { theme.weak };
    let response = ui.add(
        Button::new(egui::RichText::new(name).color(color))
            .selected(chosen)
            .frame_when_inactive(false),
    );
    if chosen {
        let rect = response.rect;
        let y = rect.bottom() + 1.0;
        ui.painter().line_segment(
            [pos2(rect.left() + 4.0, y), pos2(rect.right() - 4.0, y)],
            Stroke::new(2.0, theme.accent),
        );
    }
    response
}
