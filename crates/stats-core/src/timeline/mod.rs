//! The scopes of frames, call by call: which ran when, on which thread, and inside which others.
//!
//! A [`Source`](crate::Source) lends a [`Timeline`] while a reader asks for it
//! ([`Source::timeline`](crate::Source::timeline)). It has, for each frame that it keeps, the
//! scopes that ended in the frame, and the scopes that were open at its end. The latter belong to
//! each frame that they cross.
//!
//! ```
//! use stats_core::{Recorder, Source, timer};
//!
//! let mut recorder = Recorder::new();
//! recorder.timeline(&[]); // scopes are collected from here on
//! timer("physics").time(|| timer("physics/broad phase").time(|| {}));
//! recorder.end_frame();
//! # if stats_core::ENABLED {
//! let timeline = recorder.timeline(&[0..1]).expect("a recorder has one");
//! for (lane, scopes) in timeline.frame(0).expect("it has ended").lanes() {
//!     for scope in scopes {
//!         println!("{}: {:?}, {} ns", lane.name, scope.series(), scope.duration_ns());
//!     }
//! }
//! # }
//! ```
//!
//! # What is collected
//!
//! - Every scope of a timer ([`Timer::scope`](crate::Timer::scope)): those of a program, of spans of
//!   tracing, and of the C interface. Times that a program measures itself and adds with
//!   [`Timer::record`](crate::Timer::record) have no place in a frame.
//! - Scopes that another profiler timed, such as puffin's, in lanes of their own.
//! - The passes of stats-gpu, in a lane of the kind [`LaneKind::Gpu`].
//!
//! # Cost and limits
//!
//! Without a reader, a scope reads one flag when it begins and one when it ends. While there is a
//! reader, a scope takes up to twice as long. A source keeps
//! [`TIMELINE_BYTES`](crate::limits::TIMELINE_BYTES), 24 bytes for each scope and frame, and drops
//! the oldest frames first. A frame tells how many of its scopes are [lost](FrameScopes::lost).

mod frame;
mod lanes;
mod order;
mod ranges;
mod ring;
mod scope;
pub(crate) mod spans;
#[expect(clippy::module_inception, reason = "a folder is named after its type")]
mod timeline;

#[cfg(test)]
mod tests;

pub use frame::FrameScopes;
pub use lanes::{Lane, LaneKind};
pub use ranges::join_ranges;
pub use scope::Scope;
pub use timeline::{NewScope, Timeline};
