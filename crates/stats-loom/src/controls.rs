//! Designs that were not taken. Each is expected to fail its model.

use loom::sync::Arc;
use loom::thread;

use crate::sync::{AtomicBool, AtomicU64, Ordering, fence};

const RELAXED: Ordering = Ordering::Relaxed;

/// Two adds of 1 by a thread, while this one reads a frame; then the rest. The sum of the frames
/// must be 2.
fn two_adds(
    add: impl Fn(&[AtomicU64; 3]) + Send + Sync + Copy + 'static,
    read: impl Fn(&[AtomicU64; 3]) -> u64 + Sync + Send + 'static,
) {
    loom::model(move || {
        let cells = Arc::new([AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0)]);
        let owner = {
            let cells = Arc::clone(&cells);
            thread::spawn(move || {
                add(&cells);
                add(&cells);
            })
        };
        let first = read(&cells);
        owner.join().unwrap();
        assert_eq!(first + read(&cells) + read(&cells), 2, "lost or doubled");
    });
}

fn store_add(cell: &AtomicU64) {
    cell.store(cell.load(RELAXED) + 1, RELAXED);
}

#[test]
#[should_panic(expected = "lost or doubled")]
fn a_collector_that_swaps_zero_into_cells_that_their_owner_stores_to() {
    two_adds(
        |cells| store_add(&cells[0]),
        |cells| cells[0].swap(0, RELAXED),
    );
}

#[test]
#[should_panic(expected = "lost or doubled")]
fn two_halves_that_take_turns_by_an_epoch() {
    // The third cell is the epoch: the owner adds to the half of the epoch it sees, the collector
    // empties the other.
    let add =
        |cells: &[AtomicU64; 3]| store_add(&cells[(cells[2].load(Ordering::Acquire) % 2) as usize]);
    let read = |cells: &[AtomicU64; 3]| {
        let half = &cells[(cells[2].fetch_add(1, Ordering::AcqRel) % 2) as usize];
        let total = half.load(RELAXED);
        half.store(0, RELAXED);
        total
    };
    two_adds(add, read);
}

#[test]
#[should_panic(expected = "lost or doubled")]
fn an_atomic_add_whose_collector_loads_and_then_stores_zero() {
    let read = |cells: &[AtomicU64; 3]| {
        let total = cells[0].load(RELAXED);
        cells[0].store(0, RELAXED);
        total
    };
    two_adds(
        |cells| {
            cells[0].fetch_add(1, RELAXED);
        },
        read,
    );
}

#[test]
#[should_panic(expected = "lost or doubled")]
fn two_threads_that_load_and_store_one_cell() {
    loom::model(|| {
        let cell = Arc::new(AtomicU64::new(0));
        let other = {
            let cell = Arc::clone(&cell);
            thread::spawn(move || store_add(&cell))
        };
        store_add(&cell);
        other.join().unwrap();
        assert_eq!(cell.load(RELAXED), 2, "lost or doubled");
    });
}

#[test]
#[should_panic(expected = "lost or doubled")]
fn adoption_that_is_not_ordered() {
    loom::model(|| {
        // As `Block`, but claimed and released with Relaxed.
        let block = Arc::new((AtomicBool::new(false), AtomicU64::new(0)));
        let threads = [(); 2].map(|()| {
            let block = Arc::clone(&block);
            thread::spawn(move || {
                let is_mine = block
                    .0
                    .compare_exchange(false, true, RELAXED, RELAXED)
                    .is_ok();
                if is_mine {
                    store_add(&block.1);
                    block.0.store(false, RELAXED);
                }
                u64::from(is_mine)
            })
        });
        let added: u64 = threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .sum();
        assert_eq!(block.1.load(RELAXED), added, "lost or doubled");
    });
}

/// As `Tally` puts a sample down and folds it, with the orderings of the number of samples and of
/// the fold. The cells: how many were written, the only place, the sum of what was folded, and the
/// sequence number.
fn a_tally(number: Ordering, fold: Ordering) {
    loom::model(move || {
        let cells = Arc::new([(); 4].map(|()| AtomicU64::new(0)));
        let owner = {
            let cells = Arc::clone(&cells);
            thread::spawn(move || {
                for sample in [1, 2] {
                    cells[1].store(sample, RELAXED);
                    cells[0].store(cells[0].load(RELAXED) + 1, number);
                    cells[3].store(2 * sample - 1, RELAXED);
                    if fold == Ordering::Release {
                        fence(fold);
                    }
                    cells[2].store(cells[2].load(RELAXED) + sample, RELAXED);
                    cells[3].store(2 * sample, fold);
                }
            })
        };
        let before = cells[3].load(Ordering::Acquire);
        let sum = cells[2].load(RELAXED);
        let written = cells[0].load(Ordering::Acquire);
        let pending = if written > before / 2 {
            cells[1].load(RELAXED)
        } else {
            0
        };
        fence(Ordering::Acquire);
        if before % 2 == 0 && written <= before / 2 + 1 && cells[3].load(RELAXED) == before {
            assert_eq!(sum + pending, [0, 1, 3][written as usize], "torn");
        }
        owner.join().unwrap();
    });
}

#[test]
#[should_panic(expected = "torn")]
fn a_number_of_samples_that_is_seen_before_the_sample() {
    a_tally(RELAXED, Ordering::Release);
}

#[test]
#[should_panic(expected = "torn")]
fn sums_that_are_not_fenced_from_the_number_that_guards_them() {
    a_tally(Ordering::Release, RELAXED);
}

#[test]
fn a_tally_that_is_ordered() {
    a_tally(Ordering::Release, Ordering::Release);
}

/// The design that was taken, on the bench of the others. The second cell is the total at the frame
/// before.
#[test]
fn differences_of_totals_that_are_never_reset() {
    let read = |cells: &[AtomicU64; 3]| {
        let total = cells[0].load(RELAXED);
        total - cells[1].swap(total, RELAXED)
    };
    two_adds(|cells| store_add(&cells[0]), read);
}
