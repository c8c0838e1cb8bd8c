//! The key that shows and hides the overlay, taken out of the host's input.

use egui::{Context, Event, Key, Modifiers};

/// Takes the toggle key, and the character that it types.
#[derive(Debug, Default)]
pub(crate) struct ToggleKey {
    /// Whether it is down, and what it types has not come yet.
    types: bool,
}

impl ToggleKey {
    /// How often `key` went down in this pass, without modifiers and not counting repetitions. No
    /// widget that is drawn later sees any of it.
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
                // What a printable key types follows its press; on the web a frame later.
                Event::Text(_) => !std::mem::take(&mut self.types),
                _ => true,
            });
        });
        pressed
    }
}

/// Whether it is one of F1 to F35.
fn types_nothing(key: Key) -> bool {
    key.name()
        .strip_prefix('F')
        .is_some_and(|number| number.parse::<u8>().is_ok())
}
