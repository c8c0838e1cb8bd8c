//! A list of free blocks that any thread pushes to and pops from, without a lock.

use super::sync::{AtomicU32, AtomicU64, Ordering};

/// Blocks by number. Their links are beside them, not in them: a thread that reads the link of a
/// block which another one took meanwhile must not read what that one writes there.
///
/// The first block, by its number and one, 0 for none; above it a number that changes with every
/// pop, so that a thread which slept meanwhile does not take a block that came back for one that
/// never left.
#[derive(Debug)]
pub(super) struct FreeList(pub(super) AtomicU64);

impl FreeList {
    /// Takes the first block.
    pub(super) fn pop<'a>(&self, link: impl Fn(u32) -> Option<&'a AtomicU32>) -> Option<u32> {
        // Acquire: as below.
        let mut head = self.0.load(Ordering::Acquire);
        loop {
            let block = (head as u32).checked_sub(1)?;
            // Of a block that is gone by now it may be any number; then the number above has
            // changed, and the exchange fails.
            let next = link(block)?.load(Ordering::Relaxed);
            let new = ((head >> 32).wrapping_add(1) << 32) | u64::from(next);
            // Acquire: what the block's last owner wrote to it comes before what the next one does.
            match self
                .0
                .compare_exchange_weak(head, new, Ordering::Acquire, Ordering::Acquire)
            {
                Ok(_) => return Some(block),
                Err(now) => head = now,
            }
        }
    }

    /// Puts a chain of blocks to the front, by its first, and by the link of its last.
    pub(super) fn push(&self, first: u32, last: &AtomicU32) {
        // Relaxed: a first guess, which the exchange confirms. The links as well: seen by who pops,
        // from the exchange.
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

    /// Puts neighbouring blocks to the front, by their numbers and links.
    pub(super) fn push_all(&self, first: u32, links: &[AtomicU32], step: usize) {
        let mut links = links.iter().step_by(step).peekable();
        let mut block = first;
        while let Some(link) = links.next() {
            if links.peek().is_none() {
                return self.push(first, link);
            }
            block += step as u32;
            // Relaxed: as in `push`, which comes last.
            link.store(block + 1, Ordering::Relaxed);
        }
    }
}
