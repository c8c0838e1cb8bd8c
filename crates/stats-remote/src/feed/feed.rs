//! Copies what viewers asked for from the recorder to the hub.

use std::collections::VecDeque;
use std::ops::Range;
use std::time::Instant;

use stats_core::limits::{LATE_FRAMES, MAX_MARKS};
use stats_core::{Mark, Recorder, SeriesId, Source, Watch, WatchGroup, own_memory};

use super::command::Command;
use super::record::{DEFERRED, FRAME, MARK, NEWEST, PAST, TABLE, THREAD, head};
use super::scopes::ScopeFeed;
use crate::own_series::SKIPPED;
use crate::wire::column::MAX_FRAMES;
use crate::wire::to_game::{self, CLOCK, Want};
use crate::words::{WordReader, WordWriter};

/// The most commands that are obeyed in a frame: a watch allocates a history.
const COMMANDS: usize = 64;

/// The most frames that are sent in a frame, if some were not published. Older ones can be asked for.
const FRAMES: u64 = 16;

/// The most values of the past that are copied in a frame, and the most frames of the clock, each of
/// which takes longer.
const PAST_VALUES: usize = 2048;
const PAST_CLOCK: usize = 256;

/// The frames from one survey of the rows on screen to the next, and without rows, from one look at the
/// thread that ends the frames to the next.
const ROWS_EVERY: u32 = 6;
const THREAD_EVERY: u32 = 128;

/// The most rows on screen, those of all viewers together.
pub(crate) const MAX_ROWS: usize = 512;

/// The most requests for the past that wait: 64 of each viewer.
const MAX_WANTS: usize = 512;

/// The largest number of marks that a frame sends, or compares with the marks that were sent, and
/// how many of these are the newest marks. The others are looked through in turn.
const MARKS: usize = 16;
const NEWEST_MARKS: usize = 4;

/// The rounds through all marks in which each name is compared once.
const NAME_ROUNDS: usize = 4;

/// The game's end of the queues. It is made on the thread of the hub, and all its memory with it.
///
/// What each frame needs comes first, because each cache line of the others costs it a miss.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Feed {
    /// The first frame that was not sent; `None` before the first call.
    next_frame: Option<u64>,
    /// The frames until the rows on screen and the thread that ends the frames are looked at.
    rows_in: u32,
    /// Whether the hub does not know the order of `live`.
    is_new_table: bool,
    /// Whether there is something to send that most frames do not have.
    has_more: bool,
    /// Frames end at nanoseconds since then.
    pub(crate) epoch: Instant,
    out: WordWriter,
    /// The watched series whose values are known when a frame ends.
    live: WatchGroup,
    commands: WordReader,
    /// The other watched series.
    deferred: Vec<Deferred>,
    rows: Vec<SeriesId>,
    pub(super) wants: VecDeque<(u32, Want)>,
    scopes: ScopeFeed,
    /// The thread that ends the frames, as it was sent; empty before it was.
    thread: String,
    /// What was sent of each mark.
    marks: Vec<SentMark>,
    /// The mark that was compared last, apart from the newest ones, and how often all were.
    compared_mark: usize,
    mark_rounds: usize,
}

#[derive(Debug)]
struct Deferred {
    watch: Watch,
    /// The first frame that was not sent.
    next_frame: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct SentMark {
    begin: u64,
    end: u64,
    name: u64,
}

impl SentMark {
    fn of(mark: &Mark) -> Self {
        // FNV-1a: marks that differ only in their names rarely follow each other in one place.
        let name = mark.name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self {
            begin: mark.frames.start,
            end: mark.frames.end,
            name: name ^ u64::from(mark.is_point),
        }
    }
}

impl Feed {
    pub(crate) fn new(out: WordWriter, commands: WordReader, max_watches: usize) -> Self {
        Self {
            epoch: Instant::now(),
            out,
            commands,
            live: WatchGroup::with_capacity(max_watches),
            deferred: Vec::with_capacity(max_watches),
            is_new_table: true,
            has_more: false,
            rows: Vec::with_capacity(MAX_ROWS),
            wants: VecDeque::with_capacity(MAX_WANTS),
            scopes: ScopeFeed::default(),
            next_frame: None,
            rows_in: ROWS_EVERY,
            thread: String::new(),
            marks: Vec::with_capacity(MAX_MARKS),
            compared_mark: 0,
            mark_rounds: 0,
        }
    }

