//! What has to hold of the files, whatever threads do at once.

use std::alloc::Layout;

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

use super::lock::Lock;
use super::once::Once;
use super::record::{Entry, Record, State, Who};
use super::slots::Slots;
use super::sync::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use super::system;
use super::table::Table;

/// Every interleaving with so many preemptions.
fn check(preemptions: usize, run: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(run);
}

fn new_lock() -> Lock {
    Lock(AtomicU32::new(0))
}

fn new_record() -> Record {
    let zero = || AtomicU64::new(0);
    Record {
        head: zero(),
        size: zero(),
        tag_and_names: zero(),
        threads: zero(),
    }
}

/// What one thread at a time may touch, which loom checks.
struct Pages<T> {
    shared: T,
    cells: Vec<UnsafeCell<u32>>,
}

// SAFETY: the cells are touched only through `touch`, by threads that loom says of where two of
// them do at once.
unsafe impl<T: Sync> Sync for Pages<T> {}

impl<T> Pages<T> {
    fn new(shared: T, cells: usize) -> Self {
        Self {
            shared,
            cells: (0..cells).map(|_| UnsafeCell::new(0)).collect(),
        }
    }

    fn touch(&self, cell: usize) {
        // SAFETY: see above.
        self.cells[cell].with_mut(|times| unsafe { *times += 1 });
    }

    fn times(&self, cell: usize) -> u32 {
        // SAFETY: see above.
        self.cells[cell].with(|times| unsafe { *times })
    }
}

/// Two threads that want the same lock, one of them twice.
pub(in crate::stomp) fn lock() {
    check(3, || {
        let pages = Arc::new(Pages::new(new_lock(), 1));
        let under_lock = |pages: &Pages<Lock>| {
            while !pages.shared.try_lock() {
                system::yield_now();
            }
            pages.touch(0);
            pages.shared.unlock();
        };
        let other = {
            let pages = Arc::clone(&pages);
            thread::spawn(move || under_lock(&pages))
        };
        under_lock(&pages);
        under_lock(&pages);
        other.join().unwrap();
        assert_eq!(pages.times(0), 3, "lost");
    });
}

/// Two threads that need the same thing at once, well made or not, and one that only looks.
pub(in crate::stomp) fn once() {
    for is_good in [true, false] {
        check(2, move || {
            let once = Once {
                end: AtomicU32::new(0),
                lock: new_lock(),
            };
            let pages = Arc::new(Pages::new(once, 1));
            let need = move |pages: &Pages<Once>| {
                let is_made = pages.shared.get_or(|| {
                    pages.touch(0);
                    is_good
                });
                assert_eq!((is_made, pages.times(0)), (is_good, 1), "not once");
            };
            let other = {
                let pages = Arc::clone(&pages);
                thread::spawn(move || need(&pages))
            };
            let looks = {
                let pages = Arc::clone(&pages);
                thread::spawn(move || {
                    if pages.shared.is_done() {
                        assert_eq!((is_good, pages.times(0)), (true, 1), "not once");
                    }
                })
            };
            need(&pages);
            other.join().unwrap();
            looks.join().unwrap();
        });
    }
}

/// Who a thread of a model is.
fn who(n: u16) -> Who {
    Who {
        name: n,
        id: u32::from(n),
    }
}

/// The only allocation that the models of records have.
fn begin(record: &Record) {
    record.begin(1, Layout::from_size_align(9, 8).unwrap(), 7, who(5));
}

fn assert_is_whole(entry: &Entry, is_freed_by: &[u16]) {
    if entry.state != State::None {
        assert_eq!(
            (
                entry.slots,
                entry.size,
                entry.align,
                entry.tag,
                entry.allocated_by
            ),
            (1, 9, 8, 7, who(5)),
            "torn"
        );
    }
    if entry.state == State::Dead {
        assert!(
            is_freed_by.iter().any(|n| who(*n) == entry.freed_by),
            "torn: {:?}",
            entry.freed_by
        );
    }
}

/// A thread whose allocation comes and goes, and one that faults meanwhile, twice.
pub(in crate::stomp) fn record_beside_a_handler() {
    check(2, || {
        let record = Arc::new(new_record());
        let handler = {
            let record = Arc::clone(&record);
            thread::spawn(move || {
                let states = [(); 2].map(|()| {
                    let entry = record.read();
                    assert_is_whole(&entry, &[6]);
                    entry.state as u8
                });
                assert!(states.is_sorted(), "back from the dead");
            })
        };
        begin(&record);
        let entry = record.read();
        assert!(record.begin_free(&entry, who(6)));
        record.end_free(&entry);
        handler.join().unwrap();
    });
}

