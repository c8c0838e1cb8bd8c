//! The steps of the simulation are the ticks of a clock of its own.
use std::time::Duration;

use stats_core::{Recorder, Watch};

use super::{alone, series};
use crate::args::Args;
use crate::game::Game;
use crate::sim::player::Controls;

#[test]
fn each_step_is_in_the_frame_that_simulates_it() {
    let _alone = alone();
    let args = Args {
        population: 0.06,
        size: (64, 64),
        no_settings: true,
        ..Args::default()
    };
    let mut game = Game::new(&args, false);
    let mut simulate = |steps: u32| {
        let elapsed = Duration::from_secs_f32(crate::sim::STEP * (steps as f32 + 0.01));
        game.simulate(elapsed, |_| Controls::default(), None);
    };
    // The series of the simulation are registered by its first step.
    (0..3).for_each(|_| simulate(1));
    let mut recorder = Recorder::new();
    let watches = ["ticks", "sim/steps", "sim/step", "tick time"].map(|path| {
        let id = series(&format!("fixed-step/{path}"));
        recorder.watch(id.expect("it is listed"))
    });
    simulate(1);
    recorder.end_frame();
    for steps in [1_u32, 0, 2, 3] {
        simulate(steps);
        recorder.end_frame();
    }
    let values = |watch: &Watch| -> Vec<f64> { recorder.history(watch, 4).iter().collect() };
    assert_eq!(values(&watches[0]), [1.0, 0.0, 2.0, 3.0]);
    let steps = values(&watches[1]);
    assert!(steps[1].is_nan(), "no step");
    assert_eq!([steps[0], steps[2], steps[3]], [1.0, 2.0, 3.0]);
    for watch in &watches[2..] {
        let known: Vec<bool> = values(watch).iter().map(|ms| !ms.is_nan()).collect();
        assert_eq!(known, [true, false, true, true]);
    }
}
