//! The memory of the process that the tracker does not see.

/// The memory of the process that was not allocated through the tracker, by kind. Returned by
/// [`untracked`](crate::untracked()).
///
/// The parts do not overlap, and [`bytes`](Self::bytes) is their sum. Except for the slack, all
/// figures are resident memory. `None` is what the system does not tell; such memory is in
/// [`other_bytes`](Self::other_bytes).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Untracked {
    /// The memory of the process in RAM, tracked or not.
    pub resident_bytes: u64,
    /// The memory that the inner allocator keeps free, and its overhead per allocation. Not part of
    /// [`bytes`](Self::bytes).
    pub slack_bytes: Option<u64>,
    /// Mapped files: the program, its libraries, fonts and caches.
    pub files_bytes: Option<u64>,
    /// Mapped devices: memory of drivers, as far as they map it.
    pub devices_bytes: Option<u64>,
    /// Memory shared with other processes, such as a display server.
    pub shared_bytes: Option<u64>,
    /// Stacks of the main thread and of the threads that allocated something.
    pub stacks_bytes: Option<u64>,
    /// Code that was generated at run time, by a shader compiler for example.
    pub code_bytes: Option<u64>,
    /// Allocations of C libraries.
    pub heap_bytes: Option<u64>,
    /// All else: memory that drivers and C libraries took directly from the system, stacks of other
    /// threads, and variables of the program.
    pub other_bytes: u64,
}

impl Untracked {
    /// Returns the bytes that nobody tracked: the sum of all parts.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let parts = [
            self.files_bytes,
            self.devices_bytes,
            self.shared_bytes,
            self.stacks_bytes,
            self.code_bytes,
            self.heap_bytes,
        ];
        parts.into_iter().flatten().sum::<u64>() + self.other_bytes
    }
}

/// How much an allocator uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeapUsage {
    /// The bytes in use by any caller, including the allocator's overhead per allocation.
    pub used_bytes: u64,
    /// The bytes that it took from the system and keeps free; `None` if they are unknown.
    pub free_bytes: Option<u64>,
}
