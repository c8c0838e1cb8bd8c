//! What the tracker keeps for itself: memory that is never freed, and lists of it.

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
