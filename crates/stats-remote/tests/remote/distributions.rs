//! A viewer has the distributions of histograms that the game itself would show.

use stats_core::{Precision, Source, begin_run, histogram};

use super::Game;

/// Plays until a viewer has the distributions of the game.
fn assert_same(game: &mut Game, viewer: &mut stats_remote::RemoteSource, paths: &[&str]) {
    for path in paths {
        let id = game.listed(viewer, path);
        let of_game = stats_core::find(path).expect("it is registered");
        game.play_until(|game| {
            viewer.pump();
            // Another test may begin a run.
            let of_game = game.recorder.distribution(of_game);
            assert!(of_game.is_some(), "it is a histogram");
            viewer.distribution(id) == of_game
        });
    }
}

#[test]
fn distributions_are_those_of_the_game_in_each_run() {
    const PATHS: [&str; 3] = [
        "distributions/sizes",
        "distributions/times",
        "distributions/many",
    ];
    let mut game = Game::start(|_| {});
    let [sizes, times, many] = PATHS.map(histogram);
    let many = many.precision(Precision::FourDigits);
    sizes.record(60);
    let _ = (times.id(), many.id());
    let mut viewer = game.viewer();
    assert_same(&mut game, &mut viewer, &PATHS);
    let mut random = stats_testing::Random::new(21);
    for run in 0..3 {
        for part in 0..4 {
            for _ in 0..500 {
                sizes.record(random.below(1500));
                times.record((random.value() - 0.5) * 40.0);
                // More buckets than a message has.
                many.record(random.value() * 9000.0);
            }
            // On another thread, too.
            std::thread::scope(|scope| {
                scope.spawn(|| times.record(f64::from(run * 10 + part)));
            });
            assert_same(&mut game, &mut viewer, &PATHS);
        }
        begin_run();
        assert_same(&mut game, &mut viewer, &PATHS);
    }
    // Nobody asked for a while, and then for the same again.
    let id = game.listed(&mut viewer, PATHS[0]);
    let end = game.frames + 2000;
    game.play_until(|game| {
        viewer.pump();
        game.frames >= end
    });
    sizes.record(7);
    assert_same(&mut game, &mut viewer, &PATHS);
    // A counter has no samples, nor does a series that the game does not have.
    assert_eq!(
        viewer.distribution(stats_core::SeriesId::new(id.number() + 100_000)),
        None
    );
}

#[test]
fn a_viewer_that_connects_again_has_them_again() {
    let mut game = Game::start(|_| {});
    let sizes = histogram("distributions/again");
    sizes.record(60);
    for _ in 0..3 {
        let mut viewer = game.viewer();
        sizes.record(61);
        assert_same(&mut game, &mut viewer, &["distributions/again"]);
    }
}
