//! A program with the layer sees its spans and events in the frames of a recorder.

#[cfg(feature = "enabled")]
mod events;
#[cfg(feature = "enabled")]
mod names;
#[cfg(not(feature = "enabled"))]
mod off;
#[cfg(feature = "enabled")]
mod sequences;
#[cfg(feature = "enabled")]
mod spans;
#[cfg(feature = "enabled")]
mod totals;
