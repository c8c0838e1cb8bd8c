//! Histories from the start of what the presets show, so that whoever opens one sees what led
//! there.
use stats_core::{Recorder, Watch};

/// Frames between two looks for series that did not exist yet.
const EVERY: u32 = 60;

/// The series to be watched, and those that are.
pub(super) struct Histories {
    missing: Vec<String>,
    watches: Vec<Watch>,
    frames: u32,
}

impl Histories {
    pub(super) fn of(paths: Vec<String>) -> Self {
        Self {
            missing: paths,
            watches: Vec::new(),
            frames: 0,
        }
    }

    /// Those that did not exist when they were last looked for.
    pub(super) fn missing(&self) -> &[String] {
        &self.missing
    }

    /// Begins the histories of series that exist by now; once a frame.
    pub(super) fn begin(&mut self, recorder: &mut Recorder) {
        self.frames += 1;
        if self.missing.is_empty() || self.frames % EVERY != 1 {
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
