//! Allocators by group, tried in order.
#![expect(unsafe_code, reason = "a global allocator is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout};

use stats_core::Unit;

use crate::pools::LARGEST;
use crate::{Group, Pool, backend};

/// The pools of a group, in the order in which they are tried.
pub type GroupPools = (&'static Group, &'static [&'static dyn Pool]);

/// An allocator that tries the pools of the group which a thread is in, and then an inner
/// allocator.
///
/// ```
/// use std::alloc::System;
/// use stats_memory::{PooledAllocator, Group, GroupPools, GrowingPool, Pool, StaticPool, Tags, TrackingAllocator};
///
/// static UI: Group = Group::new("ui");
/// static SMALL: StaticPool<512> = StaticPool::new("ui-small"); // 512 KiB for up to 256 bytes
/// static GROWING: GrowingPool = GrowingPool::new("ui-growing"); // up to 1 KiB
/// static POOLS: [GroupPools; 1] = [(&UI, &[&SMALL, &GROWING])];
///
/// #[global_allocator]
/// static ALLOCATOR: TrackingAllocator<PooledAllocator<System>, Tags> = TrackingAllocator::new(PooledAllocator::new(System, &POOLS));
/// # fn main() {}
/// ```
///
/// # When it pays
///
/// Not for speed. A pair of 64 bytes and its free took 13 ns from a static pool and 19 ns from a
/// growing one, where glibc took 8 and mimalloc 5; with two threads on one pool it was 40 to 100
/// ns. Modern allocators have free blocks for each thread, which these pools have not: a group is
/// of all threads. And whatever is freed, from anywhere, has to be asked for first among the pools:
/// 6 ns with two of them, for blocks of up to 1 KiB.
///
/// It pays where a group's blocks are to lie together and apart from those of others, where small
/// blocks of a group are to come from memory that was set aside for it, or over an inner allocator
/// that takes a lock.
///
/// A block belongs to the pool from which it came, whoever frees it in whatever scope. A
/// reallocation stays in its block where that does; otherwise it moves to what the thread's group
/// has. Without the feature `enabled` there are no groups, and so no pools.
#[derive(Clone, Copy)]
pub struct PooledAllocator<A> {
    inner: A,
    groups: &'static [GroupPools],
}

impl<A: std::fmt::Debug> std::fmt::Debug for PooledAllocator<A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PooledAllocator")
            .field("inner", &self.inner)
            .finish_non_exhaustive()
    }
}

impl<A> PooledAllocator<A> {
    /// Groups that are not named here have the inner allocator alone.
    #[must_use]
    pub const fn new(inner: A, groups: &'static [GroupPools]) -> Self {
        Self { inner, groups }
    }

    /// Brings `memory/pools/NAME/blocks`, `…/bytes` and `…/capacity` up to date. Once a frame,
    /// beside [`publish`](crate::publish()). Looks the series up by name: a microsecond for each
    /// pool.
    pub fn publish(&self) {
        for pool in self.groups.iter().flat_map(|(_, pools)| *pools) {
            let occupancy = pool.occupancy();
            let gauge =
                |end: &str| stats_core::gauge(&format!("memory/pools/{}/{end}", pool.name()));
            gauge("blocks").set(occupancy.blocks);
            gauge("bytes").unit(Unit::Bytes).set(occupancy.bytes);
            gauge("capacity")
                .unit(Unit::Bytes)
                .set(occupancy.capacity_bytes);
        }
    }

    /// A block of the pools of the thread's group.
    fn take(&self, layout: Layout) -> Option<*mut u8> {
        if self.groups.is_empty() || layout.size() > LARGEST {
            return None;
        }
        let group = backend::current_group()?;
        let (_, pools) = self
            .groups
            .iter()
            .find(|(named, _)| named.place.is(group))?;
        pools.iter().find_map(|pool| pool.take(layout))
    }

    /// The pool that a block came from.
    fn owner(&self, block: *mut u8, layout: Layout) -> Option<&'static dyn Pool> {
        if layout.size() > LARGEST {
            return None;
        }
        let mut pools = self.groups.iter().flat_map(|(_, pools)| *pools);
        pools.find(|pool| pool.owns(block)).copied()
    }
}

// SAFETY: a block comes from a pool, which gives each to one owner at a time, or from the inner
// allocator, and goes back to where it came from. Pools neither allocate from this allocator, nor
// panic.
unsafe impl<A: GlobalAlloc> GlobalAlloc for PooledAllocator<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are the inner allocator's.
        self.take(layout)
            .unwrap_or_else(|| unsafe { self.inner.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let Some(block) = self.take(layout) else {
            // SAFETY: the caller's promises are the inner allocator's.
            return unsafe { self.inner.alloc_zeroed(layout) };
        };
        // SAFETY: the block has the layout's size at least, and is nobody else's.
        unsafe { block.write_bytes(0, layout.size()) };
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match self.owner(block, layout) {
            // SAFETY: it is the pool's; the caller gives back what it was given, and with its
            // layout, but for a size that fits.
            Some(pool) => unsafe { pool.give(block, layout) },
            // SAFETY: it is no pool's, so the inner allocator gave it for this layout.
            None => unsafe { self.inner.dealloc(block, layout) },
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        let Some(pool) = self.owner(block, layout) else {
            // SAFETY: as in `dealloc`; the caller's promises are the inner allocator's.
            return unsafe { self.inner.realloc(block, layout, bytes) };
        };
        if pool.fits(layout, bytes) {
            return block;
        }
        // SAFETY: the caller says that the size does for the alignment. Both blocks are as long as
        // what is copied, and are two; the old one is given back as in `dealloc`, after the last
        // use.
        unsafe {
            let moved = self.alloc(Layout::from_size_align_unchecked(bytes, layout.align()));
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(block, layout.size().min(bytes));
                pool.give(block, layout);
            }
            moved
        }
    }
}
