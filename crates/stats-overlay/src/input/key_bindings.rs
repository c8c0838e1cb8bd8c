//! The standard bindings: the keys of full mode, the buttons of game pads, and the tap with three
//! fingers.

use egui::Key;
use stats_ui::tree::RowAction;

use crate::input::action::Action;
use crate::input::pane_view::PaneView;
use crate::input::press::{PadButton, Press};

/// Returns the standard bindings in the order of the help.
pub(crate) fn standard() -> impl Iterator<Item = (Press, Action)> {
    let of_view = |&view: &PaneView| {
        let key = view.key()?;
        let press = if view.has_shift() {
            Press::shift(key)
        } else {
            Press::key(key)
        };
        Some((press, Action::ToggleView(view)))
    };
    let of_views = PaneView::ALL.iter().filter_map(of_view);
    let others = |keys: &'static [(Press, Action)]| keys.iter().copied();
    let pads = PADS
        .iter()
        .map(|&(button, action)| (Press::Pad(button), action));
    (others(OF_FRAMES).chain(of_views))
        .chain(others(OF_PANES))
        .chain(pads)
        .chain([(Press::ThreeFingers, Action::CycleMode)])
}

/// The keys that choose frames. Those that choose a view come after them.
const OF_FRAMES: &[(Press, Action)] = &[
    (Press::key(Key::Space), Action::TogglePause),
    (Press::key(Key::Comma), Action::StepBackward),
    (Press::key(Key::Period), Action::StepForward),
    (Press::key(Key::OpenBracket), Action::PreviousSpike),
    (Press::key(Key::CloseBracket), Action::NextSpike),
    (
        Press::key(Key::OpenCurlyBracket),
        Action::PreviousOverBudget,
    ),
    (
        Press::shift(Key::OpenCurlyBracket),
        Action::PreviousOverBudget,
    ),
    (Press::shift(Key::OpenBracket), Action::PreviousOverBudget),
    (Press::key(Key::CloseCurlyBracket), Action::NextOverBudget),
    (Press::shift(Key::CloseCurlyBracket), Action::NextOverBudget),
    (Press::shift(Key::CloseBracket), Action::NextOverBudget),
    (Press::key(Key::Plus), Action::ZoomIn),
    (Press::key(Key::Equals), Action::ZoomIn),
    (Press::shift(Key::Plus), Action::ZoomIn),
    (Press::key(Key::Minus), Action::ZoomOut),
    (Press::shift(Key::ArrowLeft), Action::PanLeft),
    (Press::shift(Key::ArrowRight), Action::PanRight),
    (Press::key(Key::R), Action::ResetView),
    (Press::shift(Key::R), Action::ClearHistory),
];

