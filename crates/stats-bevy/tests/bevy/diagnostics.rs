//! Bevy's diagnostics as gauges.

use bevy_diagnostic::{
    Diagnostic, DiagnosticMeasurement, DiagnosticPath, DiagnosticsStore, RegisterDiagnostic,
};
use bevy_ecs::prelude::*;
use bevy_platform::time::Instant;
use stats_bevy::stats_core::{Unit, gauge};

use crate::game::Game;

fn measure(game: &mut Game, path: &str, value: f64) {
    let path = DiagnosticPath::new(path.to_owned());
    let mut store = game.app.world_mut().resource_mut::<DiagnosticsStore>();
    let diagnostic = store.get_mut(&path).expect("registered");
    diagnostic.add_measurement(DiagnosticMeasurement {
        time: Instant::now(),
        value,
    });
}

fn game_with(path: &'static str, suffix: &'static str) -> Game {
    let mut game = Game::new();
    let path = DiagnosticPath::const_new(path);
    game.app
        .register_diagnostic(Diagnostic::new(path).with_suffix(suffix));
    game
}

fn value_of(game: &mut Game, path: &str) -> Option<f64> {
    let mut overlay = game.overlay_mut();
    let recorder = overlay.recorder_mut();
    let id = stats_bevy::stats_core::Source::find(recorder, path)?;
    recorder.peek(id)
}

#[test]
fn a_diagnostic_is_a_gauge_with_its_path_and_unit() {
    let mut game = game_with("render/shadow_pass/elapsed_gpu", "ms");
    game.frame();
    assert_eq!(
        value_of(&mut game, "bevy/render/shadow_pass/elapsed_gpu"),
        None,
        "there is no measurement yet"
    );
    measure(&mut game, "render/shadow_pass/elapsed_gpu", 1.5);
    game.frame();
    assert_eq!(
        value_of(&mut game, "bevy/render/shadow_pass/elapsed_gpu"),
        Some(1.5)
    );
    let mut unit = None;
    stats_bevy::stats_core::for_each_series(|info| {
        if info.path == "bevy/render/shadow_pass/elapsed_gpu" {
            unit = Some(info.unit);
        }
    });
    assert_eq!(unit, Some(Unit::Milliseconds));
}

#[test]
fn only_a_new_measurement_sets_the_gauge() {
    let mut game = game_with("only-new", "");
    measure(&mut game, "only-new", 3.0);
    game.frame();
    // Only a new measurement replaces a value that the game sets in between.
    gauge("bevy/only-new").set(99.0);
    game.frame();
    game.frame();
    assert_eq!(value_of(&mut game, "bevy/only-new"), Some(99.0));
    measure(&mut game, "only-new", 3.0);
    game.frame();
    assert_eq!(
        value_of(&mut game, "bevy/only-new"),
        Some(3.0),
        "an equal value that was measured again is new"
    );
}

#[test]
fn values_that_are_not_finite_and_disabled_diagnostics_are_left_out() {
    let mut game = game_with("odd", "");
    measure(&mut game, "odd", f64::NAN);
    game.frame();
    assert_eq!(value_of(&mut game, "bevy/odd"), None);
    measure(&mut game, "odd", 1.0);
    let mut store = game.app.world_mut().resource_mut::<DiagnosticsStore>();
    let odd = store.get_mut(&DiagnosticPath::const_new("odd"));
    odd.expect("registered").is_enabled = false;
    game.frame();
    assert_eq!(value_of(&mut game, "bevy/odd"), None);
}

#[derive(Component)]
struct Marker;

#[test]
fn entities_and_archetypes_are_counted() {
    let mut game = Game::alone();
    game.frame();
    let before = |game: &mut Game, path: &str| value_of(game, path).expect("published");
    let entities = before(&mut game, "bevy/entities");
    let archetypes = before(&mut game, "bevy/archetypes");
    for _ in 0..7 {
        game.app.world_mut().spawn(Marker);
    }
    game.frame();
    assert_eq!(value_of(&mut game, "bevy/entities"), Some(entities + 7.0));
    assert_eq!(
        value_of(&mut game, "bevy/archetypes"),
        Some(archetypes + 1.0)
    );
}
