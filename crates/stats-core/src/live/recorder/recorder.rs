//! The recorder: ends frames, and offers every way to read a series.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use super::frame_clock::FrameClock;
use super::frame_value::FrameValue;
use super::marks::Marks;
use super::newest::Newest;
use super::peek::Peeks;
use super::survey;
use super::timeline::LiveTimeline;
use super::watch::{Watch, WatchList};
use super::watch_group::WatchGroup;
use crate::limits::{DEFAULT_HISTORY, MAX_FRAME_LOG_LINES, MAX_HISTORY};
use crate::live::clock::Instant;
use crate::live::computed::{self, ComputedReader};
use crate::live::freezes::FrameBeat;
use crate::live::late::{LateReader, Purpose};
use crate::live::log_lines::LogReader;
use crate::live::reentrancy::OWNER;
use crate::live::registry::{find, generation, list};
use crate::live::ring::Ring;
use crate::live::runs::snapshot;
use crate::live::scopes::{self, ThreadNumber, this_thread};
use crate::program::LineText;
use crate::source::{Listed, Survey};
use crate::timeline::Timeline;
use crate::{
    AddComputedError, Computation, Distribution, Frame, FrameSlice, FrameTime, LogLevel, Mark,
    MarkEvent, STOOD_STILL, SeriesId, SeriesInfo, Source, add_computed, own_memory,
};

/// Divides counted values into frames, by its own clock.
///
/// The value of a frame is a counter's total at the frame's end minus the total at its start. So each
/// added value is in exactly one frame, and any number of recorders read the same counters without
/// disturbing one another: one for render frames, one for server ticks, one in a test. [`Ticks`](crate::Ticks) shows the ticks of one clock in the frames of the others.
///
/// There are three ways to read a series:
///
/// - [`watch`](Recorder::watch) keeps a history for as long as the returned [`Watch`] exists.
/// - [`peek`](Recorder::peek) keeps only the newest value.
/// - [`survey`](Recorder::survey) returns the newest values of all series.
///
/// # Cost
///
/// The cost of [`end_frame`](Recorder::end_frame) depends on the series that are watched, peeked at
/// or surveyed, not on those that are registered. It does not allocate. A history takes 8 bytes per
/// frame plus up to 4 KiB, and so does each of the two rings of the clock.
///
/// ```
/// use stats_core::{Recorder, gauge};
///
/// let mut recorder = Recorder::with_history(600);
/// let watch = recorder.watch(gauge("camera/x").id());
/// gauge("camera/x").set(2.5);
/// recorder.end_frame_at(0.016);
/// recorder.end_frame_at(0.033);
/// # if stats_core::ENABLED {
/// let xs: Vec<f64> = recorder.history(&watch, 60).iter().collect();
/// assert_eq!(xs, [2.5, 2.5]);
/// # }
/// ```
#[derive(Debug)]
pub struct Recorder {
    pub(super) clock: FrameClock,
    pub(super) watches: WatchList<History>,
    pub(super) newest: Newest,
    peeks: Peeks,
    marks: Marks,
    log: LogReader,
    beat: FrameBeat,
    /// Whether it has no beat, and no lines of the log: nobody sees its marks.
    is_silent: bool,
    pub(super) survey: survey::Survey,
    late: LateReader,
    pub(super) computed: ComputedReader,
    timeline: LiveTimeline,
    /// The thread that ended the newest frame.
    thread: ThreadNumber,
    /// When the newest frame ended, unless the caller said so.
    ended: Option<Instant>,
    /// The number of rings created, so that each begins on a different cache line.
    pub(super) rings: usize,
}

/// The history of a watched series.
#[derive(Debug)]
pub(super) enum History {
    /// The id names no series, so there are no frames.
    Nothing,
    Frames(Watched),
    /// The clock keeps it.
    Clock,
    /// The [`LateReader`] keeps it.
    Late(SeriesId),
    /// The [`ComputedReader`] keeps it.
    Computed(SeriesId),
}

