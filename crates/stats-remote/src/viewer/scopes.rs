//! The scopes of frames, call by call. While a view asks, the viewer fetches the newest frames as they
//! end, and those before them that the view names.
//!
//! One request is on the way at a time: a slow connection leaves frames out instead of piling them up.

use std::collections::{BTreeSet, HashMap};
use std::mem::discriminant;
use std::ops::Range;
use std::time::Duration;

use stats_core::SeriesId;
use stats_core::limits::TIMELINE_BYTES;
use stats_core::timeline::{LaneKind, NewScope, Timeline};

use super::Instant;
use super::history::MAX_FRAMES;
use super::source::RemoteSource;
use crate::wire::scopes::{FrameScopes, Lane};
use crate::wire::to_game::{SCOPES, ToGame, Want};

/// How long scopes are fetched that nobody asks for. Those that were asked for since the last time go on,
/// however long a frame of the viewer takes.
const LASTS: Duration = Duration::from_secs(2);

/// How often the newest frames are asked for, and how long an answer may take.
const EVERY: Duration = Duration::from_millis(50);
const PATIENCE: Duration = Duration::from_secs(10);

/// The frames that may be missing from the newest before they are left out.
const MOST_BEHIND: u64 = 240;

/// The frames of the past that are asked for at once.
const PAST_AT_ONCE: u64 = 16;

/// The scopes that views ask for.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    timeline: Timeline,
    /// When a view last asked; `None` while nobody asks.
    asked: Option<Instant>,
    /// Whether a view asked since the last call of `pump`.
    is_new: bool,
    wanted: Range<u64>,
    /// The first of the newest frames that did not arrive; `None` before the first request.
    next: Option<u64>,
    /// What was asked for last, and when: the newest frames, or others.
    on_the_way: Option<(Instant, Asked)>,
    sent: Option<Instant>,
    /// The wanted frames of the past that were asked for.
    past: BTreeSet<u64>,
    /// Whether the last request for frames of the past was for the last of them.
    was_last: bool,
    /// The lanes of the game, by their numbers there.
    lanes: HashMap<u16, OwnLane>,
    next_lane: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Asked {
    Newest,
    Past,
}

#[derive(Debug)]
struct OwnLane {
    /// Never that of another lane.
    key: u64,
    name: String,
    kind: LaneKind,
}

impl Scopes {
    pub(super) fn new() -> Self {
        Self {
            timeline: Timeline::new(TIMELINE_BYTES, MAX_FRAMES as usize),
            ..Self::default()
        }
    }

    /// Returns what arrived, and asks for frames.
    pub(super) fn ask(&mut self, frames: Range<u64>) -> &mut Timeline {
        (self.asked, self.is_new) = (Some(Instant::now()), true);
        // A view that keeps frames asks for none.
        if !frames.is_empty() {
            self.wanted = frames;
        }
        &mut self.timeline
    }

    /// The game was asked for nothing on this connection.
    pub(super) fn begin_connection(&mut self) {
        self.on_the_way = None;
        self.past.clear();
        self.lanes.clear();
    }

    /// The frames of a game that was started again follow those of the one before.
    pub(super) fn begin_session(&mut self) {
        self.next = None;
    }

    pub(super) fn add_lane(&mut self, lane: Lane) {
        let is_it = |own: &&mut OwnLane| {
            own.name == lane.name && discriminant(&own.kind) == discriminant(&lane.kind)
        };
        if let Some(own) = self.lanes.get_mut(&lane.number).filter(is_it) {
            own.kind = lane.kind;
            return;
        }
        self.next_lane += 1;
        let own = OwnLane {
            key: self.next_lane,
            name: lane.name,
            kind: lane.kind,
        };
        self.lanes.insert(lane.number, own);
    }

    /// Takes note that a request was answered: the frames before `first` were sent.
    pub(super) fn answered(&mut self, first: u64) {
        if let Some((_, Asked::Newest)) = self.on_the_way.take() {
            self.next = self.next.map(|next| next.max(first));
        }
    }

