//! A panel for egui that shows who owns a program's memory.
//!
//! A tracking allocator can write a *dump*: a line for each live allocation, with its thread,
//! group, scopes, size and name, or a line for each tag with sums. `stats-memory` is such an
//! allocator, and any program can write the format:
//!
//! ```text
//! address,thread,group,bytes,scope|scope|…,name        one allocation
//! ,,group,bytes,scope|scope|…,name,count               the sum of the allocations with one tag
//! address,,untracked,0,resident,bytes,0                pages that are in memory
//! ```
//!
//! The first line may contain the budgets of groups, which the panel shows beside their rows:
//!
//! ```text
//! address,thread,group,bytes,scope|stack,name,rendering=536870912|ui=33554432
//! ```
//!
//! Fields are quoted as in RFC 4180. Within a scope, each `|` and `\` is preceded by a `\`, and so
//! is `=` in the name of a group with a budget.
//!
//! Nobody finds an answer by reading hundreds of thousands of lines. This crate reads a dump into a
//! [`MemorySnapshot`], which folds equal allocations, and shows snapshots in a [`MemoryPanel`]: a
//! tree of owners to filter, to sort, and to compare with an earlier snapshot, the largest growth
//! first. The cost of a frame depends on the number of rows on screen, not on the size of the tree.
//!
//! # In any egui program
//!
//! ```
//! use stats_memory_panel::{MemoryPanel, MemorySnapshot};
//!
//! struct App {
//!     memory: MemoryPanel,
//! }
//!
//! impl App {
//!     fn new(dump: impl std::io::Read) -> std::io::Result<Self> {
//!         let mut memory = MemoryPanel::new();
//!         memory.add("at the start", MemorySnapshot::read(dump)?);
//!         Ok(Self { memory })
//!     }
//!
//!     fn ui(&mut self, ui: &mut egui::Ui) {
//!         self.memory.ui(ui);
//!     }
//! }
//! # App::new(&b"0x1,main,rendering,64,Level|Load,mesh\n"[..]).unwrap();
//! ```
//!
//! A program that tracks its own allocations passes the function that writes dumps to
//! [`MemoryPanel::set_dump`]; the panel then takes snapshots itself. A panel of
//! [`MemoryKind::Video`] shows the memory of a graphics device in the same way.
//!
//! # In the overlay
//!
//! `stats-overlay` draws the panel with [`MemoryPanel::overlay_ui`], reads the keys itself and
//! passes them to [`MemoryPanel::perform`] and [`MemoryPanel::focus_name_filter`], and saves dumps
//! with [`MemoryPanel::save_dump`]. Other programs do not need these methods.
//!
//! # Internals
//!
//! A dump goes through the modules in this order, and each imports only the ones before it: `dump`
//! finds lines in bytes, `pages` makes a map of their addresses, `snapshot` folds them, `tree` builds
//! rows from one snapshot or two, and `panel` shows the rows. Snapshots are taken and large trees are
//! built on another thread, so that no frame waits for them.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod dump;
mod pages;
mod panel;
mod snapshot;
mod tree;

#[cfg(test)]
mod testing;

pub use dump::{DumpDamage, DumpProblem};
pub use pages::Fragmentation;
pub use panel::{
    MemoryKind, MemoryPanel, NO_DUMP_MESSAGE, NO_VIDEO_DUMP_MESSAGE, PanelRequest, SaveDumpError,
};
pub use snapshot::{MemorySnapshot, SnapshotWriter};
