//! The cost of a group's pools, compared with the system's allocator and mimalloc.

use std::alloc::System;

use mimalloc::MiMalloc;
use stats_bench::{Bar, Contest, Table};
use stats_memory::{Group, GroupPools, GrowingPool, PooledAllocator, StaticPool, scope};

use crate::pairs::{PAIRS, PAIRS_TOGETHER, together, work};

static SMALL_GROUP: Group = Group::new("bench-small");
static GROWING_GROUP: Group = Group::new("bench-growing");
static SMALL: StaticPool<256> = StaticPool::new("bench-small");
static GROWING: GrowingPool = GrowingPool::new("bench-growing");
static POOLS: [GroupPools; 2] = [(&SMALL_GROUP, &[&SMALL]), (&GROWING_GROUP, &[&GROWING])];
static POOLED: PooledAllocator<System> = PooledAllocator::new(System, &POOLS);

fn in_small(pairs: u64) {
    let _scope = scope!("bench", group: SMALL_GROUP);
    work(&POOLED, pairs);
}

fn in_growing(pairs: u64) {
    let _scope = scope!("bench", group: GROWING_GROUP);
    work(&POOLED, pairs);
}

pub(crate) fn measure(table: &mut Table) {
    let outcome = Contest::new()
        .with(PAIRS, || work(&System, PAIRS))
        .with(PAIRS, || work(&MiMalloc, PAIRS))
        .with(PAIRS, || work(&POOLED, PAIRS))
        .with(PAIRS, || in_small(PAIRS))
        .with(PAIRS, || in_growing(PAIRS))
        .with_own_clock(PAIRS_TOGETHER, || together(2, || work(&MiMalloc, PAIRS)))
        .with_own_clock(PAIRS_TOGETHER, || together(2, || in_small(PAIRS)))
        .run();
    let mut row = |what: &str, a, b, bar| {
        table.row(
            what,
            &[outcome.ns(a), outcome.ns(b)],
            outcome.ratio(a, b),
            "×",
            Bar::AtMost(bar),
        )
    };
    row(
        "a pooled allocator, in no group / the system's allocator",
        2,
        0,
        2.5,
    );
    row("a static pool / the system's allocator", 3, 0, 2.5);
    row("a growing pool / the system's allocator", 4, 0, 3.5);
    // Much slower, as documented.
    row("a static pool / mimalloc", 3, 1, 4.0);
    row("a growing pool / mimalloc", 4, 1, 6.0);
    row("two threads on one static pool / on mimalloc", 6, 5, 30.0);
}
