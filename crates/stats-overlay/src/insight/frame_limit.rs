//! What limits the frame rate.
//!
//! The series that tell it are watched while the overlay is on screen, because the times of the GPU
//! arrive a few frames late: a survey does not say to which frame a late value belongs. While the
//! views are paused, their values are copies, as those of the series on screen are.

use std::collections::HashMap;

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

/// What is known of the frames at which the views were paused.
#[derive(Debug)]
struct Paused {
    /// The end of these frames.
    end: u64,
    /// The revision at that time.
    revision: u64,
    /// The first frame and the values of each series.
    copies: HashMap<SeriesId, (u64, Vec<f64>)>,
}

/// What limits the frame rate.
#[derive(Debug, Default)]
pub(crate) struct FrameLimit {
    series: BottleneckSeries<Watched>,
    /// How often a history began.
    revision: u64,
    /// `None` while the views are live.
    paused: Option<Paused>,
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
        let values = |one: &Watched| history(source, one);
        let end = self.series.known_end(values, times);
        let mut first = end;
        let mut left_ms = NEWEST_MS;
        while left_ms > 0.0 && first > times.frames().start {
            first -= 1;
            left_ms -= times.at(first).unwrap_or(0.0);
        }
        let newest_ms = times.within(first..end);
        self.newest = (!self.series.is_empty())
            .then(|| self.series.judge(values, newest_ms, display_hz).limit());
    }

    /// Frees the histories.
    pub(super) fn rest(&mut self) {
        for (_, watch) in self.series.iter_mut() {
            *watch = None;
        }
        self.newest = None;
    }

    /// Follows the views: while they are paused, keeps the values of the frames before `paused_end`,
    /// because the source drops them. Values that become known later are added.
    pub(super) fn follow(&mut self, source: &dyn Source, paused_end: Option<u64>) {
        let Some(end) = paused_end else {
            self.paused = None;
            return;
        };
        // The views may have been resumed and paused again in between.
        self.paused = self.paused.take().filter(|paused| paused.end == end);
        let paused = self.paused.get_or_insert_with(|| Paused {
            end,
            revision: self.revision,
            copies: HashMap::new(),
        });
        for one in self.series.iter_mut() {
            let known = history(source, one).within(0..end);
            let copy = paused.copies.entry(one.0);
            let (first, values) = copy.or_insert_with(|| (known.first_frame(), Vec::new()));
            let next = *first + values.len() as u64;
            let new = known.within(next..end);
            if new.first_frame() == next {
                values.extend(new.iter());
            }
        }
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

impl<'a> LimitOf<'a> {
    /// Returns a number that changes if more may be known about the same frames, other than values
    /// that arrived late.
    pub(crate) fn revision(&self) -> u64 {
        let paused = self.limit.paused.as_ref();
        paused.map_or(self.limit.revision, |paused| paused.revision)
    }

    /// Returns the end of the frames whose values have all arrived.
    pub(crate) fn known_end(&self) -> u64 {
        let times = self.source.frame_times(1);
        (self.limit.series).known_end(|one| self.values(one), times)
    }

    /// Tells what limits some frames by their times in milliseconds, without the newest ones whose
    /// times of the GPU are not known yet. A frame of NaN does not count. `None` if nothing tells it.
    pub(crate) fn of(
        &self,
        times_ms: FrameSlice<'_>,
        display_hz: Option<f64>,
    ) -> Option<Bottleneck> {
        let (series, known_ms) = (&self.limit.series, times_ms.within(0..self.known_end()));
        (!series.is_empty()).then(|| series.judge(|one| self.values(one), known_ms, display_hz))
    }

    /// Returns the values that the views show.
    fn values(&self, one: &Watched) -> FrameSlice<'a> {
        let Some(paused) = &self.limit.paused else {
            return history(self.source, one);
        };
        let copy = paused.copies.get(&one.0);
        copy.map_or(FrameSlice::default(), |(first, values)| {
            FrameSlice::new(*first, values, &[])
        })
    }
}

fn history<'a>(source: &'a dyn Source, (_, watch): &Watched) -> FrameSlice<'a> {
    let history = watch
        .as_ref()
        .map(|watch| source.history(watch, usize::MAX));
    history.unwrap_or_default()
}
