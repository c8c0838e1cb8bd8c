//! The storage of the totals of counters, levels, gauges and timers.
//!
//! A series has a *slot*. Slots are grouped into *blocks* of 1024 *cells*, and each thread has its
//! own blocks, so an add never contends with another thread: it is a load, an addition and a store.
//! The total of a series is the sum of its cells over the blocks of all threads.
//!
//! - [`layout`]: maps a slot to a block and a cell.
//! - [`block`]: cells, blocks, and the list of all blocks for the same slots.
//! - [`cells`]: a thread's own blocks, and the totals over all threads.
//! - [`lazy_slot`]: how a `static` finds its slot on first use.

mod block;
#[cfg(not(loom))]
mod cells;
mod layout;
mod lazy_slot;

#[cfg(loom)]
pub(super) use block::{Block, BlockList};
#[cfg(not(loom))]
pub(super) use block::{Block, Outcome, is_exact};
#[cfg(not(loom))]
pub(crate) use cells::Held;
#[cfg(not(loom))]
pub(super) use cells::{
    block_sets, clamp, cold, for_each_block, last_set, level, make_shared_block, own_block,
    shared_block, total,
};
#[cfg(not(loom))]
pub(super) use layout::{BLOCK_CELLS, HISTOGRAMS, SINK, SLOTS};
pub(super) use layout::{PENDING, Spot};
pub(super) use lazy_slot::resolve;
