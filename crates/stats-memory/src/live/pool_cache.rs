//! The free blocks that each thread keeps for itself, for each pool.
//!
//! A cache has one writer at a time, its thread, so taking and giving a block is a few plain loads
//! and stores. When it runs empty or full, it exchanges a batch with the list that all threads
//! share. A thread that ends leaves its caches, with their blocks, to the next thread.
//!
//! A cache stores the numbers of its blocks instead of linking them, so that threads with adjacent
//! blocks never write to the same cache line.

use std::cell::Cell;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};

use super::own::{self, Links, Member, Slot};

/// The number of sizes of blocks in a pool.
pub(crate) const CLASSES: usize = 16;

/// The number of pools whose blocks are kept. A further pool has only its shared list.
const POOLS: usize = 16;

/// The maximum number of blocks of each size in a cache.
const MAX_BLOCKS: usize = 64;

/// The number of blocks that a full cache gives back, or an empty one fetches.
pub(crate) const BATCH: usize = MAX_BLOCKS / 2;

/// The blocks of one size.
#[derive(Debug)]
struct Blocks {
    /// The blocks that were taken minus those that were given. Negative if the thread frees blocks
    /// that others allocate.
    taken: AtomicI64,
    count: AtomicU32,
    /// The numbers of the blocks, the first `count` of them.
    kept: [AtomicU32; MAX_BLOCKS],
}

/// The blocks of one pool that one thread keeps, and the number that it took.
///
/// Aligned to two cache lines, since processors fetch them in pairs.
#[derive(Debug)]
#[repr(C, align(128))]
pub(crate) struct PoolCache {
    classes: [Blocks; CLASSES],
    links: Links<Self>,
}

impl Member for PoolCache {
    fn links(&self) -> &Links<Self> {
        &self.links
    }
}

// Relaxed, all of these: only the owner writes, and a claim makes the values of the previous owner
// visible. Readers only add them up.
impl PoolCache {
    /// Returns a block if there is one, and counts it as taken.
    #[inline(always)]
    pub(crate) fn take(&self, class: usize) -> Option<u32> {
        let blocks = &self.classes[class % CLASSES];
        let count = blocks.count.load(Ordering::Relaxed).checked_sub(1)?;
        blocks.count.store(count, Ordering::Relaxed);
        blocks.add_taken(1);
        Some(blocks.kept[count as usize % MAX_BLOCKS].load(Ordering::Relaxed))
    }

    /// Keeps a block that is given, and counts it. Returns whether there was room.
    #[inline(always)]
    pub(crate) fn give(&self, class: usize, block: u32) -> bool {
        let has_room = self.keep(class, block);
        if has_room {
            self.classes[class % CLASSES].add_taken(-1);
        }
        has_room
    }

    /// Keeps a block that nobody took. Returns whether there was room.
    #[inline(always)]
    pub(crate) fn keep(&self, class: usize, block: u32) -> bool {
        let blocks = &self.classes[class % CLASSES];
        let count = blocks.count.load(Ordering::Relaxed) as usize;
        let Some(place) = blocks.kept.get(count) else {
            return false;
        };
        place.store(block, Ordering::Relaxed);
        blocks.count.store(count as u32 + 1, Ordering::Relaxed);
        true
    }

    /// Returns a block that is kept, without counting it.
    pub(crate) fn remove(&self, class: usize) -> Option<u32> {
        let blocks = &self.classes[class % CLASSES];
        let count = blocks.count.load(Ordering::Relaxed).checked_sub(1)?;
        blocks.count.store(count, Ordering::Relaxed);
        Some(blocks.kept[count as usize % MAX_BLOCKS].load(Ordering::Relaxed))
    }

    /// Counts a block as taken, although it was not kept.
    pub(crate) fn note_taken(&self, class: usize) {
        self.classes[class % CLASSES].add_taken(1);
    }
}

impl Blocks {
    #[inline(always)]
    fn add_taken(&self, blocks: i64) {
        let sum = self.taken.load(Ordering::Relaxed).wrapping_add(blocks);
        self.taken.store(sum, Ordering::Relaxed);
    }
}

/// The caches of a pool.
#[derive(Debug)]
pub(crate) struct PoolCaches {
    /// The pool's number plus one; 0 until it is used.
    number: AtomicU32,
    first: Slot<PoolCache>,
}

/// The number of pools that were used.
static USED: AtomicU32 = AtomicU32::new(0);

/// Releases the thread's caches when the thread ends.
struct Guard;

// As for shards: the first two have no destructor.
thread_local! {
    static CACHES: [Cell<Option<&'static PoolCache>>; POOLS] =
        const { [const { Cell::new(None) }; POOLS] };
    /// Whether the thread has released its caches.
    static IS_GONE: Cell<bool> = const { Cell::new(false) };
    static GUARD: Guard = const { Guard };
}

impl Drop for Guard {
    fn drop(&mut self) {
        IS_GONE.set(true);
        CACHES.with(|caches| {
            let caches = caches.iter().filter_map(Cell::take);
            caches.for_each(|cache| cache.links.release());
        });
    }
}

impl PoolCaches {
    pub(crate) const fn new() -> Self {
        Self {
            number: AtomicU32::new(0),
            first: Slot::new(),
        }
    }

    /// Returns this thread's cache, if it has one.
    #[inline(always)]
    pub(crate) fn of_thread(&self) -> Option<&'static PoolCache> {
        // Relaxed: a single number.
        let number = self.number.load(Ordering::Relaxed) as usize;
        CACHES.with(|caches| caches.get(number.wrapping_sub(1))?.get())
    }

    /// Returns this thread's cache, and claims one if needed. `None` for the pools beyond the
    /// limit, at the end of the thread, or if there is no memory left.
    pub(crate) fn of_thread_or_claim(&self) -> Option<&'static PoolCache> {
        if IS_GONE.get() {
            return None;
        }
        let number = self.number();
        CACHES.with(|caches| {
            let place = caches.get(number)?;
            if let Some(cache) = place.get() {
                return Some(cache);
            }
            let cache = own::claim(&self.first)?;
            // Before the guard, which may allocate, and so come back here.
            place.set(Some(cache));
            // Fails only if the thread is ending. Then nobody adopts the cache.
            let _ = GUARD.try_with(|_| ());
            Some(cache)
        })
    }

    /// Returns the pool's number, and gives it one if it has none.
    fn number(&self) -> usize {
        // Relaxed, all of these: single numbers. If two threads are here at once, one number stays
        // unused.
        if self.number.load(Ordering::Relaxed) == 0 {
            let fresh = USED.fetch_add(1, Ordering::Relaxed) + 1;
            let _ = self
                .number
                .compare_exchange(0, fresh, Ordering::Relaxed, Ordering::Relaxed);
        }
        self.number.load(Ordering::Relaxed) as usize - 1
    }

    /// Returns the blocks of each size that all threads took.
    pub(crate) fn taken(&self) -> [i64; CLASSES] {
        let mut taken = [0_i64; CLASSES];
        own::for_each(&self.first, |cache| {
            for (sum, blocks) in taken.iter_mut().zip(&cache.classes) {
                *sum = sum.wrapping_add(blocks.taken.load(Ordering::Relaxed));
            }
        });
        taken
    }
}
