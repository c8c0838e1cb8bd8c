//! The tracker's own memory, which is never freed, and the structures in it.
//!
//! - `memory`: takes zeroed memory from the system's allocator;
//! - `slot`: a place for a value that is created once;
//! - `list`: members that belong to one thread at a time;
//! - `text`: texts that live forever.

mod list;
#[cfg(not(all(test, loom)))]
mod memory;
mod slot;
#[cfg(not(all(test, loom)))]
mod text;

#[cfg(all(test, loom))]
mod model_memory;
#[cfg(all(test, loom))]
mod models;
#[cfg(all(test, loom))]
use model_memory as memory;

pub(crate) use list::{Links, Member, claim, for_each};
pub(crate) use memory::Zeroed;
#[cfg(not(all(test, loom)))]
pub(crate) use memory::taken;
pub(crate) use slot::Slot;
#[cfg(not(all(test, loom)))]
pub(crate) use text::{Text, keep};
