//! The scope that a thread is in.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::tags::{self, Link};
use super::{entered, groups};

/// Where a scope or a name stands in the source; made by [`scope!`](crate::scope!) and
/// [`alloc_name!`](crate::alloc_name!).
#[derive(Debug)]
#[doc(hidden)]
pub struct Site {
    text: &'static str,
    group: Option<&'static crate::Group>,
    link: Link,
    /// The tag that was found last, and above it the tag in which it was found.
    cache: AtomicU64,
}

impl Site {
    /// A scope's site.
    pub const fn scope(text: &'static str, group: Option<&'static crate::Group>) -> Self {
        // The parent of an empty cache is no tag.
        Self {
            text,
            group,
            link: Link::Scope,
            cache: AtomicU64::new(u64::MAX),
        }
    }

    /// A name's site.
    pub const fn name(text: &'static str) -> Self {
        Self {
            text,
            group: None,
            link: Link::Name,
            cache: AtomicU64::new(u64::MAX),
        }
    }

    /// Enters the tag of this site in the tag that the thread is in.
    #[inline(always)]
    pub fn enter(&self) -> Scope {
        let before = entered::tag();
        // Relaxed: one number, which says all that is needed.
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
        // What is refused is not kept, so that it is counted each time.
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

/// Until it is dropped, the thread's allocations count to the tag that was entered, or to one
/// entered after it.
///
/// It belongs to its thread, which is at any time in the last entered of the scopes that it holds,
/// in whatever order they end:
///
/// ```
/// use stats_memory::{current_tag, scope};
///
/// let before = current_tag();
/// let mut phase = scope!("loading");
/// phase = scope!("playing"); // begins before the other one ends: its allocations are listed as `loading|playing`
/// drop(phase);
/// assert_eq!(current_tag(), before);
/// ```
///
/// The names that a scope is listed under are those of its beginning: one that was entered within
/// another keeps that one's in front of its own, also when the other ended first. `drop(phase)`
/// before the next [`scope!`](crate::scope!) makes them stand beside each other.
///
/// **`.await`.** A scope that is held while its task waits goes on for whatever the thread does
/// meanwhile, and after the wait the thread may be in another task's. End it before, keep the
/// [`Tag`] of [`current_tag`], and [enter](Tag::enter) that anew behind the wait. Nothing of it is left
/// in any case once all of the scopes are dropped. An executor of several threads does not compile
/// with a scope held.
///
/// **Limits.** A thread holds up to 255 at a time; what is entered beyond counts to the scope that
/// it is in. One that is [forgotten](std::mem::forget) lasts as long as its thread: what ends
/// around it does not end it.
///
/// Ending another than the last entered one takes about 2 ns more for each that was entered after
/// it.
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

/// What allocations count to: a group, a stack of scopes, and a name. A number, valid for ever, on
/// any thread.
///
/// ```
/// let loading = stats_memory::current_tag().scope("loading");
/// std::thread::spawn(move || {
///     let _scope = loading.enter(); // goes on counting to the scope that began the job
/// });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tag(u32);

/// The tag that this thread's allocations count to.
#[must_use]
#[inline]
pub fn current_tag() -> Tag {
    Tag(entered::tag())
}

impl Tag {
    pub(crate) const fn of(number: u32) -> Self {
        Self(number)
    }

    /// The tag of a scope within this one, whose name was made at run time. It is copied the first
    /// time; afterwards this takes some tens of nanoseconds.
    ///
    /// With [`MAX_TAGS`](crate::MAX_TAGS) tags already there it is this tag itself.
    #[must_use]
    pub fn scope(self, name: &str) -> Self {
        Self(tags::child_copied(self.0, Link::Scope, name))
    }

    /// The tag of allocations with a name in this scope; see [`alloc_name!`](crate::alloc_name!) and
    /// [`Tag::scope`].
    #[must_use]
    pub fn name(self, name: &str) -> Self {
        Self(tags::child_copied(self.0, Link::Name, name))
    }

    /// The same scope in another group.
    #[must_use]
    pub fn group(self, group: &'static crate::Group) -> Self {
        Self(
            tags::child(self.0, Link::Group, Some(group.place.number()), "", || "")
                .unwrap_or(self.0),
        )
    }

    /// Makes this thread's allocations count to the tag, until what is returned is dropped. Both
    /// take about 2 ns.
    ///
    /// The scope that the thread is in is covered meanwhile, and the tag's names do not change by
    /// it. For reassignment, another order of ends and `.await` see [`Scope`].
    #[inline]
    pub fn enter(self) -> Scope {
        Scope::of(self.0)
    }
}

/// The number of the group that this thread is in; `None` without one.
pub(crate) fn current_group() -> Option<u32> {
    let group = tags::group(entered::tag());
    (group != 0).then_some(group)
}

/// Of a group that nobody asked for yet.
const UNKNOWN: u32 = u32::MAX;

/// Of a group beyond the limit. For ever: groups never end, so that none of its name is made later
/// either.
const REFUSED: u32 = u32::MAX - 1;

/// The number of a group, found on first use.
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

    /// Whether this is the group of a number that is not 0. For allocators: it takes no lock.
    pub(crate) fn is(&self, number: u32) -> bool {
        // Relaxed: a number alone, which never changes again. Until it is known here, another
        // static may be of the same group.
        match self.number.load(Ordering::Relaxed) {
            UNKNOWN => groups::name(number) == self.name,
            known => known == number,
        }
    }

    /// The number; that of no group, which is counted, where there are too many.
    pub(crate) fn number(&self) -> u32 {
        // Relaxed, both: as above.
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

    /// Whether there were too many when this one was first asked for.
    fn is_refused(&self) -> bool {
        // Relaxed: as above.
        self.number.load(Ordering::Relaxed) == REFUSED
    }
}
