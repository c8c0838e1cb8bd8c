//! A reservation of address space: one for each side, created on first use, and never released.

use std::alloc::Layout;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::record::{Record, State};
use super::slots::{Slots, TakenSlots};
use super::span::{Span, slot_bytes};
use super::table::Table;
use crate::stomp::live::once::Once;
use crate::stomp::live::settings::Settings;
use crate::stomp::live::{report, system};
use crate::stomp::side::sealed::Side;

/// The number of bytes opened at a time if guards are markers in one mapping.
const STEP: usize = 16 << 20;

/// The minimum number of slots of a reservation.
const MIN_SLOTS: usize = 16;

#[derive(Debug)]
pub(crate) struct Region {
    side: Side,
    making: Once,
    // These are set before any thread can see the start. Threads read them Relaxed after they saw,
    // by Acquire, the start or that everything is ready.
    start: AtomicUsize,
    page: AtomicUsize,
    /// The number of slots.
    count: AtomicUsize,
    has_markers: AtomicBool,
    /// The maximum number of live allocations that the system allows.
    most: AtomicUsize,
    /// The number of bytes from the start that are open, apart from their markers.
    opened: AtomicUsize,
    slots: Slots,
    pub(crate) table: Table,
    /// The number of live allocations.
    live: AtomicUsize,
}

static REGIONS: [Region; 2] = [Region::new(Side::After), Region::new(Side::Before)];

/// Returns the reservation that an address is in.
#[inline]
pub(crate) fn containing(address: usize) -> Option<&'static Region> {
    REGIONS.iter().find(|region| region.contains(address))
}

/// Returns the reservation for a side, and creates it if needed. `None` if there is no address
/// space for it.
#[inline]
pub(crate) fn ready(side: Side, settings: Settings) -> Option<&'static Region> {
    let region = &REGIONS[usize::from(side == Side::Before)];
    (region.making.is_done() || region.make(settings)).then_some(region)
}

/// An allocation, and the slot that it starts in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner {
    pub(crate) slot: usize,
    pub(crate) record: &'static Record,
}

impl Region {
    pub(super) const fn new(side: Side) -> Self {
        Self {
            side,
            making: Once::new(),
            start: AtomicUsize::new(0),
            page: AtomicUsize::new(0),
            count: AtomicUsize::new(0),
            has_markers: AtomicBool::new(false),
            most: AtomicUsize::new(usize::MAX),
            opened: AtomicUsize::new(0),
            slots: Slots::new(),
            table: Table::new(),
            live: AtomicUsize::new(0),
        }
    }

    #[cold]
    pub(super) fn make(&self, settings: Settings) -> bool {
        self.making.get_or(|| {
            self.reserve(settings) || {
                report::unguarded(report::Reason::NoReservation, 0);
                false
            }
        })
    }

    /// Reserves address space; half as much if that fails, and so on. A child forked in between
    /// starts over: nobody has an address of a reservation before it is ready.
    pub(super) fn reserve(&self, settings: Settings) -> bool {
        let page = system::page_bytes();
        let slot = slot_bytes(page);
        let mut count =
            (settings.quarantine_bytes.min(isize::MAX as usize / 2) / slot).max(MIN_SLOTS);
        while count >= MIN_SLOTS {
            // One more slot, so that slots start at multiples of their size.
            let bytes = (count + 1) * slot;
            if let Some(start) = system::reserve(bytes) {
                if self.table.reserve(count) {
                    self.begin(
                        start.next_multiple_of(slot),
                        page,
                        count,
                        settings.has_markers,
                    );
                    return true;
                }
                system::release(start, bytes);
            }
            count /= 2;
        }
        false
    }

    fn begin(&self, start: usize, page: usize, count: usize, has_markers: bool) {
        let has_markers = has_markers && system::use_markers(start, count * slot_bytes(page), page);
        // Relaxed, all of these: visible to a thread that sees the start.
        if !has_markers {
            self.most
                .store(system::most_open_spans(), Ordering::Relaxed);
        }
        self.page.store(page, Ordering::Relaxed);
        self.count.store(count, Ordering::Relaxed);
        self.has_markers.store(has_markers, Ordering::Relaxed);
        // Release: see `contains`.
        self.start.store(start, Ordering::Release);
    }

    #[inline]
    fn contains(&self, address: usize) -> bool {
        // Acquire: the rest comes with the start, and is not read before there is one.
        let start = self.start.load(Ordering::Acquire);
        start != 0
            && address.wrapping_sub(start) < self.count.load(Ordering::Relaxed) * self.slot_bytes()
    }

    fn slot_bytes(&self) -> usize {
        slot_bytes(self.page.load(Ordering::Relaxed))
    }

