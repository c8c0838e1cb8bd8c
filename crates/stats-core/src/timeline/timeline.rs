//! The scopes of the last frames, within a limit of bytes.

use std::collections::VecDeque;
use std::ops::Range;

use super::frame::FrameScopes;
use super::lanes::{LaneKind, Lanes};
use super::order::Sorter;
use super::ring::{ScopeRange, ScopeRing};
use super::scope::{IS_OPEN, IS_WAIT, Scope};
use crate::SeriesId;
use crate::limits::LATE_FRAMES;

/// The maximum number of ranges of frames that are kept for longer than the others.
const MAX_KEPT: usize = 32;

/// The maximum number of scopes that ended after the newest frame.
const MAX_EARLY: usize = 1 << 16;

const SCOPE_BYTES: usize = size_of::<Scope>();

/// The scopes of the last frames of a [`Source`](crate::Source), see the
/// [module](crate::timeline).
///
/// # For sources
///
/// A source appends each frame that has ended with [`push_frame`](Self::push_frame), adds scopes
/// with [`add`](Self::add) in any order, and calls [`settle`](Self::settle) before it lends the
/// timeline. Times are nanoseconds since any moment, the same for frames and scopes. A scope is
/// added to the frame in which it ended, and, as open, to the earlier ones that it crosses. It may
/// be added up to [`LATE_FRAMES`] frames late.
///
/// A source that has the frames of another timeline [puts](Self::put) them instead, each as a whole.
#[derive(Debug, Default)]
pub struct Timeline {
    lanes: Lanes,
    ring: ScopeRing,
    /// The number of scopes that the ring takes. It is allocated with the first frame.
    ring_scopes: usize,
    /// In the order of their indices. Those before `settled` are in the ring.
    frames: VecDeque<Frame>,
    settled: usize,
    /// The number of scopes in frames that are not settled.
    unsettled_scopes: usize,
    max_unsettled: usize,
    max_frames: usize,
    /// Scopes that ended after the newest frame, with the times of the source.
    early: Vec<Scope>,
    /// Memory of frames that were settled or dropped.
    spare: Vec<Vec<Scope>>,
    sorter: Sorter,
    /// The frames to keep when they leave the ring.
    keep: VecDeque<Range<u64>>,
    /// The frames that left the ring and are kept.
    kept: VecDeque<Frame>,
    /// Whether indices went back since the first of them, so that they are not in order.
    is_unordered: bool,
}

/// A scope that a source adds to a [`Timeline`].
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::exhaustive_structs,
    reason = "sources write all of its fields, and a new one would be an error in each"
)]
pub struct NewScope<'a> {
    /// Identifies the lane: different for two threads of the same name.
    pub lane: u64,
    /// The name of the lane.
    pub lane_name: &'a str,
    /// What runs in the lane.
    pub lane_kind: LaneKind,
    /// The timer.
    pub series: SeriesId,
    /// The number of scopes around it in the lane.
    pub depth: u32,
    /// When it began.
    pub begin_ns: i64,
    /// When it ended; `None` if it had not ended when the newest frame did.
    pub end_ns: Option<i64>,
    /// Whether the timer measures waiting.
    pub is_wait: bool,
}

#[derive(Debug, Default)]
struct Frame {
    index: u64,
    begin_ns: i64,
    end_ns: i64,
    lost: u64,
    revision: u32,
    /// The number of scopes that are in order. Those after them have the order in which they ended.
    sorted: usize,
    /// Whether it was put here although it is older than the ring, and no range says to keep it.
    is_put: bool,
    place: ScopeRange,
    /// The scopes, unless they are in the ring.
    own: Vec<Scope>,
}

impl Timeline {
    /// Returns a timeline without frames, which keeps at most `bytes` of scopes and at most
    /// `frames` frames. Three quarters are one ring, allocated with the first frame; the system
    /// provides its pages when they are first used. The rest is for frames whose scopes may still
    /// arrive.
    #[must_use]
    pub fn new(bytes: usize, frames: usize) -> Self {
        let mut timeline = Self::default();
        timeline.limit(bytes, frames);
        timeline
    }

