//! Counters, gauges and timers that a game leaves in its code for ever, and the recorder that turns
//! them into frames.
//!
//! ```
//! use stats_core::{Counter, Gauge, Histogram, Recorder, Timer, Unit, UpDownCounter};
//!
//! static DRAW_CALLS: Counter = Counter::new("renderer/draw-calls").budget(2_000.0); // sum per frame
//! static ENEMIES: UpDownCounter = UpDownCounter::new("game/enemies"); // a level, persists
//! static CAMERA_X: Gauge = Gauge::new("camera/x").unit(Unit::Meters); // last value set, persists
//! static PATHS: Timer = Timer::new("ai/pathfinding"); // ms per frame, and calls
//! static PACKETS: Histogram = Histogram::new("net/packet-size").unit(Unit::Bytes); // all samples of the run
//!
//! let mut recorder = Recorder::new(); // one per clock
//! let watch = recorder.watch(DRAW_CALLS.id()); // history exists from here on
//!
//! DRAW_CALLS.add(12);
//! ENEMIES.increment();
//! CAMERA_X.set(1.5);
//! PACKETS.record(782);
//! {
//!     let _scope = PATHS.scope();
//! }
//! stats_core::count!("renderer/primitives", 3 * 12); // not evaluated when compiled out
//! stats_core::sample!("io/pack", 8.2, Unit::Milliseconds); // a histogram in one line
//! let kind = stats_core::counter("enemy/orc/count"); // run-time names: a Copy + Send handle
//! kind.add(1);
//!
//! recorder.end_frame(); // end of a frame
//! for value in recorder.history(&watch, 600).iter() {
//!     println!("{value}"); // oldest first; `as_slices()` for drawing without a copy
//! }
//! println!("{}", stats_core::report()); // sum, average, deviation, count, minimum, median and maximum of each histogram
//! ```
//!
//! # Paths
//!
//! A series is named by a path: non-empty segments between `/`, of any Unicode but `/`. The same
//! path is the same series, wherever it is named. What is wrong with a path, or clashes with what
//! is known of it, is found once, at registration, and told by [`problems()`]; it never stops the
//! counter from counting and never shows on the frame path.
//!
//! # Series of its own
//!
//! The core lists some series that nobody has to count, for what it knows anyway. None costs
//! anything until it is watched, peeked at or surveyed, and then, with every frame that ends, what
//! is said here. What a program adds to one of these paths is not seen in it.
//!
//! | path | kind, unit | is | cost a frame |
//! |---|---|---|---|
//! | `stats/refused-samples` | counter | values that were not recorded in the frame: not finite, or from inside an allocation | 4 ns |
//! | `stats/problems` | counter | [problems](problems()) found in the frame, the first 256 of the process | 4 ns |
//! | `stats/late-dropped` | counter | [late values](DeferredSource) of earlier frames that came too late to be recorded, of series that somebody watches, peeks at or surveys | 4 ns |
//! | `stats/registered-series` | level | how many series are listed, these among them; a timer or a histogram is one | 4 ns |
//! | `stats/cell-block-sets` | level | [sets of cells](cell_block_sets): the most threads that ever counted at the same time | 4 ns, and 1 ns for each 8 KiB of cells |
//! | `stats/fps` | level, Hz | 1000 by the milliseconds of the frame, by the clock of the recorder that is asked. A frame of no duration goes on with the rate before it, which is 0 before the first frame that took time; never above `f64::MAX` | 2 ns |
//!
//! The rate of one frame is for a graph; the average over several is [`percentiles::average_fps`],
//! not the mean of these. The frame time itself is no series: every [`Source`] has it, as
//! [`frame_times`](Source::frame_times).
//!
//! # Marks
//!
//! A program can say of its frames what they were about, by [`Recorder::mark`]: that they were
//! loading, as a span, or that a save happened, as a point. Readers show marks, and statistics
//! leave marked frames out where somebody asks for that, never by themselves:
//! [`FrameSlice::without_marked`].
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
//! # Late values
//!
//! What a frame cost on the GPU, or on another machine, is known frames later. A [`Late`] source
//! issues a stamp during the frame and delivers its values when it has them; they stand in the
//! frame that issued the stamp, in every recorder. Until a frame is known whole its values are
//! absent: windows of such a series end before it, so that what was read never changes. A value may
//! be [`LATE_FRAMES`](limits::LATE_FRAMES) frames late; what comes later is dropped, and counted in
//! `stats/late-dropped`.
//!
//! # Features
//!
//! - `enabled` (default): without it every counter, handle and recorder has no size, every call
//!   compiles to nothing, and no path is in the binary.
//!
//! # Internals
//!
//! A series has a *slot*. Each thread owns blocks of 1024 *cells*, found by slot in a thread-local
//! directory, and is the only one to write them: an add is a load, an addition and a store, without
//! a lock, a hash or an atomic read-modify-write. Cells hold totals that are never reset. A frame's
//! value is the sum of a slot's cells over all blocks, less that sum at the frame before, which
//! each recorder remembers for itself and for the watched series alone.
//!
//! Blocks are made on first touch, never moved and never freed. A thread that ends leaves its
//! blocks, totals and all, to the next one that needs any; a thread that counts in the destructors
//! of its thread-locals, after it has left them, claims one for each add.
//!
//! Gauges have one cell for all threads: the last value set is what counts, and a store is all it
//! takes.
//!
//! A histogram has a *shard* for each thread that records. It holds buckets, in pages of 64 that
//! are made when they are hit, and a *tally*: samples are put down in 32 places, and when all are
//! taken they are folded at once into sum, squares and extremes, guarded by a number that is odd
//! meanwhile. A reader merges the shards: it adds up what is pending in each for itself, and tries
//! again where a fold came in between.
//!
//! Counts are never reset: [`begin_run`] remembers what was in each bucket, and a snapshot takes it
//! off. Of sums and extremes nothing can be taken off without loss, so that they begin anew in each
//! thread with its first sample of a run, which keeps those of the run before for whoever has still
//! to report it. A sample that a thread records into a run that was reported meanwhile is told with
//! the next, as the difference of totals over all runs.
//!
//! Late values have no cells. Stamps and the ends of frames are numbers of one sequence, so that a
//! stamp lies in one frame of each recorder; what is delivered goes to the mailboxes of the
//! recorders that want it, and into a history once its frame is known whole.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod buckets;
mod builder;
mod counter;
mod distribution;
mod frame;
pub mod frame_metrics;
mod frame_slice;
mod frame_statistics;
mod gauge;
mod histogram;
mod late;
pub mod limits;
mod local_counter;
mod macros;
mod mark;
mod moments;
mod number;
pub mod percentiles;
mod precision;
mod problem;
mod recent;
mod report;
mod series;
pub mod source;
mod timer;
mod unit;
mod up_down_counter;