    /// Returns wanted frames before `end` that were not asked for, in turn the first and the last.
    fn missing(&mut self, end: u64) -> Option<Range<u64>> {
        let wanted = self.wanted.start..self.wanted.end.min(end);
        let wanted = wanted.start.max(wanted.end.saturating_sub(MAX_FRAMES))..wanted.end;
        self.past.retain(|frame| wanted.contains(frame));
        if self.past.len() as u64 >= wanted.end.saturating_sub(wanted.start) {
            return None;
        }
        for frame in wanted.clone() {
            if self.timeline.frame(frame).is_some() {
                self.past.insert(frame);
            }
        }
        let is_new = |frame: &u64| !self.past.contains(frame);
        self.was_last = !self.was_last;
        let range = if self.was_last {
            let last = wanted.clone().rev().find(is_new)?;
            let others = wanted.clone().rev().skip_while(|frame| *frame > last);
            let others = others.take(PAST_AT_ONCE as usize).take_while(is_new);
            others.last()?..last + 1
        } else {
            let first = wanted.clone().find(is_new)?;
            let others = (first..wanted.end).take(PAST_AT_ONCE as usize);
            first..others.take_while(is_new).last()? + 1
        };
        self.past.extend(range.clone());
        Some(range)
    }
}

impl RemoteSource {
    /// Asks for what views want.
    pub(super) fn sync_scopes(&mut self) {
        let (now, end) = (Instant::now(), self.shown_end());
        let scopes = &mut self.scopes;
        let since = |at: Instant| now.saturating_duration_since(at);
        let is_recent = |asked: Instant| since(asked) < LASTS;
        if !std::mem::take(&mut scopes.is_new) && !scopes.asked.is_some_and(is_recent) {
            if scopes.asked.take().is_some() {
                scopes.timeline.clear();
                scopes.past.clear();
                (scopes.next, scopes.on_the_way, scopes.wanted) = (None, None, 0..0);
            }
            return;
        }
        let is_on_the_way = scopes
            .on_the_way
            .is_some_and(|(at, _)| since(at) < PATIENCE);
        let Some(session) = self
            .session
            .as_ref()
            .filter(|_| self.status.error.is_none())
        else {
            return;
        };
        if is_on_the_way {
            return;
        }
        let next = *scopes.next.get_or_insert(end);
        let is_early = scopes.sent.is_some_and(|sent| since(sent) < EVERY);
        let (asked, frames) = if !is_early {
            scopes.sent = Some(now);
            let next = next.max(end.saturating_sub(MOST_BEHIND));
            scopes.next = Some(next);
            (Asked::Newest, next..u64::MAX)
        } else if let Some(past) = scopes.missing(next) {
            (Asked::Past, past)
        } else {
            return;
        };
        scopes.on_the_way = Some((now, asked));
        let of_game = |frame: u64| match frame {
            u64::MAX => frame,
            frame => frame.saturating_sub(session.first_frame),
        };
        self.link.send(ToGame::Want(vec![Want {
            series: SCOPES,
            from: of_game(frames.start),
            to: of_game(frames.end),
        }]));
    }

    /// Takes in the scopes of a frame.
    pub(super) fn take_scopes(&mut self, frame: &FrameScopes) {
        let Some(session) = self
            .session
            .as_ref()
            .filter(|_| self.scopes.asked.is_some())
        else {
            return;
        };
        let index = session.first_frame + frame.index;
        let Self {
            scopes, listing, ..
        } = self;
        let lanes = &scopes.lanes;
        let mut unknown = 0;
        let known = frame.scopes.iter().filter_map(|scope| {
            // A series that is not listed yet will be.
            let lane = lanes.get(&scope.lane);
            let known = lane.zip(listing.number_of(scope.series));
            unknown += u64::from(known.is_none());
            Some((scope, known?))
        });
        let known: Vec<_> = known.collect();
        let known = known.into_iter().map(|(scope, (lane, series))| NewScope {
            lane: lane.key,
            lane_name: &lane.name,
            lane_kind: lane.kind,
            series: SeriesId::new(series),
            depth: scope.depth.into(),
            begin_ns: scope.begin_ns,
            end_ns: scope.end_ns,
            is_wait: scope.is_wait,
        });
        let lost = frame.lost + unknown;
        scopes.timeline.put((index, frame.duration_ns, lost), known);
        scopes.timeline.settle();
    }
}
