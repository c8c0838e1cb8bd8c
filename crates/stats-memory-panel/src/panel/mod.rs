//! The panel: snapshots, filters, and the tree as a list of rows.
//!
//! [`memory_panel`] has the state: [`snapshots`] with their [`facets`], and the [`list`] of visible
//! rows of the tree, which [`building`] builds. [`taking`] and [`save`] call the program's
//! [`dump_function`] on another thread. The modules whose names end in `_ui` draw: [`layout_ui`]
//! arranges the others from top to bottom, with the texts of [`figures`] in the [`columns`] that
//! fit, and an [`icicle`] or the map of [`pages`] beside them if there is room. [`keys`] performs the
//! actions of the keyboard, and [`budget`] draws the budgets of groups.

mod bar_ui;
mod budget;
mod building;
mod columns;
mod dump_function;
mod empty_ui;
mod facets;
mod figures;
mod filter_ui;
mod head_ui;
mod icicle;
mod icicle_ui;
mod keys;
mod layout_ui;
mod list;
mod memory_panel;
mod pages;
mod pages_ui;
mod row_ui;
mod rows_ui;
mod save;
mod snapshots;
mod taking;

pub use empty_ui::{NO_DUMP_MESSAGE, NO_VIDEO_DUMP_MESSAGE};
pub use memory_panel::{MemoryKind, MemoryPanel, PanelRequest};
pub use save::SaveDumpError;
