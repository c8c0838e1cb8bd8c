//! The scopes of the frames that timelines and costs show.
//!
//! A source lends its scopes for the time of one call. Views draw while they read the source, so the
//! reading step copies the scopes of the frames that a view wants, each frame once, and again when
//! late scopes arrive. A copy lasts while a view wants its frame, even if the source drops the frame.

use std::cmp::Reverse;
use std::ops::{Range, RangeInclusive};

use stats_analysis::format::whole_text;
use stats_core::timeline::{FrameScopes, LaneKind, Scope, join_ranges};
use stats_core::{SeriesId, Source};

use crate::data::recent::Recent;
use crate::data::scope_series::{ScopeSeries, ShownSeries};
use crate::data::shown_lanes::{ShownLane, ShownLanes};
use crate::data::shown_times::{ThreadLane, ThreadTimes, TimesReader};
use crate::data::wanted_frames::{MAX_LATE, Ranked, WantedFrames, rank};

/// The maximum number of scopes that are copied: 6 MiB. The least wanted frames are then not copied, and
/// no frame that has more of them.
const MAX_SCOPES: usize = 1 << 18;

/// Lanes that are no longer used are looked for once in this many changes of the copies.
const LANES_EVERY: u64 = 32;

/// The copies of frames, and the names of their lanes and series.
#[derive(Debug, Default)]
pub(crate) struct ShownScopes {
    /// In the order of their indices.
    frames: Vec<FrameCopy>,
    /// Copies that are no longer wanted, to reuse their memory.
    spare: Vec<FrameCopy>,
    lanes: ShownLanes,
    series: ScopeSeries,
    /// The name of the thread that ends the frames.
    frame_thread: Option<String>,
    /// How often it changed.
    thread_changes: u64,
    times: TimesReader,
    can_tell: bool,
    revision: u64,
    /// The wanted frames, to reuse the memory.
    ranked: Vec<Ranked>,
    /// Likewise, as ranges with frames between them that nobody wants.
    ranges: Vec<Range<u64>>,
    /// The wanted frames whose scopes have no room, in the order of their indices.
    left_out: Vec<LeftOut>,
}

/// A frame that is not copied, because its scopes have no room.
#[derive(Debug)]
pub(crate) struct LeftOut {
    pub(crate) index: u64,
    pub(crate) scopes: usize,
    /// What to do about it; empty if the scopes would have room without the scopes of other frames.
    text: String,
}

/// A frame with its scopes.
#[derive(Debug, Default)]
pub(crate) struct FrameCopy {
    pub(crate) index: u64,
    pub(crate) duration_ns: i64,
    /// The number of missing scopes.
    pub(crate) lost: u64,
    revision: u32,
    /// For each lane, the range of its scopes in `scopes`, where they are in the order in which they began.
    runs: Vec<Run>,
    scopes: Vec<Scope>,
    /// The place of the series of each scope; see [`ShownScopes::series_at`].
    series: Vec<u32>,
    /// Where the time of the threads of lanes went, if it is known.
    times: Vec<(usize, ThreadTimes)>,
    /// The revision of the reader that read the times; 0 if they were not read.
    times_revision: u32,
}

/// The scopes of a lane in a frame.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) lane: usize,
    /// How far the place of a pass may be off differs from frame to frame.
    pub(crate) kind: LaneKind,
    /// The least and the greatest depth of a scope. The least is not 0 if the scopes around all others
    /// began before scopes were collected.
    pub(crate) depths: RangeInclusive<u8>,
    /// The time in any scope within the frame.
    pub(crate) busy_ns: i64,
    scopes: Range<usize>,
}

impl FrameCopy {
    /// Returns the lanes that have scopes, with their scopes.
    pub(crate) fn lanes(&self) -> impl Iterator<Item = (usize, &[Scope])> {
        let runs = self.runs.iter();
        runs.map(move |run| (run.lane, &self.scopes[run.scopes.clone()]))
    }