/// Two threads that free the same allocation: the one that may not tells of it.
pub(in crate::stomp) fn two_frees() {
    check(2, || {
        let record = Arc::new(new_record());
        begin(&record);
        let free = |record: &Record, n: u16| {
            let entry = record.read();
            let is_freed = record.begin_free(&entry, who(n));
            if is_freed {
                record.end_free(&entry);
            } else {
                assert_is_whole(&record.read(), &[1, 2]);
            }
            u32::from(is_freed)
        };
        let other = {
            let record = Arc::clone(&record);
            thread::spawn(move || free(&record, 1))
        };
        let own = free(&record, 2);
        assert_eq!(own + other.join().unwrap(), 1, "freed twice, or not at all");
        assert_is_whole(&record.read(), &[1, 2]);
    });
}

/// A reservation of so many slots.
struct Region {
    slots: Slots,
    table: Table,
    all: usize,
}

impl Region {
    fn new(all: usize) -> Pages<Self> {
        let zero = || AtomicUsize::new(0);
        let slots = Slots {
            next: zero(),
            hand: zero(),
            far_hand: zero(),
            lock: new_lock(),
            missing: zero(),
            pause: zero(),
        };
        Pages::new(
            Self {
                slots,
                table: Table((0..all).map(|_| new_record()).collect()),
                all,
            },
            all,
        )
    }
}

impl Pages<Region> {
    /// As the allocator does it.
    fn allocate(&self, count: usize) -> Option<usize> {
        let Region { slots, table, all } = &self.shared;
        let taken = slots.take(count, *all, table)?;
        let first = taken.slot;
        assert!(
            (first..first + count).all(|slot| (self.times(slot) == 0) == taken.is_fresh),
            "not fresh"
        );
        table
            .get(first)
            .unwrap()
            .begin(count, Layout::new::<u8>(), 0, who(1));
        (first..first + count).for_each(|slot| self.touch(slot));
        Some(first)
    }

    fn free(&self, first: usize) {
        let record = self.shared.table.get(first).unwrap();
        let entry = record.read();
        assert!(record.begin_free(&entry, who(1)), "not its own");
        (first..first + entry.slots).for_each(|slot| self.touch(slot));
        record.end_free(&entry);
        self.shared.slots.freed();
    }
}

/// Two threads that take slots for the first time, give them back and take them again, of which
/// there are hardly enough.
pub(in crate::stomp) fn slots() {
    check(2, || {
        let pages = Arc::new(Region::new(2));
        let live = |pages: &Pages<Region>| {
            pages
                .allocate(1)
                .into_iter()
                .for_each(|slot| pages.free(slot));
            pages.allocate(1)
        };
        let other = {
            let pages = Arc::clone(&pages);
            thread::spawn(move || live(&pages))
        };
        let mut held: Vec<usize> = [live(&pages), other.join().unwrap()]
            .into_iter()
            .flatten()
            .collect();
        held.sort_unstable();
        // Where a search passed by a slot while that was not freed yet, there is one left.
        assert!(held.is_sorted_by(|a, b| a < b), "two owners");
        held.into_iter().for_each(|slot| pages.free(slot));
    });
}

/// Two threads that want neighbours, one or two, where others free them.
pub(in crate::stomp) fn neighbours() {
    check(2, || {
        let pages = Arc::new(Region::new(3));
        let first: Vec<usize> = (0..3).filter_map(|_| pages.allocate(1)).collect();
        assert_eq!(first, [0, 1, 2]);
        let other = {
            let pages = Arc::clone(&pages);
            thread::spawn(move || {
                pages.free(1);
                pages.allocate(1)
            })
        };
        pages.free(0);
        let two = pages.allocate(2);
        let one = other.join().unwrap();
        two.into_iter().chain(one).for_each(|slot| pages.free(slot));
        pages.free(2);
        // All is there, whatever became of it.
        pages.shared.slots.pause.store(0, Ordering::Relaxed);
        assert_eq!(pages.allocate(3), Some(0), "lost");
    });
}
