//! Models of counts: cells, the adoption of shards, the live memory, and the peak.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicI64, Ordering};
use loom::thread;

use super::balance::{Balance, GroupBalance, Known};
use super::cell::{Cell, Sum};
use crate::live::own::{Links, Member, Slot, Zeroed, claim, for_each};
use crate::sync::{check, relaxed};

/// A publication runs at the same time as a thread that allocates and frees.
#[test]
fn a_reader_that_sees_an_event_sees_its_bytes() {
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
    relaxed(a_reader_that_sees_an_event_sees_its_bytes);
}

/// Counts in a group, and then an event of its tag.
fn count_in_group(group: &GroupBalance, known: &crate::sync::AtomicI64, cell: &Cell) {
    group.allocated(1, known);
    cell.allocated(1);
    group.allocated(1, known);
    cell.allocated(1);
    group.freed(1, known);
    cell.freed(1);
}

/// A publication reads a group only if it saw an event of one of its tags. What it reads is right
/// once it has seen the last event.
#[test]
fn a_reader_that_sees_an_event_sees_it_in_the_group() {
    check(3, || {
        let shared = Arc::new((
            GroupBalance::new(),
            crate::sync::AtomicI64::new(0),
            Cell::new(),
        ));
        let reader = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let (group, known, cell) = &*shared;
                let events = cell.events();
                let bytes = known.load(crate::sync::Ordering::Relaxed) + group.unreported();
                assert!(events < 3 || bytes == 1, "without the group");
            })
        };
        let (group, known, cell) = &*shared;
        count_in_group(group, known, cell);
        reader.join().unwrap();
    });
}

