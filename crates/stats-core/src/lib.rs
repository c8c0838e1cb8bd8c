//! Counters, gauges, timers and histograms that stay in a game's code for good, and the recorder
//! that turns them into frames.
//!
//! ```
//! use stats_core::{Counter, Gauge, Histogram, Recorder, Timer, Unit, UpDownCounter};
//!
//! static DRAW_CALLS: Counter = Counter::new("renderer/draw-calls").budget(2_000.0); // sum of a frame
//! static ENEMIES: UpDownCounter = UpDownCounter::new("game/enemies"); // a level, persists
//! static CAMERA_X: Gauge = Gauge::new("camera/x").unit(Unit::Meters); // last value set, persists
//! static PATHS: Timer = Timer::new("ai/pathfinding"); // ms of a frame, and calls
//! static PACKETS: Histogram = Histogram::new("net/packet-size").unit(Unit::Bytes); // all samples of a run
//!
//! let mut recorder = Recorder::new(); // one for each clock
//! let watch = recorder.watch(DRAW_CALLS.id()); // its history starts here
//!
//! DRAW_CALLS.add(12);
//! ENEMIES.increment();
//! CAMERA_X.set(1.5);
//! PACKETS.record(782);
//! {
//!     let _scope = PATHS.scope(); // timed until the end of the block
//! }
//! stats_core::count!("renderer/primitives", 3 * 12); // one line; not evaluated when compiled out
//! stats_core::sample!("io/pack", 8.2, Unit::Milliseconds); // a histogram in one line
//! let orcs = stats_core::counter("enemy/orc/count"); // a path made at run time
//! orcs.add(1);
//!
//! recorder.end_frame();
//! for value in recorder.history(&watch, 600).iter() {
//!     println!("{value}"); // oldest first; `as_slices()` borrows instead
//! }
//! println!("{}", stats_core::report()); // everything that the run has counted
//! ```
//!
//! # Which type to use
//!
//! | to measure | use | value of a frame |
//! |---|---|---|
//! | how often or how much in this frame | [`Counter`] | the sum of the frame |
//! | a level that goes up and down | [`UpDownCounter`] | the level at its end |
//! | a value that is set | [`Gauge`] | the last value |
//! | time | [`Timer`] | milliseconds; calls and self time as further series |
//! | single samples: sizes, latencies | [`Histogram`] | the sum of the samples; quantiles over the run |
//!
//! Adding to any of them is wait-free from any number of threads. An add to a counter takes one to
//! three times as long as a plain `*p += n`.
//!
//! # Paths
//!
//! A path names the same series everywhere in the program. It consists of non-empty segments of any
//! Unicode characters, separated by `/`. An invalid path is repaired. If a path was registered
//! before with a different kind, unit or budget, the first registration is kept. Both are reported
//! once, at registration, and [`problems()`] lists them. No call on the frame path fails because of
//! it.
//!
//! # Frames
//!
//! A [`Recorder`] has its own clock and divides counted values into frames. Any number of recorders
//! can read the same counters: one for render frames, one for server ticks, one in a test. A series
//! has a history only while it is [watched](Recorder::watch), so the cost of a frame depends on the
//! number of watched series, not on the number of registered series.
//!
//! [`percentiles`] and [`frame_metrics`] measure how evenly frames were paced; [`FrameStatistics`]
//! contains all of their results. An overlay reads a recorder through the trait [`Source`], which a
//! capture on disk or a game on another machine can implement too.
//!
//! # Marks
//!
//! [`Recorder::mark`] labels frames, such as a span of loading or the point at which a save
//! happened. Readers show marks. Statistics include marked frames unless the caller leaves them out
//! with [`FrameSlice::without_marked`].
//!
//! ```
//! use stats_core::{MarkEvent, Recorder, percentiles::average_fps};
//!
//! let mut recorder = Recorder::new();
//! recorder.mark("loading", MarkEvent::Begin);
//! recorder.end_frame_at(2.0);
//! recorder.mark("loading", MarkEvent::End);
//! recorder.end_frame_at(3.0);
//! recorder.end_frame_at(3.01);
//! let frames_ms = recorder.frame_times(600).without_marked(recorder.marks(), &["loading"]);
//! # if stats_core::ENABLED {
//! assert_eq!(average_fps(&frames_ms).map(f64::round), Some(100.0));
//! # }
//! ```
//!
//! # Deferred values
//!
//! The cost of a frame on the GPU, or on another machine, is known a few frames later. A
//! [`DeferredSource`] issues a stamp during the frame and delivers the values when it has them. In
//! every recorder, the values belong to the frame in which the stamp was issued. The history of
//! such a series ends before the first frame that still waits for values, so a value that was read
//! never changes. A value may be [`LATE_FRAMES`](limits::LATE_FRAMES) frames late; later values are
//! dropped and counted in `stats/late-dropped`.
//!
//! # Computed series
//!
//! [`add_computed`] adds a series that each recorder computes from others, such as a cost per agent,
//! in its own frames. It is read like any other series. [stats-analysis] makes them from formulas.
//!
//! [stats-analysis]: https://crates.io/crates/stats-analysis
//!
//! # A second clock
//!
//! [`Ticks`] shows the ticks of a server, or the fixed steps of a simulation, in the frames of all
//! recorders.
//!
//! # Series about the core itself
//!
//! The core lists a few series about itself. Values that a program adds to one of these paths do
//! not appear in the series. Each series costs nothing until it is watched, peeked at or surveyed.
//! After that, it adds this much time to the end of each frame, on the machines measured so far:
//!
//! | path | kind, unit | value | cost per frame |
//! |---|---|---|---|
//! | `stats/refused-samples` | counter | values refused in the frame, because they were not finite, were integers that [wrapped around](Counter::add), or were recorded while the core allocated | 6 to 12 ns |
//! | `stats/problems` | counter | [problems](problems()) found in the frame; the first 256 of the process are counted | 6 to 12 ns |
//! | `frame time` | [frame time](SeriesKind::FrameTime), ms | the duration of the frame. Its history is that of the clock, so a watch takes no memory | 2 to 5 ns while peeked at or surveyed |
//! | `stats/late-dropped` | counter | [deferred values](DeferredSource) that arrived too late, for series that are watched, peeked at or surveyed | 6 to 12 ns |
//! | `stats/registered-series` | level | the number of listed series, including these; a timer or a histogram counts as one | 6 to 12 ns |
//! | `stats/cell-block-sets` | level | [sets of cells](cell_block_sets): the largest number of threads that ever counted at the same time | 6 to 12 ns, and 1 ns for each 8 KiB of cells |
//! | `stats/fps` | level, Hz | 1000 divided by the milliseconds of the frame, on the recorder's own clock. A frame of duration 0 keeps the previous rate, which is 0 until a frame takes time. At most `f64::MAX` | 2 to 7 ns |
//!
//! The rate of a single frame is for graphs. The average over several frames is
//! [`percentiles::average_fps`], not the mean of these rates. The frame time itself is the series
//! [`FRAME_TIME`], and [`frame_times`](Source::frame_times) returns its values without a watch.
//!
//! # Fork
//!
//! A child of `fork` has only the thread that forked. A lock that another thread held at that
//! moment stays locked in the child. Until it calls `exec` or `_exit`, a child of a program with
//! several threads may therefore only write to series to which the same thread has written before
//! the fork: with [`Counter::add`], [`UpDownCounter::add`], [`Gauge::set`], [`Timer::record`],
//! [`Histogram::record`] and their variants. These take no lock. What the child writes stays in the
//! child.
//!
//! Everything else may wait forever: looking up or registering a series, also by its first value,
//! beginning a scope, ending a frame, and reading or dropping a [`Recorder`]. A program that wants
//! to do these in a child forks before it starts a thread. The other crates start threads that a
//! child does not have. It does not need their values: dropping a capture in a child does nothing.
//!
//! # Features
//!
//! - `enabled` (default): without it, every counter, handle and recorder has size zero, every call
//!   compiles to nothing, and no path is in the binary.
//! - `log`: adds `log_report` and `log_report_at_exit`, which write the report of a run to the
//!   program's logger.
//!
//! # Internals
//!
//! A series has a *slot*. Each thread owns blocks of 1024 *cells*, which it finds by slot in a
//! thread-local directory. Only this thread writes them. An add is a load, an addition and a store,
//! without a lock, a hash or an atomic read-modify-write. Cells contain totals that are never
//! reset: a collector that swaps a cell with zero while its owner stores to it counts values twice,
//! and two alternating buffers lose values. Both designs are kept as loom models that must fail.
//! The value of a frame is the sum of a slot's cells over all blocks, minus this sum at the end of
//! the previous frame. Each recorder remembers the previous sums of its watched series.
//!
//! Blocks are allocated on first use, never moved and never freed. A thread that ends leaves its
//! blocks, including their totals, to the next thread that needs blocks. If a thread counts in the
//! destructors of its thread-locals, after it has left its blocks, it claims a block for each add.
//! A thread-local handle that outlives the thread's guard keeps its blocks until it is dropped.
//!
//! A gauge has one cell for all threads: only the last value counts, so a store is enough.
//!
//! A histogram has a *shard* for each thread that records. A shard has buckets and a *tally*. The
//! buckets are in pages of 64, and a page is allocated when the first sample falls into it. The
//! tally is a buffer of 32 samples with running sums. When the buffer is full, all of its samples
//! are folded into sum, squares and extremes at once. A sequence number guards the fold and is odd
//! while it runs. A reader merges the shards. It adds the buffered samples itself, and retries if a
//! fold ran in the meantime.
//!
//! Bucket counts are never reset: [`begin_run`] remembers the count of each bucket, and a snapshot
//! subtracts it. Sums and extremes cannot be subtracted without loss, so each thread restarts them
//! with its first sample of a run, and keeps those of its previous run until they are reported. If
//! a thread records a sample into a run that has just been reported, the sample appears in the next
//! report, as a difference of totals over all runs.
//!
//! Deferred values have no cells. Stamps and frame ends are numbered in one sequence, so each stamp
//! lies in exactly one frame of each recorder. A delivery goes to the mailboxes of the recorders
//! that read the series, and from there into a history once its frame is complete.
//!
//! Each public type is in a file of the same name that does not depend on the feature `enabled`.
//!
//! - `counters/`: what a game counts with.
//! - `series/`: what a series is.
//! - `frames/`: frames and marks.
//! - `providers/`: series whose values come from elsewhere.
//! - `source/`, `timeline/`: what a reader sees.
//! - `program/`: what concerns the whole program.
//!
//! Two back ends with the same names implement the types: `live/`, whose module documentation lists its
//! parts, and `off/`, which does nothing. `distribution/` and `frame_statistics/` are pure functions, the same with and
//! without the feature, except for `distribution/recent.rs`. A counter is `Counter<P>` with a
//! *place* `P`: `place::Static` looks up its slot on first use, `place::Handle` stores it. Statics
//! and run-time handles thus share one implementation and one set of docs.
//!
//! Of a float the sum is checked, of an integer the summand. `cell + n` must be below 2⁵³, or a
//! slow path reports that the total is no longer exact, and refuses the float if the sum is not
//! finite. This check costs the same as checking `n`. An integer below 2⁵³ cannot overflow a total,
//! so only its own range is checked, which costs less than the conversion of a full `u64`.
//! Recorders check the totals that they read, because no single add shows that a sum over threads
//! is inexact.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod counters;
mod distribution;
mod frame_statistics;
mod frames;
pub mod limits;
mod program;
mod providers;
mod series;
pub mod source;
pub mod timeline;

