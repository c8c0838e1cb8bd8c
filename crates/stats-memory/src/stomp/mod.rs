//! The stomp allocator: guard pages, so that who tramples on memory is caught in the act.

#[cfg(all(
    feature = "enabled",
    any(target_os = "linux", target_os = "macos", windows)
))]
mod live;
#[cfg(all(
    feature = "enabled",
    any(target_os = "linux", target_os = "macos", windows)
))]
use live as backend;

#[cfg(not(all(
    feature = "enabled",
    any(target_os = "linux", target_os = "macos", windows)
)))]
mod off;
#[cfg(not(all(
    feature = "enabled",
    any(target_os = "linux", target_os = "macos", windows)
)))]
use off as backend;

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use sealed::Side;

/// Catches reads and writes after an allocation's end, when they happen.
#[derive(Clone, Copy, Debug)]
pub enum Overrun {}

/// Catches reads and writes before an allocation's begin, when they happen.
#[derive(Clone, Copy, Debug)]
pub enum Underrun {}

/// A mode of [`Stomp`]. Sealed: [`Overrun`] and [`Underrun`] are all there is.
pub trait StompMode: sealed::Guarded {}

impl StompMode for Overrun {}
impl StompMode for Underrun {}

mod sealed {
    /// On which side of an allocation the guard page is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Side {
        /// Right after it.
        After,
        /// Right before it.
        Before,
    }

    pub trait Guarded {
        const SIDE: Side;
    }
}

impl sealed::Guarded for Overrun {
    const SIDE: Side = Side::After;
}

impl sealed::Guarded for Underrun {
    const SIDE: Side = Side::Before;
}

/// A global allocator for the search of a bug: each allocation has pages of its own, with an
/// inaccessible one after or before it, and what was freed is inaccessible. Who touches either
/// dies, and says first whose memory it was.
///
/// ```
/// use stats_memory::{Overrun, Stomp};
///
/// #[global_allocator]
/// static ALLOCATOR: Stomp<Overrun> = Stomp::new().sizes(64..=4096); // other sizes are the system allocator's
/// # fn main() {}
/// ```
///
/// What it finds, and what it costs, is in the [crate's
/// documentation](crate#finding-who-tramples-on-memory). All of a process allocate from one
/// reservation for each mode, made on first use with the settings of who came first. No allocation
/// fails because it could not be guarded: it is then the system allocator's, and for each reason
/// the first of them is told of on the error stream. Without the feature `enabled`, and on systems
/// other than Linux, macOS and Windows, it is the system's allocator.
#[derive(Debug)]
pub struct Stomp<M> {
    settings: backend::Settings,
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
            settings: backend::Settings::new(),
            mode: PhantomData,
        }
    }

    /// Guards only allocations of so many bytes; the others are the system allocator's. All sizes
    /// by default.
    ///
    /// The way to go where a program has more allocations than can be guarded, or is too slow with
    /// all of them guarded.
    #[must_use]
    pub const fn sizes(mut self, bytes: RangeInclusive<usize>) -> Self {
        self.settings = self.settings.sizes(*bytes.start(), *bytes.end());
        self
    }

    /// How many bytes of addresses are gone through before those that were freed are used again,
    /// the oldest first. 256 GiB by default, 512 MiB where addresses have 32 bits; half as many
    /// where the system refuses that, and so on.
    ///
    /// It is the size of the reservation, from which live allocations come as well: one takes its
    /// size in pages and at least a page of guard, rounded up to an even number of pages. Addresses
    /// are no memory, but each that was used once costs: see the [crate's
    /// documentation](crate#finding-who-tramples-on-memory).
    #[must_use]
    pub const fn quarantine_bytes(mut self, bytes: usize) -> Self {
        self.settings = self.settings.quarantine_bytes(bytes);
        self
    }

    /// As on a kernel without guard markers. For tests.
    #[doc(hidden)]
    #[must_use]
    pub const fn without_guard_markers(mut self) -> Self {
        self.settings = self.settings.without_guard_markers();
        self
    }
}