    pub(crate) fn scopes_of(&self, lane: usize) -> &[Scope] {
        self.run(lane)
            .map_or(&[], |run| &self.scopes[run.scopes.clone()])
    }

    /// Returns the places of the series of the scopes in a lane; see [`ShownScopes::series_at`].
    pub(crate) fn series_of(&self, lane: usize) -> &[u32] {
        self.run(lane)
            .map_or(&[], |run| &self.series[run.scopes.clone()])
    }

    /// Returns the lanes that have scopes.
    pub(crate) fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Returns where the time of a lane's thread went; `None` if it is not known.
    pub(crate) fn times_of(&self, lane: usize) -> Option<ThreadTimes> {
        let mut times = self.times.iter();
        times.find(|of| of.0 == lane).map(|of| of.1)
    }

    /// Returns the number of lanes of which it is known where the time went.
    pub(crate) fn known_times(&self) -> usize {
        self.times.len()
    }

    /// Returns a number that changes with the scopes of this frame.
    pub(crate) fn revision(&self) -> u32 {
        self.revision
    }

    /// Returns a lane; `None` if it has no scopes.
    pub(crate) fn run(&self, lane: usize) -> Option<&Run> {
        self.runs.iter().find(|run| run.lane == lane)
    }

    /// Returns the number of scopes.
    pub(crate) fn len(&self) -> usize {
        self.scopes.len()
    }
}

impl ShownScopes {
    /// Returns whether the source has scopes of single frames.
    pub(crate) fn can_tell(&self) -> bool {
        self.can_tell
    }

    /// Returns why there is nothing to show of frames that have no copies. `is_newest` says whether
    /// they are the newest ones.
    pub(crate) fn why_nothing(&self, frames: Range<u64>, is_newest: bool) -> &str {
        // The view that follows the newest frame waits for one close before it.
        let first = frames.start.saturating_sub(MAX_LATE);
        let is_of = |of: &&LeftOut| {
            let is_waited_for = is_newest && !of.text.is_empty() && of.index >= first;
            frames.contains(&of.index) || is_waited_for
        };
        let left_out = self.left_out.iter().filter(is_of);
        if !self.can_tell {
            "This source has no single calls of timers. A capture has them if it was recorded with \
             its scopes."
        } else if let Some(of) = left_out.max_by_key(|of| (!of.text.is_empty(), of.index)) {
            match of.text.as_str() {
                "" => "The calls of this time have no room beside those that other views show.",
                text => text,
            }
        } else if is_newest {
            "Calls are collected from now on, while a view shows them."
        } else {
            "No calls are kept of this time: they were not collected then, or it is too long ago."
        }
    }

    /// Returns the wanted frames of a range that are not copied, because their scopes have no room.
    pub(crate) fn left_out(&self, frames: &Range<u64>) -> impl Iterator<Item = &LeftOut> {
        let left_out = self.left_out.iter();
        left_out.filter(|of| frames.contains(&of.index))
    }

    /// Returns a number that changes with the copies, with the names of their series, and with the
    /// frames that are left out.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns the copies, oldest first.
    pub(crate) fn frames(&self) -> &[FrameCopy] {
        &self.frames
    }

    pub(crate) fn frame(&self, index: u64) -> Option<&FrameCopy> {
        let at = self
            .frames
            .binary_search_by_key(&index, |frame| frame.index);
        at.ok().map(|at| &self.frames[at])
    }

    /// Returns a lane that a frame has, or had a while ago; `None` if it is forgotten.
    pub(crate) fn lane(&self, lane: usize) -> Option<&ShownLane> {
        self.lanes.get(lane)
    }

    /// Returns the series of a scope; `None` if the source does not list it.
    pub(crate) fn series(&self, id: SeriesId) -> Option<&ShownSeries> {
        self.series.get(id)
    }

    /// Returns the series at a place, as [`series`](Self::series) does.
    pub(crate) fn series_at(&self, place: u32) -> Option<&ShownSeries> {
        self.series.at(place)
    }

    pub(crate) fn series_places(&self) -> usize {
        self.series.len()
    }

