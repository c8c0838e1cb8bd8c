//! One pane: a bar, and the view of the series below it.

use egui::{
    Align, CursorIcon, DragAndDrop, Layout, Rect, Response, Sense, Stroke, StrokeKind, Ui,
    UiBuilder, pos2, vec2,
};

use crate::input::pane_view::PaneView;
use crate::paint::canvas::Canvas;
use crate::paint::choice_ui::choice;
use crate::panes::list::Panes;
use crate::panes::pane::Pane;
use crate::panes::shared::Shared;
use crate::tree::request::Dragged;
use crate::view::PaneRequest;
use stats_ui::accessibility;
use stats_ui::retained::paint_kept;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{Theme, small_font};
use stats_ui::tooltip;

/// The height of the bar above a pane, in points.
pub(super) const BAR: f32 = 26.0;
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
    /// The user's click, if it changes more than the panes.
    pub(super) request: Option<PaneRequest>,
}

impl PaneUi<'_, '_> {
    /// Draws the pane. Returns whether the user removed it.
    pub(super) fn pane_ui(&mut self, ui: &mut Ui, rect: Rect) -> bool {
        let several = self.panes.len() > 1;
        let active = several && self.panes.active_at() == self.at;
        let (bar, rest) = rect.split_top_bottom_at_y(rect.top() + BAR.min(rect.height()));
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
        let removed = self.bar_ui(ui, bar.shrink2(vec2(6.0, 0.0)), several);
        let inner = rest.shrink2(vec2(4.0, 2.0));
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
        // If one graph has a right axis, all graphs have one, so that their frames line up.
        let right_axis = self.panes.list().iter().any(Pane::needs_right_axis);
        let pane = &mut self.panes.list_mut()[self.at];
        let (view, canvas) = (
            pane.views.get_mut(pane.view),
            &mut Canvas::in_panel(&mut ui),
        );
        let request = self
            .shared
            .with_context(&pane.selection, right_axis, |context| {
                view.draw(canvas, rect, context)
            });
        match request {
            Some(PaneRequest::Deselect(path)) => pane.selection.set(&path, false),
            request => self.request = request.or(self.request.take()),
        }
    }

    /// Draws the bar above a pane. Returns whether the user removed the pane.
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
            let cross = cross_ui(&mut right, self.shared.theme);
            tooltip::hint(&cross, "Remove this pane");
            removed = cross.clicked();
        }
        let grip_right = right.min_rect().left() - 4.0;
        let mut left = ui.new_child(
            UiBuilder::new()
                .id_salt("bar")
                .max_rect(rect.with_max_x(grip_right))
                .layout(Layout::left_to_right(Align::Center)),
        );
        left.set_clip_rect(rect.with_max_x(grip_right).intersect(ui.clip_rect()));
        let (theme, pane) = (self.shared.theme, &mut self.panes.list_mut()[self.at]);
        let shown = pane.view;
        for &of in PaneView::ALL {
            if choice(&mut left, theme, (of.label(), of.help()), shown == of).clicked() {
                pane.view = of;
            }
        }
        left.add_space(10.0);
        let (view, selected) = (pane.views.get_mut(shown), pane.selection.selected());
        if let Some(request) = view.choices_ui(&mut left, theme, selected) {
            self.panes.activate(self.at);
            self.request = Some(request);
        }
        let title = rect
            .with_min_x(left.min_rect().right() + 12.0)
            .with_max_x(grip_right);
        if several && title.width() > 30.0 {
            self.title_ui(ui, title);
        }
        removed
    }

    /// Draws the names of the series, which the user can drag to move the pane.
    fn title_ui(&mut self, ui: &Ui, rect: Rect) {
        let pane = &self.panes.list()[self.at];
        let id = ui.make_persistent_id("title");
        let response = ui.interact(rect, id, Sense::click_and_drag());
        let color = if response.hovered() {
            self.shared.theme.text
        } else {
            self.shared.theme.weak
        };
        paint_kept(
            ui.painter(),
            id,
            (rect, pane.selection.revision(), color),
            |painter| {
                let selected = pane.selection.selected().iter().take(8);
                let names: Vec<&str> = selected.map(|selected| selected.name.as_str()).collect();
                let text = if names.is_empty() {
                    "empty".to_owned()
                } else {
                    one_line(&names.join(", "), 160).into()
                };
                shapes::grip(painter, pos2(rect.left() + 4.0, rect.center().y), color);
                let place = rect.with_min_x(rect.left() + 14.0);
                shapes::text_in(painter, place, &text, small_font(), color);
            },
        );
        accessibility::describe_button(ui.ctx(), id, || format!("Move pane {}", self.at + 1));
        if response.drag_started() {
            DragAndDrop::set_payload(ui.ctx(), MovedPane(pane.id));
        }
        response.on_hover_cursor(CursorIcon::Grab);
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
    let color = if response.hovered() {
        theme.text
    } else {
        theme.weak
    };
    shapes::cross(ui.painter(), rect.center(), color);
    accessibility::describe_button(ui.ctx(), response.id, || "Remove pane".to_owned());
    response
}
