//! Models of counts: cells, the adoption of shards, and the peak.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicI64, Ordering};
use loom::thread;

use super::balance::{Known, Told};
use super::cell::Cell;
use crate::live::own::{Links, Member, Slot, Zeroed, claim, for_each};
use crate::sync::{check, relaxed};

/// A publication beside a thread that allocates and frees.
#[test]
fn whoever_sees_an_event_sees_its_bytes() {
    check(3, || {
        let cell = Arc::new(Cell::new());
        let reader = {
            let cell = Arc::clone(&cell);
            thread::spawn(move || {
                let (events, sum) = (cell.events(), cell.read());
                let (bytes, freed) = [(0, 0), (5, 0), (5, 5)][events as usize];
                assert!(
                    sum.bytes >= bytes && sum.freed_bytes >= freed,
                    "without its bytes"
                );
            })
        };
        cell.allocated(5);
        cell.freed(5);
        reader.join().unwrap();
    });
}

#[test]
#[should_panic(expected = "without its bytes")]
fn control_an_event() {
    relaxed(whoever_sees_an_event_sees_its_bytes);
}

/// A shard with a single cell.
struct Node {
    links: Links<Node>,
    cell: Cell,
}

impl Zeroed for Node {
    fn zeroed() -> Self {
        Self {
            links: Links::new(),
            cell: Cell::new(),
        }
    }
}

impl Member for Node {
    fn links(&self) -> &Links<Self> {
        &self.links
    }
}

fn live(first: &'static Slot<Node>, bytes: usize) {
    let node = claim(first).unwrap();
    node.cell.allocated(bytes);
    node.links.release();
}

/// Returns the bytes of all members, and how many members there are.
fn count(first: &'static Slot<Node>) -> (u64, usize) {
    let (mut bytes, mut members) = (0, 0);
    for_each(first, |node| {
        bytes += node.cell.read().bytes;
        members += 1;
    });
    (bytes, members)
}

/// Two threads that come and go, one of them twice.
#[test]
fn a_shard_continues_from_the_totals_of_its_last_owner() {
    check(2, || {
        let first: &'static Slot<Node> = Box::leak(Box::new(Slot::new()));
        // Both members exist, so that what is seen of them depends only on the claims.
        first.get_or_make(|node| {
            node.links.next().get_or_make(|_| {});
        });
        let other = thread::spawn(move || live(first, 1));
        live(first, 16);
        live(first, 256);
        other.join().unwrap();
        let (bytes, members) = count(first);
        assert_eq!(bytes, 273, "lost");
        assert!(members <= 2, "{members}");
    });
}

#[test]
#[should_panic(expected = "lost")]
fn control_an_adopted_shard() {
    relaxed(a_shard_continues_from_the_totals_of_its_last_owner);
}

/// A reader beside two threads.
#[test]
fn a_reader_sees_what_ended_threads_left() {
    check(2, || {
        let first: &'static Slot<Node> = Box::leak(Box::new(Slot::new()));
        let threads = [1, 16].map(|bytes| thread::spawn(move || live(first, bytes)));
        let (bytes, _) = count(first);
        assert!([0, 1, 16, 17].contains(&bytes), "{bytes}");
        threads
            .into_iter()
            .for_each(|thread| thread.join().unwrap());
        assert_eq!(count(first).0, 17, "lost");
    });
}

#[test]
#[should_panic(expected = "ausality violation")]
fn control_a_reader_of_shards() {
    relaxed(a_reader_sees_what_ended_threads_left);
}

/// Two threads whose balances move by more than a step, which is 2 here, and by less.
#[test]
fn the_peak_is_within_a_step_of_each_thread() {
    loom::model(|| {
        let known = Arc::new(Known::new());
        let live = move |known: &Known| {
            let told = Told::new();
            told.rise(4, known);
            told.rise(6, known);
            told.fall(4, known);
            told
        };
        let other = {
            let known = Arc::clone(&known);
            thread::spawn(move || live(&known))
        };
        let threads = [live(&known), other.join().unwrap()];
        // Both held 4 at the same time in the end, and up to 6 before.
        assert_eq!(known.peak(0), 8);
        known.reset_peak(1);
        assert_eq!(known.peak(0), 8);
        threads.iter().for_each(|told| told.fall(0, &known));
        assert_eq!(known.live(), 0);
        known.reset_peak(1);
        assert_eq!(known.peak(0), 1);
    });
}

/// A design that looks right, and misses peaks.
#[test]
#[should_panic(expected = "missed")]
fn control_a_peak_that_is_loaded_and_then_stored() {
    loom::model(|| {
        let known = Arc::new((AtomicI64::new(0), AtomicI64::new(0)));
        let rise = |known: &(AtomicI64, AtomicI64)| {
            let live = known.0.fetch_add(4, Ordering::Relaxed) + 4;
            if live > known.1.load(Ordering::Relaxed) {
                known.1.store(live, Ordering::Relaxed);
            }
        };
        let other = {
            let known = Arc::clone(&known);
            thread::spawn(move || rise(&known))
        };
        rise(&known);
        other.join().unwrap();
        assert_eq!(known.1.load(Ordering::Relaxed), 8, "missed");
    });
}
