//! The name of each action in saved settings.

use stats_ui::tree::RowAction;

use crate::input::action::{Action, WHOLE};
use crate::input::pane_view::PaneView;

const OF_ROWS: &[(&str, RowAction)] = &[
    ("Rows(Up)", RowAction::Up),
    ("Rows(Down)", RowAction::Down),
    ("Rows(PageUp)", RowAction::PageUp),
    ("Rows(PageDown)", RowAction::PageDown),
    ("Rows(Start)", RowAction::Start),
    ("Rows(End)", RowAction::End),
    ("Rows(Open)", RowAction::Open),
    ("Rows(Close)", RowAction::Close),
    ("Rows(Activate)", RowAction::Activate),
];

impl Action {
    /// Returns all actions.
    pub fn all() -> impl Iterator<Item = Self> {
        named().map(|(_, action)| action)
    }

    /// Returns the name of the action in saved settings, which is that in code: `TogglePause`,
    /// `ToggleTable`, `Rows(Up)`.
    #[must_use]
    pub fn name(self) -> &'static str {
        let found = named().find(|(_, action)| *action == self);
        found.map_or("", |(name, _)| name)
    }

    /// Returns the action of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let found = named().find(|(of, _)| *of == name);
        found.map(|(_, action)| action)
    }
}

fn named() -> impl Iterator<Item = (&'static str, Action)> {
    let of_views = PaneView::ALL.iter();
    let of_views = of_views.map(|&view| (view.toggle_name(), Action::ToggleView(view)));
    let of_rows = OF_ROWS.iter().map(|&(name, row)| (name, Action::Rows(row)));
    WHOLE.iter().copied().chain(of_views).chain(of_rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the next action on rows. A new one does not compile until it is listed here.
    fn following(action: RowAction) -> Option<RowAction> {
        Some(match action {
            RowAction::Up => RowAction::Down,
            RowAction::Down => RowAction::PageUp,
            RowAction::PageUp => RowAction::PageDown,
            RowAction::PageDown => RowAction::Start,
            RowAction::Start => RowAction::End,
            RowAction::End => RowAction::Open,
            RowAction::Open => RowAction::Close,
            RowAction::Close => RowAction::Activate,
            RowAction::Activate => return None,
        })
    }

    #[test]
    fn every_action_is_listed_once_by_a_name_of_its_own() {
        for action in Action::all() {
            assert_eq!(Action::from_name(action.name()), Some(action), "{action:?}");
        }
        let rows = std::iter::successors(Some(RowAction::Up), |&row| following(row));
        let rows: Vec<Action> = rows.map(Action::Rows).collect();
        let are_rows = |action: &Action| matches!(action, Action::Rows(_));
        assert_eq!(Action::all().filter(are_rows).collect::<Vec<_>>(), rows);
        let names: std::collections::BTreeSet<&str> = Action::all().map(Action::name).collect();
        assert_eq!(names.len(), Action::all().count());
        assert_eq!(Action::ToggleTable.name(), "ToggleTable");
    }
}
