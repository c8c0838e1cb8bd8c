//! Work of threads after they have released their shard, in the destructor of a thread-local that
//! is older than the shard.

use std::alloc::GlobalAlloc;
use std::cell::RefCell;
use std::sync::mpsc::{self, Sender};
use std::thread;

use stats_memory::{current_tag, reset_peak, totals};

use super::{Block, COUNT, RECORDS, TAGS, alone, dumps, times};

type Work = Box<dyn FnOnce()>;

/// Does its work in its destructor.
struct Late(RefCell<Option<Work>>);

impl Drop for Late {
    fn drop(&mut self) {
        if let Some(work) = self.0.take() {
            work();
        }
    }
}

thread_local! {
    static LATE: Late = const { Late(RefCell::new(None)) };
}

/// Allocates one block before the end, and one after the thread released its shard. Frees the
/// blocks that another thread passed.
fn end_late<A: GlobalAlloc + Sync>(
    allocator: &'static A,
    given: Vec<Block<A>>,
    to: Sender<Block<A>>,
) {
    // Before the tracker is used on this thread, so that the tracker's guard is destroyed first.
    LATE.with(|late| {
        let to = to.clone();
        let tag = current_tag().scope("threads-late");
        let work = move || {
            let _tag = tag.enter();
            drop(given);
            drop(Block::new(allocator, 900_000, 8));
            let mut block = Block::new(allocator, 500_000, 8);
            block.resize(600_000);
            to.send(block).unwrap();
        };
        late.0.replace(Some(Box::new(work)));
    });
    to.send(Block::new(allocator, 10, 8)).unwrap();
}

fn nothing_is_lost<A: GlobalAlloc + Sync>(allocator: &'static A) {
    reset_peak();
    let before = totals();
    let given: Vec<_> = (1..30).map(|n| Block::new(allocator, n * 100, 8)).collect();
    let (to, from) = mpsc::channel();
    thread::spawn(move || end_late(allocator, given, to))
        .join()
        .unwrap();
    let blocks: Vec<_> = from.iter().collect();
    let now = totals();
    assert_eq!(
        (
            now.bytes - before.bytes,
            now.allocations - before.allocations
        ),
        (600_010, 2)
    );
    assert_eq!(now.allocations_made - before.allocations_made, 29 + 4);
    let peak = now.peak_bytes - before.bytes;
    assert!(
        (900_010 - 3 * 64 * 1024..=1_000_000 + 3 * 64 * 1024).contains(&peak),
        "{peak}"
    );
    drop(blocks);
    assert_eq!(
        (totals().bytes, totals().allocations),
        (before.bytes, before.allocations)
    );
}

#[test]
fn work_after_a_thread_released_its_shard_is_counted() {
    let _alone = alone();
    nothing_is_lost(&COUNT);
    nothing_is_lost(&TAGS);
    nothing_is_lost(&RECORDS);
    let before = totals().overhead_bytes;
    (0..times(300)).for_each(|_| nothing_is_lost(&RECORDS));
    // Not enough for a shard per thread, or for a batch of records per block.
    assert!(totals().overhead_bytes - before < 300 * 1024);
    assert!(
        !dumps::lines_of_tags()
            .iter()
            .any(|line| line.scopes == ["threads-late"])
    );
    assert_eq!(dumps::lines(), []);
}
