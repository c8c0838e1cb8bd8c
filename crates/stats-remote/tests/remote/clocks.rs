//! The clock of a game, as a viewer knows it.

use std::time::{Duration, Instant};

use super::{Game, PATIENCE};

#[test]
fn the_clock_of_a_running_game_that_publishes_late_is_within_the_stated_error() {
    let mut game = Game::start(|_| {});
    let mut viewer = game.viewer();
    let start = Instant::now();
    let (mut late_secs, mut checked) = (0.0_f64, 0);
    while checked < 300 {
        assert!(start.elapsed() < PATIENCE, "it takes too long");
        let before = Instant::now();
        game.recorder.end_frame();
        // The frame ended after `before`, and no later than now.
        late_secs = late_secs.max(before.elapsed().as_secs_f64());
        std::thread::sleep(Duration::from_millis(3));
        game.remote.publish(&mut game.recorder);
        let newest = game.recorder.frames().end - 1;
        let frame = game.recorder.frame(newest).expect("it has ended");
        let end_secs = frame.start_secs + frame.duration_ms / 1e3;
        viewer.pump();
        if let Some((offset_secs, error_secs)) = viewer.clock_offset(start) {
            let least = before.saturating_duration_since(start).as_secs_f64() - end_secs;
            let most = least + late_secs;
            assert!(error_secs >= 0.0);
            assert!(
                offset_secs + error_secs >= least - 1e-6,
                "{offset_secs} {error_secs} {least}"
            );
            assert!(
                offset_secs - error_secs <= most + 1e-6,
                "{offset_secs} {error_secs} {most}"
            );
            checked += 1;
        }
    }
}
