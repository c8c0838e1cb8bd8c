//! Frames and series in memory, for tests.

use std::cell::Cell;
use std::ops::{ControlFlow, Range};

use stats_analysis::track::Track;
use stats_core::source::{Listed, Survey, WatchList};
use stats_core::timeline::{LaneKind, NewScope, Timeline};
use stats_core::{
    Distribution, Frame, FrameSlice, Mark, SeriesId, SeriesInfo, SeriesKind, Source, Unit, Watch,
};

use stats_testing::Random;

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

/// A source without values: paths that a test adds one by one, in the order in which they were
/// registered.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    series: Vec<(String, SeriesKind, Unit)>,
    /// The index of the series that each change concerns.
    changes: Vec<usize>,
    /// Whether the source reports changes.
    pub(crate) reports_changes: bool,
    /// Whether the source can list a part of its series.
    pub(crate) lists_parts: bool,
    watches: WatchList<()>,
    /// The number of frames that have ended.
    pub(crate) frames: u64,
    /// What the paths of the program begin with that ends the frames.
    pub(crate) clock_prefix: &'static str,
}

impl Paths {
    pub(crate) fn of(paths: &[impl AsRef<str>]) -> Self {
        let mut source = Self {
            reports_changes: true,
            lists_parts: true,
            ..Self::default()
        };
        for path in paths {
            source.add(path.as_ref(), SeriesKind::Counter);
        }
        source
    }

    /// Adds a series. Returns the number of its id.
    pub(crate) fn add(&mut self, path: &str, kind: SeriesKind) -> u32 {
        let at = self.series.len();
        self.changes.push(at);
        self.series.push((path.to_owned(), kind, Unit::Count));
        self.info(at).id.number()
    }

    pub(crate) fn set_unit(&mut self, at: usize, unit: Unit) {
        self.changes.push(at);
        self.series[at].2 = unit;
    }

    pub(crate) fn len(&self) -> usize {
        self.series.len()
    }

    fn info(&self, at: usize) -> SeriesInfo<'_> {
        let (path, kind, unit) = &self.series[at];
        let mut info = SeriesInfo::new(SeriesId::new(at as u32 * 2), path, *kind, *unit);
        info.calls = (*kind == SeriesKind::Timer).then(|| SeriesId::new(at as u32 * 2 + 1));
        info
    }
}

impl Source for Paths {
    fn generation(&self) -> u64 {
        self.changes.len() as u64
    }

    fn list(
        &self,
        series: Listed,
        visit: &mut dyn FnMut(SeriesInfo<'_>) -> ControlFlow<()>,
    ) -> Option<u32> {
        let len = self.series.len();
        let of = |number: u32| (number as usize).div_ceil(2).min(len);
        let listed: Vec<usize> = match series {
            Listed::All => (0..len).collect(),
            Listed::Numbers(numbers) if self.lists_parts => {
                (of(numbers.start)..of(numbers.end)).collect()
            }
            Listed::ChangedSince(since) if self.reports_changes => {
                self.changes[since as usize..].to_vec()
            }
            _ => return None,
        };
        // Whether the reader stopped makes no difference.
        let _ = listed.into_iter().try_for_each(|at| visit(self.info(at)));
        Some(len as u32 * 2)
    }

    fn find(&self, path: &str) -> Option<SeriesId> {
        self.series
            .iter()
            .position(|(other, ..)| other == path)
            .map(|at| SeriesId::new(at as u32 * 2))
    }

    fn watch(&mut self, id: SeriesId) -> Watch {
        self.watches.watch(id, || ())
    }

    fn clock_prefix(&self) -> &str {
        self.clock_prefix
    }

    fn history(&self, _: &Watch, _: usize) -> FrameSlice<'_> {
        FrameSlice::default()
    }

    fn peek(&mut self, _: SeriesId) -> Option<f64> {
        None
    }

    fn frames(&self) -> Range<u64> {
        0..self.frames
    }

    fn frame(&self, _: u64) -> Option<Frame> {
        None
    }

    fn frame_times(&self, _: usize) -> FrameSlice<'_> {
        FrameSlice::default()
    }
}

/// A source that has the survey of each frame. The value of each series is the number of the frame.
#[derive(Default)]
pub(crate) struct Surveyed {
    pub(crate) paths: Paths,
    pub(crate) times_ms: Vec<f64>,
    /// One value for each series, and at least one.
    pub(crate) values: Vec<f64>,
    /// The frames that were asked for.
    pub(crate) asked: Vec<u64>,
    /// The frames without a value.
    pub(crate) holes: Vec<u64>,
}

impl Surveyed {
    /// Ends frames of 10 ms before `end`.
    pub(crate) fn end_frames(&mut self, end: u64) {
        self.times_ms.resize(end as usize, 10.0);
    }
}

impl Source for Surveyed {
    fn generation(&self) -> u64 {
        self.paths.generation()
    }

    fn list(
        &self,
        series: Listed,
        visit: &mut dyn FnMut(SeriesInfo<'_>) -> ControlFlow<()>,
    ) -> Option<u32> {
        self.paths.list(series, visit)
    }

    fn find(&self, path: &str) -> Option<SeriesId> {
        self.paths.find(path)
    }

    fn watch(&mut self, id: SeriesId) -> Watch {
        self.paths.watch(id)
    }

    fn history(&self, watch: &Watch, frames: usize) -> FrameSlice<'_> {
        self.paths.history(watch, frames)
    }

