//! What the player holds and presses. Keys and clicks that the overlay takes never get here.
use stats_core::{Counter, UpDownCounter};
use winit::event::{ElementState, KeyEvent, MouseButton};
use winit::keyboard::{KeyCode, PhysicalKey};

use crate::camera::Camera;
use crate::sim::Vec2;
use crate::sim::faults::Fault;
use crate::sim::player::Controls;

static KEYS: Counter = Counter::new("input/keys").describe("keys that the game took");
static CLICKS: Counter = Counter::new("input/clicks").describe("mouse buttons that the game took");
static IGNORED: Counter = Counter::new("input/left-to-overlay").describe("key and mouse events that were the overlay's");
static HELD: UpDownCounter = UpDownCounter::new("input/held").describe("movement keys held down");

/// What a key press asks for, other than to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    NextLevel,
    Autopilot,
    Fault(Fault),
    Quit,
}

/// The state of keys and mouse.
#[derive(Default)]
pub(crate) struct Input {
    held: [bool; 4],
    fire: bool,
    nova: bool,
    mouse: Vec2,
}

impl Input {
    /// Takes a key; the command it stands for, if it is one.
    pub(crate) fn key(&mut self, event: &KeyEvent) -> Option<Command> {
        let PhysicalKey::Code(code) = event.physical_key else { return None };
        let down = event.state == ElementState::Pressed;
        KEYS.increment();
        if let Some(way) = way(code) {
            if self.held[way] != down {
                HELD.add(if down { 1 } else { -1 });
            }
            self.held[way] = down;
            return None;
        }
        if code == KeyCode::Space {
            self.nova = down;
            return None;
        }
        (down && !event.repeat).then(|| command(code)).flatten()
    }

    pub(crate) fn mouse_moved(&mut self, x: f64, y: f64) {
        self.mouse = Vec2::new(x as f32, y as f32);
    }

    pub(crate) fn mouse_button(&mut self, button: MouseButton, state: ElementState) {
        CLICKS.increment();
        if button == MouseButton::Left {
            self.fire = state == ElementState::Pressed;
        }
        if button == MouseButton::Right {
            self.nova = state == ElementState::Pressed;
        }
    }

    /// Lets go of everything: the overlay has the input now, or the window lost the focus.
    pub(crate) fn release(&mut self) {
        HELD.add(-(self.held.iter().filter(|&&held| held).count() as f64));
        *self = Self { mouse: self.mouse, ..Self::default() };
    }

    /// Counts an event that was the overlay's.
    pub(crate) fn ignored() {
        IGNORED.increment();
    }

    /// The orders for the next step.
    pub(crate) fn controls(&self, camera: &Camera) -> Controls {
        let [up, down, left, right] = self.held.map(|held| if held { 1.0 } else { 0.0 });
        let thrust = Vec2::new(right - left, down - up).clamp_length_max(1.0);
        Controls { thrust, aim: camera.world_at(self.mouse), fire: self.fire, nova: self.nova }
    }
}

const fn way(code: KeyCode) -> Option<usize> {
    match code {
        KeyCode::KeyW | KeyCode::ArrowUp => Some(0),
        KeyCode::KeyS | KeyCode::ArrowDown => Some(1),
        KeyCode::KeyA | KeyCode::ArrowLeft => Some(2),
        KeyCode::KeyD | KeyCode::ArrowRight => Some(3),
        _ => None,
    }
}

const fn command(code: KeyCode) -> Option<Command> {
    match code {
        KeyCode::Tab | KeyCode::KeyN => Some(Command::NextLevel),
        KeyCode::KeyP => Some(Command::Autopilot),
        KeyCode::Digit1 => Some(Command::Fault(Fault::PathHitch)),
        KeyCode::Digit2 => Some(Command::Fault(Fault::GrowingArray)),
        KeyCode::Digit3 => Some(Command::Fault(Fault::DrawCalls)),
        KeyCode::Digit4 => Some(Command::Fault(Fault::WorkerStall)),
        KeyCode::Digit5 => Some(Command::Fault(Fault::PacketStorm)),
        KeyCode::Escape => Some(Command::Quit),
        _ => None,
    }
}
