//! An in-game statistics overlay for egui: pick counters from a searchable tree, watch them as graphs or tables.
//!
//! ```no_run
//! # let ctx = egui::Context::default();
//! let mut overlay = stats_overlay::StatsOverlay::new(); // once
//! overlay.show(&ctx); // once in every frame
//! ```
//!
//! F3 cycles hidden → HUD → full. The HUD takes no input from the game; the full overlay has the keyboard and the pointer
//! and says so. It works in any host that has an [`egui::Context`]: eframe, a loop of one's own, Bevy.
//!
//! In full mode: `/` or Ctrl+F searches, Space pauses; the wheel zooms a graph, dragging moves it, a double click goes
//! back to the newest frames.
//!
//! # Internals
//!
//! A frame goes through the crate in this order: the toggle key is taken; ticked paths that exist by now are watched; in
//! hidden mode that is all. Otherwise the listing is copied and sorted if its generation changed, and the rows of the tree
//! follow from it, from what is open and from the search. Rows on screen peek at their values, ticked series have
//! histories. Graph and table read those through one interface, behind which stands the source or, while paused, a
//! copy. A graph thins each history to the extremes of whole buckets of frames that are anchored at frame 0, and paints
//! each series as one shape. Numbers are written anew ten times a second, graphs with every frame.
//!
//! Model (listing, tree, search, selection, snapshot), layout and paint are apart; files that draw end in `_ui`.
//!
//! With the feature `enabled` off every call returns at once.

mod access;
mod axis;
mod clock;
mod color;
mod data;
mod format;
mod graph_item;
mod graph_ui;
mod graph_view;
mod hud_ui;
mod keyboard;
mod legend_ui;
mod listing;
mod names;
mod overlay;
mod pace;
mod paint;
mod panel_ui;
mod search;
mod search_ui;
mod selection;
mod series_shape;
mod table_ui;
#[cfg(test)]
mod testing;
mod theme;
mod thin;
mod tree;
mod tree_panel;
mod tree_ui;
mod tsv;
mod views;

pub use overlay::StatsOverlay;
pub use selection::{FRAME_TIME, MAX_TICKED};
pub use views::{Mode, View};
