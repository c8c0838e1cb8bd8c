//! The tracker as it is with the feature `enabled`.

mod allocate;
mod balance;
mod cell;
mod dump;
mod entered;
mod exit;
pub(crate) mod groups;
mod list;
pub(crate) mod local;
mod mode;
mod own;
mod publish;
mod records;
mod save;
mod scopes;
mod series;
mod shard;
mod slot;
pub(crate) mod tags;
pub(crate) mod threads;

// Under a name that the models in `stats-loom` have as well: they compile what synchronises against
// loom's.
use std::sync::atomic as sync;

/// By how many bytes a thread's balance moves before the others hear of it.
const STEP: i64 = 64 * 1024;

pub use dump::{dump, dump_tags};
pub use exit::dump_at_exit;
pub(crate) use mode::Track;
pub(crate) use publish::{budget_bytes, held_bytes};
pub use publish::{for_each_group, on_crossing, publish, reset_peak, totals};
pub use save::save_dump;
pub(crate) use scopes::{GroupPlace, current_group};
pub use scopes::{Scope, Site, Tag, current_tag};
