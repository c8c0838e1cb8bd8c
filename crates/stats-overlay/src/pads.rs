//! Game pads, read with the crate gilrs.

use std::fmt;
use std::sync::Mutex;

use gilrs::ev::filter::{Filter, Repeat};
use gilrs::{Button, EventType, Gilrs};

use crate::input::press::{PadButton, Press};
use crate::overlay::StatsOverlay;

impl StatsOverlay {
    /// Reads game pads from now on, each time the overlay is drawn, and [presses](Self::press) their
    /// buttons: one cycles the modes, another marks a moment, and in the full overlay the others move,
    /// select and zoom. Requires the feature `gilrs`.
    ///
    /// For a program that does not read pads itself. One that does calls [`press`](Self::press) and
    /// [`release`](Self::release), which say whether a button belongs to the overlay. Pads are read
    /// only while the program draws: if eframe sleeps, a press acts when it draws again. In a browser,
    /// a pad appears with its first press.
    ///
    /// # Errors
    ///
    /// Returns an error, and reads nothing, if the system has no interface to game pads.
    pub fn read_pads(&mut self) -> Result<(), PadsError> {
        if stats_core::ENABLED {
            let gilrs = Gilrs::new().map_err(|error| PadsError(error.to_string()))?;
            self.pads = Some(Mutex::new(gilrs));
        }
        Ok(())
    }

    /// Performs what happened on the pads since the last call.
    pub(crate) fn poll_pads(&mut self) {
        let Some(mut pads) = self.pads.take() else {
            return;
        };
        // Nothing locks the mutex, so nothing has poisoned it.
        let Ok(gilrs) = pads.get_mut() else {
            return;
        };
        let repeat = Repeat::new();
        while let Some(event) = gilrs.next_event().filter_ev(&repeat, gilrs) {
            match event.event {
                EventType::ButtonPressed(button, _) => {
                    if let Ok(button) = PadButton::try_from(button) {
                        self.press(Press::Pad(button));
                    }
                }
                EventType::ButtonRepeated(button, _) => {
                    if let Ok(button) = PadButton::try_from(button) {
                        self.app.repeat_pad(button);
                    }
                }
                EventType::ButtonReleased(button, _) => {
                    if let Ok(button) = PadButton::try_from(button) {
                        self.release(Press::Pad(button));
                    }
                }
                EventType::Disconnected => self.app.held_pads.clear(),
                _ => {}
            }
        }
        self.pads = Some(pads);
    }
}

/// The error of [`StatsOverlay::read_pads`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PadsError(String);

impl fmt::Display for PadsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "game pads cannot be read: {}; the overlay works with keys and `StatsOverlay::press`",
            self.0
        )
    }
}

impl std::error::Error for PadsError {}

/// Converts a button of gilrs. Requires the feature `gilrs`. The error is a button that gilrs does not
/// know by its place, or one of those that few pads have.
impl TryFrom<Button> for PadButton {
    type Error = Button;

    fn try_from(button: Button) -> Result<Self, Button> {
        // The names are those of the standard layout in both.
        Self::from_name(&format!("{button:?}")).ok_or(button)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_button_has_the_name_of_gilrs() {
        let buttons = [
            Button::South,
            Button::East,
            Button::North,
            Button::West,
            Button::LeftTrigger,
            Button::LeftTrigger2,
            Button::RightTrigger,
            Button::RightTrigger2,
            Button::Select,
            Button::Start,
            Button::Mode,
            Button::LeftThumb,
            Button::RightThumb,
            Button::DPadUp,
            Button::DPadDown,
            Button::DPadLeft,
            Button::DPadRight,
        ];
        let converted = buttons.map(|button| PadButton::try_from(button).map(PadButton::name));
        assert_eq!(
            converted,
            buttons.map(|button| Ok(&*format!("{button:?}").leak()))
        );
        assert_eq!(converted.len(), PadButton::ALL.len());
        assert_eq!(PadButton::try_from(Button::Unknown), Err(Button::Unknown));
    }
}