impl History {
    /// Returns whether the value of a frame is known, and kept with the newest values, as soon as it ends.
    fn is_newest(&self) -> bool {
        matches!(self, Self::Nothing | Self::Frames(_) | Self::Clock)
    }

    fn frames_mut(&mut self) -> Option<&mut Watched> {
        if let Self::Frames(watched) = self {
            Some(watched)
        } else {
            None
        }
    }
}

#[derive(Debug)]
pub(super) struct Watched {
    frame_value: FrameValue,
    previous: f64,
    ring: Ring,
}

impl Default for Recorder {
    fn default() -> Self {
        Self::new()
    }
}

impl Recorder {
    /// Returns a recorder that keeps [`DEFAULT_HISTORY`] frames.
    #[must_use]
    pub fn new() -> Self {
        Self::with_history(DEFAULT_HISTORY)
    }

    /// Returns a recorder that keeps the last `frames` frames: at least 1 and at most
    /// [`MAX_HISTORY`].
    #[must_use]
    pub fn with_history(frames: usize) -> Self {
        let _memory = own_memory(OWNER);
        Self {
            clock: FrameClock::new(frames.clamp(1, MAX_HISTORY)),
            watches: WatchList::default(),
            newest: Newest::default(),
            peeks: Peeks::default(),
            marks: Marks::default(),
            log: LogReader::new(),
            beat: FrameBeat::default(),
            is_silent: false,
            survey: survey::Survey::default(),
            late: LateReader::default(),
            computed: ComputedReader::default(),
            timeline: LiveTimeline::default(),
            thread: ThreadNumber::UNKNOWN,
            ended: None,
            rings: 2,
        }
    }

    /// Returns a recorder for the ticks of a clock: its frames may rest, and lines of the log do not
    /// mark them.
    pub(crate) fn of_ticks(frames: usize) -> Self {
        Self {
            is_silent: true,
            ..Self::with_history(frames)
        }
    }

    /// Returns the number of frames that the recorder can keep.
    #[must_use]
    pub fn history_capacity(&self) -> usize {
        self.clock.capacity()
    }

    /// Changes the number of frames that the recorder can keep, clamped as for
    /// [`with_history`](Self::with_history). Keeps the newest frames.
    pub fn set_history(&mut self, frames: usize) {
        let _memory = own_memory(OWNER);
        let capacity = frames.clamp(1, MAX_HISTORY);
        let end = self.clock.next_frame();
        self.clock.resize(capacity);
        for watched in self.watches.iter_mut().filter_map(History::frames_mut) {
            watched.ring = watched.ring.resized(capacity, end);
        }
        self.late.resize(capacity);
        self.computed.resize(capacity);
    }

    /// Restarts the current frame: it begins now, and the time before belongs to no frame. Call it
    /// before the first frame, which would otherwise include loading the game, and after a pause.
    ///
    /// Every value belongs to exactly one frame, so this one also has what was counted since the
    /// last frame: its timers may show more milliseconds than it takes. If much is counted in the
    /// time to leave out, such as while a level loads, make that time a frame of its own instead: end
    /// a frame at its beginning and at its end, and [mark](Self::mark) the frame between. Statistics
    /// can then [leave it out](crate::FrameSlice::without_marked).
    pub fn restart_frame(&mut self) {
        self.clock.restart_frame();
        self.beat.restart_frame();
        self.timeline.restart_frame();
    }

    /// Ends the current frame now.
    ///
    /// A value that another thread adds at this moment is in this frame or in the next, never in
    /// both and never in neither.
    pub fn end_frame(&mut self) {
        let now = Instant::now();
        self.end(self.clock.time_of(now), Some(now));
    }

