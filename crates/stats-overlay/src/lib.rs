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
//! take no input from it. The full overlay takes the keyboard and the pointer, and says so. The
//! overlay works in any host with an [`egui::Context`], such as eframe, Bevy or your own loop.
//!
//! In full mode the tree on the left selects counters for the active pane, `/` or Ctrl+F searches
//! it, Space pauses, `N` adds a pane, and `H` shows all other keys. In a graph, the wheel zooms, a
//! drag moves the view, a drag with Shift selects frames, a drag with the secondary button draws a
//! box to zoom to, and a double click returns to the newest frames. [`StatsOverlay::act`] performs
//! the action of any key.
//!
//! A pane can also show the distribution of its values (`D`): how often each value occurred, as
//! bars, with the median and the 95th and 99th percentiles (nearest rank). A histogram shows its
//! samples; any other series shows its values in the frames on screen or selected.
//!
//! # Input
//!
//! While the overlay is full, other egui widgets get no input. A game that reads the window's
//! events itself should read them only while [`StatsOverlay::wants_input`] is false. With the
//! feature `winit`, `StatsOverlay::consumes` decides for each event, so that a key held while the
//! overlay opens or closes does not stick.
//!
//! # Frame times
//!
//! The statistics of a pane (`M`) describe the frame times on screen or selected: average and lows,
//! percentiles by time and by frame, frames over budget, frames over 60 ms and stutter. The name of
//! each figure states its definition. Two rules differ from the defaults of
//! [`FrameRules`](stats_core::FrameRules), because the frame times of a healthy game vary around
//! the period of the display. A frame is over the budget if it takes more than 1.1 times the budget;
//! by default, more than the budget. It reaches a frame rate if it takes at most 1.1 times the period
//! of that rate; by default, at most the period. Lost time is always the time
//! beyond the budget itself. Frame 0 begins with the first [`show`](StatsOverlay::show), so that
//! the loading time of the game is not a frame, or when a recorder of the host is created, and
//! counts only if it is selected. The user can leave out the frames that the program
//! [marked](stats_core::Recorder::mark) as a span, such as loading; the statistics then say how
//! many were left out. The HUD has the most important figures for the last 600 frames.
//!
//! # Persistence
//!
//! One [`SavedState`] holds settings, presets, favorites, pins, panes and baselines. It is saved as
//! JSON text, as a JSON file, or through serde in the host's own storage. A text that is damaged or
//! of a newer version is an error. The next save keeps a text that was not read in full. The panes
//! alone fit into [one line](StatsOverlay::view_line) to paste elsewhere.
//!
//! # Spikes
//!
//! A frame is a spike of a series if its value is above a threshold, which is computed from the
//! last 120 nonzero values before it. At least 16 such values are needed. The threshold exceeds
//! their median by the largest of these: five times the distance from the median to the 87.5th
//! percentile; half the median; and, for whole values, three times the square root of the median.
//! Budgets do not affect it. Low values are never spikes, and one spike does not raise the
//! threshold for the next. The module `spike` of the crate `stats-analysis` states the rule with
//! its source.
//!
//! Consecutive frames over the budget of a series are one span; for the frame time, over 1.1 times
//! the budget. The user, or [`StatsOverlay::set_budget`], sets the budget of a series by hand. If a
//! program is over its frame budget most of the time, the overlay offers a higher
//! one.
//!
//! # Hitches
//!
//! While any part of the overlay is on screen, it surveys all series in each frame and notices
//! frames that take much longer than usual. The HUD says what made the newest one long. A pane
//! (`U`) lists all of them, each with the scopes that made it long, by self time, and the series
//! that changed in it. It also lists levels that keep growing and stalls that recur at a regular
//! interval. The module `insight` of the crate `stats-analysis` states the rules.
//! [`Settings::hitches`] turns this off, and [`Settings::hitches_while_hidden`] turns it on for a
//! hidden overlay too.
//!
//! # Marks
//!
//! [`StatsOverlay::mark`] marks a span of frames, such as `loading`, or a single frame, such as
//! `level 2`. Graphs, tables, the strip and exports show the marks. Marks change no value.
//! Statistics leave out marked frames only on request.
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
//! A snapshot is a tree of threads, groups, scopes, names and sizes. Each row shows the bytes and
//! the number of allocations below it; equal allocations share a row. A click on a heading sorts
//! the rows. Filters by thread, group, scope and name can be combined, and levels can be left out.
//! "Compare with now" takes another snapshot and shows what grew, shrank, appeared or disappeared.
//! The largest growth comes first, with its path expanded, so a leak is three clicks away. The last
//! 16 snapshots are kept. Damaged lines of a dump are skipped, and reported with their line
//! numbers. Threads named `stats-overlay` read snapshots and build trees while frames continue; the
//! memory of these threads is listed under that name. `G` takes a snapshot, `C` compares with now,
//! and `Shift+B` saves the dump as `memory-NUMBER.csv` in the [export
//! folder](StatsOverlay::export_folder).
//!
//! [`MemoryPanel`] is the same view for any egui program. It shows dumps read from files as
//! [`MemorySnapshot`]s.
//!
//! # Features
//!
//! - `enabled` (default): without it, every call returns at once.
//! - `memory` (default): the memory view. Without it, a crate of 5,600 lines is not compiled, which
//!   takes a fifth of the time of the overlay with its crates (`scripts/compile-time` measures it).
//! - `process` (default): the tree includes the memory of the process, as `process/memory-resident`
//!   and `process/memory-virtual`. A thread samples it four times a second, starting with the first
//!   frame in which any part of the overlay is visible. An overlay that stays hidden starts no
//!   thread. The tree also includes where the time of a frame went, below `frame/`.
//! - `egui_plot`: `SeriesLine` shows a series in a plot of the program's own, with
//!   [`egui_plot`](https://docs.rs/egui_plot) 0.38, which uses egui 0.37.
//! - `gilrs`: [game pads](StatsOverlay::press) drive the overlay, with one call of
//!   `StatsOverlay::read_pads` and the crate [`gilrs`](https://docs.rs/gilrs). On Linux it needs
//!   pkg-config and the headers of libudev to build.
//! - `winit`: decides which events of a window belong to the overlay and which to the game.
//!
//! # Internals
//!
//! A frame flows one way: input, state, data, layout, paint. `app/frame.rs` lists the steps. State
//! belongs to the view that changes it. `app/state.rs` composes the views, and no code outside
//! `app/` depends on it. The documentation of each folder lists its files in reading order.
//!
//! A pane shows its series in one of several views. `views.rs` lists them with their names, keys and
//! folders; their buttons, actions, help, saved choices and tests follow from the list. To add a
//! view:
//!
//! 1. Write a folder. Its file `view.rs` has the state, which implements the trait `View`
//!    (`view.rs`); its file `choices.rs`, if any, has what is saved.
//! 2. Add an entry to the list, and declare the folder in `lib.rs`.
//! 3. Describe the view and its action in `docs/overlay.md`.
//!
//! A new choice of a view is a field in its `choices.rs`, which serde saves and puts into view lines. Raise
//! `VERSION` in `persist/view_line.rs`, so that an older program refuses the line instead of ignoring the
//! choice.
//!
//! | folder | contents |
//! |---|---|
//! | `app/` | composes the state, performs actions, shows the panel, help and settings |
//! | `panes/` | the list of panes, their layout and their headers |
//! | `overlay.rs`, `control.rs` | the overlay as a host draws it, and as a program controls it |
//! | `view.rs`, `views.rs` | the interface of the views of a pane, and their list |
//! | `graph/`, `table/`, `distribution/`, `statistics/`, `hitches/`, `timeline/`, `costs/` | one view of a pane each: model, layout, paint |
//! | `tree/`, `hud/`, `card/`, `strip/` | the other parts of the picture |
//! | `baseline/` | the statistics that later frames are compared with |
//! | `insight/` | feeds each frame to an `Insight`, and keeps its answers |
//! | `watch/` | the panes over the game: their places, and the line above them |
//! | `search/` | query, needles, fuzzy matches, behavior words, highlights |
//! | `data/` | the data that views read, live or copied during a pause, and the limit of the work in a pass |
//! | `input/` | actions, keys, settings, the toggle key, winit's events |
//! | `persist/` | saved state, files, the view line |
//! | `export/` | CSV and TSV |
//! | `paint/` | scales and meshes |
//! | `cost/` | the overlay's own cost and its lower refresh rate |
//! | `path.rs`, `pads.rs`, `plot_item.rs` | checks of paths, game pads, a series in a plot of the program |
//!
//! - **A view has one layout, on a `Canvas`** (`paint/canvas.rs`). In the panel, the canvas has a `Ui`
//!   and takes input. Over a game it has only a painter: egui assigns the pointer to widgets, so a
//!   pane without any takes no input from the game. Nobody can scroll there, so a view draws only
//!   whole rows, and the legend of a graph shows only the newest values. The view's state is the same
//!   in both places, so a change of the mode loses nothing.
//! - **There is no egui plugin.** Widgets created in a plugin hook deadlock in debug builds while
//!   the pointer is over them, and hooks do not run between `begin_pass` and `end_pass`.
//! - **The first passes draw one part after another**: the header and the tree, then the strip and
//!   the bars of the panes, then their views. A graph draws its grid, then its series, then two
//!   rows of the legend at a time, and the HUD draws four lines at a time. egui rasterizes a glyph
//!   when it is first drawn, and a first pass spends most of its time on that. Without
//!   these steps, the longest pass of a HUD of eight counters takes 2.8 times as long, and the longest pass
//!   of the full overlay 2.4 times: 1.3 times without the steps of the graph alone, and 1.3 times without
//!   the steps of the panel alone. The rows
//!   *worst frame … in a process of its own* of docs/benchmarks.md have the times. HUD, panel and graph
//!   each count their own passes, because each may be drawn first.
//! - **No id contains the number of a frame.** A debug build of egui keeps the origin of each id
//!   forever, so that a table of live frames would grow without end. The rows of a list have the ids
//!   of their places.
//! - **The tree and the table paint their own text**, virtualized; each visible row is in the
//!   accessibility tree. All rows share one clip rectangle, because each rectangle costs a draw
//!   call.
//! - **Values of past frames are kept for `E`**, because a user asks about a frame after it has
//!   ended, and unwatched series have no history. A newly selected series begins with these values,
//!   so that Enter on a hitch shows the frame of the hitch. They are kept only while panes are on
//!   screen, as changes of groups of 64 series (`data/recent.rs`). Under the HUD, only the own
//!   series of a hitch are kept, for 120 frames (`data/aftermath.rs`).
//! - **The `Insight` of the overlay has no paths.** They would take more memory than everything
//!   else that it knows about a counter. It asks for those of the series that moved before a frame
//!   is ranked.
//! - **What left the screen is free after three seconds**: recent values, listing, tree and
//!   pictures. A switch from mode to mode is thus immediate, and reopening later reads the listing
//!   again, over several passes.
//!
//! ## Size
//!
//! The overlay is meant to stay small: 22,500 lines of code, as `scripts/lines` counts them, was the goal
//! when it had 24,491. It has 35,000, because of what was added since; the table says what that is. Saved
//! state takes 40 % fewer lines than before, each view is laid out once for the panel and the game, and
//! all lists scroll with the same code. A search of all folders for code that is written twice, for types
//! with one user and for caches of what can be computed found less than 500 lines more. So a smaller
//! overlay is one with fewer features.
//!
//! The time to compile it in release is that of LLVM, which gets 885,000 lines of IR, as `cargo
//! llvm-lines` counts them. A third are functions of this crate, a quarter the iterators that they
//! use, and 8 % are instances of serde. Each kind of collection, egui's generic functions and
//! what drops values have less than 5 %. Where one piece of code can serve many types, it does: sorts of
//! short lists ([`stats_analysis::sort`]), menus and tooltips (`stats_ui`), and shapes that are kept.
//!
//! | folder | before | after | what a user has for it; *since*: what came after the goal |
//! |---|---:|---:|---|
//! | `graph/` | 3,968 | 4,777 | lines, stacks, ranges, two axes, the cursor; *since*: cut outliers, tags of budgets, lines of the log |
//! | `app/` | 2,679 | 4,480 | the panel, menu, settings, help; *since*: moments, formulas, budgets by hand, first steps, changing keys, video memory |
//! | `tree/` | 3,209 | 4,094 | browsing and searching series; *since*: costs by timer, rankings, series that moved together |
//! | `data/` | 1,822 | 3,060 | a pause that keeps all; *since*: scopes of frames, what happened after a hitch, one axis for all panes |
//! | `input/` | 1,004 | 1,711 | keys; *since*: game pads, taps, keys of one's choice |
//! | `insight/`, `hitches/` | 1,434 | 2,699 | hitches, leaks and stalls with their culprits; *since*: events for the program, pictures, what limits the frame rate |
//! | `search/` | 1,086 | 1,527 | search by name and behavior; *since*: teams of series that move together |
//! | `timeline/`, `costs/` | | 2,251 | *since*: the calls of a frame by thread, and what each timer costs |
//! | `table/`, `distribution/`, `statistics/` | 3,662 | 3,857 | the other views of a pane |
//! | `hud/`, `card/` | 953 | 1,623 | the HUD; *since*: the newest finding over the game |
//! | `panes/`, `watch/`, `baseline/` | 1,321 | 1,476 | panes over the game, and comparing with earlier frames |
//! | `paint/`, `cost/`, `export/` | 1,297 | 1,522 | drawing, the limit of the overlay's own cost, CSV |
//! | `persist/` | 1,338 | 800 | saved state, and a view in a line |
//! | files beside the folders | 718 | 1,228 | the interface; *since*: a plot item for egui_plot, reading pads |

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod app;
mod baseline;
mod card;
mod control;
mod cost;
mod costs;
mod data;
mod distribution;
mod export;
mod graph;
mod hitches;
mod hud;
mod input;
mod insight;
mod overlay;
#[cfg(feature = "gilrs")]
mod pads;
mod paint;
mod panes;
mod path;
mod persist;
#[cfg(feature = "egui_plot")]
mod plot_item;
mod search;
mod statistics;
mod strip;
mod table;
#[cfg(test)]
mod testing;
mod timeline;
mod tree;
mod view;
mod views;
mod watch;

