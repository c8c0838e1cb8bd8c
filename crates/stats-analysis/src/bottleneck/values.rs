//! The values of the series in a frame.

use stats_core::FrameSlice;

use super::rule::{FrameTimes, WaitsBesideGpu};
use super::series::{Evidence, MAX_SERIES};

/// The values of the series, by their positions.
pub(super) struct Values<'a, 'f> {
    /// The number of series.
    pub(super) count: usize,
    /// `None` for passes inside others.
    pub(super) kinds: [Option<Evidence>; MAX_SERIES],
    pub(super) slices: [FrameSlice<'a>; MAX_SERIES],
    pub(super) in_ms: [f64; MAX_SERIES],
    pub(super) frame_ms: FrameSlice<'f>,
}

impl Values<'_, '_> {
    /// Returns whether a series is a wait for neither the GPU nor the display. `is_beyond_display`:
    /// those for the display are for something else.
    pub(super) fn is_wait(&self, at: usize, is_beyond_display: bool) -> bool {
        self.kinds[at] == Some(Evidence::Wait)
            || is_beyond_display && self.kinds[at] == Some(Evidence::DisplayWait)
    }

    pub(super) fn value(&self, at: usize, frame: u64) -> Option<f64> {
        Some(self.slices[at].at(frame)? * self.in_ms[at])
    }

    /// Returns the waits for the display beside the times of the GPU, over all frames with both.
    pub(super) fn waits_beside_gpu(&self) -> WaitsBesideGpu {
        let mut all = WaitsBesideGpu::default();
        let mut before = None;
        for frame in self.frame_ms.frames() {
            let times = self.of_frame(frame);
            let both = times.and_then(|times| Some((times.frame_ms, times.waits_beside_gpu()?)));
            if let Some(both) = both {
                all.add(before, both);
            }
            before = both;
        }
        all
    }

    /// Returns the times of a frame; `None` without its duration.
    pub(super) fn of_frame(&self, frame: u64) -> Option<FrameTimes> {
        let frame_ms = self.frame_ms.at(frame);
        let mut times = FrameTimes {
            frame_ms: frame_ms.filter(|ms| ms.is_finite() && *ms > 0.0)?,
            running_ms: None,
            ready_ms: None,
            blocked_ms: None,
            gpu_ms: None,
            display_ms: 0.0,
            gpu_wait_ms: 0.0,
            is_beyond_display: false,
        };
        let (mut passes, mut whole) = (0.0, 0.0);
        for at in 0..self.count {
            let (Some(kind), Some(ms)) = (self.kinds[at], self.value(at, frame)) else {
                continue;
            };
            match kind {
                Evidence::Running => times.running_ms = Some(ms),
                Evidence::Ready => times.ready_ms = Some(ms),
                Evidence::Blocked => times.blocked_ms = Some(ms),
                Evidence::GpuFrame => whole += ms,
                Evidence::GpuPass => passes += ms,
                Evidence::DisplayWait => times.display_ms += ms,
                Evidence::GpuWait => times.gpu_wait_ms += ms,
                Evidence::Wait => {}
            }
        }
        // Unknown in a frame that was not timed. Captures of other programs have 0 there.
        times.gpu_ms = match (passes > 0.0, whole > 0.0) {
            (true, true) => Some(whole.min(passes)),
            (true, false) => Some(passes),
            (false, true) => Some(whole),
            (false, false) => None,
        };
        Some(times)
    }
}
