//! The server: its answers, and a real Prometheus that reads them.

#[cfg(feature = "enabled")]
mod answers;
#[cfg(feature = "enabled")]
mod hosts;
#[cfg(feature = "enabled")]
mod http;
#[cfg(not(feature = "enabled"))]
mod off;
#[cfg(feature = "enabled")]
mod prometheus;

#[cfg(feature = "enabled")]
use stats_testing::alone;
