//! The menu that a secondary click on a row of the tree opens.

use egui::{Response, Ui};
use stats_core::SeriesKind;
use stats_ui::popup;

use crate::search::scopes::{callees_search, callers_search, self_path};
use crate::tree::request::TreeRequest;
use crate::tree::ui::TreeUi;

/// The subject of the menu.
pub(super) enum MenuOf<'a> {
    /// A series, by its path.
    Series(&'a str),
    /// A folder, by its node and path.
    Folder(u32, &'a str),
}

#[derive(Clone, Copy)]
enum Choice {
    Select,
    Favorite,
    Pin,
    NewPane,
    CopyPath,
    Budget,
    RemoveFormula,
    Together,
    Callees,
    Callers,
    SelfAndTotal,
}

impl TreeUi<'_> {
    /// Shows the menu while it is open.
    pub(super) fn row_menu_ui(&mut self, ui: &Ui, response: &Response, of: &MenuOf<'_>) {
        let mut chosen = None;
        popup::context_menu(response, &mut |ui| {
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
        let always = [
            (Choice::NewPane, "Show in a new pane"),
            (Choice::CopyPath, "Copy path"),
        ];
        match *of {
            MenuOf::Series(path) => {
                let favorites = &self.panel.favorites;
                let select = one_of(self.selection.contains(path), ["Select", "Deselect"]);
                let favorite = ["Add to favorites", "Remove from favorites"];
                let favorite = one_of(favorites.contains(path), favorite);
                let pin = one_of(self.is_pinned(path), ["Pin to HUD", "Unpin from HUD"]);
                let choices = [
                    (Choice::Select, select),
                    (Choice::Favorite, favorite),
                    (Choice::Pin, pin),
                ];
                let budget = (Choice::Budget, "Set a budget…");
                let formula = (Choice::RemoveFormula, "Remove its formula");
                let formula = Some(formula).filter(|_| (self.has_formula)(path));
                let together = (Choice::Together, "What moved with it");
                let choices = choices.into_iter().chain([budget, together]).chain(formula);
                let choices = choices.chain(always);
                choices.chain(self.scope_choices(path)).collect()
            }
            MenuOf::Folder(node, _) => {
                let is_selected = self.panel.folder_selected(node) == Some(true);
                let select = one_of(is_selected, ["Select all in it", "Deselect all in it"]);
                [(Choice::Select, select)]
                    .into_iter()
                    .chain(always)
                    .collect()
            }
        }
    }

    /// Returns the choices for a timer that is a scope or has nested timers.
    fn scope_choices(&self, path: &str) -> impl Iterator<Item = (Choice, &'static str)> {
        let listing = self.panel.listing();
        let find = |path: &str| self.panel.tree().find_entry(listing, path);
        let timer = find(path).filter(|entry| listing.entry(*entry).kind == SeriesKind::Timer);
        let is_scope = timer.is_some() && find(&self_path(path)).is_some();
        let has_callees = timer.is_some_and(|entry| self.has_timers_below(entry));
        [
            (has_callees || is_scope, Choice::Callees, "Show callees"),
            (is_scope, Choice::Callers, "Show callers"),
            (
                is_scope,
                Choice::SelfAndTotal,
                "Add self and total to the pane",
            ),
        ]
        .into_iter()
        .filter_map(|(is_offered, choice, name)| is_offered.then_some((choice, name)))
    }

    fn has_timers_below(&self, entry: u32) -> bool {
        let (tree, listing) = (self.panel.tree(), self.panel.listing());
        let mut next: Vec<u32> = tree.children(tree.node_of_entry(entry)).collect();
        while let Some(at) = next.pop() {
            let entry = tree.node(at).entry();
            if entry.is_some_and(|entry| listing.entry(entry).kind == SeriesKind::Timer) {
                return true;
            }
            next.extend(tree.children(at));
        }
        false
    }

    fn choose(&mut self, ui: &Ui, choice: Choice, of: &MenuOf<'_>) {
        let (MenuOf::Series(path) | MenuOf::Folder(_, path)) = *of;
        match (choice, of) {
            (Choice::Select, MenuOf::Series(_)) => {
                self.selection.set(path, !self.selection.contains(path))
            }
            (Choice::Select, MenuOf::Folder(node, _)) => {
                self.panel.select_folder(*node, self.selection)
            }
            (Choice::Favorite, _) => self
                .panel
                .set_favorite(path, !self.panel.favorites.contains(path)),
            (Choice::Pin, _) => self.requests.push(TreeRequest::Pin {
                path: path.to_owned(),
                on: !self.is_pinned(path),
            }),
            (Choice::Budget, _) => self.requests.push(TreeRequest::EditBudget {
                path: path.to_owned(),
            }),
            (Choice::RemoveFormula, _) => self.requests.push(TreeRequest::RemoveFormula {
                path: path.to_owned(),
            }),
            (Choice::Together, _) => self.requests.push(TreeRequest::FindTogether {
                path: path.to_owned(),
            }),
            (Choice::NewPane, _) => {
                let paths = self.paths_of(of);
                self.requests.push(TreeRequest::NewPane { paths });
            }
            (Choice::Callees, _) => self.panel.search_box.text = callees_search(path),
            (Choice::Callers, _) => self.panel.search_box.text = callers_search(path),
            (Choice::SelfAndTotal, _) => [path, &self_path(path)]
                .into_iter()
                .for_each(|path| self.selection.set(path, true)),
            (Choice::CopyPath, _) => ui.ctx().copy_text(path.to_owned()),
        }
    }

    /// Returns the paths of all series that a row covers, up to the selection limit.
    pub(super) fn paths_of(&mut self, of: &MenuOf<'_>) -> Vec<String> {
        match *of {
            MenuOf::Series(path) => vec![path.to_owned()],
            MenuOf::Folder(node, _) => self.panel.paths_below(node),
        }
    }

    pub(super) fn is_pinned(&self, path: &str) -> bool {
        self.pinned.contains(path)
    }
}