    /// Changes the limits for the frames to come; see [`new`](Self::new).
    pub(crate) fn limit(&mut self, bytes: usize, frames: usize) {
        let scopes = bytes / SCOPE_BYTES;
        self.ring_scopes = scopes - scopes / 4;
        self.max_unsettled = scopes / 4;
        self.max_frames = frames;
    }

    /// Returns a frame; `None` if it is not kept.
    #[must_use]
    pub fn frame(&self, index: u64) -> Option<FrameScopes<'_>> {
        let in_ring = self.position(index).map(|at| &self.frames[at]);
        let frame = in_ring.or_else(|| self.kept_frame(index))?;
        Some(self.scopes_of(frame))
    }

    /// Iterates over the kept frames, oldest first. There may be gaps between them.
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = FrameScopes<'_>> {
        let frames = self.kept.iter().chain(&self.frames);
        frames.map(|frame| self.scopes_of(frame))
    }

    /// Keeps the scopes of these frames when others leave the timeline, for the newest 32 calls and
    /// up to a quarter of the memory. They may be frames that have not ended.
    pub fn keep(&mut self, frames: Range<u64>) {
        if frames.is_empty() || self.keep.contains(&frames) {
            return;
        }
        while self.keep.len() >= MAX_KEPT {
            self.keep.pop_front();
        }
        self.keep.push_back(frames);
        self.drop_unwanted();
    }

    /// Returns the bytes that the scopes take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let kept: usize = self.kept.iter().map(|frame| frame.own.capacity()).sum();
        let own = |frame: &Frame| frame.own.capacity();
        let unsettled: usize = self.frames.iter().skip(self.settled).map(own).sum();
        let spare: usize = self.spare.iter().map(Vec::capacity).sum();
        (self.ring.len() + kept + unsettled + spare + self.early.capacity()) * SCOPE_BYTES
            + (self.frames.capacity() + self.kept.capacity()) * size_of::<Frame>()
            + self.sorter.bytes()
    }

    /// Appends a frame that has ended. Its index must be greater than those of earlier frames;
    /// otherwise they are dropped first.
    pub fn push_frame(&mut self, index: u64, time_ns: Range<i64>) {
        if self.frames.back().is_some_and(|last| last.index >= index) {
            self.clear();
        }
        if self.ring.capacity() < self.ring_scopes {
            self.ring = ScopeRing::new(self.ring_scopes);
        }
        let own = self.spare.pop().unwrap_or_default();
        self.frames.push_back(Frame {
            index,
            begin_ns: time_ns.start,
            end_ns: time_ns.end.max(time_ns.start),
            own,
            ..Frame::default()
        });
        while self.frames.len() > self.max_frames.max(1) {
            self.drop_oldest();
        }
        let mut early = std::mem::take(&mut self.early);
        early.retain(|scope| {
            let is_early = scope.end_ns > time_ns.end;
            if is_early {
                self.cross(*scope, self.frames.len());
            } else {
                self.place(*scope);
            }
            is_early
        });
        self.early = early;
    }

    /// Adds a scope. If it ended after the newest frame, it waits for its frame.
    ///
    /// Where the clock has coarse steps, several scopes of a lane may begin at one moment. Of these, a
    /// scope belongs to the first scope around it that is added after it, as it ends after it.
    pub fn add(&mut self, new: NewScope<'_>) {
        let Some(newest) = self.frames.back() else {
            return;
        };
        let (index, end_ns) = (newest.index, newest.end_ns);
        let oldest = self.frames.front().map_or(index, |oldest| oldest.index);
        let lane = (new.lane, new.lane_name, new.lane_kind);
        let Some(lane) = self.lanes.number(lane, index + 1, oldest) else {
            self.lose(1);
            return;
        };
        let scope = Scope {
            flags: if new.is_wait { IS_WAIT } else { 0 },
            ..new.in_lane(lane, end_ns)
        };
        match new.end_ns {
            None => self.cross(scope, self.frames.len()),
            Some(end) if end <= end_ns => self.place(scope),
            Some(_) if self.early.len() < MAX_EARLY => {
                self.cross(scope, self.frames.len());
                self.early.push(scope);
            }
            Some(_) => self.lose(1),
        }
    }

    /// Puts a frame of another timeline, with all of its scopes in
    /// [their order](FrameScopes::scopes), and the number of those that it lost. Times are nanoseconds
    /// since the frame began, and a scope without an end is open. Call [`settle`](Self::settle)
    /// afterward.
    ///
    /// The frame replaces what is known of it, up to [`LATE_FRAMES`] frames later. Frames that are older
    /// than all of these are kept beside them, in up to a quarter of the memory: those nearest to the last
    /// older frame that was put. A frame that is missing between others is not taken.
    pub fn put<'a>(
        &mut self,
        (index, duration_ns, lost): (u64, i64, u64),
        scopes: impl IntoIterator<Item = NewScope<'a>>,
    ) {
        let (oldest, newest) = match (self.frames.front(), self.frames.back()) {
            (Some(oldest), Some(newest)) => (oldest.index, newest.index),
            _ => (index, index),
        };
        let (known, is_older) = (self.position(index), index < oldest);
        let has_it = match known {
            Some(at) => at < self.settled,
            None => self.kept_frame(index).is_some(),
        };
        if has_it || known.is_none() && !is_older && index < newest {
            return;
        }
        let mut frame = Frame {
            index,
            end_ns: duration_ns.max(0),
            is_put: is_older,
            own: self.spare.pop().unwrap_or_default(),
            revision: known.map_or(0, |at| self.frames[at].revision.wrapping_add(1)),
            ..Frame::default()
        };
        frame.lose(lost);
        for new in scopes {
            let lane = (new.lane, new.lane_name, new.lane_kind);
            let lane = self.lanes.number(lane, newest.max(index) + 1, oldest);
            let lane = lane.filter(|_| frame.own.len() < self.ring_scopes / 2);
            match lane {
                Some(lane) => frame.push(new.in_lane(lane, frame.end_ns)),
                None => frame.lose(1),
            }
        }
        // They were in order in the other timeline, whose lanes have other numbers.
        frame.sorted = frame.own.len();
        self.sorter.sort(&mut frame.own, frame.sorted);
        if is_older {
            self.put_older(frame);
            return;
        }
        if known.is_none() {
            self.push_frame(index, 0..frame.end_ns);
        }
        self.unsettled_scopes += frame.own.len();
        let at = self.position(index).unwrap_or_default();
        if let Some(place) = self.frames.get_mut(at) {
            let before = std::mem::replace(place, frame);
            self.unsettled_scopes -= before.own.len();
            self.give_back(before.own);
        }
    }

    /// Notes that the newest frame lost scopes.
    pub fn lose(&mut self, scopes: u64) {
        if scopes > 0
            && let Some(newest) = self.frames.back_mut()
        {
            newest.lose(scopes);
        }
    }

    /// Puts the scopes of each frame in order, and moves frames whose scopes have arrived into the
    /// ring. Allocates only while frames have more scopes than ever before.
    pub fn settle(&mut self) {
        for frame in self.frames.iter_mut().skip(self.settled) {
            frame.sort(&mut self.sorter);
        }
        while self.frames.len() - self.settled > LATE_FRAMES as usize
            || self.unsettled_scopes > self.max_unsettled && self.frames.len() > self.settled + 1
        {
            self.settle_oldest();
        }
    }

    /// Drops all frames except those that are [kept](Self::keep), and the memory of the others.
    pub fn clear(&mut self) {
        while !self.frames.is_empty() {
            self.drop_oldest();
        }
        self.early = Vec::new();
        self.spare = Vec::new();
        self.sorter = Sorter::default();
        self.ring = ScopeRing::default();
    }

    fn scopes_of<'a>(&'a self, frame: &'a Frame) -> FrameScopes<'a> {
        FrameScopes {
            lanes: &self.lanes,
            index: frame.index,
            duration_ns: frame.end_ns.saturating_sub(frame.begin_ns),
            lost: frame.lost,
            revision: frame.revision,
            scopes: if frame.place == ScopeRange::default() {
                &frame.own
            } else {
                self.ring.get(frame.place)
            },
        }
    }

    fn kept_frame(&self, index: u64) -> Option<&Frame> {
        match self.kept.binary_search_by_key(&index, |frame| frame.index) {
            Ok(at) => self.kept.get(at),
            Err(_) if self.is_unordered => self.kept.iter().find(|frame| frame.index == index),
            Err(_) => None,
        }
    }

    fn position(&self, index: u64) -> Option<usize> {
        let at = self.frames.partition_point(|frame| frame.index < index);
        self.frames
            .get(at)
            .is_some_and(|frame| frame.index == index)
            .then_some(at)
    }

    /// Adds a scope, which ended no later than the newest frame, to the frame in which it ended, and
    /// to those that it crosses.
    fn place(&mut self, scope: Scope) {
        let at = self
            .frames
            .partition_point(|frame| frame.end_ns < scope.end_ns);
        let Some(frame) = self.frames.get_mut(at) else {
            return;
        };
        if at == 0 && scope.end_ns < frame.begin_ns {
            // It ended before the frames that are kept.
            return;
        }
        if at < self.settled || frame.own.len() >= self.ring_scopes / 2 {
            frame.lose(1);
            return;
        }
        frame.push(scope);
        self.unsettled_scopes += 1;
        self.cross(scope, at);
    }

    /// Adds a scope as open to the frames before `end` that it crosses, unless it is there already.
    fn cross(&mut self, scope: Scope, end: usize) {
        for at in (self.settled..end).rev() {
            let frame = &mut self.frames[at];
            if scope.begin_ns >= frame.end_ns {
                break;
            }
            let open = Scope {
                end_ns: frame.end_ns,
                flags: scope.flags | IS_OPEN,
                ..scope
            };
            if frame.has(open) {
                // The frames before got it at the same time.
                break;
            }
            if frame.own.len() >= self.ring_scopes / 2 {
                continue;
            }
            frame.push(open);
            self.unsettled_scopes += 1;
        }
    }

    fn settle_oldest(&mut self) {
        let own = std::mem::take(&mut self.frames[self.settled].own);
        let mut evicted = 0;
        let frames = &self.frames;
        let (mut keep, lanes) = (Vec::new(), &mut self.lanes);
        let wanted = &self.keep;
        let settled = self.settled;
        let place = self.ring.put(&own, |ring, is_in_the_way| {
            let Some(oldest) = frames.get(evicted) else {
                return false;
            };
            if evicted >= settled || !is_in_the_way(oldest.place) {
                return false;
            }
            if wanted.iter().any(|range| range.contains(&oldest.index)) {
                keep.push(oldest.copy(ring, lanes));
            }
            evicted += 1;
            true
        });
        self.frames[self.settled].place = place;
        self.unsettled_scopes -= own.len();
        self.give_back(own);
        self.settled = self.settled + 1 - evicted;
        self.frames.drain(..evicted);
        keep.into_iter().for_each(|frame| self.keep_newest(frame));
        self.drop_unwanted();
    }

    fn drop_oldest(&mut self) {
        if let Some(oldest) = self.frames.pop_front() {
            if self.settled == 0 {
                self.unsettled_scopes -= oldest.own.len();
            }
            self.settled = self.settled.saturating_sub(1);
            if self.keep.iter().any(|range| range.contains(&oldest.index)) {
                let copy = oldest.copy(&self.ring, &mut self.lanes);
                self.keep_newest(copy);
                self.drop_unwanted();
            }
            self.give_back(oldest.own);
        }
    }

    /// Keeps a frame that left the ring after all others.
    fn keep_newest(&mut self, frame: Frame) {
        let last = self.kept.back();
        self.is_unordered |= last.is_some_and(|last| last.index >= frame.index);
        self.kept.push_back(frame);
    }

    /// Drops kept frames that are no longer wanted, and the oldest beyond the memory.
    fn drop_unwanted(&mut self) {
        let (keep, lanes) = (&self.keep, &mut self.lanes);
        let mut room = self.max_unsettled;
        let mut is_wanted = |frame: &Frame| {
            let is_wanted = frame.is_put || keep.iter().any(|range| range.contains(&frame.index));
            let fits = frame.room() <= room;
            room = if fits { room - frame.room() } else { 0 };
            let is_kept = is_wanted && fits;
            if !is_kept {
                frame.pin(lanes, false);
            }
            is_kept
        };
        // From the newest.
        self.kept.make_contiguous().reverse();
        self.kept.retain(&mut is_wanted);
        self.kept.make_contiguous().reverse();
        self.is_unordered &= !self.kept.is_empty();
    }

    /// Keeps a frame that is older than the ring, instead of those farthest from it. One that does not fit
    /// beside the frames that a range says to keep replaces none.
    fn put_older(&mut self, frame: Frame) {
        let (mut all, mut wanted) = (0, 0);
        for kept in &self.kept {
            all += kept.room();
            wanted += if kept.is_put { 0 } else { kept.room() };
        }
        if wanted + frame.room() > self.max_unsettled {
            return;
        }
        while all + frame.room() > self.max_unsettled {
            let put = self.kept.iter().enumerate().filter(|(_, kept)| kept.is_put);
            let farthest = put.max_by_key(|(_, kept)| kept.index.abs_diff(frame.index));
            let Some(gone) = farthest
                .map(|(at, _)| at)
                .and_then(|at| self.kept.remove(at))
            else {
                return;
            };
            all -= gone.room();
            gone.pin(&mut self.lanes, false);
        }
        frame.pin(&mut self.lanes, true);
        let at = self.kept.partition_point(|kept| kept.index < frame.index);
        self.kept.insert(at, frame);
    }

    /// Keeps the memory of a frame for another one.
    fn give_back(&mut self, mut own: Vec<Scope>) {
        let is_useful = own.capacity() > 0 && own.capacity() <= 4 * own.len().max(64);
        if is_useful && self.spare.len() < 2 {
            own.clear();
            self.spare.push(own);
        }
    }
}

