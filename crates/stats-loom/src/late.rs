//! The core's lanes, mailboxes and order of late values, with a source and a reader that are as
//! short as can be.
//!
//! What the core's `source.rs` and `reader.rs` do with them is repeated here step by step, since
//! those need a registry and histories.

#[path = "../../stats-core/src/live/late/ends.rs"]
mod ends;
#[path = "../../stats-core/src/live/late/lane.rs"]
#[expect(dead_code, reason = "nothing here gives stamps up")]
mod lane;
#[path = "../../stats-core/src/live/late/mailbox.rs"]
#[expect(dead_code, reason = "there is one mailbox here, and no list of them")]
mod mailbox;
#[path = "../../stats-core/src/live/late/order.rs"]
mod order;

use loom::sync::{Arc, MutexGuard};
use loom::thread;

use crate::sync::{AtomicU32, AtomicU64, Mutex, Ordering};
use ends::Ends;
use lane::Lane;
use mailbox::{Mailbox, Post};
use order::Sequence;

loom::lazy_static! {
    static ref SEQUENCE: Sequence = Sequence(AtomicU64::new(1));
}

fn next_number() -> u64 {
    SEQUENCE.next()
}

fn drop_values(values: usize) {
    assert_eq!(values, 0, "dropped");
}

/// What the parties share.
#[derive(Default)]
struct Shared {
    lane: Lane,
    mailbox: Mailbox,
    wanted: AtomicU32,
}

/// In which order two things are done that each of two sides does.
#[derive(Clone, Copy, PartialEq)]
enum Turn {
    AsTheCore,
    TheOtherWayRound,
}

impl Shared {
    /// As `LateSource::issue` and `LateSource::deliver`; the stamp.
    fn issue_and_deliver(&self, turn: Turn) -> u64 {
        let stamp = self.lane.issue();
        assert!(self.lane.claim(stamp));
        if turn == Turn::TheOtherWayRound {
            self.lane.complete(stamp);
        }
        if self.wanted.load(Ordering::Relaxed) > 0 {
            self.mailbox.post(stamp, [(0, 1.0)].into_iter());
        }
        if turn == Turn::AsTheCore {
            self.lane.complete(stamp);
        }
        stamp
    }
}

/// A reader of one series, with the frames that it tells of.
struct Reader {
    shared: Arc<Shared>,
    since: u64,
    ends: Ends,
    frames: Vec<f64>,
    known_end: usize,
    early: Vec<u64>,
}

impl Reader {
    /// As `LateReader::hold`.
    fn hold(shared: &Arc<Shared>) -> Self {
        shared.mailbox.wish(0);
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

    /// As `Reader::end_frame`.
    fn end_frame(&mut self, turn: Turn) {
        self.frames.push(0.0);
        self.ends.push(next_number());
        let (waits_for, is_taken) = if turn == Turn::AsTheCore {
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
                assert!(
                    frame >= self.known_end,
                    "lost: its frame was told of before"
                );
                self.frames[frame] += 1.0;
            }
        }
        true
    }

    /// Checks that all is told of when nothing is outstanding, and that so many values came.
    fn check(mut self, values: f64) {
        self.end_frame(Turn::AsTheCore);
        assert_eq!(self.known_end, self.frames.len(), "waits for ever");
        assert_eq!(self.frames.iter().sum::<f64>(), values, "lost");
    }
}

fn frames_end_while_another_delivers(delivers: Turn, looks: Turn) {
    loom::model(move || {
        let shared = Arc::new(Shared::default());
        let mut reader = Reader::hold(&shared);
        let source = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                shared.issue_and_deliver(delivers);
                shared.issue_and_deliver(delivers);
            })
        };
        reader.end_frame(looks);
        reader.end_frame(looks);
        source.join().unwrap();
        reader.check(2.0);
    });
}

#[test]
fn a_value_is_in_its_frame_whenever_frames_end() {
    frames_end_while_another_delivers(Turn::AsTheCore, Turn::AsTheCore);
}

#[test]
#[should_panic(expected = "lost")]
fn a_stamp_that_leaves_its_lane_before_its_values_are_in_the_mailbox() {
    frames_end_while_another_delivers(Turn::TheOtherWayRound, Turn::AsTheCore);
}

#[test]
#[should_panic(expected = "lost")]
fn a_reader_that_empties_its_mailbox_before_it_looks_for_stamps() {
    frames_end_while_another_delivers(Turn::AsTheCore, Turn::TheOtherWayRound);
}

#[test]
fn who_wished_before_a_stamp_was_issued_gets_its_value() {
    loom::model(|| {
        let shared = Arc::new(Shared::default());
        let source = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.issue_and_deliver(Turn::AsTheCore))
        };
        let reader = Reader::hold(&shared);
        let stamp = source.join().unwrap();
        let values = if stamp > reader.since { 1.0 } else { 0.0 };
        reader.check(values);
    });
}

/// A wish, and a stamp by a sequence of this ordering.
fn wish_and_issue(next: impl Fn(&Sequence) -> u64 + Copy + Send + Sync + 'static) {
    loom::model(move || {
        let shared = Arc::new((Sequence(AtomicU64::new(1)), AtomicU32::new(0)));
        let source = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || (next(&shared.0), shared.1.load(Ordering::Relaxed)))
        };
        shared.1.fetch_add(1, Ordering::Relaxed);
        let since = next(&shared.0);
        let (stamp, wanted) = source.join().unwrap();
        assert!(stamp < since || wanted > 0, "lost");
    });
}

#[test]
fn a_relaxed_wish_is_seen_by_whoever_takes_a_later_number() {
    wish_and_issue(Sequence::next);
}

#[test]
#[should_panic(expected = "lost")]
fn a_sequence_that_orders_nothing() {
    wish_and_issue(|sequence| sequence.0.fetch_add(1, Ordering::Relaxed));
}
