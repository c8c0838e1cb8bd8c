//! The panel: header, tree and panes. Over the whole screen in full mode, or inside a panel of the
//! host.

use egui::{
    Area, Color32, Context, CornerRadius, CursorIcon, Id, LayerId, Order, Popup, Rect, Sense,
    Stroke, StrokeKind, Ui, UiBuilder, pos2, vec2,
};
use stats_core::Source;

use crate::app::help::help_ui;
use crate::app::panes::PanesUi;
use crate::app::settings_page::settings_ui;
use crate::app::views::{Sheet, Views};
use crate::input::action::Action;
use crate::input::keyboard::take_keyboard;
use crate::tree::ui::TreeUi;
use stats_memory_panel::PanelRequest;
use stats_ui::accessibility;
use stats_ui::pointer::scale_layer;
use stats_ui::theme::{Theme, text_font};

const HEADER: f32 = 34.0;
/// Between what is said for a while and the lower edge: the labels of the lowest axis stay in
/// sight.
const CLEAR: f32 = 40.0;
/// Narrower than this the tree stands above the view, not beside it.
const SIDE_BY_SIDE: f32 = 460.0;

/// Shows the panel over the whole screen, between the host's picture and its tooltips.
pub(crate) fn show_full(views: &mut Views, ctx: &Context, source: &mut dyn Source) {
    let id = Id::NULL.with("stats overlay");
    let layer = LayerId::new(Order::Foreground, id);
    let screen = scale_layer(ctx, layer, views.settings.scale);
    let pressed = take_keyboard(ctx, layer, views.tree.has_keyboard && !views.memory.is_open);
    for action in pressed.actions {
        match action {
            _ if !views.memory.is_open || !Popup::is_any_open(ctx) => views.perform(action, source),
            Action::Back => Popup::close_all(ctx),
            // An open menu is what they move in.
            Action::Tree(_) => {}
            _ => views.perform(action, source),
        }
    }
    // A pasted view is one of panes.
    if let Some(text) = pressed.pasted.filter(|_| !views.memory.is_open) {
        views.paste(&text);
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
        ui.painter()
            .rect_filled(screen, 0.0, Color32::from_black_alpha(110));
        let margin = (screen.size().min_elem() * 0.03 - 4.0).clamp(0.0, 24.0);
        let rect = screen.shrink(margin);
        PanelUi {
            views,
            source,
            embedded: false,
        }
        .panel_ui(ui, rect);
    });
    // Menus of the panel stand above it.
    if !Popup::is_any_open(ctx) {
        ctx.move_to_top(layer);
    }
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
        let theme = self.views.theme(ui.ctx());
        ui.set_style(self.views.style(&theme));
        let refresh = self.views.settle_refresh(ui.ctx());
        self.views.read_facts(self.source, refresh);
        self.views.update_tracks(self.source);
        let now_secs = ui.input(|input| input.time);
        self.views.update_tree(self.source, now_secs);
        let corner = if self.embedded { 0 } else { 6 };
        let sheet = if self.embedded {
            theme.sheet.to_opaque()
        } else {
            theme.sheet
        };
        ui.painter().rect(
            rect,
            CornerRadius::same(corner),
            sheet,
            Stroke::new(1.0, theme.line),
            StrokeKind::Inside,
        );
        ui.set_clip_rect(rect.intersect(ui.clip_rect()));
        let (header, rest) = rect.split_top_bottom_at_y(rect.top() + HEADER.min(rect.height()));
        self.header_ui(ui, &theme, header);
        let rest = rest.shrink2(vec2(1.0, 1.0));
        if self.views.memory.is_open {
            self.memory_ui(ui, &theme, rest.shrink2(vec2(6.0, 5.0)), refresh);
        } else {
            let (tree, view) = self.split_ui(ui, &theme, rest);
            self.tree_ui(ui, &theme, tree);
            self.right_ui(ui, &theme, view.shrink2(vec2(6.0, 5.0)), refresh);
        }
        self.notice_ui(ui, &theme, rect);
        self.views.flush_clipboard(ui.ctx());
    }

    /// The memory view, beneath the header; help and settings lie over it.
    fn memory_ui(&mut self, ui: &mut Ui, theme: &Theme, rect: Rect, refresh: bool) {
        self.views.memory.note_drawn();
        if self.views.sheet.is_some() {
            self.right_ui(ui, theme, rect, refresh);
        } else if self.views.memory.memory_ui(ui, theme, rect) == Some(PanelRequest::SaveDump) {
            self.views.perform(Action::SaveMemoryDump, self.source);
        }
    }

    /// What stands beside the tree.
    fn right_ui(&mut self, ui: &mut Ui, theme: &Theme, rect: Rect, refresh: bool) {
        if rect.width() < 30.0 || rect.height() < 30.0 {
            return;
        }
        let mut ui = ui.new_child(UiBuilder::new().id_salt("right").max_rect(rect));
        match self.views.sheet {
            Some(Sheet::Help) => help_ui(&mut ui, theme, self.views, rect),
            Some(Sheet::Settings) => settings_ui(&mut ui, theme, self.views, rect),
            None => PanesUi {
                theme,
                views: self.views,
                source: self.source,
                refresh,
            }
            .panes_ui(&mut ui, rect),
        }
        if self.views.sheet.is_some() && back_ui(&mut ui, rect) {
            self.views.sheet = None;
        }
    }

    /// What is said for a while, above everything else.
    fn notice_ui(&mut self, ui: &Ui, theme: &Theme, rect: Rect) {
        let Some((text, alert)) = self.views.notice.shown(ui.input(|input| input.time)) else {
            return;
        };
        let color = if alert { theme.alert } else { theme.text };
        let galley = ui.painter().layout(
            text.to_owned(),
            text_font(),
            color,
            (rect.width() - 60.0).max(40.0),
        );
        let size = galley.size() + vec2(24.0, 12.0);
        let plate = Rect::from_center_size(
            pos2(rect.center().x, rect.bottom() - CLEAR - size.y / 2.0),
            size,
        );
        ui.painter().rect(
            plate,
            5.0,
            theme.bar,
            Stroke::new(1.0, color),
            StrokeKind::Inside,
        );
        ui.painter()
            .galley(plate.min + vec2(12.0, 6.0), galley, color);
        accessibility::describe(ui.ctx(), ui.make_persistent_id("notice"), plate, || {
            ("Notice".to_owned(), text.to_owned())
        });
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
            self.views
                .set_tree_share((width + response.drag_delta().x) / rect.width());
        }
        let active = response.hovered() || response.dragged();
        let color = if active { theme.accent } else { theme.line };
        ui.painter().vline(
            x,
            rect.y_range(),
            Stroke::new(if active { 2.0 } else { 1.0 }, color),
        );
        response.on_hover_cursor(CursorIcon::ResizeHorizontal);
        rect.split_left_right_at_x(x)
    }

    fn tree_ui(&mut self, ui: &mut Ui, theme: &Theme, rect: Rect) {
        let inner = rect.shrink2(vec2(4.0, 5.0));
        if inner.width() < 20.0 || inner.height() < 20.0 {
            return;
        }
        let mut ui = ui.new_child(UiBuilder::new().id_salt("tree").max_rect(inner));
        let Views {
            tree,
            panes,
            paused,
            ..
        } = &mut *self.views;
        let pinned: Vec<String> = panes.pinned.paths().map(str::to_owned).collect();
        let selection = &mut panes.active_mut().selection;
        let (source, paused) = (&mut *self.source, paused.as_ref());
        let mut tree_ui = TreeUi {
            theme,
            panel: tree,
            selection,
            source,
            paused,
            pinned: &pinned,
            requests: Vec::new(),
        };
        let requests = tree_ui.tree_ui(&mut ui, inner);
        requests
            .into_iter()
            .for_each(|request| self.views.grant(request));
    }
}

/// The way back from help and settings to the panes, whatever they are scrolled to; returns whether
/// it was taken.
fn back_ui(ui: &mut Ui, rect: Rect) -> bool {
    let corner = Rect::from_min_max(
        pos2(rect.right() - 70.0, rect.top()),
        pos2(rect.right(), rect.top() + 24.0),
    );
    ui.put(corner, egui::Button::new("Back"))
        .on_hover_text("Esc")
        .clicked()
}
