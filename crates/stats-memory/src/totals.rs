//! Totals of the whole process.

/// The live and allocated memory of all threads. [`totals`](crate::totals()) returns it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Totals {
    /// The live bytes, as the program requested them. Exact if no other thread allocates or frees
    /// at the same time; otherwise within 64 KiB for each thread that does.
    pub bytes: u64,
    /// The live allocations. Exact if no other thread allocates or frees at the same time;
    /// otherwise within 1,024 for each thread that does, or within the allocations in 64 KiB if
    /// these are more.
    pub allocations: u64,
    /// The bytes ever allocated. A reallocation counts with its new size.
    pub allocated_bytes: u64,
    /// The allocations and reallocations ever made.
    pub allocations_made: u64,
    /// The most live bytes at any time, also between frames, to within 64 KiB for each thread that
    /// allocates or frees.
    pub peak_bytes: u64,
    /// The most live allocations at any time, also between frames. Exact while only one thread
    /// allocates and frees; otherwise within 1,024 for each thread that does, or within the
    /// allocations in 64 KiB if these are more.
    pub peak_allocations: u64,
    /// The bytes that the tracker uses itself: its tables, and the headers of allocations.
    pub overhead_bytes: u64,
}
