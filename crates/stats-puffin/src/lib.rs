//! The scopes of [puffin] as series: total, self and calls of every scope, frame by frame, beside
//! whatever else a game counts.
//!
//! ```
//! use stats_puffin::PuffinSource;
//!
//! puffin::set_scopes_on(true); // the program's to say
//! let _puffin = PuffinSource::install(); // until it is dropped
//!
//! for _ in 0..3 {
//!     puffin::GlobalProfiler::lock().new_frame();
//!     {
//!         puffin::profile_scope!("simulate");
//!         puffin::profile_scope!("solve");
//!     }
//!     // overlay.show(…), which ends the recorder's frame
//! }
//! ```
//!
//! # Series
//!
//! | path | is |
//! |---|---|
//! | `puffin/<thread>/<scope>/<child>` | a timer for every call path: milliseconds with all that was called, and calls |
//! | `puffin/<thread>/<scope>/<child>/self` | a counter: the milliseconds of it that no inner scope accounts for |
//! | `puffin/scopes/<scope>` | a timer for every scope, over all threads and call paths |
//! | `puffin/scopes/<scope>/self` | a counter: its milliseconds without those of inner scopes |
//! | `puffin/over-limit` | a timer: self time and calls of scopes that found no place in the tree, see [`Options`] |
//! | `puffin/dropped-frames` | a counter: puffin frames that were not read, see below |
//! | `puffin/after-gap` | a counter: puffin frames that stand in the frame that they ended in, see below |
//! | `puffin/malformed-streams` | a counter: streams with a fault. What ended before the fault counts |
//!
//! The self times of the tree add up, with `puffin/over-limit`, to all that was profiled.
//! `puffin/scopes/<scope>` counts a scope that runs inside itself once, so that it never exceeds
//! the time that has passed on a thread; its calls are all calls.
//!
//! Scopes of one name are one scope, wherever they stand in the source, and so are threads of one
//! name: the workers of a pool add up. The `data` of a scope is not looked at. A scope whose name
//! puffin has not told yet is called `unknown`.
//!
//! Names become segments of a path by [`escape()`], and come back by [`unescape`].
//!
//! # Frames
//!
//! A puffin frame is what ended between two calls of `GlobalProfiler::new_frame`; a recorder's
//! frame what happened between two calls of `end_frame`, or of the overlay's `show`. The scopes of
//! a puffin frame stand in *one* frame of every recorder, whenever they are read: by default in
//! that of the `new_frame` with which the puffin frame began. That is right where the work comes
//! after `new_frame` and before the end of the recorder's frame; for a loop with the work before
//! `new_frame` there is [`NewFrame::EndsFrame`].
//!
//! With the default, what was profiled before the first `new_frame` after installing is not
//! counted: nothing says in which frame it began. Of a puffin frame without any scope puffin tells
//! nobody, so the beginning of the one behind it is not known: that one stands in the frame under
//! way at its *end*, up to one off, and counts in `puffin/after-gap`. A program that calls
//! [`PuffinSource::new_frame`] instead has no such gaps.
//!
//! In eframe, `new_frame` is *not* to be called where the scopes of egui are switched on
//! (`profiling` with `profile-with-puffin`): then eframe calls it as each of its frames begins.
//! Called once more, up to every second puffin frame is empty, and the others all follow a gap.
//!
//! # Costs
//!
//! A profiled thread does what it does without this crate. The thread that calls `new_frame` hands
//! on a pointer; where the reading falls behind by [`Options::queued_frames`], a frame is dropped
//! and counted, and nothing waits. A thread of its own reads the frames.
//!
//! # Features
//!
//! - `enabled` (default): without it no sink is added, no thread started, and no series registered.
//!
//! # Internals
//!
//! A stream is read in one pass, with a stack of open scopes. The place of a scope in the tree is
//! found by two numbers, its parent and its name, in a map of numbers; names are looked at, escaped
//! and registered the first time alone. At the end of a frame those places that were touched are
//! written into one delivery: a timer's calls are its entries there.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod escape;
mod feed;
#[cfg(test)]
#[cfg(feature = "enabled")]
mod made;
mod names;
mod options;
mod paths;
mod scopes;
mod source;
mod stamps;
mod stream;
mod tallies;
#[cfg(test)]
mod testing;

pub use escape::{escape, unescape};
pub use options::{NewFrame, Options};
pub use scopes::Scopes;
pub use source::PuffinSource;
