//! Counters, gauges and timers that a game leaves in its code for ever, and the recorder that turns them into frames.
//!
//! ```
//! use stats_core::{Counter, Gauge, Recorder, Timer, Unit, UpDownCounter};
//!
//! static DRAW_CALLS: Counter = Counter::new("renderer/draw-calls").budget(2_000.0); // sum per frame
//! static ENEMIES: UpDownCounter = UpDownCounter::new("game/enemies"); // a level, persists
//! static CAMERA_X: Gauge = Gauge::new("camera/x").unit(Unit::Meters); // last value set, persists
//! static PATHS: Timer = Timer::new("ai/pathfinding"); // ms per frame, and calls
//!
//! let mut recorder = Recorder::new(); // one per clock
//! let watch = recorder.watch(DRAW_CALLS.id()); // history exists from here on
//!
//! DRAW_CALLS.add(12);
//! ENEMIES.increment();
//! CAMERA_X.set(1.5);
//! {
//!     let _scope = PATHS.scope();
//! }
//! stats_core::count!("renderer/primitives", 3 * 12); // not evaluated when compiled out
//! let kind = stats_core::counter("enemy/orc/count"); // run-time names: a Copy + Send handle
//! kind.add(1);
//!
//! recorder.push_frame(); // end of a frame
//! for value in recorder.window(&watch, 600).iter() {
//!     println!("{value}"); // oldest first; `as_slices()` for drawing without a copy
//! }
//! ```
//!
//! # Paths
//!
//! A series is named by a path: non-empty segments between `/`, of any Unicode but `/`. The same path is the same series, wherever
//! it is named. What is wrong with a path, or clashes with what is known of it, is found once, at registration, and told by
//! [`problems()`]; it never stops the counter from counting and never shows on the frame path.
//!
//! # Features
//!
//! - `enabled` (default): without it every counter, handle and recorder has no size, every call compiles to nothing, and no path is
//!   in the binary.
//!
//! # Internals
//!
//! A series has a *slot*. Each thread owns blocks of 1024 *cells*, found by slot in a thread-local directory, and is the only one to
//! write them: an add is a load, an addition and a store, without a lock, a hash or an atomic read-modify-write. Cells hold totals
//! that are never reset. A frame's value is the sum of a slot's cells over all blocks, less that sum at the frame before, which each
//! recorder remembers for itself and for the watched series alone.
//!
//! Blocks are made on first touch, never moved and never freed. A thread that ends leaves its blocks, totals and all, to the next one
//! that needs any; a thread that counts in the destructors of its thread-locals, after it has left them, claims one for each add.
//!
//! Gauges have one cell for all threads: the last value set is what counts, and a store is all it takes.

mod builder;
mod counter;
mod frame;
mod gauge;
mod local;
mod macros;
mod number;
mod problem;
mod series;
mod source;
mod timer;
mod unit;
mod up_down_counter;
mod window;

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
pub use local::Local;
pub use number::Number;
pub use timer::{Timer, TimerHandle, TimerScope, timer};
pub use unit::Unit;
pub use up_down_counter::{UpDownCounter, UpDownCounterHandle, up_down_counter};

pub use backend::{Handle, Place, Static};
pub use backend::{Recorder, Survey, Watch, WatchList};
pub use frame::{Frame, FrameTime};
pub use source::Source;
pub use window::Window;

pub use backend::{find, for_each_change, for_each_series, generation, problems, thread_sets};
pub use problem::Problem;
pub use series::{Kind, SeriesId, SeriesInfo, SurveyValue};

/// Whether the feature `enabled` is on. A constant: what it guards is compiled out where it is `false`.
pub const ENABLED: bool = cfg!(feature = "enabled");

/// How many frames a [`Recorder`] holds unless told otherwise: a good minute at 60 a second, 32 KiB a watched series.
pub const DEFAULT_HISTORY: usize = 4096;

/// The most frames a [`Recorder`] holds: 128 MiB a watched series.
pub const MAX_HISTORY: usize = 1 << 24;

/// The most series that can be registered, the core's own included; a timer counts as two or three.
pub const MAX_SERIES: usize = 1023 * 1024;

/// For how many frames a peek or a survey goes on without being asked for again.
pub const PEEK_FRAMES: u64 = 120;
