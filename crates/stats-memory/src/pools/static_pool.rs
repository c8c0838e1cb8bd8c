//! A pool of fixed size, inside the program's own memory.
#![expect(unsafe_code, reason = "hands out its memory for others to write to")]

use std::alloc::Layout;
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use super::free_list::FreeList;
use super::occupancy::Taken;
use super::pool::{self, sealed};
use super::{Occupancy, Pool};

/// Blocks are a multiple of this many bytes apart.
const UNIT: usize = 16;

/// The size of the largest block.
const LARGEST: usize = 256;

const _: () = assert!(LARGEST <= pool::LARGEST);

/// The number of units in a KiB, which has blocks of one size.
const UNITS: usize = 1024 / UNIT;

/// A pool of `KIB` KiB for blocks of up to 256 bytes, in a `static`. It never grows, and takes no
/// memory from any allocator.
///
/// Sizes are rounded up to 16 bytes. Each KiB keeps the block size that it is first used for.
/// Alignments above 16 are left to the next pool or allocator. The links take another quarter of
/// `KIB`. Nothing is resident until it is used.
#[derive(Debug)]
pub struct StaticPool<const KIB: usize> {
    name: &'static str,
    memory: Memory<KIB>,
    links: [[AtomicU32; UNITS]; KIB],
    lists: [FreeList; LARGEST / UNIT],
    /// The first KiB without blocks.
    next: AtomicUsize,
    taken: Taken,
}

#[derive(Debug)]
#[repr(align(16))]
struct Memory<const KIB: usize>(UnsafeCell<MaybeUninit<[[u8; 1024]; KIB]>>);

// SAFETY: the pool itself never reads or writes the memory. It hands out addresses, each to one
// owner at a time.
unsafe impl<const KIB: usize> Sync for Memory<KIB> {}

/// Returns the size class of a layout: its units, less one.
fn class(layout: Layout) -> Option<usize> {
    (layout.size() <= LARGEST && layout.align() <= UNIT)
        .then(|| layout.size().saturating_sub(1) / UNIT)
}

const fn class_bytes(class: usize) -> usize {
    (class + 1) * UNIT
}

impl<const KIB: usize> StaticPool<KIB> {
    /// Creates a pool with all blocks free.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            memory: Memory(UnsafeCell::new(MaybeUninit::uninit())),
            links: [const { [const { AtomicU32::new(0) }; UNITS] }; KIB],
            lists: [const { FreeList::new() }; LARGEST / UNIT],
            next: AtomicUsize::new(0),
            taken: Taken::new(),
        }
    }

    fn link(&self, unit: u32) -> Option<&AtomicU32> {
        self.links
            .get(unit as usize / UNITS)?
            .get(unit as usize % UNITS)
    }

    /// Divides a KiB into blocks of one size, and returns the first.
    fn carve(&self, class: usize) -> Option<u32> {
        let take = |next: usize| (next < KIB).then_some(next + 1);
        // Relaxed: no two threads may get the same KiB, and nothing else matters.
        let kib = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
            .ok()?;
        let (first, step) = (kib * UNITS, class + 1);
        let whole = UNITS / step * step;
        self.lists[class].push_all((first + step) as u32, &self.links[kib][step..whole], step);
        Some(first as u32)
    }
}

impl<const KIB: usize> sealed::Sealed for StaticPool<KIB> {}

impl<const KIB: usize> Pool for StaticPool<KIB> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn occupancy(&self) -> Occupancy {
        self.taken.occupancy(KIB * 1024)
    }

    fn take(&self, layout: Layout) -> Option<*mut u8> {
        let class = class(layout)?;
        let unit = self.lists[class]
            .pop(|unit| self.link(unit))
            .or_else(|| self.carve(class))?;
        self.taken.add(class_bytes(class));
        Some(
            self.memory
                .0
                .get()
                .cast::<u8>()
                .wrapping_add(unit as usize * UNIT),
        )
    }

    fn owns(&self, block: *mut u8) -> bool {
        block.addr().wrapping_sub(self.memory.0.get().addr()) < KIB * 1024
    }

    unsafe fn give(&self, block: *mut u8, layout: Layout) {
        let unit = (block.addr().wrapping_sub(self.memory.0.get().addr()) / UNIT) as u32;
        if let Some((class, link)) = class(layout).zip(self.link(unit)) {
            self.taken.sub(class_bytes(class));
            self.lists[class].push(unit, link);
        }
    }

    fn fits(&self, layout: Layout, bytes: usize) -> bool {
        class(layout)
            == bytes
                .checked_sub(1)
                .filter(|last| *last < LARGEST)
                .map(|last| last / UNIT)
    }
}