    /// Sends what is new.
    pub(crate) fn publish(&mut self, recorder: &mut Recorder) {
        // What a frame rarely does is in functions of its own, because the first run of each line of
        // code in a frame costs a cache miss.
        if self.is_new_table {
            self.send_table();
        }
        self.send_frames(recorder);
        self.rows_in -= 1;
        if self.has_more || self.rows_in == 0 || !recorder.marks().is_empty() {
            self.send_more(recorder);
        }
    }

    #[cold]
    fn send_more(&mut self, recorder: &mut Recorder) {
        if !self.deferred.is_empty() {
            self.send_deferred(recorder);
        }
        if !self.wants.is_empty() {
            self.send_past(recorder);
        }
        if self.scopes.is_active() {
            let now_ns = ended_ns(recorder, self.epoch);
            self.scopes.publish(&mut self.out, recorder, now_ns);
        }
        self.note_more();
        if self.rows_in == 0 {
            let has_rows = !self.rows.is_empty();
            self.rows_in = if has_rows { ROWS_EVERY } else { THREAD_EVERY };
            self.send_rows(recorder);
            self.send_thread(recorder.frame_thread().unwrap_or_default());
        }
        self.send_marks(recorder.marks());
    }

    fn note_more(&mut self) {
        let has_series = !self.deferred.is_empty() || !self.wants.is_empty();
        self.has_more = has_series || self.scopes.is_active();
    }

    /// Does what was asked, up to a limit; false if something is left for the next frame.
    #[cold]
    pub(crate) fn obey(&mut self, recorder: &mut Recorder) -> bool {
        let is_done = self.obey_some(recorder);
        self.note_more();
        self.rows_in = self.rows_in.min(ROWS_EVERY);
        is_done
    }

    fn obey_some(&mut self, recorder: &mut Recorder) -> bool {
        for _ in 0..COMMANDS {
            let Some(command) = Command::read(&mut self.commands) else {
                return true;
            };
            let _memory = own_memory("stats-remote");
            match command {
                Command::Watch {
                    series,
                    is_deferred,
                } => {
                    let watch = recorder.watch(SeriesId::new(series));
                    let next_frame = recorder.frames().end;
                    if is_deferred {
                        self.deferred.push(Deferred { watch, next_frame });
                    } else {
                        self.live.push(watch);
                        self.is_new_table = true;
                    }
                }
                Command::Unwatch { series } => {
                    let id = SeriesId::new(series);
                    self.deferred.retain(|deferred| deferred.watch.id() != id);
                    self.live.retain(|watch| watch.id() != id);
                    self.is_new_table = true;
                }
                Command::Peek { series } => self.rows.push(SeriesId::new(series)),
                Command::Unpeek { series } => self.rows.retain(|id| id.number() != series),
                Command::Want { viewer, want } if want.series == to_game::SCOPES => {
                    self.scopes.want(viewer, want);
                }
                Command::Want { viewer, want } => self.wants.push_back((viewer, want)),
                Command::Forget { viewer } => {
                    self.wants.retain(|(of, _)| *of != viewer);
                    self.scopes.forget(viewer);
                }
            }
        }
        false
    }

    #[cold]
    fn send_table(&mut self) {
        let len = self.live.len();
        if !self.out.has_room(1 + len) {
            return;
        }
        let ids = self.live.iter().map(|watch| watch.id().number().into());
        self.out.put(head(TABLE, len));
        self.out.put_all(ids);
        self.out.end_record();
        self.is_new_table = false;
    }

