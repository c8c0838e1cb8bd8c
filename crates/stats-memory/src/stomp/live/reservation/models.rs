//! Models of records and slots.

use std::alloc::Layout;

use loom::sync::Arc;
use loom::thread;

use super::record::{Entry, Record, State};
use super::slots::Slots;
use super::table::Table;
use crate::stomp::live::models::Pages;
use crate::stomp::live::thread_identity::ThreadIdentity;
use crate::sync::{Ordering, check, relaxed};

/// Returns a thread of a model.
fn who(n: u16) -> ThreadIdentity {
    ThreadIdentity {
        name: n,
        id: u32::from(n),
    }
}

/// Starts the only allocation in the models of records.
fn begin(record: &Record) {
    record.begin(1, Layout::from_size_align(9, 8).unwrap(), 7, who(5));
}

fn assert_is_whole(entry: &Entry, freed_by: &[u16]) {
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
            freed_by.iter().any(|n| who(*n) == entry.freed_by),
            "torn: {:?}",
            entry.freed_by
        );
    }
}

/// A thread allocates and frees while another one faults twice.
#[test]
fn a_fault_sees_a_whole_record() {
    check(2, || {
        let record = Arc::new(Record::new());
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

#[test]
#[should_panic(expected = "torn")]
fn control_a_fault_that_sees_a_record() {
    relaxed(a_fault_sees_a_whole_record);
}

/// Two threads free the same allocation. The second one reads the record, to report it.
#[test]
fn an_allocation_is_freed_once() {
    check(2, || {
        let record = Arc::new(Record::new());
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

#[test]
#[should_panic(expected = "torn")]
fn control_two_frees() {
    relaxed(an_allocation_is_freed_once);
}

/// A reservation of a few slots.
struct Region {
    slots: Slots,
    table: Table,
    all: usize,
}

impl Region {
    fn new(all: usize) -> Pages<Self> {
        Pages::new(
            Self {
                slots: Slots::new(),
                table: Table((0..all).map(|_| Record::new()).collect()),
                all,
            },
            all,
        )
    }
}

impl Pages<Region> {
    /// Allocates as the allocator does.
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

/// Two threads take slots for the first time, give them back and take them again, with barely
/// enough slots for both.
#[test]
fn freed_slots_are_taken_by_one_thread() {
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
        // There is only one if a search passed a slot before that slot was freed.
        assert!(held.is_sorted_by(|a, b| a < b), "two owners");
        held.into_iter().for_each(|slot| pages.free(slot));
    });
}

#[test]
#[should_panic(expected = "ausality violation")]
fn control_freed_slots() {
    relaxed(freed_slots_are_taken_by_one_thread);
}

/// Two threads want one and two slots, next to slots that are being freed.
#[test]
fn freed_neighbors_are_taken_by_one_thread() {
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
        // No slot is lost, whatever happened to it.
        pages.shared.slots.pause.store(0, Ordering::Relaxed);
        assert_eq!(pages.allocate(3), Some(0), "lost");
    });
}

#[test]
#[should_panic(expected = "ausality violation")]
fn control_freed_neighbors() {
    relaxed(freed_neighbors_are_taken_by_one_thread);
}
