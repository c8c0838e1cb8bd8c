//! Tags as values, which a program can keep, extend and enter.

use super::scope::Scope;
use super::stack;
use super::table::{self, Link};

/// The combination that allocations count toward: a group, a stack of scopes, and a name. It is a
/// number that stays valid forever, on every thread.
///
/// ```
/// let loading = stats_memory::current_tag().scope("loading");
/// std::thread::spawn(move || {
///     let _scope = loading.enter(); // counts toward the scope that began the job
/// });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tag(u32);

/// Returns the tag that this thread's allocations count toward.
#[must_use]
#[inline]
pub fn current_tag() -> Tag {
    Tag(stack::tag())
}

impl Tag {
    pub(crate) const fn of(number: u32) -> Self {
        Self(number)
    }

    /// Returns the tag of a scope inside this one. The name may be built at run time: it is copied
    /// the first time. Later calls take 15 to 25 ns.
    ///
    /// Returns this tag itself if there are [`MAX_TAGS`](crate::MAX_TAGS) tags already.
    #[must_use]
    pub fn scope(self, name: &str) -> Self {
        Self(table::child_copied(self.0, Link::Scope, name))
    }

    /// Returns the tag of named allocations in this scope; see [`alloc_name!`](crate::alloc_name!)
    /// and [`Tag::scope`].
    #[must_use]
    pub fn name(self, name: &str) -> Self {
        Self(table::child_copied(self.0, Link::Name, name))
    }

    /// Returns the tag of the same scope in another group.
    #[must_use]
    pub fn group(self, group: &'static crate::Group) -> Self {
        Self(
            table::child(self.0, Link::Group, Some(group.place.number()), "", || "")
                .unwrap_or(self.0),
        )
    }

    /// Makes this thread's allocations count toward the tag until the returned guard is dropped.
    /// Entering and leaving take 3 to 4 ns.
    ///
    /// Until then, the tag, with its own names, replaces the scope that the thread is in. See
    /// [`Scope`] for reassignment, other orders of ends and `.await`.
    #[inline]
    pub fn enter(self) -> Scope {
        Scope::of(self.0)
    }

    /// Enters the tag, and makes reallocations take it over, for [`Tagged`](crate::Tagged).
    #[inline]
    pub(crate) fn adopt(self) -> Scope {
        Scope::adopting(self.0)
    }
}

/// Returns the number of the group that this thread is in. `None` without one.
#[inline]
pub(crate) fn current_group() -> Option<u32> {
    let group = table::group(stack::tag());
    (group != 0).then_some(group)
}