impl NewScope<'_> {
    /// Returns the scope in a frame that ends at `end_ns`.
    fn in_lane(&self, lane: u16, end_ns: i64) -> Scope {
        let is_open = self.end_ns.is_none();
        Scope {
            begin_ns: self.begin_ns,
            end_ns: self.end_ns.unwrap_or(end_ns).max(self.begin_ns),
            series: self.series.number(),
            lane,
            depth: self.depth.min(u8::MAX.into()) as u8,
            flags: (u8::from(self.is_wait) * IS_WAIT) | (u8::from(is_open) * IS_OPEN),
        }
    }
}

impl Frame {
    /// Adds a scope with the times of the source.
    fn push(&mut self, scope: Scope) {
        self.own.push(self.relative(scope));
        self.revision = self.revision.wrapping_add(1);
    }

    /// Puts the scopes in order.
    fn sort(&mut self, sorter: &mut Sorter) {
        if self.sorted < self.own.len() {
            sorter.sort(&mut self.own, self.sorted);
            self.sorted = self.own.len();
        }
    }

    /// Returns the number of scopes that it counts as among those that are kept. A frame without scopes
    /// takes memory, too.
    fn room(&self) -> usize {
        self.own.len().max(1)
    }

    fn has(&self, scope: Scope) -> bool {
        let scope = self.relative(scope);
        self.own.iter().any(|other| {
            other.key() == scope.key() && other.series == scope.series && other.is_open()
        })
    }

