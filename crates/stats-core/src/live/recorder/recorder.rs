//! Recorders: what is counted, cut into frames.

use std::ops::Range;

use super::frame_clock::FrameClock;
use super::marks::Marks;
use super::peek::Peeks;
use super::survey::Survey;
use super::total::Total;
use super::watch::{Watch, WatchList};
use crate::limits::{DEFAULT_HISTORY, MAX_HISTORY};
use crate::live::late::{LateReader, Use};
use crate::live::registry::{find, for_each_change, for_each_series, generation};
use crate::live::ring::Ring;
use crate::live::runs::snapshot;
use crate::source::SurveyValue;
use crate::{
    Distribution, Frame, FrameSlice, FrameTime, Mark, MarkEvent, SeriesId, SeriesInfo, Source,
};

/// Cuts what is counted into frames, on a clock of its own.
///
/// A frame's value is a counter's total at the frame's end less the total at its start, so any
/// number of recorders (one for render frames, one for server ticks, one in a test) read the same
/// counters without disturbing each other, and each added value lands in exactly one frame of each.
/// Series have a history only while somebody [`watch`](Recorder::watch)es them.
///
/// # Cost
///
/// [`end_frame`](Recorder::end_frame) takes time for what is watched, peeked at and surveyed, however much is registered, and does
/// not allocate. A history takes 8 bytes a frame, up to 4 KiB beyond that, and so does each of the
/// two rings of the clock.
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
    clock: FrameClock,
    watches: WatchList<History>,
    peeks: Peeks,
    marks: Marks,
    survey: Survey,
    late: LateReader,
    /// Rings made so far, so that each begins on another cache line.
    rings: usize,
}

/// A watched series.
#[derive(Debug)]
enum History {
    /// Of an id that names no series: it has no frames.
    Nothing,
    Frames(Watched),
    /// Kept by the [`LateReader`].
    Late(SeriesId),
}

impl History {
    fn frames_mut(&mut self) -> Option<&mut Watched> {
        if let Self::Frames(watched) = self {
            Some(watched)
        } else {
            None
        }
    }
}

#[derive(Debug)]
struct Watched {
    total: Total,
    previous: f64,
    ring: Ring,
}

impl Default for Recorder {
    fn default() -> Self {
        Self::new()
    }
}

impl Recorder {
    /// A recorder that holds [`DEFAULT_HISTORY`] frames.
    #[must_use]
    pub fn new() -> Self {
        Self::with_history(DEFAULT_HISTORY)
    }

    /// A recorder that holds the last `frames` frames, from 1 to [`MAX_HISTORY`]; numbers beyond
    /// that mean the nearest.
    #[must_use]
    pub fn with_history(frames: usize) -> Self {
        Self {
            clock: FrameClock::new(frames.clamp(1, MAX_HISTORY)),
            watches: WatchList::default(),
            peeks: Peeks::default(),
            marks: Marks::default(),
            survey: Survey::default(),
            late: LateReader::default(),
            rings: 2,
        }
    }

    /// How many frames are held at most.
    #[must_use]
    pub fn history_capacity(&self) -> usize {
        self.clock.capacity()
    }

    /// Changes how many frames are held, as for [`with_history`](Self::with_history). The newest of
    /// the frames held so far stay.
    pub fn set_history(&mut self, frames: usize) {
        let capacity = frames.clamp(1, MAX_HISTORY);
        let end = self.clock.next_frame();
        self.clock.resize(capacity);
        for watched in self.watches.iter_mut().filter_map(History::frames_mut) {
            watched.ring = watched.ring.resized(capacity, end);
        }
        self.late.resize(capacity);
    }

    /// Lets the frame that is under way begin now: the time since the last one is no frame's. What
    /// was counted meanwhile stays in it.
    ///
    /// For a first frame that would otherwise contain the loading of the game, or one after a
    /// pause.
    pub fn restart_frame(&mut self) {
        self.clock.restart_frame();
    }

    /// Ends the frame now.
    ///
    /// What other threads add meanwhile lands in this frame or the next, never in both and never in
    /// none.
    pub fn end_frame(&mut self) {
        self.end_frame_at(self.clock.now());
    }

    /// Ends the frame at a time of the caller's: for runs that are to be the same each time, and
    /// for hosts without a clock.
    ///
    /// Times are seconds since the recorder was made (an `f64` or a
    /// [`Duration`](std::time::Duration)). A time that is not finite, or before the end of the last
    /// frame, gives a frame of no duration.
    pub fn end_frame_at(&mut self, time: impl Into<FrameTime>) {
        self.watches.sweep();
        let frame = self.clock.next_frame();
        let position = self.clock.push(time.into());
        for history in self.watches.iter_mut() {
            match history {
                History::Nothing => {}
                History::Frames(watched) => watched.end_frame(position, &self.clock),
                History::Late(id) => {
                    self.late.ask(*id, Use::Watch, frame);
                }
            }
        }
        self.peeks.end_frame(frame, &self.clock);
        self.survey.end_frame(frame, &self.clock, &mut self.late);
        self.late.end_frame(frame, self.clock.capacity());
        self.survey.take_late(&self.clock, &mut self.late);
    }

    /// Begins the history of a series, or joins those who watch it already; it lasts until the last
    /// [`Watch`] is dropped.
    ///
    /// The first frame of a new history is the one under way, counted from now on. An id of no
    /// series gives a watch whose windows stay empty.
    #[must_use = "the history ends when the watch is dropped"]
    pub fn watch(&mut self, id: SeriesId) -> Watch {
        let Self {
            clock,
            watches,
            late,
            rings,
            ..
        } = self;
        watches.watch(id, || {
            *rings += 1;
            let ring = || Ring::new(clock.capacity(), clock.next_frame(), *rings);
            if let Some(total) = Total::of(id) {
                return History::Frames(Watched {
                    total,
                    previous: total.now(clock),
                    ring: ring(),
                });
            }
            if late.hold(id, Use::Watch, clock.next_frame(), || Some(ring())) {
                History::Late(id)
            } else {
                History::Nothing
            }
        })
    }