#[cfg(all(feature = "enabled", any(not(loom), test)))]
mod live;
#[cfg(any(not(feature = "enabled"), loom))]
mod off;

#[cfg(all(feature = "enabled", not(loom)))]
use live as backend;
#[cfg(any(not(feature = "enabled"), loom))]
use off as backend;

#[doc(hidden)]
pub use counters::joined_path::{__joined, __module, __module_len, __text};
pub use counters::{
    Counter, CounterHandle, Gauge, GaugeHandle, Histogram, HistogramHandle, LocalCounter, Number,
    ScopeTime, Timer, TimerHandle, TimerScope, UpDownCounter, UpDownCounterHandle, counter, gauge,
    histogram, place, timer, up_down_counter,
};
pub use series::{FRAME_TIME, SeriesId, SeriesInfo, SeriesKind, Unit, segment};

pub use backend::{Recorder, Watch, WatchGroup};
pub use frames::{Frame, FrameSlice, FrameTime, Mark, MarkEvent};
pub use source::Source;
pub use timeline::spans::{Span, SpanCollector, are_spans_collected, record_span};

pub use providers::{
    AddComputedError, Computation, DeferredSeries, DeferredSource, Evaluate, FrameStamp,
    ReadTotals, Ticks, add_computed, add_thread_total, set_thread_totals,
};

