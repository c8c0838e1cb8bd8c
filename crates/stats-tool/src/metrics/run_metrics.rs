//! All figures of a run.

use std::path::{Path, PathBuf};

use stats_capture::{Better, CaptureFile, Run};
use stats_core::{FrameRules, FrameStatistics, Source};

use super::metric::Metric;
use super::rules::Rules;
use crate::failure::Failure;

/// All figures of a run, computed from its capture.
#[derive(Debug)]
pub(crate) struct RunMetrics {
    /// The capture.
    pub(crate) file: PathBuf,
    /// What was run, where, and how it ended.
    pub(crate) run: Run,
    /// The frame time.
    pub(crate) frame: Option<FrameStatistics>,
}

impl RunMetrics {
    /// Computes the figures of a capture or a journal.
    pub(crate) fn read(file: &Path, rules: &Rules) -> Result<Self, Failure> {
        let capture = CaptureFile::open(file)?;
        let mut frame_rules = FrameRules::default();
        frame_rules.budget_ms = rules.budget_ms;
        let frames: Vec<f64> = capture.frame_times(usize::MAX).iter().collect();
        Ok(Self {
            file: file.to_owned(),
            run: capture.run().clone(),
            frame: FrameStatistics::of(&frames, &frame_rules),
        })
    }

    /// Returns all figures as a list, in an order that never changes. The names are unique.
    pub(crate) fn list(&self) -> Vec<Metric> {
        let mut list = Vec::new();
        if let Some(frame) = &self.frame {
            list.extend(Metric::new(
                "frame/median",
                frame.median_ms,
                "ms",
                Better::Lower,
            ));
            list.extend(Metric::new(
                "frame/p99-by-time",
                frame.p99_by_time_ms,
                "ms",
                Better::Lower,
            ));
        }
        list
    }
}
