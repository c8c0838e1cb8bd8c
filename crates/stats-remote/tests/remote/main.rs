//! A game and its viewers, over real connections.
#![cfg(feature = "enabled")]

mod clocks;
mod costs;
mod distributions;
mod far;
mod following;
mod raw;
mod scopes;
mod security;
mod slow;
mod surveys;
mod ten_minutes;

use std::time::{Duration, Instant};

use stats_core::{Recorder, Source};
use stats_remote::{Remote, RemoteOptions, RemoteSource};

/// How long anything may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// A game that plays as fast as it can, and the recorder that it would show itself.
struct Game {
    recorder: Recorder,
    remote: Remote,
    frames: u64,
    /// Called in each frame, with its number.
    play: fn(u64),
}

impl Game {
    fn start(play: fn(u64)) -> Self {
        let mut options = RemoteOptions::default();
        options.port = 0;
        Self::with(options, play)
    }

    fn with(options: RemoteOptions, play: fn(u64)) -> Self {
        Self {
            recorder: Recorder::new(),
            remote: Remote::start(options).expect("a port is free"),
            frames: 0,
            play,
        }
    }

    fn frame(&mut self) {
        (self.play)(self.frames);
        self.frames += 1;
        self.recorder.end_frame_at(self.frames as f64 / 60.0);
        self.remote.publish(&mut self.recorder);
    }

    fn viewer(&self) -> RemoteSource {
        RemoteSource::connect(self.remote.address()).expect("the game answers")
    }

    /// Plays until a condition holds.
    fn play_until(&mut self, mut is_done: impl FnMut(&mut Self) -> bool) {
        let begun = Instant::now();
        while !is_done(self) {
            assert!(begun.elapsed() < PATIENCE, "it takes too long");
            self.frame();
            std::thread::sleep(Duration::from_micros(500));
        }
    }

    /// Waits until a viewer has all frames but the last hundred. One that is further behind leaves scopes
    /// out, if a thread gets no processor for a while.
    fn wait_for(&mut self, viewer: &mut RemoteSource) {
        let end = self.recorder.frames().end;
        wait_until(|| {
            // It answers what the viewer asks for.
            self.remote.publish(&mut self.recorder);
            viewer.pump();
            viewer.frames().end + 100 >= end
        });
    }

    /// Plays until a viewer lists a path, and returns its id there.
    fn listed(&mut self, viewer: &mut RemoteSource, path: &str) -> stats_core::SeriesId {
        self.play_until(|_| {
            viewer.pump();
            viewer.find(path).is_some()
        });
        viewer.find(path).expect("it is listed")
    }
}

/// Waits until a condition holds.
fn wait_until(mut is_done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_done() {
        assert!(begun.elapsed() < PATIENCE, "it takes too long");
        std::thread::sleep(Duration::from_millis(1));
    }
}
