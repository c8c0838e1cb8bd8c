//! The work on the thread that calls `new_frame`: it takes a stamp, and hands the frame to the
//! reader.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use puffin::FrameData;
use stats_core::{Counter, FrameStamp};

use super::stamps::Stamps;
use crate::scopes::Scopes;

pub(crate) static DROPPED_FRAMES: Counter = Counter::new("puffin/dropped-frames")
    .describe("puffin frames that were dropped because too many were waiting to be read");

/// A frame to be read. Without a stamp, only the names of its scopes are read.
pub(crate) struct Job {
    pub(crate) frame: Arc<FrameData>,
    pub(crate) stamp: Option<FrameStamp>,
}

/// The reader of the frames.
pub(crate) enum Reader {
    /// A background thread.
    Elsewhere(SyncSender<Job>),
    /// The thread that calls `new_frame`, because no other could be started.
    Here(Box<RefCell<Scopes>>),
}

/// The sink: takes over the frames of the profiler.
pub(crate) struct Feed {
    stamps: Arc<Stamps>,
    reader: Reader,
}

impl Feed {
    pub(crate) fn new(stamps: Arc<Stamps>, reader: Reader) -> Self {
        Self { stamps, reader }
    }

    /// Takes over a puffin frame at its end. Drops it if too many are waiting.
    pub(crate) fn take(&self, frame: Arc<FrameData>) {
        let _memory = stats_core::own_memory("stats-puffin");
        let stamp = self.stamps.of_ended(frame.meta().frame_index);
        let job = Job { frame, stamp };
        match &self.reader {
            Reader::Here(scopes) => job.run(&mut scopes.borrow_mut()),
            Reader::Elsewhere(thread) => {
                if thread.try_send(job).is_err() {
                    stamp.inspect(|stamp| self.drop_frame(*stamp));
                }
            }
        }
    }

    fn drop_frame(&self, stamp: FrameStamp) {
        self.stamps.give_up(stamp);
        DROPPED_FRAMES.add(1);
    }
}

impl Job {
    /// Reads the frame.
    pub(crate) fn run(self, scopes: &mut Scopes) {
        match self.stamp {
            Some(stamp) => scopes.process(stamp, &self.frame),
            None => scopes.learn(&self.frame),
        }
    }
}

#[cfg(test)]
#[cfg(feature = "enabled")]
mod tests {
    use std::sync::mpsc::{Receiver, sync_channel};

    use stats_core::DeferredSource;

    use super::*;
    use crate::options::{NewFrame, Options};
    use crate::testing::{TestScope, register, stream, thread};

    fn feed(new_frame: NewFrame, queued: usize) -> (Feed, Receiver<Job>, DeferredSource) {
        let (sender, jobs) = sync_channel(queued);
        let source = DeferredSource::new();
        let stamps = Arc::new(Stamps::new(source.clone(), new_frame));
        (Feed::new(stamps, Reader::Elsewhere(sender)), jobs, source)
    }

    fn frame_of(index: u64) -> Arc<FrameData> {
        let (ids, details) = register(&["fed"]);
        let scopes = [TestScope {
            scope: 0,
            start_ns: 0,
            stop_ns: 1,
            children: Vec::new(),
        }];
        let streams = [(thread("feed"), stream(&scopes, &ids))].into();
        Arc::new(
            FrameData::new(index, streams, details, false)
                .unwrap_or_else(|_| panic!("a frame with a scope")),
        )
    }

    /// Returns the index and the stamp of each frame that waits to be read.
    fn stamped(jobs: &Receiver<Job>) -> Vec<(u64, Option<FrameStamp>)> {
        jobs.try_iter()
            .map(|job| (job.frame.meta().frame_index, job.stamp))
            .collect()
    }