    /// Returns a number that changes when series are named that were on screen without a name.
    pub(crate) fn late_names(&self) -> u64 {
        self.series.late()
    }

    /// Returns whether the scopes of a lane ran on the thread that ends the frames.
    pub(crate) fn is_frame_thread(&self, lane: usize) -> bool {
        self.lane(lane).is_some_and(|lane| {
            lane.kind == LaneKind::Thread && Some(&lane.name) == self.frame_thread.as_ref()
        })
    }

    /// Copies the frames that a view wants, and forgets all others. If no view wants any, frees its
    /// memory and does not ask the source.
    /// The source keeps the scopes of the frames in `kept` for longer than others.
    pub(crate) fn read(
        &mut self,
        source: &mut dyn Source,
        wanted: &[WantedFrames],
        kept: Option<Range<u64>>,
    ) {
        let all = wanted.iter().map(|of_view| of_view.all.clone());
        self.ranges.clear();
        self.ranges.extend(all);
        join_ranges(&mut self.ranges);
        if self.ranges.is_empty() {
            self.forget();
            return;
        }
        let is_wanted = |index: u64| wanted.iter().any(|of_view| of_view.all.contains(&index));
        let before = self.frames.len();
        let spare = self.frames.extract_if(.., |frame| !is_wanted(frame.index));
        self.spare.extend(spare);
        let mut has_changed = self.frames.len() != before;
        self.can_tell = false;
        self.left_out.retain(|of| is_wanted(of.index));
        if let Some(timeline) = source.timeline(&self.ranges) {
            self.can_tell = true;
            if let Some(kept) = kept {
                timeline.keep(kept);
            }
            let mut room = MAX_SCOPES;
            rank(wanted, &mut self.ranked);
            for &(_, Reverse(index)) in &self.ranked {
                let at = self
                    .frames
                    .binary_search_by_key(&index, |frame| frame.index);
                let copied = at.ok().map(|at| &self.frames[at]);
                // A copy lasts if the source drops its frame.
                let is_new = |frame: &FrameScopes<'_>| {
                    copied.is_none_or(|copy| copy.revision != frame.revision())
                };
                let new = timeline.frame(index).filter(is_new);
                let len = match (&new, copied) {
                    (Some(frame), _) => frame.scopes().len(),
                    (None, Some(copy)) => copy.len(),
                    (None, None) => continue,
                };
                if len > room {
                    has_changed |= leave_out(&mut self.left_out, index, len);
                    if let Ok(at) = at {
                        self.spare.push(self.frames.remove(at));
                        has_changed = true;
                    }
                    continue;
                }
                room -= len;
                let Some(frame) = new else { continue };
                if let Ok(at) = place_of(&self.left_out, index) {
                    self.left_out.remove(at);
                }
                let mut copy = match at {
                    Ok(at) => self.frames.remove(at),
                    Err(_) => self.spare.pop().unwrap_or_default(),
                };
                copy.fill(&frame, &mut self.lanes, &mut self.series);
                self.frames.insert(at.unwrap_or_else(|at| at), copy);
                has_changed = true;
            }
        }
        self.spare.truncate(self.frames.len() + 1);
        has_changed |= self.series.name(source);
        if has_changed || self.revision == 0 {
            self.revision += 1;
            self.name_thread(source);
            if self.revision.is_multiple_of(LANES_EVERY)
                && let (Some(first), Some(last)) = (self.frames.first(), self.frames.last())
            {
                let used = self.frames.iter().flat_map(FrameCopy::lanes);
                let copied = first.index..=last.index;
                self.lanes
                    .forget_unused(&copied, used.map(|(lane, _)| lane));
            }
        }
    }

    /// Reads where the time of the threads went in the copied frames that were not yet read.
    /// `recent` has the values of the frames before the first call.
    pub(crate) fn read_times(&mut self, source: &mut dyn Source, recent: &Recent) {
        if self.frames.is_empty() {
            return;
        }
        let threads = (self.lanes.iter())
            .filter(|(_, lane)| lane.kind == LaneKind::Thread)
            .map(|(id, lane)| ThreadLane {
                id,
                name: &lane.name,
                is_frame_thread: Some(&lane.name) == self.frame_thread.as_ref(),
            });
        // Both only grow.
        let revision = self.lanes.revision() + self.thread_changes;
        self.times.watch(source, recent, revision, threads);
        let now = self.times.revision();
        let mut has_changed = false;
        for frame in &mut self.frames {
            if std::mem::replace(&mut frame.times_revision, now) == now {
                continue;
            }
            for run in &frame.runs {
                if !frame.times.iter().any(|of| of.0 == run.lane)
                    && let Some(times) = self.times.read(source, run.lane, frame.index)
                {
                    frame.times.push((run.lane, times));
                    has_changed = true;
                }
            }
        }
        self.revision += u64::from(has_changed);
    }

    /// Forgets everything about one source.
    pub(crate) fn forget(&mut self) {
        if self.revision > 0 && !(self.frames.is_empty() && self.lanes.len() == 0) {
            *self = Self {
                revision: self.revision + 1,
                ..Self::default()
            };
        }
    }

    /// Looks up the thread of the frames.
    fn name_thread(&mut self, source: &dyn Source) {
        let thread = source.frame_thread();
        if thread != self.frame_thread.as_deref() {
            self.frame_thread = thread.map(str::to_owned);
            self.thread_changes += 1;
        }
    }
}

