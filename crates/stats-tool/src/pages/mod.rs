//! Reports as self-contained HTML files.
//!
//! Each page walks the sections of a document, and adds graphs to some of them.
//!
//! - [`run`]: one run, or several of the same scenario.
//! - [`comparison`](mod@comparison): runs before and after a change.
//! - [`history`](mod@history), [`index`]: many runs, and a site about them.

mod comparison;
mod history;
mod index;
mod run;

pub(crate) use comparison::comparison_page;
pub(crate) use history::history_page;
pub(crate) use index::{Group, INDEX, RunLink, index_page};
pub(crate) use run::{page_of_files, run_page};
