//! The header of an allocation, and whether any allocation ever had one.

use std::sync::atomic::{AtomicBool, Ordering};

/// The header before an allocation: its tag, and in the upper half the number of its record.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Header(u64);

impl Header {
    /// Stands in for the header of an allocation that has none.
    pub(super) const NONE: Self = Self(0);

    #[inline(always)]
    pub(super) const fn new(tag: u32, record: u32) -> Self {
        Self(tag as u64 | (record as u64) << 32)
    }

    #[inline(always)]
    pub(super) const fn tag(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    pub(super) const fn record(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// Whether there ever was an allocation with a header.
static HAS_HEADERS: AtomicBool = AtomicBool::new(false);

/// Notes that there are allocations with headers.
pub(super) fn note_headers() {
    // Relaxed: see `has_headers`.
    HAS_HEADERS.store(true, Ordering::Relaxed);
}

/// Returns whether allocations have headers, and therefore tags.
pub(super) fn has_headers() -> bool {
    // Relaxed: a thread that sees the change late is wrong for one frame at most.
    HAS_HEADERS.load(Ordering::Relaxed)
}

/// Whether there ever was an allocation in the mode `Count`.
static IS_COUNT: AtomicBool = AtomicBool::new(false);

/// Notes that there are allocations in the mode `Count`.
pub(super) fn note_count() {
    // Relaxed: see `knows_groups`.
    IS_COUNT.store(true, Ordering::Relaxed);
}

/// Returns whether groups are distinguished: always, unless everything ever allocated had no
/// header.
pub(super) fn knows_groups() -> bool {
    // Relaxed: a thread sets it before any other can know of its first allocation, and nothing
    // clears it.
    has_headers() || !IS_COUNT.load(Ordering::Relaxed)
}

/// Returns the bytes of an allocation's header, without the padding that an alignment above 8 adds.
pub(super) fn header_bytes() -> u64 {
    if has_headers() {
        size_of::<Header>() as u64
    } else {
        0
    }
}
