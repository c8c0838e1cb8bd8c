//! Totals of the whole process.

/// Memory held and allocated by all threads. Returned by [`totals`](crate::totals()).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Bytes held, as the program requested them.
    pub bytes: u64,
    /// Allocations held.
    pub allocations: u64,
    /// Bytes ever allocated. A reallocation counts with its new size.
    pub allocated_bytes: u64,
    /// Allocations and reallocations ever made.
    pub allocations_made: u64,
    /// The most bytes held at any time, also between frames, to within 64 KiB for each thread that
    /// allocates or frees.
    pub peak_bytes: u64,
    /// The most allocations held at any time, also between frames. Exact while only one thread
    /// allocates and frees. Otherwise to within 1,024 for each thread that does, or to within the
    /// allocations in 64 KiB if these are more.
    pub peak_allocations: u64,
    /// Bytes the tracker uses itself: its tables, and the headers of allocations.
    pub overhead_bytes: u64,
}
