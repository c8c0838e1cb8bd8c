//! The simulation: equal seeds give equal runs, and the ship obeys its controls.
use super::{alone, small};
use crate::sim::player::Controls;
use crate::sim::{Config, Sim, Vec2};

#[test]
fn the_same_seed_gives_the_same_run_with_any_number_of_workers() {
    let _alone = alone();
    let run = |workers| {
        let mut sim = small(workers, 0);
        let mut hashes = Vec::new();
        for step in 0..600 {
            if step == 400 {
                sim.next_level();
            }
            sim.step(Controls::default());
            hashes.push(sim.hash());
        }
        hashes
    };
    let (one, four) = (run(1), run(4));
    assert!(
        one == four,
        "the runs differ first at step {:?}",
        one.iter().zip(&four).position(|(a, b)| a != b)
    );
}

#[test]
fn different_seeds_give_different_runs() {
    let _alone = alone();
    let hash = |seed| {
        let mut sim = Sim::new(Config {
            seed,
            level: 0,
            workers: 2,
            population: 0.03,
            scenery: false,
        });
        sim.step(Controls::default());
        sim.hash()
    };
    assert_ne!(hash(1), hash(2));
}

#[test]
fn the_ship_obeys_its_controls() {
    let _alone = alone();
    let mut sim = small(1, 0);
    sim.autopilot = false;
    let before = sim.stage.bodies.ship().at;
    for _ in 0..30 {
        sim.step(Controls {
            thrust: Vec2::X,
            aim: before,
            fire: true,
            nova: false,
        });
    }
    assert!(sim.stage.bodies.ship().at.x > before.x + 0.5);
    assert!(!sim.stage.shots.as_slice().is_empty());
}
