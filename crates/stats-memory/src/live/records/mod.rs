//! Records of live allocations: 16 bytes each, in chunks that are never freed.
//!
//! ```text
//!              63              16 15        0
//! first word  | address, 48 bits | tag       |   0 if the record is free
//! second word | bytes, 48 bits   | thread    |   if it is free: the next record of its batch, and the next batch
//! ```
//!
//! A free record is in the stash of the thread that freed it, or in a batch that any thread may
//! take. So a thread that only allocates reuses the records of a thread that only frees.

mod record;
mod stash;
#[cfg(not(all(test, loom)))]
mod store;
mod table;

#[cfg(all(test, loom))]
mod models;

#[cfg(not(all(test, loom)))]
pub(crate) use stash::Stash;
#[cfg(not(all(test, loom)))]
pub(crate) use store::{are_used, fill, for_each, hide, put, put_shared, take, take_shared};
#[cfg(not(all(test, loom)))]
pub(crate) use table::Chunk;

#[cfg(not(all(test, loom)))]
mod sizes {
    /// The number of records in a chunk, which is 1 MiB.
    pub(super) const CHUNK: usize = 1 << 16;

    /// The maximum number of chunks: about a billion live allocations.
    pub(super) const CHUNKS: usize = 1 << 14;

    /// The number of records in a full stash.
    pub(super) const STASH: usize = 512;

    /// The number of records that a thread takes or leaves at a time: a page of memory. The first
    /// batch is never used.
    pub(super) const BATCH: u32 = 256;
}

/// Small sizes, because loom explores every atomic operation.
#[cfg(all(test, loom))]
mod sizes {
    pub(super) const CHUNK: usize = 4;
    pub(super) const CHUNKS: usize = 2;
    pub(super) const STASH: usize = 2;
    pub(super) const BATCH: u32 = 2;
}

use sizes::{BATCH, CHUNK, CHUNKS, STASH};
