//! The panel: header, tree and view. Over the whole screen in full mode, or inside a panel of the host.

use egui::{
    Align, Area, Button, Color32, Context, CornerRadius, CursorIcon, Id, LayerId, Layout, Order, Rect, Response, Sense, Stroke,
    StrokeKind, Ui, UiBuilder, pos2, vec2,
};
use stats_core::Source;

use crate::access;
use crate::format::whole_text;
use crate::graph_ui::GraphUi;
use crate::graph_view::Ranges;
use crate::keyboard::take_keyboard;
use crate::paint;
use crate::selection::Ticked;
use crate::table_ui::TableUi;
use crate::theme::{Theme, small_font, text_font};
use crate::tree_ui::TreeUi;
use crate::tsv::tsv;
use crate::views::{Mode, View, Views, theme_of, with_data};

const HEADER: f32 = 34.0;
const BAR: f32 = 34.0;
/// Narrower than this the tree stands above the view, not beside it.
const SIDE_BY_SIDE: f32 = 460.0;

/// Shows the panel over the whole screen, between the host's picture and its tooltips.
pub(crate) fn show_full(views: &mut Views, ctx: &Context, source: &mut dyn Source) {
    let id = Id::NULL.with("stats overlay");
    let screen = ctx.content_rect();
    let layer = LayerId::new(Order::Foreground, id);
    let pressed = take_keyboard(ctx, layer);
    views.tree.focus_search |= pressed.find;
    if pressed.pause {
        views.set_paused(!views.is_paused(), Some(source));
    }
    let area = Area::new(id)
        .order(Order::Foreground)
        .fixed_pos(screen.min)
        .default_size(screen.size())
        .constrain(false)
        .movable(false)
        .interactable(true)
        .fade_in(false);
    area.show(ctx, |ui| {
        ui.set_min_size(screen.size());
        // Under everything else in the panel: what hits nothing there must not hit the game.
        let shield = ui.interact(screen, id.with("shield"), Sense::click_and_drag());
        if ui.ctx().memory(|memory| memory.focused().is_none()) {
            shield.request_focus();
        }
        // Dims the game, so that it is plain who has the input.
        ui.painter().rect_filled(screen, 0.0, Color32::from_black_alpha(110));
        let margin = (screen.size().min_elem() * 0.03 - 4.0).clamp(0.0, 24.0);
        let rect = screen.shrink(margin);
        PanelUi { views, source, embedded: false }.panel_ui(ui, rect);
    });
    ctx.move_to_top(layer);
    // Keeps the Tab key from walking into the host's widgets.
    ctx.memory_mut(|memory| memory.set_modal_layer(layer));
}

/// Draws the panel.
pub(crate) struct PanelUi<'a> {
    pub(crate) views: &'a mut Views,
    pub(crate) source: &'a mut dyn Source,
    /// Inside a panel of the host: without the header that speaks of input and closing.
    pub(crate) embedded: bool,
}

