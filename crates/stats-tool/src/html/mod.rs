//! Reports as one HTML file that needs nothing else.
//!
//! A page is well-formed XML too. It has no address in it, and forbids a browser to request
//! anything. Graphs are SVG, and a script only sorts and searches tables.
//!
//! - [`run_page`](mod@run_page), [`comparison_page`](mod@comparison_page),
//!   [`history_page`](mod@history_page), [`index_page`](mod@index_page): the pages.
//! - [`page`], [`verdict`], [`table`]: what they are made of.
//! - [`recording`], [`axis`], [`columns`]: frames, and where they are drawn.
//! - [`strip`](mod@strip), [`distribution`], [`hitches`], [`series`], [`difference`]: their parts.
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
pub(crate) use index_page::{Group, RunLink, index_page};
pub(crate) use run_page::{RunReport, run_page};
pub(crate) use verdict::{Tone, Verdict};

use std::path::Path;

use crate::failure::Failure;

/// Writes a page to a file.
pub(crate) fn write(file: &Path, page: &str) -> Result<(), Failure> {
    std::fs::write(file, page).map_err(|source| Failure::Output {
        name: file.display().to_string(),
        source,
    })
}