impl FrameCopy {
    fn fill(&mut self, frame: &FrameScopes<'_>, lanes: &mut ShownLanes, series: &mut ScopeSeries) {
        if self.index != frame.index() {
            self.times.clear();
        }
        self.times_revision = 0;
        self.index = frame.index();
        self.duration_ns = frame.duration_ns();
        self.lost = frame.lost();
        self.revision = frame.revision();
        self.runs.clear();
        self.scopes.clear();
        self.series.clear();
        for (lane, scopes) in frame.lanes() {
            let start = self.scopes.len();
            self.scopes.extend_from_slice(scopes);
            self.series
                .extend(scopes.iter().map(|scope| series.place(scope)));
            let depths = || scopes.iter().map(Scope::depth);
            self.runs.push(Run {
                lane: lanes.id(&lane, self.index),
                kind: lane.kind,
                depths: depths().min().unwrap_or(0)..=depths().max().unwrap_or(0),
                busy_ns: busy_ns(scopes),
                scopes: start..self.scopes.len(),
            });
        }
    }
}

/// Returns the part of a scope within its frame, in nanoseconds since the frame began.
pub(crate) fn within_frame(scope: &Scope) -> Range<i64> {
    scope.begin_ns().max(0)..scope.end_ns().max(0)
}

/// Returns the time of a lane within the frame that is in any scope, in nanoseconds. `of_lane` has the
/// order of [`FrameCopy::scopes_of`].
fn busy_ns(of_lane: &[Scope]) -> i64 {
    let (mut busy, mut until) = (0, 0);
    for part in of_lane.iter().map(within_frame) {
        busy += (part.end - part.start.max(until)).max(0);
        until = part.end.max(until);
    }
    busy
}

/// Returns the time of each scope of a lane within the frame, outside the scopes inside it, in
/// nanoseconds. `of_lane` has the order of [`FrameCopy::scopes_of`].
pub(crate) fn self_times(of_lane: &[Scope]) -> Vec<i64> {
    let mut times = Vec::with_capacity(of_lane.len());
    let mut around: Vec<usize> = Vec::new();
    for (at, scope) in of_lane.iter().enumerate() {
        let part = within_frame(scope);
        times.push(part.end - part.start);
        // Depths end at 255, where only the times tell what is inside.
        let is_inside = |&outer: &usize| {
            let outer = &of_lane[outer];
            outer.depth() < scope.depth()
                || (scope.depth() == u8::MAX && scope.end_ns() <= outer.end_ns())
        };
        while around.last().is_some_and(|outer| !is_inside(outer)) {
            around.pop();
        }
        if let Some(&outer) = around.last() {
            let end = part.end.min(within_frame(&of_lane[outer]).end);
            times[outer] -= (end - part.start).max(0);
        }
        around.push(at);
    }
    times
}