    #[test]
    fn a_frame_has_the_stamp_of_its_beginning_or_of_its_end() {
        for new_frame in [NewFrame::BeginsFrame, NewFrame::EndsFrame] {
            let (feed, jobs, source) = feed(new_frame, 8);
            let stamps: Vec<FrameStamp> = (10..14)
                .map(|index| {
                    let before = source.issue();
                    feed.take(frame_of(index));
                    before
                })
                .collect();
            for (at, (_, stamp)) in stamped(&jobs).into_iter().enumerate() {
                let after = match new_frame {
                    NewFrame::EndsFrame => Some(stamps[at]),
                    NewFrame::BeginsFrame => at.checked_sub(1).map(|at| stamps[at]),
                };
                assert_eq!(stamp.is_some(), after.is_some());
                assert!(
                    stamp >= after && stamps.get(at + 1).is_none_or(|next| stamp < Some(*next))
                );
            }
        }
    }

    #[test]
    fn after_a_gap_a_frame_is_recorded_where_it_ended() {
        let (feed, jobs, source) = feed(NewFrame::BeginsFrame, 8);
        let indices = [1, 2, 3, 5, 6, 9, 10];
        let before: Vec<FrameStamp> = indices
            .iter()
            .map(|index| {
                let before = source.issue();
                feed.take(frame_of(*index));
                before
            })
            .collect();
        let stamps = stamped(&jobs);
        assert_eq!(stamps[0].1, None, "the beginning of the first is unknown");
        for at in 1..indices.len() {
            let is_gap = indices[at] != indices[at - 1] + 1;
            let issued_at = if is_gap { at } else { at - 1 };
            let stamp = stamps[at].1;
            assert!(
                stamp > Some(before[issued_at])
                    && before
                        .get(issued_at + 1)
                        .is_none_or(|next| stamp < Some(*next)),
                "{at}"
            );
        }
        assert!(
            (1..indices.len()).all(|at| (1..at).all(|other| stamps[at].1 != stamps[other].1)),
            "each has a stamp of its own"
        );
    }

    #[test]
    fn a_known_call_closes_the_gap() {
        let (feed, jobs, source) = feed(NewFrame::BeginsFrame, 8);
        feed.take(frame_of(1));
        // Frame 2 is empty.
        let before = source.issue();
        feed.stamps.called(feed.stamps.begun());
        let after = source.issue();
        feed.take(frame_of(3));
        let stamp = stamped(&jobs)[1].1;
        assert!(stamp > Some(before) && stamp < Some(after));
        // A call that ends a frame with scopes goes through the sink, and nothing is left to do.
        let known = feed.stamps.begun();
        feed.take(frame_of(4));
        let after = feed.stamps.begun();
        feed.stamps.called(known);
        assert!(feed.stamps.begun() == after && after != known);
    }

    #[test]
    fn a_known_call_begins_the_first_frame() {
        let (feed, jobs, source) = feed(NewFrame::BeginsFrame, 8);
        // Empty frames, whose indices nobody knows.
        let mut before = source.issue();
        for _ in 0..3 {
            before = source.issue();
            feed.stamps.called(feed.stamps.begun());
        }
        let after = source.issue();
        feed.take(frame_of(7));
        feed.take(frame_of(8));
        let stamps = stamped(&jobs);
        assert!(stamps[0].1 > Some(before) && stamps[0].1 < Some(after));
        assert!(stamps[1].1 > Some(after));
    }

    #[test]
    fn a_frame_that_finds_the_queue_full_is_dropped_at_once() {
        let (feed, jobs, _) = feed(NewFrame::EndsFrame, 2);
        (0..5).for_each(|index| feed.take(frame_of(index)));
        assert_eq!(stamped(&jobs).len(), 2);
        feed.take(frame_of(5));
        assert_eq!(stamped(&jobs)[0].0, 5);
        drop(jobs);
        feed.take(frame_of(6));
    }

    #[test]
    fn without_a_thread_frames_are_read_at_once() {
        let scopes = Scopes::new(&Options::default());
        let stamps = Arc::new(Stamps::new(scopes.source().clone(), NewFrame::EndsFrame));
        let feed = Feed::new(stamps, Reader::Here(Box::new(RefCell::new(scopes))));
        feed.take(frame_of(0));
        assert!(stats_core::find("puffin/feed/fed").is_some());
    }
}
