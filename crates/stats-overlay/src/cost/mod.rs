//! TODO

pub(crate) mod frame_clock;
pub(crate) mod meter;
pub(crate) mod slowdown;
