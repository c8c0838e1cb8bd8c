//! What the process holds beyond the tracker.
//!
//! - `mapping`: the mappings of the process, as the system lists them;
//! - `heap`: what the system's allocator uses;
//! - `account`: subtracts what is tracked, and names the rest;
//! - `watch`: does so on a thread of its own, once a second.

mod account;
mod heap;
mod mapping;
mod watch;

pub use heap::system_heap;
pub(crate) use watch::for_each_part;
pub use watch::{untracked, watch_untracked};