/// Returns the place of a frame among those that are left out, or where it belongs.
fn place_of(left_out: &[LeftOut], index: u64) -> Result<usize, usize> {
    left_out.binary_search_by_key(&index, |of| of.index)
}

/// Notes that a frame is left out, and says what to do about it if it always is. Returns whether it is
/// new.
fn leave_out(left_out: &mut Vec<LeftOut>, index: u64, scopes: usize) -> bool {
    let place = place_of(left_out, index);
    if place.is_ok_and(|at| left_out[at].scopes == scopes) {
        return false;
    }
    let text = (scopes > MAX_SCOPES).then(|| {
        let [frame, calls, most] = [index as f64, scopes as f64, MAX_SCOPES as f64].map(whole_text);
        format!(
            "Frame {frame} has {calls} calls, and at most {most} are shown. Time a loop, not each of \
             its steps; of a capture, stats export --to perfetto writes all calls."
        )
    });
    let new = LeftOut {
        index,
        scopes,
        text: text.unwrap_or_default(),
    };
    match place {
        Ok(at) => left_out[at] = new,
        Err(at) => left_out.insert(at, new),
    }
    true
}

#[cfg(test)]
mod tests {
    use stats_core::timeline::{NewScope, Timeline};
    use stats_testing::Random;

    use super::*;
    use crate::testing::{Calls, large_calls, random_calls};

    /// Returns the self times by their definition: between two moments at which a scope begins or
    /// ends, time belongs to the innermost scope.
    fn defined_self_times(of_lane: &[Scope]) -> Vec<i64> {
        let mut times = vec![0; of_lane.len()];
        let mut moments: Vec<i64> = (of_lane.iter().map(within_frame))
            .flat_map(|part| [part.start, part.end])
            .collect();
        moments.sort_unstable();
        for between in moments.windows(2) {
            let parts = of_lane.iter().map(within_frame);
            let innermost =
                (parts.enumerate()).rfind(|(_, part)| (part.start..part.end).contains(&between[0]));
            if let Some((at, _)) = innermost {
                times[at] += between[1] - between[0];
            }
        }
        times
    }

    fn assert_self_times(timeline: Timeline, frames: u64) -> i64 {
        let (mut calls, mut shown) = (Calls::new(timeline), ShownScopes::default());
        shown.read(&mut calls, &[(0..frames).into()], None);
        assert_eq!(shown.frames().len() as u64, frames);
        let mut all = 0;
        for (lane, scopes) in shown.frames().iter().flat_map(|frame| frame.lanes()) {
            let times = self_times(scopes);
            assert_eq!(times, defined_self_times(scopes), "lane {lane}");
            let sum: i64 = times.iter().sum();
            assert_eq!(busy_ns(scopes), sum, "lane {lane}");
            all += sum;
        }
        all
    }

    #[test]
    fn time_belongs_to_the_innermost_scope_also_across_frames() {
        let mut random = Random::new(43);
        for _ in 0..20 {
            assert_self_times(random_calls(&mut random).timeline, 12);
        }
    }

