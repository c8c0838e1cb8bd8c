//! Blocks of cells, each with one writer.

use super::layout::BLOCK_CELLS;
use super::owned::{Owned, OwnedList};
use super::sync::{AtomicU64, Ordering};

/// A cell: the bits of a finite `f64`, written by the thread that owns its block and by nobody
/// else.
#[derive(Debug)]
pub(crate) struct Cell(pub(super) AtomicU64);

impl Cell {
    /// The value; at most as old as the last synchronisation with the owner.
    #[inline(always)]
    pub(crate) fn get(&self) -> f64 {
        // Relaxed: a cell is one number by itself and orders nothing else. Coherence alone makes
        // every reader see its totals in the order in which they were written, which is all that
        // "each add in exactly one frame" needs.
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    /// Replaces the value. Owner only (see [`Cell::add`]), or any thread for a cell whose last
    /// value is all that counts.
    #[inline(always)]
    pub(crate) fn set(&self, value: f64) {
        // Relaxed: as in `get`.
        self.0.store(value.to_bits(), Ordering::Relaxed);
    }

    /// Adds; `false` and unchanged where the sum would not be finite. Owner only: two threads at
    /// once would lose adds.
    #[inline(always)]
    pub(crate) fn add(&self, n: f64, always_finite: bool) -> bool {
        let sum = self.get() + n;
        // The cell is finite, so an integer-sized `n` cannot overflow it: 2¹²⁸ is far below half a
        // step of `f64::MAX`.
        if always_finite || sum.is_finite() {
            self.set(sum);
            return true;
        }
        false
    }
}

/// Cells of 1024 neighbouring slots.
#[derive(Debug)]
pub(crate) struct Cells([Cell; BLOCK_CELLS]);

/// Cells that belong to one thread at a time.
pub(crate) type Block = Owned<Cells>;

impl Block {
    /// The cell at an offset below [`BLOCK_CELLS`].
    #[inline(always)]
    pub(crate) fn cell(&self, offset: usize) -> &Cell {
        &self.value().0[offset % BLOCK_CELLS]
    }
}

/// Every block that was ever made for one directory entry.
pub(crate) type BlockList = OwnedList<Cells>;

impl BlockList {
    /// Takes over a block that nobody owns, or adds a zeroed one to the end. The caller owns it
    /// until it releases it.
    pub(crate) fn claim(&self) -> &'static Block {
        self.claim_or(|| Cells(std::array::from_fn(|_| Cell(AtomicU64::new(0)))))
    }

    /// The sum of one offset over all blocks, those of threads long gone included.
    pub(crate) fn total(&self, offset: usize) -> f64 {
        let mut total = 0.0;
        self.for_each(|block| total += block.cell(offset).get());
        total
    }
}
