//! The search box above the tree.

use egui::{TextEdit, Ui};

use crate::access;
use crate::tree_ui::TreeUi;

impl TreeUi<'_> {
    pub(crate) fn search_ui(&mut self, ui: &mut Ui) {
        ui.horizontal_centered(|ui| {
            let clear_width = if self.panel.typed.is_empty() { 0.0 } else { 28.0 };
            let id = ui.make_persistent_id("search field");
            if std::mem::take(&mut self.panel.focus_search) {
                // Before the box is drawn: what was typed behind the key that led here is for it.
                ui.memory_mut(|memory| memory.request_focus(id));
            }
            let field = TextEdit::singleline(&mut self.panel.typed)
                .id(id)
                .hint_text("Search counters")
                .desired_width((ui.available_width() - clear_width - 8.0).max(20.0));
            let field = ui.add(field);
            access::name_field(ui.ctx(), field.id, "Search counters");
            // Not by clicks alone: a drag in the graph ends the typing, too.
            let elsewhere = |input: &egui::InputState| {
                let at = input.pointer.interact_pos();
                input.pointer.any_pressed() && at.is_some_and(|at| !field.interact_rect.contains(at))
            };
            if field.has_focus() && ui.input(elsewhere) {
                field.surrender_focus();
            }
            if clear_width > 0.0 {
                let clear = ui.button("×");
                access::describe_button(ui.ctx(), clear.id, || "Clear search".to_owned());
                if clear.clicked() {
                    self.panel.typed.clear();
                }
            }
        });
    }
}
