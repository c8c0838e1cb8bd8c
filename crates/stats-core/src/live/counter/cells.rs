//! A thread's own blocks, and the totals over all threads.
//!
//! An add finds its block through a directory in thread-local storage: one thread-local load, one
//! null check that the processor predicts, and a load and a store of the cell. The null check
//! covers three cases at once: a new thread, a `static` that has no slot yet, and a block that
//! this thread has not touched. They all take the cold path, which registers the series, claims a
//! block and stores it in the directory.

use std::cell::Cell as LocalCell;
use std::marker::PhantomData;
use std::panic::Location;

use super::block::{Block, BlockList, Cell, Outcome};
use super::layout::{BLOCK_CELLS, BLOCKS, Spot};
use crate::Number;
use crate::live::owned::OwnedList;
use crate::live::reentrancy::guarded;
use crate::live::refusals::{refuse, refuse_at, report_inexact};
use crate::live::sync::Link;

/// The blocks of all threads, by directory entry.
static LISTS: [BlockList; BLOCKS] = [const { OwnedList::new() }; BLOCKS];

/// The cells of gauges, shared by all threads: the last value set wins, from any thread.
static SHARED: [Link<Block>; BLOCKS] = [const { Link::new() }; BLOCKS];

/// A thread's blocks. It has no destructor, so access needs no check and works until the very end
/// of the thread.
struct Directory {
    blocks: [LocalCell<Option<Block>>; BLOCKS],
    /// The number of live [`Held`] cells. The blocks are not released before the last one is
    /// dropped.
    locals: LocalCell<usize>,
}

/// Releases the thread's blocks when the thread ends. Only the cold path touches it.
struct Guard;

thread_local! {
    static DIRECTORY: Directory = const {
        Directory {
            blocks: [const { LocalCell::new(None) }; BLOCKS],
            locals: LocalCell::new(0),
        }
    };
    static GUARD: Guard = const { Guard };
}

impl Drop for Guard {
    fn drop(&mut self) {
        DIRECTORY.with(Directory::release_unless_used);
    }
}

impl Directory {
    fn release_unless_used(&self) {
        if self.locals.get() > 0 {
            return;
        }
        for (entry, list) in self.blocks.iter().zip(&LISTS) {
            if let Some(block) = entry.take() {
                list.release(block);
            }
        }
    }

    /// Returns the thread's block for a slot, claiming one if it has none.
    fn block(&self, spot: Spot) -> Block {
        let entry = &self.blocks[spot.block()];
        entry.get().unwrap_or_else(|| {
            let block = *LISTS[spot.block()].claim().value();
            entry.set(Some(block));
            block
        })
    }
}

/// Returns the thread's own block for a slot; `None` if [`cold`] has to find it.
#[inline(always)]
pub(crate) fn own_block(spot: Spot) -> Option<Block> {
    DIRECTORY.with(|directory| directory.blocks[spot.block()].get())
}

/// Runs `write` on the thread's own block for the spot that `register` returns. Returns `None` as
/// [`guarded`] does.
///
/// In the destructors of thread-locals, after the thread's guard is dropped, the thread owns the
/// block for this one call only.
#[cold]
#[inline(never)]
pub(crate) fn cold<R>(
    register: impl FnOnce() -> Spot,
    write: impl FnOnce(Block, Spot) -> R,
) -> Option<R> {
    guarded(|| {
        let spot = register();
        let alive = GUARD.try_with(|_| ()).is_ok();
        DIRECTORY.with(|directory| {
            let result = write(directory.block(spot), spot);
            if !alive {
                directory.release_unless_used();
            }
            result
        })
    })
}

/// Returns the shared block of a slot; `None` before [`make_shared_block`] created it.
#[inline(always)]
pub(crate) fn shared_block(spot: Spot) -> Option<Block> {
    SHARED[spot.block()].get().copied()
}

/// Returns the shared block of a slot, creating it if there is none.
pub(crate) fn make_shared_block(spot: Spot) -> Block {
    *SHARED[spot.block()].get_or_init(Block::new)
}

/// Returns the sum of all adds to a slot over all threads; always finite.
pub(crate) fn total(spot: Spot) -> f64 {
    clamp(LISTS[spot.block()].total(spot.offset()))
}

