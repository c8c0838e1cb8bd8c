//! The allocator with guard pages: allocation, freeing, and the checks of a free.
#![expect(unsafe_code, reason = "a global allocator is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::{null_mut, with_exposed_provenance_mut};
use std::slice;

use super::fault::{self, Misuse};
use super::report::Reason;
use super::reservation::{self, Owner, Region, Span, State};
use super::{report, thread};
use crate::live::tags;
use crate::{Stomp, StompMode};

/// The byte that fills the unused part of an allocation's pages.
const CANARY: u8 = 0xDB;

impl<M: StompMode> Stomp<M> {
    /// Returns a guarded allocation, zeroed. `None` if the system's allocator must serve the
    /// request.
    fn allocate(&self, layout: Layout, tag: u32) -> Option<*mut u8> {
        if !self.settings.includes(layout.size()) {
            return None;
        }
        let region = reservation::ready(M::SIDE, self.settings)?;
        let allocated = allocate_in(region, layout, tag);
        fault::watch();
        allocated
    }
}

fn allocate_in(region: &Region, layout: Layout, tag: u32) -> Option<*mut u8> {
    let Some(span) = region.span(layout).filter(|span| !region.is_beyond(span)) else {
        report::unguarded(Reason::TooLarge, region.live());
        return None;
    };
    if !region.begin_one() {
        report::unguarded(Reason::NoMore, region.live());
        return None;
    }
    let allocated = open(region, &span, layout, tag);
    if allocated.is_none() {
        region.end_one();
    }
    allocated
}

/// Takes addresses for an allocation, and opens its pages to the program.
fn open(region: &Region, span: &Span, layout: Layout, tag: u32) -> Option<*mut u8> {
    let Some(taken) = region.take(span) else {
        report::unguarded(Reason::NoAddresses, region.live());
        return None;
    };
    let record = region.table.get(taken.slot)?;
    record.begin(region.slots(span), layout, tag, thread::this());
    if !region.open(span, taken) {
        // If the pages cannot be closed again, the addresses are never reused.
        if region.undo(span, taken.slot) {
            record.forget(region.slots(span));
        }
        report::unguarded(Reason::NoMore, region.live());
        return None;
    }
    let start = region.address(taken.slot);
    for (from, bytes) in slack(span, layout, start) {
        // SAFETY: pages that were just opened, outside the part that the program gets.
        unsafe { with_exposed_provenance_mut::<u8>(from).write_bytes(CANARY, bytes) };
    }
    Some(with_exposed_provenance_mut(span.user(start)))
}

/// Returns the start and the length of the slack, before and after the allocation: the part of its
/// open pages that is not the program's.
fn slack(span: &Span, layout: Layout, start: usize) -> [(usize, usize); 2] {
    let (first, user) = (span.first_page(start), span.user(start));
    let end = user + layout.size();
    [(first, user - first), (end, first + span.open - end)]
}

/// Closes an allocation. If something is wrong with it, reports that and ends the process.
fn free(region: &Region, address: usize, layout: Layout) {
    let Some(owner) = region.owner(address) else {
        fault::die(region, None, address, Misuse::Unknown)
    };
    let entry = owner.record.read();
    let span = Layout::from_size_align(entry.size, entry.align)
        .ok()
        .and_then(|layout| region.span(layout));
    let Some(span) = span.filter(|span| {
        entry.state != State::Forgotten && span.user(region.address(owner.slot)) == address
    }) else {
        fault::die(region, Some(owner), address, Misuse::Unknown)
    };
    if !owner.record.begin_free(&entry, thread::this()) {
        fault::die(region, Some(owner), address, Misuse::DoubleFree);
    }
    if (entry.size, entry.align) != (layout.size(), layout.align()) {
        fault::die(region, Some(owner), address, Misuse::Layout(layout));
    }
    check_canary(region, owner, &span, layout);
    // If the system cannot close them, the pages stay as they are and are never reused, since they
    // do not contain zeroes.
    if region.close(&span, owner.slot) {
        owner.record.end_free(&entry);
        region.freed();
    }
}

fn check_canary(region: &Region, owner: Owner, span: &Span, layout: Layout) {
    let [before, after] = slack(span, layout, region.address(owner.slot));
    // SAFETY: pages that are open, outside the part that the program got.
    let bytes = |(from, len)| unsafe {
        slice::from_raw_parts(with_exposed_provenance_mut::<u8>(from), len)
    };
    // Looks for the broken byte nearest to the allocation.
    let is_broken = |byte: &u8| *byte != CANARY;
    if let Some(offset) = bytes(after).iter().position(is_broken) {
        fault::die(region, Some(owner), after.0 + offset, Misuse::Slack);
    }
    if let Some(offset) = bytes(before).iter().rposition(is_broken) {
        fault::die(region, Some(owner), before.0 + offset, Misuse::Slack);
    }
}

// SAFETY: memory comes from the system's allocator, or is pages of a reservation that nobody else
// has. A free closes the pages, and only then are they reused. Nothing here allocates from itself
// or unwinds.
unsafe impl<M: StompMode> GlobalAlloc for Stomp<M> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match self.allocate(layout, tags::current()) {
            Some(guarded) => guarded,
            // SAFETY: the caller upholds the contract of the system's allocator.
            None => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match self.allocate(layout, tags::current()) {
            Some(guarded) => guarded,
            // SAFETY: as above.
            None => unsafe { System.alloc_zeroed(layout) },
        }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        match reservation::containing(pointer.addr()) {
            Some(region) => free(region, pointer.addr(), layout),
            // SAFETY: not in a reservation, so it came from the system's allocator.
            None => unsafe { System.dealloc(pointer, layout) },
        }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        let owner =
            reservation::containing(pointer.addr()).and_then(|region| region.owner(pointer.addr()));
        // SAFETY: the caller promises a size that is valid for the alignment.
        let new_layout = unsafe { Layout::from_size_align_unchecked(bytes, layout.align()) };
        // Memory keeps the tag under which it was allocated.
        let tag = owner.map_or_else(tags::current, |owner| owner.record.read().tag);
        let moved = match self.allocate(new_layout, tag) {
            Some(guarded) => guarded,
            // SAFETY: it came from the system's allocator, and stays there.
            None if owner.is_none() && reservation::containing(pointer.addr()).is_none() => unsafe {
                return System.realloc(pointer, layout, bytes);
            },
            // SAFETY: the size is not zero.
            None => unsafe { System.alloc(new_layout) },
        };
        if moved.is_null() {
            return null_mut();
        }
        // SAFETY: both are as long as the shorter one, and the new one has no other owner. The old
        // one is freed once.
        unsafe {
            moved.copy_from_nonoverlapping(pointer, layout.size().min(bytes));
            self.dealloc(pointer, layout);
        }
        moved
    }
}
