//! The public type, and its settings.

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use super::backend::Settings;
use super::side::StompMode;

/// A global allocator for finding memory bugs. Each allocation has pages of its own, with an
/// inaccessible page after or before it, and freed memory is inaccessible. Touching either is
/// reported, with the owner of the memory, and ends the process at the faulting access.
///
/// ```
/// use stats_memory::{Overrun, Stomp};
///
/// #[global_allocator]
/// static ALLOCATOR: Stomp<Overrun> = Stomp::new().sizes(64..=4096); // other sizes are the system allocator's
/// # fn main() {}
/// ```
///
/// The [crate's documentation](crate#finding-stray-accesses) describes what it finds and what it
/// costs. All stomp allocators of one mode share a reservation of addresses, created on first use
/// with the settings of the allocator that is used first. No allocation fails because it cannot be
/// guarded: the system's allocator serves it, and the first such allocation for each reason is
/// reported on the error stream. Without the feature `enabled`, and on systems other than Linux,
/// macOS and Windows, it is the system's allocator.
#[derive(Debug)]
pub struct Stomp<M> {
    pub(super) settings: Settings,
    mode: PhantomData<fn() -> M>,
}

impl<M: StompMode> Default for Stomp<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: StompMode> Stomp<M> {
    /// Guards allocations of all sizes.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            settings: Settings::new(),
            mode: PhantomData,
        }
    }

    /// Guards only allocations whose size is in the range; the system's allocator serves the
    /// others. By default all sizes are guarded.
    ///
    /// Use this if a program has more allocations than can be guarded, or is too slow if all are
    /// guarded.
    #[must_use]
    pub const fn sizes(mut self, bytes: RangeInclusive<usize>) -> Self {
        self.settings = self.settings.sizes(*bytes.start(), *bytes.end());
        self
    }

    /// Sets how many bytes of addresses are used before freed ones are used again, the oldest
    /// first. The default is 256 GiB, or 512 MiB if addresses have 32 bits. If the system refuses
    /// that, half of it is tried, and so on.
    ///
    /// This is the size of the reservation, which also contains the live allocations. Each takes
    /// its size in pages and at least one guard page, rounded up to an even number of pages.
    /// Addresses take no memory, but each address that was ever used has a cost: see the [crate's
    /// documentation](crate#finding-stray-accesses).
    #[must_use]
    pub const fn quarantine_bytes(mut self, bytes: usize) -> Self {
        self.settings = self.settings.quarantine_bytes(bytes);
        self
    }

    /// Behaves as on a kernel without guard markers. For tests.
    #[doc(hidden)]
    #[must_use]
    pub const fn without_guard_markers(mut self) -> Self {
        self.settings = self.settings.without_guard_markers();
        self
    }
}
