//! Snapshots: dumps in memory, folded.
//!
//! A program has hundreds of thousands of allocations, but few sites that allocate, and few sizes.
//! [`names`] and [`stacks`] keep each text and each stack of scopes once, [`fold`] adds up equal
//! allocations as [`writer`] receives the lines, and [`contents`] has the result, to which a
//! [`memory_snapshot`] is a cheap handle.

mod contents;
mod fold;
mod memory_snapshot;
mod names;
mod stacks;
mod writer;

#[cfg(test)]
mod fuzz;

pub(crate) use contents::{Contents, Entry, Site};
pub use memory_snapshot::MemorySnapshot;
pub(crate) use names::Names;
pub(crate) use stacks::{MAX_SCOPES, NO_SCOPES, Stack};
pub use writer::SnapshotWriter;
