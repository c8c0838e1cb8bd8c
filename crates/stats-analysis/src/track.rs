//! A track: the spikes, spans over budget and extremes of one series, updated as its frames arrive.
//!
//! A history of 100,000 frames is too long to be read in every frame of a game. A [`Track`] reads
//! each frame once, when it arrives, and keeps the spikes, the spans over budget, and a pyramid of
//! extremes. The functions here answer from the track if there is one, and otherwise from the
//! values; the results are the same, up to rounding of a mean.

use std::ops::Range;

use stats_core::FrameSlice;

use crate::buckets::{Bucket, thin_through};
use crate::over_budget::OverBudgetTrack;
use crate::pyramid::Pyramid;
use crate::spikes::SpikeTrack;
use crate::summary::{Summary, summarize_through};

/// The spikes, the spans over budget, and the pyramid of one series.
///
/// Takes about 4 bytes per frame of the history, 2 KiB, 32 bytes per spike, and 16 bytes per
/// span.
#[derive(Clone, Debug, Default)]
pub struct Track {
    /// The spikes.
    pub spikes: SpikeTrack,
    /// The spans over budget.
    pub over_budget: OverBudgetTrack,
    pyramid: Pyramid,
    /// The first frame that counts as a spike, as part of a past, or as over budget.
    from: u64,
}

impl Track {
    /// Returns an empty track. Frames before `from` are neither spikes, nor part of a past, nor
    /// over budget. Frame 0 of the frame time, for example, begins with the recorder and not at the
    /// end of another frame.
    pub fn starting_at(from: u64) -> Self {
        Self {
            from,
            ..Self::default()
        }
    }

    /// Adds the frames of `window` that are new to the track. `window` is the history of the
    /// series. Values above `limit` are over budget.
    ///
    /// At most `*allowance` frames are judged, and their number is subtracted from it; see
    /// [`SpikeTrack::update`]. The spans and the pyramid add at most 65,536 frames per update.
    /// Allocates nothing in the steady state.
    pub fn update(&mut self, window: FrameSlice<'_>, limit: Option<f64>, allowance: &mut usize) {
        let counted = window.within(self.from..u64::MAX);
        self.spikes.update(counted, allowance);
        self.over_budget.update(counted, limit);
        self.pyramid.update(window);
    }
}

/// Works like [`thin`](crate::buckets::thin), but reads the track if there is one.
///
/// `window` is the history that the track was last updated with, or a part of it. In buckets of 64
/// frames or more, blocks are read instead of values.
pub fn thin_tracked(
    track: Option<&Track>,
    window: FrameSlice<'_>,
    width: u64,
    buckets: &mut Vec<Bucket>,
) {
    thin_through(track.map(|track| &track.pyramid), window, width, buckets);
}

/// Returns the newest value, the extremes and the mean of a window; `None` if no value of it is
/// known. Reads the window's track, if there is one.
pub fn summarize_tracked(track: Option<&Track>, window: FrameSlice<'_>) -> Option<Summary> {
    summarize_through(track.map(|track| &track.pyramid), window)
}

/// Calls `visit` with the number and the mean of each bucket of `width` frames that lies in the
/// window. The mean is NaN if no value of the bucket is known. Buckets are numbered from the
/// beginning of `frames`.
pub(crate) fn means_tracked(
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
        if !part.is_empty() {
            visit(
                at,
                summarize_tracked(track, part).map_or(f64::NAN, |part| part.mean),
            );
        }
    }
}
