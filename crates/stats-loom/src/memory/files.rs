//! The files themselves, with as little around them as they need: loom pays for every atomic.

#[path = "../../../stats-memory/src/live/cell.rs"]
#[expect(dead_code, reason = "one number is enough here")]
mod cell;
#[path = "../../../stats-memory/src/pools/free_list.rs"]
#[expect(dead_code, reason = "blocks are put back one by one here")]
mod free_list;
#[path = "../../../stats-memory/src/live/list.rs"]
mod list;
pub(in crate::memory) mod models;
mod own;
mod records;
#[path = "../../../stats-memory/src/live/slot.rs"]
mod slot;

use super::sync;

pub(in crate::memory) fn new_list() -> impl super::super::List {
    free_list::FreeList(sync::AtomicU64::new(0))
}

impl super::super::List for free_list::FreeList {
    fn pop(&self, links: &[loom::sync::atomic::AtomicU32]) -> Option<u32> {
        self.pop(|block| links.get(block as usize))
    }

    fn push(&self, block: u32, links: &[loom::sync::atomic::AtomicU32]) {
        self.push(block, &links[block as usize]);
    }
}
