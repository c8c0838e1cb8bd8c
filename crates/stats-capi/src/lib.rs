//! A C interface to [`stats_core`], and counters of plugins in dynamic libraries of their own.
//!
//! # From C
//!
//! `include/stats.h`, generated from this crate, declares the functions of [`functions`] and
//! [`memory`]; link `libstats_capi.a` or `libstats_capi.so`:
//!
//! ```c
//! StatsSeries shots;
//! stats_counter("game/shots", &shots);
//! stats_add(shots, 1.0);
//! stats_end_frame();
//! ```
//!
//! All functions but those that allocate or free, `stats_status_text` and `stats_api` return a
//! [`StatsStatus`]. A null pointer, a string that is not UTF-8, a number that names no series, and a
//! series of another kind are errors and have no other effect.
//!
//! # Memory of C libraries
//!
//! The functions of [`memory`] allocate with the program's allocator, which a C library takes in place
//! of its own, and say which group, scope and name the blocks count toward. In a C program, the
//! feature `allocator` makes that allocator a tracking one. `stats_end_frame` then publishes the
//! series of [`stats_memory`].
//!
//! # Plugins
//!
//! A dynamic library that contains stats-core has its own statics, and therefore its own registry,
//! which nobody reads. So a host hands its plugins a table of its functions, [`StatsApi`], when it
//! loads them. In a plugin in Rust, [`plugin::Host`] wraps the table:
//!
//! ```
//! use stats_capi::plugin::Host;
//!
//! # let api = stats_capi::functions::stats_api();
//! // SAFETY: the host passes its own table, which is never freed.
//! let host = unsafe { Host::new(api) }.expect("the host has this version");
//! host.counter("plugin/shots").add(1.0);
//! host.timer("plugin/update").time(|| { /* … */ });
//! ```
//!
//! A plugin that counts into its own registry nevertheless [says so](plugin::Plugin) in the host.
//!
//! [`export_plugin!`] exports the functions that a host calls, and a host loads the plugin with
#![cfg_attr(feature = "load", doc = "[`LoadedPlugin`].")]
#![cfg_attr(not(feature = "load"), doc = "`LoadedPlugin` (feature `load`).")]
//! Nothing in the host refers to a plugin's memory: paths and other strings are copied. So the
//! series of a plugin, and their histories, outlive it, and a plugin that is reloaded continues
//! them.
//!
//! # Frames and marks
//!
//! A C program has one recorder, whose frames `stats_end_frame` ends and `stats_value` reads. A
//! host in Rust has recorders of its own, and takes the marks of its plugins with [`take_marks`].
//!
//! # Cost
//!
//! A function takes a few nanoseconds more than the method in Rust: it looks the series up by its
//! number, without a lock. Registering takes a lock.
//!
//! # Limits
//!
//! - At most [`MAX_SERIES`](stats_core::limits::MAX_SERIES) series, and
//!   [`MAX_HISTOGRAMS`](stats_core::limits::MAX_HISTOGRAMS) histograms. Registering another one
//!   returns `STATS_STATUS_LIMIT_REACHED`. Registering a path again with the same kind returns the
//!   same number. With another kind it returns a new number, whose values are dropped, and reports
//!   a [problem](stats_core::Problem).
//! - [`MAX_SCOPES`] scopes of timers and [`MAX_MEMORY_SCOPES`] of memory of a thread can be open at
//!   once, 1,024 marks can wait, and there can be 256 units that the core does not know.
//!
//! # Features
//!
//! - `enabled` (default): without it all functions return `STATS_STATUS_OK` and do nothing.
//! - `load`: `LoadedPlugin`.
//! - `memory` (default): without it, groups and scopes of memory do nothing. A program in Rust that
//!   turns on `enabled` of stats-memory does not need it.
//! - `allocator`: a [tracking allocator](stats_memory::TrackingAllocator) with
//!   [records](stats_memory::Records) is the allocator of the library. For C programs; a program in
//!   Rust has its own.
//!
//! # Internals
//!
//! `functions.rs` has the functions that C calls, and `memory.rs` those for memory. `series.rs`, `scopes.rs`
//! and `marks.rs` keep what these functions refer to. `api.rs` is the table of functions that a host hands to
//! its plugins. On the plugin's side, `plugin.rs` creates series, and `export.rs` is what a plugin exports.
//! On the host's side, `loaded.rs` loads plugins, and `change.rs` and `image.rs` decide when a file is whole.
//!
//! - **A series is a number, not a pointer.** A wrong number is an error, and numbers outlive
//!   plugins.
//! - **A plugin's file is loaded only when it is whole.** The system maps a library without looking
//!   at its length, and a page that is missing ends the process. So a changed file must stay the
//!   same for a while, must be the same in two reads, and must be as long as its own tables say.
//! - **A plugin's file is copied before it is loaded.** If anything, such as a thread-local with a
//!   destructor, still refers to a loaded library, the system returns the old code for its path.
//! - **A plugin reports series in its own core**, because the host cannot see them.
//!   [`export_plugin!`] lists them whenever the generation of that core changes, until it has
//!   marked a frame of the host.
//! - **Marks wait in a list**, because a plugin cannot know which of the host's recorders they
//!   belong to.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![expect(
    unsafe_code,
    reason = "pointers of C programs, and functions of dynamic libraries"
)]

mod api;
#[cfg(feature = "load")]
mod change;
mod export;
pub mod functions;
#[cfg(feature = "load")]
mod image;
#[cfg(feature = "load")]
mod loaded;
mod marks;
pub mod memory;
pub mod plugin;
mod scopes;
mod series;
mod status;
mod text;

pub use api::{API_VERSION, StatsApi};
#[doc(hidden)]
pub use export::ExportedPlugin;
#[cfg(feature = "load")]
pub use loaded::{LoadError, LoadedPlugin};
pub use marks::{StatsMarkEvent, take_marks};
pub use memory::{MAX_MEMORY_SCOPES, StatsGroup};
pub use scopes::MAX_SCOPES;
pub use series::StatsSeries;
pub use status::StatsStatus;