pub use frame_statistics::{
    FIGURES, Figure, FrameAnalyzer, FrameRules, FrameStatistics, frame_metrics, percentiles,
};

pub use backend::{begin_run, for_each_histogram, snapshot, snapshot_of_all_runs};
pub use distribution::{
    Bucket, Distribution, DistributionSummary, Precision, RecentDistribution, Report, ReportRow,
    ReportTotal,
};

pub use backend::{
    budget_changes, budget_set_for, cell_block_sets, find, for_each_change, for_each_series,
    frame_budget_ms, generation, problems, report_over_limit, report_reserved_path, set_budget,
    set_budgets, set_clock, set_unavailable,
};
pub use program::{
    FROZEN, Freeze, FreezeWatch, FrozenThread, LogLevel, LogLine, OwnMemory, OwnProcess, Problem,
    RecordedLength, RecordingControl, RecordingStatus, STOOD_STILL, on_freeze, own_memory,
    refresh_hz, report, set_memory_tracker, set_refresh_hz,
};
#[cfg(feature = "log")]
pub use program::{ReportAtExit, log_report, log_report_at_exit};

/// Whether the feature `enabled` is on. It is a constant, so code in `if ENABLED` is compiled out
/// without the feature.
pub const ENABLED: bool = cfg!(all(feature = "enabled", not(loom)));

/// The version of this crate. A plugin in a dynamic library may contain another one than its host.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