/// All other keys.
const OF_PANES: &[(Press, Action)] = &[
    (Press::key(Key::E), Action::Explain),
    (Press::key(Key::Q), Action::GoToHitch),
    (Press::shift(Key::M), Action::MarkMoment),
    (Press::shift(Key::F), Action::FindTogether),
    (Press::shift(Key::A), Action::MarkBaseline),
    (Press::shift(Key::X), Action::ClearBaseline),
    (Press::key(Key::Y), Action::NextRange),
    (Press::key(Key::L), Action::ToggleLog),
    (Press::key(Key::S), Action::ToggleStacked),
    (Press::shift(Key::T), Action::ToggleSeconds),
    (Press::key(Key::A), Action::AcceptBudget),
    (Press::shift(Key::L), Action::EditBudget),
    (Press::key(Key::N), Action::AddPane),
    (Press::key(Key::X), Action::RemovePane),
    (Press::key(Key::J), Action::NextPane),
    (Press::key(Key::K), Action::PreviousPane),
    (Press::shift(Key::J), Action::MovePaneDown),
    (Press::shift(Key::K), Action::MovePaneUp),
    (Press::command(Key::F), Action::Search),
    (Press::key(Key::Slash), Action::Search),
    (Press::key(Key::ArrowUp), Action::Rows(RowAction::Up)),
    (Press::key(Key::ArrowDown), Action::Rows(RowAction::Down)),
    (Press::key(Key::PageUp), Action::Rows(RowAction::PageUp)),
    (Press::key(Key::PageDown), Action::Rows(RowAction::PageDown)),
    (Press::key(Key::Home), Action::Rows(RowAction::Start)),
    (Press::key(Key::End), Action::Rows(RowAction::End)),
    (Press::key(Key::ArrowRight), Action::Rows(RowAction::Open)),
    (Press::key(Key::ArrowLeft), Action::Rows(RowAction::Close)),
    (Press::key(Key::Enter), Action::Rows(RowAction::Activate)),
    (Press::key(Key::P), Action::TogglePin),
    (Press::key(Key::F), Action::ToggleFavorite),
    // For systems that report these keys instead of a copy event.
    (Press::command(Key::C), Action::CopyTsv),
    (Press::shift(Key::C), Action::CopyTsv),
    (Press::command(Key::S), Action::SaveCsv),
    (Press::shift(Key::V), Action::CopyView),
    (Press::key(Key::B), Action::ToggleMemory),
    (Press::shift(Key::G), Action::ToggleVideoMemory),
    (Press::key(Key::G), Action::TakeMemorySnapshot),
    (Press::key(Key::C), Action::CompareMemory),
    (Press::shift(Key::B), Action::SaveMemoryDump),
    (Press::key(Key::V), Action::ToggleRecording),
    (Press::shift(Key::E), Action::SaveRecent),
    (Press::key(Key::H), Action::ToggleHelp),
    (Press::key(Key::F1), Action::ToggleHelp),
    (Press::shift(Key::Questionmark), Action::ToggleHelp),
    (Press::key(Key::Questionmark), Action::ToggleHelp),
    (Press::key(Key::O), Action::ToggleSettings),
    (Press::key(Key::I), Action::ToggleProblems),
    (Press::key(Key::W), Action::ShowWatch),
    (Press::key(Key::Escape), Action::Back),
];

/// The buttons of a game pad.
const PADS: &[(PadButton, Action)] = &[
    (PadButton::Select, Action::CycleMode),
    (PadButton::LeftThumb, Action::MarkMoment),
    (PadButton::Start, Action::TogglePause),
    (PadButton::LeftTrigger, Action::PreviousSpike),
    (PadButton::RightTrigger, Action::NextSpike),
    (PadButton::LeftTrigger2, Action::ZoomOut),
    (PadButton::RightTrigger2, Action::ZoomIn),
    (PadButton::DPadUp, Action::Rows(RowAction::Up)),
    (PadButton::DPadDown, Action::Rows(RowAction::Down)),
    (PadButton::DPadLeft, Action::Rows(RowAction::Close)),
    (PadButton::DPadRight, Action::Rows(RowAction::Open)),
    (PadButton::South, Action::Rows(RowAction::Activate)),
    (PadButton::East, Action::Back),
    (PadButton::West, Action::TogglePin),
    (PadButton::North, Action::ToggleHitches),
    (PadButton::RightThumb, Action::NextPane),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_press_has_two_actions() {
        let all: Vec<_> = standard().collect();
        for (at, (press, _)) in all.iter().enumerate() {
            assert!(
                all[..at].iter().all(|(other, _)| other != press),
                "{press} has two actions"
            );
        }
    }

    #[test]
    fn every_action_has_a_key_and_a_description_of_its_own() {
        let actions: Vec<Action> = Action::all().collect();
        for action in &actions {
            // The toggle key switches the mode, and Escape hides the overlay in the end. These keys
            // apply in full mode. A pane that leaves its view shows a graph.
            let has_key = standard().any(|(press, other)| press.is_key() && other == *action);
            let is_special = matches!(
                action,
                Action::CycleMode
                    | Action::ShowHud
                    | Action::ShowFull
                    | Action::Hide
                    | Action::ToggleView(PaneView::Graph)
            );
            assert!(has_key || is_special, "{action:?} has no key");
        }
        for (at, action) in actions.iter().enumerate() {
            assert!(
                actions[..at]
                    .iter()
                    .all(|other| other.describe() != action.describe()),
                "{action:?}"
            );
        }
    }
}
