//! A design that was not taken. It is expected to fail the model of the one that was.

use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::ordered::files::models;

/// A free list whose head is a block and nothing else: a block that came back passes for one that
/// never left.
struct Uncounted(AtomicU64);

impl super::List for Uncounted {
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
fn a_free_list_that_does_not_count() {
    models::blocks(|| Uncounted(AtomicU64::new(0)));
}