#[cfg(feature = "enabled")]
mod live;
#[cfg(feature = "enabled")]
mod path;
#[cfg(feature = "enabled")]
use live as backend;

#[cfg(not(feature = "enabled"))]
mod off;
#[cfg(not(feature = "enabled"))]
use off as backend;

pub use counter::{Counter, CounterHandle, counter};
pub use gauge::{Gauge, GaugeHandle, gauge};
pub use histogram::{Histogram, HistogramHandle, histogram};
pub use late::{DeferredSeries, DeferredSource, FrameStamp};
pub use local_counter::LocalCounter;
pub use number::Number;
pub use timer::{Timer, TimerHandle, TimerScope, timer};
pub use unit::Unit;
pub use up_down_counter::{UpDownCounter, UpDownCounterHandle, up_down_counter};

/// Where a counter keeps its values: [`Static`](place::Static) finds its slot on first use,
/// [`Handle`](place::Handle) has it.
pub mod place {
    pub use crate::backend::{Handle, Place, Static};
}

pub use backend::{Recorder, Survey, Watch};
pub use frame::{Frame, FrameTime};
pub use frame_slice::FrameSlice;
pub use frame_statistics::{FrameAnalyzer, FrameRules, FrameStatistics};
pub use mark::{Mark, MarkEvent};
pub use source::Source;

pub use backend::{begin_run, for_each_histogram, snapshot};
pub use distribution::{Bucket, Distribution};
pub use precision::Precision;
pub use recent::RecentDistribution;
pub use report::{Report, ReportRow, report};

pub use backend::{
    cell_block_sets, find, for_each_change, for_each_series, generation, problems,
    report_reserved_path, set_unavailable,
};
pub use problem::Problem;
pub use series::{SeriesId, SeriesInfo, SeriesKind};

/// Whether the feature `enabled` is on. A constant: what it guards is compiled out where it is
/// `false`.
pub const ENABLED: bool = cfg!(feature = "enabled");
