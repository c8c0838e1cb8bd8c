//! A recorder for the crate [metrics](https://docs.rs/metrics), which turns its counters, gauges
//! and histograms into series of [`stats_core`].
//!
//! ```
//! stats_metrics::StatsRecorder::new().install()?;
//!
//! metrics::describe_counter!("downloads", metrics::Unit::Bytes, "bytes that were downloaded");
//! metrics::counter!("downloads", "host" => "assets").increment(4_096);
//! # Ok::<(), metrics::SetRecorderError<stats_metrics::StatsRecorder>>(())
//! ```
//!
//! # Series
//!
//! | metric | series | value of a frame |
//! |---|---|---|
//! | counter | [`Counter`](stats_core::Counter) | the sum of the frame |
//! | gauge | [`Gauge`](stats_core::Gauge) | the last value |
//! | histogram | [`Histogram`](stats_core::Histogram) | the sum of the samples; quantiles over the run |
//!
//! The path is `metrics/<name>`, followed by one segment `<label>=<value>` for each label, in the
//! order of the labels' names. So `counter!("requests", "status" => "200", "method" => "GET")` is
//! `metrics/requests/method=GET/status=200`. [`stats_core::segment::bounded`] turns names, labels
//! and values into segments. A `=` in the name of a label is written as `%3D`.
//!
//! - If a program uses a name for metrics of several kinds, the kind that is used first has the
//!   path `metrics/<name>`. The paths of the others continue with `counter`, `gauge` or
//!   `histogram`: `metrics/<name>/gauge`, followed by the labels.
//! - `Counter::absolute` adds the difference from the highest value that it was given before, and
//!   the whole value the first time. Increments of the same counter do not change that value.
//! - A value that is not finite is refused; see [`Gauge::set`](stats_core::Gauge::set). So is an
//!   increment or an absolute value of 2⁵³ or more, which wrapped around; see
//!   [`Counter::add`](stats_core::Counter::add). It does not count as the highest absolute value.
//! - Descriptions and units may be given before or after the first value; the first ones of a name
//!   are kept. Units that the core does not have, such as [`metrics::Unit::Kibibytes`], become a
//!   custom symbol; values are not converted.
//!
//! # Cost
//!
//! Each operation takes less time than with `metrics-exporter-prometheus`, both with a handle and
//! by name. `cargo bench -p stats-bench --bench bridges` compares them. Each call of a macro looks
//! its name up in a table that all threads share, so keep the handle in inner loops. Once a metric
//! is known, nothing allocates except the macros, for labels made at run time.
//!
//! # Limits
//!
//! - At most [`MAX_NAMES`] names of each kind have series, and at most
//!   [`StatsRecorder::max_label_sets`] sets of labels of each name. Values with further labels go
//!   to `metrics/<name>/over-limit`; those of further names are dropped. Both are reported once,
//!   as a [problem](stats_core::Problem::OverLimit). `Counter::absolute` with further labels adds
//!   the difference from the highest value that any of these sets of labels was given.
//! - The core [limits the number of histograms](stats_core::limits::MAX_HISTOGRAMS).
//!
//! # Features
//!
//! - `enabled` (default): without it all metrics do nothing, and no series is registered.
//!
//! # Internals
//!
//! - **Keys beyond the limit are not stored**, because their number is unbounded. Each use of such
//!   a key looks up its name, and its values count in one series per name.
//! - **The kind that is first used has the path of a name**, and other kinds add a segment. A
//!   segment for every kind would make all paths longer for a rare case, and a name of a library
//!   cannot be changed by the program.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod families;
mod handles;
mod recorder;
mod unit;

pub use families::MAX_NAMES;
pub use recorder::StatsRecorder;
