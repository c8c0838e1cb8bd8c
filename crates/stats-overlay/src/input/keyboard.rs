//! The keys of the panel: which key is which action, and taking them out of the input.
//!
//! While a text box has the keyboard, keys belong to it, except those that lead to the search box.

use egui::{Context, Event, Id, Key, LayerId, Modifiers, Popup, TextEdit};
use stats_ui::tree::TreeAction;

use crate::input::action::Action;

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
        key,
        shift: true,
        command: false,
    }
}

const fn command(key: Key) -> Chord {
    Chord {
        key,
        shift: false,
        command: true,
    }
}

/// The action of each key in full mode while no text is typed, in the order of the help.
pub(crate) const KEYS: &[(Chord, Action)] = &[
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
    (plain(Key::T), Action::ToggleTable),
    (plain(Key::D), Action::ToggleDistribution),
    (plain(Key::M), Action::ToggleStatistics),
    (plain(Key::U), Action::ToggleHitches),
    (plain(Key::E), Action::Explain),
    (shift(Key::A), Action::MarkBaseline),
    (shift(Key::X), Action::ClearBaseline),
    (plain(Key::Y), Action::NextRange),
    (plain(Key::L), Action::ToggleLog),
    (plain(Key::S), Action::ToggleStacked),
    (plain(Key::A), Action::AcceptBudget),
    (plain(Key::N), Action::AddPane),
    (plain(Key::X), Action::RemovePane),
    (plain(Key::J), Action::NextPane),
    (plain(Key::K), Action::PreviousPane),
    (shift(Key::J), Action::MovePaneDown),
    (shift(Key::K), Action::MovePaneUp),
    (command(Key::F), Action::Search),
    (plain(Key::Slash), Action::Search),
    (plain(Key::ArrowUp), Action::Tree(TreeAction::Up)),
    (plain(Key::ArrowDown), Action::Tree(TreeAction::Down)),
    (plain(Key::PageUp), Action::Tree(TreeAction::PageUp)),
    (plain(Key::PageDown), Action::Tree(TreeAction::PageDown)),
    (plain(Key::Home), Action::Tree(TreeAction::Start)),
    (plain(Key::End), Action::Tree(TreeAction::End)),
    (plain(Key::ArrowRight), Action::Tree(TreeAction::Open)),
    (plain(Key::ArrowLeft), Action::Tree(TreeAction::Close)),
    (plain(Key::Enter), Action::Tree(TreeAction::Activate)),
    (plain(Key::P), Action::TogglePin),
    (plain(Key::F), Action::ToggleFavorite),
    // For systems that report the key instead of a copy event.
    (command(Key::C), Action::CopyTsv),
    (shift(Key::C), Action::CopyTsv),
    (command(Key::S), Action::SaveCsv),
    (shift(Key::V), Action::CopyView),
    (plain(Key::B), Action::ToggleMemory),
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

impl Chord {
    fn matches(self, key: Key, modifiers: Modifiers) -> bool {
        self.key == key
            && self.shift == modifiers.shift
            && self.command == modifiers.command
            && !modifiers.alt
    }

    /// Returns the chord as it is written in the help and in menus: `Shift+R`.
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

/// The actions of the keys pressed in a pass.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pressed {
    /// The actions, in order.
    pub(crate) actions: Vec<Action>,
    /// The text that was pasted outside a text field.
    pub(crate) pasted: Option<String>,
}

/// Takes the keyboard from a focused widget of the host, and the keys of the panel out of the
/// input. `left` is the text field that had the keyboard in the previous pass: egui takes it away
/// when Esc is pressed, and the field still has to see that key.
pub(crate) fn take_keyboard(ctx: &Context, layer: LayerId, left: Option<Id>) -> Pressed {
    let focused = ctx.memory(|memory| memory.focused());
    // The text fields of an open menu are in the layer of the menu.
    if let Some(id) = focused
        && !Popup::is_any_open(ctx)
        && ctx
            .read_response(id)
            .is_some_and(|response| response.layer_id != layer)
    {
        ctx.memory_mut(|memory| memory.surrender_focus(id));
    }
    let writing = text_field(ctx).is_some();
    ctx.input_mut(|input| {
        let escape = left
            .and_then(|_| input.events.iter().position(is_escape))
            .map(|at| input.events[at].clone());
        let pressed = take_keys(&mut input.events, writing);
        input.events.extend(escape);
        pressed
    })
}

/// Returns the text field that has the keyboard.
pub(crate) fn text_field(ctx: &Context) -> Option<Id> {
    let focused = ctx.memory(|memory| memory.focused())?;
    TextEdit::load_state(ctx, focused).map(|_| focused)
}

fn is_escape(event: &Event) -> bool {
    let key = Key::Escape;
    matches!(event, Event::Key { key: of, pressed: true, .. } if *of == key)
}

/// Takes the keys of the panel out of `events`. `writing` is whether a text box has the keyboard.
/// Text typed after a key that leads to the search box stays, for that box.
fn take_keys(events: &mut Vec<Event>, mut writing: bool) -> Pressed {
    let mut pressed = Pressed::default();
    let (mut kept, mut typed_before) = (0, 0);
    // Whether the character of a taken key has not arrived yet.
    let mut types = false;
    // The action of a bracket whose key has not arrived yet: some hosts report it after its
    // character.
    let mut bracket = None;
    events.retain_mut(|event| {
        let keep = match event {
            Event::Key {
                key,
                pressed: true,
                modifiers,
                ..
            } if *key == Key::F && modifiers.command && !modifiers.alt => {
                // For the search box: select all, so that the text typed next replaces its
                // contents.
                *key = Key::A;
                pressed.actions.push(Action::Search);
                typed_before = if writing { typed_before } else { kept };
                writing = true;
                true
            }
            Event::Text(text) if !writing && text == "/" => {
                types = false;
                if pressed.actions.last() != Some(&Action::Search) {
                    pressed.actions.push(Action::Search);
                }
                typed_before = kept;
                writing = true;
                // As above: the text typed next replaces the contents.
                *event = Event::Key {
                    key: Key::A,
                    physical_key: None,
                    pressed: true,
                    repeat: false,
                    modifiers: Modifiers::COMMAND,
                };
                true
            }
            // On layouts that type brackets with AltGr, no key event has this name.
            Event::Text(text) if !writing && !types && bracket_action(text).is_some() => {
                bracket = bracket_action(text);
                pressed.actions.extend(bracket);
                false
            }
            Event::Text(_) if types => {
                types = false;
                false
            }
            // The slash acts when its character arrives, wherever its key is on the keyboard.
            Event::Key {
                key: Key::Slash, ..
            } => true,
            Event::Key {
                key,
                pressed: true,
                repeat,
                modifiers,
                ..
            } if !writing => {
                let action = action_of(*key, *modifiers);
                let has_acted = action.is_some() && bracket.take() == action;
                types = action.is_some() && !has_acted;
                let action = action.filter(|action| !*repeat || action.repeats());
                pressed.actions.extend(action.filter(|_| types));
                !(types || has_acted)
            }
            Event::Paste(text) if !writing => {
                pressed.pasted = Some(std::mem::take(text));
                false
            }
            Event::Copy if !writing => {
                pressed.actions.push(Action::CopyTsv);
                false
            }
            _ => true,
        };
        kept += usize::from(keep);
        keep
    });
    drop_typed(events, typed_before);
    pressed
}

/// Returns the first key of an action as it is written in menus; empty if it has none.
pub(crate) fn key_text(action: Action) -> String {
    KEYS.iter()
        .find(|(_, of)| *of == action)
        .map_or(String::new(), |(chord, _)| chord.text())
}

/// Drops the text typed with the first `first` events.
fn drop_typed(events: &mut Vec<Event>, first: usize) {
    let mut at = 0;
    events.retain(|event| {
        at += 1;
        let typed = matches!(
            event,
            Event::Text(_) | Event::Paste(_) | Event::Cut | Event::Key { pressed: true, .. }
        );
        at > first || !typed
    });
}

/// Returns the action of a bracket that was typed.
fn bracket_action(text: &str) -> Option<Action> {
    Some(match text {
        "[" => Action::PreviousSpike,
        "]" => Action::NextSpike,
        "{" => Action::PreviousOverBudget,
        "}" => Action::NextOverBudget,
        _ => return None,
    })
}

fn action_of(key: Key, modifiers: Modifiers) -> Option<Action> {
    KEYS.iter()
        .find(|(chord, _)| chord.matches(key, modifiers))
        .map(|&(_, action)| action)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(key: Key, modifiers: Modifiers) -> Event {
        Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers,
        }
    }

    fn text(text: &str) -> Event {
        Event::Text(text.to_owned())
    }

    fn actions(events: &mut Vec<Event>, writing: bool) -> Vec<Action> {
        take_keys(events, writing).actions
    }

    #[test]
    fn text_typed_after_a_search_key_goes_to_the_search_box() {
        let mut events = vec![
            text("x"),
            key(Key::Space, Modifiers::NONE),
            text("/"),
            key(Key::Space, Modifiers::NONE),
            text(" a/b"),
        ];
        assert_eq!(
            actions(&mut events, false),
            [Action::TogglePause, Action::Search]
        );
        assert_eq!(
            events,
            [
                key(Key::A, Modifiers::COMMAND),
                key(Key::Space, Modifiers::NONE),
                text(" a/b")
            ]
        );
        let mut events = vec![text("x"), key(Key::F, Modifiers::COMMAND), text("y")];
        assert_eq!(actions(&mut events, true), [Action::Search]);
        assert_eq!(
            events,
            [text("x"), key(Key::A, Modifiers::COMMAND), text("y")]
        );
    }

    #[test]
    fn keys_belong_to_a_focused_text_box_and_act_otherwise() {
        let typed = [
            key(Key::Space, Modifiers::NONE),
            text(" "),
            key(Key::R, Modifiers::SHIFT),
            text("R"),
            Event::Copy,
        ];
        let mut events = typed.to_vec();
        assert_eq!(actions(&mut events, true), []);
        assert_eq!(events, typed);
        assert_eq!(
            actions(&mut events, false),
            [Action::TogglePause, Action::ClearHistory, Action::CopyTsv]
        );
        assert_eq!(events, [], "the characters of those keys are taken as well");
    }

    #[test]
    fn a_bracket_acts_once_whether_its_key_or_its_character_comes_first() {
        let (pressed, typed) = (key(Key::OpenBracket, Modifiers::NONE), text("["));
        for order in [[pressed.clone(), typed.clone()], [typed, pressed]] {
            let mut events: Vec<Event> = order.iter().chain(&order).cloned().collect();
            assert_eq!(
                actions(&mut events, false),
                [Action::PreviousSpike, Action::PreviousSpike],
                "{order:?}"
            );
            assert_eq!(events, []);
        }
        // Typed with AltGr, it has no key of its own.
        let mut events = vec![text("["), key(Key::R, Modifiers::NONE), text("r")];
        assert_eq!(
            actions(&mut events, false),
            [Action::PreviousSpike, Action::ResetView]
        );
    }

    #[test]
    fn a_copy_event_is_the_same_action_as_its_keys() {
        let mut events = vec![
            Event::Copy,
            key(Key::C, Modifiers::COMMAND),
            key(Key::C, Modifiers::SHIFT),
            key(Key::C, Modifiers::NONE),
            text("c"),
            key(Key::C, Modifiers::ALT),
        ];
        assert_eq!(
            actions(&mut events, false),
            [
                Action::CopyTsv,
                Action::CopyTsv,
                Action::CopyTsv,
                Action::CompareMemory
            ]
        );
        assert_eq!(events, [key(Key::C, Modifiers::ALT)]);
    }

    #[test]
    fn holding_a_key_down_repeats_only_some_actions() {
        let held = |key| Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: true,
            modifiers: Modifiers::NONE,
        };
        assert_eq!(
            actions(&mut vec![held(Key::Space), held(Key::ArrowDown)], false),
            [Action::Tree(TreeAction::Down)]
        );
    }

    #[test]
    fn no_key_has_two_actions() {
        for (at, (chord, _)) in KEYS.iter().enumerate() {
            assert!(
                KEYS[..at].iter().all(|(other, _)| other != chord),
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
            Action::AcceptBudget => Action::ZoomIn,
            Action::ZoomIn => Action::ZoomOut,
            Action::ZoomOut => Action::PanLeft,
            Action::PanLeft => Action::PanRight,
            Action::PanRight => Action::ResetView,
            Action::ResetView => Action::ClearHistory,
            Action::ClearHistory => Action::ToggleTable,
            Action::ToggleTable => Action::ToggleDistribution,
            Action::ToggleDistribution => Action::ToggleStatistics,
            Action::ToggleStatistics => Action::ToggleHitches,
            Action::ToggleHitches => Action::Explain,
            Action::Explain => Action::MarkBaseline,
            Action::MarkBaseline => Action::ClearBaseline,
            Action::ClearBaseline => Action::NextRange,
            Action::NextRange => Action::ToggleLog,
            Action::ToggleLog => Action::ToggleStacked,
            Action::ToggleStacked => Action::AddPane,
            Action::AddPane => Action::RemovePane,
            Action::RemovePane => Action::NextPane,
            Action::NextPane => Action::PreviousPane,
            Action::PreviousPane => Action::MovePaneUp,
            Action::MovePaneUp => Action::MovePaneDown,
            Action::MovePaneDown => Action::Search,
            Action::Search => Action::Tree(TreeAction::Up),
            Action::Tree(TreeAction::Up) => Action::Tree(TreeAction::Down),
            Action::Tree(TreeAction::Down) => Action::Tree(TreeAction::PageUp),
            Action::Tree(TreeAction::PageUp) => Action::Tree(TreeAction::PageDown),
            Action::Tree(TreeAction::PageDown) => Action::Tree(TreeAction::Start),
            Action::Tree(TreeAction::Start) => Action::Tree(TreeAction::End),
            Action::Tree(TreeAction::End) => Action::Tree(TreeAction::Open),
            Action::Tree(TreeAction::Open) => Action::Tree(TreeAction::Close),
            Action::Tree(TreeAction::Close) => Action::Tree(TreeAction::Activate),
            Action::Tree(TreeAction::Activate) => Action::TogglePin,
            Action::TogglePin => Action::ToggleFavorite,
            Action::ToggleFavorite => Action::CopyTsv,
            Action::CopyTsv => Action::SaveCsv,
            Action::SaveCsv => Action::CopyView,
            Action::CopyView => Action::Back,
            Action::Back => Action::ToggleMemory,
            Action::ToggleMemory => Action::TakeMemorySnapshot,
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
            // The toggle key cycles the mode, and Escape finally hides the overlay. The keys are
            // those of full mode.
            let has_key = KEYS.iter().any(|(_, other)| other == action);
            let is_special = matches!(
                action,
                Action::CycleMode | Action::ShowHud | Action::ShowFull | Action::Hide
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

    #[test]
    fn a_paste_outside_of_a_text_box_is_taken() {
        let mut events = vec![Event::Paste("stats-view 1".to_owned())];
        assert_eq!(
            take_keys(&mut events, false).pasted.as_deref(),
            Some("stats-view 1")
        );
        assert!(events.is_empty());
    }
}
