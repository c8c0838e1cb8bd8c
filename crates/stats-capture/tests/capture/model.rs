//! A model of a run: the value of each series in each frame, from a separate recorder.

use std::collections::HashMap;

use stats_core::{Recorder, SeriesId, Watch};

/// The histories of some series, recorded independently of a capture.
pub(crate) struct Model {
    recorder: Recorder,
    watches: HashMap<String, Watch>,
}

impl Model {
    pub(crate) fn new() -> Self {
        Self {
            recorder: Recorder::with_history(1 << 16),
            watches: HashMap::new(),
        }
    }

    /// Watches a series from the current frame on.
    pub(crate) fn watch(&mut self, path: &str, id: SeriesId) {
        let watch = self.recorder.watch(id);
        self.watches.insert(path.to_owned(), watch);
    }

    pub(crate) fn end_frame_at(&mut self, seconds: f64) {
        self.recorder.end_frame_at(seconds);
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &String> {
        self.watches.keys()
    }

    /// The values of a series by frame; `None` for unknown values.
    pub(crate) fn values(&self, path: &str) -> Vec<Option<f64>> {
        let history = self.recorder.history(&self.watches[path], usize::MAX);
        let frames = self.recorder.frames();
        frames.map(|frame| history.at(frame)).collect()
    }
}
