//! The figures of fragmentation.

use stats_core::{Gauge, Unit};

use super::PAGE;

static TOUCHED: Gauge = Gauge::new("memory/pages/touched")
    .unit(Unit::Bytes)
    .describe("pages that held a tracked allocation, or were in memory in a mapping that held one, in the last snapshot with usable addresses");
static FREE: Gauge = Gauge::new("memory/pages/free")
    .unit(Unit::Bytes)
    .describe("what belonged to no tracked allocation in these pages");
static LARGEST: Gauge = Gauge::new("memory/pages/largest-free-run")
    .unit(Unit::Bytes)
    .describe("the longest run of free bytes in these pages");
static NEARLY_EMPTY: Gauge = Gauge::new("memory/pages/nearly-empty")
    .unit(Unit::Bytes)
    .describe("pages of which an eighth or less was used");

/// How scattered the allocations of a dump are over the pages of memory, as far as their addresses
/// tell. Returned by [`MemorySnapshot::fragmentation`](crate::MemorySnapshot::fragmentation).
///
/// A page has 4 KiB. It counts as *touched* if it holds a byte of a live allocation, or if the dump says
/// that the page is in memory and its mapping holds a live allocation. A byte of a touched page is
/// *free* if no live allocation of the dump has it. So the allocator's headers and rounding are free, and
/// so is the memory of other code in the same mapping: a dump knows only tracked allocations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fragmentation {
    /// The size of all touched pages.
    pub touched_bytes: u64,
    /// The free bytes in them.
    pub free_bytes: u64,
    /// The length of the longest run of free bytes in consecutive touched pages. Below two pages if
    /// the dump does not say which pages are in memory.
    pub largest_free_run_bytes: u64,
    /// The number of pages that hold at least one byte of an allocation, and at most 512 bytes.
    pub nearly_empty_pages: u64,
    /// Whether the dump says which pages are in memory. If not, pages without a live allocation are
    /// unknown, and not counted.
    pub knows_resident_pages: bool,
}

impl Fragmentation {
    /// Returns the free bytes divided by the touched ones, from 0 to 1.
    #[must_use]
    pub fn free_share(&self) -> f64 {
        self.free_bytes as f64 / self.touched_bytes.max(1) as f64
    }

    /// Sets the gauges of the last snapshot.
    pub(crate) fn publish(&self) {
        TOUCHED.set(self.touched_bytes);
        FREE.set(self.free_bytes);
        LARGEST.set(self.largest_free_run_bytes);
        NEARLY_EMPTY.set(self.nearly_empty_pages * PAGE);
    }
}
