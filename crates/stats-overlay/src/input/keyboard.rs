//! Takes the keys of the panel out of the input.
//!
//! While a text field has the keyboard, it gets all keys except one with Ctrl that leads to the search
//! box, such as Ctrl+F.

use egui::{Context, Event, Id, Key, LayerId, Modifiers, Popup, TextEdit};

use crate::input::action::Action;
use crate::input::bindings::Bindings;
use crate::input::press::Press;

/// The actions of the keys pressed in a pass.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pressed {
    /// The actions, in order.
    pub(crate) actions: Vec<Action>,
    /// The text that was pasted outside a text field.
    pub(crate) pasted: Option<String>,
}

/// Takes the keyboard from a focused widget of the host, and the keys of the panel out of the
/// input. `last_field` is the text field that had the keyboard in the previous pass. Esc makes egui
/// take the keyboard away from it, but the field must still receive that key.
pub(crate) fn take_keyboard(
    ctx: &Context,
    layer: LayerId,
    last_field: Option<Id>,
    bindings: &Bindings,
) -> Pressed {
    let focused = ctx.memory(|memory| memory.focused());
    let layer_of = |id| ctx.read_response(id).map(|response| response.layer_id);
    // The text fields of an open menu are in the layer of the menu.
    if let Some(id) = focused
        && !Popup::is_any_open(ctx)
        && layer_of(id).is_some_and(|of| of != layer)
    {
        // A host may request the keyboard in every frame, so a field of the panel gets it back
        // until Esc is pressed.
        let leaves = ctx.input(|input| input.events.iter().any(is_escape));
        let field = last_field.filter(|&field| !leaves && layer_of(field) == Some(layer));
        ctx.memory_mut(|memory| match field {
            Some(field) => memory.request_focus(field),
            None => memory.surrender_focus(id),
        });
    }
    let writing = text_field(ctx).is_some();
    let in_menu = Popup::is_any_open(ctx);
    ctx.input_mut(|input| {
        let escape = last_field
            .and_then(|_| input.events.iter().position(is_escape))
            .map(|at| input.events[at].clone());
        let pressed = take_keys(&mut input.events, bindings, writing, in_menu);
        input.events.extend(escape);
        pressed
    })
}

/// Returns the text field that has the keyboard.
pub(crate) fn text_field(ctx: &Context) -> Option<Id> {
    let focused = ctx.memory(|memory| memory.focused())?;
    TextEdit::load_state(ctx, focused).map(|_| focused)
}

fn is_of_rows(action: Action) -> bool {
    matches!(action, Action::Rows(_))
}

fn is_escape(event: &Event) -> bool {
    let key = Key::Escape;
    matches!(event, Event::Key { key: of, pressed: true, .. } if *of == key)
}