/// Returns the value of a level; always finite. If it changes while it is read, `near` decides: see
/// [`BlockList::level`].
pub(crate) fn level(spot: Spot, near: f64) -> f64 {
    clamp(LISTS[spot.block()].level(spot.offset(), near))
}

/// Returns the value that a gauge was last set to; 0 if it was never set.
pub(crate) fn last_set(spot: Spot) -> f64 {
    shared_block(spot).map_or(0.0, |block| block.cell(spot.offset()).get())
}

/// Calls `visit` with every thread's block for a directory entry.
pub(crate) fn for_each_block(index: usize, mut visit: impl FnMut(Block)) {
    LISTS[index].for_each(|owned| visit(*owned.value()));
}

/// Returns the largest number of blocks of any directory entry of the first `slots` slots, which is
/// the number of threads that once counted there at the same time.
pub(crate) fn block_sets(slots: u32) -> usize {
    let blocks_of = |list: &BlockList| {
        let mut blocks = 0;
        list.for_each(|_| blocks += 1);
        blocks
    };
    LISTS
        .iter()
        .take((slots as usize).div_ceil(BLOCK_CELLS))
        .map(blocks_of)
        .max()
        .unwrap_or(0)
}

/// Returns the finite number closest to a sum of cells: each cell is finite, but their sum may not
/// be.
pub(crate) fn clamp(total: f64) -> f64 {
    total.clamp(-f64::MAX, f64::MAX)
}

/// A handle to a cell of this thread. Adding to it needs neither a lookup nor a null check.
#[derive(Debug)]
pub struct Held {
    cell: &'static Cell,
    /// Not `Send`: the cell has one writer, the thread that owns its block.
    _thread: PhantomData<*const ()>,
}

impl Held {
    /// Returns a handle to the cell of a slot. Inside an allocation that the core itself makes,
    /// there is no cell: its values are discarded, and that counts as one refusal.
    pub(crate) fn new(register: impl FnOnce() -> Spot) -> Self {
        static DISCARDED: Cell = Cell::zero();
        // Counted before the block is claimed: otherwise `cold` would release the block again once
        // the guard is dropped.
        DIRECTORY.with(|directory| directory.locals.set(directory.locals.get() + 1));
        let cell = cold(register, |block, spot| block.cell(spot.offset()));
        if cell.is_none() {
            refuse();
        }
        Self {
            cell: cell.unwrap_or(&DISCARDED),
            _thread: PhantomData,
        }
    }

    #[inline(always)]
    #[track_caller]
    pub(crate) fn add<N: Number>(&self, n: N) {
        match n.to_summand() {
            Some(n) => self.add_f64(n, N::IS_INTEGER),
            None => self.refuse(),
        }
    }

    #[inline(always)]
    #[track_caller]
    pub(crate) fn sub<N: Number>(&self, n: N) {
        match n.to_summand() {
            Some(n) => self.add_f64(-n, N::IS_INTEGER),
            None => self.refuse(),
        }
    }

    #[inline(always)]
    #[track_caller]
    fn add_f64(&self, n: f64, is_integer: bool) {
        if !self.cell.add(n, is_integer) {
            self.add_cold(n);
        }
    }

    /// Adds a number to a total that is not exact, or refuses it.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn add_cold(&self, n: f64) {
        match self.cell.add_inexact(n) {
            Outcome::Added => {}
            Outcome::LeftExactRange => report_inexact(self.spot(), Some(Location::caller())),
            Outcome::Refused => self.refuse(),
        }
    }

    /// Counts a refused value, and reports the caller's location.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn refuse(&self) {
        refuse_at(self.spot(), Location::caller());
    }

    /// Returns the spot of the cell, found by its address: a field for it would double the size.
    fn spot(&self) -> Spot {
        DIRECTORY.with(|directory| {
            let spot = |(index, entry): (usize, &LocalCell<Option<Block>>)| {
                let offset = entry.get()?.offset_of(self.cell)?;
                Some(Spot::of((index * BLOCK_CELLS + offset) as u32))
            };
            let mut entries = directory.blocks.iter().enumerate();
            entries.find_map(spot).unwrap_or(Spot::SINK)
        })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        DIRECTORY.with(|directory| {
            directory.locals.set(directory.locals.get() - 1);
            // The guard is dropped already if the program keeps a `LocalCounter` in a
            // thread-local: release the blocks now.
            if GUARD.try_with(|_| ()).is_err() {
                directory.release_unless_used();
            }
        });
    }
}
