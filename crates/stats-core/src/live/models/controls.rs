//! Models of rejected designs, which must fail, and of the designs that replaced them.

use loom::sync::Arc;
use loom::thread;

use crate::live::sync::{AtomicBool, AtomicU64, Ordering, fence};

const RELAXED: Ordering = Ordering::Relaxed;

/// Adds 1 twice on a thread while this one reads a frame; then this one reads the rest. The frames
/// must add up to 2.
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
fn a_collector_that_swaps_0_into_cells_while_their_owner_stores() {
    two_adds(
        |cells| store_add(&cells[0]),
        |cells| cells[0].swap(0, RELAXED),
    );
}

#[test]
#[should_panic(expected = "lost or doubled")]
fn two_halves_that_alternate_by_an_epoch() {
    // The third cell is the epoch: the owner adds to the half of the epoch that it sees, and the
    // collector empties the other.
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
fn an_atomic_add_with_a_collector_that_loads_and_then_stores_0() {
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
fn two_threads_that_load_and_store_the_same_cell() {
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
fn adoption_without_ordering() {
    loom::model(|| {
        // Like `Owned`, but claimed and released with Relaxed.
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

/// Writes and folds samples as `Tally` does, with the given orderings for the number of samples and
/// for the fold. The cells: the number of samples written, the only place, the sum of the folded
/// samples, and the sequence number.
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
fn a_number_of_samples_that_becomes_visible_before_the_sample() {
    a_tally(RELAXED, Ordering::Release);
}

#[test]
#[should_panic(expected = "torn")]
fn sums_without_a_fence_after_their_sequence_number() {
    a_tally(Ordering::Release, RELAXED);
}

#[test]
fn a_tally_with_its_orderings() {
    a_tally(Ordering::Release, Ordering::Release);
}

/// The design that was chosen, in the same model. The second cell is the total at the end of the
/// previous frame.
#[test]
fn differences_between_totals_that_are_never_reset() {
    let read = |cells: &[AtomicU64; 3]| {
        let total = cells[0].load(RELAXED);
        total - cells[1].swap(total, RELAXED)
    };
    two_adds(|cells| store_add(&cells[0]), read);
}
