//! The keys of full mode, and their actions.

use egui::{Key, Modifiers};
use stats_ui::tree::RowAction;

use crate::input::action::Action;
use crate::input::pane_view::PaneView;

/// Returns the action of each key in full mode while no text is typed, in the order of the help.
pub(crate) fn keys() -> impl Iterator<Item = (Chord, Action)> {
    let of_view = |&view: &PaneView| {
        let shift = view.has_shift();
        Some((
            Chord {
                shift,
                ..plain(view.key()?)
            },
            Action::ToggleView(view),
        ))
    };
    let of_views = PaneView::ALL.iter().filter_map(of_view);
    let others = |keys: &'static [(Chord, Action)]| keys.iter().copied();
    others(OF_FRAMES).chain(of_views).chain(others(OF_PANES))
}

/// The keys that choose frames. Those that choose a view come after them.
const OF_FRAMES: &[(Chord, Action)] = &[
    (plain(Key::Space), Action::TogglePause),
    (plain(Key::Comma), Action::StepBackward),
    (plain(Key::Period), Action::StepForward),
    (plain(Key::OpenBracket), Action::PreviousSpike),
    (plain(Key::CloseBracket), Action::NextSpike),
    (plain(Key::OpenCurlyBracket), Action::PreviousOverBudget),
    (shift(Key::OpenCurlyBracket), Action::PreviousOverBudget),
    (shift(Key::OpenBracket), Action::PreviousOverBudget),
    (plain(Key::CloseCurlyBracket), Action::NextOverBudget),
    (shift(Key::CloseCurlyBracket), Action::NextOverBudget),
    (shift(Key::CloseBracket), Action::NextOverBudget),
    (plain(Key::Plus), Action::ZoomIn),
    (plain(Key::Equals), Action::ZoomIn),
    (shift(Key::Plus), Action::ZoomIn),
    (plain(Key::Minus), Action::ZoomOut),
    (shift(Key::ArrowLeft), Action::PanLeft),
    (shift(Key::ArrowRight), Action::PanRight),
    (plain(Key::R), Action::ResetView),
    (shift(Key::R), Action::ClearHistory),
];

/// All other keys.
const OF_PANES: &[(Chord, Action)] = &[
    (plain(Key::E), Action::Explain),
    (plain(Key::Q), Action::GoToHitch),
    (shift(Key::M), Action::MarkMoment),
    (shift(Key::A), Action::MarkBaseline),
    (shift(Key::X), Action::ClearBaseline),
    (plain(Key::Y), Action::NextRange),
    (plain(Key::L), Action::ToggleLog),
    (plain(Key::S), Action::ToggleStacked),
    (shift(Key::T), Action::ToggleSeconds),
    (plain(Key::A), Action::AcceptBudget),
    (shift(Key::L), Action::EditBudget),
    (plain(Key::N), Action::AddPane),
    (plain(Key::X), Action::RemovePane),
    (plain(Key::J), Action::NextPane),
    (plain(Key::K), Action::PreviousPane),
    (shift(Key::J), Action::MovePaneDown),
    (shift(Key::K), Action::MovePaneUp),
    (command(Key::F), Action::Search),
    (plain(Key::Slash), Action::Search),
    (plain(Key::ArrowUp), Action::Rows(RowAction::Up)),
    (plain(Key::ArrowDown), Action::Rows(RowAction::Down)),
    (plain(Key::PageUp), Action::Rows(RowAction::PageUp)),
    (plain(Key::PageDown), Action::Rows(RowAction::PageDown)),
    (plain(Key::Home), Action::Rows(RowAction::Start)),
    (plain(Key::End), Action::Rows(RowAction::End)),
    (plain(Key::ArrowRight), Action::Rows(RowAction::Open)),
    (plain(Key::ArrowLeft), Action::Rows(RowAction::Close)),
    (plain(Key::Enter), Action::Rows(RowAction::Activate)),
    (plain(Key::P), Action::TogglePin),
    (plain(Key::F), Action::ToggleFavorite),
    // For systems that report these keys instead of a copy event.
    (command(Key::C), Action::CopyTsv),
    (shift(Key::C), Action::CopyTsv),
    (command(Key::S), Action::SaveCsv),
    (shift(Key::V), Action::CopyView),
    (plain(Key::B), Action::ToggleMemory),
    (shift(Key::G), Action::ToggleVideoMemory),
    (plain(Key::G), Action::TakeMemorySnapshot),
    (plain(Key::C), Action::CompareMemory),
    (shift(Key::B), Action::SaveMemoryDump),
    (plain(Key::V), Action::ToggleRecording),
    (shift(Key::E), Action::SaveRecent),
    (plain(Key::H), Action::ToggleHelp),
    (plain(Key::F1), Action::ToggleHelp),
    (shift(Key::Questionmark), Action::ToggleHelp),
    (plain(Key::Questionmark), Action::ToggleHelp),
    (plain(Key::O), Action::ToggleSettings),
    (plain(Key::I), Action::ToggleProblems),
    (plain(Key::W), Action::ShowWatch),
    (plain(Key::Escape), Action::Back),
];

