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
                    self.types = ours && *down && types_character(key);
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

/// Returns whether a key types a character.
fn types_character(key: Key) -> bool {
    let is_arrow = matches!(
        key,
        Key::ArrowDown | Key::ArrowLeft | Key::ArrowRight | Key::ArrowUp
    );
    key == Key::Space || (!is_arrow && key.symbol_or_name().chars().count() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_digits_and_signs_type_a_character() {
        for key in [Key::A, Key::Num7, Key::Space, Key::Minus, Key::Backtick] {
            assert!(types_character(key), "{key:?}");
        }
        for key in [
            Key::F3,
            Key::Insert,
            Key::Enter,
            Key::ArrowUp,
            Key::Delete,
            Key::Tab,
        ] {
            assert!(!types_character(key), "{key:?}");
        }
    }
}
