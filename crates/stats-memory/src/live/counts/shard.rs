//! The counters of one thread. A shard has one writer at a time, its owner, and is read by all
//! threads.

use std::sync::atomic::{AtomicI64, AtomicU32, AtomicUsize, Ordering};

use super::balance::{Balance, GroupBalance, Known};
use super::cell::{Cell, Sum};
use crate::MAX_GROUPS;
use crate::live::own::{self, Links, Member, Slot};
use crate::live::records::Stash;
use crate::live::tags;

/// The number of tags in a page of cells: 2 KiB.
pub(super) const PAGE_TAGS: usize = 64;

/// The number of pages in a shard.
const PAGES: usize = 1024;

/// Cells of neighboring tags.
///
/// Aligned to two cache lines, here and below, since processors fetch them in pairs.
#[derive(Debug)]
#[repr(C, align(128))]
pub(crate) struct Page([Cell; PAGE_TAGS]);

impl Page {
    #[inline(always)]
    pub(super) fn cell(&self, tag: u32) -> &Cell {
        &self.0[tag as usize % PAGE_TAGS]
    }
}

/// All counters of one thread. Never freed: the next thread adopts it, with its totals.
///
/// The fields that every allocation writes are on the first cache line.
#[derive(Debug)]
#[repr(C, align(128))]
pub(crate) struct Shard {
    /// The counts without tags.
    pub(super) total: Cell,
    /// The changes that the owner has not reported yet.
    balance: Balance,
    /// The same by group.
    groups: [GroupBalance; MAX_GROUPS],
    pages: [Slot<Page>; PAGES],
    /// Free records for this thread to use.
    pub(crate) stash: Stash,
    /// The number of the owner's name; 0 for none.
    pub(crate) thread: AtomicU32,
    /// An address in the owner's stack; 0 without an owner.
    pub(super) stack: AtomicUsize,
    links: Links<Self>,
}

impl Member for Shard {
    fn links(&self) -> &Links<Self> {
        &self.links
    }
}

static FIRST: Slot<Shard> = Slot::new();

/// The sums of all threads' reports.
pub(super) static KNOWN: Known = Known::new();

/// The live bytes of each group according to all threads' reports.
static KNOWN_GROUPS: [AtomicI64; MAX_GROUPS] = [const { AtomicI64::new(0) }; MAX_GROUPS];

/// Returns the reported live bytes of a group.
#[inline(always)]
pub(super) fn known_group(group: u32) -> &'static AtomicI64 {
    &KNOWN_GROUPS[group as usize % MAX_GROUPS]
}

impl Shard {
    /// Returns the page that counts a tag, if this thread has it.
    #[inline(always)]
    pub(crate) fn page(&self, tag: u32) -> Option<&'static Page> {
        self.pages[tag as usize / PAGE_TAGS % PAGES].get()
    }

    /// Returns the page that counts a tag, and creates it if needed. `None` if there is no memory
    /// left.
    pub(crate) fn page_or_make(&self, tag: u32) -> Option<&'static Page> {
        self.pages[tag as usize / PAGE_TAGS % PAGES].get_or_make(|_| {})
    }

    /// Counts an allocation under a tag, given the tag's page. Called by the owner.
    ///
    /// The tag's cell comes last, here and below, so that a reader that sees the event also sees
    /// what it changed in the group: see [`live_bytes_of_all`](super::live_bytes_of_all).
    #[inline(always)]
    pub(crate) fn allocated_under(&self, page: &Page, tag: u32, bytes: usize) {
        self.balance.allocated(bytes, &KNOWN);
        let group = tags::group_within(tag);
        self.group(group).allocated(bytes, known_group(group));
        page.cell(tag).allocated(bytes);
    }

    /// Counts a free under a tag, given the tag's page. Called by the owner.
    #[inline(always)]
    pub(crate) fn freed_under(&self, page: &Page, tag: u32, bytes: usize) {
        self.balance.freed(bytes, &KNOWN);
        let group = tags::group_within(tag);
        self.group(group).freed(bytes, known_group(group));
        page.cell(tag).freed(bytes);
    }

    /// Counts an allocation without a tag. Called by the owner.
    #[inline(always)]
    pub(crate) fn allocated(&self, bytes: usize) {
        self.total.allocated(bytes);
        self.balance.allocated(bytes, &KNOWN);
    }

    /// Counts a free without a tag. Called by the owner.
    #[inline(always)]
    pub(crate) fn freed(&self, bytes: usize) {
        self.total.freed(bytes);
        self.balance.freed(bytes, &KNOWN);
    }

    #[inline(always)]
    fn group(&self, group: u32) -> &GroupBalance {
        &self.groups[group as usize % MAX_GROUPS]
    }

    /// Returns the bytes and allocations that the owner has not reported yet.
    pub(super) fn unreported(&self) -> (i64, i64) {
        self.balance.unreported()
    }

    /// Returns the bytes of a group that the owner has not reported yet.
    pub(super) fn unreported_of(&self, group: u32) -> i64 {
        self.group(group).unreported()
    }

    /// Returns the maximum by which the owner's live allocations have exceeded the current number
    /// since its last report.
    pub(super) fn excess(&self) -> i64 {
        self.balance.excess()
    }

    /// Forgets that excess.
    pub(super) fn reset_excess(&self) {
        self.balance.reset_excess();
    }

    /// Releases the shard for another thread to adopt. Called by its owner, who loses it.
    pub(super) fn release(&self) {
        // Relaxed: see `for_each_stack`.
        self.stack.store(0, Ordering::Relaxed);
        self.balance.report(&KNOWN);
        self.links.release();
    }

    /// Returns the sum over all tags of this shard.
    pub(super) fn sum(&self) -> Sum {
        let mut sum = self.total.read();
        for Page(cells) in self.pages.iter().filter_map(Slot::get) {
            cells.iter().for_each(|cell| sum.add(&cell.read()));
        }
        sum
    }

    /// Adds the number of events under each tag of a page.
    pub(super) fn add_events(&self, page: usize, events: &mut [u64; PAGE_TAGS]) {
        if page == 0 {
            events[0] = events[0].wrapping_add(self.total.events());
        }
        if let Some(Page(cells)) = self.pages[page % PAGES].get() {
            events
                .iter_mut()
                .zip(cells)
                .for_each(|(events, cell)| *events = events.wrapping_add(cell.events()));
        }
    }
}

/// Adopts a shard that has no owner, or adds a new one. `None` if there is no memory left.
pub(crate) fn claim() -> Option<&'static Shard> {
    own::claim(&FIRST)
}

/// Calls `visit` with every shard, including those of threads that ended long ago.
pub(crate) fn for_each(visit: impl FnMut(&'static Shard)) {
    own::for_each(&FIRST, visit);
}

/// Calls `visit` with an address in the stack of each thread that has a shard, and the number of
/// the thread's name.
pub(crate) fn for_each_stack(mut visit: impl FnMut(usize, u32)) {
    for_each(|shard| {
        // Relaxed, both: a reader that sees the name of a former owner is wrong for one sample.
        let (stack, thread) = (
            shard.stack.load(Ordering::Relaxed),
            shard.thread.load(Ordering::Relaxed),
        );
        if stack != 0 {
            visit(stack, thread);
        }
    });
}
