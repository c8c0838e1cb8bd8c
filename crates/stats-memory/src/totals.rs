//! What the whole process holds.

/// What is held and what was allocated, over all threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Bytes held, as the program asked for them.
    pub bytes: u64,
    /// Allocations held.
    pub allocations: u64,
    /// Bytes that were ever allocated; a reallocation counts its new size.
    pub allocated_bytes: u64,
    /// Allocations and reallocations that were ever made.
    pub allocations_made: u64,
    /// The most bytes held at a time, to within 64 KiB for each thread that allocates or frees.
    pub peak_bytes: u64,
    /// What the tracker takes for itself: its tables, and the headers.
    pub overhead_bytes: u64,
}
