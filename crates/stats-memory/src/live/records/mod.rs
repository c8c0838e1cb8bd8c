//! Records of live allocations: 16 bytes each, in chunks that are never freed.
//!
//! ```text
//!              63              16 15        0
//! first word  | address, 48 bits | tag       |   0 if the record is free
//! second word | bytes, 48 bits   | thread    |   if it is free: the next record of its batch, and the next batch
//! ```
//!
//! A free record is in the stash of the thread that freed it, or in a batch that any thread may
//! take. So a thread that only allocates lives on what a thread that only frees leaves behind.

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
    /// Records in a chunk, which is 1 MiB.
    pub(super) const CHUNK: usize = 1 << 16;

    /// The most chunks there can be: about a thousand million live allocations.
    pub(super) const CHUNKS: usize = 1 << 14;

    /// Records in a full stash.
    pub(super) const STASH: usize = 512;

    /// Records that a thread takes or leaves at a time: a page of memory. The first batch is never
    /// used.
    pub(super) const BATCH: u32 = 256;
}

/// Small sizes: loom pays for every atomic.
#[cfg(all(test, loom))]
mod sizes {
    pub(super) const CHUNK: usize = 4;
    pub(super) const CHUNKS: usize = 2;
    pub(super) const STASH: usize = 2;
    pub(super) const BATCH: u32 = 2;
}

use sizes::{BATCH, CHUNK, CHUNKS, STASH};
