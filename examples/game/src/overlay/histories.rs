//! Records the series of the presets from the start, so that a preset shows the past as soon as it
//! is opened. By default, the overlay records a series only from the moment when it is selected.
use stats_core::{Recorder, Watch};

/// The number of frames between two searches for series that are not registered yet.
const INTERVAL: u32 = 60;

/// Keeps the histories of a list of series alive.
pub(super) struct Histories {
    missing: Vec<String>,
    watches: Vec<Watch>,
    frames: u32,
}

impl Histories {
    /// Returns the histories of the series with these paths. None of them is watched yet.
    pub(super) fn of(paths: Vec<String>) -> Self {
        Self {
            missing: paths,
            watches: Vec::new(),
            frames: 0,
        }
    }

    /// Returns the paths that no series had when they were last looked up.
    pub(super) fn missing(&self) -> &[String] {
        &self.missing
    }

    /// Starts watching the series that have been registered since the last search. Call it once per
    /// frame.
    pub(super) fn update(&mut self, recorder: &mut Recorder) {
        self.frames += 1;
        if self.missing.is_empty() || self.frames % INTERVAL != 1 {
            return;
        }
        let watches = &mut self.watches;
        self.missing.retain(|path| match stats_core::find(path) {
            Some(id) => {
                watches.push(recorder.watch(id));
                false
            }
            None => true,
        });
    }
}
