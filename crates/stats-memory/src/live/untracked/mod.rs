//! The memory of the process that the tracker does not see.
//!
//! The system reports mappings, and the tracker knows bytes. The system does not report which allocator a
//! page belongs to, so the tracked bytes are subtracted from the sum of all anonymous memory. Other
//! mappings are named by what they contain: a file, a device, a stack, shared memory, generated code.
//!
//! - `mapping`: the mappings of the process;
//! - `system`: what each system tells about them;
//! - `heap`: the memory that the system's allocator uses;
//! - `account`: subtracts the tracked memory, and names the rest;
//! - `resident`: the pages that are in memory, for dumps;
//! - `watch`: does all of this on a thread of its own, once a second.

mod account;
mod heap;
mod mapping;
mod resident;
mod system;
mod watch;

pub use heap::system_heap;
pub(crate) use resident::Mappings;
pub(crate) use watch::{for_each_part, is_watched};
pub use watch::{untracked, watch_untracked};
