//! What the player holds and presses. Keys and clicks that the overlay takes stop here.
use stats_core::{Counter, UpDownCounter};
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::keyboard::{KeyCode, PhysicalKey};

use crate::camera::Camera;
use crate::overlay::Overlay;
use crate::sim::Vec2;
use crate::sim::faults::Fault;
use crate::sim::player::Controls;

static KEYS: Counter = Counter::new("input/keys").describe("keys that the game took");
static CLICKS: Counter = Counter::new("input/clicks").describe("mouse buttons that the game took");
static IGNORED: Counter =
    Counter::new("input/left-to-overlay").describe("key and mouse events that were the overlay's");
static HELD: UpDownCounter = UpDownCounter::new("input/held").describe("movement keys held down");

/// What a key press asks for, other than to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Command {
    NextLevel,
    Autopilot,
    Fault(Fault),
    /// Zoom in by so many notches of the wheel.
    Zoom(f32),
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
    /// Takes an event of the window unless it is the overlay's; the command it stands for, if it is
    /// one.
    pub(crate) fn take(&mut self, event: &WindowEvent, overlay: &mut Overlay) -> Option<Command> {
        if overlay.consumes(event) {
            Self::ignore(event);
            return None;
        }
        match event {
            WindowEvent::KeyboardInput { event, .. } => return self.key(event),
            WindowEvent::CursorMoved { position, .. } => {
                self.mouse = Vec2::new(position.x as f32, position.y as f32)
            }
            WindowEvent::MouseInput { button, state, .. } => self.button(*button, *state),
            WindowEvent::MouseWheel { delta, .. } => return Some(Command::Zoom(notches(*delta))),
            WindowEvent::Focused(false) => self.release(),
            _ => {}
        }
        None
    }

    fn key(&mut self, event: &KeyEvent) -> Option<Command> {
        let PhysicalKey::Code(code) = event.physical_key else {
            return None;
        };
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

    fn button(&mut self, button: MouseButton, state: ElementState) {
        CLICKS.increment();
        if button == MouseButton::Left {
            self.fire = state == ElementState::Pressed;
        }
        if button == MouseButton::Right {
            self.nova = state == ElementState::Pressed;
        }
    }

    /// Lets go of everything: another window has the input now.
    fn release(&mut self) {
        HELD.add(-(self.held.iter().filter(|&&held| held).count() as f64));
        *self = Self {
            mouse: self.mouse,
            ..Self::default()
        };
    }

    /// Counts key and mouse events that are the overlay's.
    fn ignore(event: &WindowEvent) {
        use WindowEvent::{KeyboardInput, MouseInput, MouseWheel};
        if matches!(
            event,
            KeyboardInput { .. } | MouseInput { .. } | MouseWheel { .. }
        ) {
            IGNORED.increment();
        }
    }

    /// The orders for the next step.
    pub(crate) fn controls(&self, camera: &Camera) -> Controls {
        let [up, down, left, right] = self.held.map(|held| if held { 1.0 } else { 0.0 });
        let thrust = Vec2::new(right - left, down - up).clamp_length_max(1.0);
        Controls {
            thrust,
            aim: camera.world_at(self.mouse),
            fire: self.fire,
            nova: self.nova,
        }
    }
}

fn notches(delta: MouseScrollDelta) -> f32 {
    match delta {
        MouseScrollDelta::LineDelta(_, lines) => lines,
        MouseScrollDelta::PixelDelta(pixels) => pixels.y as f32 / 50.0,
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
