//! A running game as a source.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::{ControlFlow, Range};
use std::time::Duration;

use stats_core::source::{Listed, Survey, WatchList};
use stats_core::timeline::Timeline;
use stats_core::{
    Distribution, Frame, FrameSlice, Mark, SeriesId, SeriesInfo, SeriesKind, Source, Watch,
};

use super::clock::Clock;
use super::distributions::Distributions;
use super::history::History;
use super::link::{Answer, ConnectError, Event, WAITING};
use super::listing::Listing;
use super::scopes::Scopes;
use super::status::RemoteStatus;
use super::surveys::Surveyed;
use super::{Instant, Link};
use crate::address::RemoteAddress;
use crate::wire::to_game::ToGame;
use crate::wire::to_viewer::{MAX_MARKS, Welcome};

/// How often blocks are acknowledged: a viewer may draw more frames than a game reads messages.
const ACK_EVERY: Duration = Duration::from_millis(50);

/// How long the first answer may take.
#[cfg(not(target_family = "wasm"))]
const PATIENCE: Duration = Duration::from_secs(10);

/// A running game that is elsewhere, as a [`Source`].
///
/// [`pump`](Self::pump) takes in what arrived. Between two calls, nothing changes.
///
/// - A history begins with what the game still has of the past, and is empty until that arrived.
/// - Frames that were lost on the way are asked for again. Until they arrive, histories end before
///   them, and what the game no longer has is unknown (NaN).
/// - If the connection is lost, it connects again every half second, and every three seconds if the game
///   refuses it. The watches go on.
/// - A game that was started again (with the same token) continues the series with the same paths. A
///   mark `new session` is where it began.
///
/// Up to 16,384 frames of each watched series are kept, and fewer if more than 1,024 are watched: all
/// histories together take 256 MiB at most. Messages that wait for the next call take 32 MiB (in a
/// browser, before they are decoded), and the texts of the listing 256 MiB, whatever the game sends.
#[derive(Debug)]
pub struct RemoteSource {
    pub(super) link: Link,
    pub(super) listing: Listing,
    pub(super) watches: WatchList<History>,
    /// What was sent to the game: each watched series, by the viewer's number.
    pub(super) watched: BTreeMap<u32, Sent>,
    /// The newest block that was not acknowledged, and when one last was.
    pub(super) newest_block: Option<u64>,
    pub(super) acknowledged: Instant,
    /// The watched series that the game does not send.
    pub(super) refused: BTreeSet<u32>,
    /// The series that something but the survey watches, or watched while the survey did.
    pub(super) viewed: BTreeSet<u32>,
    pub(super) surveyed: Surveyed,
    pub(super) rows: HashMap<u32, Row>,
    pub(super) rows_sent: (Instant, Vec<u32>),
    pub(super) distributions: Distributions,
    pub(super) scopes: Scopes,
    pub(super) starts_secs: History,
    pub(super) durations_ms: History,
    pub(super) clock_asked: Option<Instant>,
    pub(super) marks: Vec<Mark>,
    /// The thread that ends the frames of the game.
    pub(super) frame_thread: Option<String>,
    /// Where this session begins on the axis of the viewer: the number of its first frame, and the
    /// seconds.
    pub(super) session: Option<Session>,
    /// The marks of sessions before this one.
    pub(super) old_marks: Vec<Mark>,
    pub(super) status: RemoteStatus,
    /// The smallest difference between the viewer's clock and the end of a frame when it arrived.
    pub(super) delay_secs: f64,
    pub(super) clock: Clock,
    /// When the message that is taken in was heard.
    pub(super) heard: Instant,
    pub(super) epoch: Instant,
}

#[derive(Debug)]
pub(super) struct Session {
    pub(super) id: [u8; 16],
    pub(super) first_frame: u64,
    pub(super) start_secs: f64,
    /// Whether frames of it arrived since the connection.
    pub(super) has_frames: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    /// When the past was asked for; `None` once it arrived.
    pub(super) asked: Option<Instant>,
    /// Whether the past was asked for at all: a survey does not read it.
    pub(super) has_past: bool,
}

#[derive(Debug)]
pub(super) struct Row {
    pub(super) asked: Instant,
    /// Whether it was read since the last [`pump`](RemoteSource::pump).
    pub(super) is_new: bool,
    pub(super) value: Option<f64>,
}

