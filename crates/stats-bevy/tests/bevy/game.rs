//! A small game: a window, a camera, and the input that its systems see in each frame.

use std::any::Any;
use std::sync::{PoisonError, RwLock};

use bevy_app::{App, TaskPoolPlugin, Update};
use bevy_camera::Camera;
use bevy_ecs::prelude::*;
use bevy_input::gamepad::{
    Gamepad, GamepadAxis, GamepadButton, GamepadConnection, GamepadConnectionEvent, GamepadEvent,
    RawGamepadAxisChangedEvent, RawGamepadButtonChangedEvent, RawGamepadEvent,
};
use bevy_input::keyboard::{Key, KeyCode, KeyboardInput};
use bevy_input::mouse::{
    AccumulatedMouseMotion, AccumulatedMouseScroll, MouseButton, MouseButtonInput, MouseMotion,
    MouseScrollUnit, MouseWheel,
};
use bevy_input::touch::{TouchInput, TouchPhase, Touches};
use bevy_input::{ButtonInput, ButtonState, InputPlugin};
use bevy_math::Vec2;
use bevy_time::TimePlugin;
use bevy_window::{CursorMoved, PrimaryWindow, Window, WindowPlugin};
use stats_bevy::{Overlay, StatsOverlayPlugin, game_has_input};

/// The input that the game's systems saw in the last frame.
#[derive(Resource, Debug, Default, PartialEq)]
pub(crate) struct Seen {
    pub(crate) pressed: Vec<KeyCode>,
    pub(crate) just_pressed: Vec<KeyCode>,
    pub(crate) just_released: Vec<KeyCode>,
    /// Logical keys, buttons and game-pad buttons that are pressed, just pressed or just released.
    pub(crate) others: Vec<String>,
    pub(crate) touches: Vec<u64>,
    pub(crate) moved: Vec2,
    pub(crate) scrolled: Vec2,
    pub(crate) stick: Vec2,
    /// The number of messages about input.
    pub(crate) messages: usize,
    /// The keys that are pressed according to the messages.
    pub(crate) pressing: Vec<KeyCode>,
    /// The result of the run condition [`game_has_input`].
    pub(crate) has_input: bool,
}

/// A game that runs alone locks it for writing, and all others for reading, because series are
/// global.
static TURN: RwLock<()> = RwLock::new(());

/// An app with the plugin.
pub(crate) struct Game {
    pub(crate) app: App,
    pub(crate) pad: Entity,
    pub(crate) camera: Entity,
    window: Entity,
    _turn: Box<dyn Any>,
}

impl Game {
    pub(crate) fn new() -> Self {
        Self::with(StatsOverlayPlugin::default())
    }

    /// Returns a game that runs while no other one does.
    pub(crate) fn alone() -> Self {
        let turn = TURN.write().unwrap_or_else(PoisonError::into_inner);
        Self::build(StatsOverlayPlugin::default(), Box::new(turn))
    }

    pub(crate) fn with(plugin: StatsOverlayPlugin) -> Self {
        let turn = TURN.read().unwrap_or_else(PoisonError::into_inner);
        Self::build(plugin, Box::new(turn))
    }

    fn build(plugin: StatsOverlayPlugin, turn: Box<dyn Any>) -> Self {
        let mut app = App::new();
        app.add_plugins((
            TaskPoolPlugin::default(),
            TimePlugin,
            InputPlugin,
            WindowPlugin::default(),
        ));
        #[cfg(feature = "render")]
        {
            app.init_resource::<bevy_asset::Assets<bevy_image::Image>>();
            app.init_resource::<bevy_asset::Assets<bevy_shader::Shader>>();
        }
        app.add_plugins(plugin);
        app.init_resource::<Seen>();
        app.add_systems(
            Update,
            (
                look,
                count_messages,
                (|mut seen: ResMut<Seen>| seen.has_input = true).run_if(game_has_input),
            )
                .chain(),
        );
        let camera = app.world_mut().spawn(Camera::default()).id();
        let mut windows = app
            .world_mut()
            .query_filtered::<Entity, (With<Window>, With<PrimaryWindow>)>();
        let window = windows.single(app.world()).expect("the plugin opens one");
        let pad = app.world_mut().spawn_empty().id();
        let connection = GamepadConnectionEvent::new(
            pad,
            GamepadConnection::Connected {
                name: "pad".to_owned(),
                vendor_id: None,
                product_id: None,
            },
        );
        app.world_mut().write_message(connection);
        let mut game = Self {
            app,
            pad,
            camera,
            window,
            _turn: turn,
        };
        game.frame();
        game.frame();
        game
    }

    /// Runs a frame, and returns what the game saw.
    pub(crate) fn frame(&mut self) -> &Seen {
        self.app.insert_resource(Seen::default());
        self.app.update();
        self.app.world().resource::<Seen>()
    }

    pub(crate) fn overlay(&self) -> &Overlay {
        self.app.world().resource::<Overlay>()
    }

