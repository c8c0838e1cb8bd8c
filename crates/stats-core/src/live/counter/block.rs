//! Blocks of cells. Each block has one writer at a time.

use super::layout::BLOCK_CELLS;
use crate::counters::EXACT;
use crate::live::owned::{Owned, OwnedList};
use crate::live::sync::{AtomicU64, Ordering};

/// The bits of a finite `f64`, written only by the thread that owns the cell's block.
#[derive(Debug)]
pub(crate) struct Cell(AtomicU64);

impl Cell {
    #[cfg(not(loom))]
    pub(super) const fn zero() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Loom's atomics have no constant constructor.
    #[cfg(loom)]
    fn zero() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Returns the value, which is at least as recent as the last synchronization with the owner.
    #[inline(always)]
    pub(crate) fn get(&self) -> f64 {
        // Relaxed: a cell is one number and orders nothing else. Coherence alone makes every
        // reader see the cell's totals in the order of the stores, which is all that "each add is
        // in exactly one frame" needs.
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    /// Replaces the value. For the owner (see [`Cell::add`]), or for any thread if only the last
    /// value counts.
    #[inline(always)]
    pub(crate) fn set(&self, value: f64) {
        // Relaxed: as in `get`.
        self.0.store(value.to_bits(), Ordering::Relaxed);
    }

    /// Adds `n`, from any thread, if the sum is [exact](is_exact). Otherwise returns `false` and
    /// changes nothing; [`add_shared_inexact`](Self::add_shared_inexact) then adds it.
    #[inline(always)]
    pub(crate) fn add_shared(&self, n: f64) -> bool {
        self.update_shared(n, is_exact).is_some()
    }

    /// Adds `n`, from any thread, even if the sum is not exact. Changes nothing if it is not
    /// finite.
    pub(crate) fn add_shared_inexact(&self, n: f64) -> Outcome {
        self.update_shared(n, f64::is_finite)
            .map_or(Outcome::Refused, |before| Outcome::of(before, before + n))
    }

    /// Adds `n` if the sum is accepted, and returns the value before.
    #[inline(always)]
    fn update_shared(&self, n: f64, is_accepted: impl Fn(f64) -> bool) -> Option<f64> {
        let sum = |bits| Some(f64::from_bits(bits) + n).filter(|sum| is_accepted(*sum));
        // Relaxed: as in `get`. The exchange itself makes every add read the previous one.
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |bits| {
                sum(bits).map(f64::to_bits)
            })
            .ok()
            .map(f64::from_bits)
    }

    /// Adds `n` if it is an integer, or if the sum is [exact](is_exact). Otherwise returns `false`
    /// and changes nothing; [`add_inexact`](Self::add_inexact) then adds it. For the owner only:
    /// two threads at once would lose adds.
    #[inline(always)]
    pub(crate) fn add(&self, n: f64, is_integer: bool) -> bool {
        let sum = self.get() + n;
        // The cell is finite, and an integer below 2⁵³ cannot overflow it: it is far below half a
        // step of `f64::MAX`.
        if is_integer || is_exact(sum) {
            self.set(sum);
            return true;
        }
        false
    }

    /// Adds `n`, even if the sum is not exact. Changes nothing if it is not finite. For the owner
    /// only.
    pub(crate) fn add_inexact(&self, n: f64) -> Outcome {
        let (before, sum) = (self.get(), self.get() + n);
        if !sum.is_finite() {
            return Outcome::Refused;
        }
        self.set(sum);
        Outcome::of(before, sum)
    }
}

/// Returns whether a total is in the range in which every integer is exact. `false` for NaN.
#[inline(always)]
pub(crate) fn is_exact(total: f64) -> bool {
    total.abs() < EXACT as f64
}

/// What an add did to a total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The total was changed.
    Added,
    /// The total was changed, and left the range in which every integer is [exact](is_exact).
    LeftExactRange,
    /// The total was not changed.
    Refused,
}

