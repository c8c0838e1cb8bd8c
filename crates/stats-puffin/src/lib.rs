//! The scopes of [puffin] as series of [`stats_core`]: total time, self time and calls of every
//! scope, frame by frame.
//!
//! puffin shows one frame at a time, in detail. This crate turns its scopes into series, so that
//! they can be plotted over time, searched, summarized as percentiles and compared with everything
//! else that a game counts. A game that already has puffin scopes needs no further code in them.
//!
//! ```
//! use stats_puffin::PuffinSource;
//!
//! puffin::set_scopes_on(true); // the program decides whether scopes are measured
//! let _puffin = PuffinSource::install(); // counts until it is dropped
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
//! | path | kind | value |
//! |---|---|---|
//! | `puffin/<thread>/<scope>/<child>` | timer | milliseconds and calls of a call path, inner scopes included |
//! | `puffin/<thread>/<scope>/<child>/self` | counter | milliseconds of a call path that no inner scope accounts for |
//! | `puffin/scopes/<scope>` | timer | milliseconds and calls of a scope, over all threads and call paths |
//! | `puffin/scopes/<scope>/self` | counter | milliseconds of a scope that no inner scope accounts for |
//! | `puffin/further-threads/<n>/…` | timer | the call paths of threads beyond the first 256 names, see [Limits](#limits) |
//! | `puffin/over-limit` | timer | self time and calls of scopes beyond the limits of the tree, see [`Options`] and [`Scopes`] |
//! | `puffin/dropped-frames` | counter | puffin frames that were not read, see [Cost](#cost) |
//! | `puffin/after-gap` | counter | puffin frames that are recorded in the frame in which they ended, see [Frames](#frames) |
//! | `puffin/malformed-streams` | counter | streams with an error; scopes that ended before the error count |
//!
//! The self times of the tree and `puffin/over-limit` add up to everything that was profiled.
//! `puffin/scopes/<scope>` counts the time of a scope that runs inside itself only once, so its
//! time on a thread never exceeds the elapsed time. It counts every call.
//!
//! Scopes with the same name count as one, regardless of their place in the source. Threads with
//! the same name count as one, so the workers of a pool add up. The `data` of a scope is ignored. A
//! scope whose name puffin has not reported yet is called `unknown`.
//!
//! [`escape()`] turns a name into a segment of a path, and [`unescape`] turns it back.
//!
//! # Frames
//!
//! A puffin frame lasts from one call of `GlobalProfiler::new_frame` to the next, and contains the
//! scopes that ended in that time. A recorder's frame lasts from one call of `end_frame`, or of the
//! overlay's `show`, to the next. The scopes of a puffin frame are recorded in *one* frame of every
//! recorder, however late they are read. By default that is the frame in which the puffin frame
//! began. This is right if the work comes after `new_frame` and before the end of the recorder's
//! frame. If the work comes before `new_frame`, use [`NewFrame::EndsFrame`].
//!
//! With the default, scopes that were profiled before the first `new_frame` after installing are
//! not counted, because it is unknown in which frame they began. puffin does not report frames
//! without scopes either, so the beginning of the frame that follows such a frame is unknown. That
//! frame is recorded in the frame that is current at its *end*, which can be one frame off, and is
//! counted in `puffin/after-gap`. A program that calls [`PuffinSource::new_frame`] instead of
//! puffin's has no such gaps.
//!
//! In eframe, do *not* call `new_frame` if the scopes of egui are turned on (`profiling` with
//! `profile-with-puffin`): eframe calls it at the beginning of each of its frames. With a second
//! call, up to every other puffin frame is empty, and all others follow a gap.
//!
//! # Cost
//!
//! Profiled threads do no additional work. The thread that calls `new_frame` hands over a
//! pointer, and a background thread reads the frames. If the background thread falls behind by
//! [`Options::queued_frames`] frames, a frame is dropped and counted in `puffin/dropped-frames`,
//! and its values are unknown; nothing waits. Reading a known scope takes less than 0.25 µs and
//! allocates nothing.
//!
//! # Limits
//!
//! - At most [`Options::max_places`] call paths and scopes get their own series.
//! - Threads beyond the first 256 names take the paths `puffin/further-threads/1`, `/2` and so on,
//!   each a path of its own. puffin does not report that a thread has ended: it names the threads
//!   that had scopes in a frame, and this crate runs no code on them. So a thread keeps its path
//!   while it has a scope at least every ninth puffin frame. After that, the next new thread may
//!   take the path. The first such thread is reported as a
//!   [problem](stats_core::Problem::OverLimit).
//! - Scopes nested more than 64 deep, and scopes whose puffin id is 65,536 or higher, have no
//!   place in the tree.
//! - Two sources installed at the same time count everything twice.
//!
//! # Features
//!
//! - `enabled` (default): without it no sink is added, no thread is started, and no series is
//!   registered.
//!
//! # Internals
//!
//! Each thread's stream is read in one pass with a stack of open scopes. The place of a scope in
//! the tree is looked up in a hash map, by the numbers of its parent and its name. A name is read,
//! escaped and registered only when it first appears. At the end of a frame, the places that were
//! touched are written into one delivery, which has one entry for each call of a timer.
//!
//! - **The program says which frame it is.** puffin's frames and a recorder's frames end at
//!   different moments, and the data does not show which of two consecutive frames contains most of
//!   the work. The program therefore decides (`NewFrame`) whether the stamp is issued at the
//!   `new_frame` before the work or after it. After frames without scopes, the outstanding stamp is
//!   too old, so it is given up.
//! - **Self time is a counter in milliseconds** below its timer: it has no calls, and it adds up
//!   over the tree.
//! - **Everything is bounded**: places, depth, ids and the queue. The crate's own series count what
//!   exceeds the limits, so that no program exhausts the core's series by creating names.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod options;
mod source;

mod escape;
mod scopes;
mod sink;
#[cfg(test)]
mod testing;

pub use escape::{escape, unescape};
pub use options::{NewFrame, Options};
pub use scopes::Scopes;
pub use source::PuffinSource;
