//! Models of the free list, and of a design that was rejected.
#![expect(
    unsafe_code,
    reason = "checks that the content of a block has one owner"
)]

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

use super::free_list::FreeList;
use crate::sync::{AtomicU32, AtomicU64, Ordering, check, relaxed};

/// A free list of blocks, given their links.
trait List: Send + Sync + 'static {
    fn pop(&self, links: &[AtomicU32]) -> Option<u32>;
    fn push(&self, block: u32, links: &[AtomicU32]);
}

impl List for FreeList {
    fn pop(&self, links: &[AtomicU32]) -> Option<u32> {
        self.pop(|block| links.get(block as usize))
    }

    fn push(&self, block: u32, links: &[AtomicU32]) {
        self.push(block, &links[block as usize]);
    }
}

/// Blocks of a pool, and the contents that their owners write.
struct Blocks<L> {
    list: L,
    links: [AtomicU32; 3],
    contents: [UnsafeCell<u32>; 3],
}

// SAFETY: each content belongs to its block's owner alone, which loom checks.
unsafe impl<L: Sync> Sync for Blocks<L> {}

impl<L: List> Blocks<L> {
    fn pop(&self) -> Option<u32> {
        let block = self.list.pop(&self.links)?;
        // SAFETY: the thread that took the block is its only owner; loom reports any other access.
        self.contents[block as usize].with_mut(|content| unsafe { *content += 1 });
        Some(block)
    }

    fn push(&self, block: Option<u32>) {
        if let Some(block) = block {
            self.list.push(block, &self.links);
        }
    }
}

/// One thread takes a block; another takes two and gives the first one back.
fn take_and_give_back<L: List>(new: fn() -> L) {
    check(3, move || {
        let blocks = Arc::new(Blocks {
            list: new(),
            links: [(); 3].map(|()| AtomicU32::new(0)),
            contents: [0; 3].map(UnsafeCell::new),
        });
        [2, 1, 0]
            .into_iter()
            .for_each(|block| blocks.push(Some(block)));
        let other = {
            let blocks = Arc::clone(&blocks);
            thread::spawn(move || {
                let (first, second) = (blocks.pop(), blocks.pop());
                blocks.push(first);
                second
            })
        };
        let held = [blocks.pop(), other.join().unwrap()];
        let mut found: Vec<u32> = held
            .into_iter()
            .flatten()
            .chain(std::iter::from_fn(|| blocks.pop()))
            .collect();
        found.sort_unstable();
        assert_eq!(found, [0, 1, 2], "two owners, or none");
    });
}

#[test]
fn a_block_of_a_pool_has_one_owner_at_a_time() {
    take_and_give_back(FreeList::new);
}

#[test]
#[should_panic(expected = "ausality violation")]
fn control_the_owner_of_a_block() {
    relaxed(a_block_of_a_pool_has_one_owner_at_a_time);
}

/// A free list whose head is only a block, without a count: it has the ABA problem.
struct Uncounted(AtomicU64);

impl List for Uncounted {
    fn pop(&self, links: &[AtomicU32]) -> Option<u32> {
        let mut head = self.0.load(Ordering::Acquire);
        loop {
            let block = (head as u32).checked_sub(1)?;
            let next = u64::from(links[block as usize].load(Ordering::Relaxed));
            match self
                .0
                .compare_exchange_weak(head, next, Ordering::Acquire, Ordering::Acquire)
            {
                Ok(_) => return Some(block),
                Err(now) => head = now,
            }
        }
    }

    fn push(&self, block: u32, links: &[AtomicU32]) {
        let mut head = self.0.load(Ordering::Relaxed);
        loop {
            links[block as usize].store(head as u32, Ordering::Relaxed);
            match self.0.compare_exchange_weak(
                head,
                u64::from(block + 1),
                Ordering::Release,
                Ordering::Relaxed,
            ) {
                Ok(_) => return,
                Err(now) => head = now,
            }
        }
    }
}

#[test]
#[should_panic(expected = "two owners")]
fn control_a_free_list_that_does_not_count_pops() {
    take_and_give_back(|| Uncounted(AtomicU64::new(0)));
}
