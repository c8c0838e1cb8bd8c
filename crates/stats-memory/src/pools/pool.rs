//! The trait that the pools implement for the pooled allocator.
#![expect(unsafe_code, reason = "taking back a block is unsafe to call")]

use std::alloc::Layout;

use super::Occupancy;

/// The size of the largest block that any pool has. Larger ones never come from a pool.
pub(super) const LARGEST: usize = 1024;

/// A pool that a [`PooledAllocator`](crate::PooledAllocator) tries. Sealed: the pools are
/// [`StaticPool`](crate::StaticPool) and
/// [`GrowingPool`](crate::GrowingPool).
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
    /// [`fits`](Self::fits). It was not given back since, and nobody uses it anymore.
    #[doc(hidden)]
    unsafe fn give(&self, block: *mut u8, layout: Layout);

    /// Returns whether a block taken for one size is right for another.
    #[doc(hidden)]
    fn fits(&self, layout: Layout, bytes: usize) -> bool;
}

pub(super) mod sealed {
    /// Keeps [`Pool`](super::Pool) inside this crate, which vouches for the blocks that its pools
    /// return.
    pub trait Sealed {}
}
