//! Tags: chains of scopes, groups and names. Each chain is kept once and known by a number.
//!
//! The lower half of a tag is that number. The upper half is the number of its group, so that an
//! allocation finds it. Functions that take a tag need only the lower half.

use std::hash::{BuildHasher, Hasher};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use foldhash::fast::FixedState;

use super::own_memory;
use crate::live::own::{self, Slot, Text};

/// The maximum number of tags.
pub(super) const MAX_TAGS: usize = crate::MAX_TAGS;

/// The number of tags in a page of descriptions.
const PAGE: usize = 64;

/// Places in the index, so that at most half of them are taken.
const PLACES: usize = 2 * MAX_TAGS;

/// The tag of the allocations that the tracker cannot avoid making in the program's allocator.
const OWN: u32 = 1;

/// The kind of a link in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    /// A scope inside the previous one.
    Scope,
    /// Another group in the same scope.
    Group,
    /// A name for allocations of the scope.
    Name,
}

impl Link {
    const fn of(number: u32) -> Self {
        match number {
            0 => Self::Scope,
            1 => Self::Group,
            _ => Self::Name,
        }
    }
}

/// The last link of a tag's chain, and the tag of the rest. Written before any thread can know its
/// number.
#[derive(Debug)]
struct Info {
    text: Text,
    parent: AtomicU32,
    group: AtomicU32,
    link: AtomicU32,
    /// The number of scopes, including this one.
    depth: AtomicU32,
}

/// The identity of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key<'a> {
    parent: u32,
    group: u32,
    link: Link,
    text: &'a str,
}

/// Descriptions of neighboring tags.
#[derive(Debug)]
pub(crate) struct Infos([Info; PAGE]);

/// The description of each tag. Tag 0 is the root and has none.
static INFOS: [Slot<Infos>; MAX_TAGS / PAGE] = [const { Slot::new() }; MAX_TAGS / PAGE];

/// Open addressing: the tag in each place, 0 for none. Not resident until it is touched.
static INDEX: [AtomicU32; PLACES] = [const { AtomicU32::new(0) }; PLACES];

/// The number of tags, including the root.
static COUNT: AtomicU32 = AtomicU32::new(1);

/// How often a scope, a name or a group was refused for lack of room.
static REFUSED: AtomicU64 = AtomicU64::new(0);

/// Counts a refusal.
#[cold]
pub(super) fn refuse() {
    // Relaxed, here and below: it is only a number.
    REFUSED.fetch_add(1, Ordering::Relaxed);
}

/// Returns how often something was refused.
pub(crate) fn refused() -> u64 {
    REFUSED.load(Ordering::Relaxed)
}

/// Locked while a tag is created. Allocations never lock it.
static IS_BEING_CREATED: Mutex<()> = Mutex::new(());

/// Returns the number of tags.
pub(crate) fn count() -> usize {
    // Acquire: a thread that sees the number sees the tags.
    COUNT.load(Ordering::Acquire) as usize
}

/// Returns the number of a tag, without its group.
#[inline(always)]
const fn number(tag: u32) -> usize {
    tag as usize % MAX_TAGS
}

#[inline(always)]
pub(crate) const fn group_within(tag: u32) -> u32 {
    tag >> MAX_TAGS.ilog2()
}

#[inline]
fn info(tag: u32) -> Option<&'static Info> {
    if number(tag) == 0 {
        return None;
    }
    let page = INFOS.get(number(tag) / PAGE)?.get()?;
    Some(&page.0[number(tag) % PAGE])
}

impl Info {
    fn key(&self) -> Key<'static> {
        // Relaxed, all of these: written before the tag's number was published, which the reader
        // got by Acquire.
        Key {
            parent: self.parent.load(Ordering::Relaxed),
            group: self.group.load(Ordering::Relaxed),
            link: Link::of(self.link.load(Ordering::Relaxed)),
            text: self.text.get(),
        }
    }
}

