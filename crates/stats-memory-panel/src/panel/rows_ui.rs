//! The rows on screen, and scrolling to the cursor.

use egui::{Id, Rect, ScrollArea, Ui, UiBuilder, Vec2, pos2, vec2};

use super::columns::Columns;
use super::memory_panel::MemoryPanel;
use super::row_ui::{Place, RowAct, RowUi};
use crate::tree::RowKind;
use stats_ui::theme::{ROW_HEIGHT, Theme};

impl MemoryPanel {
    /// Returns the id under which the rows have the keyboard focus.
    pub(super) fn rows_id(&self) -> Id {
        self.id.with("rows")
    }

    /// Draws the rows on screen. Other rows cost nothing.
    pub(super) fn rows_ui(&mut self, ui: &mut Ui, theme: &Theme, rect: Rect, columns: &Columns) {
        let id = self.rows_id();
        // A click on a row gives the list the keyboard focus, and the arrow keys do not move the
        // focus to another widget.
        let all = ui.interact(rect, id, egui::Sense::focusable_noninteractive());
        if all.has_focus() {
            let filter = egui::EventFilter {
                vertical_arrows: true,
                horizontal_arrows: true,
                ..Default::default()
            };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
        }
        let mut child = ui.new_child(UiBuilder::new().id_salt("rows").max_rect(rect));
        child.spacing_mut().item_spacing = Vec2::ZERO;
        let mut area = ScrollArea::vertical()
            .id_salt("memory rows")
            .auto_shrink([false, false]);
        self.list.page_rows = (rect.height() / ROW_HEIGHT).floor() as usize;
        if std::mem::take(&mut self.list.moved)
            && let Some(offset) = self.offset_to_cursor(rect.height())
        {
            area = area.vertical_scroll_offset(offset);
        }
        let act = area.show_viewport(&mut child, |ui, viewport| {
            ui.set_width(ui.available_width());
            ui.set_height(self.list.len() as f32 * ROW_HEIGHT);
            self.list.scrolled = viewport.top();
            self.visible_ui(ui, theme, rect, viewport, columns)
        });
        if let Some(act) = act.inner {
            self.perform_on_row(ui, act);
        }
    }

    /// Returns the scroll offset that shows the cursor's row and the requested rows above it;
    /// `None` if they are on screen.
    fn offset_to_cursor(&self, height: f32) -> Option<f32> {
        let offset = self.list.scrolled;
        let rows = self.list.rows_to_show()?;
        let (top, bottom) = (rows.start as f32 * ROW_HEIGHT, rows.end as f32 * ROW_HEIGHT);
        if top < offset {
            Some(top)
        } else if bottom > offset + height {
            Some((bottom - height).max(0.0))
        } else {
            None
        }
    }

    fn visible_ui(
        &self,
        ui: &mut Ui,
        theme: &Theme,
        rect: Rect,
        viewport: Rect,
        columns: &Columns,
    ) -> Option<RowAct> {
        let first = (viewport.top() / ROW_HEIGHT).floor().max(0.0) as usize;
        // Far down in the list, single-precision positions are whole points apart. So rows are
        // placed relative to the first one on screen, each exactly below the previous one.
        let top =
            rect.top() - (f64::from(viewport.top()) - first as f64 * f64::from(ROW_HEIGHT)) as f32;
        let count = (viewport.height() / ROW_HEIGHT).ceil() as usize + 1;
        let rows = RowUi {
            theme,
            columns,
            budgets: self
                .snapshots
                .shown()
                .map_or(&[], |shown| &shown.facets.budgets),
            total: self.list.tree().total().bytes,
            is_comparison: self.is_comparison(),
            steps: self.list.tree().steps(),
            has_keyboard: ui.memory(|memory| memory.has_focus(self.rows_id())),
        };
        let mut act = None;
        for at in first..first.saturating_add(count).min(self.list.len()) {
            let Some(row) = self.list.row(at) else { break };
            let y = top + (at - first) as f32 * ROW_HEIGHT;
            let place = Place {
                rect: Rect::from_min_size(pos2(rect.left(), y), vec2(rect.width(), ROW_HEIGHT)),
                is_open: self.list.is_open(&row),
                is_cursor: self.list.cursor() == Some(at),
                at,
            };
            act = rows.row_ui(ui, &place, &row).or(act);
        }
        act
    }

    fn perform_on_row(&mut self, ui: &Ui, act: RowAct) {
        let (RowAct::Select(at) | RowAct::Toggle(at) | RowAct::OpenBelow(at) | RowAct::Filter(at)) =
            act;
        self.list.put_cursor(at);
        // A clicked row is already on screen.
        self.list.moved = false;
        ui.memory_mut(|memory| memory.request_focus(self.rows_id()));
        match act {
            RowAct::Select(_) => {}
            RowAct::Toggle(_) => self.list.toggle(at),
            RowAct::OpenBelow(_) => self.list.open_below(at),
            RowAct::Filter(_) => self.filter_for(at),
        }
    }

    /// Filters for what a row is about.
    fn filter_for(&mut self, at: usize) {
        let Some(row) = self.list.row(at) else { return };
        let text = row.text.to_owned();
        match row.kind {
            RowKind::Thread => self.filter.threads = vec![text],
            RowKind::Group => self.filter.groups = vec![text],
            RowKind::Scope => self.filter.scope = text,
            RowKind::Name => self.filter.name = text,
            RowKind::Size(_) => return,
        }
        self.shows_filters = Some(true);
    }
}
