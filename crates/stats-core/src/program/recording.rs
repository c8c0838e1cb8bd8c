//! The interface between an overlay and a program that records its runs.

use std::fmt::Debug;
use std::path::PathBuf;

/// Starts and ends recordings of a run when the user presses a key of an overlay. `stats-capture`
/// implements this trait, and a program passes the implementation to its overlay.
///
/// Every method returns at once. The work is done at the end of the frame, or on another thread.
pub trait RecordingControl: Debug + Send + Sync {
    /// Starts recording all series, or ends the recording in progress.
    fn toggle(&self);

    /// Saves the last frames, which are kept in memory. Nothing happens if none are kept.
    fn save_recent(&self);

    /// Marks the current frame of the recordings with a point, because the user asked for it. The
    /// default implementation does nothing.
    fn mark_point(&self, name: &str) {
        let _ = name;
    }

    /// Leaves the time since the last frame out of the recordings, because the program slept. Where the
    /// next frame would end, one only begins. The default implementation does nothing.
    fn restart_frame(&self) {}

    /// Returns the state of the recordings, and the length of the frames that could be saved.
    fn status(&self) -> RecordingStatus;

    /// Returns the path of a recording that was completed since the last call. If it could not be
    /// completed, returns a message that says why and how to fix that. `None` if no recording ended.
    fn poll_saved(&self) -> Option<Result<PathBuf, String>>;
}

/// The state of a program's recordings.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RecordingStatus {
    /// The recording in progress; `None` if there is none.
    pub running: Option<RecordedLength>,
    /// The frames that [`RecordingControl::save_recent`] would save; `None` if none are kept.
    pub recent: Option<RecordedLength>,
    /// The number of recordings that are being completed.
    pub completing: usize,
}

/// The length and the size of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecordedLength {
    /// The time from the first frame to the last, in seconds.
    pub seconds: f64,
    /// The size so far, in bytes: on disk, or in memory.
    pub bytes: u64,
}
