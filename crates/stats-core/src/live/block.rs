//! Blocks of cells with one writer each, and the lists that keep them for ever.

use super::layout::BLOCK_CELLS;
use super::sync::{AtomicBool, AtomicU64, Link, Ordering};

/// A cell: the bits of a finite `f64`, written by the thread that owns its block and by nobody else.
#[derive(Debug)]
pub(crate) struct Cell(pub(super) AtomicU64);

impl Cell {
    /// The value; at most as old as the last synchronisation with the owner.
    #[inline(always)]
    pub(crate) fn get(&self) -> f64 {
        // Relaxed: a cell is one number by itself and orders nothing else. Coherence alone makes every reader see its
        // totals in the order in which they were written, which is all that "each add in exactly one frame" needs.
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    /// Replaces the value. Owner only (see [`Cell::add`]), or any thread for a cell whose last value is all that counts.
    #[inline(always)]
    pub(crate) fn set(&self, value: f64) {
        // Relaxed: as in `get`.
        self.0.store(value.to_bits(), Ordering::Relaxed);
    }

    /// Adds; `false` and unchanged where the sum would not be finite. Owner only: two threads at once would lose adds.
    #[inline(always)]
    pub(crate) fn add(&self, n: f64, always_finite: bool) -> bool {
        let sum = self.get() + n;
        // The cell is finite, so an integer-sized `n` cannot overflow it: 2¹²⁸ is far below half a step of `f64::MAX`.
        if always_finite || sum.is_finite() {
            self.set(sum);
            return true;
        }
        false
    }
}

/// Cells of 1024 neighbouring slots, for one thread at a time.
#[derive(Debug)]
pub(crate) struct Block {
    next: Link<&'static Block>,
    owned: AtomicBool,
    /// Keeps the cells off the cache lines of whatever the allocator put next to them, for another thread to write.
    _before: [u64; 8],
    cells: [Cell; BLOCK_CELLS],
    _after: [u64; 8],
}

impl Block {
    fn leak_owned() -> &'static Self {
        Box::leak(Box::new(Self {
            next: Link::new(),
            owned: AtomicBool::new(true),
            _before: [0; 8],
            cells: std::array::from_fn(|_| Cell(AtomicU64::new(0))),
            _after: [0; 8],
        }))
    }

    /// The cell at an offset below [`BLOCK_CELLS`].
    #[inline(always)]
    pub(crate) fn cell(&self, offset: usize) -> &Cell {
        &self.cells[offset % BLOCK_CELLS]
    }

    fn try_claim(&self) -> bool {
        // Acquire, paired with the Release in `release`: the new owner sees the totals that the last one left. With
        // Relaxed it could read an older total and store over adds that were made (a model shows it).
        self.owned.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Gives the block up, totals and all, for another thread to adopt. Owner only, which it stops being.
    pub(crate) fn release(&self) {
        // Release: see `try_claim`.
        self.owned.store(false, Ordering::Release);
    }
}

/// Every block that was ever made for one directory entry. It only grows, and only when no block is free.
#[derive(Debug)]
pub(crate) struct BlockList(pub(crate) Link<&'static Block>);

impl BlockList {
    /// Takes over a block that nobody owns, or adds a zeroed one to the end. The caller owns it until it releases it.
    pub(crate) fn claim(&self) -> &'static Block {
        let mut link = &self.0;
        let mut fresh = None;
        loop {
            if let Some(block) = link.get() {
                // With a fresh block in hand the race for the end was lost once: go on to place it.
                if fresh.is_none() && block.try_claim() {
                    return block;
                }
                link = &block.next;
            } else {
                let block = *fresh.get_or_insert_with(Block::leak_owned);
                if link.set(block).is_ok() {
                    return block;
                }
            }
        }
    }

    /// The sum of one offset over all blocks, those of threads long gone included.
    pub(crate) fn total(&self, offset: usize) -> f64 {
        let mut total = 0.0;
        self.for_each(|block| total += block.cell(offset).get());
        total
    }

    /// Calls `visit` with every block, in the order in which they were made.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(&'static Block)) {
        let mut link = &self.0;
        while let Some(block) = link.get() {
            visit(block);
            link = &block.next;
        }
    }
}
