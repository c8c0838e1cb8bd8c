//! The memory of the process that the tracker does not see.
//!
//! - `mapping`: the mappings of the process, as the system lists them;
//! - `heap`: the memory that the system's allocator uses;
//! - `account`: subtracts the tracked memory, and names the rest;
//! - `watch`: does so on a thread of its own, once a second.

mod account;
mod heap;
mod mapping;
mod watch;

pub use heap::system_heap;
pub(crate) use watch::for_each_part;
pub use watch::{untracked, watch_untracked};
