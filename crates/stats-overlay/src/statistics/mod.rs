//! The statistics of a pane: the frame times as figures.
//!
//! They are computed by [`FrameStatistics`](stats_core::FrameStatistics) from the frames on screen
//! or selected. This folder chooses the frames and shows the figures.
//!
//! In reading order:
//!
//! - `choices`: the choices of the user, which persist;
//! - `view`: the figures until their next update;
//! - `row`, `groups`: a figure as text, and all figures with their definitions;
//! - `ui`, `head_ui`: the figures in columns, and the frames they are computed from.

pub(crate) mod choices;
mod groups;
mod head_ui;
mod row;
pub(crate) mod ui;
pub(crate) mod view;