    /// Ends the current frame at a time that the caller gives: for reproducible runs, and for hosts
    /// without a clock.
    ///
    /// Times are seconds since the recorder was created (an `f64` or a
    /// [`Duration`](std::time::Duration)). A time that is not finite, or before the end of the
    /// previous frame, gives a frame of duration 0.
    pub fn end_frame_at(&mut self, time: impl Into<FrameTime>) {
        self.end(time.into(), None);
    }

    /// Ends the current frame at a time. `now` is the moment of the call, if it is known.
    fn end(&mut self, time: FrameTime, now: Option<Instant>) {
        // Only these may allocate.
        let may_allocate = self.survey.is_armed()
            || self.late.reads_any()
            || self.computed.reads_any()
            || self.timeline.is_armed();
        let _memory = may_allocate.then(|| own_memory(OWNER));
        self.thread = this_thread().unwrap_or_default();
        scopes::end_frame();
        self.watches.sweep();
        if !self.is_silent {
            if let Some(secs) = self.beat.end_frame() {
                self.mark_stop(secs);
            }
            if self.log.has_more() {
                self.take_log();
            }
        }
        let frame = self.clock.next_frame();
        let position = self.clock.push(time);
        self.ended = now;
        let newest = self.newest.begin(frame, self.watches.len());
        for (at, history) in self.watches.iter_mut().enumerate() {
            let value = match history {
                History::Nothing => f64::NAN,
                History::Clock => self.clock.newest_ms(),
                History::Frames(watched) => watched.end_frame(position, &self.clock),
                History::Late(id) => {
                    self.late.ask(*id, Purpose::Watch, frame);
                    f64::NAN
                }
                History::Computed(id) => {
                    if let Some(computed) = self.computed.ask(*id, frame) {
                        computed.is_watched_in(frame);
                    }
                    f64::NAN
                }
            };
            if let Some(place) = newest.get_mut(at) {
                *place = value;
            }
        }
        self.peeks.end_frame(frame, &self.clock);
        self.survey.end_frame(frame, &self.clock, &mut self.late);
        self.late.end_frame(frame, self.clock.capacity());
        self.survey.take_late(frame, &self.clock, &mut self.late);
        self.end_frame_of_computed(frame);
        self.timeline.end_frame(frame, now);
    }

    /// Marks the current frame, in which the whole program stood still.
    #[cold]
    fn mark_stop(&mut self, secs: f64) {
        let text = format_args!("the whole program stood still for {secs:.1} s");
        let line = LineText::of(LogLevel::Warn, STOOD_STILL, text);
        self.mark(line.as_str(), MarkEvent::Point);
    }

    /// Marks the current frame with the lines of the log since the last one.
    #[cold]
    fn take_log(&mut self) {
        let _memory = own_memory(OWNER);
        let (held, marks) = (self.clock.frames(), &mut self.marks);
        let mut left_out = self
            .log
            .read_freezes(|line| marks.mark(line, MarkEvent::Point, &held));
        let mut room = MAX_FRAME_LOG_LINES;
        left_out += self.log.read(|line| match room.checked_sub(1) {
            Some(left) => {
                room = left;
                marks.mark(line, MarkEvent::Point, &held);
            }
            None => left_out += 1,
        });
        if left_out > 0 {
            let text = format_args!("{left_out} more lines in this frame");
            let line = LineText::of(LogLevel::Warn, "stats", text);
            marks.mark(line.as_str(), MarkEvent::Point, &held);
        }
    }

    /// Starts the history of a series, or shares the existing one. It lasts until the last
    /// [`Watch`] is dropped.
    ///
    /// The first frame of a new history is the current one, counted from this moment. If the id
    /// names no series, the history stays empty.
    #[must_use = "the history ends when the watch is dropped"]
    pub fn watch(&mut self, id: SeriesId) -> Watch {
        self.watch_with_past(id, FrameSlice::default())
    }

