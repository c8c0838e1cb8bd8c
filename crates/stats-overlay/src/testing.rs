//! Frames and series in memory, for tests of views.

use std::ops::Range;

use stats_analysis::track::Track;
use stats_core::{Distribution, Frame, FrameSlice, Mark};

use crate::data::view::Data;

/// The data of a test.
#[derive(Default)]
pub(crate) struct Values {
    /// The first frame.
    pub(crate) first: u64,
    pub(crate) times_ms: Vec<f64>,
    /// The first frame and the values of each series. All other series have the frame times as
    /// values.
    pub(crate) series: Vec<(u64, Vec<f64>)>,
    pub(crate) marks: Vec<Mark>,
    /// The tracks of the series, from the first on.
    pub(crate) tracks: Vec<Track>,
    /// The samples of every series.
    pub(crate) samples: Option<Distribution>,
}

impl Values {
    /// Returns frames with these times, starting at frame 0.
    pub(crate) fn of(times_ms: Vec<f64>) -> Self {
        Self {
            times_ms,
            ..Self::default()
        }
    }
}

impl Data for Values {
    fn frames(&self) -> Range<u64> {
        self.frame_times().frames()
    }

    fn frame(&self, index: u64) -> Option<Frame> {
        Some(Frame {
            index,
            start_secs: index as f64 * 0.01,
            duration_ms: self.frame_times().at(index)?,
        })
    }

    fn values(&self, selected: usize) -> FrameSlice<'_> {
        let series = self.series.get(selected);
        series.map_or(self.frame_times(), |(first, values)| {
            FrameSlice::new(*first, values, &[])
        })
    }

    fn frame_times(&self) -> FrameSlice<'_> {
        FrameSlice::new(self.first, &self.times_ms, &[])
    }

    fn track(&self, selected: usize) -> Option<&Track> {
        self.tracks.get(selected)
    }

    fn marks(&self) -> &[Mark] {
        &self.marks
    }

    fn distribution(&self, _selected: usize) -> Option<Distribution> {
        self.samples.clone()
    }
}