impl RemoteSource {
    /// Connects to a game. Waits for its answer, up to ten seconds. A page in a browser cannot wait,
    /// and [opens](Self::open) a connection instead.
    ///
    /// # Errors
    ///
    /// Returns why there is no connection.
    #[cfg(not(target_family = "wasm"))]
    pub fn connect(address: &RemoteAddress) -> Result<Self, ConnectError> {
        let no_answer = |why: String| ConnectError::NoAnswer(address.authority(), why);
        let mut source = Self::open(address)?;
        match source.link.next(PATIENCE) {
            Some(Event::Connected(welcome)) => source.begin(welcome),
            Some(Event::Ended(error)) => return Err(error),
            _ => return Err(no_answer("it takes too long".to_owned())),
        }
        Ok(source)
    }

    /// Begins to connect to a game, and does not wait for it. Until the game answers, there are no series,
    /// and the [error](RemoteStatus::error) is [`ConnectError::Pending`], or says why there is no answer.
    ///
    /// # Errors
    ///
    /// Returns an error if the system has no thread for the connection.
    pub fn open(address: &RemoteAddress) -> Result<Self, ConnectError> {
        let no_answer = |why: String| ConnectError::NoAnswer(address.authority(), why);
        let link = Link::start(address.clone()).map_err(|error| no_answer(error.to_string()))?;
        let now = Instant::now();
        Ok(Self {
            link,
            listing: Listing::default(),
            watches: WatchList::default(),
            watched: BTreeMap::new(),
            newest_block: None,
            acknowledged: now,
            refused: BTreeSet::new(),
            viewed: BTreeSet::new(),
            surveyed: Surveyed::default(),
            rows: HashMap::new(),
            rows_sent: (now, Vec::new()),
            distributions: Distributions::default(),
            scopes: Scopes::new(),
            starts_secs: History::default(),
            durations_ms: History::default(),
            clock_asked: None,
            marks: Vec::new(),
            frame_thread: None,
            session: None,
            old_marks: Vec::new(),
            status: RemoteStatus {
                error: Some(ConnectError::Pending),
                is_rounded: address.is_rounded,
                ..RemoteStatus::default()
            },
            delay_secs: f64::INFINITY,
            clock: Clock::default(),
            heard: now,
            epoch: now,
        })
    }

    /// Returns how well the viewer follows the game, as of the last [`pump`](Self::pump).
    #[must_use]
    pub const fn status(&self) -> &RemoteStatus {
        &self.status
    }

    /// Returns the series that are watched and not sent, because too many are watched.
    pub fn refused(&self) -> impl Iterator<Item = SeriesId> {
        let viewed = self.refused.intersection(&self.viewed);
        viewed.copied().map(SeriesId::new)
    }

    /// Returns the seconds to add to a time of a [frame](Source::frame) to get the time since `start`, on
    /// the clock of the viewer, and by how much they may be wrong. `None` before the game answered a ping
    /// after its first frame.
    ///
    /// The game is asked for its time 18 times a second, or once in each frame of a page in a browser
    /// if that is less. The true offset is within the error, however long a message takes on either
    /// way, as long as the clocks drift apart by less than a ten-thousandth. On one machine, the error
    /// is mostly less than half a millisecond. A page hears of an answer only when it looks, so its
    /// frame time adds to the error.
    ///
    /// If the game [gives](stats_core::Recorder::end_frame_at) the times of its frames, two things are
    /// assumed: the game calls `publish` right after it ends a frame, and in at least one frame before the
    /// first answer, the system did not hold up the game between the two. Otherwise, the frames seem to end
    /// later by that time, which the error does not include.
    #[must_use]
    pub fn clock_offset(&self, start: Instant) -> Option<(f64, f64)> {
        let (offset_secs, error_secs) = self.clock.offset(self.secs_of(Instant::now()))?;
        let ahead = self.epoch.saturating_duration_since(start).as_secs_f64();
        let behind = start.saturating_duration_since(self.epoch).as_secs_f64();
        Some((offset_secs + ahead - behind, error_secs))
    }

