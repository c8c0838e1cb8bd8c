//! The figures of a run, its capture, and the frames to list.

use stats_analysis::insight::Hitch;
use stats_capture::CaptureFile;
use stats_core::{FrameSlice, Source};

use crate::failure::Failure;
use crate::input::open;
use crate::metrics::RunMetrics;
use crate::output::name_of;
use crate::runs::moved_text;

/// The maximum number of hitches to list for a run: the longest ones.
pub(crate) const MAX_HITCHES: usize = 50;

/// The figures of a run, its capture, and the frames to list.
pub(crate) struct Recording<'a> {
    pub(crate) metrics: &'a RunMetrics,
    pub(crate) capture: CaptureFile,
    /// By frame, when it began, in seconds since the first frame began. For a dropped frame, when
    /// the next recorded frame began. After the last frame, when that ended.
    begins_secs: Vec<f64>,
    /// The frames that a page lists, in order: the longest hitches, then the longest of the frames that did
    /// more work but took no longer. If there are none of both, the slowest frames.
    pub(crate) listed: Vec<Hitch>,
}

impl<'a> Recording<'a> {
    /// Opens the capture of a run.
    pub(crate) fn open(metrics: &'a RunMetrics) -> Result<Self, Failure> {
        let capture = open(&metrics.file)?;
        let mut listed = metrics.explained.listed().to_vec();
        listed.sort_by(|a, b| {
            (b.is_seen().cmp(&a.is_seen())).then(b.frame_ms.total_cmp(&a.frame_ms))
        });
        listed.truncate(MAX_HITCHES);
        listed.sort_by_key(|hitch| hitch.frame);
        Ok(Self {
            metrics,
            begins_secs: begins_secs(&capture),
            capture,
            listed,
        })
    }

    /// Returns whether the listed frames did more work than usual, and are not only the slowest
    /// frames.
    pub(crate) fn has_more_work(&self) -> bool {
        !self.metrics.explained.hitches.is_empty()
    }

    /// Returns what made a listed frame long. A share is one of the time beyond what is usual, so a
    /// frame that is no hitch has none.
    pub(crate) fn what_moved(&self, listed: &Hitch) -> String {
        match self.has_more_work() {
            true => listed.verdict.clone(),
            false => moved_text(listed),
        }
    }

    /// Returns the name of the file.
    pub(crate) fn name(&self) -> String {
        name_of(&self.metrics.file)
    }

    /// Returns the time of each frame in milliseconds; NaN if it was dropped.
    pub(crate) fn frames_ms(&self) -> FrameSlice<'_> {
        self.capture.frame_times(usize::MAX)
    }

    /// Returns when a frame began, in seconds since the first frame began. For a dropped frame,
    /// returns when the next recorded frame began. After the last frame, returns when that ended.
    pub(crate) fn begin_secs(&self, frame: u64) -> f64 {
        let at = frame.saturating_sub(self.capture.frames().start);
        let begin = usize::try_from(at)
            .ok()
            .and_then(|at| self.begins_secs.get(at));
        let begin = begin.or(self.begins_secs.last());
        begin.copied().unwrap_or(0.0)
    }

    /// Returns the duration of the run, in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.begin_secs(u64::MAX)
    }

    /// Returns the known times of the frames that are not left out.
    pub(crate) fn judged_ms(&self) -> Vec<f64> {
        let is_left_out = |frame| self.metrics.left_out.has(frame);
        let frames = self.frames_ms();
        let all = frames.iter().zip(frames.first_frame()..);
        all.filter(|(ms, frame)| !ms.is_nan() && !is_left_out(*frame))
            .map(|(ms, _)| ms)
            .collect()
    }

    /// Returns the budget of a frame, in milliseconds.
    pub(crate) fn budget_ms(&self) -> Option<f64> {
        self.metrics.clock("frame")?.statistics.rules.budget_ms
    }
}

/// Returns when each frame began, and when the last one ended.
fn begins_secs(capture: &CaptureFile) -> Vec<f64> {
    let frames = capture.frames();
    let known = |frame: u64| capture.frame(frame);
    let zero = known(frames.start).map_or(0.0, |first| first.start_secs);
    let last = frames.end.checked_sub(1).and_then(known);
    let end = last.map_or(zero, |last| last.start_secs + last.duration_ms / 1e3);
    let mut next = end;
    let mut begins: Vec<f64> = frames
        .rev()
        .map(|frame| {
            next = known(frame).map_or(next, |frame| frame.start_secs);
            (next - zero).max(0.0)
        })
        .collect();
    begins.reverse();
    begins.push((end - zero).max(0.0));
    begins
}
