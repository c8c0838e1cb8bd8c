//! What an overlay asks of a program that records its runs, and what it shows about them.

use std::fmt::Debug;
use std::path::PathBuf;

/// Starts and ends recordings of a run: what the keys of an overlay do. `stats-capture` implements
/// it, and a program hands it to its overlay.
///
/// Every method returns at once. What was asked for is done at the end of the frame, or on another
/// thread.
pub trait RecordingControl: Debug + Send + Sync {
    /// Starts to record all series, or completes the recording that is under way.
    fn toggle(&self);

    /// Saves the last frames, which are kept in memory. Nothing happens if none are kept.
    fn save_recent(&self);

    /// Returns what is recorded now.
    fn status(&self) -> RecordingStatus;

    /// Returns the path of a recording that was completed since the last call, or why it could not
    /// be completed, with the cure; `None` if there is none.
    fn poll_saved(&self) -> Option<Result<PathBuf, String>>;
}

/// What is recorded now.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecordingStatus {
    /// The recording under way.
    pub running: Option<RecordedLength>,
    /// The frames that [`RecordingControl::save_recent`] would save; `None` if none are kept.
    pub recent: Option<RecordedLength>,
    /// The number of recordings that are being completed.
    pub completing: usize,
}

/// How much is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecordedLength {
    /// The time from the first frame to the last, in seconds.
    pub seconds: f64,
    /// The size so far, in bytes: on disk, or in memory.
    pub bytes: u64,
}
