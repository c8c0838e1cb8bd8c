//! Containers with a tag of their own, which they keep in every scope.

use std::ops::{Deref, DerefMut};

use crate::backend::{Scope, Tag};

/// A container, or anything else that allocates, with a tag of its own: what it allocates counts
/// toward that tag, not toward the scope in which it grows.
///
/// ```
/// use stats_memory::{Group, Tag, Tagged};
///
/// static AI: Group = Group::new("ai");
///
/// let tag = Tag::default().group(&AI).scope("paths").name("requests");
/// let mut requests: Tagged<Vec<u32>> = Tagged::new(tag, Vec::new());
/// requests.edit().push(7); // in any scope
/// assert_eq!(requests.len(), 1);
///
/// requests.rename(tag.name("requests of level 2")); // from here on
/// ```
///
/// It is read as the container itself. It is changed through [`edit`](Self::edit), which enters the
/// tag until the end of the statement or of the guard: 3 to 4 ns.
///
/// After [`rename`](Self::rename), new blocks have the new tag, and a block that is reallocated
/// moves to it. A `Vec` and a `String` reallocate when they grow, a `HashMap` when it rehashes.
/// The nodes of a `BTreeMap`, boxes, and blocks that no longer grow keep the old tag. To move everything at
/// once, replace the contents with a clone: `let copy = list.clone();
/// *list.edit() = copy.into_inner();`.
///
/// **Limits.** An element that was allocated before it is inserted keeps its own tag. An element
/// that grows inside an edit takes over the container's tag. Interior mutability, such as a
/// `Mutex` in the container, bypasses `edit`: enter [`tag`](Self::tag) by hand there. The guard of
/// `edit` is a [`Scope`], with its limits. While a scope is entered inside an edit, allocations
/// count toward that scope.
#[derive(Debug, Default)]
pub struct Tagged<C> {
    tag: Tag,
    container: C,
}

impl<C> Tagged<C> {
    /// Gives a container a tag. Memory that it allocated before keeps its own tag.
    #[must_use]
    pub const fn new(tag: Tag, container: C) -> Self {
        Self { tag, container }
    }

    /// Returns the tag.
    #[must_use]
    pub const fn tag(&self) -> Tag {
        self.tag
    }

    /// Sets the tag of later allocations and reallocations.
    pub const fn rename(&mut self, tag: Tag) {
        self.tag = tag;
    }

    /// Returns the container to be changed. The thread is in the tag until the guard is dropped.
    #[inline]
    pub fn edit(&mut self) -> Edit<'_, C> {
        Edit {
            container: &mut self.container,
            _scope: self.tag.adopt(),
        }
    }

    /// Returns the container without its tag.
    pub fn into_inner(self) -> C {
        self.container
    }
}

impl<C> Deref for Tagged<C> {
    type Target = C;

    #[inline]
    fn deref(&self) -> &C {
        &self.container
    }
}

/// The clone has the same tag, and is allocated under it.
impl<C: Clone> Clone for Tagged<C> {
    fn clone(&self) -> Self {
        let _scope = self.tag.enter();
        Self::new(self.tag, self.container.clone())
    }
}

/// The container of a [`Tagged`] while it is changed. Returned by [`Tagged::edit`].
#[derive(Debug)]
#[must_use = "the edit ends when this is dropped"]
pub struct Edit<'a, C> {
    container: &'a mut C,
    _scope: Scope,
}

impl<C> Deref for Edit<'_, C> {
    type Target = C;

    #[inline]
    fn deref(&self) -> &C {
        self.container
    }
}

impl<C> DerefMut for Edit<'_, C> {
    #[inline]
    fn deref_mut(&mut self) -> &mut C {
        self.container
    }
}
