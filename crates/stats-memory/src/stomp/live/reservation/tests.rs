//! Slots and regions on one thread. The models in `models.rs` cover several threads.

use std::alloc::Layout;
use std::sync::atomic::Ordering;

use super::record::State;
use super::region::Region;
use super::slots::{LARGE, STEPS, STEPS_PER_TAKE, Slots};
use super::table::Table;
use crate::stomp::live::Settings;
use crate::stomp::live::thread_identity::ThreadIdentity;
use crate::stomp::side::sealed::Side;

const ALL: usize = 4096;

fn full() -> (Slots, Table) {
    full_of(ALL)
}

/// Slots that are all taken, one by one.
fn full_of(all: usize) -> (Slots, Table) {
    let (slots, table) = (Slots::new(), Table::new());
    assert!(table.reserve(all) && table.back(all));
    for _ in 0..all {
        assert!(
            slots
                .take(1, all, &table)
                .is_some_and(|taken| taken.is_fresh)
        );
    }
    (0..all).for_each(|slot| begin(slot, 1, &table));
    (slots, table)
}

fn begin(slot: usize, count: usize, table: &Table) {
    table
        .get(slot)
        .unwrap()
        .begin(count, Layout::new::<u8>(), 0, ThreadIdentity::default());
}

fn free(slot: usize, table: &Table) {
    let record = table.get(slot).unwrap();
    record.end_free(&record.read());
}

fn take(count: usize, slots: &Slots, table: &Table) -> Option<usize> {
    let taken = slots.take(count, ALL, table).map(|taken| taken.slot);
    taken.inspect(|slot| begin(*slot, count, table))
}

#[test]
fn freed_slots_are_reused_in_order_and_in_runs() {
    let (slots, table) = full();
    assert_eq!(take(1, &slots, &table), None);
    slots.pause.store(0, Ordering::Relaxed);
    [9, 3, 5, 6].into_iter().for_each(|slot| free(slot, &table));
    assert_eq!(
        [1, 2, 1].map(|count| take(count, &slots, &table)),
        [Some(3), Some(5), Some(9)]
    );
    // A run that the search starts in the middle of, since 9 was taken last.
    (8..12).for_each(|slot| free(slot, &table));
    assert_eq!(
        (take(4, &slots, &table), table.get(9).unwrap().state().0),
        (Some(8), State::None)
    );
    // More slots than there are.
    assert_eq!(take(ALL + 1, &slots, &table), None);
    // The rest of a span of several slots.
    free(8, &table);
    assert_eq!(
        [3, 1].map(|count| take(count, &slots, &table)),
        [Some(8), Some(11)]
    );
}

#[test]
fn an_unsuccessful_search_is_not_repeated_at_once() {
    let (slots, table) = full();
    (0..ALL).step_by(2).for_each(|slot| free(slot, &table));
    assert_eq!(take(2, &slots, &table), None);
    let pause = slots.pause.load(Ordering::Relaxed);
    assert_eq!(pause, ALL / STEPS_PER_TAKE);
    free(1, &table);
    slots.freed();
    // Fewer slots are found in the meantime.
    assert_eq!(take(1, &slots, &table), Some(0));
    (1..pause).for_each(|_| assert_eq!(take(2, &slots, &table), None));
    assert_eq!(take(2, &slots, &table), Some(1));
}

#[test]
fn a_search_for_a_large_span_continues_where_it_ended() {
    let all = 3 * STEPS;
    let (slots, table) = full_of(all);
    (0..all).step_by(2).for_each(|slot| free(slot, &table));
    // The only free place, in whose middle the first search ends.
    let place = STEPS + LARGE / 2;
    (place..place + LARGE).for_each(|slot| free(slot, &table));
    let large = || slots.take(LARGE, all, &table).map(|taken| taken.slot);
    assert_eq!(
        (large(), slots.pause.load(Ordering::Relaxed)),
        (None, STEPS / STEPS_PER_TAKE)
    );
    slots.pause.store(0, Ordering::Relaxed);
    assert_eq!(large(), Some(place));
    // Searches for small spans start at the beginning.
    assert_eq!(slots.take(1, all, &table).map(|taken| taken.slot), Some(0));
}

/// The state after a fork at the moment when everything was created, but not yet marked as done.
#[test]
fn a_repeated_reservation_works() {
    let region: &'static Region = Box::leak(Box::new(Region::new(Side::After)));
    let settings = Settings::new().quarantine_bytes(1 << 20);
    assert!(region.reserve(settings));
    let first = region.address(0);
    assert!(region.make(settings) && region.address(0) != first);
    let span = region.span(Layout::new::<u64>()).unwrap();
    let taken = region.take(&span).unwrap();
    assert!(taken.slot == 0 && region.open(&span, taken));
    begin(0, 1, &region.table);
    assert_eq!(
        region.owner(region.address(0)).map(|owner| owner.slot),
        Some(0)
    );
}
