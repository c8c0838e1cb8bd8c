//! A report as one HTML file, which needs no other file, no network and no scripts.
//!
//! - [`page`]: the parts of the file.
//! - [`chart`], [`frame_strip`], [`frame_distribution`]: pictures, as SVG.
//! - [`escape`]: text in HTML.

mod chart;
mod escape;
mod frame_distribution;
mod frame_strip;
mod page;

pub(super) use page::html;
