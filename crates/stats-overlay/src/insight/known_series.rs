//! Keeps an insight informed about the series of the source.
//!
//! The parent and the thread of a timer may change while the listing stays the same. The listing is
//! therefore read again before a frame is ranked, and whenever the number of frames has doubled. A
//! long listing is read in parts, over several frames. An unchanged series costs a comparison.

use std::hash::BuildHasher;

use foldhash::quality::FixedState;
use stats_analysis::insight::Insight;
use stats_core::source::Listed;
use stats_core::{SeriesInfo, SeriesKind, Source};

use crate::data::allowance::Allowance;
use crate::data::listing::{going_on, list_or_all};
use crate::insight::frame_limit::FrameLimit;

/// The number of ids that are read at once.
const PART: usize = 256;

/// The maximum number of ids that are read in a frame, which takes half a millisecond.
const MAX_READ: usize = 2048;

/// A thread is followed after it has ended this number of frames in a row.
const SETTLED_FRAMES: u32 = 30;

/// The part of a source's listing that an insight knows.
#[derive(Debug, Default)]
pub(super) struct KnownSeries {
    /// The number of the next id to read.
    next: u32,
    /// Whether all ids have been read, so that `next` is past the last one.
    is_complete: bool,
    has_been_read: bool,
    /// The generation of the listing whose changes are read.
    generation: u64,
    count: usize,
    frame_thread: FrameThread,
    /// The series that tell what limits the frame rate.
    pub(super) limit: FrameLimit,
}

/// The thread that ends the frames, if it stays the same. If a program ends its frames on the
/// threads of a pool, the first thread is kept, because the times of two threads cannot be
/// compared.
#[derive(Debug, Default)]
struct FrameThread {
    /// The hash of the thread's name.
    newest: Option<u64>,
    /// The number of frames in a row that it ended.
    frames: u32,
    is_known: bool,
}

impl FrameThread {
    /// Records the thread that ended a frame. Returns whether it is the first thread, or has ended
    /// enough frames in a row to be followed.
    fn has_settled(&mut self, thread: Option<&str>) -> bool {
        let newest = thread.map(|thread| FixedState::default().hash_one(thread));
        self.frames = if self.newest == newest {
            self.frames.saturating_add(1)
        } else {
            1
        };
        self.newest = newest;
        let is_first = newest.is_some() && !self.is_known;
        self.is_known |= newest.is_some();
        is_first || self.frames >= SETTLED_FRAMES
    }
}

impl KnownSeries {
    /// Reads the whole listing again, beginning with the next frame.
    pub(super) fn read_all(&mut self) {
        (self.next, self.is_complete) = (0, false);
    }

    /// Returns whether the whole listing was read since the last request.
    pub(super) fn is_read(&self) -> bool {
        self.is_complete
    }

    /// Returns whether the whole listing was ever read.
    pub(super) fn has_been_read(&self) -> bool {
        self.has_been_read
    }

    /// Returns the number of series that were read, without calls and self times.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Reads the changes, and continues a reading of the whole listing as far as `allowance`
    /// permits, up to [`MAX_READ`] ids.
    ///
    /// Changes of series that the reading has not reached are left to it. They are often the newest
    /// series, which would enlarge every list of the insight at once.
    pub(super) fn read(
        &mut self,
        source: &dyn Source,
        insight: &mut Insight,
        allowance: &mut Allowance,
    ) {
        if self.frame_thread.has_settled(source.frame_thread()) {
            insight.set_frame_thread(source.frame_thread());
        }
        let since = std::mem::replace(&mut self.generation, source.generation());
        let has_changed = since != 0 && since != self.generation;
        let of = Clocked {
            prefix: source.clock_prefix(),
            thread: source.frame_thread(),
        };
        if has_changed {
            let take = |info: SeriesInfo<'_>| {
                if self.is_complete || info.id.number() < self.next {
                    self.take(info, of, insight);
                }
            };
            let listed = source.list(Listed::ChangedSince(since), &mut going_on(take));
            if listed.is_none() {
                self.read_all();
            }
        }
        let mut left = MAX_READ;
        while !self.is_complete {
            let count = allowance.take(PART.min(left), 1) as u32;
            if count == 0 {
                return;
            }
            left -= count as usize;
            let until = self.next.saturating_add(count);
            let part = Listed::Numbers(self.next..until);
            let take = |info: SeriesInfo<'_>| self.take(info, of, insight);
            let end = list_or_all(source, part, &mut going_on(take));
            self.next = until;
            self.is_complete = end.is_none_or(|end| until >= end);
            self.has_been_read |= self.is_complete;
        }
    }

    /// Passes a series to the insight under its path in the program that ends the frames, because some
    /// are known by their paths. One of another program explains no frame.
    fn take(&mut self, mut info: SeriesInfo<'_>, of: Clocked<'_>, insight: &mut Insight) {
        if info.kind != SeriesKind::FrameTime {
            let Some(path) = info.path.strip_prefix(of.prefix) else {
                return;
            };
            info.path = path;
        }
        self.count += usize::from(!insight.has_series(info.id.number()));
        self.limit.take(&info, of.thread);
        insight.set_listed(&info);
    }
}

