//! What is kept beside the history of a series as frames arrive: its spikes and its pyramid.

use std::ops::Range;

use stats_core::FrameSlice;

use crate::buckets::{Bucket, Summary, summarize_through, thin_through};
use crate::pyramid::Pyramid;
use crate::spike::Verdict;
use crate::spikes::SpikeTrack;

/// Spikes and pyramid of one series.
#[derive(Clone, Debug, Default)]
pub struct Track {
    pub spikes: SpikeTrack,
    pyramid: Pyramid,
    /// The frame before which nothing counts as spike or as past: frame 0 of the frame time began
    /// with the recorder.
    from: u64,
}

impl Track {
    /// An empty track. Frames before `from` are neither judged nor part of any baseline.
    pub fn starting_at(from: u64) -> Self {
        Self {
            from,
            ..Self::default()
        }
    }

    /// Takes in what is new in the history `window` of the series.
    pub fn update(&mut self, window: FrameSlice<'_>, budget: Option<f64>, allowance: &mut usize) {
        self.spikes
            .update(window.within(self.from..u64::MAX), budget, allowance);
        self.pyramid.update(window);
    }

    /// Why a frame is a spike; `None` when it is none.
    pub fn verdict(&self, window: FrameSlice<'_>, frame: u64) -> Option<Verdict> {
        self.spikes.verdict(window, frame)
    }
}

/// Thins a window of a history with the help of its track, where there is one.
pub fn thin_tracked(
    track: Option<&Track>,
    window: FrameSlice<'_>,
    width: u64,
    buckets: &mut Vec<Bucket>,
) {
    thin_through(track.map(|track| &track.pyramid), window, width, buckets);
}

/// Sums up a window of a history with the help of its track, where there is one.
pub fn summarize_tracked(track: Option<&Track>, window: FrameSlice<'_>) -> Option<Summary> {
    summarize_through(track.map(|track| &track.pyramid), window)
}

/// Calls `visit` with the place and the mean of every bucket of `width` frames that has values,
/// counted from the beginning of `frames`.
pub fn means_tracked(
    track: Option<&Track>,
    window: FrameSlice<'_>,
    frames: Range<u64>,
    width: u64,
    mut visit: impl FnMut(usize, f64),
) {
    let held = window.frames();
    for (at, first) in frames.clone().step_by(width as usize).enumerate() {
        let bucket = first.max(held.start)..(first + width).min(frames.end).min(held.end);
        let part = window.within(bucket);
        if let Some(summary) = summarize_tracked(track, part) {
            visit(at, summary.mean);
        }
    }
}
