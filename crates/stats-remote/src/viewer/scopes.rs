//! The scopes of frames, call by call. While a view asks, the viewer fetches the newest frames as they
//! end, and those before them that the view names.
//!
//! One request is on the way at a time: a slow connection leaves frames out instead of piling them up.

use std::collections::{BTreeSet, HashMap};
use std::mem::discriminant;
use std::ops::Range;
use std::time::Duration;

use stats_core::SeriesId;
use stats_core::limits::{LATE_FRAMES, TIMELINE_BYTES};
use stats_core::timeline::{LaneKind, NewScope, Timeline, join_ranges};

use super::Instant;
use super::history::MAX_FRAMES;
use super::source::RemoteSource;
use crate::wire::scopes::{FrameScopes, Lane};
use crate::wire::to_game::{SCOPES, ToGame, Want};

/// How long scopes are still fetched after a view last asked for them. A request since the last call of
/// [`pump`](RemoteSource::pump) always counts, so a long frame of the viewer does not end them.
const STILL_FETCHED: Duration = Duration::from_secs(2);

/// How often the newest frames are asked for.
const EVERY: Duration = Duration::from_millis(50);
/// How long an answer may take before the next request is sent.
const PATIENCE: Duration = Duration::from_secs(10);

/// The number of newest frames that may still be asked for. Older ones that did not arrive are left out.
const MOST_BEHIND: u64 = 240;

/// The largest number of frames of the past in a request.
const PAST_AT_ONCE: u64 = 16;

/// The scopes that views ask for.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    timeline: Timeline,
    /// When a view last asked; `None` while nobody asks.
    asked: Option<Instant>,
    /// Whether a view asked since the last call of `pump`.
    is_new: bool,
    /// The frames that views want, in order and apart from each other.
    wanted: Vec<Range<u64>>,
    /// The first of the newest frames that did not arrive; `None` before the first request.
    next: Option<u64>,
    /// The request that is not answered yet, and when it was sent.
    on_the_way: Option<(Instant, Asked)>,
    /// Whether the last request was for the newest frames. The next one is then for frames of the past,
    /// even if the newest ones are due again.
    was_newest: bool,
    /// When the newest frames were last asked for.
    sent: Option<Instant>,
    /// The wanted frames of the past that were asked for.
    past: BTreeSet<u64>,
    /// Whether the last request for frames of the past took the last missing ones. The first and the last
    /// ones are asked for in turn.
    took_last: bool,
    /// The lanes of the game, by their numbers there.
    lanes: HashMap<u16, OwnLane>,
    next_lane: u64,
}

#[derive(Clone, Debug, PartialEq)]
enum Asked {
    Newest,
    Past(Range<u64>),
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
    pub(super) fn ask(&mut self, frames: &[Range<u64>]) -> &mut Timeline {
        (self.asked, self.is_new) = (Some(Instant::now()), true);
        // A reader that only keeps what arrives, such as a flight recorder, names no frames.
        if frames.iter().any(|range| !range.is_empty()) {
            self.wanted.clear();
            self.wanted.extend_from_slice(frames);
            join_ranges(&mut self.wanted);
        }
        &mut self.timeline
    }

