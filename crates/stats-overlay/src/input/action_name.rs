//! All actions, and the name of each in saved settings.

use stats_ui::tree::RowAction;

use crate::input::action::Action;
use crate::input::pane_view::PaneView;

/// Defines the list of the actions that have no parts, with their names.
macro_rules! actions {
    ($($Name:ident)*) => {
        const WHOLE: &[(&str, Action)] = &[$((stringify!($Name), Action::$Name)),*];
    };
}

actions! {
    CycleMode ShowHud ShowWatch ShowFull Hide Back ToggleHelp ToggleSettings ToggleProblems
    TogglePause StepForward StepBackward NextSpike PreviousSpike NextOverBudget PreviousOverBudget
    AcceptBudget EditBudget ZoomIn ZoomOut PanLeft PanRight ResetView ClearHistory
    Explain GoToHitch MarkMoment FindTogether MarkBaseline ClearBaseline NextRange ToggleLog ToggleStacked
    ToggleSeconds AddPane RemovePane NextPane PreviousPane MovePaneUp MovePaneDown
    Search TogglePin ToggleFavorite CopyTsv SaveCsv CopyView
    ToggleMemory ToggleVideoMemory TakeMemorySnapshot CompareMemory SaveMemoryDump ToggleRecording SaveRecent
}

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

    /// Returns the next action in the order of the enum. A new action does not compile until it is
    /// listed here.
    fn following(action: Action) -> Option<Action> {
        Some(match action {
            Action::CycleMode => Action::ShowHud,
            Action::ShowHud => Action::ShowWatch,
            Action::ShowWatch => Action::ShowFull,
            Action::ShowFull => Action::Hide,
            Action::Hide => Action::TogglePause,
            Action::TogglePause => Action::StepForward,
            Action::StepForward => Action::StepBackward,
            Action::StepBackward => Action::NextSpike,
            Action::NextSpike => Action::PreviousSpike,
            Action::PreviousSpike => Action::NextOverBudget,
            Action::NextOverBudget => Action::PreviousOverBudget,
            Action::PreviousOverBudget => Action::AcceptBudget,
            Action::AcceptBudget => Action::EditBudget,
            Action::EditBudget => Action::ZoomIn,
            Action::ZoomIn => Action::ZoomOut,
            Action::ZoomOut => Action::PanLeft,
            Action::PanLeft => Action::PanRight,
            Action::PanRight => Action::ResetView,
            Action::ResetView => Action::ClearHistory,
            Action::ClearHistory => Action::ToggleView(PaneView::ALL[0]),
            Action::ToggleView(view) => {
                let next = PaneView::ALL.iter().skip_while(|of| **of != view).nth(1);
                next.map_or(Action::Explain, |&next| Action::ToggleView(next))
            }
            Action::Explain => Action::GoToHitch,
            Action::GoToHitch => Action::MarkMoment,
            Action::MarkMoment => Action::FindTogether,
            Action::FindTogether => Action::MarkBaseline,
            Action::MarkBaseline => Action::ClearBaseline,
            Action::ClearBaseline => Action::NextRange,
            Action::NextRange => Action::ToggleLog,
            Action::ToggleLog => Action::ToggleStacked,
            Action::ToggleStacked => Action::ToggleSeconds,
            Action::ToggleSeconds => Action::AddPane,
            Action::AddPane => Action::RemovePane,
            Action::RemovePane => Action::NextPane,
            Action::NextPane => Action::PreviousPane,
            Action::PreviousPane => Action::MovePaneUp,
            Action::MovePaneUp => Action::MovePaneDown,
            Action::MovePaneDown => Action::Search,
            Action::Search => Action::Rows(RowAction::Up),
            Action::Rows(RowAction::Up) => Action::Rows(RowAction::Down),
            Action::Rows(RowAction::Down) => Action::Rows(RowAction::PageUp),
            Action::Rows(RowAction::PageUp) => Action::Rows(RowAction::PageDown),
            Action::Rows(RowAction::PageDown) => Action::Rows(RowAction::Start),
            Action::Rows(RowAction::Start) => Action::Rows(RowAction::End),
            Action::Rows(RowAction::End) => Action::Rows(RowAction::Open),
            Action::Rows(RowAction::Open) => Action::Rows(RowAction::Close),
            Action::Rows(RowAction::Close) => Action::Rows(RowAction::Activate),
            Action::Rows(RowAction::Activate) => Action::TogglePin,
            Action::TogglePin => Action::ToggleFavorite,
            Action::ToggleFavorite => Action::CopyTsv,
            Action::CopyTsv => Action::SaveCsv,
            Action::SaveCsv => Action::CopyView,
            Action::CopyView => Action::Back,
            Action::Back => Action::ToggleMemory,
            Action::ToggleMemory => Action::ToggleVideoMemory,
            Action::ToggleVideoMemory => Action::TakeMemorySnapshot,
            Action::TakeMemorySnapshot => Action::CompareMemory,
            Action::CompareMemory => Action::SaveMemoryDump,
            Action::SaveMemoryDump => Action::ToggleRecording,
            Action::ToggleRecording => Action::SaveRecent,
            Action::SaveRecent => Action::ToggleHelp,
            Action::ToggleHelp => Action::ToggleSettings,
            Action::ToggleSettings => Action::ToggleProblems,
            Action::ToggleProblems => return None,
        })
    }

    #[test]
    fn every_action_is_listed_once_by_a_name_of_its_own() {
        let mut walked = 0;
        for action in std::iter::successors(Some(Action::CycleMode), |&action| following(action)) {
            walked += 1;
            assert_eq!(Action::from_name(action.name()), Some(action), "{action:?}");
        }
        assert_eq!(Action::all().count(), walked);
        let names: std::collections::BTreeSet<&str> = Action::all().map(Action::name).collect();
        assert_eq!(names.len(), walked);
        assert_eq!(Action::ToggleTable.name(), "ToggleTable");
    }
}
