//! What moved on a frame: which scope made it long, what moved with it, and what grows or returns.
//!
//! An [`Insight`] is fed one frame after the other: its duration, and the values of all series. It
//! keeps in mind what is usual for each of them, and notices frames that are not. It knows neither
//! where the values are from nor who reads the answers, so the same code answers for a running
//! program and for a capture. It is deterministic: the same frames give the same answers.
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
//! # What to feed
//!
//! Series are numbered densely, for example by the number of their [id](stats_core::SeriesId).
//! [`Insight::set_listed`] takes an entry of a listing, with the calls and the self time of a timer;
//! parents and threads change without a change of the listing, so it should take all timers again
//! before a hitch is ranked. [`Insight::set_frame_thread`] says which thread ends the frames. A
//! value that is not known is NaN: it teaches nothing. Of a [deferred](Facts::is_deferred) series,
//! [`Insight::set_late_value`] adds the value of a noticed frame when it is known.
//!
//! # How a hitch is explained
//!
//! - Each series has a usual value, a scale and a record. Frames that are noticed teach nothing, unless they are many in a row: then the level is
//!   new.
//! - A frame is *noticed* by its **busy time**: its duration without declared waits. So a spike is
//!   found that a display's rate hides.
//! - Scopes on the thread of the frame are ranked by the excess of their **self time**. These, and
//!   an *unaccounted* rest, add up to the excess of the frame: nothing counts twice.
//! - A wait whose excess another thread's matches within 25 % hands it on to that thread's scope.
//! - Other series are ranked by **novelty**: their distance from the usual value in multiples of
//!   the largest one before. They lead only if the three best scopes explain less than half of the
//!   frame.
//! - If the best share is below 0.45, there is no single culprit.
//!
//! [`Hitch`] and the types in it have the fields of the JSON that `stats explain` prints.
//!
//! # Cost and memory
//!
//! A frame takes about a nanosecond for each series, half of that beyond 32,000 series, of which
//! alternate halves learn. Ranking takes about 50 ns for each series and may run at any time after
//! the frame. An [`Insight`] takes 16 bytes for each series besides its facts (path, parent and so
//! on), 300 bytes for each level that may leak, and 20 bytes a series for the newest noticed frame and
//! for those that are not ranked yet, of which there are at most [`MAX_NOTICED`]. The last
//! [`MAX_HITCHES`] hitches are kept. One that takes no frames costs nothing.

mod baseline;
mod engine;
mod explain;
mod facts;
mod hitch;
mod leaks;
mod moment;
mod periodic;
mod ranking;
mod trigger;
mod verdict;

pub use engine::{Insight, MAX_HITCHES, MAX_NOTICED};
pub use explain::FrameValues;
pub use facts::Facts;
pub use hitch::{Finding, Hitch, Repeats, Role};
pub use leaks::Leak;
pub use moment::Moment;
pub use periodic::Periodic;
