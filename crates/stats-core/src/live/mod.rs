//! The implementation with the feature `enabled`.
//!
//! - [`counter`]: cells, the blocks of each thread, and how a slot maps to a cell.
//! - [`histogram`]: the shards of each thread, their buckets and moments.
//! - [`scopes`]: the open scopes of each thread, for self times and parents.
//! - [`span_queue`]: a queue of records from one thread to another that never waits.
//! - [`spans`]: the start and end of every scope, while there is a collector.
//! - [`registry`]: slots by path, and the listing.
//! - [`place`]: the contents of a counter in a `static` and of a handle.
//! - [`timer_scope`]: a running scope of a timer.
//! - [`runs`]: ends a run of all histograms.
//! - [`late`]: values that are delivered frames later.
//! - [`thread_totals`]: totals of the system that a recorder reads at the end of its frames.
//! - [`computed`]: series that recorders compute from others.
//! - [`log_lines`]: the lines of the log that wait for the end of a frame.
//! - [`freezes`]: frames that do not end.
//! - [`recorder`]: divides totals into frames.
//! - [`ticks`]: second clocks, whose ticks are read in the frames of recorders.
//!
//! Each uses only those above it. The other files are shared: [`owned`] (storage with one writer at
//! a time), [`exclusive`] (a value that one thread uses at a time), [`ring`] (one history),
//! [`clock`], [`own_memory`], [`reentrancy`], [`refusals`] and [`sync`].
//!
//! With `--cfg loom` only the parts that synchronize are compiled, against loom's primitives, and
//! `models` drives them; the rest of the crate then uses the implementation without the feature.

#![cfg_attr(
    loom,
    expect(
        dead_code,
        unreachable_pub,
        reason = "the models use a part of each module"
    )
)]

#[cfg(not(loom))]
mod clock;
#[cfg(not(loom))]
mod computed;
mod counter;
mod exclusive;
#[cfg(not(loom))]
mod freezes;
mod histogram;
mod late;
#[cfg(not(loom))]
mod log_lines;
#[cfg(all(test, loom))]
mod models;
#[cfg(not(loom))]
mod own_memory;
mod owned;
#[cfg(not(loom))]
mod place;
#[cfg(not(loom))]
mod recorder;
#[cfg(not(loom))]
mod reentrancy;
#[cfg(not(loom))]
mod refusals;
#[cfg(not(loom))]
mod registry;
#[cfg(not(loom))]
mod ring;
#[cfg(not(loom))]
mod runs;
#[cfg(not(loom))]
mod scopes;
mod span_queue;
#[cfg(not(loom))]
mod spans;
mod sync;
#[cfg(not(loom))]
mod thread_totals;
#[cfg(not(loom))]
mod ticks;
#[cfg(not(loom))]
mod timer_scope;

#[cfg(not(loom))]
pub(crate) use clock::Instant;
#[cfg(not(loom))]
pub use clock::set_clock;
#[cfg(not(loom))]
pub(crate) use computed::add_computed;
#[cfg(not(loom))]
pub use computed::set_unavailable;
#[cfg(not(loom))]
pub(crate) use counter::Held;
#[cfg(not(loom))]
pub(crate) use freezes::FreezeWatch;
#[cfg(not(loom))]
pub(crate) use late::{LatePlace, LateSource, StampNumber};
#[cfg(not(loom))]
pub(crate) use log_lines::keep_log_line;
#[cfg(not(loom))]
pub(crate) use own_memory::{Charge, set_memory_tracker};
#[cfg(not(loom))]
pub use place::{Handle, Place, Static};
#[cfg(not(loom))]
pub use recorder::{Recorder, Watch, WatchGroup, WatchList};
#[cfg(not(loom))]
pub use registry::{
    budget_changes, budget_set_for, cell_block_sets, find, for_each_change, for_each_series,
    frame_budget_ms, generation, problems, report_over_limit, report_reserved_path, set_budget,
    set_budgets,
};
#[cfg(not(loom))]
pub use runs::{begin_run, for_each_histogram, snapshot, snapshot_of_all_runs};
#[cfg(not(loom))]
pub(crate) use runs::{current_run, report};
#[cfg(not(loom))]
pub(crate) use spans::{SpanCollector, are_spans_collected, record_span};
#[cfg(not(loom))]
pub(crate) use thread_totals::{add_thread_total, set_thread_totals};
#[cfg(not(loom))]
pub(crate) use ticks::TickClock;
#[cfg(not(loom))]
pub(crate) use timer_scope::OpenScope;
