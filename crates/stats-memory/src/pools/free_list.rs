//! A list of free blocks that any thread pushes to and pops from, without a lock.
//!
//! A pool's links are stored beside its blocks, not in them: a slow thread may read the link of a
//! block that another thread has taken and writes to.

use crate::sync::{AtomicU32, AtomicU64, Ordering, const_fn};

/// Free blocks, by number. Their links are kept next to the blocks, not inside them: a thread may
/// read the link of a block that another thread has just taken, and must not race with that
/// thread's writes into the block.
///
/// The lower half is the first block's number plus one, or 0 for none. The upper half is a number
/// that changes with every pop. It solves the ABA problem: a thread that slept in between cannot
/// mistake a block that came back for one that never left.
#[derive(Debug)]
pub(super) struct FreeList(AtomicU64);

impl FreeList {
    const_fn! {
        /// Creates an empty list.
        pub(super) fn new() -> Self {
            Self(AtomicU64::new(0))
        }
    }

    /// Takes the first block.
    pub(super) fn pop<'a>(&self, link: impl Fn(u32) -> Option<&'a AtomicU32>) -> Option<u32> {
        // Acquire: as in the exchange below.
        let mut head = self.0.load(Ordering::Acquire);
        loop {
            let block = (head as u32).checked_sub(1)?;
            // The link of a block that was taken in between may be any number. Then the number in
            // the upper half has changed, and the exchange fails.
            let next = link(block)?.load(Ordering::Relaxed);
            let new = ((head >> 32).wrapping_add(1) << 32) | u64::from(next);
            // Acquire: the writes of the block's last owner happen before those of the next one.
            match self
                .0
                .compare_exchange_weak(head, new, Ordering::Acquire, Ordering::Acquire)
            {
                Ok(_) => return Some(block),
                Err(now) => head = now,
            }
        }
    }

    /// Puts a chain of blocks in front, given its first block and the link of its last.
    pub(super) fn push(&self, first: u32, last: &AtomicU32) {
        // Relaxed: a first guess, which the exchange confirms. The links are Relaxed too, since a
        // thread that pops sees them through the exchange.
        let mut head = self.0.load(Ordering::Relaxed);
        loop {
            last.store(head as u32, Ordering::Relaxed);
            let new = (head & !u64::from(u32::MAX)) | u64::from(first + 1);
            // Release: see `pop`.
            match self
                .0
                .compare_exchange_weak(head, new, Ordering::Release, Ordering::Relaxed)
            {
                Ok(_) => return,
                Err(now) => head = now,
            }
        }
    }

    /// Puts neighboring blocks in front, given their numbers and links.
    pub(super) fn push_all(&self, first: u32, links: &[AtomicU32], step: usize) {
        let mut links = links.iter().step_by(step).peekable();
        let mut block = first;
        while let Some(link) = links.next() {
            if links.peek().is_none() {
                return self.push(first, link);
            }
            block += step as u32;
            // Relaxed: as in `push`, which follows.
            link.store(block + 1, Ordering::Relaxed);
        }
    }
}
