//! The storage of histograms.
//!
//! Each thread that records into a histogram has a *shard* of it: buckets, and the running sums of
//! its samples. A reader merges the shards of all threads.
//!
//! Buckets are plain numbers, and a reader may see each at a different moment. The sums belong
//! together: mean and deviation follow from several numbers, so a reader needs all of them from
//! one moment. A [`tally`] gives it that without ever making the recording thread wait.
//!
//! - [`shards`]: the shards of each histogram, and the threads that own them.
//! - [`run`]: the samples that all shards of a histogram recorded in a run.
//! - [`shard`]: the buckets of one thread, in pages that are allocated when a sample first falls
//!   into them.
//! - [`tally`]: the sums of one thread, readable from any thread as of one moment.
//! - [`sums`]: the arithmetic of a tally.
//! - [`peaks`]: the longest calls, or the largest samples, of one thread, if they are kept.

#[cfg(not(loom))]
mod peaks;
#[cfg(not(loom))]
mod run;
#[cfg(not(loom))]
mod shard;
#[cfg(not(loom))]
mod shards;
mod sums;
mod tally;

#[cfg(not(loom))]
pub(super) use peaks::end_interval;
#[cfg(not(loom))]
pub(super) use shards::{
    begin_run, count, current_run, keep_largest, longest_call, record, record_call, set_precision,
    snapshot, snapshot_of_all_runs, sum,
};
#[cfg(loom)]
pub(super) use tally::{Reading, Tally, Total};
