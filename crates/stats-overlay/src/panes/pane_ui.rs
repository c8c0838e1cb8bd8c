//! One pane: a bar, and the view of the series below it.
//!
//! The bar has the name of the pane. Only the active pane and the pane under the pointer also have the
//! icons of the views and the menu.

use egui::{
    Align, CursorIcon, DragAndDrop, Layout, Popup, PopupCloseBehavior, Rect, Response, Sense,
    Stroke, StrokeKind, Ui, UiBuilder, pos2, vec2,
};

use crate::input::action::Action;
use crate::input::pane_view::PaneView;
use crate::paint::canvas::Canvas;
use crate::paint::choice_ui::{choice, icon_button, icon_choice};
use crate::panes::list::Panes;
use crate::panes::shared::Shared;
use crate::tree::request::Dragged;
use crate::view::{Aligned, Icon, PaneRequest};
use stats_ui::accessibility;
use stats_ui::popup;
use stats_ui::retained::paint_kept;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{Theme, small_font, text_font};
use stats_ui::tooltip;

/// The height of the bar above a pane, in points.
pub(super) const BAR: f32 = 26.0;
/// Three dots, the icon of the menu.
const DOTS: Icon = &[
    &[(0.05, 0.5), (0.2, 0.5)],
    &[(0.43, 0.5), (0.58, 0.5)],
    &[(0.8, 0.5), (0.95, 0.5)],
];
/// The payload of egui's drag and drop while a pane is moved: its id.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovedPane(pub(super) u64);

/// Draws one pane.
pub(super) struct PaneUi<'a, 'b> {
    pub(super) shared: &'a mut Shared<'b>,
    pub(super) panes: &'a mut Panes,
    pub(super) has_view: bool,
    /// Its index in the list.
    pub(super) at: usize,
    pub(super) aligned: Aligned,
    /// The user's click, if it changes more than the panes.
    pub(super) request: Option<PaneRequest>,
}

/// Returns the place of the view in that of a pane.
pub(super) fn view_in(pane: Rect) -> Rect {
    let (_, rest) = pane.split_top_bottom_at_y(pane.top() + BAR.min(pane.height()));
    rest.shrink2(vec2(4.0, 2.0))
}

impl PaneUi<'_, '_> {
    /// Draws the pane. Returns whether the user removed it.
    pub(super) fn pane_ui(&mut self, ui: &mut Ui, rect: Rect) -> bool {
        let several = self.panes.len() > 1;
        let active = several && self.panes.active_at() == self.at;
        let bar = rect.with_max_y(rect.top() + BAR.min(rect.height()));
        let theme = self.shared.theme;
        let (id, key) = (ui.make_persistent_id("ground"), (bar, active, *theme));
        paint_kept(ui.painter(), id, key, |painter| {
            let strength = if active { 1.0 } else { 0.55 };
            painter.rect_filled(bar, 0.0, theme.bar.gamma_multiply(strength));
            if active {
                let mark = Stroke::new(3.0, theme.accent);
                painter.vline(bar.left() + 1.0, bar.y_range(), mark);
            }
        });
        let is_pointed_at = ui.rect_contains_pointer(rect);
        let bar = bar.shrink2(vec2(6.0, 0.0));
        let mut removed = false;
        let mut title = bar;
        if is_pointed_at || self.panes.active_at() == self.at {
            (removed, title) = self.bar_ui(ui, bar, several);
        }
        if title.width() > 30.0 {
            self.title_ui(ui, title, several);
        }
        let inner = view_in(rect);
        if self.has_view && inner.width() >= 30.0 && inner.height() >= 24.0 {
            self.content_ui(ui, inner);
        }
        self.drop_ui(ui, rect);
        if ui.input(|input| input.pointer.any_pressed()) && ui.rect_contains_pointer(rect) {
            self.panes.activate(self.at);
        }
        removed
    }

    /// Draws the view of the pane.
    fn content_ui(&mut self, ui: &mut Ui, rect: Rect) {
        let mut ui = ui.new_child(UiBuilder::new().id_salt("content").max_rect(rect));
        let pane = &mut self.panes.list_mut()[self.at];
        let (view, canvas) = (
            pane.views.get_mut(pane.view),
            &mut Canvas::in_panel(&mut ui),
        );
        let request = self
            .shared
            .with_context(&pane.selection, self.aligned, |context| {
                view.draw(canvas, rect, context)
            });
        match request {
            Some(PaneRequest::Deselect(path)) => pane.selection.set(&path, false),
            request => self.request = request.or(self.request.take()),
        }
    }

