//! What the keys of the panel do, whether the panel or its host reads them.

use egui::{Key, Modifiers, Popup, Rect, Ui};

use super::memory_panel::MemoryPanel;
use stats_ui::pointer::pointer_pos;
use stats_ui::tree::RowAction;

/// The keys that the panel reads itself.
const KEYS: [(Key, RowAction); 9] = [
    (Key::ArrowUp, RowAction::Up),
    (Key::ArrowDown, RowAction::Down),
    (Key::PageUp, RowAction::PageUp),
    (Key::PageDown, RowAction::PageDown),
    (Key::Home, RowAction::Start),
    (Key::End, RowAction::End),
    (Key::ArrowRight, RowAction::Open),
    (Key::ArrowLeft, RowAction::Close),
    (Key::Enter, RowAction::Activate),
];

impl MemoryPanel {
    /// Moves the cursor or acts on its row, like the keys in [`ui`](Self::ui). For a host that
    /// reads keys or a gamepad itself.
    pub fn perform(&mut self, action: RowAction) {
        self.list.perform(action);
    }

    /// Shows the filters and gives the name filter the keyboard focus.
    pub fn focus_name_filter(&mut self) {
        self.shows_filters = Some(true);
        self.focus_name = true;
    }

    /// Reads the keys if they are meant for the panel: if its rows have the keyboard focus, or if
    /// nothing has it and the pointer is over the panel. An open menu gets all keys.
    pub(super) fn keys_ui(&mut self, ui: &Ui, rect: Rect) {
        if Popup::is_any_open(ui.ctx()) {
            return;
        }
        let rows = self.rows_id();
        let focused = ui.memory(|memory| memory.focused());
        let is_pointed = || pointer_pos(ui).is_some_and(|at| rect.contains(at));
        if focused == Some(rows) || (focused.is_none() && is_pointed()) {
            for (key, action) in KEYS {
                let presses =
                    ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
                (0..presses).for_each(|_| self.perform(action));
            }
        }
    }
}
