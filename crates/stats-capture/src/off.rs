//! The capture without the feature `enabled`: it records nothing.

use std::path::{Path, PathBuf};

use stats_core::{FrameTime, MarkEvent};

use crate::{CaptureError, CaptureOptions};

/// A capture that records nothing, because the feature `enabled` is off.
#[derive(Debug)]
pub struct Capture;

/// Always `None`.
pub fn from_env() -> Result<Option<Capture>, CaptureError> {
    Ok(None)
}

impl CaptureOptions {
    /// Always the default.
    pub fn from_env() -> Result<Self, CaptureError> {
        Ok(Self::default())
    }
}

impl Capture {
    /// Returns a capture of nothing. No file is created.
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
