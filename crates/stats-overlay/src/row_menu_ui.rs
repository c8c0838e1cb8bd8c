//! What a row of the tree offers on a secondary click.

use egui::{Frame, Popup, PopupKind, Response, Ui};

use crate::tree_request::TreeRequest;
use crate::tree_ui::TreeUi;

/// What the menu is of.
pub(crate) enum MenuOf<'a> {
    /// A series, by its path.
    Series(&'a str),
    /// A folder, by its node and path.
    Folder(u32, &'a str),
}

#[derive(Clone, Copy)]
enum Choice {
    Tick,
    Favourite,
    Pin,
    NewPane,
    CopyPath,
}

impl TreeUi<'_> {
    /// Shows the menu while it is open.
    pub(crate) fn row_menu_ui(&mut self, ui: &Ui, response: &Response, of: &MenuOf<'_>) {
        let mut chosen = None;
        let style = ui.style().clone();
        // Above the panel, which is kept at the top of the layers that menus are in.
        let menu = Popup::context_menu(response).kind(PopupKind::Tooltip).frame(Frame::popup(&style));
        menu.show(|ui| {
            ui.set_style(style);
            for (choice, name) in self.choices(of) {
                if ui.button(name).clicked() {
                    chosen = Some(choice);
                    ui.close();
                }
            }
        });
        if let Some(choice) = chosen {
            self.choose(ui, choice, of);
        }
    }

    fn choices(&self, of: &MenuOf<'_>) -> Vec<(Choice, &'static str)> {
        let one_of = |on: bool, names: [&'static str; 2]| names[usize::from(on)];
        match *of {
            MenuOf::Series(path) => vec![
                (Choice::Tick, one_of(self.selection.contains(path), ["Tick", "Untick"])),
                (Choice::Favourite, one_of(self.panel.is_favourite(path), ["Add to favourites", "Remove from favourites"])),
                (Choice::Pin, one_of(self.is_pinned(path), ["Pin to HUD", "Unpin from HUD"])),
                (Choice::NewPane, "Show in a new pane"),
                (Choice::CopyPath, "Copy path"),
            ],
            MenuOf::Folder(node, _) => vec![
                (Choice::Tick, one_of(self.panel.folder_ticked(node) == Some(true), ["Tick all in it", "Untick all in it"])),
                (Choice::NewPane, "Show in a new pane"),
                (Choice::CopyPath, "Copy path"),
            ],
        }
    }

    fn choose(&mut self, ui: &Ui, choice: Choice, of: &MenuOf<'_>) {
        let (MenuOf::Series(path) | MenuOf::Folder(_, path)) = *of;
        match (choice, of) {
            (Choice::Tick, MenuOf::Series(_)) => self.selection.set(path, !self.selection.contains(path)),
            (Choice::Tick, MenuOf::Folder(node, _)) => self.panel.tick_folder(*node, self.selection),
            (Choice::Favourite, _) => self.panel.set_favourite(path, !self.panel.is_favourite(path)),
            (Choice::Pin, _) => self.requests.push(TreeRequest::Pin { path: path.to_owned(), on: !self.is_pinned(path) }),
            (Choice::NewPane, _) => {
                let paths = self.paths_of(of);
                self.requests.push(TreeRequest::NewPane { paths });
            }
            (Choice::CopyPath, _) => ui.ctx().copy_text(path.to_owned()),
        }
    }

    /// The paths of all series that a row stands for, as many as can be ticked at a time.
    pub(crate) fn paths_of(&self, of: &MenuOf<'_>) -> Vec<String> {
        match *of {
            MenuOf::Series(path) => vec![path.to_owned()],
            MenuOf::Folder(node, _) => self.panel.paths_below(node).take(crate::selection::MAX_TICKED).map(str::to_owned).collect(),
        }
    }

    pub(crate) fn is_pinned(&self, path: &str) -> bool {
        self.pinned.iter().any(|pinned| pinned == path)
    }
}