    pub(crate) fn overlay_mut(&mut self) -> Mut<'_, Overlay> {
        self.app.world_mut().resource_mut::<Overlay>()
    }

    pub(crate) fn key(&mut self, key_code: KeyCode, logical_key: Key, is_down: bool) {
        self.send_key(key_code, logical_key, is_down, false);
    }

    pub(crate) fn repeat(&mut self, key_code: KeyCode, logical_key: Key) {
        self.send_key(key_code, logical_key, true, true);
    }

    fn send_key(&mut self, key_code: KeyCode, logical_key: Key, is_down: bool, repeat: bool) {
        let window = self.window;
        self.app.world_mut().write_message(KeyboardInput {
            key_code,
            logical_key,
            state: state(is_down),
            text: None,
            repeat,
            window,
        });
    }

    /// Presses and releases F3.
    pub(crate) fn toggle(&mut self) {
        self.key(KeyCode::F3, Key::F3, true);
        self.key(KeyCode::F3, Key::F3, false);
    }

    pub(crate) fn button(&mut self, is_down: bool) {
        let window = self.window;
        self.app.world_mut().write_message(MouseButtonInput {
            button: MouseButton::Left,
            state: state(is_down),
            window,
        });
    }

    /// Moves and scrolls the mouse.
    pub(crate) fn mouse(&mut self) {
        let window = self.window;
        let world = self.app.world_mut();
        world.write_message(MouseMotion { delta: Vec2::ONE });
        world.write_message(CursorMoved {
            window,
            position: Vec2::splat(20.0),
            delta: None,
        });
        world.write_message(MouseWheel {
            unit: MouseScrollUnit::Line,
            x: 0.0,
            y: 1.0,
            window,
            phase: TouchPhase::Moved,
        });
    }

    pub(crate) fn touch(&mut self, id: u64, phase: TouchPhase) {
        let window = self.window;
        self.app.world_mut().write_message(TouchInput {
            phase,
            position: Vec2::splat(30.0),
            window,
            force: None,
            id,
        });
    }

    pub(crate) fn pad_button(&mut self, is_down: bool) {
        self.pad_value(if is_down { 1.0 } else { 0.0 });
    }

    /// Moves the button of the pad to a value from 0 to 1.
    pub(crate) fn pad_value(&mut self, value: f32) {
        let event = RawGamepadButtonChangedEvent::new(self.pad, GamepadButton::South, value);
        self.app
            .world_mut()
            .write_message(RawGamepadEvent::Button(event));
    }

    pub(crate) fn stick(&mut self, x: f32) {
        let event = RawGamepadAxisChangedEvent::new(self.pad, GamepadAxis::LeftStickX, x);
        self.app
            .world_mut()
            .write_message(RawGamepadEvent::Axis(event));
    }
}

fn state(is_down: bool) -> ButtonState {
    if is_down {
        ButtonState::Pressed
    } else {
        ButtonState::Released
    }
}

fn look(
    keys: Res<ButtonInput<KeyCode>>,
    logical_keys: Res<ButtonInput<Key>>,
    buttons: Res<ButtonInput<MouseButton>>,
    motion: Res<AccumulatedMouseMotion>,
    scroll: Res<AccumulatedMouseScroll>,
    touches: Res<Touches>,
    pads: Query<&Gamepad>,
    mut seen: ResMut<Seen>,
) {
    seen.pressed = keys.get_pressed().copied().collect();
    seen.just_pressed = keys.get_just_pressed().copied().collect();
    seen.just_released = keys.get_just_released().copied().collect();
    seen.others.extend(all(&*logical_keys));
    seen.others.extend(all(&*buttons));
    for pad in &pads {
        seen.others.extend(all(pad.digital()));
        seen.stick = pad.left_stick();
    }
    seen.touches = touches.iter().map(|touch| touch.id()).collect();
    for touch in touches
        .iter_just_pressed()
        .chain(touches.iter_just_released())
        .chain(touches.iter_just_canceled())
    {
        if !seen.touches.contains(&touch.id()) {
            seen.touches.push(touch.id());
        }
    }
    seen.moved = motion.delta;
    seen.scrolled = scroll.delta;
}

/// Returns each button that is pressed, was just pressed or was just released.
fn all<T>(input: &ButtonInput<T>) -> Vec<String>
where
    T: Clone + Eq + std::hash::Hash + Send + Sync + std::fmt::Debug + 'static,
{
    let pressed = input.get_pressed().map(|button| format!("{button:?}"));
    let new = input.get_just_pressed();
    let released = input.get_just_released();
    pressed
        .chain(new.map(|button| format!("{button:?} pressed")))
        .chain(released.map(|button| format!("{button:?} released")))
        .collect()
}

fn count_messages(
    mut keys: MessageReader<KeyboardInput>,
    mut buttons: MessageReader<MouseButtonInput>,
    mut motions: MessageReader<MouseMotion>,
    mut wheel: MessageReader<MouseWheel>,
    mut cursor: MessageReader<CursorMoved>,
    mut touches: MessageReader<TouchInput>,
    mut pads: MessageReader<GamepadEvent>,
    mut seen: ResMut<Seen>,
) {
    let keys: Vec<&KeyboardInput> = keys.read().collect();
    let pressed = keys.iter().filter(|key| key.state.is_pressed());
    seen.pressing = pressed.map(|key| key.key_code).collect();
    seen.messages = keys.len()
        + buttons.read().count()
        + motions.read().count()
        + wheel.read().count()
        + cursor.read().count()
        + touches.read().count()
        + pads.read().count();
}