/// A key with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chord {
    key: Key,
    shift: bool,
    /// Ctrl, or ⌘ on a Mac.
    command: bool,
}

/// Returns a key without modifiers.
const fn plain(key: Key) -> Chord {
    Chord {
        key,
        shift: false,
        command: false,
    }
}

const fn shift(key: Key) -> Chord {
    Chord {
        shift: true,
        ..plain(key)
    }
}

const fn command(key: Key) -> Chord {
    Chord {
        command: true,
        ..plain(key)
    }
}

impl Chord {
    fn matches(self, key: Key, modifiers: Modifiers) -> bool {
        self.key == key
            && self.shift == modifiers.shift
            && self.command == modifiers.command
            && !modifiers.alt
    }

    /// Returns the chord as text for the help and for menus, such as `Shift+R`.
    pub(crate) fn text(self) -> String {
        let modifier = match (self.command, self.shift) {
            (true, _) => "Ctrl+",
            (false, true) => "Shift+",
            (false, false) => "",
        };
        let key = match self.key {
            Key::ArrowUp => "↑",
            Key::ArrowDown => "↓",
            Key::ArrowLeft => "←",
            Key::ArrowRight => "→",
            Key::Escape => "Esc",
            key => key.symbol_or_name(),
        };
        format!("{modifier}{key}")
    }
}

/// Returns the first key of an action as text for menus; empty if it has none.
pub(crate) fn key_text(action: Action) -> String {
    keys()
        .find(|(_, of)| *of == action)
        .map_or(String::new(), |(chord, _)| chord.text())
}

pub(super) fn action_of(key: Key, modifiers: Modifiers) -> Option<Action> {
    keys()
        .find(|(chord, _)| chord.matches(key, modifiers))
        .map(|(_, action)| action)
}

/// Returns the action of a typed bracket.
pub(super) fn bracket_action(text: &str) -> Option<Action> {
    Some(match text {
        "[" => Action::PreviousSpike,
        "]" => Action::NextSpike,
        "{" => Action::PreviousOverBudget,
        "}" => Action::NextOverBudget,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_has_two_actions() {
        for (at, (chord, _)) in keys().enumerate() {
            assert!(
                keys().take(at).all(|(other, _)| other != chord),
                "{} has two actions",
                chord.text()
            );
        }
    }

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
            Action::MarkMoment => Action::MarkBaseline,
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
    fn every_action_has_a_key_and_a_description_of_its_own() {
        let all = std::iter::successors(Some(Action::CycleMode), |&action| following(action));
        let actions: Vec<Action> = all.collect();
        for action in &actions {
            // The toggle key switches the mode, and Escape hides the overlay in the end. These keys
            // apply in full mode. A pane that leaves its view shows a graph.
            let has_key = keys().any(|(_, other)| other == *action);
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
        assert_eq!(
            (
                key_text(Action::ClearHistory).as_str(),
                key_text(Action::Hide).as_str()
            ),
            ("Shift+R", "")
        );
    }
}