impl Key<'_> {
    /// Hashes the key. Allocates nothing, since allocations may come here.
    fn hash(&self) -> usize {
        let numbers = u64::from(self.parent) << 32 | u64::from(self.group) << 2 | self.link as u64;
        let mut hasher = FixedState::with_seed(numbers).build_hasher();
        hasher.write(self.text.as_bytes());
        hasher.finish() as usize
    }

    /// Returns the tag, or the place for it.
    fn find(&self) -> Result<u32, &'static AtomicU32> {
        let mut place = self.hash();
        loop {
            let entry = &INDEX[place % PLACES];
            // Acquire: the description comes with the tag.
            match entry.load(Ordering::Acquire) {
                0 => return Err(entry),
                tag if info(tag).is_some_and(|info| info.key() == *self) => return Ok(tag),
                _ => place = place.wrapping_add(1),
            }
        }
    }

    /// Returns the tag, and creates it if needed. `None` if there are too many, or no memory is
    /// left.
    fn intern(&self, keep: impl FnOnce() -> &'static str) -> Option<u32> {
        if let Ok(tag) = self.find() {
            return Some(tag);
        }
        // Checked before taking the lock, which would make threads wait for one another. The number
        // never decreases.
        if count() >= MAX_TAGS {
            return None;
        }
        let _creating = IS_BEING_CREATED
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let place = match self.find() {
            Ok(tag) => return Some(tag),
            Err(place) => place,
        };
        // Relaxed: only written with the lock held.
        let number = COUNT.load(Ordering::Relaxed);
        let page = INFOS.get(number as usize / PAGE)?.get_or_make(|_| {})?;
        let text = keep();
        if text.len() != self.text.len() {
            return None;
        }
        let info = &page.0[number as usize % PAGE];
        info.text.set(text);
        // Relaxed, all of these: nobody sees them before the number.
        info.parent.store(self.parent, Ordering::Relaxed);
        info.group.store(self.group, Ordering::Relaxed);
        info.link.store(self.link as u32, Ordering::Relaxed);
        info.depth.store(
            depth(self.parent) + u32::from(self.link == Link::Scope),
            Ordering::Relaxed,
        );
        // Release, both: see `count` and `find`.
        COUNT.store(number + 1, Ordering::Release);
        let tag = number | self.group << MAX_TAGS.ilog2();
        place.store(tag, Ordering::Release);
        Some(tag)
    }
}

/// Returns the number of a tag's group.
#[inline]
pub(crate) fn group(tag: u32) -> u32 {
    // Relaxed, here and below: see `Info::key`.
    info(tag).map_or(0, |info| info.group.load(Ordering::Relaxed))
}

/// Returns the number of scopes of a tag.
fn depth(tag: u32) -> u32 {
    info(tag).map_or(0, |info| info.depth.load(Ordering::Relaxed))
}

/// Returns the tag of a chain with one more link. If there is no room for it, counts a refusal and
/// returns `None`. Without a `group`, the parent's is used.
pub(super) fn child(
    parent: u32,
    link: Link,
    group: Option<u32>,
    text: &str,
    keep: impl FnOnce() -> &'static str,
) -> Option<u32> {
    let tag = child_if_possible(parent, link, group, text, keep);
    if tag.is_none() {
        refuse();
    }
    tag
}

/// Like [`child`], without counting a refusal.
pub(super) fn child_if_possible(
    parent: u32,
    link: Link,
    group: Option<u32>,
    text: &str,
    keep: impl FnOnce() -> &'static str,
) -> Option<u32> {
    make_own();
    // A name applies to the allocations of its scope. A link inside a name becomes a link of the
    // scope.
    let scope = match info(parent).map(Info::key) {
        Some(Key {
            link: Link::Name,
            parent: scope,
            ..
        }) => scope,
        _ => parent,
    };
    if link == Link::Scope && depth(scope) as usize >= crate::MAX_DEPTH {
        return None;
    }
    let group = group.unwrap_or_else(|| self::group(parent));
    Key {
        parent: scope,
        group,
        link,
        text,
    }
    .intern(keep)
}

/// Creates the tracker's own tag, which has to be the first.
fn make_own() {
    if count() == 1 {
        Key {
            parent: 0,
            group: own_memory::group(),
            link: Link::Scope,
            text: OWN_NAME,
        }
        .intern(|| OWN_NAME);
    }
}

const OWN_NAME: &str = "stats-memory";

/// Returns the tracker's own tag.
pub(crate) fn own() -> u32 {
    make_own();
    OWN | own_memory::group() << MAX_TAGS.ilog2()
}

/// Like [`child`], for a text that does not live forever. Returns `parent` if there is no room.
pub(super) fn child_copied(parent: u32, link: Link, text: &str) -> u32 {
    child(parent, link, None, text, || own::keep(text)).unwrap_or(parent)
}

/// Calls `visit` with the scopes of a tag, the outermost first.
pub(crate) fn for_each_scope(tag: u32, visit: &mut dyn FnMut(&'static str)) {
    // The depth of the recursion is that of the scopes. Chains have no cycles, since a parent is
    // created before its children.
    let Some(key) = info(tag).map(Info::key) else {
        return;
    };
    for_each_scope(key.parent, visit);
    if key.link == Link::Scope {
        visit(key.text);
    }
}

/// Returns the name of a tag's allocations; empty for none.
pub(crate) fn name(tag: u32) -> &'static str {
    match info(tag).map(Info::key) {
        Some(Key {
            link: Link::Name,
            text,
            ..
        }) => text,
        _ => "",
    }
}
