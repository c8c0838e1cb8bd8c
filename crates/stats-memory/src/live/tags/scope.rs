//! Scopes, and the places in the source that enter them.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};

use super::stack;
use super::table::{self, Link};
use super::tag::Tag;
use crate::ScopeName;

/// The place of a scope or a name in the source. Created by [`scope!`](crate::scope!) and
/// [`alloc_name!`](crate::alloc_name!).
#[derive(Debug)]
#[doc(hidden)]
pub struct Site {
    name: &'static dyn ScopeName,
    group: Option<&'static crate::Group>,
    link: Link,
    /// The tag that was last found, with its parent in the upper half.
    cache: AtomicU64,
}

impl Site {
    /// Creates the site of a scope.
    pub const fn scope(name: &'static dyn ScopeName, group: Option<&'static crate::Group>) -> Self {
        // No tag is the parent of an empty cache.
        Self {
            name,
            group,
            link: Link::Scope,
            cache: AtomicU64::new(u64::MAX),
        }
    }

    /// Creates the site of a name.
    pub const fn name(name: &'static dyn ScopeName) -> Self {
        Self {
            name,
            group: None,
            link: Link::Name,
            cache: AtomicU64::new(u64::MAX),
        }
    }

    /// Enters this site's tag inside the tag that the thread is in.
    #[inline(always)]
    pub fn enter(&self) -> Scope {
        Scope::of(self.number())
    }

    /// Returns this site's tag inside the tag that the thread is in.
    #[inline(always)]
    pub fn tag(&self) -> Tag {
        Tag::of(self.number())
    }

    #[inline(always)]
    fn number(&self) -> u32 {
        let before = stack::tag();
        // Relaxed: a single number, complete by itself.
        let cache = self.cache.load(Ordering::Relaxed);
        if (cache >> 32) as u32 == before {
            cache as u32
        } else {
            self.find(before)
        }
    }

    #[cold]
    #[inline(never)]
    fn find(&self, parent: u32) -> u32 {
        let group = self.group.map(|group| group.place.number());
        // A refusal is not cached, so that each one is counted.
        let text = self.name.name();
        let Some(tag) = table::child(parent, self.link, group, text, || text) else {
            return parent;
        };
        if self.group.is_some_and(|group| group.place.is_refused()) {
            return tag;
        }
        // Relaxed: see `number`.
        self.cache
            .store(u64::from(parent) << 32 | u64::from(tag), Ordering::Relaxed);
        tag
    }
}

/// Keeps a thread in a scope until it is dropped.
///
/// A `Scope` belongs to its thread. A thread is in the open scope that it entered last, regardless
/// of the order in which scopes end:
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
/// **`.await`.** A scope that is open while its task waits also covers the thread's work during the
/// wait; afterward, the thread may be in the scope of another task. End the scope before the wait:
/// keep the [`Tag`] of [`current_tag`](crate::current_tag()), and
/// [enter](crate::Tag::enter) it again afterward. Once all scopes are dropped, the thread is in no
/// scope. On an executor with several threads, a scope across `.await` does not compile.
///
/// **Limits.** A thread can be in 255 scopes at a time; anything entered beyond that counts toward
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
    pub(super) fn of(tag: u32) -> Self {
        Self {
            number: stack::enter(tag, false),
            _not_send: PhantomData,
        }
    }

    /// Enters a tag that reallocations take over.
    #[inline(always)]
    pub(super) fn adopting(tag: u32) -> Self {
        Self {
            number: stack::enter(tag, true),
            _not_send: PhantomData,
        }
    }
}

impl Drop for Scope {
    #[inline(always)]
    fn drop(&mut self) {
        stack::leave(self.number);
    }
}
