//! The key that shows and hides the overlay, taken out of the host's input, and the tap with three
//! fingers, which the host sees, too.

use egui::{Context, Event, Id, Key, Modifiers};

use crate::input::tap::ThreeFingerTap;

/// Takes the toggle key, and the character that it types, out of the input.
#[derive(Debug, Default)]
pub(crate) struct ToggleKey {
    /// Whether the character of a press has yet to arrive.
    types: bool,
    tap: ThreeFingerTap,
    /// The last pass in which touches were read.
    read_touches: Option<(Id, u64)>,
}

impl ToggleKey {
    /// Returns how often `key` was pressed in this pass without modifiers, not counting repeats, and
    /// how often three fingers tapped. Widgets drawn later do not see the events of the key.
    pub(crate) fn take(&mut self, ctx: &Context, key: Option<Key>) -> (usize, usize) {
        let mut pressed = 0;
        let mut is_touched = false;
        ctx.input_mut(|input| {
            input.events.retain(|event| match event {
                Event::Touch { .. } => {
                    is_touched = true;
                    true
                }
                Event::Key {
                    key: of,
                    pressed: down,
                    repeat,
                    modifiers,
                    ..
                } => {
                    let ours = Some(*of) == key && *modifiers == Modifiers::NONE;
                    pressed += usize::from(ours && *down && !repeat);
                    self.types = ours && *down && types_character(*of);
                    !ours
                }
                // The character of a printable key follows its press; on the web, one frame later.
                Event::Text(_) => !std::mem::take(&mut self.types),
                _ => true,
            });
        });
        let taps = if is_touched { self.taps(ctx) } else { 0 };
        (pressed, taps)
    }

    /// Returns how often three fingers tapped. A further call in the same pass returns 0.
    fn taps(&mut self, ctx: &Context) -> usize {
        let pass = Some((Id::NULL.with(ctx.viewport_id()), ctx.cumulative_pass_nr()));
        if std::mem::replace(&mut self.read_touches, pass) == pass {
            return 0;
        }
        ctx.input(|input| {
            let completes = |event: &&Event| self.tap.note(event, input.time);
            input.events.iter().filter(completes).count()
        })
    }
}

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
