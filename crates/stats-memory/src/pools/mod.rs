//! Pools of small blocks, which a [`PooledAllocator`](crate::PooledAllocator) tries before its inner allocator.

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
// Under a name that the models in `stats-loom` have as well: they compile the free list against
// loom's.
use std::sync::atomic as sync;

/// Bytes of the largest block that any pool has: what is larger is no pool's.
pub(crate) const LARGEST: usize = 1024;

/// A pool that a [`PooledAllocator`](crate::PooledAllocator) tries. Sealed: [`StaticPool`] and [`GrowingPool`] are all
/// there is.
pub trait Pool: Sync + sealed::Sealed {
    /// The name, for the series.
    fn name(&self) -> &'static str;

    /// What is taken of it.
    fn occupancy(&self) -> Occupancy;

    /// A block; `None` where the layout is not for this pool, or it has none left.
    #[doc(hidden)]
    fn take(&self, layout: Layout) -> Option<*mut u8>;

    /// Whether a block is this pool's.
    #[doc(hidden)]
    fn owns(&self, block: *mut u8) -> bool;

    /// Takes a block back.
    ///
    /// # Safety
    ///
    /// [`take`](Self::take) gave it for this layout, or one of a size that [`fits`](Self::fits), it was not given back since, and nobody uses
    /// it any more.
    #[doc(hidden)]
    unsafe fn give(&self, block: *mut u8, layout: Layout);

    /// Whether a block taken for one size does for another.
    #[doc(hidden)]
    fn fits(&self, layout: Layout, bytes: usize) -> bool;
}

mod sealed {
    /// Keeps [`Pool`](super::Pool) to this crate, which vouches for what its pools hand out.
    pub trait Sealed {}
}
