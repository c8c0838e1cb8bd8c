//! The options of recordings on demand.

use std::path::PathBuf;
use std::time::Duration;

use crate::CaptureOptions;

/// The options of [`Recordings`](crate::Recordings): the folder, and how much of the past is kept.
///
/// ```
/// use std::time::Duration;
/// use stats_capture::RecordingOptions;
///
/// let mut options = RecordingOptions::default();
/// options.recent = Duration::from_secs(60);
/// # assert_eq!(options.recent_bytes, 64 << 20);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecordingOptions {
    /// The folder for recordings, created with the first one. Default: `captures` in the current
    /// folder.
    pub folder: PathBuf,
    /// The options of each recording.
    pub capture: CaptureOptions,
    /// How much of the past to keep in memory; up to five seconds more may be kept. Zero keeps
    /// nothing and costs nothing. Default: zero.
    pub recent: Duration,
    /// The memory limit for the past in bytes, compressed, with its pictures; another 4 MiB may be in
    /// use for the newest frames, and 16 KiB per series for buffers. At the limit, less time is kept.
    /// Default: 64 MiB.
    pub recent_bytes: u64,
    /// Saves the last frames at a hitch, without a key, at most once in this time on the clock of the
    /// frames: up to half a second after the hitch, so that the file also has what followed. A hitch
    /// is a frame that the [insight] of stats-analysis notices, which takes 60 frames to learn what is
    /// usual. The thread that keeps the frames looks for it. `None` saves only on request, and so
    /// does every value without [`recent`](Self::recent). Default: `None`.
    ///
    /// [insight]: https://docs.rs/stats-analysis/latest/stats_analysis/insight/
    pub save_hitches: Option<Duration>,
}

impl Default for RecordingOptions {
    fn default() -> Self {
        Self {
            folder: PathBuf::from("captures"),
            capture: CaptureOptions::default(),
            recent: Duration::ZERO,
            recent_bytes: 64 << 20,
            save_hitches: None,
        }
    }
}