    /// Like [`watch`](Self::watch), but a new history begins with values that the caller knows
    /// from [surveys](Self::survey). During a survey, the current frame is counted from its
    /// beginning.
    ///
    /// `past` must end with the newest frame, with NaN for unknown values; otherwise it is ignored.
    /// It is also ignored if the series has a history already, as the frame time always has, or if
    /// its values are [deferred](crate::DeferredSource).
    #[must_use = "the history ends when the watch is dropped"]
    pub fn watch_with_past(&mut self, id: SeriesId, past: FrameSlice<'_>) -> Watch {
        let _memory = own_memory(OWNER);
        if let Some(definition) = computed::find(id) {
            return self.watch_computed(id, definition);
        }
        self.newest.make_room(self.watches.len() + 1);
        let Self {
            clock,
            watches,
            late,
            rings,
            survey,
            ..
        } = self;
        watches.watch(id, || {
            *rings += 1;
            let ring = || Ring::new(clock.capacity(), clock.next_frame(), *rings);
            let frame_value = FrameValue::of(id);
            if frame_value.is_some_and(FrameValue::is_in_clock) {
                return History::Clock;
            }
            if let Some(frame_value) = frame_value {
                return History::Frames(Watched {
                    frame_value,
                    previous: (survey.total_before_frame(id.number()))
                        .unwrap_or_else(|| frame_value.total(clock)),
                    ring: ring().with_past(past),
                });
            }
            if late.hold(id, Purpose::Watch, clock.next_frame(), || Some(ring())) {
                History::Late(id)
            } else {
                History::Nothing
            }
        })
    }

    /// Returns the number of watched series with a history of their own. The clock keeps that of the
    /// frame time. Those that only [computed](crate::add_computed) series need do not count.
    #[must_use]
    pub fn watched(&self) -> usize {
        let of_inputs = self.computed.watches_of_inputs();
        let histories = self.watches.holds();
        let of_others = histories.filter(|(id, watches, history)| {
            let of_inputs = of_inputs.get(id).copied().unwrap_or(0);
            !matches!(history, History::Clock) && *watches > of_inputs
        });
        of_others.count()
    }