#[test]
#[should_panic(expected = "without the group")]
fn control_an_event_of_a_group() {
    relaxed(a_reader_that_sees_an_event_sees_it_in_the_group);
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

/// Two threads start and end, one of them twice.
#[test]
fn a_shard_continues_from_the_totals_of_its_last_owner() {
    check(2, || {
        let first: &'static Slot<Node> = Box::leak(Box::new(Slot::new()));
        // Both members exist, so that their visibility depends only on the claims.
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

/// A reader runs at the same time as two threads.
#[test]
fn a_reader_sees_the_counts_of_ended_threads() {
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
    relaxed(a_reader_sees_the_counts_of_ended_threads);
}

/// The size of a block, which is far more than a step.
const BLOCK: usize = 100;

/// The precision of the live memory: two steps, which are 2 here, for each of two threads.
const PRECISION: i64 = 2 * 2 * 2;

/// Passes blocks from one thread to another, which frees them, while a reader may be preempted
/// anywhere. At any time, at most one of them is live.
fn blocks_cross<T: Send + Sync + 'static>(
    of_threads: [T; 2],
    allocated: fn(&T),
    freed: fn(&T),
    read: fn(&[T; 2]) -> i64,
) {
    let of_threads = Arc::new(of_threads);
    let reader = {
        let of_threads = Arc::clone(&of_threads);
        thread::spawn(move || {
            let live = read(&of_threads);
            let possible = -PRECISION..=BLOCK as i64 + PRECISION;
            assert!(possible.contains(&live), "torn: {live}");
        })
    };
    // What two threads do in turn, each after the other, on a third one: no other order is allowed.
    for _ in 0..2 {
        allocated(&of_threads[0]);
        freed(&of_threads[1]);
    }
    reader.join().unwrap();
    assert_eq!(read(&of_threads), 0, "lost");
}

/// Returns the live bytes as a reader of balances computes them.
fn live_of(balances: &[(Arc<Known>, Balance); 2]) -> i64 {
    let known = balances[0].0.live().0;
    let unreported = balances.iter().map(|balance| balance.1.unreported().0);
    let live = known + unreported.sum::<i64>();
    balances[0].0.raise_peaks(live, 0);
    live
}

/// The reader also raises the peak, for good.
#[test]
fn a_preempted_reader_sees_at_most_two_steps_more_than_was_live() {
    check(2, || {
        let known = Arc::new(Known::new());
        blocks_cross(
            [0, 1].map(|_| (Arc::clone(&known), Balance::new())),
            |(known, balance)| balance.allocated(BLOCK, known),
            |(known, balance)| balance.freed(BLOCK, known),
            live_of,
        );
        assert!(known.peaks().0 <= BLOCK as i64 + PRECISION, "torn");
    });
}

/// The same with the balances of a group.
#[test]
fn a_preempted_reader_of_a_group_sees_at_most_two_steps_more_than_was_live() {
    check(3, || {
        let known = Arc::new(crate::sync::AtomicI64::new(0));
        blocks_cross(
            [0, 1].map(|_| (Arc::clone(&known), GroupBalance::new())),
            |(known, balance)| balance.allocated(BLOCK, known),
            |(known, balance)| balance.freed(BLOCK, known),
            |balances| {
                let known = balances[0].0.load(crate::sync::Ordering::Relaxed);
                known + balances.iter().map(|of| of.1.unreported()).sum::<i64>()
            },
        );
    });
}

/// A tag is read twice, and shows what is possible in between.
#[test]
fn a_preempted_reader_of_a_tag_sees_what_was_live() {
    check(3, || {
        blocks_cross(
            [0, 1].map(|_| Cell::new()),
            |cell| cell.allocated(BLOCK),
            |cell| cell.freed(BLOCK),
            |cells| {
                let (first, later) = (sum_of(cells), sum_of(cells));
                let live = first.until(&later, &Sum::NONE).live_bytes();
                assert!((0..=BLOCK as i64).contains(&live), "torn: {live}");
                live
            },
        );
    });
}

#[test]
#[should_panic(expected = "torn")]
fn control_a_tag() {
    relaxed(a_preempted_reader_of_a_tag_sees_what_was_live);
}

fn sum_of(cells: &[Cell; 2]) -> Sum {
    let mut sum = Sum::NONE;
    cells.iter().for_each(|cell| sum.add(&cell.read()));
    sum
}

/// A design that looks right: a sum over threads, each of which is read once.
#[test]
#[should_panic(expected = "torn")]
fn control_a_sum_over_threads() {
    check(3, || {
        blocks_cross(
            [0, 1].map(|_| Cell::new()),
            |cell| cell.allocated(BLOCK),
            |cell| cell.freed(BLOCK),
            |cells| sum_of(cells).live_bytes(),
        );
    });
}

/// The balances of two threads change by more than a step, which is 2 here, and by less.
#[test]
fn the_peaks_are_within_a_step_of_each_thread() {
    loom::model(|| {
        let known = Arc::new(Known::new());
        let live = move |known: &Known| {
            let balance = Balance::new();
            balance.allocated(4, known);
            balance.allocated(1, known);
            balance.freed(1, known);
            balance
        };
        let other = {
            let known = Arc::clone(&known);
            thread::spawn(move || live(&known))
        };
        let balances = [live(&known), other.join().unwrap()];
        // In the end, both had 4 live bytes at the same time, and up to 5 before; the same holds
        // for allocations.
        let excess = balances.each_ref().map(Balance::excess);
        assert_eq!((known.peaks().0, excess), (8, [1, 1]));
        let allocations = known.raise_peaks(0, 2 + 1).1;
        assert!((3..=4).contains(&allocations), "{allocations}");
        balances.iter().for_each(|balance| balance.report(&known));
        assert_eq!(known.live(), (8, 2));
        // The two may have been highest at different times, and are never added up.
        assert!((3..=4).contains(&known.peaks().1));
        known.reset_peaks(8, 2);
        assert_eq!(known.peaks(), (8, 2));
    });
}

/// The balance of one thread changes while another thread resets the peaks.
#[test]
fn a_reset_loses_no_later_peak() {
    loom::model(|| {
        let (known, balance) = (Arc::new(Known::new()), Arc::new(Balance::new()));
        balance.allocated(1, &known);
        let other = {
            let (known, balance) = (Arc::clone(&known), Arc::clone(&balance));
            thread::spawn(move || {
                balance.reset_excess();
                known.reset_peaks(1, 1);
            })
        };
        balance.allocated(1, &known);
        balance.freed(1, &known);
        other.join().unwrap();
        // Later changes are seen, whether or not the reset saw the 2.
        (0..2).for_each(|_| balance.allocated(1, &known));
        (0..3).for_each(|_| balance.freed(1, &known));
        balance.report(&known);
        // A reset that began before the thread reported may add a step.
        let peak = known.peaks().1;
        assert!((3..=3 + 2).contains(&peak), "missed: {peak}");
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
