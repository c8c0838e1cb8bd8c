//! The key that shows and hides the overlay, taken out of the host's input.

use egui::{Context, Event, Key, Modifiers};

/// Takes the toggle key, and the character that it types, out of the input.
#[derive(Debug, Default)]
pub(crate) struct ToggleKey {
    /// Whether the character of a press has yet to arrive.
    types: bool,
}

impl ToggleKey {
    /// Returns how often `key` was pressed in this pass without modifiers, not counting repeats.
    /// Widgets drawn later do not see these events.
    pub(crate) fn take(&mut self, ctx: &Context, key: Key) -> usize {
        let mut pressed = 0;
        ctx.input_mut(|input| {
            input.events.retain(|event| match event {
                Event::Key {
                    key: of,
                    pressed: down,
                    repeat,
                    modifiers,
                    ..
                } => {
                    let ours = *of == key && *modifiers == Modifiers::NONE;
                    pressed += usize::from(ours && *down && !repeat);
                    self.types = ours && *down && !types_nothing(key);
                    !ours
                }
                // The character of a printable key follows its press; on the web, one frame later.
                Event::Text(_) => !std::mem::take(&mut self.types),
                _ => true,
            });
        });
        pressed
    }
}

/// Returns whether a key is one of F1 to F35, which type no character.
fn types_nothing(key: Key) -> bool {
    key.name()
        .strip_prefix('F')
        .is_some_and(|number| number.parse::<u8>().is_ok())
}