    /// Returns a scope with times since the frame began. Times after the end of the frame become its end.
    fn relative(&self, scope: Scope) -> Scope {
        let duration_ns = self.end_ns.saturating_sub(self.begin_ns);
        let within = |ns: i64| ns.saturating_sub(self.begin_ns).min(duration_ns);
        Scope {
            begin_ns: within(scope.begin_ns),
            end_ns: within(scope.end_ns),
            ..scope
        }
    }

    fn lose(&mut self, scopes: u64) {
        self.lost += scopes;
        self.revision = self.revision.wrapping_add(1);
    }

    /// Returns a copy outside the ring, whose lanes are not reused.
    fn copy(&self, ring: &ScopeRing, lanes: &mut Lanes) -> Self {
        let scopes = if self.place == ScopeRange::default() {
            &self.own
        } else {
            ring.get(self.place)
        };
        let copy = Self {
            own: scopes.to_vec(),
            place: ScopeRange::default(),
            ..*self
        };
        copy.pin(lanes, true);
        copy
    }

    /// Pins each lane of the frame, or no longer.
    fn pin(&self, lanes: &mut Lanes, is_pinned: bool) {
        for scopes in self.own.chunk_by(|one, other| one.lane == other.lane) {
            lanes.pin(scopes[0].lane, is_pinned);
        }
    }
}
