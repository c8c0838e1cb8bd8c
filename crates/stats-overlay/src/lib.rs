//! An in-game statistics overlay for egui: select counters in a searchable tree, and watch them as
//! graphs, tables, distributions, frame statistics or a list of hitches.
//!
//! ```no_run
//! # let ctx = egui::Context::default();
//! let mut overlay = stats_overlay::StatsOverlay::new(); // once
//! overlay.show(&ctx); // once in every frame
//! ```
//!
//! F3 cycles hidden → HUD → watch → full. The HUD and the watched panes, which float over the game,
//! take no input from it. The full overlay takes the keyboard and the pointer, and says so. It
//! works in any host that has an [`egui::Context`]: eframe, a loop of your own, Bevy.
//!
//! In full mode the tree at the left selects counters for the active pane, `/` or Ctrl+F searches
//! it, Space pauses, `N` adds a pane, and `H` shows all other keys. In a graph the wheel zooms,
//! dragging moves, Shift and dragging selects frames, the secondary button draws a box to zoom to,
//! and a double click returns to the newest frames. [`StatsOverlay::act`] does what a key does.
//!
//! A pane can also show the distribution of its values (`D`): how often each value occurred, as
//! bars, with the median, 95 % and 99 % by nearest rank. A histogram shows its samples; any other
//! series shows its values in the frames on screen or selected.
//!
//! # Input
//!
//! While the overlay is full, other egui widgets get no input. A game that reads the window's
//! events itself should read them only while [`StatsOverlay::wants_input`] is false. With the
//! feature `winit`, `StatsOverlay::consumes` decides for each event, so that no key sticks that is
//! held while the overlay opens or closes.
//!
//! # Frame times
//!
//! The statistics of a pane (`M`) describe the frame times on screen or selected: average and lows,
//! percentiles by time and by frame, frames over budget, hitches and stutter. The name of each
//! figure says how it is defined. Two rules differ from the defaults of
//! [`FrameRules`](stats_core::FrameRules), because the frame times of a healthy game vary around
//! the period of the display. A frame is over the budget if it takes more than 1.1 times the budget
//! (by default: if it takes more than the budget), and it reaches a frame rate if it takes at most
//! 1.1 times the period of that rate (by default: at most the period). Both count lost time from
//! the budget. Frame 0 began when the recorder was created, and counts only if it is selected. The
//! user can leave out the frames that the program [marked](stats_core::Recorder::mark) as a span,
//! such as loading; the statistics then say how many were left out. The HUD has the most important
//! figures for the last 600 frames.
//!
//! # Persistence
//!
//! Settings, presets, favorites, pins and panes are one [`SavedState`]: JSON as text, as a file, or
//! through serde in a storage of the host. Fields that a newer version wrote are kept. The panes
//! alone fit into [one line](StatsOverlay::view_line) to paste elsewhere.
//!
//! # Spikes
//!
//! A frame of a series is a spike if its value is above a bar that follows from the last 120 values
//! before it that are not 0. At least 16 such values are needed. The bar is above their median by
//! the largest of five times the distance to the value that one in eight of them reaches, half the
//! median, and, for whole values, three times the root of the median. A budget plays no part. Low
//! values are never spikes, and one spike does not raise the bar for the next. The module `spike`
//! of the crate `stats-analysis` states the rule with its source.
//!
//! Consecutive frames over the budget of their series (the frame time: over a tenth more) are one
//! span. A program that is over its frame budget most of the time is offered another one.
//!
//! # Hitches
//!
//! While anything of it is on screen, the overlay surveys all series in each frame and notices
//! frames that take much longer than usual. The HUD says what made the newest one long, and a pane
//! lists all of them (`U`): the scopes by their self time, which add up to the frame, what moved
//! with them, levels that grow without end, and stalls that return after equal times. The module
//! `insight` of the crate `stats-analysis` has the rules. [`Settings::hitches`] turns this off.
//!
//! # Marks
//!
//! [`StatsOverlay::mark`] marks frames: `loading` from one frame to another, or `level 2` in one.
//! Graphs, tables, the strip and exports show the marks. Marks change no value and no statistics.
//!
//! # Memory
//!
//! `B` shows the memory owners, if the program has a tracking allocator that writes dumps:
//!
//! ```
//! # let mut overlay = stats_overlay::StatsOverlay::new();
//! # mod stats_memory {
//! #     pub fn dump(_: &mut dyn std::io::Write) -> std::io::Result<u64> { Ok(0) }
//! # }
//! overlay.set_memory_dump(stats_memory::dump);
//! ```
//!
//! A snapshot is a tree of threads, groups, scopes, names and sizes. Each row has the bytes and the
//! number of allocations below it; equal allocations are one row. Every column sorts. Filters by
//! thread, group, scope and name combine, and levels can be left out. "Compare with now" takes
//! another snapshot and shows what grew, shrank, is new and is gone, the largest growth first, with
//! the path to it opened: a leak is three clicks away. The last 16 snapshots are kept. Damaged
//! lines of a dump are left out, and reported by their numbers. Snapshots are read and trees are
//! built on threads named `stats-overlay`, while frames continue; their own memory is listed under
//! that name. `G` takes a snapshot, `C` compares with now, and `Shift+B` saves the dump as
//! `memory-NUMBER.csv` in the [export folder](StatsOverlay::export_folder).
//!
//! [`MemoryPanel`] is the same view for any egui program, of dumps read from files as
//! [`MemorySnapshot`]s.
//!
//! # Internals
//!
//! A frame flows one way: input, actions, data of the frame, layout and paint. `app/frame.rs` is
//! the list of its steps. A pass takes the toggle key, watches selected paths that have been
//! registered since, searches the series that pauses the views, if there is one, for spikes, and
//! performs actions. A hidden overlay is done then: it lays out, paints and allocates nothing.
//! Otherwise the listing takes in newly registered series, and the rows of the tree follow from it,
//! from the open folders and from the search. Rows on screen peek at their values; selected series
//! have histories.
//!
//! Each history on screen has a track: its spikes (each frame is judged once), its spans over
//! budget, and a pyramid of the extremes and sums of blocks of frames. After the overlay was
//! hidden, a track catches up by 2,000 frames a pass. Graphs, tables and the strip read values and
//! tracks through one interface, which is the source or, while paused, a copy.
//!
//! All panes show the same frames, with one cursor and one selected range. A graph thins each
//! history to the extremes of whole buckets of frames, anchored at frame 0, and paints each series
//! as one mesh, which is reused while the series does not change. Numbers are refreshed ten times a
//! second, graphs with every frame. If the overlay takes more than its budget, both are refreshed
//! with every second, fourth or eighth frame, and the header says so. Even then, neither is older
//! than 0.2 s and a frame. Another range of frames, pane or selection, or a pause, is shown in the
//! next frame.
//!
//! The folders, in reading order; none imports one that is listed before it:
//!
//! - `control.rs`, `overlay.rs`: [`StatsOverlay`], the API;
//! - `app`: the state, and the steps of a frame;
//! - `panes`: the panes and what they share;
//! - `graph`, `table`, `distribution`, `statistics`, `hitches`, `strip.rs`: the views of a pane;
//! - `hud`, `watch`: the HUD, and the panes over the game;
//! - `tree`, `search`: the tree of counters, and the search in it;
//! - `export`, `persist`: values as text, and what is saved;
//! - `data`: what the views read: selection, playback, tracks;
//! - `input`, `paint`, `cost`: actions and keys, shapes, the overlay's own cost.
//!
//! Model, layout and paint are apart: files that draw end in `_ui` or are the `ui.rs` of their
//! folder. What values mean, such as the rule for spikes, is in the crate `stats-analysis`.
//!
//! # Features
//!
//! - `enabled` (default): without it, every call returns at once.
//! - `process` (default): the tree has the memory of the process, as `process/memory-resident` and
//!   `process/memory-virtual`. A thread samples it four times a second, from the first frame on in
//!   which anything of the overlay is visible. An overlay that stays hidden starts no thread.
//! - `winit`: decides which events of a window belong to the overlay and which to
//!   the game.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod app;
mod control;
mod cost;
mod data;
mod distribution;
mod export;
mod graph;
mod hitches;
mod hud;
mod input;
mod overlay;
mod paint;
mod panes;
mod persist;
mod search;
mod statistics;
mod strip;
mod table;
#[cfg(test)]
mod testing;
mod tree;
mod watch;

pub use data::selection::{FRAME_TIME, MAX_SELECTED};
pub use input::action::Action;
pub use input::mode::{Mode, PaneView, Place};
pub use input::settings::Settings;
pub use overlay::StatsOverlay;
pub use persist::file::{STORAGE_KEY, SaveError, SaveReport};
pub use persist::load_error::LoadError;
pub use persist::saved::{
    MAX_PANES, PaneLayout, Preset, SavedPane, SavedSort, SavedState, ValueRange,
};
pub use persist::view_line_error::{ViewLineError, ViewLineProblem};
pub use stats_analysis::distribution::ValueScale;
pub use stats_memory_panel::{
    DumpDamage, DumpProblem, MemoryPanel, MemorySnapshot, SnapshotWriter,
};
pub use stats_ui::theme::{Appearance, Palette};
pub use stats_ui::tree::TreeAction;