impl Outcome {
    /// Returns what an add did that replaced one finite total with another.
    pub(crate) fn of(before: f64, sum: f64) -> Self {
        if is_exact(before) && !is_exact(sum) {
            Self::LeftExactRange
        } else {
            Self::Added
        }
    }
}

/// The maximum number of readings of a level. While threads add and subtract without a pause, no
/// two may see the same cells.
const MAX_READINGS: usize = 5;

/// The cells of 1024 consecutive slots. They belong to one thread at a time, and are never freed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block(&'static [Cell; BLOCK_CELLS]);

/// The bytes of a cache line. A block begins and ends with one, because other threads write to the
/// memory around it.
const LINE: usize = 64;

impl Block {
    /// Allocates a block.
    ///
    /// Its cells are made on the heap one by one: an array would first take its place on the stack,
    /// and without optimization several times.
    pub(crate) fn new() -> Self {
        const PADDING: usize = LINE / size_of::<Cell>();
        let cells: Vec<Cell> = std::iter::repeat_with(Cell::zero)
            .take(BLOCK_CELLS + PADDING)
            .collect();
        let first = cells.as_ptr().align_offset(LINE).min(PADDING);
        let Some(cells) = cells.leak()[first..].first_chunk() else {
            unreachable!("at most the padding was cut off");
        };
        Self(cells)
    }

    /// Returns the cell at an offset below [`BLOCK_CELLS`].
    #[inline(always)]
    pub(crate) fn cell(self, offset: usize) -> &'static Cell {
        &self.0[offset % BLOCK_CELLS]
    }

    /// Returns all cells, by their offset.
    #[inline(always)]
    pub(crate) fn cells(self) -> &'static [Cell] {
        self.0
    }

    /// Returns the offset of a cell of this block; `None` for any other cell.
    pub(super) fn offset_of(self, cell: &Cell) -> Option<usize> {
        let bytes = (&raw const *cell)
            .addr()
            .checked_sub(self.0.as_ptr().addr())?;
        Some(bytes / size_of::<Cell>()).filter(|&offset| offset < BLOCK_CELLS)
    }
}

/// All blocks for one directory entry, one for each thread that counts there.
pub(crate) type BlockList = OwnedList<Block>;

impl BlockList {
    /// Adopts a block without an owner, or appends a zeroed one. The caller owns it until it
    /// releases it.
    pub(crate) fn claim(&self) -> &'static Owned<Block> {
        self.claim_or(Block::new)
    }

    /// Releases a block that the caller owns.
    pub(crate) fn release(&self, block: Block) {
        self.for_each(|owned| {
            if std::ptr::eq(owned.value().0, block.0) {
                owned.release();
            }
        });
    }

    /// Returns the sum of one cell over all blocks, including those left by threads that ended.
    pub(crate) fn total(&self, offset: usize) -> f64 {
        let mut total = 0.0;
        self.for_each(|block| total += block.value().cell(offset).get());
        total
    }

    /// Returns the sum of one cell over all blocks, and a number that depends on each of them.
    pub(crate) fn reading(&self, offset: usize) -> (f64, u64) {
        let (mut total, mut mixed) = (0.0, 0_u64);
        self.for_each(|block| {
            let value = block.value().cell(offset).get();
            total += value;
            // Odd, so that each product is another number.
            mixed = (mixed.rotate_left(5) ^ value.to_bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        });
        (total, mixed)
    }

    /// Returns the sum of one cell over all blocks, if some are added to and others subtracted
    /// from. `near` is the sum at an earlier moment.
    ///
    /// A reading that sees the second of two changes and not the first is wrong by the whole of
    /// it. A sum of adds alone never is. So a reading counts if the next one sees the same cells.
    /// If no two do, the sum is the number nearest to `near` among those between the readings.
    pub(crate) fn level(&self, offset: usize, near: f64) -> f64 {
        settled(near, || self.reading(offset))
    }
}