    /// Forgets what was asked for on an earlier connection.
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
        let is_same = |own: &&mut OwnLane| {
            own.name == lane.name && discriminant(&own.kind) == discriminant(&lane.kind)
        };
        if let Some(own) = self.lanes.get_mut(&lane.number).filter(is_same) {
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

    /// Takes note that a request was answered. Of the frames that it asked for, those from `first` on were
    /// not sent.
    pub(super) fn answered(&mut self, first: u64) {
        match self.on_the_way.take() {
            Some((_, Asked::Newest)) => self.next = self.next.map(|next| next.max(first)),
            Some((_, Asked::Past(frames))) => self.ask_again(first..frames.end),
            None => {}
        }
    }

    /// Asks for these frames again, which were not sent.
    fn ask_again(&mut self, frames: Range<u64>) {
        self.past.retain(|frame| !frames.contains(frame));
    }

    /// Returns whether a frame may be one that was asked for. A game sends the newest frames again if they
    /// change, and may be ahead of the frames that are shown.
    fn is_asked_for(&self, frame: u64) -> bool {
        self.next.is_some_and(|next| {
            let newest = next.saturating_sub(LATE_FRAMES + 1)..next.saturating_add(MAX_FRAMES);
            newest.contains(&frame)
                || before(&self.wanted, next).any(|wanted| wanted.contains(&frame))
        })
    }

    /// Returns wanted frames before `end` that were not asked for: in one call the first of them, in the
    /// next call the last.
    fn missing(&mut self, end: u64) -> Option<Range<u64>> {
        let wanted = before(&self.wanted, end);
        let is_wanted = |frame: &u64| wanted.clone().any(|range| range.contains(frame));
        self.past.retain(is_wanted);
        let count = |range: Range<u64>| range.end - range.start;
        if self.past.len() as u64 >= wanted.clone().map(count).sum() {
            return None;
        }
        for frame in wanted.clone().flatten() {
            if self.timeline.frame(frame).is_some() {
                self.past.insert(frame);
            }
        }
        let is_new = |frame: &u64| !self.past.contains(frame);
        self.took_last = !self.took_last;
        let most = PAST_AT_ONCE as usize;
        let range = if self.took_last {
            let mut last = wanted.rev();
            let (of, last) = last.find_map(|of| Some((of.clone(), of.rev().find(is_new)?)))?;
            let others = (of.start..=last).rev().take(most).take_while(is_new);
            others.last()?..last + 1
        } else {
            let mut first = wanted;
            let (of, first) = first.find_map(|of| Some((of.clone(), of.clone().find(is_new)?)))?;
            let others = (first..of.end).take(most).take_while(is_new);
            first..others.last()? + 1
        };
        self.past.extend(range.clone());
        Some(range)
    }
}

/// Returns the frames of each range before `end`, up to those that a viewer keeps.
fn before(ranges: &[Range<u64>], end: u64) -> impl DoubleEndedIterator<Item = Range<u64>> + Clone {
    let ranges = ranges.iter().map(move |range| {
        let end = range.end.min(end);
        range.start.max(end.saturating_sub(MAX_FRAMES))..end
    });
    ranges.filter(|range| !range.is_empty())
}

impl RemoteSource {
    /// Asks for what views want.
    pub(super) fn sync_scopes(&mut self) {
        let (now, end) = (Instant::now(), self.shown_end());
        let scopes = &mut self.scopes;
        let since = |at: Instant| now.saturating_duration_since(at);
        let is_recent = |asked: Instant| since(asked) < STILL_FETCHED;
        if !std::mem::take(&mut scopes.is_new) && !scopes.asked.is_some_and(is_recent) {
            if scopes.asked.take().is_some() {
                scopes.timeline.clear();
                scopes.past.clear();
                (scopes.next, scopes.on_the_way) = (None, None);
                scopes.wanted.clear();
            }
            return;
        }
        let Some(session) = self
            .session
            .as_ref()
            .filter(|_| self.status.error.is_none())
        else {
            return;
        };
        match &scopes.on_the_way {
            Some((at, _)) if since(*at) < PATIENCE => return,
            Some((_, Asked::Past(frames))) => scopes.ask_again(frames.clone()),
            _ => {}
        }
        let next = *scopes.next.get_or_insert(end);
        let is_early = scopes.sent.is_some_and(|sent| since(sent) < EVERY);
        let past = (is_early || scopes.was_newest).then(|| scopes.missing(next));
        let (asked, frames) = if let Some(past) = past.flatten() {
            (Asked::Past(past.clone()), past)
        } else if !is_early {
            scopes.sent = Some(now);
            let next = next.max(end.saturating_sub(MOST_BEHIND));
            scopes.next = Some(next);
            (Asked::Newest, next..u64::MAX)
        } else {
            return;
        };
        scopes.was_newest = asked == Asked::Newest;
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

    /// Takes in the scopes of a frame that was asked for.
    pub(super) fn take_scopes(&mut self, frame: &FrameScopes) {
        let Some(session) = self
            .session
            .as_ref()
            .filter(|_| self.scopes.asked.is_some())
        else {
            return;
        };
        let index = session.first_frame + frame.index;
        if !self.scopes.is_asked_for(index) {
            return;
        }
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

#[cfg(all(test, feature = "enabled"))]
mod tests;
