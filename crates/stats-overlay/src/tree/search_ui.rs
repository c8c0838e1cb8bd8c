//! The search box above the tree.

use egui::text::{CCursor, CCursorRange};
use egui::{Id, Key, Modifiers, Rect, TextEdit, Ui};

use crate::paint::choice_ui::button;
use crate::search::formula::TypedFormula;
use crate::tree::request::TreeRequest;
use crate::tree::ui::TreeUi;
use stats_ui::accessibility;
use stats_ui::pointer::pointer_pos;

/// The width of a small button, in points.
const BUTTON_WIDTH: f32 = 28.0;

impl TreeUi<'_> {
    /// Shows the search box. Returns whether to list the search words. `hint` is the area of a
    /// visible list.
    pub(super) fn search_ui(&mut self, ui: &mut Ui, hint: Rect) -> bool {
        ui.horizontal_centered(|ui| {
            let buttons = if self.panel.search_box.text.is_empty() {
                BUTTON_WIDTH
            } else {
                2.0 * BUTTON_WIDTH
            };
            let id = ui.make_persistent_id("search field");
            if std::mem::take(&mut self.panel.search_box.wants_focus) {
                // Focus the box before it is drawn, so that it gets the text typed right after the
                // key.
                ui.memory_mut(|memory| memory.request_focus(id));
            }
            if std::mem::take(&mut self.panel.search_box.caret_to_end) {
                caret_to_end(ui, id, &self.panel.search_box.text);
            }
            let has_focus = ui.memory(|memory| memory.has_focus(id));
            let typed = TypedFormula::of(&self.panel.search_box.text);
            let enters =
                |input: &mut egui::InputState| input.consume_key(Modifiers::NONE, Key::Enter);
            if let Some(typed) = typed
                && has_focus
                && ui.input_mut(enters)
            {
                let (path, formula) = (typed.path(), typed.formula.to_owned());
                self.requests
                    .push(TreeRequest::AddFormula { path, formula });
            }
            let to_rows = has_focus && ui.input_mut(leads_to_rows);
            let field = TextEdit::singleline(&mut self.panel.search_box.text)
                .id(id)
                .hint_text("Search counters")
                .desired_width((ui.available_width() - buttons - 8.0).max(20.0));
            let field = ui.add(field);
            accessibility::name_field(ui.ctx(), field.id, "Search counters");
            // A press anywhere else ends typing: clicks, and drags in the graph.
            let at = pointer_pos(ui);
            let elsewhere = |input: &egui::InputState| {
                input.pointer.any_pressed()
                    && at.is_some_and(|at| !field.interact_rect.contains(at) && !hint.contains(at))
            };
            if field.has_focus() && (to_rows || ui.input(elsewhere)) {
                field.surrender_focus();
            }
            self.panel.search_box.has_focus = field.has_focus();
            if to_rows {
                self.panel.cursor.to_first_series = true;
            }
            self.search_buttons_ui(ui);
        });
        let search = &self.panel.search_box;
        search.shows_hint || (search.has_focus && search.text.is_empty())
    }

    fn search_buttons_ui(&mut self, ui: &mut Ui) {
        if !self.panel.search_box.text.is_empty() {
            let clear = ui.button("×");
            accessibility::describe_button(ui.ctx(), clear.id, || "Clear search".to_owned());
            if clear.clicked() {
                self.panel.search_box.text.clear();
            }
        }
        let shown = self.panel.search_box.shows_hint;
        let help = button(ui, ("?", ""), Some(shown));
        accessibility::describe_button(ui.ctx(), help.id, || "Search help".to_owned());
        if help.clicked() {
            self.panel.search_box.shows_hint = !shown;
        }
    }
}

/// Moves the text cursor to the end of the box.
fn caret_to_end(ui: &Ui, id: Id, text: &str) {
    let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
    let end = CCursor::new(text.chars().count());
    state.cursor.set_char_range(Some(CCursorRange::one(end)));
    TextEdit::store_state(ui.ctx(), id, state);
}

/// Consumes the keys that move from the search box to the rows.
fn leads_to_rows(input: &mut egui::InputState) -> bool {
    let down = input.consume_key(Modifiers::NONE, Key::ArrowDown);
    input.consume_key(Modifiers::NONE, Key::Enter) || down
}
