//! The layout of the panel: bar, filters, notes, column headers and rows, from top to bottom.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Button, PopupCloseBehavior, Rect, Ui, UiBuilder, Vec2, vec2};

use super::columns::Columns;
use super::memory_panel::{MemoryPanel, PanelRequest};
use stats_ui::popup;
use stats_ui::theme::Theme;

/// The height of the column headers, in points.
const HEAD: f32 = 22.0;
/// The minimum height of a panel that shows the filters by default, in points.
const MIN_WITH_FILTERS: f32 = 420.0;
/// The minimum size of a panel that draws anything, in points.
const MIN_SIZE: Vec2 = vec2(60.0, 40.0);

impl MemoryPanel {
    /// Draws the panel into `rect`.
    pub(super) fn panel_ui(
        &mut self,
        ui: &mut Ui,
        theme: &Theme,
        rect: Rect,
        in_overlay: bool,
    ) -> Option<PanelRequest> {
        self.set_time(ui.input(|input| input.time));
        self.take_first();
        self.settle(ui.ctx());
        if rect.width() < MIN_SIZE.x || rect.height() < MIN_SIZE.y {
            return None;
        }
        let mut ui = ui.new_child(
            UiBuilder::new()
                .id_salt(("memory", self.number))
                .max_rect(rect),
        );
        self.id = ui.make_persistent_id("all of it");
        ui.set_clip_rect(rect.intersect(ui.clip_rect()));
        self.has_room = rect.height() >= MIN_WITH_FILTERS;
        self.keys_ui(&ui, rect);
        let request = self.bar_ui(&mut ui, theme, in_overlay);
        if self.shows_filters() && self.snapshots.shown().is_some() {
            self.filter_ui(&mut ui, theme);
        }
        self.notes_ui(&mut ui, theme);
        // Show the effects of keys and clicks in the same frame.
        self.list.update();
        let rest = rect.with_min_y(ui.min_rect().bottom().max(rect.top()) + 2.0);
        if rest.height() > 0.0 {
            self.table_ui(&mut ui, theme, rest, in_overlay);
        }
        request
    }

    pub(super) fn shows_filters(&self) -> bool {
        self.shows_filters.unwrap_or(self.has_room)
    }

    fn table_ui(&mut self, ui: &mut Ui, theme: &Theme, rect: Rect, in_overlay: bool) {
        if self.list.len() == 0 {
            self.empty_ui(ui, theme, rect, in_overlay);
            return;
        }
        let columns = Columns::fit(rect.width(), self.is_comparison());
        let table = rect.with_max_x(rect.right().min(rect.left() + columns.width));
        let beside = rect.with_min_x(table.right());
        if !self.is_pages_shown() {
            self.icicle_ui(ui, theme, beside);
        } else if !self.pages_ui(ui, theme, rect, beside) {
            return;
        }
        let rect = table;
        let (head, rows) = rect.split_top_bottom_at_y(rect.top() + HEAD.min(rect.height()));
        self.head_ui(ui, theme, head, &columns);
        self.list.update();
        self.rows_ui(ui, theme, rows, &columns);
    }
}

/// A button with a menu that stays open until a click outside of it.
pub(super) fn menu_ui(ui: &mut Ui, button: Button<'_>, contents: &mut dyn FnMut(&mut Ui)) {
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    popup::menu(ui, MenuButton::from_button(button).config(config), contents);
}
