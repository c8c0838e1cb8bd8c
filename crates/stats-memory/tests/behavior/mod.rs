//! Helpers that all behaviors share: a lock, because there is one set of totals, and blocks that
//! check themselves.

mod block;
mod budgets;

mod day;
mod dumps;
mod layouts;
mod model;
mod orders;
mod pooled;
mod scopes;
mod series;
mod strict;
mod tagged;
mod threads;

use std::alloc::System;

use stats_memory::{Count, Records, Tags, TrackingAllocator};

pub(crate) use block::Block;
pub(crate) use stats_testing::{Random, alone};

pub(crate) static COUNT: TrackingAllocator<System, Count> = TrackingAllocator::new(System);
pub(crate) static TAGS: TrackingAllocator<System, Tags> = TrackingAllocator::new(System);
pub(crate) static RECORDS: TrackingAllocator<System, Records> = TrackingAllocator::new(System);

/// Returns how often to repeat something: less often under a memory checker, which slows everything
/// down, and for which `STATS_MEMORY_STEPS` is set.
pub(crate) fn times(usual: usize) -> usize {
    if std::env::var_os("STATS_MEMORY_STEPS").is_some() {
        usual / 20
    } else {
        usual
    }
}
