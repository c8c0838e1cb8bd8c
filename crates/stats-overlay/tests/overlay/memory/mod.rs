//! The memory view.

pub(crate) mod dumps;
mod filters;
mod hostile;
pub(crate) mod memory;
mod pages;
mod panel;
mod take;
mod video;
