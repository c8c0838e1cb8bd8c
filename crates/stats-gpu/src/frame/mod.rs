//! What is timed during one frame: names, passes and scopes, and the times that their ticks give.

mod interval;
mod log;
mod names;
mod recording;
mod unended;

pub(crate) use log::Log;
pub(crate) use names::Names;
pub(crate) use recording::{Entered, Recording};
