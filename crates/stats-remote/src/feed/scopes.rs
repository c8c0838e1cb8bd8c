//! Copies the scopes of the frames that viewers ask for.
//!
//! The recorder collects scopes for a while after each request, as for any reader of its timeline, and
//! keeps them in its own memory. What is copied is what a request names: no frame waits here.

use std::collections::VecDeque;

use stats_core::limits::LATE_FRAMES;
use stats_core::timeline::{FrameScopes, Lane, LaneKind, Timeline};
use stats_core::{Recorder, Source, own_memory};

use super::record::{LANE, PAST, SCOPES, head};
use crate::wire::scopes::{MAX_LANE_NAME, MAX_LANES, MAX_SCOPES};
use crate::wire::to_game::{self, Want};
use crate::words::WordWriter;

/// How long scopes are collected after a request.
const LASTS_NS: u64 = 2_000_000_000;

/// The scopes after which no further frame is copied in a call, and after which a request ends. The last
/// frame is copied as a whole.
const SCOPES_OF_A_CALL: usize = 1 << 13;
const SCOPES_OF_A_WANT: usize = 1 << 16;

/// The number of scopes that an answer counts for beside its own, because finding the frames takes time,
/// too. So requests without an answer also end a call.
const SCOPES_OF_AN_ANSWER: usize = 1 << 8;

/// The room that is left for values.
pub(super) const RESERVE: usize = 1 << 14;

/// The frames that must have ended after one before a viewer that follows the newest gets it: times of a
/// GPU are mostly known by then. What is known later is sent again.
const SETTLES: u64 = 4;

/// The most requests that wait: 64 of each of eight viewers, as many as the hub has on the way.
const MAX_WANTS: usize = 512;

/// What viewers ask for.
#[derive(Debug, Default)]
pub(super) struct ScopeFeed {
    wants: VecDeque<Wanted>,
    /// Whether somebody asked since the last call.
    is_asked: bool,
    /// When collecting ends, in nanoseconds since the epoch of the feed; `None` while nobody asks.
    until_ns: Option<u64>,
    /// What the hub knows of each lane, by its number.
    lanes: Vec<Option<(String, LaneKind)>>,
    /// The newest frames that each viewer was sent.
    sent: Vec<Sent>,
}

#[derive(Debug)]
struct Wanted {
    viewer: u32,
    want: Want,
    /// The scopes that were copied for it.
    copied: usize,
    /// The first of the frames sent before that was not checked for changes. Each is checked once for a
    /// request: if every frame changes late, the new ones have their turn all the same.
    unlooked: u64,
}

#[derive(Debug)]
struct Sent {
    viewer: u32,
    /// The indices of frames, and their revisions.
    frames: VecDeque<(u64, u32)>,
}

impl ScopeFeed {
    pub(super) fn want(&mut self, viewer: u32, want: Want) {
        self.is_asked = true;
        if self.wants.len() >= MAX_WANTS {
            return;
        }
        if !self.sent.iter().any(|sent| sent.viewer == viewer) {
            let frames = VecDeque::with_capacity(LATE_FRAMES as usize + 1);
            self.sent.push(Sent { viewer, frames });
        }
        self.wants.push_back(Wanted {
            viewer,
            want,
            copied: 0,
            unlooked: 0,
        });
    }

    pub(super) fn forget(&mut self, viewer: u32) {
        self.wants.retain(|wanted| wanted.viewer != viewer);
        self.sent.retain(|sent| sent.viewer != viewer);
    }

    /// Returns whether there is anything to do.
    pub(super) fn is_active(&self) -> bool {
        self.is_asked || self.until_ns.is_some()
    }

    /// Keeps scopes collected while viewers ask, and answers what they asked for, as far as there is room.
    #[inline(never)]
    pub(super) fn publish(&mut self, out: &mut WordWriter, recorder: &mut Recorder, now_ns: u64) {
        if std::mem::take(&mut self.is_asked) {
            self.until_ns = Some(now_ns + LASTS_NS);
        }
        if self.until_ns.is_none_or(|until| until <= now_ns) {
            // The recorder stops by itself.
            self.until_ns = None;
            return;
        }
        let end = recorder.frames().end;
        let Some(timeline) = Source::timeline(recorder, &[]) else {
            return;
        };
        let mut left = SCOPES_OF_A_CALL;
        while left > 0 && self.answer(out, timeline, end, &mut left) {
            left = left.saturating_sub(SCOPES_OF_AN_ANSWER);
        }
    }

    /// Answers the first request. Returns whether there was one and it is done.
    fn answer(
        &mut self,
        out: &mut WordWriter,
        timeline: &Timeline,
        end: u64,
        left: &mut usize,
    ) -> bool {
        let Some(mut wanted) = self.wants.pop_front() else {
            return false;
        };
        let is_newest = wanted.want.to == u64::MAX;
        let settled = if is_newest {
            end.saturating_sub(SETTLES)
        } else {
            end
        };
        let is_done = (!is_newest || self.send_changed(out, timeline, &mut wanted, left))
            && self.send_wanted(out, timeline, &mut wanted, (settled, end), left);
        if !is_done || !out.has_room(4) {
            self.wants.push_front(wanted);
            return false;
        }
        let Wanted { viewer, want, .. } = wanted;
        out.put(head(PAST, 0));
        out.put(u64::from(viewer) << 32 | u64::from(to_game::SCOPES));
        out.put(want.from);
        out.put(1);
        out.end_record();
        true
    }