    /// Takes in what arrived, and asks for what is needed: once in each frame of the viewer.
    pub fn pump(&mut self) {
        let mut newest = None;
        // Bounded: a game may send faster than they are taken in.
        for _ in 0..WAITING {
            let Some(event) = self.link.next(Duration::ZERO) else {
                break;
            };
            match event {
                Event::Connected(welcome) => {
                    // No block of the connection before is acknowledged on this one.
                    newest = None;
                    self.begin(welcome);
                }
                Event::Ended(error) => self.end(error),
                Event::Answer(answer) => self.take_answer(answer),
                Event::Message(message, heard) => {
                    self.heard = heard;
                    self.take(message, &mut newest);
                }
            }
        }
        self.newest_block = newest.or(self.newest_block);
        if self.acknowledged.elapsed() >= ACK_EVERY
            && let Some(block) = self.newest_block.take()
        {
            self.acknowledged = Instant::now();
            self.link.send(ToGame::Ack(block));
        }
        self.sync_survey();
        self.sync_watches();
        self.status.refused = self.refused().count();
        self.status.unsurveyed =
            self.surveyed.left_out + (self.refused.len() - self.status.refused);
        self.sync_rows();
        self.sync_distributions();
        self.sync_scopes();
        self.give_up_waiting();
        self.follow();
    }

    /// Takes in the answer to a ping.
    pub(super) fn take_answer(&mut self, answer: Answer) {
        self.status.round_trip = Some(answer.heard.saturating_duration_since(answer.sent));
        if let (Some(game_secs), Some(session)) = (answer.game_secs, &self.session) {
            let (sent_secs, heard_secs) = (self.secs_of(answer.sent), self.secs_of(answer.heard));
            let game_secs = session.start_secs + game_secs;
            self.clock.answered(sent_secs, game_secs, heard_secs);
        }
    }

    /// Returns a time on the clock of the viewer, in seconds.
    pub(super) fn secs_of(&self, at: Instant) -> f64 {
        let after = at.saturating_duration_since(self.epoch).as_secs_f64();
        after - self.epoch.saturating_duration_since(at).as_secs_f64()
    }

    /// A connection begins.
    pub(super) fn begin(&mut self, welcome: Welcome) {
        self.status.program = welcome.program;
        self.status.process = welcome.process;
        self.status.max_watches = usize::try_from(welcome.max_watches).unwrap_or(usize::MAX);
        self.status.error = None;
        let is_new = self
            .session
            .as_ref()
            .is_none_or(|session| session.id != welcome.session);
        if is_new {
            self.listing.begin_session();
            self.scopes.begin_session();
            self.surveyed.begin_session();
            self.frame_thread = None;
            let first_frame = self.durations_ms.end();
            if self.session.is_some() {
                self.durations_ms.release();
                self.starts_secs.release();
                self.watches.iter_mut().for_each(History::release);
                // The one below makes them as many as a game has.
                let gone = self.marks.len().saturating_sub(MAX_MARKS - 1);
                self.old_marks.clear();
                self.old_marks.extend_from_slice(&self.marks[gone..]);
                for mark in &mut self.old_marks {
                    mark.frames.end = mark
                        .frames
                        .end
                        .min(first_frame.max(mark.frames.start.saturating_add(1)));
                }
                let frames = first_frame..first_frame + 1;
                self.old_marks.push(Mark::new("new session", frames, true));
                self.marks.clone_from(&self.old_marks);
            }
            let start_secs = self.end_secs().unwrap_or(0.0);
            self.delay_secs = f64::INFINITY;
            self.clock = Clock::default();
            self.session = Some(Session {
                id: welcome.session,
                first_frame,
                start_secs,
                has_frames: false,
            });
        } else if let Some(session) = &mut self.session {
            session.has_frames = false;
        }
        self.watched.clear();
        self.refused.clear();
        self.newest_block = None;
        self.rows_sent.1.clear();
        self.distributions.begin_connection();
        self.scopes.begin_connection();
    }

    fn end(&mut self, error: ConnectError) {
        self.status.error = Some(error);
        self.status.round_trip = None;
        // No answer comes any more. The next connection asks again.
        self.clock_asked = None;
        self.durations_ms.release();
        self.starts_secs.release();
        self.watches.iter_mut().for_each(History::release);
        self.watched.clear();
    }

    /// Returns when the last frame that readers see ended, on the axis of the viewer.
    fn end_secs(&self) -> Option<f64> {
        let frame = self.frame_of(self.shown_end().checked_sub(1)?)?;
        Some(frame.start_secs + frame.duration_ms / 1e3)
    }

