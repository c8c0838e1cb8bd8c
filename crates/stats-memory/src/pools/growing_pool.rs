//! A pool that grows.
#![expect(unsafe_code, reason = "hands out its memory for others to write to")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering};

use super::free_blocks::{FreeBlocks, Links};
use super::free_list::FreeList;
use super::pool::LARGEST;
use super::{Occupancy, Pool};
use crate::backend::CLASSES;

/// Blocks are a multiple of this many bytes apart.
const UNIT: usize = 64;

/// The size of a slab in bytes, and its alignment.
const SLAB: usize = 64 * 1024;

/// The number of units in a slab. The rest of the slab is their links.
const UNITS: usize = 960;

/// The number of unit numbers that each slab takes up. It is a power of two, so a shift finds the
/// slab of a unit; the numbers from [`UNITS`] on are unused.
const NUMBERS: usize = 1024;

/// The maximum number of slabs: 60 MiB of blocks.
const SLABS: usize = 1024;

/// The number of places in the index from addresses to slabs, so that at most half are taken.
const PLACES: usize = 2 * SLABS;

/// A pool for blocks of up to 1 KiB, in slabs of 64 KiB from the system's allocator. Each slab has
/// blocks of one size. The pool grows up to 60 MiB, and never shrinks.
///
/// Sizes are rounded up to 64 bytes. Alignments above 64 are left to the next pool or allocator.
#[derive(Debug)]
pub struct GrowingPool {
    name: &'static str,
    /// The slabs by number, filled in order.
    slabs: [AtomicPtr<Slab>; SLABS],
    /// Open addressing by the slab's address: its number plus one, 0 for none.
    index: [AtomicU32; PLACES],
    free: FreeBlocks,
    next: AtomicUsize,
}

#[derive(Debug)]
#[repr(C, align(65536))]
struct Slab {
    blocks: UnsafeCell<MaybeUninit<[u8; UNITS * UNIT]>>,
    links: [AtomicU32; UNITS],
}

const _: () = assert!(size_of::<Slab>() == SLAB && align_of::<Slab>() == SLAB);
const _: () = assert!(LARGEST / UNIT == CLASSES);

/// Returns the size class of a layout: the number of its units minus one.
fn class(layout: Layout) -> Option<usize> {
    (layout.size() <= LARGEST && layout.align() <= UNIT)
        .then(|| layout.size().saturating_sub(1) / UNIT)
}

/// Returns the first place to look for a slab: the top bits of Fibonacci hashing.
fn place(base: usize) -> usize {
    ((base / SLAB) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) as usize
        >> (usize::BITS - PLACES.trailing_zeros())
}

impl GrowingPool {
    /// Creates an empty pool.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            slabs: [const { AtomicPtr::new(null_mut()) }; SLABS],
            index: [const { AtomicU32::new(0) }; PLACES],
            free: FreeBlocks::new(),
            next: AtomicUsize::new(0),
        }
    }

    fn slab(&self, number: usize) -> Option<&'static Slab> {
        // Acquire: pairs with `grow`, so that a thread that sees the slab sees it zeroed.
        let slab = self.slabs.get(number)?.load(Ordering::Acquire);
        // SAFETY: null, or put there by `grow`: a zeroed slab that is never freed. Its blocks are
        // inside an `UnsafeCell`, and are neither read nor written here.
        unsafe { slab.as_ref() }
    }

    /// Returns the number of the slab that a block is in.
    fn number_of(&self, block: *mut u8) -> Option<usize> {
        let base = block.addr() & !(SLAB - 1);
        for step in 0..PLACES {
            // Acquire: the slab was stored before its number.
            match self.index[place(base).wrapping_add(step) % PLACES].load(Ordering::Acquire) {
                0 => return None,
                found
                    if self.slabs[found as usize - 1]
                        .load(Ordering::Acquire)
                        .addr()
                        == base =>
                {
                    return Some(found as usize - 1);
                }
                _ => {}
            }
        }
        None
    }

    /// Allocates a slab and a number for it. The memory comes first, so that no number is lost if
    /// there is none.
    fn new_slab(&self) -> Option<(usize, *mut Slab)> {
        // Relaxed: a first look, which the update confirms.
        if self.next.load(Ordering::Relaxed) >= SLABS {
            return None;
        }
        // SAFETY: the size of a slab is not zero. Zeroes are valid for atomics, and for bytes that
        // may be anything.
        let slab = unsafe { System.alloc_zeroed(Layout::new::<Slab>()) };
        if slab.is_null() {
            return None;
        }
        let take = |next: usize| (next < SLABS).then_some(next + 1);
        // Relaxed: the number only has to be unique.
        let Ok(number) = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
        else {
            // SAFETY: allocated above, and without another owner.
            unsafe { System.dealloc(slab, Layout::new::<Slab>()) };
            return None;
        };
        Some((number, slab.cast()))
    }

    /// Adds a slab to the index, which has room for all slabs.
    fn enter(&self, base: usize, entry: u32) {
        for step in 0..PLACES {
            let place = &self.index[place(base).wrapping_add(step) % PLACES];
            // Release: see `number_of`.
            if place
                .compare_exchange(0, entry, Ordering::Release, Ordering::Relaxed)
                .is_ok()
            {
                return;
            }
        }
    }
}

impl Links for GrowingPool {
    const UNIT: usize = UNIT;

    #[inline(always)]
    fn link(&self, unit: u32) -> Option<&AtomicU32> {
        self.slab(unit as usize / NUMBERS)?
            .links
            .get(unit as usize % NUMBERS)
    }

    /// Allocates a slab and divides it into blocks of one size.
    #[cold]
    fn more(&self, shared: &FreeList, class: usize) -> Option<u32> {
        let (number, slab) = self.new_slab()?;
        // Release: see `slab`.
        self.slabs[number].store(slab, Ordering::Release);
        self.enter(slab.addr(), number as u32 + 1);
        let (first, step) = (number * NUMBERS, class + 1);
        let whole = UNITS / step * step;
        let links = &self.slab(number)?.links;
        shared.push_all((first + step) as u32, &links[step..whole], step);
        Some(first as u32)
    }
}

// SAFETY: a block is part of a slab, which is never freed, and has one owner from `take` to `give`.
unsafe impl Pool for GrowingPool {
    fn name(&self) -> &'static str {
        self.name
    }

    fn occupancy(&self) -> Occupancy {
        // Relaxed: it is only a number.
        self.free
            .occupancy::<Self>(self.next.load(Ordering::Relaxed) * UNITS * UNIT)
    }

    fn take(&self, layout: Layout) -> Option<*mut u8> {
        let class = class(layout)?;
        let unit = self.free.take(class, self)?;
        let slab = self.slab(unit as usize / NUMBERS)?;
        Some(
            slab.blocks
                .get()
                .cast::<u8>()
                .wrapping_add(unit as usize % NUMBERS * UNIT),
        )
    }

    fn owns(&self, block: *mut u8) -> bool {
        self.number_of(block).is_some()
    }

    unsafe fn give(&self, block: *mut u8, layout: Layout) -> bool {
        let Some(number) = self.number_of(block) else {
            return false;
        };
        let unit = (number * NUMBERS + block.addr() % SLAB / UNIT) as u32;
        if let Some(class) = class(layout) {
            self.free.give(class, unit, self);
        }
        true
    }

    fn fits(&self, layout: Layout, bytes: usize) -> bool {
        class(layout)
            == bytes
                .checked_sub(1)
                .filter(|last| *last < LARGEST)
                .map(|last| last / UNIT)
    }
}