/// Takes the keys of the panel out of `events`. If `writing`, a text field has the keyboard. If
/// `in_menu`, egui handles the keys that move among rows. Text typed after a key that leads to the
/// search box stays in `events`, for that box.
fn take_keys(
    events: &mut Vec<Event>,
    bindings: &Bindings,
    mut writing: bool,
    in_menu: bool,
) -> Pressed {
    let action_of = |press: Option<Press>| press.and_then(|press| bindings.action(press));
    let mut pressed = Pressed::default();
    let (mut kept, mut typed_before) = (0, 0);
    // Whether the character of a taken key has yet to arrive.
    let mut types = false;
    // The action of a bracket whose key has yet to arrive, because some hosts report a key after
    // its character.
    let mut bracket = None;
    events.retain_mut(|event| {
        let keep = match event {
            Event::Key {
                key,
                pressed: true,
                modifiers,
                ..
            } if modifiers.command
                && action_of(Press::of(*key, *modifiers)) == Some(Action::Search) =>
            {
                // Make the search box select all, so that the text typed next replaces its
                // contents.
                *key = Key::A;
                pressed.actions.push(Action::Search);
                typed_before = if writing { typed_before } else { kept };
                writing = true;
                true
            }
            Event::Text(text)
                if !writing && text == "/" && action_of(SLASH) == Some(Action::Search) =>
            {
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
            // On layouts that type brackets with AltGr, no key event names the bracket.
            Event::Text(text) if !writing && !types && action_of(typed(text)).is_some() => {
                bracket = action_of(typed(text));
                pressed.actions.extend(bracket);
                false
            }
            Event::Text(_) if types => {
                types = false;
                false
            }
            // A slash acts when its character arrives, because layouts differ in the key that types
            // it.
            Event::Key {
                key: Key::Slash,
                modifiers,
                ..
            } if modifiers.is_none() => true,
            Event::Key {
                key,
                pressed: true,
                repeat,
                modifiers,
                ..
            } if !writing => {
                let action = action_of(Press::of(*key, *modifiers));
                let action = action.filter(|action| !(in_menu && is_of_rows(*action)));
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
            // Hosts report these events instead of the keys.
            Event::Copy | Event::Cut if !writing => {
                let key = if *event == Event::Copy {
                    Key::C
                } else {
                    Key::X
                };
                let action = action_of(Some(Press::command(key)));
                pressed.actions.extend(action);
                action.is_none()
            }
            _ => true,
        };
        kept += usize::from(keep);
        keep
    });
    drop_typed(events, typed_before);
    pressed
}

/// The key that types a slash.
const SLASH: Option<Press> = Some(Press::key(Key::Slash));

/// Returns the key that types this character, if keyboard layouts differ in its place.
fn typed(text: &str) -> Option<Press> {
    let key = match text {
        "/" => return SLASH,
        "[" => Key::OpenBracket,
        "]" => Key::CloseBracket,
        "{" => Key::OpenCurlyBracket,
        "}" => Key::CloseCurlyBracket,
        _ => return None,
    };
    Some(Press::key(key))
}

/// Drops what the first `first` events type.
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

#[cfg(test)]
mod tests {
    use super::*;
    use stats_ui::tree::RowAction;

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
        take_keys(events, &Bindings::default(), writing, false).actions
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
        // A bracket typed with AltGr has no key of its own.
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
            [Action::Rows(RowAction::Down)]
        );
    }

    #[test]
    fn every_way_to_type_a_key_follows_the_bindings() {
        let mut bindings = Bindings::default();
        let presses = [
            Press::command(Key::F),
            Press::command(Key::C),
            Press::key(Key::Slash),
            Press::key(Key::OpenBracket),
        ];
        for press in presses {
            bindings.unbind(press);
        }
        let typed = [
            key(Key::F, Modifiers::COMMAND),
            Event::Copy,
            Event::Cut,
            key(Key::Slash, Modifiers::NONE),
            text("/"),
            key(Key::OpenBracket, Modifiers::NONE),
            text("["),
        ];
        let mut events = typed.to_vec();
        let pressed = take_keys(&mut events, &bindings, false, false);
        assert_eq!(pressed.actions, []);
        assert_eq!(events, typed, "the host gets what the overlay does not use");

        let free = [Action::Hide, Action::ShowHud, Action::ShowFull];
        for (press, action) in [Press::command(Key::X), presses[2], presses[3]]
            .into_iter()
            .zip(free)
        {
            bindings.bind(press, action).expect("it is free");
        }
        bindings
            .bind(Press::command(Key::G), Action::Search)
            .expect("it is free");
        let pressed = take_keys(&mut events, &bindings, false, false);
        assert_eq!(pressed.actions, free);
        assert_eq!(
            events,
            [
                key(Key::F, Modifiers::COMMAND),
                Event::Copy,
                key(Key::Slash, Modifiers::NONE)
            ]
        );
        let mut events = vec![text("x"), key(Key::G, Modifiers::COMMAND)];
        let pressed = take_keys(&mut events, &bindings, true, false);
        assert_eq!(
            pressed.actions,
            [Action::Search],
            "also while text is typed"
        );
    }

    #[test]
    fn a_paste_outside_of_a_text_box_is_taken() {
        let mut events = vec![Event::Paste("stats-view 1".to_owned())];
        assert_eq!(
            take_keys(&mut events, &Bindings::default(), false, false)
                .pasted
                .as_deref(),
            Some("stats-view 1")
        );
        assert!(events.is_empty());
    }
}