    /// Returns the value of every series in the newest frame, watched or not. Always `Some`. See
    /// [`Source::survey`].
    pub fn survey(&mut self) -> Option<Survey<'_>> {
        Some(self.survey.ask(&self.clock, &mut self.late))
    }

    /// Returns the newest `frames` values of a watched series, oldest first, or fewer if its
    /// history is shorter. Borrows the values.
    ///
    /// Empty for a watch of another recorder. If the values are [deferred](crate::DeferredSource),
    /// the history ends before the first frame that still waits for some.
    #[must_use]
    pub fn history(&self, watch: &Watch, frames: usize) -> FrameSlice<'_> {
        let end = self.clock.next_frame();
        match self.watches.get(watch) {
            Some(History::Frames(watched)) => watched.ring.window(end, frames),
            Some(History::Late(id)) => self.late.window(*id, frames, self.clock.frames()),
            Some(History::Computed(id)) => self.computed.window(*id, frames, self.clock.frames()),
            Some(History::Clock) => self.frame_times(frames),
            Some(History::Nothing) | None => FrameSlice::new(end, &[], &[]),
        }
    }

    /// Visits the values of watched series in a frame that has ended, in the order of the watches. Each call
    /// of the visitor gets the values that are adjacent in memory. They are those of
    /// [`history`](Self::history). A value that is not known or no longer kept is NaN.
    ///
    /// Use it for the values of many series. If it is called at least once in
    /// [`PEEK_FRAMES`](crate::limits::PEEK_FRAMES) frames, the recorder keeps the values of the newest frame
    /// side by side, and reading one costs less than reading it from its history.
    #[inline]
    pub fn values_in(&self, frame: u64, group: &mut WatchGroup, mut visit: impl FnMut(&[f64])) {
        let newest = self.newest.ask(frame, self.clock.next_frame());
        group.find(&self.watches, History::is_newest);
        for run in group.runs() {
            match newest.get(run.places()) {
                Some(values) => visit(values),
                None => self.visit_histories(frame, group.of_run(run), &mut visit),
            }
        }
    }

    /// Visits values that are not known to be among the newest ones.
    #[cold]
    fn visit_histories(&self, frame: u64, watches: &[Watch], visit: &mut dyn FnMut(&[f64])) {
        for watch in watches {
            let value = self.history(watch, usize::MAX).at(frame);
            visit(&[value.unwrap_or(f64::NAN)]);
        }
    }

    /// Returns the moment at which the newest frame ended; `None` before the first frame, or if the caller
    /// [gave](Self::end_frame_at) its time. It is an `Instant` of the standard library, and in a browser one
    /// of the crate `web_time`.
    #[inline]
    #[must_use]
    pub fn ended_at(&self) -> Option<Instant> {
        self.ended
    }

    /// Returns the value of a series in the newest frame without keeping a history: for a row that
    /// is merely visible. If values are [deferred](crate::DeferredSource), it is the newest
    /// complete frame.
    ///
    /// `None` until a frame ends after the first peek. That frame's value includes only adds since
    /// the peek. Levels and gauges are known at once. A peek that is not repeated within
    /// [`PEEK_FRAMES`](crate::limits::PEEK_FRAMES) frames is forgotten.
    pub fn peek(&mut self, id: SeriesId) -> Option<f64> {
        let frame = self.clock.next_frame();
        if let Some(value) = self.late.ask(id, Purpose::Peek, frame) {
            return value;
        }
        if let Some(value) = self.peeks.ask(id, frame) {
            return value;
        }
        if let Some(definition) = computed::find(id) {
            self.hold_computed(id, definition);
            return self.computed.ask(id, frame)?.value;
        }
        // Only a new peek allocates.
        let _memory = own_memory(OWNER);
        self.peeks.begin(id, &self.clock).unwrap_or_else(|| {
            self.late.hold(id, Purpose::Peek, frame, || None);
            None
        })
    }

    /// Marks the current frame: a span begins or ends, or something happened.
    ///
    /// - Spans of different names may be open at the same time, one of each name. A span that ends
    ///   in the frame in which it began is one frame long.
    /// - A mark stays with the index of its frame, even if the frame's time is restarted
    ///   ([`restart_frame`](Self::restart_frame)) or its values are dropped
    ///   ([`set_history`](Self::set_history)).
    /// - Names are cut after [`MAX_MARK_NAME`](crate::limits::MAX_MARK_NAME) characters, and two
    ///   names are the same if those characters are. An empty name becomes `unnamed`.
    /// - The recorder keeps [`MAX_MARKS`](crate::limits::MAX_MARKS) marks. Each further mark evicts
    ///   one: the oldest whose frames are no longer kept, or else the oldest [line of the
    ///   log](crate::LogLine), or else the oldest that is not an open span. If all of them are open
    ///   spans, the new mark is dropped.
    ///
    /// The cost depends on the open spans, not on the marks: 20 to 200 ns with up to ten open
    /// spans, and a microsecond for each 150 more. If a line of the log is evicted, the marks before or
    /// after it, whichever are fewer, also move in memory. Allocates until the largest number of marks is
    /// reached.
    ///
    /// ```
    /// use stats_core::{MarkEvent, Recorder};
    ///
    /// let mut recorder = Recorder::new();
    /// recorder.mark("loading", MarkEvent::Begin);
    /// recorder.end_frame();
    /// recorder.mark("loading", MarkEvent::End);
    /// recorder.end_frame();
    /// # if stats_core::ENABLED {
    /// assert_eq!(recorder.marks()[0].frames, 0..2);
    /// # }
    /// ```
    pub fn mark(&mut self, name: &str, event: MarkEvent) {
        let _memory = own_memory(OWNER);
        self.marks.mark(name, event, &self.clock.frames());
    }

    /// Marks past frames as a span: for events that are known only afterward, or to leave frames
    /// out of statistics.
    ///
    /// Frames that are no longer kept can be marked, too. The current frame and later ones are left
    /// out; if no frame remains, nothing is marked. Names and limits are those of
    /// [`mark`](Self::mark). The cost is linear in the number of marks that begin later.
    pub fn mark_frames(&mut self, name: &str, frames: Range<u64>) {
        let _memory = own_memory(OWNER);
        self.marks.mark_frames(name, frames, &self.clock.frames());
    }

    /// Returns the marks, including those of frames that are no longer kept. They are sorted by the
    /// frame in which they begin, and then by the order of the calls.
    #[inline]
    #[must_use]
    pub fn marks(&self) -> &[Mark] {
        self.marks.as_slice()
    }

    /// Returns the indices of the frames that are kept.
    #[inline]
    #[must_use]
    pub fn frames(&self) -> Range<u64> {
        self.clock.frames()
    }

    /// Returns a frame of the clock; `None` if it is no longer kept or has not ended.
    #[inline]
    #[must_use]
    pub fn frame(&self, index: u64) -> Option<Frame> {
        self.clock.frame(index)
    }

    /// Returns the durations of the newest `frames` frames, in milliseconds.
    #[must_use]
    pub fn frame_times(&self, frames: usize) -> FrameSlice<'_> {
        self.clock.durations_ms(frames)
    }
}

