//! A run, and the capture that has its frames.

use stats_capture::CaptureFile;
use stats_core::{FrameSlice, Source};

use crate::failure::Failure;
use crate::metrics::RunMetrics;

/// A run, and the capture that has its frames.
pub(super) struct Recording<'a> {
    pub(super) metrics: &'a RunMetrics,
    pub(super) capture: CaptureFile,
}

impl<'a> Recording<'a> {
    /// Opens the capture of a run.
    pub(super) fn open(metrics: &'a RunMetrics) -> Result<Self, Failure> {
        Ok(Self {
            metrics,
            capture: CaptureFile::open(&metrics.file)?,
        })
    }

    /// Returns the name of the file.
    pub(super) fn name(&self) -> String {
        self.metrics.file.display().to_string()
    }

    /// Returns the time of each frame in milliseconds; NaN if it was dropped.
    pub(super) fn frames_ms(&self) -> FrameSlice<'_> {
        self.capture.frame_times(usize::MAX)
    }

    /// Returns when a frame began, in seconds since the first frame began. For the frame after the
    /// last one, returns the end of the last one.
    pub(super) fn begin_secs(&self, frame: u64) -> f64 {
        let frames = self.capture.frames();
        let zero = (self.capture.frame(frames.start)).map_or(0.0, |first| first.start_secs);
        let begin = if frame < frames.end {
            let frame = self.capture.frame(frame);
            frame.map(|frame| frame.start_secs)
        } else {
            let last = frames.end.checked_sub(1);
            let last = last.and_then(|last| self.capture.frame(last));
            last.map(|last| last.start_secs + last.duration_ms / 1e3)
        };
        begin.map_or(0.0, |begin| (begin - zero).max(0.0))
    }

    /// Returns the duration of the run, in seconds.
    pub(super) fn seconds(&self) -> f64 {
        self.begin_secs(u64::MAX)
    }

    /// Returns the known times of the frames that are not left out.
    pub(super) fn judged_ms(&self) -> Vec<f64> {
        let is_left_out = |frame: u64| {
            let mut ranges = self.metrics.left_out.ranges.iter();
            ranges.any(|(_, range)| range.contains(&frame))
        };
        let frames = self.frames_ms();
        let all = frames.iter().zip(frames.first_frame()..);
        all.filter(|(ms, frame)| !ms.is_nan() && !is_left_out(*frame))
            .map(|(ms, _)| ms)
            .collect()
    }

    /// Returns the frames that are hitches.
    pub(super) fn hitches(&self) -> Vec<u64> {
        let first = self.capture.frames().start;
        let Some(frame) = self.metrics.clock("frame") else {
            return Vec::new();
        };
        let hitches = frame.statistics.hitches.iter();
        hitches.map(|position| first + *position as u64).collect()
    }

    /// Returns the budget of a frame, in milliseconds.
    pub(super) fn budget_ms(&self) -> Option<f64> {
        self.metrics.clock("frame")?.statistics.rules.budget_ms
    }
}
