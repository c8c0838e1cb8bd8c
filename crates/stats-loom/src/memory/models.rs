//! What has to hold of the files, whatever threads do at once.

use std::ptr::null_mut;

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use loom::thread;

use super::cell::Cell;
use super::list::{self, Links, Member};
use super::own::Zeroed;
use super::records::{NUMBERS, Record, Stash, Table};
use super::slot::Slot;
use super::sync;
use crate::memory::List;

/// Every interleaving with so many preemptions.
fn check(preemptions: usize, run: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(run);
}

/// Blocks of a pool, with what their owners write into them.
struct Blocks<L> {
    list: L,
    links: [AtomicU32; 3],
    contents: [UnsafeCell<u32>; 3],
}

// SAFETY: contents are their owners' alone, which loom checks.
unsafe impl<L: Sync> Sync for Blocks<L> {}

impl<L: List> Blocks<L> {
    fn pop(&self) -> Option<u32> {
        let block = self.list.pop(&self.links)?;
        // SAFETY: who took the block has it alone; loom says where that is not so.
        self.contents[block as usize].with_mut(|content| unsafe { *content += 1 });
        Some(block)
    }

    fn push(&self, block: Option<u32>) {
        if let Some(block) = block {
            self.list.push(block, &self.links);
        }
    }
}

/// One thread takes a block; another takes two and gives the first one back.
pub(in crate::memory) fn blocks<L: List>(new: fn() -> L) {
    check(3, move || {
        let blocks = Arc::new(Blocks {
            list: new(),
            links: [(); 3].map(|()| AtomicU32::new(0)),
            contents: [0; 3].map(UnsafeCell::new),
        });
        [2, 1, 0]
            .into_iter()
            .for_each(|block| blocks.push(Some(block)));
        let other = {
            let blocks = Arc::clone(&blocks);
            thread::spawn(move || {
                let (first, second) = (blocks.pop(), blocks.pop());
                blocks.push(first);
                second
            })
        };
        let held = [blocks.pop(), other.join().unwrap()];
        let mut found: Vec<u32> = held
            .into_iter()
            .flatten()
            .chain(std::iter::from_fn(|| blocks.pop()))
            .collect();
        found.sort_unstable();
        assert_eq!(found, [0, 1, 2], "two owners, or none");
    });
}

fn fill(record: &Record, n: u32) {
    record.fill(n as usize, n, n as usize, n);
}

fn assert_is_whole(live: super::records::Live) {
    let n = live.tag;
    assert_eq!(
        (live.address, live.bytes, live.thread),
        (u64::from(n), u64::from(n), n),
        "torn"
    );
}

/// An owner whose allocations come, move and go, and a reader.
pub(in crate::memory) fn record_beside_its_owner() {
    check(3, || {
        let record = Arc::new(Record::zeroed());
        let reader = {
            let record = Arc::clone(&record);
            thread::spawn(move || {
                (0..2)
                    .filter_map(|_| record.read())
                    .for_each(assert_is_whole);
            })
        };
        fill(&record, 1);
        record.empty();
        fill(&record, 2);
        assert_eq!(record.hide(), 2);
        fill(&record, 3);
        reader.join().unwrap();
        assert_eq!(record.read().map(|live| live.tag), Some(3));
    });
}

/// An owner that leaves what it frees to the others, from a stash or without one, and a reader.
pub(in crate::memory) fn record_beside_spills() {
    for without_stash in [true, false] {
        check(2, move || {
            let (table, stash) = (Arc::new(Table::zeroed()), Stash::zeroed());
            let numbers: Vec<u32> = (0..3).map(|_| stash.pop(&table)).collect();
            let record = table.record(numbers[2]).unwrap();
            let reader = thread::spawn(move || record.read().into_iter().for_each(assert_is_whole));
            fill(record, 7);
            if without_stash {
                table.free_one(numbers[2]);
            } else {
                record.empty();
                stash.push(&table, numbers[2]);
                stash.push(&table, numbers[1]);
                stash.push(&table, numbers[0]);
            }
            reader.join().unwrap();
        });
    }
}

/// Records, with whether anybody has them.
struct Owners {
    table: Table,
    is_owned: [AtomicBool; NUMBERS.end as usize],
}

impl Owners {
    fn pop(&self, stash: &Stash) -> u32 {
        let number = stash.pop(&self.table);
        self.take(number)
    }

    fn take(&self, number: u32) -> u32 {
        // An exchange sees the newest value, whatever its ordering.
        assert!(
            number == 0 || !self.is_owned[number as usize].swap(true, Ordering::Relaxed),
            "two owners"
        );
        number
    }

    fn push(&self, stash: &Stash, number: u32) {
        assert!(self.is_owned[number as usize].swap(false, Ordering::Relaxed));
        stash.push(&self.table, number);
    }

