//! Pools of small blocks for groups, and the allocator that tries them before its inner one.
//!
//! - `pool`: the trait of both pools;
//! - `static_pool`, `growing_pool`: memory in a `static`, and slabs from the system;
//! - `free_blocks`: the free blocks of a pool, which each thread keeps some of;
//! - `free_list`: those that all threads share, taken and returned without a lock;
//! - `occupancy`: how much of a pool is taken;
//! - `pooled_allocator`: chooses the pools by the thread's group.

#[cfg(not(all(test, loom)))]
mod free_blocks;
mod free_list;
#[cfg(not(all(test, loom)))]
mod growing_pool;
mod occupancy;
mod pool;
#[cfg(not(all(test, loom)))]
mod pooled_allocator;
#[cfg(not(all(test, loom)))]
mod static_pool;

#[cfg(all(test, loom))]
mod models;
#[cfg(test)]
#[cfg(not(loom))]
mod tests;

#[cfg(not(all(test, loom)))]
pub use growing_pool::GrowingPool;
pub use occupancy::Occupancy;
pub use pool::Pool;
#[cfg(not(all(test, loom)))]
pub use pooled_allocator::{GroupPools, PooledAllocator};
#[cfg(not(all(test, loom)))]
pub use static_pool::StaticPool;
