//! Where an add lands: each thread's own blocks, found through a directory in thread-local storage.
//!
//! The hot path is a slot, a thread-local load, one null check that is predicted, and a load and a
//! store of the cell. The check catches three things at once: a new thread, a static that was not
//! used yet, and a block not touched so far.

use std::cell::Cell as LocalCell;
use std::marker::PhantomData;

use super::block::{Block, BlockList, Cell};
use super::layout::{BLOCK_CELLS, BLOCKS, Spot};
use super::owned::OwnedList;
use super::place::refuse;
use super::sync::{AtomicU64, Link};

/// All blocks of all threads, by directory entry.
static LISTS: [BlockList; BLOCKS] = [const { OwnedList(Link::new()) }; BLOCKS];

/// The cells of gauges, one for all threads: the last value set wins, whoever set it.
static SHARED: [Link<&'static Block>; BLOCKS] = [const { Link::new() }; BLOCKS];

/// A thread's blocks. It has no destructor, so that reaching it costs no check and works until the
/// thread's very end.
struct Directory {
    blocks: [LocalCell<Option<&'static Block>>; BLOCKS],
    /// How many [`Held`] cells point into the blocks; they are not given up before the last of them
    /// is gone.
    locals: LocalCell<usize>,
    /// Set while the cold path runs, which allocates: a global allocator that counts would come
    /// back here.
    busy: LocalCell<bool>,
}

/// Gives the thread's blocks up when the thread ends. Touched on the cold path alone.
struct Guard;

thread_local! {
    static DIRECTORY: Directory = const {
        Directory {
            blocks: [const { LocalCell::new(None) }; BLOCKS],
            locals: LocalCell::new(0),
            busy: LocalCell::new(false),
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
        for entry in &self.blocks {
            if let Some(block) = entry.take() {
                block.release();
            }
        }
    }

    /// The thread's block for a slot, claimed if need be.
    fn block(&self, spot: Spot) -> &'static Block {
        let entry = &self.blocks[spot.block()];
        entry.get().unwrap_or_else(|| {
            let block = LISTS[spot.block()].claim();
            entry.set(Some(block));
            block
        })
    }
}

/// The thread's own block for a slot; `None` where [`cold`] has work to do first.
#[inline(always)]
pub(crate) fn own_block(spot: Spot) -> Option<&'static Block> {
    DIRECTORY.with(|directory| directory.blocks[spot.block()].get())
}

/// Runs work that may allocate; `None` when called from inside itself, as a counting global
/// allocator would.
#[cold]
#[inline(never)]
pub(crate) fn guarded<R>(work: impl FnOnce() -> R) -> Option<R> {
    DIRECTORY.with(|directory| {
        if directory.busy.replace(true) {
            return None;
        }
        let result = work();
        directory.busy.set(false);
        Some(result)
    })
}

/// Runs work during which this thread's cold path refuses; see [`guarded`].
pub(crate) fn refusing<R>(work: impl FnOnce() -> R) -> R {
    DIRECTORY.with(|directory| {
        let was_busy = directory.busy.replace(true);
        let result = work();
        directory.busy.set(was_busy);
        result
    })
}

/// Runs `write` on the thread's own block for the spot that `register` finds; `None` as for
/// [`guarded`].
///
/// After the thread's guard has gone, in the destructors of other thread-locals, the block is owned
/// for this one call only.
#[cold]
#[inline(never)]
pub(crate) fn cold<R>(
    register: impl FnOnce() -> Spot,
    write: impl FnOnce(&'static Block, Spot) -> R,
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

/// The shared block of a slot, made on first use.
#[inline(always)]
pub(crate) fn shared_block(spot: Spot) -> Option<&'static Block> {
    SHARED[spot.block()].get().copied()
}

/// Makes sure that the slot has a shared block.
pub(crate) fn make_shared_block(spot: Spot) -> &'static Block {
    // Owned for ever by nobody in particular: its list is its own, so no thread adopts it.
    SHARED[spot.block()].get_or_init(|| OwnedList(Link::new()).claim())
}

/// What was ever added to a slot, over all threads; finite.
pub(crate) fn total(spot: Spot) -> f64 {
    clamp(LISTS[spot.block()].total(spot.offset()))
}

/// The value last set; 0 before the first.
pub(crate) fn last_set(spot: Spot) -> f64 {
    shared_block(spot).map_or(0.0, |block| block.cell(spot.offset()).get())
}

/// Calls `visit` with every thread's block for a directory entry.
pub(crate) fn for_each_block(index: usize, visit: impl FnMut(&'static Block)) {
    LISTS[index].for_each(visit);
}

/// The most blocks that any directory entry of the first `slots` slots has: as many threads once
/// counted in it at the same time.
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

/// Each cell is finite, their sum may not be.
pub(crate) fn clamp(total: f64) -> f64 {
    total.clamp(-f64::MAX, f64::MAX)
}

/// A cell of this thread, held open: adding to it needs neither look-up nor check.
#[derive(Debug)]
pub(crate) struct Held {
    cell: &'static Cell,
    /// Not `Send`: the cell has one writer, the thread that owns its block.
    _thread: PhantomData<*const ()>,
}

impl Held {
    /// Opens the cell of a slot. From inside an allocation that the core itself makes, values go
    /// nowhere; that is one refusal.
    pub(crate) fn new(register: impl FnOnce() -> Spot) -> Self {
        static NOWHERE: Cell = Cell(AtomicU64::new(0));
        // Counted before the block is claimed: after the guard has gone, the claim would end with
        // `cold` otherwise.
        DIRECTORY.with(|directory| directory.locals.set(directory.locals.get() + 1));
        let cell = cold(register, |block, spot| block.cell(spot.offset()));
        if cell.is_none() {
            refuse();
        }
        Self {
            cell: cell.unwrap_or(&NOWHERE),
            _thread: PhantomData,
        }
    }

    #[inline(always)]
    pub(crate) fn cell(&self) -> &'static Cell {
        self.cell
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        DIRECTORY.with(|directory| {
            directory.locals.set(directory.locals.get() - 1);
            // The guard has gone already when a `Local` sits in a thread-local of the program: give
            // the blocks up now.
            if GUARD.try_with(|_| ()).is_err() {
                directory.release_unless_used();
            }
        });
    }
}
