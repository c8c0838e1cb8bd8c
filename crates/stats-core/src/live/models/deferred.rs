//! Deferred values: lanes, mailboxes and their order, with a minimal source and a minimal reader.

use loom::sync::Arc;
use loom::thread;

use crate::live::late::{Ends, Lane, Mailbox, Post, Sequence, dropped_values, next_number};
use crate::live::sync::{AtomicU32, Ordering, weakened};

/// The state that the source and the reader share.
#[derive(Default)]
struct Shared {
    lane: Lane,
    mailbox: Mailbox,
    wanted: AtomicU32,
}

/// The order of the two steps of a source, or of a reader.
#[derive(Clone, Copy, PartialEq)]
enum StepOrder {
    AsInTheCore,
    Reversed,
}

impl Shared {
    /// Does what `LateSource::issue` and `LateSource::deliver` do. Returns the stamp.
    fn issue_and_deliver(&self, order: StepOrder) -> u64 {
        let stamp = self.lane.issue();
        assert!(self.lane.claim(stamp));
        if order == StepOrder::Reversed {
            self.lane.complete(stamp);
        }
        if self.wanted.load(Ordering::Relaxed) > 0 {
            self.mailbox.post(stamp, [(0, 1.0)].into_iter());
        }
        if order == StepOrder::AsInTheCore {
            self.lane.complete(stamp);
        }
        stamp
    }
}

/// A reader of one series, with the values of its frames.
struct Reader {
    shared: Arc<Shared>,
    since: u64,
    ends: Ends,
    frames: Vec<f64>,
    known_end: usize,
    early: Vec<u64>,
}

impl Reader {
    /// Does what `LateReader::hold` does.
    fn hold(shared: &Arc<Shared>) -> Self {
        shared.mailbox.subscribe(0);
        shared.wanted.fetch_add(1, Ordering::Relaxed);
        let since = next_number();
        let (ends, shared) = (Ends::new(0, since), Arc::clone(shared));
        Self {
            shared,
            since,
            ends,
            frames: Vec::new(),
            known_end: 0,
            early: Vec::new(),
        }
    }

    /// Does what `LateReader::end_frame` does.
    fn end_frame(&mut self, order: StepOrder) {
        self.frames.push(0.0);
        self.ends.push(next_number());
        let (waits_for, is_taken) = if order == StepOrder::AsInTheCore {
            let waits_for = self.waits_for();
            (waits_for, self.take_post())
        } else {
            let is_taken = self.take_post();
            (self.waits_for(), is_taken)
        };
        let known = self.ends.frame_of(waits_for).filter(|_| is_taken);
        self.known_end = self.known_end.max(known.map_or(0, |known| known as usize));
    }

    fn waits_for(&self) -> u64 {
        self.shared
            .lane
            .oldest_after(self.ends.horizon())
            .unwrap_or(0)
    }

    fn take_post(&mut self) -> bool {
        let mut post = Post::default();
        if !self.shared.mailbox.take(&mut post) {
            return false;
        }
        let stamps: Vec<u64> = self
            .early
            .drain(..)
            .chain(post.iter().map(|(stamp, _)| stamp))
            .collect();
        for stamp in stamps {
            if stamp > self.ends.newest() {
                self.early.push(stamp);
            } else if stamp >= self.since {
                let frame = self
                    .ends
                    .frame_of(stamp)
                    .map_or(usize::MAX, |frame| frame as usize);
                assert!(frame >= self.known_end, "lost: its frame was complete");
                self.frames[frame] += 1.0;
            }
        }
        true
    }

    /// Checks that all frames are complete when nothing is outstanding, and that `values` values
    /// arrived.
    fn check(mut self, values: f64) {
        self.end_frame(StepOrder::AsInTheCore);
        assert_eq!(self.known_end, self.frames.len(), "waits forever");
        assert_eq!(self.frames.iter().sum::<f64>(), values, "lost");
        assert_eq!(dropped_values(), 0);
    }
}

fn frames_end_while_another_delivers(source_order: StepOrder, reader_order: StepOrder) {
    loom::model(move || {
        let shared = Arc::new(Shared::default());
        let mut reader = Reader::hold(&shared);
        let source = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                shared.issue_and_deliver(source_order);
                shared.issue_and_deliver(source_order);
            })
        };
        reader.end_frame(reader_order);
        reader.end_frame(reader_order);
        source.join().unwrap();
        reader.check(2.0);
    });
}

#[test]
fn a_value_is_in_its_frame_whenever_frames_end() {
    frames_end_while_another_delivers(StepOrder::AsInTheCore, StepOrder::AsInTheCore);
}

#[test]
#[should_panic(expected = "lost")]
fn a_stamp_that_leaves_its_lane_before_its_values_reach_the_mailbox() {
    frames_end_while_another_delivers(StepOrder::Reversed, StepOrder::AsInTheCore);
}

#[test]
#[should_panic(expected = "lost")]
fn a_reader_that_empties_its_mailbox_before_it_reads_the_lanes() {
    frames_end_while_another_delivers(StepOrder::AsInTheCore, StepOrder::Reversed);
}

#[test]
fn a_reader_that_subscribed_before_a_stamp_was_issued_gets_its_value() {
    loom::model(|| {
        let shared = Arc::new(Shared::default());
        let source = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.issue_and_deliver(StepOrder::AsInTheCore))
        };
        let reader = Reader::hold(&shared);
        let stamp = source.join().unwrap();
        let values = if stamp > reader.since { 1.0 } else { 0.0 };
        reader.check(values);
    });
}

/// A reader subscribes to a value while a source issues a stamp.
fn subscribe_during_an_issue() {
    loom::model(|| {
        let shared = Arc::new((Sequence::new(), AtomicU32::new(0)));
        let source = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || (shared.0.next(), shared.1.load(Ordering::Relaxed)))
        };
        shared.1.fetch_add(1, Ordering::Relaxed);
        let since = shared.0.next();
        let (stamp, wanted) = source.join().unwrap();
        assert!(stamp < since || wanted > 0, "lost");
    });
}

#[test]
fn a_relaxed_subscription_is_seen_by_a_thread_that_takes_a_later_number() {
    subscribe_during_an_issue();
}

#[test]
#[should_panic(expected = "lost")]
fn without_orderings_a_subscription_is_not_seen() {
    weakened(subscribe_during_an_issue);
}