    fn peek(&mut self, id: SeriesId) -> Option<f64> {
        self.paths.peek(id)
    }

    fn frames(&self) -> Range<u64> {
        0..self.times_ms.len() as u64
    }

    fn frame(&self, _: u64) -> Option<Frame> {
        None
    }

    fn frame_times(&self, _: usize) -> FrameSlice<'_> {
        FrameSlice::new(0, &self.times_ms, &[])
    }

    fn survey(&mut self) -> Option<Survey<'_>> {
        self.survey_of(self.times_ms.len() as u64 - 1)
    }

    fn survey_of(&mut self, frame: u64) -> Option<Survey<'_>> {
        self.asked.push(frame);
        let is_hole = self.holes.contains(&frame);
        let series = self.values.len().max(1);
        self.values.clear();
        let value = if is_hole { f64::NAN } else { frame as f64 };
        self.values.resize(series, value);
        Some(Survey::new(&self.values, &[], frame + 1))
    }
}

/// The time of a frame of [`random_calls`].
pub(crate) const CALLS_FRAME_NS: i64 = 1_000_000;

/// A source that has only scopes.
pub(crate) struct Calls {
    pub(crate) timeline: Timeline,
    /// The number of series that it lists, at most 8.
    pub(crate) listed: u32,
    pub(crate) generation: u64,
    /// How often it was asked for series.
    pub(crate) lists: Cell<usize>,
}

impl Calls {
    pub(crate) fn new(timeline: Timeline) -> Self {
        Self {
            timeline,
            listed: 8,
            generation: 1,
            lists: Cell::default(),
        }
    }
}

impl Source for Calls {
    fn generation(&self) -> u64 {
        self.generation
    }

    fn list(
        &self,
        series: Listed,
        visit: &mut dyn FnMut(SeriesInfo<'_>) -> ControlFlow<()>,
    ) -> Option<u32> {
        self.lists.set(self.lists.get() + 1);
        let numbers = match series {
            Listed::All => 0..self.listed,
            Listed::Numbers(numbers) => numbers.start..numbers.end.min(self.listed),
            _ => return None,
        };
        for number in numbers {
            let path = format!("timer/{number}");
            let id = SeriesId::new(number);
            let info = SeriesInfo::new(id, &path, SeriesKind::Timer, Unit::Milliseconds);
            if visit(info).is_break() {
                break;
            }
        }
        Some(8)
    }

    fn find(&self, _path: &str) -> Option<SeriesId> {
        None
    }

    fn watch(&mut self, id: SeriesId) -> Watch {
        WatchList::<()>::default().watch(id, Default::default)
    }

    fn history(&self, _watch: &Watch, _frames: usize) -> FrameSlice<'_> {
        FrameSlice::default()
    }

    fn peek(&mut self, _id: SeriesId) -> Option<f64> {
        None
    }

    fn frames(&self) -> Range<u64> {
        0..0
    }

    fn frame(&self, _index: u64) -> Option<Frame> {
        None
    }

    fn frame_times(&self, _frames: usize) -> FrameSlice<'_> {
        FrameSlice::default()
    }

    fn timeline(&mut self, _frames: &[Range<u64>]) -> Option<&mut Timeline> {
        Some(&mut self.timeline)
    }
}

/// Adds nested scopes within a time.
fn nest(random: &mut Random, timeline: &mut Timeline, lane: u64, depth: u32, time: Range<i64>) {
    let mut at = time.start;
    while at < time.end && depth < 5 {
        let begin = at + random.below(20_000) as i64;
        let end = (begin + random.below(200_000) as i64).min(time.end);
        if begin >= end {
            break;
        }
        nest(random, timeline, lane, depth + 1, begin..end);
        timeline.add(NewScope {
            lane,
            lane_name: "thread",
            lane_kind: LaneKind::Thread,
            series: SeriesId::new(random.below(8) as u32),
            depth,
            begin_ns: begin,
            end_ns: Some(end),
            is_wait: false,
        });
        at = end;
    }
}

/// Returns a source of 12 frames with random scopes in three lanes. Those of the last lane cross
/// frames.
pub(crate) fn random_calls(random: &mut Random) -> Calls {
    let mut timeline = Timeline::new(1 << 20, 100);
    for frame in 0..12 {
        let begin = frame as i64 * CALLS_FRAME_NS;
        let times = begin..begin + CALLS_FRAME_NS;
        timeline.push_frame(frame, times.clone());
        for lane in 0..2 {
            nest(random, &mut timeline, lane, 0, times.clone());
        }
    }
    nest(random, &mut timeline, 2, 0, 0..12 * CALLS_FRAME_NS);
    timeline.settle();
    Calls::new(timeline)
}

/// Returns a source of frames with 100,000 scopes each, of which two can be copied.
pub(crate) fn large_calls(frames: u64) -> Calls {
    let mut timeline = Timeline::new(64 << 20, 100);
    for frame in 0..frames {
        let begin_ns = frame as i64 * CALLS_FRAME_NS;
        timeline.push_frame(frame, begin_ns..begin_ns + CALLS_FRAME_NS);
        for call in 0..100_000 {
            timeline.add(NewScope {
                lane: 1,
                lane_name: "thread",
                lane_kind: LaneKind::Thread,
                series: SeriesId::new(call as u32 % 8),
                depth: 0,
                begin_ns: begin_ns + call,
                end_ns: Some(begin_ns + call + 1),
                is_wait: false,
            });
        }
    }
    timeline.settle();
    Calls::new(timeline)
}
