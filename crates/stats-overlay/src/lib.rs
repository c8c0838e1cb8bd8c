//! An in-game statistics overlay for egui: pick counters from a searchable tree, watch them as
//! graphs or tables.
//!
//! ```no_run
//! # let ctx = egui::Context::default();
//! let mut overlay = stats_overlay::StatsOverlay::new(); // once
//! overlay.show(&ctx); // once in every frame
//! ```
//!
//! F3 cycles hidden → HUD → full. The HUD takes no input from the game; the full overlay has the
//! keyboard and the pointer and says so. It works in any host that has an [`egui::Context`]:
//! eframe, a loop of one's own, Bevy.
//!
//! In full mode the tree at the left ticks counters into the active pane, `/` or Ctrl+F searches
//! it, Space pauses, `N` adds a pane, and `H` shows all other keys. In a graph the wheel zooms,
//! dragging moves, Shift and dragging selects frames, the other button draws a box to zoom to, and
//! a double click goes back to the newest frames. What a key does can be asked for with
//! [`StatsOverlay::act`], too.
//!
//! A pane can also be the distribution of its values (`D`): bars of how often which ones occurred,
//! in the samples of a histogram, or in the frames on screen or selected of any other series, with
//! median, 95 % and 99 % by nearest rank.
//!
//! # Input
//!
//! egui's own widgets get no input while the overlay is full. A game that reads the window's events
//! itself looks at them only while [`StatsOverlay::wants_input`] is false; with the feature
//! `winit`, `StatsOverlay::consumes` says it of each event, so that no key that is held while the
//! overlay opens or closes sticks.
//!
//! # Frame times
//!
//! The statistics of a pane (`M`) tell what the frame times on screen, or those selected, come to:
//! average and lows, percentiles by time and by frame, frames over budget, hitches and stutter,
//! each by a name that says which definition is meant. Two rules differ from the defaults of
//! [`FrameRules`](stats_core::FrameRules), because healthy frames waver around the period of the
//! display: a frame is over the budget where it takes more than that and a tenth (by default: more
//! than the budget), and it reaches a frame rate that it comes within a tenth of (by default: all
//! of it). Time lost is counted from the budget in both. Frame 0 began when the recorder was made,
//! and counts only where it is selected. Frames that the program
//! [marked](stats_core::Recorder::mark) as a span, loading say, are left out where the user asks
//! for that, and it is said how many. The HUD has the most important of these figures for the last
//! 600 frames.
//!
//! # Persistence
//!
//! Settings, presets, favourites, pins and panes are one [`SavedState`]: JSON as text, as a file, or
//! through serde in a storage of the host's. What a newer version wrote is kept. The panes alone
//! fit into [one line](StatsOverlay::view_line) to paste elsewhere.
//!
//! # Spikes
//!
//! A frame of a series is a spike when its value is over the series' budget (the frame time: by
//! more than a tenth), or over a bar set by the 120 frames before it, of which at least 16 are
//! needed. The bar is above their median by the largest of 6 × 1.4826 × MAD (Hampel's identifier),
//! half the median, and one and a half times what one in eight of them reached above it. Low values
//! are never spikes, and one spike does not raise the bar for the next.
//!
//! # Marks
//!
//! [`StatsOverlay::mark`] says something of frames: `loading` from one to another, or `level 2` in one. Graphs, tables, the strip and what
//! is exported show it; no value and no statistics are other ones because of it.
//!
//! # Memory
//!
//! `B` shows who holds the memory, where the program has a tracking allocator that writes dumps:
//!
//! ```
//! # let mut overlay = stats_overlay::StatsOverlay::new();
//! # mod stats_memory {
//! #     pub fn dump(_: &mut dyn std::io::Write) -> std::io::Result<u64> { Ok(0) }
//! # }
//! overlay.set_memory_dump(stats_memory::dump);
//! ```
//!
//! A snapshot is a tree of threads, groups, scopes, names and sizes, each with the bytes and the
//! number of allocations below it; equal allocations are one row. Every column sorts. Filters by
//! thread, group, scope and name combine, and levels can be left out. "Compare with now" takes
//! another snapshot, shows what grew, shrank, is new and is gone, the largest growth first, and
//! opens the way to it: a leak is three clicks away. The last 16 snapshots are kept. Lines of a
//! dump that are damaged are left out, and told by their numbers. Snapshots are read and trees are
//! made on threads named `stats-overlay`, beside the frames; what they hold themselves stands under
//! that name. `G` takes a snapshot, `C` compares with now, and `Shift+B` saves the dump as
//! `memory-NUMBER.csv` in the [export folder](StatsOverlay::export_folder).
//!
//! [`MemoryPanel`] is the same view for any egui program, of dumps read from files as [`MemorySnapshot`]s.
//!
//! # Internals
//!
//! A frame goes through the crate in this order: the toggle key is taken; selected paths that exist
//! by now are watched; the one series that is to pause the views, if any is, is searched for
//! spikes; what was asked for is done. In hidden mode that is all: nothing is laid out, painted or
//! allocated. Otherwise the sorted listing takes in what was registered since, and the rows of the
//! tree follow from it, from what is open and from the search. Rows on screen peek at their values,
//! selected series have histories.
//!
//! Beside each history that is shown stands a track: its spikes, each frame judged once, and a
//! pyramid of the extremes and sums of blocks of frames. What was missed while hidden is caught up
//! with, 2,000 frames a pass. Graphs, tables and the strip read values and tracks through one
//! interface, behind which stands the source or, while paused, a copy.
//!
//! All panes show the same frames, with one cursor and one selected range. A graph thins each
//! history to the extremes of whole buckets of frames that are anchored at frame 0, and paints each
//! series as one mesh and its marks as another; they are used again while nothing of the series
//! changed. Numbers are written anew ten times a second, graphs with every frame; where the overlay
//! takes more than its budget, both with every second, fourth or eighth frame, and it says so.
//! Neither is then more than 0.2 s and a frame behind, and other frames, panes, ticks or a pause
//! are shown with the next frame.
//!
//! Model (listing, tree, search, selection, tracks, snapshot), layout and paint are apart; files
//! that draw end in `_ui`.
//!
//! # Features
//!
//! - `enabled` (default): without it every call returns at once.
//! - `process` (default): the memory of the process is in the tree, as `process/memory-resident`
//!   and `process/memory-virtual`. A thread samples it four times a second from the first frame on
//!   in which anything of the overlay is seen; one that stays hidden starts none.
//! - `winit`: which events of a window are the overlay's.

mod app;
mod control;
mod cost;
mod data;
mod distribution;
mod export;
mod graph;
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

pub use data::selection::{FRAME_TIME, MAX_SELECTED};
pub use input::action::Action;
pub use input::mode::{Mode, PaneView};
pub use input::settings::Settings;
pub use overlay::StatsOverlay;
pub use persist::file::{STORAGE_KEY, SaveError};
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
