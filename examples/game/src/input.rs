//! The player's keyboard and mouse. Events that the overlay consumes do not reach the game.
use stats_core::{Counter, UpDownCounter};
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::keyboard::{KeyCode, PhysicalKey};

use crate::camera::Camera;
use crate::overlay::Overlay;
use crate::sim::Vec2;
use crate::sim::faults::Fault;
use crate::sim::player::Controls;

static KEYS: Counter = Counter::new("input/keys").describe("key events that the game handled");
static CLICKS: Counter =
    Counter::new("input/clicks").describe("mouse button events that the game handled");
static CONSUMED: Counter = Counter::new("input/left-to-overlay")
    .describe("key and mouse events that the overlay consumed");
static HELD: UpDownCounter = UpDownCounter::new("input/held").describe("movement keys held down");

/// A command of a key or the wheel, other than steering the ship.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Command {
    NextLevel,
    Autopilot,
    Fault(Fault),
    /// Zoom in by this many notches of the wheel, or out if negative.
    Zoom(f32),
    /// Go to what the overlay's card shows.
    Hitch,
    /// Mark that something felt bad.
    Moment,
    /// Ask whether to quit, or quit if that was asked.
    Quit,
}

/// The state of the keyboard and the mouse.
#[derive(Default)]
pub(crate) struct Input {
    /// Whether the keys for up, down, left and right are held.
    held: [bool; 4],
    fire: bool,
    nova: bool,
    mouse: Vec2,
}

impl Input {
    /// Handles an event of the window, unless the overlay consumes it. Returns the command that the
    /// event stands for, if any.
    pub(crate) fn take(&mut self, event: &WindowEvent, overlay: &mut Overlay) -> Option<Command> {
        if overlay.consumes(event) {
            Self::count_consumed(event);
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
        if let Some(direction) = direction(code) {
            if self.held[direction] != down {
                HELD.add(if down { 1 } else { -1 });
            }
            self.held[direction] = down;
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

    /// Releases all keys and buttons, because the window lost the focus.
    fn release(&mut self) {
        HELD.add(-(self.held.iter().filter(|&&held| held).count() as f64));
        *self = Self {
            mouse: self.mouse,
            ..Self::default()
        };
    }

    /// Counts an event that the overlay consumed, if it is a key or mouse event.
    fn count_consumed(event: &WindowEvent) {
        use WindowEvent::{KeyboardInput, MouseInput, MouseWheel};
        if matches!(
            event,
            KeyboardInput { .. } | MouseInput { .. } | MouseWheel { .. }
        ) {
            CONSUMED.increment();
        }
    }

    /// Returns the controls for the next simulation step.
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

const fn direction(code: KeyCode) -> Option<usize> {
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
        KeyCode::Digit6 => Some(Command::Fault(Fault::OneInAThousand)),
        KeyCode::Digit7 => Some(Command::Fault(Fault::SlowLeak)),
        KeyCode::Digit8 => Some(Command::Fault(Fault::PeriodicStall)),
        KeyCode::Digit9 => Some(Command::Fault(Fault::LateWorker)),
        KeyCode::Digit0 => Some(Command::Fault(Fault::TwoSystems)),
        KeyCode::KeyQ => Some(Command::Hitch),
        KeyCode::KeyM => Some(Command::Moment),
        KeyCode::Escape => Some(Command::Quit),
        _ => None,
    }
}
