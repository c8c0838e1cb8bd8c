//! The memory of the statistics themselves: a group of its own, so that the groups of the game have
//! what the game allocates, with and without an overlay or a recording.

use std::cell::Cell as LocalCell;

use stats_core::set_memory_tracker;

use super::groups::GroupPlace;
use super::stack;
use super::table::{self, Link};

/// The group of the statistics' own memory.
static OWN_GROUP: GroupPlace = GroupPlace::new(crate::OWN_GROUP);

/// The number of owners whose tags a thread remembers: a power of two. There are about twenty in
/// all, and few of them call on the same thread.
const OWNERS: usize = 16;

// Without a destructor, so that it works in the destructors of other thread-locals.
thread_local! {
    /// The owners that called last, and their tags, by the address of the name.
    static TAGS: [LocalCell<(&'static str, u32)>; OWNERS] =
        const { [const { LocalCell::new(("", 0)) }; OWNERS] };
}

/// Lets the other crates charge their memory to the tracker. Not called in a mode without tags.
pub(crate) fn serve() {
    set_memory_tracker(enter, stack::leave);
}

fn enter(owner: &'static str) -> u64 {
    stack::enter_if_possible(tag_of(owner), false)
}

/// Returns the tag of an owner: that of the tracker itself if there is no room for another one.
fn tag_of(owner: &'static str) -> u32 {
    TAGS.with(|tags| {
        // Names begin at least a few bytes apart.
        let place = &tags[owner.as_ptr().addr() / 8 % OWNERS];
        let (known, tag) = place.get();
        if std::ptr::eq(known, owner) && tag != 0 {
            return tag;
        }
        find(owner, place)
    })
}

#[cold]
fn find(owner: &'static str, place: &LocalCell<(&'static str, u32)>) -> u32 {
    // No scope of the program is refused, so nothing counts as such.
    let tag = table::child_if_possible(0, Link::Scope, Some(group()), owner, || owner);
    let tag = tag.unwrap_or_else(table::own);
    place.set((owner, tag));
    tag
}

/// Returns the number of the group; that of no group if there are too many.
pub(super) fn group() -> u32 {
    OWN_GROUP.number_if_possible().unwrap_or(0)
}
