//! The rows on screen, and the clicks on them.

use egui::{Id, Rect, Ui};

use super::columns::Columns;
use super::memory_panel::MemoryPanel;
use super::row_ui::{Place, RowAct, RowUi};
use crate::tree::RowKind;
use stats_ui::list::View;
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
        self.list.reveal_cursor(rect.height());
        let mut list = std::mem::take(&mut self.list.base);
        let cursor = list.cursor;
        let height = self.list.len() as f64 * f64::from(ROW_HEIGHT);
        let mut act = None;
        list.show(ui, rect, (0.0, height), &mut |ui, view| {
            act = self.visible_ui(ui, theme, view, columns, cursor);
        });
        self.list.base = list;
        if let Some(act) = act {
            self.perform_on_row(ui, act);
        }
    }

    fn visible_ui(
        &self,
        ui: &mut Ui,
        theme: &Theme,
        view: &View,
        columns: &Columns,
        cursor: Option<usize>,
    ) -> Option<RowAct> {
        let rows = RowUi {
            theme,
            columns,
            budgets: self
                .snapshots
                .shown()
                .map_or(&[], |shown| &shown.facets.budgets),
            total: self.list.tree().total().sums.bytes,
            is_comparison: self.is_comparison(),
            steps: self.list.tree().steps(),
            has_keyboard: ui.memory(|memory| memory.has_focus(self.rows_id())),
        };
        let mut act = None;
        for at in view.rows(ROW_HEIGHT, self.list.len()) {
            let Some(row) = self.list.row(at) else { break };
            let place = Place {
                rect: view.row(at, ROW_HEIGHT),
                is_open: self.list.is_open(&row),
                is_cursor: cursor == Some(at),
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
        self.list.base.has_moved = false;
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
