//! Explains long frames: which scope made a frame long, and which other series moved with it. It
//! also finds leaks and periodic stalls.
//!
//! An [`Insight`] takes frames one after the other, each with its duration and the values of all
//! series. It learns what is usual for each series, and notices frames that are not usual. It
//! depends neither on the source of the values nor on the reader of the answers, so it serves both
//! a running program and a capture. It is deterministic: the same frames give the same answers.
//!
//! ```
//! use stats_analysis::insight::{Facts, Insight, Role};
//! use stats_core::{SeriesKind, Unit};
//!
//! let mut insight = Insight::new();
//! let timer = |path: &str| Facts::new(path, SeriesKind::Timer, Unit::Milliseconds);
//! insight.set_series(0, timer("ai/pathfinding"));
//! insight.set_series(1, timer("render"));
//! for frame in 0..300 {
//!     let paths_ms = if frame == 250 { 13.0 } else { 1.0 };
//!     insight.take_frame(frame, 8.0 + paths_ms, &[paths_ms, 6.0]);
//! }
//! insight.rank_noticed();
//! let hitch = &insight.hitches()[0];
//! assert_eq!((hitch.frame, hitch.excess_ms.round()), (250, 12.0));
//! assert_eq!(hitch.findings[0].path, "ai/pathfinding");
//! assert_eq!(hitch.findings[0].role, Role::Culprit);
//! assert_eq!(hitch.verdict, "+12.0 ms: 100 % ai/pathfinding");
//! ```
//!
//! # Events
//!
//! A program reacts to what was found with [`Insight::poll_event`], once a frame: each hitch, leak
//! and periodic stall, and each series that crosses its budget, is an [`Event`]. With a source such
//! as a [`Recorder`](stats_core::Recorder), [`Insight::follow`] is the whole input.
//!
//! # Input
//!
//! Series are numbered densely, for example by the number of their [id](stats_core::SeriesId).
//! [`Insight::set_listed`] takes an entry of a listing, with the calls and the self time of a
//! timer. The parent and the thread of a timer can change while the listing stays the same, so pass
//! all timers again before a hitch is ranked. [`Insight::set_frame_thread`] sets the thread that
//! ends the frames. An unknown value is NaN, and nothing is learned from it. For a
//! [deferred](Facts::is_deferred) series, [`Insight::set_late_value`] adds the value of a noticed
//! frame as soon as it is known.
//!
//! # How a hitch is explained
//!
//! - Each series has a usual value, a scale and a record. Noticed frames do not change these, and
//!   neither do long frames soon after a noticed frame, unless many in a row form a new level, or
//!   long frames become common.
//! - A frame is *noticed* if its duration, its **busy time** or the time in its scopes is unusually
//!   long. Such a time is beyond the noise of usual frames, or at least half of its excess is in
//!   scopes that took far longer than usual. The busy time is the duration without declared waits. It
//!   shows spikes that vertical synchronization hides in the duration. If frames are of two kinds,
//!   such as with and without a step of a simulation, a long one is judged by the longer kind. If
//!   the system tells how long threads ran, the running time of the frame's thread is judged, too,
//!   with the time for which it waited for a worker that ran longer.
//! - Scopes on the thread of the frame are ranked by the excess of their **self time**. These and
//!   an *unaccounted* rest add up to the excess of the frame, so nothing counts twice.
//! - These times add up to at most the frame. A scope that was open for several frames counts with
//!   the part that can lie in this one. If most of its time does not fit, the part is not known,
//!   and belongs to the time in no scope; the verdict then says that the scope began before.
//! - If the excess of a wait matches the excess of another thread within 25 %, it is attributed to
//!   that thread's scope. So is a wait for a thread, or for the GPU, that was busy for about as
//!   long as a usual frame.
//! - Other series are ranked by **novelty**: their distance from the usual value as a multiple of
//!   the record, or of three scales or a floor if that is larger. It counts less for series with
//!   heavy tails. Such series lead only if the three best scopes explain less than half of the
//!   excess.
//! - If the series of `stats-process` below `frame/` are known, the time in which the thread waited
//!   for a processor belongs to no scope. It has a share of its own, as `frame/ready`.
//! - If the best share is below 0.45, there is no single culprit.
//!
//! Frames that stay long are one hitch, and then usual. [`Insight::slowdown`] tells that the program
//! has become slower, and from what to what.
//!
//! The JSON that `stats explain` prints has the fields of [`Hitch`] and of its types.
//!
//! # Cost and memory
//!
//! A frame takes 0.3 to 4 ns for each series. Beyond 32,000 series, each frame updates only one
//! half of them. Usual frames of a game with two kinds of frames also update what is usual in their kind for
//! the first 32,768 series. If the frame comes from a [survey](Insight::take_survey), 256 consecutive series
//! whose values stay the same take almost no time, unless they are levels or times. Ranking takes 6
//! to 25 ns for each series and may run at any time after the frame. A search for periodic stalls takes
//! up to 0.3 ms in [each of several frames](Insight::look_for_periodic).
//!
//! An [`Insight`] takes 25 bytes for each series besides its path, 16 more for those of two kinds of frames,
//! about 40 bytes more for each timer, and 621 bytes for each level that may leak. Up to
//! [`MAX_NOTICED`] frames that wait to be ranked take 25 bytes for each series. The last
//! [`MAX_HITCHES`] hitches are kept. A [compact](Insight::compact) one stores no paths, and follows at
//! most 256 levels at once. An `Insight` that takes no frames costs nothing.
//!
//! # Internals
//!
//! A frame goes through the files in this order: `engine.rs` takes it; `facts.rs` knows the path, the
//! kind and the budget of each series; `usual.rs` knows what is
//! usual, and `of_kinds.rs` what is usual in each of two kinds of frames; `trigger.rs` decides
//! whether the frame is noticed; `moment.rs` keeps a noticed frame until it is ranked. `structure.rs`
//! has the timers of the program, `earlier.rs` and `confined.rs` keep scopes within the frame,
//! `attribution.rs` divides the excess among scopes and waits, `system.rs` and `processor.rs` take
//! the time without a processor from them, `part.rs` finds scopes that explain a wait in part,
//! `claims.rs` limits each part to the excess of its path, `ranking.rs` ranks the other series, and
//! `verdict.rs` writes the sentence of a `Hitch` (`hitch.rs`). `leaks.rs`, `stairs.rs`, `periodic.rs` and `slowdown.rs` find
//! leaks, periodic stalls and slowdowns that last, and `explain.rs` compares any frames with those
//! around them. `budgets.rs` finds the series that cross their budgets, `events.rs` keeps what a
//! program has not taken yet, and `follow.rs` reads a source.

mod attribution;
mod budgets;
mod claims;
mod confined;
mod earlier;
mod engine;
mod events;
mod explain;
mod facts;
mod follow;
mod hitch;
mod leaks;
mod moment;
mod of_kinds;
mod part;
mod periodic;
mod processor;
mod ranking;
mod slowdown;
mod stairs;
mod structure;
mod system;
mod trigger;
mod usual;
mod verdict;

pub use engine::{Insight, MAX_HITCHES, MAX_NOTICED};
pub use events::{Event, MAX_EVENTS, OverBudget};
pub use explain::FrameValues;
pub use facts::Facts;
pub(crate) use facts::is_display_wait;
pub use hitch::{Finding, Findings, Hitch, Repeats, Role};
pub use leaks::Leak;
pub use moment::Moment;
pub use periodic::{MIN_STALLS, Periodic};
pub use slowdown::Slowdown;
pub(crate) use system::in_ms;
pub use system::{ThreadTimes, add_up_to_frame, is_machine_figure, is_thread_figure};
pub use trigger::WARM_UP_FRAMES;
pub use usual::Usual;