    /// Sends the frames of a request that ended before `settled`, up to its limit; false if there is no room.
    fn send_wanted(
        &mut self,
        out: &mut WordWriter,
        timeline: &Timeline,
        wanted: &mut Wanted,
        (settled, end): (u64, u64),
        left: &mut usize,
    ) -> bool {
        let Wanted { want, copied, .. } = wanted;
        let to = want.to.min(settled);
        while want.from < to && *copied < SCOPES_OF_A_WANT {
            let Some(frame) = timeline.frame(want.from) else {
                let mut kept = timeline.frames().map(|frame| frame.index());
                let next = kept.find(|index| *index > want.from);
                want.from = next.unwrap_or(to).min(to);
                continue;
            };
            if !self.send(out, wanted.viewer, &frame, left) {
                return false;
            }
            *copied += frame.scopes().len();
            self.note(wanted.viewer, &frame, end);
            want.from += 1;
        }
        true
    }

    /// Sends the frames again that have changed since; false if there is no room.
    fn send_changed(
        &mut self,
        out: &mut WordWriter,
        timeline: &Timeline,
        wanted: &mut Wanted,
        left: &mut usize,
    ) -> bool {
        let viewer = wanted.viewer;
        let Some(of_viewer) = self.sent.iter().position(|sent| sent.viewer == viewer) else {
            return true;
        };
        for at in 0..self.sent[of_viewer].frames.len() {
            let (index, revision) = self.sent[of_viewer].frames[at];
            if index < wanted.unlooked {
                continue;
            }
            if let Some(frame) = timeline.frame(index)
                && frame.revision() != revision
            {
                if !self.send(out, viewer, &frame, left) {
                    return false;
                }
                self.sent[of_viewer].frames[at].1 = frame.revision();
            }
            wanted.unlooked = index + 1;
        }
        true
    }

    /// Remembers the revision of a frame that may still change.
    fn note(&mut self, viewer: u32, frame: &FrameScopes<'_>, end: u64) {
        let Some(sent) = self.sent.iter_mut().find(|sent| sent.viewer == viewer) else {
            return;
        };
        let oldest = end.saturating_sub(LATE_FRAMES + 1);
        let is_old = |(index, _): &(u64, u32)| *index < oldest;
        while sent.frames.front().is_some_and(is_old) {
            sent.frames.pop_front();
        }
        let is_newest = sent.frames.back().is_none_or(|last| last.0 < frame.index());
        if frame.index() >= oldest && is_newest && sent.frames.len() <= LATE_FRAMES as usize {
            sent.frames.push_back((frame.index(), frame.revision()));
        }
    }

    /// Copies a frame, after the lanes that the hub does not know; false if there is no room.
    fn send(
        &mut self,
        out: &mut WordWriter,
        viewer: u32,
        frame: &FrameScopes<'_>,
        left: &mut usize,
    ) -> bool {
        let count = frame.scopes().len().min(MAX_SCOPES);
        if *left == 0 || !out.has_room(5 + 3 * count + RESERVE) {
            return false;
        }
        for (lane, _) in frame.lanes() {
            if !self.send_lane(out, &lane) {
                return false;
            }
        }
        if !out.has_room(5 + 3 * count) {
            return false;
        }
        *left = left.saturating_sub(count.max(16));
        let lost = frame.lost() + (frame.scopes().len() - count) as u64;
        out.put(head(SCOPES, count));
        out.put(viewer.into());
        out.put(frame.index());
        out.put(frame.duration_ns() as u64);
        out.put(lost);
        let scopes = frame
            .lanes()
            .flat_map(|(lane, scopes)| scopes.iter().map(move |scope| (lane.number, scope)));
        for (lane, scope) in scopes.take(count) {
            out.put(scope.begin_ns() as u64);
            out.put(scope.end_ns() as u64);
            let flags = u64::from(scope.is_wait()) | u64::from(scope.is_open()) << 1;
            out.put(
                u64::from(scope.series().number())
                    | u64::from(lane) << 32
                    | u64::from(scope.depth()) << 48
                    | flags << 56,
            );
        }
        out.end_record();
        true
    }

    /// Tells the hub of a lane that it does not know as it is; false if there is no room.
    fn send_lane(&mut self, out: &mut WordWriter, lane: &Lane<'_>) -> bool {
        let number = usize::from(lane.number);
        let name = &lane.name[..lane.name.floor_char_boundary(MAX_LANE_NAME)];
        let known = self.lanes.get(number).and_then(Option::as_ref);
        let is_it = |(of, kind): &(String, LaneKind)| of == name && is_near(*kind, lane.kind);
        if known.is_some_and(is_it) {
            return true;
        }
        if number >= MAX_LANES || !out.has_room(4 + name.len().div_ceil(8)) {
            return false;
        }
        let _memory = own_memory("stats-remote");
        if self.lanes.len() <= number {
            self.lanes.resize(number + 1, None);
        }
        let (known, kind) = self.lanes[number].get_or_insert((String::new(), lane.kind));
        name.clone_into(known);
        *kind = lane.kind;
        let (kind, off_by_ns) = match lane.kind {
            LaneKind::OtherProfiler => (1, 0),
            LaneKind::Gpu { off_by_ns: None } => (2, 0),
            LaneKind::Gpu {
                off_by_ns: Some(ns),
            } => (3, ns),
            _ => (0, 0),
        };
        out.put(head(LANE, name.len()));
        out.put(u64::from(lane.number));
        out.put(kind);
        out.put(off_by_ns);
        out.put_text(name);
        out.end_record();
        true
    }
}

/// Returns whether a lane need not be sent again. The error of a GPU's clock changes in each frame, and is
/// an estimate: a tenth of it is not worth a message.
fn is_near(known: LaneKind, now: LaneKind) -> bool {
    let gpu = |kind| match kind {
        LaneKind::Gpu { off_by_ns } => off_by_ns,
        _ => None,
    };
    match (gpu(known), gpu(now)) {
        (Some(known), Some(now)) => known.abs_diff(now) <= known / 10,
        _ => known == now,
    }
}
