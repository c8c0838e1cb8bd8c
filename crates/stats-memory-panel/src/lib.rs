//! Who holds the memory: dumps of a tracking allocator, as a tree that is searched, sorted and
//! compared.
//!
//! In the order in which a dump goes through it: the [reader](SnapshotWriter) finds records in
//! pieces of text, a record is split into fields, a line is read from them, and what it says is
//! folded with its equals into a snapshot. A tree is made of one snapshot or two, of what passes a
//! filter; it is sorted where it is open.

mod bar_ui;
mod build;
mod columns;
mod damage;
mod empty_ui;
mod facets;
mod figures;
mod filter;
mod filter_ui;
mod fold;
mod head_ui;
mod job;
mod kept;
mod keys;
mod line;
mod list;
mod merged;
mod names;
mod node;
mod order;
mod own;
mod panel;
mod panel_ui;
mod passing;
mod reader;
mod record;
mod row_ui;
mod rows_ui;
mod sizes;
mod snapshot;
mod stacks;
mod take;
mod tree;

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod speed;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tree_tests;

pub use damage::{DumpDamage, DumpProblem};
pub use empty_ui::NO_SOURCE;
pub use job::Job;
pub use panel::MemoryPanel;
pub use panel_ui::Asked;
pub use reader::SnapshotWriter;
pub use snapshot::MemorySnapshot;
pub use take::{Dump, SaveDumpError, panicked_text};
