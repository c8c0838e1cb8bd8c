//! The ends of frames.

use bevy_app::{First, Last, Update};
use bevy_ecs::prelude::*;
use bevy_egui::{EguiContext, EguiPrimaryContextPass, PrimaryEguiContext};
use stats_bevy::stats_core::Counter;
use stats_bevy::stats_overlay::Mode;

use crate::game::Game;

static WORK: Counter = Counter::new("bevy-frames/work");

const MODES: [Mode; 4] = [Mode::Hidden, Mode::Hud, Mode::Watch, Mode::Full];

#[test]
fn each_run_of_the_main_schedule_is_one_frame_in_every_mode() {
    let mut game = Game::new();
    for mode in MODES {
        game.overlay_mut().set_mode(mode);
        let before = game.overlay().recorder().frames().end;
        for _ in 0..5 {
            game.frame();
        }
        assert_eq!(
            game.overlay().recorder().frames().end,
            before + 5,
            "{mode:?}"
        );
    }
}

#[test]
fn a_frame_covers_everything_from_first_to_last() {
    let mut game = Game::new();
    game.app.add_systems(First, || WORK.add(1));
    game.app.add_systems(Update, || WORK.add(10));
    game.app.add_systems(Last, || WORK.add(100));
    let watch = game.overlay_mut().recorder_mut().watch(WORK.id());
    for _ in 0..4 {
        game.frame();
    }
    let overlay = game.overlay();
    let values: Vec<f64> = overlay.recorder().history(&watch, 3).iter().collect();
    assert_eq!(values, [111.0; 3]);
}

#[test]
fn startup_is_not_a_frame() {
    // The first of two runs began frame 0 after its startup schedules.
    assert_eq!(Game::new().overlay().recorder().frames(), 0..1);
}

#[test]
fn a_repeated_pass_ends_no_frame() {
    let mut game = Game::new();
    game.overlay_mut().set_mode(Mode::Full);
    let discard = |mut context: Single<&mut EguiContext, With<PrimaryEguiContext>>| {
        let ctx = context.get_mut();
        if ctx.current_pass_index() == 0 {
            ctx.request_discard("a test");
        }
    };
    game.app.add_systems(EguiPrimaryContextPass, discard);
    let before = game.overlay().recorder().frames().end;
    for _ in 0..3 {
        game.frame();
    }
    assert_eq!(game.overlay().recorder().frames().end, before + 3);
}
