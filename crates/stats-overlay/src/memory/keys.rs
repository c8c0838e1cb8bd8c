//! The keys of the memory view, whoever reads them: the overlay, a game pad, or the panel itself.

use egui::{Key, Modifiers, Popup, Rect, Ui};

use super::panel::MemoryPanel;
use crate::action::Action;
use crate::pointer::pointer_pos;

/// What keys do where no overlay reads them.
const KEYS: [(Key, Action); 9] = [
    (Key::ArrowUp, Action::TreeUp),
    (Key::ArrowDown, Action::TreeDown),
    (Key::PageUp, Action::TreePageUp),
    (Key::PageDown, Action::TreePageDown),
    (Key::Home, Action::TreeStart),
    (Key::End, Action::TreeEnd),
    (Key::ArrowRight, Action::TreeOpen),
    (Key::ArrowLeft, Action::TreeClose),
    (Key::Enter, Action::TreeActivate),
];

/// Whether it moves among the rows or folds them.
pub(crate) fn is_of_rows(action: Action) -> bool {
    KEYS.iter().any(|(_, of)| *of == action)
}

impl MemoryPanel {
    /// Does what an action comes to here; most come to nothing.
    pub(crate) fn perform(&mut self, action: Action) {
        let list = &mut self.list;
        // Several actions may come in one frame.
        list.update();
        match action {
            Action::TreeUp => list.move_cursor(-1),
            Action::TreeDown => list.move_cursor(1),
            Action::TreePageUp => list.page_cursor(-1),
            Action::TreePageDown => list.page_cursor(1),
            Action::TreeStart => list.put_cursor(0),
            Action::TreeEnd => list.put_cursor(usize::MAX),
            Action::TreeOpen => list.open_at_cursor(),
            Action::TreeClose => list.close_at_cursor(),
            Action::TreeActivate => list.toggle_at_cursor(),
            Action::Search => {
                self.shows_filters = Some(true);
                self.focus_name = true;
            }
            _ => {}
        }
    }

    /// Reads the keys where they are the panel's: while its rows have the keyboard, or nothing has
    /// it and the pointer is over it. While a menu is open they are that one's.
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