/// Returns the sum of a [reading](BlockList::reading) that repeats, by the rule of
/// [`BlockList::level`]. If the first reading gives `near`, it is not repeated.
fn settled(near: f64, mut reading: impl FnMut() -> (f64, u64)) -> f64 {
    let mut last = reading();
    if last.0 == near {
        return near;
    }
    let (mut low, mut high) = (last.0, last.0);
    for _ in 1..MAX_READINGS {
        let next = reading();
        if next == last {
            return next.0;
        }
        (low, high, last) = (low.min(next.0), high.max(next.0), next);
    }
    near.max(low).min(high)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Cells of several threads, read while they change.
    struct Crossing {
        cells: Vec<f64>,
        /// What to move from one cell to another, and before which cell is read.
        moves: Vec<(usize, usize, usize, f64)>,
    }

    impl Crossing {
        /// Reads the cells. The moves are made meanwhile, each by two threads, one after the other.
        fn read(&mut self) -> (f64, u64) {
            let moves = std::mem::take(&mut self.moves);
            let (mut sum, mut mixed) = (0.0, 0_u64);
            for at in 0..self.cells.len() {
                for (_, from, to, n) in moves.iter().filter(|(when, ..)| *when == at) {
                    self.cells[*to] += n;
                    self.cells[*from] -= n;
                }
                sum += self.cells[at];
                mixed = mixed.wrapping_mul(31) ^ self.cells[at].to_bits();
            }
            (sum, mixed)
        }
    }

    #[test]
    fn a_level_that_crosses_threads_while_it_is_read_is_the_one_it_has() {
        const THREADS: usize = 8;
        let mut torn = 0;
        for when in 0..THREADS {
            for (from, to) in (0..THREADS).flat_map(|from| (0..THREADS).map(move |to| (from, to))) {
                for near in [0.0, 5.0, 100.0, -1e9] {
                    let crossing = || Crossing {
                        cells: vec![1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 2.0],
                        moves: vec![(when, from, to, 1e9)],
                    };
                    torn += usize::from(crossing().read().0 != 5.0);
                    let mut crossing = crossing();
                    let mut readings = 0;
                    let level = settled(near, || {
                        readings += 1;
                        crossing.read()
                    });
                    // A reading may also happen to be the level that it had before.
                    assert!(level == 5.0 || level == near && readings == 1, "{level}");
                }
            }
        }
        assert!(torn > 0, "some readings see one half of a move");
    }

    #[test]
    fn a_level_that_never_rests_is_the_one_nearest_to_the_last() {
        let level = |near: f64, sums: [f64; 5]| {
            let mut readings = sums.into_iter().zip(0..);
            settled(near, || readings.next().expect("at most five readings"))
        };
        let sums = [-1e9, 1e9, -1e9, -1e9, 20.0];
        for (near, expected) in [(7.0, 7.0), (2e9, 1e9), (-3e9, -1e9)] {
            assert_eq!(
                level(near, sums),
                expected,
                "equal sums of other cells do not count"
            );
        }
        for sums in [[3.0; 5], [-0.0; 5]] {
            assert_eq!(level(1.0, sums), sums[0]);
        }
    }

    #[test]
    fn a_level_is_the_sum_of_all_blocks() {
        let list = BlockList::new();
        for (at, n) in [4.0, -1.0, 0.5].into_iter().enumerate() {
            assert!(list.claim().value().cell(9).add(n, false), "{at}");
        }
        for near in [0.0, 3.5, 8.0] {
            assert_eq!((list.level(9, near), list.total(9)), (3.5, 3.5));
        }
        let (before, other) = (list.reading(9), list.reading(10));
        assert!(before.0 == 3.5 && other.0 == 0.0 && before.1 != other.1);
        // The same sum of other cells is another reading.
        let mut signs = [1.0, -1.0].into_iter();
        list.for_each(|block| {
            let moved = signs
                .next()
                .is_none_or(|n| block.value().cell(9).add(n, true));
            assert!(moved);
        });
        assert!(list.reading(9).0 == 3.5 && list.reading(9).1 != before.1);
    }
}