    /// Takes three, and gives them back: more than a stash has room for.
    fn come_and_go(&self, stash: &Stash) {
        let numbers = [(); 3].map(|()| self.pop(stash));
        numbers
            .into_iter()
            .filter(|number| *number != 0)
            .for_each(|number| self.push(stash, number));
    }
}

/// Two threads that take and give back records, by batches and one by one.
pub(in crate::memory) fn records() {
    check(2, || {
        let owners = Arc::new(Owners {
            table: Table::zeroed(),
            is_owned: [(); NUMBERS.end as usize].map(|()| AtomicBool::new(false)),
        });
        let other = {
            let owners = Arc::clone(&owners);
            thread::spawn(move || {
                let stash = Stash::zeroed();
                owners.come_and_go(&stash);
                stash
            })
        };
        let stash = Stash::zeroed();
        owners.come_and_go(&stash);
        let one = owners.take(owners.table.take_one());
        if one != 0 {
            owners.is_owned[one as usize].store(false, Ordering::Relaxed);
            owners.table.free_one(one);
        }
        let others = other.join().unwrap();
        // All that there are, once each.
        for stash in [stash, others] {
            while owners.pop(&stash) != 0 {}
        }
        assert!(
            NUMBERS
                .into_iter()
                .all(|number| owners.is_owned[number as usize].load(Ordering::Relaxed)),
            "no owners"
        );
    });
}

/// A member of a list, or of a slot.
struct Node {
    links: Links<Node>,
    cell: Cell,
    prepared: sync::AtomicU32,
}

fn empty_slot<T>() -> Slot<T> {
    Slot(sync::AtomicPtr::new(null_mut()))
}

impl Zeroed for Cell {
    fn zeroed() -> Self {
        let zero = || sync::AtomicU64::new(0);
        Self {
            bytes: zero(),
            allocations: zero(),
            freed_bytes: zero(),
            frees: zero(),
        }
    }
}

impl Zeroed for Node {
    fn zeroed() -> Self {
        let links = Links {
            owned: sync::AtomicBool::new(false),
            next: empty_slot(),
        };
        Self {
            links,
            cell: Cell::zeroed(),
            prepared: sync::AtomicU32::new(0),
        }
    }
}

impl Member for Node {
    fn links(&self) -> &Links<Self> {
        &self.links
    }
}

/// Two threads that need the same thing at once.
pub(in crate::memory) fn slot() {
    check(3, || {
        let slot = Arc::new(empty_slot::<Node>());
        let get = |slot: &Slot<Node>| {
            let node = slot
                .get_or_make(|node| node.prepared.store(1, Ordering::Relaxed))
                .unwrap();
            assert_eq!(node.prepared.load(Ordering::Relaxed), 1, "not prepared");
            std::ptr::from_ref(node).addr()
        };
        let other = {
            let slot = Arc::clone(&slot);
            thread::spawn(move || get(&slot))
        };
        if let Some(node) = slot.get() {
            assert_eq!(node.prepared.load(Ordering::Relaxed), 1, "not prepared");
        }
        let own = get(&slot);
        assert_eq!(own, other.join().unwrap());
    });
}

fn live(first: &'static Slot<Node>, bytes: usize) {
    let node = list::claim(first).unwrap();
    node.cell.allocated(bytes);
    node.links.release();
}

/// Bytes of all members, and how many members there are.
fn count(first: &'static Slot<Node>) -> (u64, usize) {
    let (mut bytes, mut members) = (0, 0);
    list::for_each(first, |node| {
        bytes += node.cell.read().bytes;
        members += 1;
    });
    (bytes, members)
}

/// Two threads that come and go, one of them twice.
pub(in crate::memory) fn adoption() {
    check(2, || {
        let first: &'static Slot<Node> = Box::leak(Box::new(empty_slot()));
        // Both are there, so that what is seen of them is up to the claims alone.
        first.get_or_make(|node| {
            node.links.next.get_or_make(|_| {});
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

/// A reader beside two threads.
pub(in crate::memory) fn for_each() {
    check(2, || {
        let first: &'static Slot<Node> = Box::leak(Box::new(empty_slot()));
        let threads = [1, 16].map(|bytes| thread::spawn(move || live(first, bytes)));
        let (bytes, _) = count(first);
        assert!([0, 1, 16, 17].contains(&bytes), "{bytes}");
        threads
            .into_iter()
            .for_each(|thread| thread.join().unwrap());
        assert_eq!(count(first).0, 17, "lost");
    });
}

/// A publication beside a thread that allocates and frees.
pub(in crate::memory) fn events() {
    check(3, || {
        let cell = Arc::new(Cell::zeroed());
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
