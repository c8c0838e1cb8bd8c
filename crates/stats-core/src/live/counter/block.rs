//! Blocks of cells. Each block has one writer at a time.

use super::layout::BLOCK_CELLS;
use crate::live::owned::{Owned, OwnedList};
use crate::live::sync::{AtomicU64, Ordering};
use crate::number::EXACT;

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

    /// Adds `n`, from any thread, even if the sum is not exact. Changes nothing if it is not finite.
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
}
