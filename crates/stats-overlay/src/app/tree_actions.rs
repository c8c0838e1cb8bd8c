//! What the tree is told to do from outside it, and what it asks for.

use crate::app::views::Views;
use crate::input::action::Action;
use crate::tree::request::TreeRequest;
use stats_ui::tree::TreeAction;

impl Views {
    pub(crate) fn perform_on_tree(&mut self, action: Action) {
        let selection = &mut self.panes.active_mut().selection;
        match action {
            Action::Search => self.tree.focus_search = true,
            Action::Tree(TreeAction::Up) => self.tree.move_cursor(-1),
            Action::Tree(TreeAction::Down) => self.tree.move_cursor(1),
            Action::Tree(TreeAction::PageUp) => self.tree.page_cursor(-1),
            Action::Tree(TreeAction::PageDown) => self.tree.page_cursor(1),
            Action::Tree(TreeAction::Start) => self.tree.cursor_to_start(),
            Action::Tree(TreeAction::End) => self.tree.cursor_to_end(),
            Action::Tree(TreeAction::Open) => self.tree.open_at_cursor(),
            Action::Tree(TreeAction::Close) => self.tree.close_at_cursor(),
            Action::Tree(TreeAction::Activate) => self.tree.activate_at_cursor(selection),
            Action::ToggleFavorite => self.tree.favourite_at_cursor(),
            Action::TogglePin => {
                // Of a folder: all that is in it, unless that is pinned already.
                let paths = self.tree.cursor_paths();
                let on = paths.iter().any(|path| !self.panes.pinned.contains(path));
                paths.iter().for_each(|path| self.pin(path, on));
            }
            _ => {}
        }
    }

    /// Shows a series in the HUD, or not any more.
    pub(crate) fn pin(&mut self, path: &str, on: bool) {
        self.panes.pinned.set(path, on);
    }

    /// Does what a row of the tree asks for.
    pub(crate) fn grant(&mut self, request: TreeRequest) {
        match request {
            TreeRequest::Pin { path, on } => self.pin(&path, on),
            TreeRequest::NewPane { paths } => {
                if self.add_pane() {
                    let selection = &mut self.panes.active_mut().selection;
                    paths.iter().for_each(|path| selection.set(path, true));
                }
            }
        }
    }
}
