//! What to record on demand, and where to.

use std::path::PathBuf;
use std::time::Duration;

use crate::CaptureOptions;

/// Where recordings go, and how much of the past is kept.
///
/// ```
/// use std::time::Duration;
/// use stats_capture::RecordingOptions;
///
/// let options = RecordingOptions {
///     recent: Duration::from_secs(60),
///     ..RecordingOptions::default()
/// };
/// # assert_eq!(options.recent_bytes, 64 << 20);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RecordingOptions {
    /// The folder for recordings, which is created with the first. Default: `captures` in the
    /// current folder.
    pub folder: PathBuf,
    /// What a recording says about the run.
    pub capture: CaptureOptions,
    /// How much of the past is kept in memory; zero keeps nothing, and costs nothing. Up to five
    /// seconds more are kept. Default: zero.
    pub recent: Duration,
    /// The most bytes of the past in memory, compressed, and 4 MiB in addition. If they are reached,
    /// less time is kept. Default: 64 MiB.
    pub recent_bytes: u64,
}

impl Default for RecordingOptions {
    fn default() -> Self {
        Self {
            folder: PathBuf::from("captures"),
            capture: CaptureOptions::default(),
            recent: Duration::ZERO,
            recent_bytes: 64 << 20,
        }
    }
}
