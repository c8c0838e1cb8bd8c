//! Puffin frames, which several tests need.

#[cfg(feature = "enabled")]
mod frames;

#[cfg(feature = "enabled")]
pub(crate) use frames::{TestScope, frame, random_scopes, raw, register, stream, thread};