/// The program that ends the frames.
#[derive(Clone, Copy)]
struct Clocked<'a> {
    /// What the paths of its series begin with.
    prefix: &'a str,
    /// The thread that ends the frames.
    thread: Option<&'a str>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Paths;

    #[test]
    fn a_thread_is_followed_once_it_ends_frame_after_frame() {
        let mut thread = FrameThread::default();
        assert!(!thread.has_settled(None));
        assert!(thread.has_settled(Some("pool 1")), "the first one");
        for _ in 0..100 {
            assert!(!thread.has_settled(Some("pool 2")));
            assert!(!thread.has_settled(Some("pool 1")));
        }
        let settled = (0..SETTLED_FRAMES).map(|_| thread.has_settled(Some("main")));
        let settled: Vec<bool> = settled.collect();
        assert_eq!(settled.iter().filter(|settled| **settled).count(), 1);
        assert!(thread.has_settled(Some("main")));
    }

    #[test]
    fn a_new_series_waits_until_the_reading_of_the_listing_has_reached_it() {
        let paths: Vec<String> = (0..3000).map(|number| format!("a/{number}")).collect();
        let mut source = Paths::of(&paths);
        let (mut known, mut insight) = (KnownSeries::default(), Insight::compact());
        let read = |known: &mut KnownSeries, source: &Paths, insight: &mut Insight, units| {
            known.read(source, insight, &mut Allowance::of_units(units));
        };
        read(&mut known, &source, &mut insight, 1000);
        let begun = known.count();
        assert!((1..3000).contains(&begun) && !known.is_read());
        let late = source.add("late", SeriesKind::Counter);
        read(&mut known, &source, &mut insight, 0);
        assert!(!insight.has_series(late) && known.count() == begun);
        while !known.is_read() {
            read(&mut known, &source, &mut insight, usize::MAX);
        }
        assert!(insight.has_series(late) && known.count() == 3001);
        let later = source.add("later", SeriesKind::Counter);
        read(&mut known, &source, &mut insight, 0);
        assert!(insight.has_series(later) && known.count() == 3002);
    }

    #[test]
    fn the_series_of_the_program_that_ends_the_frames_are_known_by_their_paths_in_it() {
        let mut source = Paths::of(&["client/level"]);
        source.clock_prefix = "client/";
        let [frame, pass, other] = ["client/gpu/frame", "client/gpu/shadows", "server/tick"]
            .map(|path| source.add(path, SeriesKind::Timer));
        let (mut known, mut insight) = (KnownSeries::default(), Insight::compact());
        known.read(&source, &mut insight, &mut Allowance::of_units(usize::MAX));
        assert_eq!(insight.timer_around(pass), Some(frame));
        assert!(insight.has_series(frame) && !insight.has_series(other));
        assert_eq!(known.count(), 3);
    }

    #[test]
    fn a_frame_reads_a_part_of_a_long_listing() {
        let paths: Vec<String> = (0..3000).map(|number| format!("a/{number}")).collect();
        let source = Paths::of(&paths);
        let (mut known, mut insight) = (KnownSeries::default(), Insight::compact());
        let mut allowance = Allowance::of_units(usize::MAX);
        known.read(&source, &mut insight, &mut allowance);
        assert!(!known.is_read() && known.count() <= MAX_READ);
        assert!(allowance.has_left(), "the rest is for the tree");
    }
}
