//! Game pads: two sticks steer the ship, and the overlay takes the buttons that drive it. While the
//! overlay is full, the game does not see the pad.

use gilrs::ev::filter::{Filter, Repeat};
use gilrs::{Axis, Button, EventType, Gilrs};
use stats_overlay::{Mode, PadButton};

use crate::camera::Camera;
use crate::overlay::Overlay;
use crate::sim::Vec2;
use crate::sim::player::Controls;

/// How far from the middle of the view the ship aims, in meters: so far that only the direction of
/// the stick counts.
const AIM_DISTANCE: f32 = 1e4;

/// How far the right stick must be pushed to shoot, from 0 to 1.
const FIRE_FROM: f32 = 0.5;

/// The connected game pads, which all steer the same ship.
pub(crate) struct Pads {
    gilrs: Option<Gilrs>,
    pad: Pad,
}

impl Pads {
    /// Starts to read game pads, or prints why there are none.
    pub(crate) fn new() -> Self {
        let gilrs = Gilrs::new()
            .inspect_err(|error| eprintln!("game: game pads cannot be read: {error}"))
            .ok();
        Self {
            gilrs,
            pad: Pad::default(),
        }
    }

    /// Handles all events since the last frame.
    pub(crate) fn frame(&mut self, overlay: &mut Overlay) {
        let Some(gilrs) = &mut self.gilrs else { return };
        let repeat = Repeat::new();
        while let Some(event) = gilrs.next_event().filter_ev(&repeat, gilrs) {
            match event.event {
                EventType::ButtonPressed(button, _) => self.pad.press(button, overlay),
                EventType::ButtonRepeated(button, _) if button.is_dpad() => {
                    self.pad.press(button, overlay);
                }
                EventType::ButtonReleased(button, _) => self.pad.release(button, overlay),
                EventType::AxisChanged(axis, value, _) => self.pad.push(axis, value),
                EventType::Disconnected => self.pad = Pad::default(),
                _ => {}
            }
        }
        self.pad.see(overlay.mode());
    }

    /// Returns the controls of the keyboard and mouse together with those of the pads.
    pub(crate) fn controls(&self, others: Controls, camera: &Camera) -> Controls {
        self.pad.controls(others, camera.center())
    }
}

/// The sticks and buttons that the player holds.
#[derive(Default)]
pub(crate) struct Pad {
    left: Vec2,
    right: Vec2,
    nova: bool,
    is_overlay_full: bool,
}

impl Pad {
    /// Handles a button that is pressed: the overlay takes it, or the ship gets it.
    pub(crate) fn press(&mut self, button: Button, overlay: &mut Overlay) {
        let is_taken = PadButton::try_from(button).is_ok_and(|button| overlay.press(button));
        self.nova |= button == Button::South && !is_taken;
        self.see(overlay.mode());
    }

    /// Handles a button that is released.
    pub(crate) fn release(&mut self, button: Button, overlay: &mut Overlay) {
        let is_taken = PadButton::try_from(button).is_ok_and(|button| overlay.release(button));
        self.nova &= button != Button::South || is_taken;
    }

    /// Handles a stick that is moved, from -1 to 1.
    pub(crate) fn push(&mut self, axis: Axis, value: f32) {
        match axis {
            Axis::LeftStickX => self.left.x = value,
            // The world's y axis points down.
            Axis::LeftStickY => self.left.y = -value,
            Axis::RightStickX => self.right.x = value,
            Axis::RightStickY => self.right.y = -value,
            _ => {}
        }
    }

    /// Notes the mode of the overlay. While it is full, nothing is held.
    fn see(&mut self, mode: Mode) {
        self.is_overlay_full = mode == Mode::Full;
        self.nova &= !self.is_overlay_full;
    }

    /// Adds the pad to other controls of a ship near `center`, unless the overlay is full.
    pub(crate) fn controls(&self, others: Controls, center: Vec2) -> Controls {
        if self.is_overlay_full {
            return others;
        }
        let fires = self.right.length() >= FIRE_FROM;
        Controls {
            thrust: (others.thrust + self.left).clamp_length_max(1.0),
            aim: if fires {
                center + self.right * AIM_DISTANCE
            } else {
                others.aim
            },
            fire: others.fire || fires,
            nova: others.nova || self.nova,
        }
    }
}
