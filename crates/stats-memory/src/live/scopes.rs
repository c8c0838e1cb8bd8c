//! Scopes: what this thread allocates under.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::tags::{self, Link};
use super::{entered, groups};

/// The place of a scope or a name in the source. Created by [`scope!`](crate::scope!) and
/// [`alloc_name!`](crate::alloc_name!).
#[derive(Debug)]
#[doc(hidden)]
pub struct Site {
    text: &'static str,
    group: Option<&'static crate::Group>,
    link: Link,
    /// The tag that was found last, and in the upper half the tag in which it was found.
    cache: AtomicU64,
}

impl Site {
    /// Creates the site of a scope.
    pub const fn scope(text: &'static str, group: Option<&'static crate::Group>) -> Self {
        // No tag is the parent of an empty cache.
        Self {
            text,
            group,
            link: Link::Scope,
            cache: AtomicU64::new(u64::MAX),
        }
    }

    /// Creates the site of a name.
    pub const fn name(text: &'static str) -> Self {
        Self {
            text,
            group: None,
            link: Link::Name,
            cache: AtomicU64::new(u64::MAX),
        }
    }

    /// Enters this site's tag inside the tag that the thread is in.
    #[inline(always)]
    pub fn enter(&self) -> Scope {
        let before = entered::tag();
        // Relaxed: a single number that says everything.
        let cache = self.cache.load(Ordering::Relaxed);
        let tag = if (cache >> 32) as u32 == before {
            cache as u32
        } else {
            self.find(before)
        };
        Scope::of(tag)
    }

    #[cold]
    #[inline(never)]
    fn find(&self, parent: u32) -> u32 {
        let group = self.group.map(|group| group.place.number());
        // A refusal is not cached, so that each one is counted.
        let Some(tag) = tags::child(parent, self.link, group, self.text, || self.text) else {
            return parent;
        };
        if self.group.is_some_and(|group| group.place.is_refused()) {
            return tag;
        }
        // Relaxed: see `enter`.
        self.cache
            .store(u64::from(parent) << 32 | u64::from(tag), Ordering::Relaxed);
        tag
    }
}

/// Keeps a thread in a scope until it is dropped.
///
/// A `Scope` belongs to its thread. Of the scopes that a thread holds, it is in the one it entered
/// last, in whatever order they end:
///
/// ```
/// use stats_memory::{current_tag, scope};
///
/// let before = current_tag();
/// let mut phase = scope!("loading");
/// phase = scope!("playing"); // begins before the other one ends, so it is listed as `loading|playing`
/// drop(phase);
/// assert_eq!(current_tag(), before);
/// ```
///
/// The names that a scope is listed under are fixed when it begins: a scope that was entered inside
/// another keeps the other's name in front of its own, even if the other ends first. To make them
/// siblings, call `drop(phase)` before the next [`scope!`](crate::scope!).
///
/// **`.await`.** A scope that is held while its task waits also covers what the thread does in the
/// meantime, and after the wait the thread may be in the scope of another task. End the scope
/// before the wait: keep the [`Tag`] of [`current_tag`], and [enter](Tag::enter) it again
/// afterwards. In any case, nothing is left once all scopes are dropped. Holding a scope across
/// `.await` does not compile on an executor with several threads.
///
/// **Limits.** A thread holds up to 255 scopes at a time; anything entered beyond that counts to
/// the scope that the thread is in. A scope that is [forgotten](std::mem::forget) lasts as long as
/// its thread: the end of a scope around it does not end it.
///
/// Ending a scope that was not entered last takes about 2 ns more for each scope that was entered
/// after it.
#[derive(Debug)]
#[must_use = "the scope ends when this is dropped"]
pub struct Scope {
    number: u64,
    _not_send: PhantomData<*const ()>,
}

impl Scope {
    #[inline(always)]
    fn of(tag: u32) -> Self {
        Self {
            number: entered::enter(tag),
            _not_send: PhantomData,
        }
    }
}

impl Drop for Scope {
    #[inline(always)]
    fn drop(&mut self) {
        entered::leave(self.number);
    }
}