    /// How many series have a history.
    #[must_use]
    pub fn watched(&self) -> usize {
        self.watches.len()
    }

    /// The newest `frames` values of a watched series, oldest first; fewer where its history is
    /// shorter. Takes no copy.
    ///
    /// Empty for a watch of another recorder. Of [late](crate::DeferredSource) values, the window ends before
    /// the first frame that is not known whole.
    #[must_use]
    pub fn history(&self, watch: &Watch, frames: usize) -> FrameSlice<'_> {
        let end = self.clock.next_frame();
        match self.watches.get(watch) {
            Some(History::Frames(watched)) => watched.ring.window(end, frames),
            Some(History::Late(id)) => self.late.window(*id, frames, self.clock.frames()),
            Some(History::Nothing) | None => FrameSlice::new(end, &[], &[]),
        }
    }

    /// The value of a series in the newest frame (of [late](crate::DeferredSource) values, the newest that is
    /// known whole), without a history: for a row that is merely on screen.
    ///
    /// `None` until a frame ends after the first peek, whose value is counted from that peek on;
    /// levels and gauges are known at once. A peek that is not repeated within
    /// [`PEEK_FRAMES`](crate::limits::PEEK_FRAMES) frames is forgotten.
    pub fn peek(&mut self, id: SeriesId) -> Option<f64> {
        let frame = self.clock.next_frame();
        if let Some(value) = self.late.ask(id, Use::Peek, frame) {
            return value;
        }
        let value = self.peeks.ask(id, &self.clock);
        if value.is_none() && !self.peeks.has(id) {
            self.late.hold(id, Use::Peek, frame, || None);
        }
        value
    }

    /// Says something of the frame under way: that a span begins or ends, or that something
    /// happened.
    ///
    /// - Spans of several names may be open at once, one of each name. A span that ends in the
    ///   frame in which it began is one frame long.
    /// - What was said of a frame stays with its index, whatever becomes of its time
    ///   ([`restart_frame`](Self::restart_frame)) or its values
    ///   ([`set_history`](Self::set_history)).
    /// - Names are cut behind [`MAX_MARK_NAME`](crate::limits::MAX_MARK_NAME) characters, and are the same
    ///   where so much of them is the same. An empty one means `unnamed`.
    /// - [`MAX_MARKS`](crate::limits::MAX_MARKS) are held. Beyond that, one goes for each that comes: the
    ///   oldest whose frames are not held any more, or else the oldest of all that is no open span.
    ///   Where all of them are open spans, no further mark is taken.
    ///
    /// Takes time for the spans that are open, not for the marks: 20 to 200 ns with up to ten of
    /// them, a microsecond for each 150 beyond. It allocates until there are as many as there can
    /// be.
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
        self.marks.mark(name, event, &self.clock.frames());
    }

    /// Says of frames that were pushed already that they belong together, as a span: for what is
    /// only known afterwards, or to leave frames out of the statistics.
    ///
    /// Frames that are not held any more can be marked as well; the frame under way and those to
    /// come are left out, and of no frames there is no mark. Names and limits are those of
    /// [`mark`](Self::mark). Takes time for the marks that begin later.
    pub fn mark_frames(&mut self, name: &str, frames: Range<u64>) {
        self.marks.mark_frames(name, frames, &self.clock.frames());
    }

    /// What was said of the frames, those held no more among them, in the order in which it begins;
    /// of what begins with the same frame, that in which it was said.
    #[must_use]
    pub fn marks(&self) -> &[Mark] {
        self.marks.as_slice()
    }

    /// The indices of the frames that are held.
    #[must_use]
    pub fn frames(&self) -> Range<u64> {
        self.clock.frames()
    }

    /// One frame of the clock; `None` where it is not held any more, or not yet.
    #[must_use]
    pub fn frame(&self, index: u64) -> Option<Frame> {
        self.clock.frame(index)
    }

    /// The durations of the newest `frames` frames, in milliseconds.
    #[must_use]
    pub fn frame_times(&self, frames: usize) -> FrameSlice<'_> {
        self.clock.durations_ms(frames)
    }
}

impl Watched {
    fn end_frame(&mut self, position: usize, clock: &FrameClock) {
        let now = self.total.now(clock);
        self.ring
            .put(position, self.total.frame_value(now, self.previous));
        self.previous = now;
    }
}

impl Source for Recorder {
    fn generation(&self) -> u64 {
        generation()
    }

    fn for_each_series(&self, visit: &mut dyn FnMut(SeriesInfo<'_>)) {
        for_each_series(visit);
    }

    fn find(&self, path: &str) -> Option<SeriesId> {
        find(path)
    }

    fn watch(&mut self, id: SeriesId) -> Watch {
        self.watch(id)
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

    fn for_each_change(&self, since: u64, visit: &mut dyn FnMut(SeriesInfo<'_>)) -> bool {
        for_each_change(since, visit);
        true
    }

    fn survey(&mut self, visit: &mut dyn FnMut(SeriesId, SurveyValue)) -> bool {
        self.survey.ask(&self.clock, &mut self.late, visit);
        true
    }

    fn marks(&self) -> &[Mark] {
        self.marks()
    }

    fn distribution(&self, id: SeriesId) -> Option<Distribution> {
        snapshot(id)
    }
}
