//! Tags, toward which allocations count.
//!
//! A tag is a chain of scopes, groups and a name. [`table`] keeps each chain once and gives it a
//! number; [`groups`] does the same for groups. A thread has a [`stack`] of its open scopes, whose
//! top is the tag that it allocates under. [`Tag`] and [`Scope`] are the public side.

mod groups;
mod scope;
mod stack;
mod table;
mod tag;

pub(crate) use groups::{GroupPlace, budget_bytes, count as group_count, name as group_name};
pub use scope::{Scope, Site};
pub(crate) use stack::tag as current;
pub(crate) use table::{Infos, count, for_each_scope, group, name, own, refused};
pub(crate) use tag::current_group;
pub use tag::{Tag, current_tag};
