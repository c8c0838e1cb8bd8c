//! The tracking allocator: its public type.

use std::marker::PhantomData;

use crate::backend::Track;
use crate::mode::{Count, Records, Tags};

/// A global allocator that counts the allocations of another allocator, `A`. Its mode, `M`,
/// determines how much it keeps about each of them.
///
/// ```
/// use std::alloc::System;
/// use stats_memory::{Tags, TrackingAllocator};
///
/// #[global_allocator]
/// static ALLOCATOR: TrackingAllocator<System, Tags> = TrackingAllocator::new(System);
/// # fn main() {}
/// ```
///
/// Allocating and freeing 64 bytes takes 1.2 to 1.3, 1.4 to 1.7 and 1.9 to 2.1 times as long as
/// with glibc alone, in the modes [`Count`], [`Tags`] and [`Records`] (measured on an AMD EPYC and
/// on an Intel Xeon). Without the feature `enabled`, the machine code is that of the inner
/// allocator. The first allocation of a thread takes 13 KiB for its counters, and 2 KiB more for
/// every 64 tags under which the thread allocates.
///
/// All trackers of a process count into the same totals. A program has one, in a `static`, or
/// several for different containers in the same mode. Memory must be freed by the tracker that
/// allocated it.
///
/// An allocation fails if the inner allocator fails, or if it would exceed `isize::MAX` bytes with
/// its header. A successful reallocation counts as an allocation of the new size and a free of the
/// old one. It keeps the tag, except inside an edit of a [`Tagged`](crate::Tagged).
#[derive(Debug)]
pub struct TrackingAllocator<A, M> {
    pub(crate) inner: A,
    mode: PhantomData<fn() -> M>,
}

impl<A: Default, M: Mode> Default for TrackingAllocator<A, M> {
    fn default() -> Self {
        Self::new(A::default())
    }
}

impl<A, M: Mode> TrackingAllocator<A, M> {
    /// Tracks the allocations of `inner`.
    #[must_use]
    pub const fn new(inner: A) -> Self {
        Self {
            inner,
            mode: PhantomData,
        }
    }

    /// Returns the inner allocator, to call its own functions, such as
    /// [`PooledAllocator::publish`](crate::PooledAllocator::publish). Memory that is allocated
    /// through it is not tracked, and must be freed through it.
    pub const fn inner(&self) -> &A {
        &self.inner
    }
}

/// A mode of [`TrackingAllocator`]. Sealed: the modes are [`Count`], [`Tags`] and [`Records`].
pub trait Mode: Track {}

impl Mode for Count {}
impl Mode for Tags {}
impl Mode for Records {}
