//! Blocks of cells. Each block has one writer at a time.

use super::layout::BLOCK_CELLS;
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

    /// Adds `n`, from any thread. Returns `false` and changes nothing if the sum is not finite.
    #[inline(always)]
    pub(crate) fn add_shared(&self, n: f64) -> bool {
        // Relaxed: as in `get`. The exchange itself makes every add read the previous one.
        let sum = |bits| Some(f64::from_bits(bits) + n).filter(|sum| sum.is_finite());
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |bits| {
                sum(bits).map(f64::to_bits)
            })
            .is_ok()
    }

    /// Adds `n`. Returns `false` and changes nothing if the sum is not finite. For the owner only:
    /// two threads at once would lose adds.
    #[inline(always)]
    pub(crate) fn add(&self, n: f64, always_finite: bool) -> bool {
        let sum = self.get() + n;
        // The cell is finite, so an integer cannot overflow it: 2¹²⁸ is far below half a step of
        // `f64::MAX`.
        if always_finite || sum.is_finite() {
            self.set(sum);
            return true;
        }
        false
    }
}

/// The cells of 1024 consecutive slots.
#[derive(Debug)]
pub(crate) struct Cells([Cell; BLOCK_CELLS]);

/// Cells that belong to one thread at a time.
pub(crate) type Block = Owned<Cells>;

impl Block {
    /// Returns the cell at an offset below [`BLOCK_CELLS`].
    #[inline(always)]
    pub(crate) fn cell(&self, offset: usize) -> &Cell {
        &self.value().0[offset % BLOCK_CELLS]
    }

    /// Returns all cells, by their offset.
    #[inline(always)]
    pub(crate) fn cells(&self) -> &[Cell] {
        &self.value().0
    }

    /// Returns the offset of a cell of this block; `None` for any other cell.
    pub(super) fn offset_of(&self, cell: &Cell) -> Option<usize> {
        let first = &raw const self.value().0;
        let bytes = (&raw const *cell).addr().checked_sub(first.addr())?;
        Some(bytes / size_of::<Cell>()).filter(|&offset| offset < BLOCK_CELLS)
    }
}

/// All blocks for one directory entry, one for each thread that counts there.
pub(crate) type BlockList = OwnedList<Cells>;

impl BlockList {
    /// Adopts a block without an owner, or appends a zeroed one. The caller owns it until it
    /// releases it.
    pub(crate) fn claim(&self) -> &'static Block {
        self.claim_or(|| Cells(std::array::from_fn(|_| Cell::zero())))
    }

    /// Returns the sum of one cell over all blocks, including those left by threads that ended.
    pub(crate) fn total(&self, offset: usize) -> f64 {
        let mut total = 0.0;
        self.for_each(|block| total += block.cell(offset).get());
        total
    }
}
