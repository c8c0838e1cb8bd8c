//! The series of [`stats_core`] for monitoring: as [OpenMetrics] over HTTP, which Prometheus and
//! other collectors read, and as [OTLP](#opentelemetry), which is sent to an OpenTelemetry
//! collector.
//!
//! Both see the program only every few seconds, so they cannot show single frames. This crate
//! exports figures that cover any interval: totals, histograms, maxima and counts of long frames.
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
//! | OpenMetrics | OTLP | type | from |
//! |---|---|---|---|
//! | `stats_counter_total` | `stats.counter` | counter | counters |
//! | `stats_level` | `stats.level` | gauge | levels and gauges, at the time of the export |
//! | `stats_timer_seconds_total` | `stats.timer` | counter | the time of timers |
//! | `stats_timer_calls_total` | `stats.timer_calls` | counter | the calls of timers |
//! | `stats_samples` | `stats.samples` | histogram | histograms, with fixed [buckets](#buckets) |
//! | `stats_frame_seconds` | `stats.frame` | histogram | frame times, with a bucket for each usual rate |
//! | `stats_frame_max_seconds` | `stats.frame_max` | gauge | the longest frame of the last 60 seconds of frames |
//! | `stats_frames_over_60_ms_total` | `stats.frames_over_60_ms` | counter | frames over 60 ms, by a [fixed rule](stats_core::frame_metrics::Over60MsRule) |
//! | `stats_series_over_limit` | `stats.series_over_limit` | gauge | series that are not exported, see [limits](#limits) |
//!
//! The label `path` is the path of the series, and `unit` the symbol of its unit; timers have no
//! `unit`, because their metrics are seconds and calls. Prometheus gives a metric of OTLP the name
//! in the first column.
//!
//! Totals begin when the export starts, and continue when a run of the histograms
//! [begins](stats_core::begin_run).
//!
//! A collector that scrapes counts no increase for the value that a series begins with. So a
//! counter, timer or histogram that was registered since the last page is 0 on its first page, and
//! has its whole total from the second on; the increase comes one scrape late and is complete. With
//! several collectors, the first one to ask gets the zero. What the series on the very first page
//! begin with is in no increase: let the collector scrape once before the values matter. OTLP says
//! when totals began, and needs no zero.
//!
//! # Buckets
//!
//! The bounds of a histogram do not depend on its samples. A collector computes the increase of
//! each bucket, and a bucket that appears with its first samples has no increase yet: shares and
//! quantiles would be wrong. The bounds are 1, 2 and 5 × 10ⁿ in a range that the unit determines:
//!
//! | unit | bounds | number |
//! |---|---|---|
//! | seconds, milliseconds, microseconds, `ns` | 1 µs to 100 s, in that unit | 25 |
//! | bytes | 10 B to 10 GB | 28 |
//! | percent | 0.1 to 1,000 | 13 |
//! | all others | 0.001 to 10⁹ | 37 |
//!
//! Samples outside the range are in the first bucket, which includes zero and negative samples, or
//! above the last bound. [`OpenMetricsOptions::bounds`] replaces the bounds of some histograms, so
//! that they include the limits that matter, such as 250 ms.
//!
//! Each bound is one of the core's own buckets, so the counts of samples up to a bound are exact. A
//! sample that equals a bound counts as above it. In a histogram of whole numbers below 100 (1,000
//! with [`Precision::ThreeDigits`](stats_core::Precision::ThreeDigits)), it counts as up to it.
//! Magnitudes below 10⁻⁹ count as zero.
//!
//! # OpenTelemetry
//!
#![cfg_attr(feature = "otlp", doc = "[`Otlp`]")]
#![cfg_attr(not(feature = "otlp"), doc = "`Otlp` (feature `otlp`)")]
//! sends the metrics to a collector: OTLP over HTTP with protobuf, to `/v1/metrics` below the
//! endpoint, every 10 seconds by default, and once more when it is dropped.
//!
//! Totals are cumulative, so an export that fails loses nothing: the next one has everything, and
//! is its retry. A queue of old exports would only add load to an overloaded collector.
//! `Otlp::error` says why the newest one failed, and the counter `otlp/failed-exports` counts them.
//!
//! The resource has the attributes `service.name`, `service.instance.id` (random), `process.pid`
//! and `telemetry.sdk.*`; the options add others. The sum of a histogram with negative samples is
//! left out, as OTLP requires.
//!
//! # Cost
//!
//! A frame takes a few nanoseconds: it adds its time to a few numbers. Everything else happens on
//! threads of their own, with a recorder whose frames are the exports. The game never waits for
//! them. Dropping an `Otlp` waits for its last export, up to two seconds.
//!
//! # Security
//!
//! The server only listens on a loopback address: [`OpenMetrics::serve`] refuses all others. To
//! reach it from another machine, use a proxy that authenticates, or a tunnel.
//!
//! A page on the internet can make a browser on this machine ask the server. It reads nothing:
//!
//! - A request is answered only if its header `Host` is `localhost`, an address from 127.0.0.0/8,
//!   `[::1]`, or a name of [`OpenMetricsOptions::hosts`], with any port. All other names get the
//!   status 403, because a page can let its own name point to a loopback address (DNS rebinding). A
//!   request without the header, or with two, gets the status 400.
//! - A request that a browser sends for a page of another origin (`Origin`, `Sec-Fetch-Site`) gets
//!   the status 403. A person can follow a link to the metrics.
//!
//! A proxy that keeps the header `Host` needs its name in the options.
//!
//! OTLP is sent without encryption. Send it to a collector on the same machine or in a trusted
//! network, which can forward it with TLS.
//!
//! # Limits
//!
//! - [`MAX_SERIES`] series are exported, in the order of registration, so that paths made at run
//!   time do not fill the collector. `stats_series_over_limit` counts the others.
//! - [Deferred](stats_core::DeferredSource) series are not exported, nor are self times.
//! - Eight clients of the server can be connected at a time; one more ends the oldest connection.
//!   Each connection has one request.
//! - A counter that is given negative numbers decreases, which a collector takes for a restart.
//!
//! # Features
//!
//! - `enabled` (default): without it nothing is served or sent, and there is no thread.
//! - `otlp`: `Otlp`.
//!
//! # Internals
//!
//! An export reads the totals of its own recorder, so series cost the game nothing between exports.
//! `metric.rs` has metrics as numbers. `series.rs` makes the metrics of the series, and `frames.rs` the
//! metrics of the frames. `page.rs` writes them as text for the HTTP server, `listener.rs`, and
//! `otlp/` as messages.
//!
//! - **Histograms are exported over all runs**, because a collector takes a count that decreases
//!   for a restart, of that bucket alone.
//! - **The maximum covers one minute of frames**, not the frames since the last request: two
//!   collectors would reset it for each other.
//! - **Deferred series are left out.** The survey of an export contains only their newest complete
//!   frame, so their totals would miss the other frames.
//! - **The HTTP server is our own**, in a few files. It replaced tiny_http, which ends its thread
//!   if the system refuses a connection, and sets no time limit for a client that does not read. A
//!   server for one page needs neither persistent connections nor bodies of requests.
//! - **A connection beyond the limit closes the oldest one** instead of waiting for it, so there is
//!   always room for the next scrape.
//! - **OTLP is a feature of this crate**, not a crate of its own, because the metrics, their totals
//!   and their limit are the same.
//! - **The messages are those of opentelemetry-proto, without the exporter of OpenTelemetry's
//!   SDK.** An instrument of the SDK cannot export a histogram that is already counted.
//!   opentelemetry-proto depends on the SDK, but not on tokio, tonic or reqwest. minreq, which has
//!   no dependencies, sends the messages.
//!
//! [OpenMetrics]: https://prometheus.io/docs/specs/om/open_metrics_spec/

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod bounds;
mod frames;
mod host;
mod listener;
mod metric;
mod options;
#[cfg(feature = "otlp")]
mod otlp;
mod page;
mod request;
mod response;
mod samples;
mod series;
mod server;

pub use options::OpenMetricsOptions;
#[cfg(feature = "otlp")]
pub use otlp::{Otlp, OtlpError, OtlpOptions};
pub use series::MAX_SERIES;
pub use server::{OpenMetrics, ServeError};
