//! What the tests share: random numbers, and puffin frames.

#[cfg(feature = "enabled")]
mod frames;
mod random;

#[cfg(feature = "enabled")]
pub(crate) use frames::{TestScope, frame, random_scopes, raw, register, stream, thread};
pub(crate) use random::Random;
