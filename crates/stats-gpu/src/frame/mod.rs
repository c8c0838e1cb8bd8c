//! One frame: its passes and scopes, and the times computed from its ticks.
//!
//! - [`names`]: the series of each pass or scope, found by name;
//! - [`log`]: the passes and scopes of one frame, and the sums of their ticks;
//! - [`interval`]: which pairs of ticks are accepted;
//! - [`recording`]: the frame being recorded, under one lock;
//! - [`unended`]: detects a program that never ends its frames.

mod interval;
mod log;
mod names;
mod recording;
mod unended;

pub(crate) use log::Log;
pub(crate) use names::Names;
pub(crate) use recording::{Entered, Recording};
