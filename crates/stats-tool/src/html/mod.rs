//! Reports as self-contained HTML files.
//!
//! A page needs no script to be read, and is well-formed XML, so tests use a strict parser. It
//! draws columns of pixels, not frames: each column shows the range of its frames, so the size of a
//! page does not depend on the length of a run. It needs no other file, and its content security
//! policy forbids all requests. Graphs are SVG. A script sorts and searches tables, and zooms into
//! strips.
//!
//! - [`run_page`](mod@run_page), [`comparison_page`](mod@comparison_page),
//!   [`history_page`](mod@history_page), [`index_page`](mod@index_page): the pages.
//! - [`page`], [`verdict`], [`table`]: the building blocks of all pages.
//! - [`recording`], [`axis`], [`columns`]: the frames of a run, and their positions in graphs.
//! - [`strip`](mod@strip), [`distribution`], [`hitches`], [`series`], [`difference`]: the graphs
//!   and tables.
//! - [`pictures`]: the pictures of the slowest frames.
//! - [`markup`]: pieces of HTML in which every text is escaped.

mod axis;
mod columns;
mod comparison_page;
mod difference;
mod distribution;
mod history_page;
mod hitches;
mod index_page;
mod markup;
mod page;
mod pictures;
mod recording;
mod run_page;
mod series;
mod strip;
mod table;
#[cfg(test)]
mod tests;
mod verdict;

pub(crate) use comparison_page::{ComparisonReport, comparison_page};
pub(crate) use history_page::{MetricHistory, history_page};
pub(crate) use index_page::{Group, INDEX, RunLink, index_page};
pub(crate) use run_page::{RunReport, run_page};
pub(crate) use verdict::{Tone, Verdict};

use std::path::Path;

use crate::failure::Failure;
use crate::output::{self, shown};

/// Examines the file of a page, before any work.
pub(crate) fn check(file: Option<&Path>) -> Result<(), Failure> {
    file.map_or(Ok(()), |file| output::target(file).map(drop))
}

/// Writes a page to a file. Returns an error if the file is a run, which must not be replaced.
pub(crate) fn write(file: &Path, page: &str) -> Result<(), Failure> {
    output::write(file, &shown(page.to_owned()))
}