    #[test]
    fn the_most_wanted_frames_are_copied_if_not_all_have_room() {
        let (mut calls, mut shown) = (large_calls(8), ShownScopes::default());
        let mut copied = |all: &[(Range<u64>, [u64; 2])]| -> Vec<u64> {
            let wanted = all.iter().cloned();
            let wanted: Vec<_> = wanted
                .map(|(all, most)| WantedFrames { all, most })
                .collect();
            shown.read(&mut calls, &wanted, None);
            let first = shown.revision();
            shown.read(&mut calls, &wanted, None);
            assert_eq!(shown.revision(), first, "nothing is copied twice");
            assert!(shown.left_out.is_sorted_by_key(|of| of.index));
            shown.frames().iter().map(|frame| frame.index).collect()
        };
        assert_eq!(copied(&[(0..3, [1, 1])]), [1, 2]);
        assert_eq!(copied(&[(1..4, [2, 2])]), [2, 3], "the next frame");
        assert_eq!(copied(&[(5..8, [6, 6])]), [6, 7], "one far away");
        // At both ends, where one side has fewer frames.
        assert_eq!(copied(&[(0..8, [0, 0])]), [0, 1]);
        assert_eq!(copied(&[(0..8, [7, 7])]), [6, 7]);
        assert_eq!(copied(&[(2..8, [3, 7])]), [3, 7], "now and next");
        // The source does not have the newest frame yet.
        assert_eq!(copied(&[(2..9, [3, 8])]), [3, 7]);
        // Two views have the frames that they show, also if both want one.
        let two = [(0..3, [1, 1]), (5..8, [6, 6])];
        assert_eq!(copied(&two), [1, 6]);
        assert_eq!(copied(&[(0..3, [1, 1]), (0..5, [2, 2])]), [1, 2]);
    }

    #[test]
    fn a_frame_with_more_scopes_than_are_copied_is_named_with_the_reason() {
        let most = MAX_SCOPES as i64;
        let mut timeline = Timeline::new(64 << 20, 10);
        for (frame, calls) in [(0, 3), (1, most), (2, most + 1)] {
            let begin_ns = frame * 2 * most;
            timeline.push_frame(frame as u64, begin_ns..begin_ns + 2 * most);
            for call in 0..calls {
                timeline.add(NewScope {
                    lane: 1,
                    lane_name: "thread",
                    lane_kind: LaneKind::Thread,
                    series: SeriesId::new(0),
                    depth: 0,
                    begin_ns: begin_ns + call,
                    end_ns: Some(begin_ns + call + 1),
                    is_wait: false,
                });
            }
        }
        timeline.settle();
        let (mut calls, mut shown) = (Calls::new(timeline), ShownScopes::default());
        let why = "Frame 2 has 262,145 calls, and at most 262,144 are shown. Time a loop, not each of \
                   its steps; of a capture, stats export --to perfetto writes all calls.";
        let not_kept = "No calls are kept of this time";
        for _ in 0..2 {
            shown.read(&mut calls, &[(1..3).into()], None);
            let copied: Vec<u64> = shown.frames().iter().map(|frame| frame.index).collect();
            assert_eq!(copied, [1], "one that has as many as are copied");
            assert_eq!(shown.why_nothing(2..3, false), why);
            assert_eq!(shown.why_nothing(2..3, true), why);
            assert!(shown.why_nothing(0..1, false).starts_with(not_kept));
            assert_eq!(shown.left_out.len(), 1);
        }
        // A view that follows is far from it.
        assert!(
            shown
                .why_nothing(300..301, true)
                .starts_with("Calls are collected")
        );
        // It is no longer wanted.
        shown.read(&mut calls, &[(0..1).into()], None);
        assert!(shown.why_nothing(2..3, false).starts_with(not_kept));
    }

    #[test]
    fn scopes_around_that_are_missing_or_deeper_than_255_take_no_time_twice() {
        let mut random = Random::new(44);
        for _ in 0..200 {
            let mut timeline = Timeline::new(1 << 20, 1000);
            timeline.push_frame(0, 0..1_000_000);
            // Each inside the one before, half of those around it missing.
            for depth in 0..400 {
                if depth == 0 || random.below(2) == 0 {
                    timeline.add(NewScope {
                        lane: 1,
                        lane_name: "thread",
                        lane_kind: LaneKind::Thread,
                        series: SeriesId::new(0),
                        depth,
                        begin_ns: 1000 * i64::from(depth) - 5000,
                        end_ns: Some(900_000 - 1000 * i64::from(depth)),
                        is_wait: false,
                    });
                }
            }
            timeline.settle();
            assert_eq!(assert_self_times(timeline, 1), 900_000);
        }
    }
}
