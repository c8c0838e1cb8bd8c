//! What the views draw from: live data and a snapshot of it, read through one interface.

use std::ops::Range;

use stats_core::{Frame, Source, Window};

use crate::selection::Ticked;

/// Frames and the values of the ticked series in them.
///
/// Series are named by their place among the ticked ones.
pub(crate) trait Data {
    /// The indices of the frames there are.
    fn frames(&self) -> Range<u64>;
    /// One frame; `None` where it is not held.
    fn frame(&self, index: u64) -> Option<Frame>;
    /// The values of a ticked series; empty where it has none.
    fn values(&self, ticked: usize) -> Window<'_>;
    /// The durations of the frames in milliseconds.
    fn frame_times(&self) -> Window<'_>;
}

/// The source as it is now.
pub(crate) struct Live<'a> {
    pub(crate) source: &'a dyn Source,
    pub(crate) ticked: &'a [Ticked],
}

impl Data for Live<'_> {
    fn frames(&self) -> Range<u64> {
        self.source.frames()
    }

    fn frame(&self, index: u64) -> Option<Frame> {
        self.source.frame(index)
    }

    fn values(&self, ticked: usize) -> Window<'_> {
        match self.ticked.get(ticked) {
            Some(ticked) if ticked.is_frame_time() => self.frame_times(),
            Some(Ticked { watch: Some(watch), .. }) => self.source.window(watch, usize::MAX),
            _ => Window::default(),
        }
    }

    fn frame_times(&self) -> Window<'_> {
        self.source.frame_times(usize::MAX)
    }
}

/// A copy of everything the views show, made when they are paused.
#[derive(Debug)]
pub(crate) struct Snapshot {
    frames: Vec<Frame>,
    times: Run,
    series: Vec<(String, Run)>,
}

/// Consecutive values of one series.
#[derive(Debug, Default)]
struct Run {
    first_frame: u64,
    values: Vec<f64>,
}

impl Run {
    fn copy(window: Window<'_>) -> Self {
        let (older, newer) = window.as_slices();
        Self { first_frame: window.first_frame(), values: [older, newer].concat() }
    }

    fn window(&self) -> Window<'_> {
        Window::new(self.first_frame, &self.values, &[])
    }
}

impl Snapshot {
    /// Copies the histories of all ticked series and the clock.
    pub(crate) fn take(data: &dyn Data, ticked: &[Ticked]) -> Self {
        let series = ticked.iter().enumerate().map(|(at, ticked)| (ticked.path.clone(), Run::copy(data.values(at))));
        Self {
            frames: data.frames().filter_map(|index| data.frame(index)).collect(),
            times: Run::copy(data.frame_times()),
            series: series.collect(),
        }
    }

    /// The frame it was taken at, which is not in it any more: the number of frames recorded until then.
    pub(crate) fn end(&self) -> u64 {
        self.frames.last().map_or(0, |frame| frame.index + 1)
    }

    /// Whether it holds a path: what was ticked later was recorded too late for it.
    pub(crate) fn holds(&self, path: &str) -> bool {
        self.series.iter().any(|(held, run)| held == path && !run.values.is_empty())
    }
}

/// A snapshot, seen through the series that are ticked now.
pub(crate) struct Frozen<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) ticked: &'a [Ticked],
}

impl Data for Frozen<'_> {
    fn frames(&self) -> Range<u64> {
        let first = self.snapshot.frames.first().map_or(0, |frame| frame.index);
        first..self.snapshot.end()
    }

    fn frame(&self, index: u64) -> Option<Frame> {
        let at = index.checked_sub(self.frames().start)?;
        self.snapshot.frames.get(usize::try_from(at).ok()?).copied()
    }

    fn values(&self, ticked: usize) -> Window<'_> {
        let Some(ticked) = self.ticked.get(ticked) else { return Window::default() };
        if ticked.is_frame_time() {
            return self.frame_times();
        }
        let held = self.snapshot.series.iter().find(|(path, _)| *path == ticked.path);
        held.map_or(Window::default(), |(_, run)| run.window())
    }

    fn frame_times(&self) -> Window<'_> {
        self.snapshot.times.window()
    }
}
