//! Sets of samples: count, sum, extremes, mean, deviation and quantiles, with bounded memory.
//!
//! Samples are counted in buckets as wide as one step of the last significant digit, so memory
//! depends on the range of the samples and not on their number. Count, sum, extremes, mean and
//! deviation do not come from the buckets, and are exact.
//!
//! - [`distribution`]: the public type.
//! - [`precision`]: maps samples to buckets.
//! - [`buckets`]: counts by bucket, merged and subtracted.
//! - [`summary`]: the exact part.
//! - [`ranks`]: percentiles of weighted values.
//! - [`recent`]: the samples of the last seconds, which it reads from the running program.
//! - [`report`]: the histograms of a run as a table.

pub(crate) mod buckets;
mod distribution;
pub(crate) mod precision;
pub(crate) mod ranks;
mod recent;
mod report;
pub(crate) mod summary;

#[cfg(all(feature = "enabled", not(loom)))]
pub(crate) use distribution::LARGEST_SAMPLE;
pub use distribution::{Bucket, Distribution};
pub use precision::Precision;
pub use recent::RecentDistribution;
pub(crate) use report::grouped;
pub use report::{Report, ReportRow, ReportTotal};
pub use summary::DistributionSummary;