    /// Sends the frames that ended since the last call. Those without room, and those that the recorder
    /// no longer has, are left out.
    fn send_frames(&mut self, recorder: &Recorder) {
        let Range { start, end } = recorder.frames();
        // Another recorder may have fewer frames.
        let next = (*self.next_frame.get_or_insert(end.saturating_sub(1))).min(end);
        self.next_frame = Some(end);
        let begin = next.max(start).max(end.saturating_sub(FRAMES));
        let sent = (begin..end)
            .take_while(|index| self.send_frame(recorder, *index))
            .count() as u64;
        if next + sent < end {
            SKIPPED.add(end - next - sent);
        }
    }

    /// Sends a frame; false if there is no room, or the hub does not know of what the values are.
    fn send_frame(&mut self, recorder: &Recorder, index: u64) -> bool {
        let Some(frame) = recorder.frame(index).filter(|_| !self.is_new_table) else {
            return false;
        };
        if !self.out.has_room(5 + self.live.len()) {
            return false;
        }
        self.out.put(head(FRAME, self.live.len()));
        self.out.put(index);
        self.out.put(frame.start_secs.to_bits());
        self.out.put(frame.duration_ms.to_bits());
        self.out.put(ended_ns(recorder, self.epoch));
        let (out, live) = (&mut self.out, &mut self.live);
        recorder.values_in(index, live, |values| out.put_values(values));
        self.out.end_record();
        true
    }

    /// Sends the values of earlier frames that became known.
    #[inline(never)]
    fn send_deferred(&mut self, recorder: &Recorder) {
        for deferred in &mut self.deferred {
            let window = recorder.history(&deferred.watch, 2 * LATE_FRAMES as usize);
            let new = window.within(deferred.next_frame..u64::MAX);
            if new.is_empty() || !self.out.has_room(3 + new.len()) {
                continue;
            }
            self.out.put(head(DEFERRED, new.len()));
            self.out.put(deferred.watch.id().number().into());
            self.out.put(new.first_frame());
            self.out.put_all(new.iter().map(f64::to_bits));
            self.out.end_record();
            deferred.next_frame = new.frames().end;
        }
    }

    /// Copies values of earlier frames, up to the limit of a frame.
    #[cold]
    fn send_past(&mut self, recorder: &Recorder) {
        let mut left = PAST_VALUES;
        while let Some((viewer, want)) = self.wants.front_mut() {
            let is_clock = want.series == CLOCK;
            let deferred = self.deferred.iter().map(|deferred| &deferred.watch);
            let watch = self
                .live
                .iter()
                .chain(deferred)
                .find(|watch| watch.id().number() == want.series);
            let window = match watch {
                _ if is_clock => recorder.frame_times(usize::MAX),
                Some(watch) => recorder.history(watch, usize::MAX),
                None => stats_core::FrameSlice::default(),
            };
            let wanted = window.within(want.from..want.to.max(want.from));
            let most = if is_clock { PAST_CLOCK } else { MAX_FRAMES };
            let frames = wanted.len().min(most).min(left);
            if left == 0 || !self.out.has_room(4 + 2 * frames) {
                return;
            }
            let first = wanted.first_frame();
            let part = wanted.within(first..first + frames as u64);
            let is_done = part.len() == wanted.len();
            self.out.put(head(PAST, frames));
            self.out
                .put(u64::from(*viewer) << 32 | u64::from(want.series));
            self.out.put(first);
            self.out.put(is_done.into());
            if is_clock {
                for index in part.frames() {
                    let start = recorder.frame(index).map(|frame| frame.start_secs);
                    self.out.put(start.unwrap_or(f64::NAN).to_bits());
                }
            }
            self.out.put_all(part.iter().map(f64::to_bits));
            self.out.end_record();
            left -= if is_clock { left } else { frames.max(1) };
            want.from = part.frames().end;
            if is_done {
                self.wants.pop_front();
            }
        }
    }

