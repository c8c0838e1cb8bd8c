//! The capture without the feature `enabled`: it records nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use stats_core::{FrameTime, MarkEvent, RecordingControl, RecordingStatus};

use crate::{CaptureError, CaptureOptions, RecordingOptions};

/// A capture that records nothing, because the feature `enabled` is off.
#[derive(Debug)]
pub struct Capture;

/// Always `None`.
pub fn from_env() -> Result<Option<Capture>, CaptureError> {
    Ok(None)
}

/// Does nothing.
pub fn save_on_panic() {}

impl CaptureOptions {
    /// Always the default.
    pub fn from_env() -> Result<Self, CaptureError> {
        Ok(Self::default())
    }
}

impl Capture {
    /// Returns a capture that records nothing. Creates no file.
    pub fn create(_: impl AsRef<Path>, _: CaptureOptions) -> Result<Self, CaptureError> {
        Ok(Self)
    }

    /// Does nothing.
    #[inline(always)]
    pub fn end_frame(&mut self) {}

    /// Does nothing.
    #[inline(always)]
    pub fn end_frame_at(&mut self, _: impl Into<FrameTime>) {}

    /// Does nothing.
    #[inline(always)]
    pub fn restart_frame(&mut self) {}

    /// Does nothing.
    #[inline(always)]
    pub fn mark(&mut self, _: &str, _: MarkEvent) {}

    /// Does nothing.
    pub fn set_gpu(&mut self, _: &str, _: &str) {}

    /// Does nothing.
    pub fn set_refresh_hz(&mut self, _: f64) {}

    /// Does nothing.
    pub fn set_label(&mut self, _: &str, _: &str) {}

    /// Does nothing.
    pub fn picture(&mut self, _: u64, _: u32, _: u32, _: Vec<u8>) {}

    /// Always `None`.
    #[must_use]
    pub fn wants_picture(&mut self) -> Option<u64> {
        None
    }

    /// Always 0.
    #[must_use]
    pub fn next_frame(&self) -> u64 {
        0
    }

    /// Always 0.
    #[must_use]
    pub fn dropped_frames(&self) -> u64 {
        0
    }

    /// Always `None`.
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        None
    }

    /// Returns an empty path: there is no file.
    pub fn finish(self) -> Result<PathBuf, CaptureError> {
        Ok(PathBuf::new())
    }
}

/// Recordings that record nothing, because the feature `enabled` is off.
#[derive(Debug)]
pub struct Recordings;

#[derive(Debug)]
struct NoControl;

impl RecordingControl for NoControl {
    fn toggle(&self) {}

    fn save_recent(&self) {}

    fn status(&self) -> RecordingStatus {
        RecordingStatus::default()
    }

    fn poll_saved(&self) -> Option<Result<PathBuf, String>> {
        None
    }
}

impl RecordingOptions {
    /// Always the default.
    pub fn from_env() -> Result<Self, CaptureError> {
        Ok(Self::default())
    }
}

impl Recordings {
    /// Returns recordings that record nothing.
    #[must_use]
    pub fn new(_: RecordingOptions) -> Self {
        Self
    }

    /// Returns recordings that record nothing.
    pub fn from_env() -> Result<Self, CaptureError> {
        Ok(Self)
    }

    /// Does nothing.
    pub fn start(&mut self, _: impl Into<PathBuf>) -> Result<(), CaptureError> {
        Ok(())
    }

    /// Does nothing.
    pub fn stop(&mut self) {}

    /// Does nothing.
    pub fn toggle(&mut self) {}

    /// Does nothing.
    pub fn save_recent(&mut self) {}

    /// Returns a control that does nothing.
    #[must_use]
    pub fn control(&self) -> Arc<dyn RecordingControl> {
        Arc::new(NoControl)
    }

    /// Always false.
    #[must_use]
    pub fn keeps_pictures(&self) -> bool {
        false
    }

    /// Always `None`.
    #[must_use]
    pub fn wants_picture(&mut self) -> Option<u64> {
        None
    }

    /// Does nothing.
    pub fn picture(&mut self, _: u64, _: u32, _: u32, _: Vec<u8>) {}

    /// Always 0.
    #[must_use]
    pub fn next_frame(&self) -> u64 {
        0
    }

    /// Always `None`.
    pub fn capture_mut(&mut self) -> Option<&mut Capture> {
        None
    }

    /// Does nothing.
    #[inline(always)]
    pub fn end_frame(&mut self) {}

    /// Does nothing.
    #[inline(always)]
    pub fn end_frame_at(&mut self, _: impl Into<FrameTime>) {}

    /// Does nothing.
    #[inline(always)]
    pub fn restart_frame(&mut self) {}

    /// Does nothing.
    #[inline(always)]
    pub fn mark(&mut self, _: &str, _: MarkEvent) {}

    /// Does nothing.
    pub fn set_gpu(&mut self, _: &str, _: &str) {}

    /// Does nothing.
    pub fn set_refresh_hz(&mut self, _: f64) {}

    /// Does nothing.
    pub fn set_label(&mut self, _: &str, _: &str) {}
}
