//! A report as one HTML file, which needs no other file, no network and no scripts.
//!
//! - [`page`]: the parts of the file.
//! - [`judgment`]: the file of `stats compare` and `stats trend`.
//! - [`chart`], [`frame_strip`], [`frame_distribution`]: pictures, as SVG.
//! - [`escape`]: text in HTML.

mod chart;
mod escape;
mod frame_distribution;
mod frame_strip;
mod judgment;
mod page;

pub(crate) use judgment::{MetricHistory, write_judgment};
pub(super) use page::html;