    /// Sends the newest values of the rows on screen.
    #[cold]
    fn send_rows(&mut self, recorder: &mut Recorder) {
        let len = self.rows.len();
        if len == 0 {
            return;
        }
        let has_room = self.out.has_room(1 + 2 * len);
        if has_room {
            self.out.put(head(NEWEST, len));
        }
        for id in &self.rows {
            // A new peek allocates; a later one does not. Without room, it is repeated so that the
            // recorder does not forget it.
            let value = recorder.peek(*id).unwrap_or(f64::NAN);
            if has_room {
                self.out.put(id.number().into());
                self.out.put(value.to_bits());
            }
        }
        if has_room {
            self.out.end_record();
        }
    }

    #[cold]
    fn send_thread(&mut self, name: &str) {
        if name == self.thread || !self.out.has_room(1 + name.len().div_ceil(8)) {
            return;
        }
        let _memory = own_memory("stats-remote");
        name.clone_into(&mut self.thread);
        self.out.put(head(THREAD, name.len()));
        self.out.put_text(name);
        self.out.end_record();
    }

    /// Sends marks that are new, compares a few others with what was sent, and sends those that differ.
    #[inline(never)]
    fn send_marks(&mut self, marks: &[Mark]) {
        let mut left = MARKS;
        while left > 0 && self.marks.len() < marks.len() {
            if !self.send_mark(self.marks.len(), marks) {
                return;
            }
            left -= 1;
        }
        // The newest ones change most.
        let newest = left.min(NEWEST_MARKS).min(marks.len());
        for step in 0..newest + (left - newest).min(marks.len()) {
            let (at, is_named) = if step < newest {
                (marks.len() - 1 - step, step == 0)
            } else {
                self.next_mark(marks.len())
            };
            let sent = self.marks[at];
            let is_same = (sent.begin..sent.end) == marks[at].frames;
            if (is_named || !is_same) && !self.send_mark(at, marks) {
                return;
            }
        }
    }

    /// Returns the next of all marks to compare, and whether with its name, which is in a cache line of its
    /// own and mostly changes with the frames.
    fn next_mark(&mut self, marks: usize) -> (usize, bool) {
        self.compared_mark += 1;
        if self.compared_mark >= marks {
            self.compared_mark = 0;
            self.mark_rounds = (self.mark_rounds + 1) % NAME_ROUNDS;
        }
        let is_named = (self.compared_mark + self.mark_rounds).is_multiple_of(NAME_ROUNDS);
        (self.compared_mark, is_named)
    }

    /// Sends a mark if it differs from what was sent; false if there is no room.
    fn send_mark(&mut self, at: usize, marks: &[Mark]) -> bool {
        let (mark, sent) = (&marks[at], SentMark::of(&marks[at]));
        if self.marks.get(at) == Some(&sent) {
            return true;
        }
        if !self.out.has_room(6 + mark.name.len().div_ceil(8)) {
            return false;
        }
        self.out.put(head(MARK, mark.name.len()));
        self.out.put(at as u64);
        self.out.put(marks.len() as u64);
        self.out.put(mark.frames.start);
        self.out.put(mark.frames.end);
        self.out.put(mark.is_point.into());
        self.out.put_text(&mark.name);
        self.out.end_record();
        match self.marks.get_mut(at) {
            Some(place) => *place = sent,
            None => self.marks.push(sent),
        }
        true
    }
}

/// Returns the nanoseconds from `epoch` until the newest frame ended, or until now if the game gives the
/// times of its frames itself: otherwise the recorder has read the clock already.
fn ended_ns(recorder: &Recorder, epoch: Instant) -> u64 {
    let since = match recorder.ended_at() {
        Some(ended) => ended.saturating_duration_since(epoch),
        None => epoch.elapsed(),
    };
    since.as_nanos() as u64
}
