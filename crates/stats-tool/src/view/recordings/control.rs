//! The requests of the overlay, and the status that it shows.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use stats_core::{RecordingControl, RecordingStatus};

/// The most results, and the most marks, that wait.
const MAX_WAITING: usize = 64;

/// The window and the threads that write share it.
#[derive(Debug, Default)]
pub(super) struct Control(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    is_toggled: bool,
    marks: Vec<String>,
    status: RecordingStatus,
    saved: VecDeque<Result<PathBuf, String>>,
}

impl Control {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether to begin or to end a recording. Two requests cancel out.
    pub(super) fn take_toggle(&self) -> bool {
        std::mem::take(&mut self.state().is_toggled)
    }

    /// Returns the names of the marks of the newest frame.
    pub(super) fn take_marks(&self) -> Vec<String> {
        std::mem::take(&mut self.state().marks)
    }

    pub(super) fn set_status(&self, status: RecordingStatus) {
        self.state().status = status;
    }

    /// Adds a result for the overlay, and drops the oldest one if too many wait.
    pub(super) fn report(&self, result: Result<PathBuf, String>) {
        let saved = &mut self.state().saved;
        if saved.len() == MAX_WAITING {
            saved.pop_front();
        }
        saved.push_back(result);
    }
}

impl RecordingControl for Control {
    fn toggle(&self) {
        let is_toggled = &mut self.state().is_toggled;
        *is_toggled = !*is_toggled;
    }

    /// Does nothing: no frames are kept to be saved, as the status says.
    fn save_recent(&self) {}

    fn mark_point(&self, name: &str) {
        let marks = &mut self.state().marks;
        if marks.len() < MAX_WAITING {
            marks.push(name.to_owned());
        }
    }

    fn status(&self) -> RecordingStatus {
        self.state().status
    }

    fn poll_saved(&self) -> Option<Result<PathBuf, String>> {
        self.state().saved.pop_front()
    }
}
