//! One frame: its passes and scopes, and the times computed from its ticks.
//!
//! While a frame is recorded, each pass and scope is logged with its name and two queries. (On a device
//! that times only passes, a scope has no queries and lasts as long as the passes in it.) The ticks
//! arrive frames later. They may be missing or left over, so each pair is judged before it counts. The
//! sums of a name then become the value of its series, in the frame that was recorded.
//!
//! - [`names`]: the series of each pass or scope, found by name;
//! - [`log`]: the passes and scopes of one frame, and the sums of their ticks;
//! - [`interval`]: which pairs of ticks are accepted;
//! - [`clock_place`](mod@clock_place): where the GPU's clock lies on the program's;
//! - [`recording`]: the frame being recorded, under one lock;
//! - [`unended`]: detects a program that never ends its frames.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod clock_place;
mod interval;
mod log;
mod names;
mod recording;
mod unended;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use log::GpuPlace;
pub(crate) use log::Log;
pub(crate) use names::Names;
pub(crate) use recording::{Entered, Recording};