    /// Returns the pages of an allocation, including guards.
    pub(crate) fn span(&self, layout: Layout) -> Option<Span> {
        Span::of(self.side, self.page.load(Ordering::Relaxed), layout)
    }

    pub(crate) fn address(&self, slot: usize) -> usize {
        self.start.load(Ordering::Relaxed) + slot * self.slot_bytes()
    }

    /// Returns how many slots a span takes.
    pub(crate) fn slots(&self, span: &Span) -> usize {
        span.bytes / self.slot_bytes()
    }

    /// Returns whether a span is larger than the reservation.
    pub(crate) fn is_beyond(&self, span: &Span) -> bool {
        self.slots(span) > self.count.load(Ordering::Relaxed)
    }

    /// Returns the number of live allocations.
    pub(crate) fn live(&self) -> usize {
        // Relaxed: it is only a number.
        self.live.load(Ordering::Relaxed)
    }

    /// Counts a new allocation. Returns false if the system does not allow one more.
    pub(crate) fn begin_one(&self) -> bool {
        // Relaxed: a number, and a limit that no longer changes.
        let is_allowed =
            self.live.fetch_add(1, Ordering::Relaxed) < self.most.load(Ordering::Relaxed);
        if !is_allowed {
            self.end_one();
        }
        is_allowed
    }

    /// Counts an allocation that failed to start, or that ended.
    pub(crate) fn end_one(&self) {
        // Relaxed: as above.
        self.live.fetch_sub(1, Ordering::Relaxed);
    }

    /// Takes slots for a span, with their records.
    pub(crate) fn take(&self, span: &Span) -> Option<TakenSlots> {
        let taken = self.slots.take(
            self.slots(span),
            self.count.load(Ordering::Relaxed),
            &self.table,
        )?;
        // If that fails, the slots are lost. The system has no memory left then anyway.
        self.table
            .back(taken.slot + self.slots(span))
            .then_some(taken)
    }

    /// Opens the program's pages of a span, and keeps the rest of it closed.
    pub(crate) fn open(&self, span: &Span, taken: TakenSlots) -> bool {
        let start = self.address(taken.slot);
        let first = span.first_page(start);
        if !self.has_markers.load(Ordering::Relaxed) {
            return system::open(first, span.open);
        }
        if !taken.is_fresh {
            return system::unguard(first, span.open);
        }
        // Guards first, since the pages are open from then on.
        let last = first + span.open;
        system::guard(start, first - start)
            && system::guard(last, start + span.bytes - last)
            && self.open_until(start + span.bytes)
    }

    /// Opens the mapping in which guards are markers, up to an address.
    fn open_until(&self, address: usize) -> bool {
        let start = self.start.load(Ordering::Relaxed);
        // Acquire: a thread that sees the number may touch that much.
        let opened = self.opened.load(Ordering::Acquire);
        let wanted = address - start;
        if wanted <= opened {
            return true;
        }
        // Two threads may do the same at once, which is harmless.
        let wanted = wanted
            .next_multiple_of(STEP)
            .min(self.count.load(Ordering::Relaxed) * self.slot_bytes());
        if !system::open(start + opened, wanted - opened) {
            return false;
        }
        // Release: as above. Everything below was opened before, or just now.
        self.opened.fetch_max(wanted, Ordering::Release);
        true
    }

    /// Undoes an [`open`](Self::open) that failed halfway. Returns false if that fails too.
    pub(crate) fn undo(&self, span: &Span, slot: usize) -> bool {
        // Without markers there is a single step, which was not taken.
        !self.has_markers.load(Ordering::Relaxed) || system::guard(self.address(slot), span.bytes)
    }

    /// Counts a freed allocation, whose slots may be taken again.
    pub(crate) fn freed(&self) {
        self.end_one();
        self.slots.freed();
    }

    /// Closes the pages of a span, and gives their memory back. Returns false if the system cannot.
    pub(crate) fn close(&self, span: &Span, slot: usize) -> bool {
        let first = span.first_page(self.address(slot));
        if self.has_markers.load(Ordering::Relaxed) {
            system::guard(first, span.open)
        } else {
            system::close(first, span.open)
        }
    }

    /// Returns the allocation, live or freed, whose span an address is in.
    pub(crate) fn owner(&self, address: usize) -> Option<Owner> {
        self.owner_of_slot((address - self.start.load(Ordering::Relaxed)) / self.slot_bytes())
    }

    pub(crate) fn owner_of_slot(&self, inner: usize) -> Option<Owner> {
        // Walks back one slot at a time, to the record at the start of the span.
        let mut slot = inner;
        let found = loop {
            let record = self.table.get(slot)?;
            if record.state().0 != State::None {
                break Owner { slot, record };
            }
            slot = slot.checked_sub(1)?;
        };
        (inner - found.slot < found.record.state().1).then_some(found)
    }
}
