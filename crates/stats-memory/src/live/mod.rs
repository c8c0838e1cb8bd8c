//! The tracker with the feature `enabled`.
//!
//! An allocation goes through `allocate` to the mode's `track`, which counts it in the thread's
//! shard (`counts`) under the thread's tag (`tags`), and may keep a record of it (`records`).
//! `totals`, `publish` and `dump` read the counts of all threads, and `untracked` compares them with
//! the memory of the process. The other files are shared: `own` (the data of each thread),
//! `thread_names`, `header` (the bytes before an allocation), `pool_cache` and `zeroed`. Models
//! compile only the parts that synchronize.

mod own;
#[cfg(not(all(test, loom)))]
mod zeroed;

#[cfg(not(all(test, loom)))]
pub(crate) mod tags;
#[cfg(not(all(test, loom)))]
pub(crate) mod thread_names;

mod counts;
mod records;

#[cfg(not(all(test, loom)))]
mod allocate;
#[cfg(not(all(test, loom)))]
mod header;
#[cfg(not(all(test, loom)))]
mod track;

#[cfg(not(all(test, loom)))]
mod dump;
#[cfg(not(all(test, loom)))]
mod pool_cache;
#[cfg(not(all(test, loom)))]
mod publish;
#[cfg(not(all(test, loom)))]
mod totals;
#[cfg(not(all(test, loom)))]
mod untracked;

#[cfg(not(all(test, loom)))]
pub use dump::{dump, dump_at_exit, dump_tags, save_dump};
#[cfg(not(all(test, loom)))]
pub(crate) use pool_cache::{BATCH, CLASSES, PoolCaches};
#[cfg(not(all(test, loom)))]
pub use publish::{for_each_group, on_crossing, publish};
#[cfg(not(all(test, loom)))]
pub(crate) use tags::{GroupPlace, current_group};
#[cfg(not(all(test, loom)))]
pub use tags::{Scope, Site, Tag, current_tag};
#[cfg(not(all(test, loom)))]
pub(crate) use totals::{budget_bytes, held_bytes};
#[cfg(not(all(test, loom)))]
pub use totals::{reset_peak, totals};
#[cfg(not(all(test, loom)))]
pub(crate) use track::Track;
#[cfg(not(all(test, loom)))]
pub use untracked::{system_heap, untracked, watch_untracked};
