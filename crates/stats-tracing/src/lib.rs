//! The spans of [tracing](https://docs.rs/tracing) as timers of [`stats_core`], by name and by call
//! path, and its events as counters by level and target, and as lines beside the frames.
//!
//! A program that is instrumented with `tracing` needs one more line, where it installs its
//! subscriber:
//!
//! ```
//! use tracing_subscriber::prelude::*;
//!
//! let subscriber = tracing_subscriber::registry().with(stats_tracing::StatsLayer::new());
//! tracing::subscriber::with_default(subscriber, || {
//!     let _simulate = tracing::info_span!("simulate").entered();
//!     tracing::info_span!("solve").in_scope(|| tracing::warn!("did not converge"));
//! });
//! ```
//!
//! # Series
//!
//! | path | kind | value |
//! |---|---|---|
//! | `tracing/<thread>/<span>/<child>` | timer | milliseconds, calls and self time of a call path |
//! | `tracing/spans/<span>` | timer | the same of all spans of a name, over all threads and call paths |
//! | `tracing/events/<level>` | counter | events of a level: `error`, `warn`, `info`, `debug`, `trace` |
//! | `tracing/events/<level>/<target>` | counter | events of a level and a target |
//! | `tracing/further-threads/<n>/…` | timer | the call paths of threads beyond the [limits](#limits) |
//! | `tracing/over-limit` | timer | self time and calls of spans beyond the [limits](#limits) |
//! | `tracing/events/over-limit` | counter | events whose target has no series of its own |
//!
//! # What counts as a call
//!
//! A call is the time between entering and exiting a span; a future that is instrumented with a
//! span has one call for each poll. A call belongs to the frame and the thread in which it ends.
//!
//! The call path consists of the spans that are entered on the thread at that moment, and not of
//! their declared parents: the time of a path is time that its thread spent, so self times add up.
//! So a task that moves to another thread has a path there, and a span that is only created or
//! cloned has none. `Timer` scopes of stats-core count as inside or around spans, too.
//!
//! `tracing/spans/<span>` counts the time of a span that is entered inside another of the same name
//! only once, so its time on a thread never exceeds the elapsed time. It counts every call.
//!
//! Spans with the same name count as one, regardless of target, level and fields. Some libraries
//! distinguish spans by a field; Bevy names all spans of systems `system`. See
//! [`StatsLayer::name_field`]. Threads with the same name count as one, and threads without a name
//! count as `unnamed`. [`stats_core::segment::bounded`] turns names into segments of paths.
//!
//! # Filters
//!
//! The layer sees the spans and events that the subscriber lets through. A filter of its own, such
//! as `.with_filter(LevelFilter::INFO)`, leaves spans or events out of the series, but not out of
//! other layers.
//!
//! # The log
//!
//! [`StatsLayer::keep_log`] also keeps the texts of events, each as a mark of its frame: graphs and
//! captures then show what the program wrote around a hitch.
//!
//! # Cost
//!
//! Each call reads the clock twice, which is most of the cost. Depending on the machine, an enabled span
//! takes 1.4 to 2.2 times as long as with a layer that does nothing, and up to 1.5 times as long as with
//! a layer that only calls `Instant::now()` at both ends.
//! `cargo bench -p stats-bench --bench bridges` compares them. Once the spans of a thread are
//! known, nothing allocates, and nothing takes a lock. The first time that a thread enters a span
//! at a call path takes a lock and allocates.
//!
//! A span that is entered on a different thread from the one that created it is looked up in the
//! registry, which takes about as long as entering it.
//!
//! # Limits
//!
//! Everything that the layer keeps is bounded:
//!
//! - [`MAX_PLACES`] names, threads and call paths have series of their own. Spans beyond them count
//!   in `tracing/over-limit`, and the first one is reported as a
//!   [problem](stats_core::Problem::OverLimit).
//! - If threads of 256 names have ended, or if ended threads have three quarters of these places,
//!   threads with new names share the paths `tracing/further-threads/1`, `/2` and so on: each takes
//!   the first path that no running thread has. This is reported once, too.
//! - Spans inside [`MAX_DEPTH`] others on their thread are not timed; `tracing/over-limit` counts
//!   them. If the thread has ended a frame since it entered half of the others, one of these is no
//!   longer timed, and gives up its place: it may never be exited.
//! - [`MAX_TARGETS`] pairs of level and target have counters of their own. The events of others
//!   count in that of their level, and in `tracing/events/over-limit`.
//! - Records of the crate `log` that come through tracing-log count with the target `log`. Their
//!   texts have the targets of the records.
//! - Two layers that are installed at the same time count everything twice.
//! - A span that is entered when its thread ends is not counted.
//!
//! # Features
//!
//! - `enabled` (default): without it the layer does nothing, and no series is registered.
//!
//! # Internals
//!
//! The thread that creates a span computes its name and keeps it in a small table by id. To enter a
//! span, its thread finds the timers in another small table, by two numbers: the path of the
//! innermost entered span and the address of the callsite. Both tables have a fixed size and no
//! destructor. If an entry is missing there, the thread looks in its hash tables, and then in those
//! of the process, under a lock.
//!
//! - **Nothing is stored in the registry's spans.** An extension costs an allocation for each span.
//! - **Call paths are scopes of the core**, so they nest with its timers, have self times and
//!   threads, and are captured with their start and end. Timers by name repeat the time of a scope,
//!   and have no thread, so that readers do not count the time twice.
//! - **A table with a fixed size and no destructor comes first.** Hash tables in a thread-local
//!   with a destructor cost as much as reading the clock.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod events;
mod layer;
mod places;
mod text;
mod thread;

pub use events::MAX_TARGETS;
pub use layer::StatsLayer;
pub use places::MAX_PLACES;
pub use thread::MAX_DEPTH;
