//! The game: bouncing balls, which the arrow keys push. It knows nothing about the overlay.

use std::thread::sleep;
use std::time::Duration;

use bevy::prelude::*;
use stats_core::{Counter, Timer, UpDownCounter};

static BOUNCES: Counter = Counter::new("balls/bounces");
static BALLS: UpDownCounter = UpDownCounter::new("balls/count");
static MOVE: Timer = Timer::new("balls/move").budget(4.0);
static SAVE: Timer = Timer::new("balls/save").describe("writing the saved game");

/// The number of balls at the start.
const INITIAL: usize = 1_000;
/// The number of balls that a click adds.
const PER_CLICK: usize = 100;
/// Half the width and height of the box that contains the balls.
const HALF: Vec2 = Vec2::new(600.0, 360.0);
/// How long it takes to save the game: a hitch, to look at.
const SAVE_TIME: Duration = Duration::from_millis(250);

/// Adds the balls and their systems.
pub(crate) struct BallsPlugin;

impl Plugin for BallsPlugin {
    fn build(&self, app: &mut App) {
        app.init_state::<GameState>();
        app.add_systems(Startup, set_up);
        app.add_systems(
            Update,
            (
                (pause, save),
                (push, add_more, advance)
                    .chain()
                    .run_if(in_state(GameState::Playing)),
            ),
        );
    }
}

/// Whether the balls move.
#[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum GameState {
    #[default]
    Playing,
    Paused,
}

/// Logical pixels per second.
#[derive(Component)]
struct Velocity(Vec2);

fn set_up(mut commands: Commands) {
    commands.spawn(Camera2d);
    add_balls(&mut commands, INITIAL);
}

fn add_balls(commands: &mut Commands, count: usize) {
    for number in 0..count {
        // The golden angle spreads the balls evenly.
        let angle = number as f32 * 2.399_963;
        let color = Color::hsl(angle.to_degrees() % 360.0, 0.7, 0.6);
        let direction = Vec2::from_angle(angle);
        commands.spawn((
            Sprite::from_color(color, Vec2::splat(6.0)),
            Transform::from_translation((direction * (number % 300) as f32).extend(0.0)),
            Velocity(direction * 120.0),
        ));
    }
    BALLS.add(count);
}

fn pause(
    keys: Res<ButtonInput<KeyCode>>,
    state: Res<State<GameState>>,
    mut next: ResMut<NextState<GameState>>,
) {
    if keys.just_pressed(KeyCode::Space) {
        next.set(match state.get() {
            GameState::Playing => GameState::Paused,
            GameState::Paused => GameState::Playing,
        });
    }
}

fn save(keys: Res<ButtonInput<KeyCode>>) {
    if keys.just_pressed(KeyCode::KeyS) {
        SAVE.time(|| sleep(SAVE_TIME));
    }
}

fn push(keys: Res<ButtonInput<KeyCode>>, time: Res<Time>, mut balls: Query<&mut Velocity>) {
    let directions = [
        (KeyCode::ArrowLeft, Vec2::NEG_X),
        (KeyCode::ArrowRight, Vec2::X),
        (KeyCode::ArrowUp, Vec2::Y),
        (KeyCode::ArrowDown, Vec2::NEG_Y),
    ];
    let push: Vec2 = directions
        .iter()
        .filter(|(key, _)| keys.pressed(*key))
        .map(|(_, direction)| *direction)
        .sum();
    for mut velocity in &mut balls {
        velocity.0 += push * 300.0 * time.delta_secs();
    }
}

fn add_more(buttons: Res<ButtonInput<MouseButton>>, mut commands: Commands) {
    if buttons.just_pressed(MouseButton::Left) {
        add_balls(&mut commands, PER_CLICK);
    }
}

fn advance(time: Res<Time>, mut balls: Query<(&mut Transform, &mut Velocity)>) {
    let _scope = MOVE.scope();
    for (mut transform, mut velocity) in &mut balls {
        transform.translation += (velocity.0 * time.delta_secs()).extend(0.0);
        for axis in 0..2 {
            if transform.translation[axis].abs() > HALF[axis] {
                transform.translation[axis] =
                    transform.translation[axis].clamp(-HALF[axis], HALF[axis]);
                velocity.0[axis] = -velocity.0[axis];
                BOUNCES.add(1);
            }
        }
    }
}