impl PanelUi<'_> {
    pub(crate) fn panel_ui(&mut self, ui: &mut Ui, rect: Rect) {
        let theme = theme_of(ui.ctx());
        ui.set_style(self.views.style(&theme));
        let refresh = self.views.refreshes(ui.ctx());
        self.views.selection.read_facts(self.source, refresh);
        let now_secs = ui.input(|input| input.time);
        self.views.tree.update(self.source, &self.views.selection, now_secs);
        let corner = if self.embedded { 0 } else { 6 };
        let sheet = if self.embedded { theme.sheet.to_opaque() } else { theme.sheet };
        ui.painter().rect(rect, CornerRadius::same(corner), sheet, Stroke::new(1.0, theme.line), StrokeKind::Inside);
        ui.set_clip_rect(rect.intersect(ui.clip_rect()));
        let (header, rest) = rect.split_top_bottom_at_y(rect.top() + HEADER.min(rect.height()));
        self.header_ui(ui, &theme, header);
        let rest = rest.shrink2(vec2(1.0, 1.0));
        let (tree, view) = self.split_ui(ui, &theme, rest);
        self.tree_ui(ui, &theme, tree);
        self.view_ui(ui, &theme, view, refresh);
    }

    fn header_ui(&mut self, ui: &mut Ui, theme: &Theme, rect: Rect) {
        ui.painter().rect_filled(rect.shrink(1.0), CornerRadius { nw: 5, ne: 5, sw: 0, se: 0 }, theme.bar);
        ui.painter().hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, theme.line));
        let inner = rect.shrink2(vec2(10.0, 5.0));
        let layout = Layout::right_to_left(Align::Center);
        let mut buttons = ui.new_child(UiBuilder::new().id_salt("header").max_rect(inner).layout(layout));
        if !self.embedded {
            let close = buttons.button("Close");
            if close.on_hover_text("Hide the overlay").clicked() {
                self.views.mode = Mode::Hidden;
            }
        }
        let paused = self.views.is_paused();
        let pause = buttons.add(Button::new(if paused { "Resume" } else { "Pause" }).selected(paused));
        if pause.on_hover_text("Space. Recording goes on while the views stand still").clicked() {
            self.views.set_paused(!paused, Some(self.source));
        }
        self.problems_ui(&mut buttons, theme);
        let free = inner.with_max_x(buttons.min_rect().left() - 10.0);
        self.title_ui(ui, theme, free);
    }

    fn problems_ui(&self, ui: &mut Ui, theme: &Theme) {
        let problems = &self.views.problems;
        if problems.is_empty() {
            return;
        }
        let text = egui::RichText::new(format!("{} {}", problems.len(), if problems.len() == 1 { "problem" } else { "problems" }));
        let chip = ui.add(Button::new(text.color(theme.alert)).stroke(Stroke::new(1.0, theme.alert)));
        chip.on_hover_ui(|ui| {
            ui.set_max_width(460.0);
            for problem in problems.iter().take(20) {
                ui.label(crate::names::one_line(problem, 400));
            }
        });
    }

    fn title_ui(&self, ui: &Ui, theme: &Theme, rect: Rect) {
        let rect = rect.with_max_x(rect.right().max(rect.left()));
        let title = match (self.embedded, self.views.key) {
            (true, _) => "Stats".to_owned(),
            (false, Some(key)) => format!("Stats overlay has the input — {} to close", key.name()),
            (false, None) => "Stats overlay has the input".to_owned(),
        };
        let width = paint::text_in(ui.painter(), rect, &title, text_font(), theme.text);
        access::describe(ui.ctx(), ui.make_persistent_id("title"), rect, || ("Title".to_owned(), title.clone()));
        let Some(snapshot) = &self.views.paused else { return };
        let newer = self.source.frames().end.saturating_sub(snapshot.end());
        let at = whole_text(snapshot.end().saturating_sub(1) as f64);
        let text = format!("PAUSED at frame {at} — {} new frames recorded since", whole_text(newer as f64));
        let chip = rect.with_min_x((rect.left() + width + 16.0).min(rect.right()));
        paint::text_in(ui.painter(), chip, &text, text_font(), theme.accent);
        access::describe(ui.ctx(), ui.make_persistent_id("paused"), chip, || ("Paused".to_owned(), text.clone()));
    }

    /// The places of tree and view, and the line between them that can be dragged.
    fn split_ui(&mut self, ui: &Ui, theme: &Theme, rect: Rect) -> (Rect, Rect) {
        if rect.width() < SIDE_BY_SIDE {
            return rect.split_top_bottom_at_fraction(0.42);
        }
        let width = (rect.width() * self.views.tree_share).clamp(180.0, rect.width() - 260.0);
        let x = (rect.left() + width).round();
        let grip = Rect::from_x_y_ranges(x - 4.0..=x + 4.0, rect.y_range());
        let response = ui.interact(grip, ui.make_persistent_id("split"), Sense::drag());
        if response.dragged() {
            self.views.tree_share = ((width + response.drag_delta().x) / rect.width()).clamp(0.1, 0.8);
        }
        let active = response.hovered() || response.dragged();
        let color = if active { theme.accent } else { theme.line };
        ui.painter().vline(x, rect.y_range(), Stroke::new(if active { 2.0 } else { 1.0 }, color));
        response.on_hover_cursor(CursorIcon::ResizeHorizontal);
        rect.split_left_right_at_x(x)
    }

    fn tree_ui(&mut self, ui: &mut Ui, theme: &Theme, rect: Rect) {
        let inner = rect.shrink2(vec2(4.0, 5.0));
        if inner.width() < 20.0 || inner.height() < 20.0 {
            return;
        }
        let mut ui = ui.new_child(UiBuilder::new().id_salt("tree").max_rect(inner));
        let paused = self.views.is_paused();
        let Views { tree, selection, .. } = &mut *self.views;
        TreeUi { theme, panel: tree, selection, source: self.source, paused }.tree_ui(&mut ui, inner);
    }

    fn view_ui(&mut self, ui: &mut Ui, theme: &Theme, rect: Rect, refresh: bool) {
        let inner = rect.shrink2(vec2(8.0, 0.0));
        if inner.width() < 30.0 || inner.height() < 30.0 {
            return;
        }
        let (bar, rest) = inner.split_top_bottom_at_y(inner.top() + BAR);
        self.bar_ui(ui, theme, bar);
        let rest = rest.with_max_y(rest.bottom() - 6.0);
        let mut ui = ui.new_child(UiBuilder::new().id_salt("view").max_rect(rest));
        let unticked = self.content_ui(&mut ui, theme, rest, refresh);
        if let Some(path) = unticked {
            self.views.selection.set(&path, false);
        }
    }

    /// Graph or table; returns the path of a series that was unticked in it.
    fn content_ui(&mut self, ui: &mut Ui, theme: &Theme, rect: Rect, refresh: bool) -> Option<String> {
        let Views { selection, paused, graph, table, view, .. } = &mut *self.views;
        let (ticked, revision, paused) = (selection.ticked(), selection.revision(), paused.as_ref());
        let absent = |ticked: &Ticked| match paused {
            _ if ticked.is_missing() => "missing: nothing of this path is registered yet",
            Some(snapshot) if !snapshot.holds(&ticked.path) => "recorded after the pause",
            _ => "nothing recorded yet",
        };
        let removed = with_data(paused, self.source, ticked, |data| match view {
            View::Graph => GraphUi { theme, view: graph, data, ticked, absent: &absent, refresh, revision }.graph_ui(ui, rect),
            View::Table => {
                TableUi { theme, view: table, data, ticked, absent: &absent, refresh, revision }.table_ui(ui, rect);
                None
            }
        });
        removed.map(|at| ticked[at].path.clone())
    }

    /// What is chosen above the view: graph or table, and what belongs to each.
    fn bar_ui(&mut self, ui: &mut Ui, theme: &Theme, rect: Rect) {
        let layout = Layout::left_to_right(Align::Center);
        let mut ui = ui.new_child(UiBuilder::new().id_salt("bar").max_rect(rect).layout(layout));
        ui.set_clip_rect(rect.intersect(ui.clip_rect()));
        for (view, name) in [(View::Graph, "Graph"), (View::Table, "Table")] {
            if choice(&mut ui, theme, name, self.views.view == view).clicked() {
                self.views.view = view;
            }
        }
        ui.add_space(6.0);
        let x = ui.cursor().left();
        ui.painter().vline(x, bar_range(rect), Stroke::new(1.0, theme.line));
        ui.add_space(8.0);
        match self.views.view {
            View::Graph => self.graph_choices_ui(&mut ui, theme),
            View::Table => self.table_choices_ui(&mut ui, theme),
        }
    }

    fn graph_choices_ui(&mut self, ui: &mut Ui, theme: &Theme) {
        let graph = &mut self.views.graph;
        let chosen = graph.chosen;
        for (ranges, name, help) in [
            (None, "Auto", "One range for all while units and values allow, otherwise each its own"),
            (Some(Ranges::Shared), "Shared range", "All series on one axis"),
            (Some(Ranges::Own), "Own ranges", "Each series over its own range, which the legend tells"),
        ] {
            if choice(ui, theme, name, chosen == ranges).on_hover_text(help).clicked() {
                graph.chosen = ranges;
            }
        }
        if !graph.follows {
            ui.add_space(8.0);
            let button = Button::new(egui::RichText::new("Back to newest").color(theme.accent));
            if ui.add(button).on_hover_text("Double click in the graph does the same").clicked() {
                graph.reset();
            }
        }
    }

    fn table_choices_ui(&mut self, ui: &mut Ui, theme: &Theme) {
        if ui.button("Copy as TSV").on_hover_text("All frames and ticked series, for a spreadsheet").clicked() {
            let ticked = self.views.selection.ticked();
            let text = with_data(self.views.paused.as_ref(), self.source, ticked, |data| tsv(data, ticked));
            ui.ctx().copy_text(text);
        }
        let text = egui::RichText::new("newest frame on top").font(small_font()).color(theme.weak);
        ui.label(text);
    }
}

/// The height of the line between two groups of choices.
fn bar_range(bar: Rect) -> egui::Rangef {
    bar.shrink2(vec2(0.0, 9.0)).y_range()
}

/// One of several alternatives, underlined when it is the one.
fn choice(ui: &mut Ui, theme: &Theme, name: &str, chosen: bool) -> Response {
    let color = if chosen { theme.text } else { theme.weak };
    let response = ui.add(Button::new(egui::RichText::new(name).color(color)).selected(chosen).frame_when_inactive(false));
    if chosen {
        let rect = response.rect;
        let y = rect.bottom() + 1.0;
        ui.painter().line_segment([pos2(rect.left() + 4.0, y), pos2(rect.right() - 4.0, y)], Stroke::new(2.0, theme.accent));
    }
    response
}
