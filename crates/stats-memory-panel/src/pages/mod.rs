//! Which pages the allocations of a dump are in, and what is free between them.
//!
//! [`block`] puts the allocations in order, [`extents`] finds the touched pages, and [`page_map`]
//! walks through both once: it measures the [`runs`] of free bytes, finds the owners of
//! [`nearly_empty`] pages, and draws the [`cells`] of a map. [`fragmentation`] has the figures that
//! result.

mod block;
mod cells;
mod extents;
mod fragmentation;
mod nearly_empty;
mod page_map;
mod runs;

pub(crate) use block::Block;
pub(crate) use cells::Cell;
pub use fragmentation::Fragmentation;
pub(crate) use nearly_empty::Holder;
pub(crate) use page_map::PageMap;
pub(crate) use runs::LIMITS;

/// The size of a page in bytes. Systems with larger pages have several of these in each.
pub(crate) const PAGE: u64 = 4096;
