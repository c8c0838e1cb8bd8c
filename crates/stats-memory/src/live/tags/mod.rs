//! Tags, toward which allocations count.
//!
//! A tag is a chain of scopes, groups and a name. [`table`] keeps each chain once and gives it a
//! number; [`groups`] does the same for groups. A thread has a [`stack`] of its open scopes, whose
//! top is the tag that it allocates under; [`own_memory`] enters those of the statistics. [`Tag`]
//! and [`Scope`] are the public side.

mod groups;
mod own_memory;
mod scope;
mod stack;
mod table;
mod tag;

pub(crate) use groups::{GroupPlace, budget_bytes, count as group_count, name as group_name};
pub(crate) use own_memory::serve as serve_own_memory;
pub use scope::{Scope, Site};
pub(crate) use stack::{adopting, tag as current};
pub(crate) use table::{Infos, count, for_each_scope, group, group_within, name, own, refused};
pub(crate) use tag::current_group;
pub use tag::{Tag, current_tag};