impl Watched {
    /// Stores the value of a frame that ends, and returns it.
    fn end_frame(&mut self, position: usize, clock: &FrameClock) -> f64 {
        let now = self.frame_value.total_after(self.previous, clock);
        let value = self.frame_value.between(self.previous, now);
        self.ring.put(position, value);
        self.previous = now;
        value
    }
}

impl Source for Recorder {
    fn generation(&self) -> u64 {
        generation()
    }

    fn list(
        &self,
        series: Listed,
        visit: &mut dyn FnMut(SeriesInfo<'_>) -> ControlFlow<()>,
    ) -> Option<u32> {
        Some(list(series, &mut |info| visit(info)))
    }

    fn find(&self, path: &str) -> Option<SeriesId> {
        find(path)
    }

    fn watch(&mut self, id: SeriesId) -> Watch {
        self.watch(id)
    }

    fn watch_with_past(&mut self, id: SeriesId, past: FrameSlice<'_>) -> Watch {
        self.watch_with_past(id, past)
    }

    fn history(&self, watch: &Watch, frames: usize) -> FrameSlice<'_> {
        self.history(watch, frames)
    }

    fn peek(&mut self, id: SeriesId) -> Option<f64> {
        self.peek(id)
    }

    fn frames(&self) -> Range<u64> {
        self.frames()
    }

    fn frame(&self, index: u64) -> Option<Frame> {
        self.frame(index)
    }

    fn frame_times(&self, frames: usize) -> FrameSlice<'_> {
        self.frame_times(frames)
    }

    fn frame_thread(&self) -> Option<&str> {
        self.thread.name()
    }

    fn survey(&mut self) -> Option<Survey<'_>> {
        self.survey()
    }

    fn marks(&self) -> &[Mark] {
        self.marks()
    }

    fn mark_point(&mut self, name: &str) -> bool {
        self.mark(name, MarkEvent::Point);
        true
    }

    fn distribution(&self, id: SeriesId) -> Option<Distribution> {
        snapshot(id)
    }

    fn add_computed(
        &mut self,
        path: &str,
        description: &str,
        computation: Arc<dyn Computation>,
    ) -> Result<SeriesId, AddComputedError> {
        add_computed(path, description, computation)
    }

    fn timeline(&mut self, _: &[Range<u64>]) -> Option<&mut Timeline> {
        Some(self.timeline.ask(&self.clock))
    }
}