/// What allocations count to: a group, a stack of scopes, and a name. A number that stays valid
/// forever, on every thread.
///
/// ```
/// let loading = stats_memory::current_tag().scope("loading");
/// std::thread::spawn(move || {
///     let _scope = loading.enter(); // keeps counting to the scope that began the job
/// });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tag(u32);

/// Returns the tag that this thread's allocations count to.
#[must_use]
#[inline]
pub fn current_tag() -> Tag {
    Tag(entered::tag())
}

impl Tag {
    pub(crate) const fn of(number: u32) -> Self {
        Self(number)
    }

    /// Returns the tag of a scope inside this one. The name may be built at run time: it is copied
    /// the first time. After that, this takes some tens of nanoseconds.
    ///
    /// Returns this tag itself if there are [`MAX_TAGS`](crate::MAX_TAGS) tags already.
    #[must_use]
    pub fn scope(self, name: &str) -> Self {
        Self(tags::child_copied(self.0, Link::Scope, name))
    }

    /// Returns the tag of named allocations in this scope; see [`alloc_name!`](crate::alloc_name!)
    /// and [`Tag::scope`].
    #[must_use]
    pub fn name(self, name: &str) -> Self {
        Self(tags::child_copied(self.0, Link::Name, name))
    }

    /// Returns the tag of the same scope in another group.
    #[must_use]
    pub fn group(self, group: &'static crate::Group) -> Self {
        Self(
            tags::child(self.0, Link::Group, Some(group.place.number()), "", || "")
                .unwrap_or(self.0),
        )
    }

    /// Makes this thread's allocations count to the tag until the returned guard is dropped.
    /// Entering and leaving take about 2 ns.
    ///
    /// Until then the tag hides the scope that the thread is in, and keeps its own names. See
    /// [`Scope`] for reassignment, other orders of ends and `.await`.
    #[inline]
    pub fn enter(self) -> Scope {
        Scope::of(self.0)
    }
}

/// Returns the number of the group that this thread is in. `None` without one.
pub(crate) fn current_group() -> Option<u32> {
    let group = tags::group(entered::tag());
    (group != 0).then_some(group)
}

/// The number of a group that nobody has asked for yet.
const UNKNOWN: u32 = u32::MAX;

/// The number of a group beyond the limit. It never changes: groups never end, so no later group
/// can have this name either.
const REFUSED: u32 = u32::MAX - 1;

/// The number of a group, found when it is first used.
#[derive(Debug)]
pub(crate) struct GroupPlace {
    name: &'static str,
    budget_bytes: u64,
    number: AtomicU32,
}

impl GroupPlace {
    pub(crate) const fn new(name: &'static str) -> Self {
        Self {
            name,
            budget_bytes: 0,
            number: AtomicU32::new(UNKNOWN),
        }
    }

    pub(crate) const fn budget_bytes(self, bytes: u64) -> Self {
        Self {
            name: self.name,
            budget_bytes: bytes,
            number: AtomicU32::new(UNKNOWN),
        }
    }

    /// Returns whether this is the group with a number other than 0. For allocators: it takes no
    /// lock.
    pub(crate) fn is(&self, number: u32) -> bool {
        // Relaxed: a single number, which never changes again. Until it is known here, another
        // `static` may stand for the same group.
        match self.number.load(Ordering::Relaxed) {
            UNKNOWN => groups::name(number) == self.name,
            known => known == number,
        }
    }

    /// Returns the number. If there are too many groups, counts a refusal and returns 0, that of no
    /// group.
    pub(crate) fn number(&self) -> u32 {
        // Relaxed, both: as in `is`.
        let mut number = self.number.load(Ordering::Relaxed);
        if number == UNKNOWN {
            number = groups::number(self.name, self.budget_bytes).unwrap_or(REFUSED);
            self.number.store(number, Ordering::Relaxed);
        }
        if number == REFUSED {
            tags::refuse();
            return 0;
        }
        number
    }

    /// Returns whether there were too many groups when this one was first used.
    fn is_refused(&self) -> bool {
        // Relaxed: as in `is`.
        self.number.load(Ordering::Relaxed) == REFUSED
    }
}
