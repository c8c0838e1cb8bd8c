//! Pools of small blocks for groups, and the allocator that tries them before its inner one.

mod free_list;
mod growing_pool;
mod occupancy;
mod static_pool;
#[cfg(test)]
mod tests;

pub use growing_pool::GrowingPool;
pub use occupancy::Occupancy;
pub use static_pool::StaticPool;

use std::alloc::Layout;
use std::sync::atomic as sync;

/// The size of the largest block that any pool has. Larger ones never come from a pool.
pub(crate) const LARGEST: usize = 1024;

/// A pool that a [`PooledAllocator`] tries. Sealed: the pools are [`StaticPool`] and
/// [`GrowingPool`].
pub trait Pool: Sync + sealed::Sealed {
    /// Returns the name, for the series.
    fn name(&self) -> &'static str;

    /// Returns how much of the pool is taken.
    fn occupancy(&self) -> Occupancy;

    /// Takes a block. `None` if the pool does not serve the layout, or has no block left.
    #[doc(hidden)]
    fn take(&self, layout: Layout) -> Option<*mut u8>;

    /// Returns whether a block belongs to this pool.
    #[doc(hidden)]
    fn owns(&self, block: *mut u8) -> bool;

    /// Takes a block back.
    ///
    /// # Safety
    ///
    /// [`take`](Self::take) returned the block for this layout, or for one whose size
    /// [`fits`](Self::fits). It was not given back since, and nobody uses it any more.
    #[doc(hidden)]
    unsafe fn give(&self, block: *mut u8, layout: Layout);

    /// Returns whether a block taken for one size is right for another.
    #[doc(hidden)]
    fn fits(&self, layout: Layout, bytes: usize) -> bool;
}

mod sealed {
    /// Keeps [`Pool`](super::Pool) inside this crate, which vouches for the blocks that its pools
    /// return.
    pub trait Sealed {}
}
