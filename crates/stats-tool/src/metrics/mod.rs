//! The metrics of a run, computed exactly from its capture.
//!
//! - [`rules`]: how a run is judged, and which frames are left out.
//! - [`metric`]: one figure, under a name that never changes.
//! - [`columns`]: the values of all series, each read once.
//! - [`peers`]: figures as other programs define them.
//! - [`run_metrics`]: all figures of a run.
//! - [`explanation`](mod@explanation): passes the frames of a capture to an
//!   [`Insight`](stats_analysis::insight::Insight), which explains the hitches.
//! - [`longest`]: the longest frame, and why it is no hitch.
//! - [`slowdowns`]: when a run became slower.
//! - [`interest`]: which series a reader wants to see first.
//! - [`log`](mod@log): the lines of the log beside frames.
//! - [`longest_call`](mod@longest_call): which call of a timer was the longest of a frame.
//! - [`left_out`], [`clock`], [`span`], [`breakdown`], [`memory`], [`series`], [`samples`],
//!   [`teams`], [`threads`], [`throttling`], [`timestamps`]: the parts of a run's figures.
//!
//! Names of metrics never change. They are the interface for gates and dashboards. An unknown
//! figure has no metric; there are no placeholders.
//!
//! Metrics are computed from all frames, each time, in about a second for a long capture. No file
//! caches them, so a figure always matches its definition.

mod breakdown;
mod clock;
mod columns;
mod explanation;
mod interest;
mod left_out;
mod log;
mod longest;
mod longest_call;
mod memory;
mod metric;
mod peers;
mod rules;
mod run_metrics;
mod samples;
mod series;
mod slowdowns;
mod span;
mod teams;
mod threads;
mod throttling;
mod timestamps;

pub(crate) use breakdown::{Breakdown, FramePart};
pub(crate) use clock::Clock;
pub(crate) use columns::Columns;
pub(crate) use explanation::{ExplainedMoment, Explanation, Growth, RunExplanation};
pub(crate) use interest::{Group, Interest};
pub(crate) use left_out::{LeftOut, Reason};
pub(crate) use log::{Log, log_beside};
pub(crate) use longest::{Longest, NoHitch};
pub(crate) use longest_call::LongestCall;
pub(crate) use memory::{fragmentation, memory_use, video_memory_by_label};
pub(crate) use metric::Metric;
pub(crate) use peers::{PeerFigure, peer_figures};
pub(crate) use rules::Rules;
pub(crate) use run_metrics::{LOST_FRAMES, RunMetrics};
pub(crate) use series::{Numbers, SeriesFigures, frame_name};
pub(crate) use slowdowns::Slower;
pub(crate) use teams::{TeamFigures, is_of};
