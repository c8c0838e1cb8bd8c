//! Pools of groups, in front of an inner allocator that checks every call.

use std::sync::mpsc;
use std::thread;

use stats_core::{Recorder, find};
use stats_memory::{
    Group, GroupPools, GrowingPool, Occupancy, Pool, PooledAllocator, Scope, StaticPool, Tags,
    TrackingAllocator, current_tag, scope, totals,
};

use super::strict::Strict;
use super::{Block, Random, alone, times};

/// A group and its pools. Each KiB of a pool keeps the size that it was first used for, so each
/// test has pools of its own.
struct Pooled {
    group: Group,
    small: StaticPool<64>,
    growing: GrowingPool,
}

impl Pooled {
    const fn new(name: &'static str) -> Self {
        Self {
            group: Group::new(name),
            small: StaticPool::new(name),
            growing: GrowingPool::new(name),
        }
    }

    fn taken(&self) -> [usize; 2] {
        [
            self.small.occupancy().blocks,
            self.growing.occupancy().blocks,
        ]
    }

    fn enter(&'static self) -> Scope {
        current_tag().group(&self.group).enter()
    }
}

static OTHER: Group = Group::new("not-pooled");
static ORDER: Pooled = Pooled::new("pools-order");
static FILLED: Pooled = Pooled::new("pools-filled");
static SAME: Pooled = Pooled::new("pools-same");
static SHARED: Pooled = Pooled::new("pools-shared");
static PUBLISHED_GROUP: Group = Group::new("pools-published");
static PUBLISHED: StaticPool<4> = StaticPool::new("pools-published");
static POOLS: [GroupPools; 5] = [
    (&SAME.group, &[&SAME.small, &SAME.growing]),
    (&ORDER.group, &[&ORDER.small, &ORDER.growing]),
    (&FILLED.group, &[&FILLED.small, &FILLED.growing]),
    (&SHARED.group, &[&SHARED.small, &SHARED.growing]),
    (&PUBLISHED_GROUP, &[&PUBLISHED]),
];
static POOLED: TrackingAllocator<PooledAllocator<Strict>, Tags> =
    TrackingAllocator::new(PooledAllocator::new(Strict, &POOLS));

#[test]
fn a_pooled_allocator_inside_a_tracking_allocator_publishes_its_pools() {
    let _alone = alone();
    let blocks = {
        let _group = current_tag().group(&PUBLISHED_GROUP).enter();
        // With their headers of 8 bytes.
        [56, 200].map(|bytes| Block::new(&POOLED, bytes, 8))
    };
    POOLED.inner().publish();
    let mut recorder = Recorder::new();
    let gauges = ["blocks", "bytes", "capacity"].map(|end| {
        let id = find(&format!("memory/pools/pools-published/{end}")).unwrap();
        recorder.peek(id).unwrap()
    });
    assert_eq!(gauges, [2.0, 64.0 + 208.0, 4096.0]);
    drop(blocks);
}

#[test]
fn a_block_comes_from_the_first_pool_that_has_one() {
    let _alone = alone();
    assert_eq!(ORDER.taken(), [0, 0]);
    let other = {
        let _scope = scope!("pools", group: OTHER);
        Block::new(&POOLED, 100, 8)
    };
    assert_eq!(ORDER.taken(), [0, 0]);
    let scope = ORDER.enter();
    // With their headers of 8 bytes.
    let small = Block::new(&POOLED, 248, 8);
    assert_eq!(ORDER.taken(), [1, 0]);
    let middle = Block::zeroed(&POOLED, 249, 8);
    let aligned = Block::new(&POOLED, 64, 64);
    let largest = Block::new(&POOLED, 1016, 8);
    assert_eq!(ORDER.taken(), [1, 3]);
    let large = Block::new(&POOLED, 1017, 8);
    let over_aligned = Block::new(&POOLED, 8, 128);
    assert_eq!(ORDER.taken(), [1, 3]);
    drop(scope);
    drop((other, large, over_aligned, largest, aligned, middle, small));
    assert_eq!(ORDER.taken(), [0, 0]);
}

static SAME_AGAIN: Group = Group::new("pools-same");

#[test]
fn every_static_that_names_a_group_has_its_pools() {
    let _alone = alone();
    let scope = current_tag().group(&SAME_AGAIN).enter();
    let block = Block::new(&POOLED, 100, 8);
    drop(scope);
    assert_eq!(SAME.taken(), [1, 0]);
    let scope = SAME.enter();
    let another = Block::new(&POOLED, 100, 8);
    drop(scope);
    assert_eq!(SAME.taken(), [2, 0]);
    drop((block, another));
    assert_eq!(SAME.taken(), [0, 0]);
}

#[test]
fn a_full_pool_leaves_the_rest_to_the_next_one() {
    let _alone = alone();
    let scope = FILLED.enter();
    let fits = |pool: &dyn Pool| pool.occupancy().capacity_bytes;
    let blocks: Vec<_> = (0..3000).map(|_| Block::new(&POOLED, 200, 8)).collect();
    let Occupancy {
        blocks: count,
        bytes,
        capacity_bytes,
        ..
    } = FILLED.small.occupancy();
    // 4 blocks of 208 bytes in each KiB.
    assert_eq!(
        (count, bytes, capacity_bytes),
        (64 * 4, 64 * 4 * 208, 64 * 1024)
    );
    assert_eq!(FILLED.growing.occupancy().blocks, 3000 - count);
    assert!(fits(&FILLED.growing) >= (3000 - count) * 256);
    drop(scope);
    drop(blocks);
    assert_eq!(FILLED.taken(), [0, 0]);
    let capacity = fits(&FILLED.growing);
    let _scope = FILLED.enter();
    drop(
        (0..3000)
            .map(|_| Block::new(&POOLED, 200, 8))
            .collect::<Vec<_>>(),
    );
    assert_eq!(fits(&FILLED.growing), capacity);
}

/// Moves random blocks between threads, in and out of the group.
fn work(
    seed: u64,
    to: &mpsc::Sender<Block<TrackingAllocator<PooledAllocator<Strict>, Tags>>>,
    from: &mpsc::Receiver<Block<TrackingAllocator<PooledAllocator<Strict>, Tags>>>,
) {
    let (mut random, mut kept) = (Random::new(seed), Vec::new());
    for _ in 0..times(10_000) {
        let pooled = (random.index(4) > 0).then(|| SHARED.enter());
        kept.extend(from.try_recv());
        match random.index(8) {
            0..4 => kept.push(Block::new(
                &POOLED,
                random.index(1200) + 1,
                1 << random.index(8),
            )),
            4 if !kept.is_empty() => {
                let at = random.index(kept.len());
                kept[at].resize(random.index(1500) + 1);
            }
            5..7 if !kept.is_empty() => drop(kept.swap_remove(random.index(kept.len()))),
            7 if !kept.is_empty() => to
                .send(kept.swap_remove(random.index(kept.len())))
                .unwrap_or_default(),
            _ => {}
        }
        drop(pooled);
    }
}

#[test]
fn no_block_has_two_owners_with_several_threads() {
    let _alone = alone();
    let before = totals();
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..3).map(|_| mpsc::channel()).unzip();
    thread::scope(|scope| {
        for (at, from) in receivers.into_iter().enumerate() {
            let to = senders[(at + 1) % 3].clone();
            scope.spawn(move || work(at as u64, &to, &from));
        }
    });
    drop(senders);
    assert_eq!(SHARED.taken(), [0, 0]);
    assert_eq!(
        (totals().bytes, totals().allocations),
        (before.bytes, before.allocations)
    );
}
