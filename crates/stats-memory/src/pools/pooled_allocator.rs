//! The pooled allocator: pools of groups, in front of another allocator.
#![expect(unsafe_code, reason = "a global allocator is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout};

use stats_core::Unit;

use super::Pool;
use super::pool::LARGEST;
use crate::{Group, backend};

/// A group and its pools, in the order in which they are tried.
pub type GroupPools = (&'static Group, &'static [&'static dyn Pool]);

/// An allocator that tries the pools of the group that the thread is in, and then an inner
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
///
/// fn end_frame() {
///     stats_memory::publish();
///     ALLOCATOR.inner().publish(); // how full the pools are
/// }
/// # fn main() { end_frame() }
/// ```
///
/// # When to use it
///
/// Pools save no time. Each thread keeps free blocks of each pool, so that taking and giving one is
/// a few plain loads and stores, without a lock or an atomic read-modify-write. Yet an allocation
/// of 64 bytes and its free take about 1.1 times (a static pool) and 1.8 times (a growing one) as
/// long as with glibc, and 2 and 3 times as long as with mimalloc (measured on an AMD EPYC). Half
/// of that is spent on finding the group of the thread, and on finding the pool that a block
/// belongs to: Rust's allocator interface passes neither, so no pool of a group can avoid it. In
/// all groups, each free of up to 1 KiB first asks the pools whether the block belongs to them,
/// which takes about 12 ns with two pools.
///
/// A pool is useful if the blocks of a group should lie together and apart from others, if small
/// blocks of a group should come from memory that was set aside for it, or if the inner allocator
/// takes a lock.
///
/// A block belongs to the pool it came from, no matter which thread frees it and in which scope. A
/// reallocation keeps its block if the new size fits. Otherwise it moves to the pools of the group
/// that the thread is in. Without the feature `enabled` there are no groups, and therefore no
/// pools.
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
    /// Creates an allocator that tries the pools of `groups` before `inner`. Groups that are not
    /// listed use only `inner`.
    #[must_use]
    pub const fn new(inner: A, groups: &'static [GroupPools]) -> Self {
        Self { inner, groups }
    }

    /// Updates the gauges `memory/pools/NAME/blocks`, `…/bytes` and `…/capacity`. Call it once per
    /// frame, next to [`publish`](crate::publish()). Looks the series up by name, which takes a
    /// microsecond for each pool.
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

    /// Takes a block from the pools of the thread's group.
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

    /// Returns the pool that a block came from.
    fn owner(&self, block: *mut u8, layout: Layout) -> Option<&'static dyn Pool> {
        if layout.size() > LARGEST {
            return None;
        }
        let mut pools = self.groups.iter().flat_map(|(_, pools)| *pools);
        pools.find(|pool| pool.owns(block)).copied()
    }
}

// SAFETY: a block comes from a pool, which gives each block to one owner at a time, or from the
// inner allocator, and returns to where it came from. Pools neither allocate from this allocator
// nor panic.
unsafe impl<A: GlobalAlloc> GlobalAlloc for PooledAllocator<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of the inner allocator.
        self.take(layout)
            .unwrap_or_else(|| unsafe { self.inner.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let Some(block) = self.take(layout) else {
            // SAFETY: the caller upholds the contract of the inner allocator.
            return unsafe { self.inner.alloc_zeroed(layout) };
        };
        // SAFETY: the block is at least as long as the layout, and has no other owner.
        unsafe { block.write_bytes(0, layout.size()) };
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if layout.size() <= LARGEST {
            for (_, pools) in self.groups {
                for pool in *pools {
                    // SAFETY: the caller returns the block with its layout, or one whose size fits
                    // the same block.
                    if unsafe { pool.give(block, layout) } {
                        return;
                    }
                }
            }
        }
        // SAFETY: no pool owns it, so the inner allocator provided it for this layout.
        unsafe { self.inner.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        let Some(pool) = self.owner(block, layout) else {
            // SAFETY: as in `dealloc`; the caller upholds the contract of the inner allocator.
            return unsafe { self.inner.realloc(block, layout, bytes) };
        };
        if pool.fits(layout, bytes) {
            return block;
        }
        // SAFETY: the caller promises a size that is valid for the alignment. Both blocks are at
        // least as long as what is copied, and are distinct. The old one is returned as in
        // `dealloc`, after its last use.
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
