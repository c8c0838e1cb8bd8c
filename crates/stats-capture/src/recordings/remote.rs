//! The requests of an overlay, and the status that it shows.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use stats_core::{RecordingControl, RecordingStatus};

/// The maximum number of results that wait to be shown.
const MAX_SAVED: usize = 16;

/// The maximum number of marks that wait for the end of the frame.
const MAX_MARKS: usize = 64;

/// The requests of an overlay, and the status that it shows. The overlay, the program's thread, and
/// the threads that complete recordings share it.
#[derive(Debug, Default)]
pub(super) struct Remote {
    toggles: AtomicU32,
    saves: AtomicU32,
    restarts: AtomicBool,
    completing: AtomicUsize,
    /// The number of `marks`.
    marked: AtomicUsize,
    /// The names of points in the current frame.
    marks: Mutex<Vec<String>>,
    status: Mutex<RecordingStatus>,
    saved: Mutex<VecDeque<Result<PathBuf, String>>>,
}

impl Remote {
    /// Returns whether to start or end a recording. Two presses of the key within a frame cancel
    /// out.
    pub(super) fn take_toggle(&self) -> bool {
        // Relaxed, here and below: requests and counts, which order nothing else.
        self.toggles.load(Ordering::Relaxed) > 0 && self.toggles.swap(0, Ordering::Relaxed) % 2 == 1
    }

    /// Returns whether to save the last frames.
    pub(super) fn take_save(&self) -> bool {
        self.saves.load(Ordering::Relaxed) > 0 && self.saves.swap(0, Ordering::Relaxed) > 0
    }

    /// Returns whether the frame restarts instead of ending.
    pub(super) fn take_restart(&self) -> bool {
        self.restarts.load(Ordering::Relaxed) && self.restarts.swap(false, Ordering::Relaxed)
    }

    /// Returns the names of the points that the overlay marked in the current frame. Allocates and
    /// locks nothing if there are none. If the overlay adds one at this moment, they are returned a
    /// frame later.
    pub(super) fn take_marks(&self) -> Vec<String> {
        if self.marked.load(Ordering::Relaxed) == 0 {
            return Vec::new();
        }
        let mut marks = match self.marks.try_lock() {
            Ok(marks) => marks,
            Err(TryLockError::Poisoned(marks)) => marks.into_inner(),
            Err(TryLockError::WouldBlock) => return Vec::new(),
        };
        self.marked.store(0, Ordering::Relaxed);
        std::mem::take(&mut marks)
    }

    fn marks(&self) -> MutexGuard<'_, Vec<String>> {
        self.marks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the status, unless the overlay is reading it at this moment.
    pub(super) fn set_status(&self, status: RecordingStatus) {
        if let Ok(mut current) = self.status.try_lock() {
            *current = status;
        }
    }

    /// Counts a recording as being completed, until [`complete`](Self::complete).
    pub(super) fn begin_completing(&self) {
        self.completing.fetch_add(1, Ordering::Relaxed);
    }

    /// Reports how a recording ended.
    pub(super) fn complete(&self, result: Result<PathBuf, String>) {
        self.report(result);
        self.completing.fetch_sub(1, Ordering::Relaxed);
    }

    /// Adds a result for the overlay. Drops the oldest one if [`MAX_SAVED`] wait.
    pub(super) fn report(&self, result: Result<PathBuf, String>) {
        let mut saved = self.saved();
        if saved.len() == MAX_SAVED {
            saved.pop_front();
        }
        saved.push_back(result);
    }

    fn saved(&self) -> MutexGuard<'_, VecDeque<Result<PathBuf, String>>> {
        self.saved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RecordingControl for Remote {
    fn toggle(&self) {
        self.toggles.fetch_add(1, Ordering::Relaxed);
    }

    fn save_recent(&self) {
        self.saves.fetch_add(1, Ordering::Relaxed);
    }

    fn restart_frame(&self) {
        self.restarts.store(true, Ordering::Relaxed);
    }

    fn mark_point(&self, name: &str) {
        let mut marks = self.marks();
        if marks.len() < MAX_MARKS {
            marks.push(name.to_owned());
            self.marked.store(marks.len(), Ordering::Relaxed);
        }
    }

    fn status(&self) -> RecordingStatus {
        let mut status = *self.status.lock().unwrap_or_else(PoisonError::into_inner);
        status.completing = self.completing.load(Ordering::Relaxed);
        status
    }

    fn poll_saved(&self) -> Option<Result<PathBuf, String>> {
        self.saved().pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_that_the_overlay_is_adding_are_taken_a_frame_later() {
        let remote = Remote::default();
        remote.mark_point("a");
        let adding = remote.marks();
        assert!(remote.take_marks().is_empty());
        drop(adding);
        assert_eq!(remote.take_marks(), ["a"]);
        assert!(remote.take_marks().is_empty());
    }
}
