//! The counts of threads: allocations and frees, by tag.
//!
//! A `shard` has all the counts of one thread, in `cell`s by tag. Each thread has its own
//! (`own_shard`); a thread without one counts in `shared` cells. `sums` add up all of them. A
//! thread reports its live memory in steps, through its `balance`, from which the live memory of
//! all threads and of groups, and the peaks, are derived.

mod balance;
mod cell;
#[cfg(not(all(test, loom)))]
mod own_shard;
#[cfg(not(all(test, loom)))]
mod shard;
#[cfg(not(all(test, loom)))]
mod shared;
#[cfg(not(all(test, loom)))]
mod sums;

#[cfg(all(test, loom))]
mod models;

#[cfg(not(all(test, loom)))]
pub(crate) use cell::Sum;
#[cfg(not(all(test, loom)))]
pub(crate) use own_shard::{shard, shard_or_claim};
#[cfg(not(all(test, loom)))]
pub(crate) use shard::{Page, Shard, for_each_stack};
#[cfg(not(all(test, loom)))]
pub(crate) use shared::{allocated as allocated_shared, freed as freed_shared};
#[cfg(not(all(test, loom)))]
pub(crate) use sums::{
    for_each_changed, live_and_peaks, live_bytes_of, live_bytes_of_all, made, of_tag, reset_peaks,
};