    fn frame_of(&self, index: u64) -> Option<Frame> {
        let end = index.saturating_add(1);
        Some(Frame {
            index,
            start_secs: self.starts_secs.window(end, 1).at(index)?,
            duration_ms: self.durations_ms.window(end, 1).at(index)?,
        })
    }

    fn follow(&mut self) {
        let session = self.session.as_ref();
        if session.is_none_or(|session| self.shown_end() <= session.first_frame) {
            // What is shown is on the clock of an earlier session.
            return;
        }
        let Some(end_secs) = self.end_secs() else {
            return;
        };
        let behind = self.epoch.elapsed().as_secs_f64() - end_secs - self.delay_secs;
        self.status.behind_secs = if behind.is_finite() {
            behind.max(0.0)
        } else {
            0.0
        };
    }

    /// Watches a series, for a view or for the survey.
    pub(super) fn keep(&mut self, id: SeriesId, is_deferred: bool) -> Watch {
        let series = id.number();
        self.watches.watch(id, || {
            let mut history = History::new(series, is_deferred);
            history.is_clock = is_frame_time(&self.listing, series);
            history
        })
    }

    /// Returns the end of the frames that readers see.
    pub(super) fn shown_end(&self) -> u64 {
        self.durations_ms.shown_end()
    }
}

impl Source for RemoteSource {
    fn generation(&self) -> u64 {
        self.listing.generation
    }

    fn list(
        &self,
        series: Listed,
        visit: &mut dyn FnMut(SeriesInfo<'_>) -> ControlFlow<()>,
    ) -> Option<u32> {
        let end = self.listing.end();
        let _ = match series {
            Listed::All => self.listing.changed_since(0).try_for_each(visit),
            Listed::Numbers(numbers) => {
                let numbers = numbers.start..numbers.end.min(end);
                numbers
                    .filter_map(|number| self.listing.get(number))
                    .try_for_each(visit)
            }
            Listed::ChangedSince(since) => self.listing.changed_since(since).try_for_each(visit),
            _ => return None,
        };
        Some(end)
    }

    fn find(&self, path: &str) -> Option<SeriesId> {
        self.listing.find(path).map(SeriesId::new)
    }

    fn watch(&mut self, id: SeriesId) -> Watch {
        self.viewed.insert(id.number());
        let is_deferred = self.listing.is_deferred(id.number());
        self.keep(id, is_deferred)
    }

    fn history(&self, watch: &Watch, frames: usize) -> FrameSlice<'_> {
        let end = self.shown_end();
        match self.watches.get(watch) {
            Some(history) if history.is_clock => self.frame_times(frames),
            Some(history) => history.window(end, frames),
            None => FrameSlice::new(end, &[], &[]),
        }
    }

    fn peek(&mut self, id: SeriesId) -> Option<f64> {
        let asked = Instant::now();
        let row = self.rows.entry(id.number()).or_insert(Row {
            asked,
            is_new: true,
            value: None,
        });
        (row.asked, row.is_new) = (asked, true);
        row.value
    }

    fn frames(&self) -> Range<u64> {
        self.frame_times(usize::MAX).frames()
    }

    fn frame(&self, index: u64) -> Option<Frame> {
        self.frame_of(index).filter(|_| index < self.shown_end())
    }

    fn frame_times(&self, frames: usize) -> FrameSlice<'_> {
        self.durations_ms.window(self.shown_end(), frames)
    }

    fn survey(&mut self) -> Option<Survey<'_>> {
        let newest = self.shown_end().saturating_sub(1);
        Some(self.survey_in(newest))
    }

    fn survey_of(&mut self, frame: u64) -> Option<Survey<'_>> {
        self.frames()
            .contains(&frame)
            .then(|| self.survey_in(frame))
    }

    fn frame_thread(&self) -> Option<&str> {
        self.frame_thread.as_deref()
    }

    fn marks(&self) -> &[Mark] {
        &self.marks
    }

    fn timeline(&mut self, frames: &[Range<u64>]) -> Option<&mut Timeline> {
        Some(self.scopes.ask(frames))
    }

    fn distribution(&self, id: SeriesId) -> Option<Distribution> {
        let info = self.listing.get(id.number())?;
        (info.kind == SeriesKind::Histogram)
            .then(|| self.distributions.ask(id.number()))
            .flatten()
    }
}

fn is_frame_time(listing: &Listing, series: u32) -> bool {
    listing
        .get(series)
        .is_some_and(|info| info.kind == SeriesKind::FrameTime)
}
