//! Models of records.

use std::array::from_fn;
use std::ops::Range;

use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread;

use super::record::{Live, Record};
use super::stash::Stash;
use super::table::{Chunk, Table};
use super::{BATCH, CHUNK, CHUNKS};
use crate::live::own::Zeroed;
use crate::sync::{check, relaxed};

/// The numbers of all possible records.
const NUMBERS: Range<u32> = BATCH..(CHUNK * CHUNKS) as u32;

impl Zeroed for Chunk {
    fn zeroed() -> Self {
        Self(from_fn(|_| Record::new()))
    }
}

fn fill(record: &Record, n: u32) {
    record.fill(n as usize, n, n as usize, n);
}

fn assert_is_whole(live: Live) {
    let n = live.tag;
    assert_eq!(
        (live.address, live.bytes, live.thread),
        (u64::from(n), u64::from(n), n),
        "torn"
    );
}

/// An owner allocates, reallocates and frees while another thread reads.
#[test]
fn a_record_is_read_whole_or_not_at_all() {
    check(3, || {
        let record = Arc::new(Record::new());
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

#[test]
#[should_panic(expected = "torn")]
fn control_a_record() {
    relaxed(a_record_is_read_whole_or_not_at_all);
}

/// An owner leaves freed records to other threads, with a stash or without one, while another
/// thread reads.
#[test]
fn a_record_left_to_other_threads_is_read_whole_or_not_at_all() {
    for without_stash in [true, false] {
        check(2, move || {
            let (table, stash) = (Arc::new(Table::new()), Stash::new());
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

#[test]
#[should_panic(expected = "torn")]
fn control_a_record_left_to_other_threads() {
    relaxed(a_record_left_to_other_threads_is_read_whole_or_not_at_all);
}

/// Whether each record has an owner.
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
        // An exchange sees the newest value with any ordering.
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

    /// Takes three records, and gives them back: more than a stash has room for.
    fn come_and_go(&self, stash: &Stash) {
        let numbers = [(); 3].map(|()| self.pop(stash));
        numbers
            .into_iter()
            .filter(|number| *number != 0)
            .for_each(|number| self.push(stash, number));
    }
}

/// Two threads take and give back records, in batches and one by one.
#[test]
fn a_record_has_one_owner_at_a_time() {
    check(2, || {
        let owners = Arc::new(Owners {
            table: Table::new(),
            is_owned: [(); NUMBERS.end as usize].map(|()| AtomicBool::new(false)),
        });
        let other = {
            let owners = Arc::clone(&owners);
            thread::spawn(move || {
                let stash = Stash::new();
                owners.come_and_go(&stash);
                stash
            })
        };
        let stash = Stash::new();
        owners.come_and_go(&stash);
        let one = owners.take(owners.table.take_one());
        if one != 0 {
            owners.is_owned[one as usize].store(false, Ordering::Relaxed);
            owners.table.free_one(one);
        }
        let others = other.join().unwrap();
        // Each record once.
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

#[test]
#[should_panic(expected = "owners")]
fn control_the_owner_of_a_record() {
    relaxed(a_record_has_one_owner_at_a_time);
}
