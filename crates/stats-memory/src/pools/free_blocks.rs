//! The free blocks of a pool: those that threads keep for themselves, and those that all share.

use std::sync::atomic::AtomicU32;

use super::Occupancy;
use super::free_list::FreeList;
use super::occupancy::TakenBlocks;
use crate::backend::{BATCH, CLASSES, PoolCaches};

/// Where the link of each block is, by the block's number.
pub(super) trait Links {
    /// The bytes by which sizes differ.
    const UNIT: usize;

    fn link(&self, block: u32) -> Option<&AtomicU32>;

    /// Makes blocks of a size, and returns the first. Those after it go to the shared list.
    fn more(&self, shared: &FreeList, class: usize) -> Option<u32>;
}

/// The free blocks of each size, and how many are taken.
#[derive(Debug)]
pub(super) struct FreeBlocks {
    shared: [FreeList; CLASSES],
    caches: PoolCaches,
    /// The blocks that threads without a cache took.
    taken: TakenBlocks,
}

impl FreeBlocks {
    pub(super) const fn new() -> Self {
        Self {
            shared: [const { FreeList::new() }; CLASSES],
            caches: PoolCaches::new(),
            taken: TakenBlocks::new(),
        }
    }

    /// Takes a block of a size.
    #[inline(always)]
    pub(super) fn take(&self, class: usize, links: &impl Links) -> Option<u32> {
        let kept = self.caches.of_thread().and_then(|cache| cache.take(class));
        kept.or_else(|| self.take_shared(class, links))
    }

    /// Takes a block from the shared list, and fills the thread's empty cache from it.
    #[cold]
    #[inline(never)]
    fn take_shared<L: Links>(&self, class: usize, links: &L) -> Option<u32> {
        let first = self.shared(class, links)?;
        let Some(cache) = self.caches.of_thread_or_claim() else {
            self.taken.add((class + 1) * L::UNIT);
            return Some(first);
        };
        cache.note_taken(class);
        for _ in 0..BATCH.saturating_sub(1) {
            match self.shared[class].pop(|block| links.link(block)) {
                Some(block) => _ = cache.keep(class, block),
                None => break,
            }
        }
        Some(first)
    }

    /// Takes a block from the shared list, or a new one.
    #[cold]
    fn shared(&self, class: usize, links: &impl Links) -> Option<u32> {
        let list = &self.shared[class];
        list.pop(|block| links.link(block))
            .or_else(|| links.more(list, class))
    }

    /// Takes a block of a size back.
    #[inline(always)]
    pub(super) fn give(&self, class: usize, block: u32, links: &impl Links) {
        let cache = self.caches.of_thread();
        if !cache.is_some_and(|cache| cache.give(class, block)) {
            self.give_shared(class, block, links);
        }
    }

    /// Makes room in the thread's full cache by giving half of its blocks to the shared list.
    #[cold]
    #[inline(never)]
    fn give_shared<L: Links>(&self, class: usize, block: u32, links: &L) {
        let share = |block: u32| {
            if let Some(link) = links.link(block) {
                self.shared[class].push(block, link);
            }
        };
        let Some(cache) = self.caches.of_thread_or_claim() else {
            self.taken.sub((class + 1) * L::UNIT);
            return share(block);
        };
        if !cache.give(class, block) {
            std::iter::from_fn(|| cache.remove(class))
                .take(BATCH)
                .for_each(share);
            cache.give(class, block);
        }
    }

    /// Returns how much of a pool with this capacity is taken.
    pub(super) fn occupancy<L: Links>(&self, capacity_bytes: usize) -> Occupancy {
        let (mut blocks, mut bytes) = (0_i64, 0_i64);
        for (class, taken) in (1..).zip(self.caches.taken()) {
            blocks = blocks.wrapping_add(taken);
            bytes = bytes.wrapping_add(taken.wrapping_mul(class * L::UNIT as i64));
        }
        let others = self.taken.occupancy(capacity_bytes);
        // A thread without a cache may have freed blocks that others took: its number is then
        // negative.
        let sum = |of: usize, more: i64| (of as i64).wrapping_add(more).max(0) as usize;
        Occupancy {
            blocks: sum(others.blocks, blocks),
            bytes: sum(others.bytes, bytes),
            capacity_bytes,
        }
    }
}
