//! Presses that do not come from the keyboard of the full overlay, and the press that the user binds
//! to an action in the settings.

use egui::{Context, Event, Key};

use crate::app::panel::state::Sheet;
use crate::app::state::App;
use crate::input::action::Action;
use crate::input::mode::Mode;
#[cfg(feature = "gilrs")]
use crate::input::press::PadButton;
use crate::input::press::Press;

impl App {
    /// Performs the action of a press, if it has one in the current mode. Returns whether the press
    /// belongs to the overlay.
    pub(crate) fn press(&mut self, press: Press) -> bool {
        let ours = self.perform_press(press);
        if let Press::Pad(button) = press {
            self.held_pads.retain(|of| *of != button);
            if ours {
                self.held_pads.push(button);
            }
        }
        ours
    }

    /// Returns whether the release of a press belongs to the overlay.
    pub(crate) fn release(&mut self, press: Press) -> bool {
        let held = self.held_pads.len();
        self.held_pads.retain(|of| Press::Pad(*of) != press);
        self.held_pads.len() < held
    }

    /// Performs the action of a button that is held down. Only those of the directional pad repeat, in
    /// the full overlay.
    #[cfg(feature = "gilrs")]
    pub(crate) fn repeat_pad(&mut self, button: PadButton) {
        let is_full = self.visibility.mode == Mode::Full;
        if is_full && button.is_direction() && self.held_pads.contains(&button) {
            self.perform_press(Press::Pad(button));
        }
    }

    fn perform_press(&mut self, press: Press) -> bool {
        let mode = self.visibility.mode;
        let is_full = mode == Mode::Full;
        // Over a game, nobody sees that the settings wait for a press.
        let has_settings = is_full && self.panel.sheet == Some(Sheet::Settings);
        if has_settings && self.bind_pressed(press) {
            return true;
        }
        let action = self.settings.bindings.action(press);
        let Some(action) = action.filter(|action| is_full || action.acts_over_game(mode)) else {
            return is_full;
        };
        match self.mode_after(action) {
            Some(mode) => self.visibility.mode = mode,
            None => self.queue.push(action),
        }
        true
    }

    /// Returns the key of an action in parentheses, for the end of a sentence; empty if it has none.
    pub(super) fn key_of(&self, action: Action) -> String {
        match self.settings.bindings.key_text(action) {
            key if key.is_empty() => key,
            key => format!(" ({key})"),
        }
    }

    /// Takes the next key for the action that the user binds, out of the input.
    pub(super) fn take_bound_key(&mut self, ctx: &Context) {
        if self.panel.sheet != Some(Sheet::Settings) {
            self.panel.binding = None;
        }
        if self.panel.binding.is_none() {
            return;
        }
        let mut pressed = None;
        ctx.input_mut(|input| {
            input.events.retain(|event| {
                let key = key_of(event);
                pressed = pressed.or(key);
                key.is_none() && !matches!(event, Event::Text(_))
            });
        });
        if pressed == Some(Press::key(Key::Escape)) {
            self.panel.binding = None;
        } else if let Some(press) = pressed {
            self.bind_pressed(press);
        }
    }

    /// Binds a press to the action that the user chose in the settings. Returns whether one was
    /// chosen.
    fn bind_pressed(&mut self, press: Press) -> bool {
        let Some(action) = self.panel.binding.take() else {
            return false;
        };
        if let Err(error) = self.settings.bindings.replace(press, action) {
            self.notice.warn(error.to_string());
        } else if self.settings.key.map(Press::key) == Some(press)
            && let Some(conflict) = self.settings.conflicts().last()
        {
            self.notice.warn(conflict.to_string());
        }
        true
    }
}

/// Returns the key that an event reports. Hosts report those of the clipboard as events of their own.
fn key_of(event: &Event) -> Option<Press> {
    match event {
        Event::Key {
            key,
            pressed: true,
            modifiers,
            ..
        } => Press::of(*key, *modifiers),
        Event::Copy => Some(Press::command(Key::C)),
        Event::Cut => Some(Press::command(Key::X)),
        Event::Paste(_) => Some(Press::command(Key::V)),
        _ => None,
    }
}
