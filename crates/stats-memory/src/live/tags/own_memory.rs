//! The memory of the statistics themselves: a group of its own, so that the groups of the game have
//! what the game allocates, with and without an overlay or a recording.

use stats_core::set_memory_tracker;

use super::groups::GroupPlace;
use super::stack;
use super::table::{self, Link};

/// The group of the statistics' own memory.
static OWN_GROUP: GroupPlace = GroupPlace::new(crate::OWN_GROUP);

/// Lets the other crates charge their memory to the tracker.
pub(crate) fn serve() {
    set_memory_tracker(enter, stack::leave);
}

fn enter(owner: &'static str) -> u64 {
    // A thread that cannot enter the owner's tag stays in its own. No scope of the program is refused.
    let tag = table::child(0, Link::Scope, Some(group()), owner, || owner);
    stack::enter_if_possible(tag.unwrap_or_else(stack::tag), false)
}

/// Returns the number of the group.
pub(super) fn group() -> u32 {
    OWN_GROUP.number()
}