    /// Draws the icons of the views, and the menu with everything else, at the right of the bar.
    /// Returns whether the user removed the pane, and the rest of the bar.
    fn bar_ui(&mut self, ui: &mut Ui, rect: Rect, several: bool) -> (bool, Rect) {
        let theme = self.shared.theme;
        let mut removed = false;
        let mut bar = ui.new_child(
            UiBuilder::new()
                .id_salt("bar")
                .max_rect(rect)
                .layout(Layout::right_to_left(Align::Center)),
        );
        bar.set_clip_rect(rect.intersect(ui.clip_rect()));
        bar.spacing_mut().item_spacing.x = 0.0;
        if several {
            let cross = cross_ui(&mut bar, theme);
            tooltip::hint(&cross, "Remove this pane");
            removed = cross.clicked();
        }
        let menu = icon_button(&mut bar, theme, "Options", DOTS);
        let popup = Popup::menu(&menu).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        popup::show(popup, &mut |ui| self.menu_ui(ui));
        bar.add_space(8.0);
        let pane = &mut self.panes.list_mut()[self.at];
        let shown = pane.view;
        for &of in PaneView::ALL.iter().rev() {
            let icon = pane.views.get(of).icon();
            let names = (of.label(), of.help());
            if icon_choice(&mut bar, theme, names, icon, shown == of).clicked() {
                pane.view = of;
            }
        }
        (removed, rect.with_max_x(bar.min_rect().left() - 8.0))
    }

    /// Draws the contents of the menu: the choices of the view, and those of all views.
    fn menu_ui(&mut self, ui: &mut Ui) {
        let theme = self.shared.theme;
        let pane = &mut self.panes.list_mut()[self.at];
        let (view, selected) = (pane.views.get_mut(pane.view), pane.selection.selected());
        let mut request = view.choices_ui(ui, theme, selected);
        ui.add_space(6.0);
        let seconds = (
            "Seconds",
            "The time of frames beside their numbers, in graphs, tables and the strip (Shift+T)",
        );
        let has_seconds = self.shared.settings.seconds;
        if choice(ui, theme, seconds, has_seconds).clicked() {
            request = Some(PaneRequest::Perform(Action::ToggleSeconds));
        }
        if request.is_some() {
            self.panes.activate(self.at);
            self.request = request.or(self.request.take());
            ui.close();
        }
    }

    /// Draws the name of the pane and the names of its series. The user can drag them to move the
    /// pane if there are several.
    fn title_ui(&mut self, ui: &Ui, rect: Rect, several: bool) {
        let pane = &self.panes.list()[self.at];
        let id = ui.make_persistent_id("title");
        let theme = self.shared.theme;
        let sense = if several {
            Sense::click_and_drag()
        } else {
            Sense::hover()
        };
        let response = ui.interact(rect, id, sense);
        let color = theme.text_if(several && response.hovered());
        let key = (rect, pane.selection.revision(), color, several, *theme);
        paint_kept(ui.painter(), id, key, |painter| {
            let mut place = rect;
            if several {
                shapes::grip(painter, pos2(rect.left() + 4.0, rect.center().y), color);
                place.min.x += 14.0;
            }
            let (name, series) = pane.title();
            if !name.is_empty() {
                let name = one_line(&name, 80);
                place.min.x +=
                    shapes::text_in(painter, place, &name, text_font(), theme.text) + 10.0;
            }
            if place.width() > 30.0 {
                shapes::text_in(painter, place, &one_line(&series, 160), small_font(), color);
            }
        });
        accessibility::describe_button(ui.ctx(), id, || format!("Move pane {}", self.at + 1));
        let described = id.with("name");
        accessibility::describe(ui.ctx(), described, rect, || {
            let (name, series) = pane.title();
            (
                format!("Pane {}", self.at + 1),
                format!("{name} {series}").trim().to_owned(),
            )
        });
        if several {
            if response.drag_started() {
                DragAndDrop::set_payload(ui.ctx(), MovedPane(pane.id));
            }
            response.on_hover_cursor(CursorIcon::Grab);
        }
    }

    /// Selects the counters that the user drops on the pane.
    fn drop_ui(&mut self, ui: &Ui, rect: Rect) {
        if !DragAndDrop::has_payload_of_type::<Dragged>(ui.ctx()) || !ui.rect_contains_pointer(rect)
        {
            return;
        }
        let stroke = Stroke::new(2.0, self.shared.theme.accent);
        ui.painter().rect(
            rect,
            2.0,
            self.shared.theme.accent.gamma_multiply(0.08),
            stroke,
            StrokeKind::Inside,
        );
        if ui.input(|input| input.pointer.any_released())
            && let Some(dragged) = DragAndDrop::take_payload::<Dragged>(ui.ctx())
        {
            let pane = &mut self.panes.list_mut()[self.at];
            dragged
                .paths
                .iter()
                .for_each(|path| pane.selection.set(path, true));
            self.panes.activate(self.at);
        }
    }
}

/// Draws the cross that removes a pane.
fn cross_ui(ui: &mut Ui, theme: &Theme) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(20.0, 20.0), Sense::click());
    let color = theme.text_if(response.hovered());
    shapes::cross(ui.painter(), rect.center(), color);
    accessibility::describe_button(ui.ctx(), response.id, || "Remove pane".to_owned());
    response
}
