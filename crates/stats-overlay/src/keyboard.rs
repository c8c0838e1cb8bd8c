//! The panel's own keys, in the order in which they were pressed among what else was typed in the frame.

use egui::{Context, Event, Key, LayerId, Modifiers, TextEdit};

/// What the keys of a frame ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pressed {
    /// The search box is to have the keyboard.
    pub(crate) find: bool,
    /// Pause, or the end of it.
    pub(crate) pause: bool,
}

/// Takes the keyboard away from whatever widget of the host has it, and the panel's own keys out of the input.
pub(crate) fn take_keyboard(ctx: &Context, layer: LayerId) -> Pressed {
    let mut focused = ctx.memory(|memory| memory.focused());
    if let Some(id) = focused
        && ctx.read_response(id).is_some_and(|response| response.layer_id != layer)
    {
        ctx.memory_mut(|memory| memory.surrender_focus(id));
        focused = None;
    }
    let writing = focused.is_some_and(|id| TextEdit::load_state(ctx, id).is_some());
    ctx.input_mut(|input| take_keys(&mut input.events, writing))
}

/// Takes the panel's own keys out of `events`; `writing` while a text box has the keyboard. What was typed behind the key that
/// leads to the search box is left to that one.
fn take_keys(events: &mut Vec<Event>, mut writing: bool) -> Pressed {
    let mut pressed = Pressed::default();
    let (mut kept, mut typed_before) = (0, 0);
    events.retain_mut(|event| {
        let keep = match event {
            Event::Key { key, pressed: true, modifiers, .. }
                if *key == Key::F && modifiers.matches_logically(Modifiers::COMMAND) =>
            {
                // In the search box: all of it selected, so that what is typed next replaces it.
                *key = Key::A;
                pressed.find = true;
                typed_before = if writing { typed_before } else { kept };
                writing = true;
                true
            }
            Event::Text(text) if !writing && text == "/" => {
                pressed.find = true;
                typed_before = kept;
                writing = true;
                false
            }
            Event::Key { key: Key::Space, pressed: true, repeat, modifiers, .. } if !writing && modifiers.is_none() => {
                pressed.pause ^= !*repeat;
                false
            }
            _ => true,
        };
        kept += usize::from(keep);
        keep
    });
    let mut at = 0;
    events.retain(|event| {
        at += 1;
        let typed = matches!(event, Event::Text(_) | Event::Paste(_) | Event::Cut | Event::Key { pressed: true, .. });
        at > typed_before || !typed
    });
    pressed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(key: Key, modifiers: Modifiers) -> Event {
        Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }
    }

    fn text(text: &str) -> Event {
        Event::Text(text.to_owned())
    }

    #[test]
    fn what_is_typed_behind_a_key_that_searches_is_left() {
        let mut events =
            vec![text("x"), key(Key::Space, Modifiers::NONE), text("/"), key(Key::Space, Modifiers::NONE), text(" a/b")];
        assert_eq!(take_keys(&mut events, false), Pressed { find: true, pause: true });
        assert_eq!(events, [key(Key::Space, Modifiers::NONE), text(" a/b")]);
        let mut events = vec![text("x"), key(Key::F, Modifiers::COMMAND), text("y")];
        assert_eq!(take_keys(&mut events, true), Pressed { find: true, pause: false });
        assert_eq!(events, [text("x"), key(Key::A, Modifiers::COMMAND), text("y")]);
    }

    #[test]
    fn space_belongs_to_a_text_box_and_pauses_otherwise() {
        let space = key(Key::Space, Modifiers::NONE);
        let mut events = vec![space.clone(), text(" ")];
        assert_eq!(take_keys(&mut events, true), Pressed::default());
        assert_eq!(events.len(), 2);
        assert!(take_keys(&mut events, false).pause);
        assert_eq!(events, [text(" ")]);
        assert!(!take_keys(&mut vec![space.clone(), space], false).pause, "twice is back again");
    }
}
