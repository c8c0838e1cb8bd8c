//! Data for tests.

use std::ops::Range;

use stats_core::{Frame, FrameSlice};

use crate::data::view::Data;

/// Frame times alone, from frame 0 on, as views read them. They are the first series, too.
pub(crate) struct Times(pub(crate) Vec<f64>);

impl Data for Times {
    fn frames(&self) -> Range<u64> {
        0..self.0.len() as u64
    }

    fn frame(&self, _index: u64) -> Option<Frame> {
        None
    }

    fn values(&self, selected: usize) -> FrameSlice<'_> {
        if selected == 0 {
            self.frame_times()
        } else {
            FrameSlice::default()
        }
    }

    fn frame_times(&self) -> FrameSlice<'_> {
        FrameSlice::new(0, &self.0, &[])
    }
}
