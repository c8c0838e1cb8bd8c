//! The parts of reports as self-contained HTML files.
//!
//! A page needs no script to be read, and is well-formed XML, so tests use a strict parser. It
//! draws columns of pixels, not frames: each column shows the range of its frames, so the size of a
//! page does not depend on the length of a run. It needs no other file, and its content security
//! policy forbids all requests. Graphs are SVG. A script sorts and searches tables, and zooms into
//! strips.
//!
//! - [`page`], [`verdict`], [`table`]: the building blocks of all pages.
//! - [`recording`], [`axis`], [`columns`]: the frames of a run, and their positions in graphs.
//! - [`strip`](mod@strip), [`distribution`], [`hitches`], [`series`], [`difference`], [`history`]:
//!   the graphs and tables. [`marks`]: the marks below a strip.
//! - [`timelines`]: the scopes of each hitch.
//! - [`pictures`]: the pictures of the slowest frames.
//! - [`markup`]: pieces of HTML in which every text is escaped.

mod axis;
mod columns;
pub(crate) mod difference;
pub(crate) mod distribution;
mod history;
pub(crate) mod hitches;
mod marks;
mod markup;
mod page;
pub(crate) mod pictures;
mod recording;
pub(crate) mod series;
mod strip;
mod table;
#[cfg(test)]
mod tests;
pub(crate) mod timelines;
mod verdict;

pub(crate) use axis::Axis;
pub(crate) use history::{MetricHistory, graphs};
pub(crate) use markup::{Markup, element, joined};
pub(crate) use page::Page;
pub(crate) use recording::Recording;
pub(crate) use strip::{Side, legend, strip, top_ms, zoomable};
pub(crate) use table::{Cell, blocks, sortable};

use std::path::Path;

use crate::failure::Failure;
use crate::output;

/// Examines the file of a page, before any work.
pub(crate) fn check(file: Option<&Path>) -> Result<(), Failure> {
    file.map_or(Ok(()), |file| output::target(file).map(drop))
}

/// Writes a page to a file. Returns an error if the file is a run, which must not be replaced.
pub(crate) fn write(file: &Path, page: &str) -> Result<(), Failure> {
    output::write(file, page)
}
