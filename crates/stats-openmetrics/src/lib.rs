//! The series of [`stats_core`] as [OpenMetrics] over HTTP, for Prometheus and other collectors.
//!
//! A collector asks every few seconds, so single frames are not what it can show. This crate exports
//! what adds up over any interval: totals, histograms, maxima and counts of hitches.
//!
//! ```
//! use stats_core::Recorder;
//! use stats_openmetrics::OpenMetrics;
//!
//! let mut recorder = Recorder::new();
//! let mut metrics = OpenMetrics::serve("127.0.0.1:0".parse()?)?; // any free port
//! println!("http://{}/metrics", metrics.address());
//!
//! // In every frame:
//! recorder.end_frame();
//! metrics.end_frame(&recorder);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Metrics
//!
//! | metric | type | from |
//! |---|---|---|
//! | `stats_counter_total{path,unit}` | counter | counters |
//! | `stats_level{path,unit}` | gauge | levels and gauges, at the time of the request |
//! | `stats_timer_seconds_total{path}`, `stats_timer_calls_total{path}` | counter | timers |
//! | `stats_samples{path,unit}` | histogram | histograms; its buckets end at 1, 2 and 5 × 10ⁿ |
//! | `stats_frame_seconds` | histogram | frame times, with a bucket for each usual rate |
//! | `stats_frame_max_seconds` | gauge | the longest frame of the last 60 seconds of frames |
//! | `stats_frame_hitches_total` | counter | frames that are [hitches](stats_core::frame_metrics::HitchRule) |
//! | `stats_series_over_limit` | gauge | series that are not exported, see [limits](#limits) |
//!
//! Totals begin when the server starts. A histogram begins with the run, so
//! [`begin_run`](stats_core::begin_run) resets it. Samples of a histogram that lie on a boundary count
//! below it or above it, as in [`Bucket`](stats_core::Bucket).
//!
//! # Cost
//!
//! A frame takes some nanoseconds: it adds its time to a few numbers. Everything else happens on a
//! thread of its own when somebody asks, with a recorder whose frames are the requests. The game never
//! waits for it.
//!
//! # Security
//!
//! The server only listens on a loopback address: [`OpenMetrics::serve`] refuses all others. It reads
//! nothing of a request but its method and path. To reach it from another machine, use a proxy that
//! authenticates, or a tunnel.
//!
//! # Limits
//!
//! - [`MAX_SERIES`] series are exported, in the order of registration, so that a path that is made at
//!   run time does not fill the collector. `stats_series_over_limit` counts the others.
//! - [Deferred](stats_core::DeferredSource) series are not exported, nor are self times.
//!
//! # Features
//!
//! - `enabled` (default): without it there is no server and no thread.
//!
//! [OpenMetrics]: https://prometheus.io/docs/specs/om/open_metrics_spec/

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod frames;
mod listener;
mod metric;
#[cfg(feature = "otlp")]
mod otlp;
mod page;
mod series;
mod server;

#[cfg(feature = "otlp")]
pub use otlp::{Otlp, OtlpError, OtlpOptions};
pub use series::MAX_SERIES;
pub use server::{OpenMetrics, ServeError};
