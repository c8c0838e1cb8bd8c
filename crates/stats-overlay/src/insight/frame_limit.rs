//! What limits the frame rate.
//!
//! The series that tell it are watched while the overlay is on screen, because the times of the GPU
//! arrive a few frames late: a survey does not say to which frame a late value belongs.

use stats_analysis::bottleneck::{Bottleneck, BottleneckSeries, Limit};
use stats_core::{FrameSlice, SeriesId, SeriesInfo, Source, Watch};

use crate::data::throttle::Throttle;

/// The interval between two readings, in seconds.
const INTERVAL_SECS: f64 = 0.5;
/// The time that the answer is about, in milliseconds.
const NEWEST_MS: f64 = 1000.0;
/// The maximum number of frames that it is about.
const MAX_FRAMES: usize = 1000;

/// A series and its history, which exists while the overlay is on screen.
type Watched = (SeriesId, Option<Watch>);

/// What limits the frame rate.
#[derive(Debug, Default)]
pub(crate) struct FrameLimit {
    series: BottleneckSeries<Watched>,
    /// How often a history began.
    revision: u64,
    due: Throttle,
    newest: Option<Limit>,
}

impl FrameLimit {
    /// Takes a listed series.
    pub(super) fn take(&mut self, info: &SeriesInfo<'_>, frame_thread: Option<&str>) {
        let id = info.id;
        self.series.add(info, frame_thread, || (id, None));
    }

    /// Reads the newest second, unless that was done a moment ago.
    pub(super) fn read(&mut self, source: &mut dyn Source, now_secs: f64, display_hz: Option<f64>) {
        if !self.due.take(now_secs, INTERVAL_SECS) {
            return;
        }
        for (id, watch) in self.series.iter_mut() {
            watch.get_or_insert_with(|| {
                self.revision += 1;
                source.watch(*id)
            });
        }
        let source: &dyn Source = source;
        let times = source.frame_times(MAX_FRAMES);
        let end = self.series.known_end(|one| history(source, one), times);
        let mut first = end;
        let mut left_ms = NEWEST_MS;
        while left_ms > 0.0 && first > times.frames().start {
            first -= 1;
            left_ms -= times.at(first).unwrap_or(0.0);
        }
        let found = self.judge(source, times.within(first..end), display_hz);
        self.newest = found.map(|found| found.limit());
    }

    /// Tells what limits some frames by their times in milliseconds, without the newest ones whose
    /// times of the GPU are not known yet. A frame of NaN does not count. `None` if nothing tells it.
    fn judge(
        &self,
        source: &dyn Source,
        times_ms: FrameSlice<'_>,
        display_hz: Option<f64>,
    ) -> Option<Bottleneck> {
        let values = |one: &Watched| history(source, one);
        let end = self.series.known_end(values, source.frame_times(1));
        let known_ms = times_ms.within(0..end);
        (!self.series.is_empty()).then(|| self.series.judge(values, known_ms, display_hz))
    }

    /// Frees the histories.
    pub(super) fn rest(&mut self) {
        for (_, watch) in self.series.iter_mut() {
            *watch = None;
        }
        self.newest = None;
    }

    /// Returns what limits most of the newest second; `None` if nothing tells it.
    pub(super) fn newest(&self) -> Option<Limit> {
        self.newest
    }
}

/// What limits the frame rate in the frames of a source that a view shows.
#[derive(Clone, Copy)]
pub(crate) struct LimitOf<'a> {
    pub(crate) limit: &'a FrameLimit,
    pub(crate) source: &'a dyn Source,
}

impl LimitOf<'_> {
    /// Returns a number that changes if more may be known about the same frames.
    pub(crate) fn revision(&self) -> u64 {
        self.limit.revision
    }

    /// Tells what limits some frames, as [`FrameLimit::judge`] does.
    pub(crate) fn of(
        &self,
        times_ms: FrameSlice<'_>,
        display_hz: Option<f64>,
    ) -> Option<Bottleneck> {
        self.limit.judge(self.source, times_ms, display_hz)
    }
}

fn history<'a>(source: &'a dyn Source, (_, watch): &Watched) -> FrameSlice<'a> {
    let history = watch
        .as_ref()
        .map(|watch| source.history(watch, usize::MAX));
    history.unwrap_or_default()
}
