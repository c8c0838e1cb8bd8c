//! The trait of pools, for the pooled allocator.
#![expect(unsafe_code, reason = "allocators are unsafe to implement and to call")]

use std::alloc::Layout;

use super::Occupancy;

/// The size of the largest block that any pool has. Larger ones never come from a pool.
pub(super) const LARGEST: usize = 1024;

/// A pool that a [`PooledAllocator`](crate::PooledAllocator) tries for blocks of up to 1 KiB:
/// [`StaticPool`](crate::StaticPool), [`GrowingPool`](crate::GrowingPool), or one of your own.
///
/// # Safety
///
/// A block that [`take`](Self::take) returns is valid for reads and writes of the layout's size, is
/// aligned to it, and belongs to nobody else until it is given back. [`owns`](Self::owns) and
/// [`give`](Self::give) recognize exactly the blocks of this pool. No function allocates from the
/// global allocator, unwinds, or waits for a thread that may allocate.
pub unsafe trait Pool: Sync {
    /// Returns the name, for the series.
    fn name(&self) -> &'static str;

    /// Returns how much of the pool is taken.
    fn occupancy(&self) -> Occupancy;

    /// Takes a block. `None` if the pool does not serve the layout, or has no block left.
    fn take(&self, layout: Layout) -> Option<*mut u8>;

    /// Returns whether a block belongs to this pool. Accepts any pointer.
    fn owns(&self, block: *mut u8) -> bool;

    /// Takes a block back if it belongs to this pool, and returns whether it does. Called on any
    /// thread.
    ///
    /// # Safety
    ///
    /// If the block belongs to this pool, [`take`](Self::take) returned it for this layout, or for
    /// one whose size [`fits`](Self::fits). It was not given back since, and nobody uses it
    /// anymore.
    unsafe fn give(&self, block: *mut u8, layout: Layout) -> bool;

    /// Returns whether a block that was taken for a layout has room for another size.
    fn fits(&self, layout: Layout, bytes: usize) -> bool;
}
