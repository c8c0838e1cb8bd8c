//! Frames and their times.

use std::time::Duration;

/// One frame of a recorder's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The index: 0 for the recorder's first frame, and one more for each frame after it.
    pub index: u64,
    /// When it began, in seconds since the recorder was created.
    pub start_secs: f64,
    /// Its duration in milliseconds; not negative.
    pub duration_ms: f64,
}

/// A point in time for [`Recorder::end_frame_at`](crate::Recorder::end_frame_at): seconds since the
/// recorder was created.
///
/// Converts from an `f64` or `f32` in seconds, or from a [`Duration`].
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct FrameTime {
    secs: f64,
}

impl FrameTime {
    /// Returns the time in seconds.
    #[must_use]
    pub const fn as_secs(self) -> f64 {
        self.secs
    }
}

impl From<f64> for FrameTime {
    fn from(secs: f64) -> Self {
        Self { secs }
    }
}

impl From<f32> for FrameTime {
    fn from(secs: f32) -> Self {
        Self {
            secs: f64::from(secs),
        }
    }
}

impl From<Duration> for FrameTime {
    fn from(time: Duration) -> Self {
        Self {
            secs: time.as_secs_f64(),
        }
    }
}