pub use baseline::saved::{BaselineSeries, SavedBaseline};
pub use data::selection::{FRAME_TIME, MAX_SELECTED};
pub use distribution::choices::DistributionChoices;
pub use graph::choices::{GraphChoices, ValueRange};
pub use input::action::Action;
pub use input::bindings::{BindConflict, BindError, Bindings};
pub use input::mode::{HudSize, Mode, Place};
pub use input::pane_view::PaneView;
pub use input::press::{PadButton, Press, PressError};
pub use input::settings::Settings;
pub use overlay::StatsOverlay;
#[cfg(feature = "gilrs")]
pub use pads::PadsError;
pub use persist::load_error::LoadError;
pub use persist::save_error::SaveError;
pub use persist::save_report::SaveReport;
pub use persist::saved::{MAX_PANES, PaneLayout, Preset, SavedPane, SavedState};
pub use persist::storage::STORAGE_KEY;
pub use persist::view_line::ViewLineError;
#[cfg(feature = "egui_plot")]
pub use plot_item::SeriesLine;
pub use statistics::choices::StatisticsChoices;
pub use stats_analysis::derived::{DefinitionError, define as define_series};
pub use stats_analysis::distribution::ValueScale;
pub use stats_analysis::insight::Event;
pub use stats_analysis::teams::Team;
#[cfg(feature = "memory")]
pub use stats_memory_panel::{
    DumpDamage, DumpProblem, Fragmentation, MemoryPanel, MemorySnapshot, SnapshotWriter,
};
pub use stats_ui::theme::{Appearance, Palette};
pub use stats_ui::tree::RowAction;
pub use table::choices::{Sort, TableChoices};
